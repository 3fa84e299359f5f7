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
	key.PublicKey()
	if err := key.Close(); err != nil {
		t.Fatal(err)
	}
	for where, n := range secret.In(t) {
		if n != 0 {
			t.Errorf("the key lies in %d places of %q after it was closed", n, where)
		}
	}
}
