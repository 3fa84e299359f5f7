// Package heap starts the Rust heap of package rt. Generated packages whose Rust code allocates import package heap, so that the Rust heap exists
// before any of their functions can be called. Package heap declares nothing. Package rt has the heap's statistics and its limit.
package heap
