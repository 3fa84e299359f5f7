//go:build linux && amd64

package aesgcm_test

import (
	"testing"

	"rustgo.dev/packages/aesgcm"
	"rustgo.dev/packages/internal/wiped"
)

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
	key.Seal(nil, make([]byte, 12), nil, nil)
	if err := key.Close(); err != nil {
		t.Fatal(err)
	}
	for where, n := range secret.In(t) {
		if n != 0 {
			t.Errorf("the key lies in %d places of %q after it was closed", n, where)
		}
	}
}
