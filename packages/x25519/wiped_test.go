//go:build linux && (amd64 || arm64)

package x25519_test

import (
	"testing"

	"rustgo.dev/packages/internal/buildinfo"
	"rustgo.dev/packages/internal/secretscan"
	"rustgo.dev/packages/x25519"
)

func TestKeysAreWiped(t *testing.T) {
	buildinfo.SkipSameCode(t)
	var key *x25519.PrivateKey
	secret := secretscan.NewSecret(t, func(bytes []byte) {
		var err error
		if key, err = x25519.NewPrivateKey(bytes); err != nil {
			t.Fatal(err)
		}
	})
	places := secret.Places(t)[""]
	if places == 0 {
		t.Error("the key is not found in memory: the test proves nothing")
	}
	other, err := x25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	remote := other.PublicKey()
	var bytes []byte
	closed, err := x25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := closed.Close(); err != nil {
		t.Fatal(err)
	}
	// Each call gets a new stack, because the next call on the same stack would overwrite the bytes that a call has left.
	secretscan.InNewGoroutine(func() { key.PublicKey() })
	secretscan.InNewGoroutine(func() { key.Equal(other) })
	// Each call is tested alone, because a later call may overwrite the bytes that a call has left.
	for what, call := range map[string]func(){
		"Equal with a closed key": func() {
			defer func() {
				if recover() == nil {
					t.Error("Equal with a closed key does not panic")
				}
				secretscan.MoveStack()
			}()
			key.Equal(closed)
		},
		"Bytes": func() {
			bytes := key.Bytes()
			secretscan.MoveStack()
			clear(bytes)
		},
	} {
		for range 5 {
			secretscan.InNewGoroutine(call)
			if n := secret.Places(t)[""]; n > places {
				t.Errorf("%s: the key lies in %d places, not %d", what, n, places)
			}
		}
	}
	secretscan.InNewGoroutine(func() { bytes, err = key.ECDH(remote) })
	if err != nil {
		t.Fatal(err)
	}
	shared := secretscan.FromBytes(t, bytes)
	if err := key.Close(); err != nil {
		t.Fatal(err)
	}
	secret.NotInMemory(t, "the key")
	shared.NotInMemory(t, "the shared secret")
}

func TestRegistersAreOverwritten(t *testing.T) {
	var key *x25519.PrivateKey
	var bytes []byte
	secret := secretscan.NewSecret(t, func(secret []byte) {
		bytes = append(bytes, secret...)
	})
	secret.NotInRegisters(t, "NewPrivateKey", func() {
		var err error
		if key, err = x25519.NewPrivateKey(bytes); err != nil {
			t.Fatal(err)
		}
	})
	other, err := x25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	secret.NotInRegisters(t, "Equal", func() { key.Equal(other) })
	secret.NotInRegisters(t, "Bytes", func() { key.Bytes() })
	secret.NotInRegisters(t, "PublicKey", func() { key.PublicKey() })
}

func TestCallsOverwriteTheirStack(t *testing.T) {
	if !buildinfo.Optimised() {
		t.Skip("instrumented programs and programs without optimization use more stack")
	}
	key, err := x25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	remote := key.PublicKey()
	dst, points := new([3][32]byte), &[3][32]byte{{9}, {9}, {9}}
	secretscan.OverwritesStack(t, "PublicKey", func() { key.PublicKey() })
	secretscan.OverwritesStack(t, "ECDH", func() {
		if _, err := key.ECDH(remote); err != nil {
			t.Error(err)
		}
	})
	secretscan.OverwritesStack(t, "Exchange", func() { x25519.Exchange(&dst[0], &points[1], &points[0]) })
	secretscan.OverwritesStack(t, "ExchangeBase", func() { x25519.ExchangeBase(&dst[0], &points[1]) })
	secretscan.OverwritesStack(t, "ExchangeAll", func() { x25519.ExchangeAll(dst[:], points[:], points[:]) })
}
