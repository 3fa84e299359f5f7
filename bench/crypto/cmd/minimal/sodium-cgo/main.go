//go:build sodium && cgo

// Command sodium-cgo uses every operation of the column sodium-cgo once. Its compile time and size are measured.
package main

import (
	"rustgo.dev/bench/crypto/internal/columns/sodiumcgo"
	"rustgo.dev/bench/crypto/internal/minimal"
)

func main() {
	sodiumcgo.Init()
	minimal.Run(sodiumcgo.AES, sodiumcgo.X25519, sodiumcgo.Signer, sodiumcgo.Verify)
}
