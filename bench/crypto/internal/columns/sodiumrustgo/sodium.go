//go:build amd64

// Package sodiumrustgo is the column of libsodium as a package made by rustgo: the C library without cgo.
package sodiumrustgo

import (
	"crypto/rand"
	"sync"

	"rustgo.dev/bench/crypto/internal/column"
	"rustgo.dev/bench/crypto/sodium"
)

// choose makes libsodium choose its code for the processor.
var choose = sync.OnceFunc(sodium.Init)

func Column() *column.Column {
	choose()
	return &column.Column{
		Name: "sodium-rustgo", AES: AES, ChaCha: func(key []byte) column.AEAD { return chacha(key) }, X25519: X25519, Signer: Signer, Verify: Verify,
		KEM: kem, Encapsulate: encapsulate, Empty: empty,
	}
}

type aes struct{ state *sodium.AES }

func AES(key []byte) column.AEAD {
	choose()
	return aes{sodium.NewAES((*[32]byte)(key))}
}

func (a aes) Seal(dst, nonce, plaintext, additional []byte) []byte {
	all, out := column.Grow(dst, len(plaintext)+column.Overhead)
	a.state.Seal(out, (*[12]byte)(nonce), plaintext, additional)
	return all
}

func (a aes) Open(dst, nonce, ciphertext, additional []byte) ([]byte, error) {
	all, out := column.Grow(dst, len(ciphertext)-column.Overhead)
	if !a.state.Open(out, (*[12]byte)(nonce), ciphertext, additional) {
		return nil, column.ErrOpen
	}
	return all, nil
}

type chacha []byte

func (c chacha) Seal(dst, nonce, plaintext, additional []byte) []byte {
	all, out := column.Grow(dst, len(plaintext)+column.Overhead)
	sodium.ChaChaSeal(out, (*[12]byte)(nonce), plaintext, additional, (*[32]byte)(c))
	return all
}

func (c chacha) Open(dst, nonce, ciphertext, additional []byte) ([]byte, error) {
	all, out := column.Grow(dst, len(ciphertext)-column.Overhead)
	if !sodium.ChaChaOpen(out, (*[12]byte)(nonce), ciphertext, additional, (*[32]byte)(c)) {
		return nil, column.ErrOpen
	}
	return all, nil
}

func X25519(scalar *[32]byte) func(shared, point *[32]byte) bool {
	return func(shared, point *[32]byte) bool { return sodium.X25519(shared, scalar, point) }
}

func Signer(seed []byte) column.Signer {
	key, public := new([64]byte), new([32]byte)
	sodium.Key(key, public, (*[32]byte)(seed))
	return column.Signer{Public: public[:], Sign: func(message []byte) []byte {
		signature := new([64]byte)
		sodium.Sign(signature, message, key)
		return signature[:]
	}}
}

func Verify(public, message, signature []byte) bool {
	return sodium.Verify((*[64]byte)(signature), message, (*[32]byte)(public))
}

func kem(seed []byte) column.KEM {
	public, secret := new([1184]byte), new([2400]byte)
	sodium.Generate(public, secret, (*[64]byte)(seed))
	return column.KEM{Public: func() []byte { return public[:] }, Decapsulate: func(ciphertext []byte) []byte {
		shared := new([32]byte)
		if !sodium.Decapsulate(shared, (*[1088]byte)(ciphertext), secret) {
			panic("sodium: decapsulation failed")
		}
		return shared[:]
	}}
}

func encapsulate(public []byte) (shared, ciphertext []byte) {
	var random [32]byte
	rand.Read(random[:])
	secret, text := new([32]byte), new([1088]byte)
	if !sodium.Encapsulate(text, secret, (*[1184]byte)(public), &random) {
		panic("sodium: the key is none")
	}
	return secret[:], text[:]
}

// empty calls SignBytes, which only returns a constant. So it measures the cost of a call into the package.
func empty(n int) {
	for range n {
		sodium.SignBytes()
	}
}
