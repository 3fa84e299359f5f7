//go:build rustcgo && cgo

// Command rust-cgo uses everything of its column once.
package main

import (
	"rustgo.dev/bench/crypto/internal/columns/rustcgo"
	"rustgo.dev/bench/crypto/internal/minimal"
)

func main() {
	minimal.Run(rustcgo.AES, rustcgo.X25519, rustcgo.Signer, rustcgo.Verify)
}
