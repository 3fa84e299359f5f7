// Package callbacks compares ways in which foreign code calls Go functions: rustgo, cgo, purego and wazero.
//
// Foreign code calls a Go function in a loop (rustgo, cgo, wazero), passes a text to a Go function (rustgo, cgo), and sorts numbers by a comparison
// in Go (rustgo, cgo, purego). cgo and purego use the qsort of the C library. module.go contains the hand-written WebAssembly module. Reading by
// rustgo.Reader is compared with the same Rust code on bytes in memory.
//
// Run it with: go test -bench . -count 5
package callbacks
