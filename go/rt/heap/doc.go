// Package heap starts the Rust heap of package rt. Generated packages whose Rust code allocates import it, so that the heap exists before any of
// their functions can be called. It declares nothing; package rt has the heap's statistics and its limit.
package heap
