//go:build rustcgo && cgo

// Command rust-cgo uses every operation of the column rust-cgo once. Its compile time and size are measured.
package main

import (
	"rustgo.dev/bench/crypto/internal/columns/rustcgo"
	"rustgo.dev/bench/crypto/internal/minimal"
)

func main() {
	minimal.Run(rustcgo.AES, rustcgo.X25519, rustcgo.Signer, rustcgo.Verify)
}
