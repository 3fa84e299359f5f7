// Command gostd uses everything of its column once.
package main

import (
	"rustgo.dev/bench/crypto/internal/columns/gostd"
	"rustgo.dev/bench/crypto/internal/minimal"
)

func main() {
	minimal.Run(gostd.AES, gostd.X25519, gostd.Signer, gostd.Verify)
}
