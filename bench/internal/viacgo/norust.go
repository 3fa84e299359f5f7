//go:build !cgo || !rustnative

package viacgo

// RustAvailable reports whether the Rust functions work, which need cgo and the build tag rustnative.
const RustAvailable = false

// ScalarBaseMult panics, because this build has no Rust library.
func ScalarBaseMult(dst, k *[32]byte) { panic("viacgo: built without the tag rustnative") }

// Sum256 panics, because this build has no Rust library.
func Sum256(dst *[32]byte, msg []byte) { panic("viacgo: built without the tag rustnative") }
