// Package voi is the column of github.com/oasisprotocol/curve25519-voi.
package voi

import (
	"github.com/oasisprotocol/curve25519-voi/primitives/ed25519"
	"github.com/oasisprotocol/curve25519-voi/primitives/x25519"

	"rustgo.dev/bench/crypto/internal/column"
)

func Column() *column.Column {
	return &column.Column{Name: "voi", X25519: exchange, Signer: newSigner, Verify: verify, Batch: batch}
}

func exchange(scalar *[32]byte) func(shared, point *[32]byte) bool {
	return func(shared, point *[32]byte) bool {
		x25519.ScalarMult(shared, scalar, point)
		return *shared != [32]byte{}
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

func batch(publics, messages, signatures [][]byte) bool {
	verifier := ed25519.NewBatchVerifierWithCapacity(len(publics))
	for i := range publics {
		verifier.Add(publics[i], messages[i], signatures[i])
	}
	return verifier.VerifyBatchOnly(nil)
}
