// Package gostd is the column of Go's standard library, and of golang.org/x/crypto for ChaCha20-Poly1305.
package gostd

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/ed25519"
	"crypto/mlkem"

	"golang.org/x/crypto/chacha20poly1305"

	"rustgo.dev/bench/crypto/internal/column"
)

func Column() *column.Column {
	return &column.Column{Name: "gostd", AES: AES, ChaCha: chacha, X25519: X25519, Signer: Signer, Verify: Verify, KEM: kem, Encapsulate: encapsulate, Empty: empty}
}

func AES(key []byte) column.AEAD {
	return column.Must(cipher.NewGCM(column.Must(aes.NewCipher(key))))
}

func chacha(key []byte) column.AEAD {
	return column.Must(chacha20poly1305.New(key))
}

func X25519(scalar *[32]byte) func(shared, point *[32]byte) bool {
	key := column.Must(ecdh.X25519().NewPrivateKey(scalar[:]))
	return func(shared, point *[32]byte) bool {
		remote, err := ecdh.X25519().NewPublicKey(point[:])
		if err != nil {
			return false
		}
		secret, err := key.ECDH(remote)
		if err != nil {
			return false
		}
		copy(shared[:], secret)
		return true
	}
}

func Signer(seed []byte) column.Signer {
	key := ed25519.NewKeyFromSeed(seed)
	return column.Signer{Public: key[32:], Sign: func(message []byte) []byte { return ed25519.Sign(key, message) }}
}

func Verify(public, message, signature []byte) bool {
	return ed25519.Verify(public, message, signature)
}

func kem(seed []byte) column.KEM {
	key := column.Must(mlkem.NewDecapsulationKey768(seed))
	return column.KEM{
		Public:      func() []byte { return key.EncapsulationKey().Bytes() },
		Decapsulate: func(ciphertext []byte) []byte { return column.Must(key.Decapsulate(ciphertext)) },
	}
}

func encapsulate(public []byte) (shared, ciphertext []byte) {
	return column.Must(mlkem.NewEncapsulationKey768(public)).Encapsulate()
}

func empty(n int) {
	for range n {
		nothing(1, 2, 3, 4, 5, 6)
	}
}

//go:noinline
func nothing(a, b, c, d, e, f uint64) {}
