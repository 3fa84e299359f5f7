package callbacks

import "cmp"

// The Go functions that foreign code calls.

//go:noinline
func step(x uint64) uint64 { return x + 1 }

//go:noinline
func textLength(text string) (uint64, error) { return uint64(len(text)), nil }

//go:noinline
func compare(a, b uint64) int64 { return int64(cmp.Compare(a, b)) }
