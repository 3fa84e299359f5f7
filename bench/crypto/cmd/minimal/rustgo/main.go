// Command rustgo uses every operation of the column rustgo once. Its compile time and size are measured.
package main

import (
	"rustgo.dev/bench/crypto/internal/columns/rustgo"
	"rustgo.dev/bench/crypto/internal/minimal"
)

func main() {
	minimal.Run(rustgo.AES, rustgo.X25519, rustgo.Signer, rustgo.Verify)
}
