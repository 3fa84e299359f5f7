//go:build (amd64 || arm64) && go1.26

package mlkem768_test

import (
	"bytes"
	"crypto/ecdh"
	"crypto/hpke"
	"crypto/rand"
	"testing"

	"rustgo.dev/packages/mlkem768"
)

// crypto/hpke accepts private keys of packages other than crypto/mlkem.
func TestHPKE(t *testing.T) {
	key, err := mlkem768.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	x25519, err := ecdh.X25519().GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	alone, err := hpke.NewMLKEMPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	hybrid, err := hpke.NewHybridPrivateKey(key, x25519)
	if err != nil {
		t.Fatal(err)
	}
	text, info := []byte("a message"), []byte("what it is for")
	for _, private := range []hpke.PrivateKey{alone, hybrid} {
		sealed, err := hpke.Seal(private.PublicKey(), hpke.HKDFSHA256(), hpke.AES128GCM(), info, text)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := hpke.Open(private, hpke.HKDFSHA256(), hpke.AES128GCM(), info, sealed); err != nil || !bytes.Equal(got, text) {
			t.Errorf("%q, %v", got, err)
		}
	}
}
