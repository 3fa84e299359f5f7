//go:build linux && amd64

package x25519_test

import (
	"testing"

	"rustgo.dev/packages/internal/wiped"
	"rustgo.dev/packages/x25519"
)

func TestKeysAreWiped(t *testing.T) {
	var key *x25519.PrivateKey
	secret := wiped.NewSecret(t, func(bytes []byte) {
		var err error
		if key, err = x25519.NewPrivateKey(bytes); err != nil {
			t.Fatal(err)
		}
	})
	if n := secret.In(t)[""]; n == 0 {
		t.Error("the key is nowhere: the test finds nothing")
	}
	other, err := x25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	remote := other.PublicKey()
	var bytes []byte
	// Each by itself: the next call would write over what one has left.
	wiped.Elsewhere(func() { key.PublicKey() })
	wiped.Elsewhere(func() { bytes, err = key.ECDH(remote) })
	if err != nil {
		t.Fatal(err)
	}
	shared := wiped.Of(t, bytes)
	if err := key.Close(); err != nil {
		t.Fatal(err)
	}
	secret.Nowhere(t, "the key")
	shared.Nowhere(t, "the shared secret")
}
