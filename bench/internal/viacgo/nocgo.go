//go:build !cgo

package viacgo

// Available says whether Increment is there.
const Available = false

// Increment is not there.
func Increment(uint64) uint64 { panic("viacgo: built without cgo") }
