// Package callbacks compares ways in which foreign code calls Go functions: rustgo, cgo, purego and wazero.
//
// In each way, foreign code calls a Go function in a loop, sorts numbers by a comparison in Go, and, where it can, passes a text. The cgo and purego
// ways sort with the qsort of the C library. The WebAssembly module is made by hand: module.go. Reading by rustgo.Reader is compared with the same
// Rust code on bytes in memory.
//
// Run it with: go test -bench . -count 5
package callbacks
