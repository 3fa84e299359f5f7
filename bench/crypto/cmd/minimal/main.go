// Command minimal uses every operation of a column once, except ML-KEM and ChaCha20-Poly1305, which some columns lack. It ends with status 1 if a
// result is wrong. Its compile time and size are measured for each column in Go: compile.go replaces gostd by the package of the column.
package main

import (
	"bytes"
	"os"

	"rustgo.dev/bench/crypto/internal/column"
	"rustgo.dev/bench/crypto/internal/columns/gostd"
)

func main() {
	aead, text := gostd.AES(column.Key()), column.Text(64)
	sealed := aead.Seal(nil, column.Nonce(), text, nil)
	opened, err := aead.Open(nil, column.Nonce(), sealed, nil)
	signer := gostd.Signer(column.Seed())
	var shared [32]byte
	if err != nil || !bytes.Equal(opened, text) || !gostd.Verify(signer.Public, sealed, signer.Sign(sealed)) || !gostd.X25519(column.Scalar())(&shared, column.Point()) {
		os.Exit(1)
	}
	os.Stdout.Write(shared[:])
}
