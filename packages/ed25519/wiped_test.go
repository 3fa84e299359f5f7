//go:build linux && amd64

package ed25519_test

import (
	"testing"

	ours "rustgo.dev/packages/ed25519"
	"rustgo.dev/packages/internal/wiped"
)

func TestKeysAreWiped(t *testing.T) {
	var key *ours.PrivateKey
	secret := wiped.NewSecret(t, func(bytes []byte) {
		key = ours.NewKeyFromSeed(bytes)
	})
	if n := secret.In(t)[""]; n == 0 {
		t.Error("the key is nowhere: the test finds nothing")
	}
	ours.Sign(key, nil)
	if err := key.Close(); err != nil {
		t.Fatal(err)
	}
	for where, n := range secret.In(t) {
		if n != 0 {
			t.Errorf("the key lies in %d places of %q after it was closed", n, where)
		}
	}
}
