// Package copies has a type like the types of generated packages, and a copy of a value, which go vet must report.
package copies

import rustgo_rt "rustgo.dev/go/rt"

// Queue is declared like a type of a generated package.
type Queue rustgo_rt.Object

// Copied copies a Queue.
func Copied(q *Queue) {
	copied := *q
	_ = &copied
}
