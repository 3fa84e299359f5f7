// Package marked has functions like the functions of a generated package, without the Rust code.
package marked

import (
	"unsafe"

	rustgo_rt "rustgo.dev/go/rt"
)

//go:noinline
func rust_Sum(b []byte) int { return len(b) }

//go:noinline
func rust_Fill(b []byte) {}

// Sum reads b.
func Sum(b []byte) int {
	if rustgo_rt.RaceEnabled {
		rustgo_rt.RaceRead(unsafe.Pointer(unsafe.SliceData(b)), uintptr(len(b)))
	}
	return rust_Sum(b)
}

// Fill writes to b. It is too large to be inlined.
func Fill(b []byte) {
	defer func() {}()
	if rustgo_rt.RaceEnabled {
		rustgo_rt.RaceWrite(unsafe.Pointer(unsafe.SliceData(b)), uintptr(len(b)))
	}
	rust_Fill(b)
}
