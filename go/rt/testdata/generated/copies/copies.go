// Package copies has a type as generated packages have them, and a copy of a value of it, which go vet finds.
package copies

import rustgo_rt "rustgo.dev/go/rt"

// Queue is a type of Rust's.
type Queue rustgo_rt.Object

// Copied copies one.
func Copied(q *Queue) {
	copied := *q
	_ = &copied
}
