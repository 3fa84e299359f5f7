//go:build cgo

package viacgo

// #include <stdint.h>
// static uint64_t increment(uint64_t x) { return x + 1; }
import "C"

// Available reports whether Increment works, which needs cgo.
const Available = true

// Increment returns x + 1.
func Increment(x uint64) uint64 { return uint64(C.increment(C.uint64_t(x))) }
