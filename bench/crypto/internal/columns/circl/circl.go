// Package circl is the column of github.com/cloudflare/circl. It has neither AES-GCM nor ChaCha20-Poly1305.
package circl

import (
	"github.com/cloudflare/circl/dh/x25519"
	"github.com/cloudflare/circl/kem/mlkem/mlkem768"
	"github.com/cloudflare/circl/sign/ed25519"

	"rustgo.dev/bench/crypto/internal/column"
)

func Column() *column.Column {
	return &column.Column{Name: "circl", X25519: exchange, Signer: newSigner, Verify: verify, KEM: kem, Encapsulate: encapsulate}
}

func exchange(scalar *[32]byte) func(shared, point *[32]byte) bool {
	key := x25519.Key(*scalar)
	return func(shared, point *[32]byte) bool {
		return x25519.Shared((*x25519.Key)(shared), &key, (*x25519.Key)(point))
	}
}

type signer ed25519.PrivateKey

func newSigner(seed []byte) column.Signer { return signer(ed25519.NewKeyFromSeed(seed)) }

func (s signer) PublicKey() []byte { return s[32:] }
func (s signer) SignMessage(message []byte) []byte {
	return ed25519.Sign(ed25519.PrivateKey(s), message)
}

func verify(public, message, signature []byte) bool {
	return ed25519.Verify(public, message, signature)
}

type decapsulation struct {
	public *mlkem768.PublicKey
	secret *mlkem768.PrivateKey
}

func kem(seed []byte) column.KEM {
	public, secret := mlkem768.NewKeyFromSeed(seed)
	return decapsulation{public, secret}
}

func (d decapsulation) Public() []byte { return column.Must(d.public.MarshalBinary()) }

func (d decapsulation) Decapsulate(ciphertext []byte) []byte {
	shared := make([]byte, mlkem768.SharedKeySize)
	d.secret.DecapsulateTo(shared, ciphertext)
	return shared
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
