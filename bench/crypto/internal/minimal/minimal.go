// Package minimal is the common part of the programs whose compile time and size are measured. It uses every operation once, except ML-KEM and
// ChaCha20-Poly1305, which some columns lack.
package minimal

import (
	"bytes"
	"os"

	"rustgo.dev/bench/crypto/internal/column"
)

// Run uses all operations once, and ends the program if a result is wrong.
func Run(newAEAD func(key []byte) column.AEAD, x25519 func(scalar *[32]byte) func(shared, point *[32]byte) bool, newSigner func(seed []byte) column.Signer,
	verify func(public, message, signature []byte) bool) {
	aead, text := newAEAD(column.Key()), column.Text(64)
	sealed := aead.Seal(nil, column.Nonce(), text, nil)
	opened, err := aead.Open(nil, column.Nonce(), sealed, nil)
	signer := newSigner(column.Seed())
	var shared [32]byte
	if err != nil || !bytes.Equal(opened, text) || !verify(signer.Public, sealed, signer.Sign(sealed)) || !x25519(column.Scalar())(&shared, column.Point()) {
		os.Exit(1)
	}
	os.Stdout.Write(shared[:])
}
