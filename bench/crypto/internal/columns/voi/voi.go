// Package voi is the column of github.com/oasisprotocol/curve25519-voi.
package voi

import (
	"github.com/oasisprotocol/curve25519-voi/primitives/ed25519"
	"github.com/oasisprotocol/curve25519-voi/primitives/x25519"

	"rustgo.dev/bench/crypto/internal/column"
)

func Column() *column.Column {
	return &column.Column{Name: "voi", X25519: exchange, Signer: signer, Verify: verify, Batch: batch}
}

func exchange(scalar *[32]byte) func(shared, point *[32]byte) bool {
	return func(shared, point *[32]byte) bool {
		x25519.ScalarMult(shared, scalar, point)
		return *shared != [32]byte{}
	}
}

func signer(seed []byte) column.Signer {
	key := ed25519.NewKeyFromSeed(seed)
	return column.Signer{Public: key[32:], Sign: func(message []byte) []byte { return ed25519.Sign(key, message) }}
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
