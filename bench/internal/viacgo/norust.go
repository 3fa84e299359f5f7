//go:build !cgo || !rustnative

package viacgo

// RustAvailable says whether the Rust functions are there.
const RustAvailable = false

// ScalarBaseMult is not there.
func ScalarBaseMult(dst, k *[32]byte) { panic("viacgo: built without the tag rustnative") }

// Sum256 is not there.
func Sum256(dst *[32]byte, msg []byte) { panic("viacgo: built without the tag rustnative") }
