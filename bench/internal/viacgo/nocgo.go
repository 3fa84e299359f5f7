//go:build !cgo

package viacgo

// Available reports whether Increment works, which needs cgo.
const Available = false

// Increment panics, because this build has no cgo.
func Increment(uint64) uint64 { panic("viacgo: built without cgo") }
