// Package secret has memory for secrets.
package secret

// New returns memory on the heap. Secrets must not be on a stack: when a stack grows, its contents are copied and the old stack is not wiped.
//
//go:noinline
func New[T any]() *T { return new(T) }
