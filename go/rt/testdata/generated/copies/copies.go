// Package copies has a type like the types of generated packages, and a copy of a value, which go vet must find.
package copies

import rustgo_rt "rustgo.dev/go/rt"

// Queue is a type as in a generated package.
type Queue rustgo_rt.Object

// Copied copies a Queue.
func Copied(q *Queue) {
	copied := *q
	_ = &copied
}
