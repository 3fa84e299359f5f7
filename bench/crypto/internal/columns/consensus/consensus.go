// Package consensus is the column of github.com/hdevalence/ed25519consensus, which adds batch verification to filippo.io/edwards25519, the origin of
// Go's own Ed25519. The package follows the rules of ZIP 215, which make no difference for the signatures of this benchmark.
package consensus

import (
	"github.com/hdevalence/ed25519consensus"

	"rustgo.dev/bench/crypto/internal/column"
)

func Column() *column.Column {
	return &column.Column{Name: "filippo", Verify: verify, Batch: batch}
}

func verify(public, message, signature []byte) bool {
	return ed25519consensus.Verify(public, message, signature)
}

func batch(publics, messages, signatures [][]byte) bool {
	verifier := ed25519consensus.NewBatchVerifier()
	for i := range publics {
		verifier.Add(publics[i], messages[i], signatures[i])
	}
	return verifier.Verify()
}
