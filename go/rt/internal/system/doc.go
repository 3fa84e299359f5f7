// Package system gets memory and random numbers from the operating system: for the Rust heap, for the stacks of tasks, and for the generator of
// random bytes. Only Go code of package rt calls it. Rust code calls the system through assembly of package rt, in heap_*.s and system_*.s.
//
// An address is the number of a byte outside of Go's memory, and a size is a number of bytes. Both are multiples of the system's page size. If the
// system refuses a request, a function's result says so; there are no further reasons. Rust code runs only on amd64 and arm64, so on other processors
// the package declares nothing.
package system
