//go:build linux && amd64

package aesgcm_test

import (
	"testing"

	"rustgo.dev/packages/aesgcm"
	"rustgo.dev/packages/internal/wiped"
)

// The first round keys of AES-256 are the key itself.
func TestKeysAreWiped(t *testing.T) {
	var key *aesgcm.AEAD
	secret := wiped.NewSecret(t, func(bytes []byte) {
		var err error
		if key, err = aesgcm.New(bytes); err != nil {
			t.Fatal(err)
		}
	})
	if n := secret.In(t)[""]; n == 0 {
		t.Error("the key is nowhere: the test finds nothing")
	}
	nonce, text, additional := make([]byte, 12), make([]byte, 5000), make([]byte, 600)
	for _, n := range []int{0, 1, 16, 48, 64, 100, 128, 240, 255, 256, 257, 300, 512, 1000, 1024, 5000} {
		for _, m := range []int{0, 13, 600} {
			var sealed []byte
			var err, wrong error
			// Each by itself: the next call would write over what one has left.
			wiped.Elsewhere(func() { sealed = key.Seal(nil, nonce, text[:n], additional[:m]) })
			wiped.Elsewhere(func() { _, err = key.Open(nil, nonce, sealed, additional[:m]) })
			wiped.Elsewhere(func() { _, wrong = key.Open(nil, nonce, sealed[1:], additional[:m]) })
			if err != nil || n > 0 && wrong == nil {
				t.Errorf("%v; without its first byte: %v", err, wrong)
			}
		}
	}
	if err := key.Close(); err != nil {
		t.Fatal(err)
	}
	secret.Nowhere(t, "the key")
}
