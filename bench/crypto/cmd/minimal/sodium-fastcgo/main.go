//go:build sodium && cgo

// Command sodium-fastcgo uses everything of its column once.
package main

import (
	"rustgo.dev/bench/crypto/internal/columns/sodiumfast"
	"rustgo.dev/bench/crypto/internal/minimal"
)

func main() {
	sodiumfast.Init()
	minimal.Run(sodiumfast.AES, sodiumfast.X25519, sodiumfast.Signer, sodiumfast.Verify)
}
