// Package rustgo is the column of the packages made by rustgo. They have no ChaCha20-Poly1305.
package rustgo

import (
	"rustgo.dev/fixtures/callcost"
	"rustgo.dev/packages/aesgcm"
	"rustgo.dev/packages/ed25519"
	"rustgo.dev/packages/mlkem768"
	"rustgo.dev/packages/x25519"

	"rustgo.dev/bench/crypto/internal/column"
)

func Column() *column.Column {
	return &column.Column{Name: "rustgo", AES: AES, X25519: X25519, Signer: Signer, Verify: Verify, Batch: batch, KEM: kem, Encapsulate: encapsulate, Empty: empty}
}

func AES(key []byte) column.AEAD { return column.Must(aesgcm.New(key)) }

func X25519(scalar *[32]byte) func(shared, point *[32]byte) bool {
	return func(shared, point *[32]byte) bool { return x25519.Exchange(shared, scalar, point) }
}

func Signer(seed []byte) column.Signer {
	key := ed25519.NewKeyFromSeed(seed)
	return column.Signer{Public: key.Public().(ed25519.PublicKey), Sign: func(message []byte) []byte { return ed25519.Sign(key, message) }}
}

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

func kem(seed []byte) column.KEM {
	key := column.Must(mlkem768.NewDecapsulationKey(seed))
	return column.KEM{
		Public:      func() []byte { return key.EncapsulationKey().Bytes() },
		Decapsulate: func(ciphertext []byte) []byte { return column.Must(key.Decapsulate(ciphertext)) },
	}
}

func encapsulate(public []byte) (shared, ciphertext []byte) {
	return column.Must(mlkem768.NewEncapsulationKey(public)).Encapsulate()
}

// The entry has a frame, as the entries of the packages' functions have. An entry without a frame is cheaper.
func empty(n int) {
	var x uint64
	for range n {
		x = callcost.FramedIncrement(x)
	}
}
