//go:build amd64 || arm64

// Package byhand has the hand-written assembly that the benchmarks compare with.
package byhand

// Increment returns x + 1.
func Increment(x uint64) uint64
