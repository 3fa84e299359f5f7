//go:build linux && (amd64 || arm64)

package ed25519_test

import (
	"crypto"
	"crypto/sha512"
	"testing"

	ours "rustgo.dev/packages/ed25519"
	"rustgo.dev/packages/internal/optimised"
	"rustgo.dev/packages/internal/wiped"
)

// Of a key there are the seed, and the halves of its hash: the scalar, and the prefix that nonces are made from.
func TestKeysAreWiped(t *testing.T) {
	var key *ours.PrivateKey
	var scalar, prefix *wiped.Secret
	seed := wiped.NewSecret(t, func(bytes []byte) {
		wiped.Elsewhere(func() { key = ours.NewKeyFromSeed(bytes) })
		// Code that is checked or not optimised keeps copies of what this test computes.
		if !optimised.Build() {
			return
		}
		var hash [sha512.Size]byte
		wiped.Elsewhere(func() {
			// It leaves the seed on its stack: in one place if that has grown before, where the last call writes over it.
			wiped.MoveStack()
			hash = sha512.Sum512(bytes)
			sha512.Sum512(make([]byte, len(bytes)))
		})
		scalar, prefix = wiped.Of(t, hash[:32]), wiped.Of(t, hash[32:])
	})
	if n := seed.In(t)[""]; n == 0 {
		t.Error("the key is nowhere: the test finds nothing")
	}
	for n := range 4 {
		message := make([]byte, 1000*n)
		hash := sha512.Sum512(message)
		// Each by itself: the next call would write over what one has left.
		wiped.Elsewhere(func() { ours.Sign(key, message) })
		wiped.Elsewhere(func() { key.Public() })
		wiped.Elsewhere(func() { key.Equal(key) })
		for _, opts := range []*ours.Options{{Context: "context"}, {Hash: crypto.SHA512}} {
			wiped.Elsewhere(func() {
				if _, err := key.Sign(nil, hash[:], opts); err != nil {
					t.Error(err)
				}
			})
		}
	}
	if err := key.Close(); err != nil {
		t.Fatal(err)
	}
	seed.Nowhere(t, "the seed")
	if optimised.Build() {
		scalar.Nowhere(t, "the scalar")
		prefix.Nowhere(t, "the prefix")
	}
}

func TestRegistersAreOverwritten(t *testing.T) {
	var key *ours.PrivateKey
	var seed []byte
	secret := wiped.NewSecret(t, func(bytes []byte) { seed = append(seed, bytes...) })
	secret.NotInRegisters(t, "NewKeyFromSeed", func() { key = ours.NewKeyFromSeed(seed) })
	secret.NotInRegisters(t, "Equal", func() { key.Equal(key) })
	secret.NotInRegisters(t, "Seed", func() { key.Seed() })
	secret.NotInRegisters(t, "Sign", func() { ours.Sign(key, nil) })
}

func TestCallsOverwriteTheirStack(t *testing.T) {
	if !optimised.Build() {
		t.Skip("what is checked or not optimised uses more stack of its own")
	}
	seed := make([]byte, ours.SeedSize)
	key := ours.NewKeyFromSeed(seed)
	message := make([]byte, 1000)
	hash := sha512.Sum512(message)
	wiped.Burnt(t, "NewKeyFromSeed", func() { ours.NewKeyFromSeed(seed) })
	wiped.Burnt(t, "Sign", func() { ours.Sign(key, message) })
	for _, opts := range []*ours.Options{{Context: "context"}, {Hash: crypto.SHA512}} {
		wiped.Burnt(t, "PrivateKey.Sign", func() {
			if _, err := key.Sign(nil, hash[:], opts); err != nil {
				t.Error(err)
			}
		})
	}
}
