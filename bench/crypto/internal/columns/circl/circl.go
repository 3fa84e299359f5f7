// Package circl is the column of github.com/cloudflare/circl. It has neither AES-GCM nor ChaCha20-Poly1305.
package circl

import (
	"github.com/cloudflare/circl/dh/x25519"
	"github.com/cloudflare/circl/kem/mlkem/mlkem768"
	"github.com/cloudflare/circl/sign/ed25519"

	"rustgo.dev/bench/crypto/internal/column"
)

func Column() *column.Column {
	return &column.Column{Name: "circl", X25519: exchange, Signer: signer, Verify: verify, KEM: kem, Encapsulate: encapsulate}
}

func exchange(scalar *[32]byte) func(shared, point *[32]byte) bool {
	key := x25519.Key(*scalar)
	return func(shared, point *[32]byte) bool {
		return x25519.Shared((*x25519.Key)(shared), &key, (*x25519.Key)(point))
	}
}

func signer(seed []byte) column.Signer {
	key := ed25519.NewKeyFromSeed(seed)
	return column.Signer{Public: key[32:], Sign: func(message []byte) []byte { return ed25519.Sign(key, message) }}
}

func verify(public, message, signature []byte) bool {
	return ed25519.Verify(public, message, signature)
}

func kem(seed []byte) column.KEM {
	public, secret := mlkem768.NewKeyFromSeed(seed)
	return column.KEM{
		Public: func() []byte { return column.Must(public.MarshalBinary()) },
		Decapsulate: func(ciphertext []byte) []byte {
			shared := make([]byte, mlkem768.SharedKeySize)
			secret.DecapsulateTo(shared, ciphertext)
			return shared
		},
	}
}

func encapsulate(public []byte) (shared, ciphertext []byte) {
	var key mlkem768.PublicKey
	if err := key.Unpack(public); err != nil {
		panic(err)
	}
	shared, ciphertext = make([]byte, mlkem768.SharedKeySize), make([]byte, mlkem768.CiphertextSize)
	key.EncapsulateTo(ciphertext, shared, nil)
	return shared, ciphertext
}
