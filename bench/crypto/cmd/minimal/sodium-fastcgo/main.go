//go:build sodium && cgo

// Command sodium-fastcgo uses every operation of the column sodium-fastcgo once. Its compile time and size are measured.
package main

import (
	"rustgo.dev/bench/crypto/internal/columns/sodiumfast"
	"rustgo.dev/bench/crypto/internal/minimal"
)

func main() {
	sodiumfast.Init()
	minimal.Run(sodiumfast.AES, sodiumfast.X25519, sodiumfast.Signer, sodiumfast.Verify)
}
