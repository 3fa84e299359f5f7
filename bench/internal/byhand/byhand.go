//go:build amd64 || arm64

// Package byhand contains hand-written assembly that benchmarks compare rustgo with.
package byhand

// Increment returns x + 1.
func Increment(x uint64) uint64
