// Command rustgo uses everything of its column once.
package main

import (
	"rustgo.dev/bench/crypto/internal/columns/rustgo"
	"rustgo.dev/bench/crypto/internal/minimal"
)

func main() {
	minimal.Run(rustgo.AES, rustgo.X25519, rustgo.Signer, rustgo.Verify)
}
