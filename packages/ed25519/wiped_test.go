//go:build linux && (amd64 || arm64)

package ed25519_test

import (
	"crypto"
	"crypto/sha512"
	"testing"

	ours "rustgo.dev/packages/ed25519"
	"rustgo.dev/packages/internal/buildinfo"
	"rustgo.dev/packages/internal/secretscan"
)

// The test searches the memory for three secrets of a key: the seed, and the halves of the seed's hash (the scalar, and the prefix from which
// nonces are made).
func TestKeysAreWiped(t *testing.T) {
	buildinfo.SkipSameCode(t)
	var key *ours.PrivateKey
	var scalar, prefix *secretscan.Secret
	seed := secretscan.NewSecret(t, func(bytes []byte) {
		secretscan.InNewGoroutine(func() { key = ours.NewKeyFromSeed(bytes) })
		// If this program is instrumented or not optimised, copies of the values that this test computes stay in memory.
		if !buildinfo.Optimised() {
			return
		}
		var hash [sha512.Size]byte
		secretscan.InNewGoroutine(func() {
			// sha512.Sum512 leaves the seed on the stack. MoveStack first makes the stack large enough, so the stack does not move and the seed is in
			// one place. The second call of Sum512 overwrites this place.
			secretscan.MoveStack()
			hash = sha512.Sum512(bytes)
			sha512.Sum512(make([]byte, len(bytes)))
		})
		scalar, prefix = secretscan.FromBytes(t, hash[:32]), secretscan.FromBytes(t, hash[32:])
	})
	if n := seed.Places(t)[""]; n == 0 {
		t.Error("the key is nowhere: the test finds nothing")
	}
	for n := range 4 {
		message := make([]byte, 1000*n)
		hash := sha512.Sum512(message)
		// Each call gets a new stack, because the next call on the same stack would overwrite the bytes that a call has left.
		secretscan.InNewGoroutine(func() { ours.Sign(key, message) })
		secretscan.InNewGoroutine(func() { key.Public() })
		secretscan.InNewGoroutine(func() { key.Equal(key) })
		for _, opts := range []*ours.Options{{Context: "context"}, {Hash: crypto.SHA512}} {
			secretscan.InNewGoroutine(func() {
				if _, err := key.Sign(nil, hash[:], opts); err != nil {
					t.Error(err)
				}
			})
		}
	}
	if err := key.Close(); err != nil {
		t.Fatal(err)
	}
	seed.NotInMemory(t, "the seed")
	if buildinfo.Optimised() {
		scalar.NotInMemory(t, "the scalar")
		prefix.NotInMemory(t, "the prefix")
	}
}

func TestRegistersAreOverwritten(t *testing.T) {
	var key *ours.PrivateKey
	var seed []byte
	secret := secretscan.NewSecret(t, func(bytes []byte) { seed = append(seed, bytes...) })
	secret.NotInRegisters(t, "NewKeyFromSeed", func() { key = ours.NewKeyFromSeed(seed) })
	secret.NotInRegisters(t, "Equal", func() { key.Equal(key) })
	secret.NotInRegisters(t, "Seed", func() { key.Seed() })
	secret.NotInRegisters(t, "Sign", func() { ours.Sign(key, nil) })
}

func TestCallsOverwriteTheirStack(t *testing.T) {
	if !buildinfo.Optimised() {
		t.Skip("what is checked or not optimised uses more stack of its own")
	}
	seed := make([]byte, ours.SeedSize)
	key := ours.NewKeyFromSeed(seed)
	message := make([]byte, 1000)
	hash := sha512.Sum512(message)
	secretscan.OverwritesStack(t, "NewKeyFromSeed", func() { ours.NewKeyFromSeed(seed) })
	secretscan.OverwritesStack(t, "Sign", func() { ours.Sign(key, message) })
	for _, opts := range []*ours.Options{{Context: "context"}, {Hash: crypto.SHA512}} {
		secretscan.OverwritesStack(t, "PrivateKey.Sign", func() {
			if _, err := key.Sign(nil, hash[:], opts); err != nil {
				t.Error(err)
			}
		})
	}
}
