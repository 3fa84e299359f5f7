package rustgo

import (
	"rustgo.dev/packages/ed25519"

	"rustgo.dev/bench/crypto/internal/column"
)

type signer struct{ key *ed25519.PrivateKey }

func Signer(seed []byte) column.Signer { return signer{ed25519.NewKeyFromSeed(seed)} }

func (s signer) PublicKey() []byte                 { return s.key.Public().(ed25519.PublicKey) }
func (s signer) SignMessage(message []byte) []byte { return ed25519.Sign(s.key, message) }

func Verify(public, message, signature []byte) bool {
	return ed25519.Verify(public, message, signature)
}

func batch(publics, messages, signatures [][]byte) bool {
	keys := make([]ed25519.PublicKey, len(publics))
	for i, public := range publics {
		keys[i] = public
	}
	return ed25519.VerifyBatch(keys, messages, signatures)
}
