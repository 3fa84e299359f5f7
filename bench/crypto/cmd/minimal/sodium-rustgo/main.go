//go:build amd64

// Command sodium-rustgo uses every operation of the column sodium-rustgo once. Its compile time and size are measured.
package main

import (
	"rustgo.dev/bench/crypto/internal/columns/sodiumrustgo"
	"rustgo.dev/bench/crypto/internal/minimal"
)

func main() {
	sodiumrustgo.Init()
	minimal.Run(sodiumrustgo.AES, sodiumrustgo.X25519, sodiumrustgo.Signer, sodiumrustgo.Verify)
}
