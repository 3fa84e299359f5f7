// Command gostd uses every operation of the column gostd once. Its compile time and size are measured.
package main

import (
	"rustgo.dev/bench/crypto/internal/columns/gostd"
	"rustgo.dev/bench/crypto/internal/minimal"
)

func main() {
	minimal.Run(gostd.AES, gostd.X25519, gostd.Signer, gostd.Verify)
}
