// Package copies has a type like the types of generated packages, and a function that copies a value of the type. go vet must report the copy.
package copies

import rustgo_rt "rustgo.dev/go/rt"

// Queue is declared like a type of a generated package.
type Queue rustgo_rt.Object

// Copied copies a Queue.
func Copied(q *Queue) {
	copied := *q
	_ = &copied
}
