// Package heap starts the Rust heap of package rt. Generated packages whose Rust code allocates import it, so that the heap is there before
// any of their functions can be called. It has nothing else; package rt has the heap's statistics and its limit.
package heap
