// Package secret has memory for secrets.
package secret

// New returns memory on the heap. When a stack grows, its contents are copied, and the old stack is not wiped.
//
//go:noinline
func New[T any]() *T { return new(T) }
