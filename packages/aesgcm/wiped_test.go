//go:build linux && (amd64 || arm64)

package aesgcm_test

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"rustgo.dev/go/rt"
	"rustgo.dev/packages/aesgcm"
	"rustgo.dev/packages/internal/buildinfo"
	"rustgo.dev/packages/internal/secretscan"
)

// The test searches the memory for round keys. The first round keys of AES-256 are the key itself.
func TestKeysAreWiped(t *testing.T) {
	buildinfo.SkipSameCode(t)
	for _, size := range []int{16, 32} {
		var key *aesgcm.AEAD
		secrets := make(secretscan.Secrets)
		secret := make([]byte, size)
		if _, err := rand.Read(secret); err != nil {
			t.Fatal(err)
		}
		// During the test the key lies only in slices that are cleared afterwards.
		secretscan.InNewGoroutine(func() {
			var err error
			if key, err = aesgcm.New(secret); err != nil {
				t.Error(err)
				return
			}
			keys, hash := schedule(secret), make([]byte, 32)
			encrypt(hash[:16], keys)
			for i, b := range hash[:16] {
				hash[31-i] = b
			}
			for i := 0; i < len(keys); i += 16 {
				// A round key has 16 bytes. A Secret has 32 bytes, so the round key is repeated.
				secrets[fmt.Sprintf("round key %d, a key of %d bytes", i/16, size)] = secretscan.FromBytes(t, bytes.Repeat(keys[i:i+16], 2))
			}
			// The code for multiplication keeps powers of the hash key.
			key := elementOf(hash[16:]).timesX()
			for i, power := 1, key; i <= 16; i, power = i+1, power.dot(key) {
				for _, swapped := range []bool{false, true} {
					name := fmt.Sprintf("power %d of the hash key, halves swapped: %t", i, swapped)
					twice := make([]byte, 32)
					power.put(twice, swapped)
					power.put(twice[16:], swapped)
					secrets[name] = secretscan.FromBytes(t, twice)
				}
				// For Karatsuba's multiplication the code also keeps the sum of both halves.
				sum := element{power.low ^ power.high, power.low ^ power.high}
				twice := make([]byte, 32)
				sum.put(twice, false)
				sum.put(twice[16:], false)
				secrets[fmt.Sprintf("the sum of both halves of power %d of the hash key", i)] = secretscan.FromBytes(t, twice)
			}
			secrets["the hash key"] = secretscan.FromBytes(t, hash)
			clear(keys)
			clear(secret)
		})
		first := secrets[fmt.Sprintf("round key 0, a key of %d bytes", size)]
		if n := first.Places(t)[""]; n == 0 {
			t.Error("the key is nowhere: the test finds nothing")
		}
		if n := secrets["power 4 of the hash key, halves swapped: false"].Places(t)[""]; n == 0 {
			t.Error("the powers of the hash key are nowhere")
		}
		if runtime.GOARCH == "amd64" && strings.HasSuffix(rt.CPULevel(), "+crypto") {
			if n := secrets["the sum of both halves of power 8 of the hash key"].Places(t)[""]; n == 0 {
				t.Error("the sums of both halves of the powers are nowhere")
			}
		}
		use(t, key)
		for what, secret := range secrets {
			notInRegisters(t, what, secret, key)
		}
		if err := key.Close(); err != nil {
			t.Fatal(err)
		}
		secrets.NotInMemory(t)
	}
}

// use seals and opens texts of many lengths.
func use(t *testing.T, key *aesgcm.AEAD) {
	nonce, text, additional := make([]byte, 12), make([]byte, 5000), make([]byte, 600)
	for _, n := range []int{0, 1, 16, 48, 64, 100, 112, 127, 128, 240, 255, 256, 257, 300, 512, 1000, 1023, 1024, 5000} {
		for _, m := range []int{0, 13, 600} {
			var sealed []byte
			var err, wrong error
			// Each call gets a new stack, because the next call on the same stack would overwrite the bytes that a call has left.
			secretscan.InNewGoroutine(func() { sealed = key.Seal(nil, nonce, text[:n], additional[:m]) })
			secretscan.InNewGoroutine(func() { _, err = key.Open(nil, nonce, sealed, additional[:m]) })
			secretscan.InNewGoroutine(func() { _, wrong = key.Open(nil, nonce, sealed[1:], additional[:m]) })
			if err != nil || n > 0 && wrong == nil {
				t.Errorf("%v; without its first byte: %v", err, wrong)
			}
		}
	}
}

// notInRegisters seals and opens texts of some lengths, and searches the registers for the secret after each call.
func notInRegisters(t *testing.T, what string, secret *secretscan.Secret, key *aesgcm.AEAD) {
	nonce, buffer, additional := make([]byte, 12), make([]byte, 1600), make([]byte, 600)
	for _, n := range []int{0, 1, 64, 128, 300, 1023, 1500} {
		for _, m := range []int{0, 13, 600} {
			text := buffer[:n]
			clear(text)
			var sealed []byte
			secret.NotInRegisters(t, fmt.Sprintf("%s: Seal of %d and %d bytes", what, n, m), func() {
				sealed = key.Seal(text[:0], nonce, text, additional[:m])
			})
			sealed[n] ^= 1
			secret.NotInRegisters(t, fmt.Sprintf("%s: Open of %d and %d bytes with a wrong tag", what, n, m), func() {
				if _, err := key.Open(sealed[:0], nonce, sealed, additional[:m]); err == nil {
					t.Error("a wrong tag is accepted")
				}
			})
		}
	}
}

func TestCallsOverwriteTheirStack(t *testing.T) {
	if !buildinfo.Optimised() {
		t.Skip("what is checked or not optimised uses more stack of its own")
	}
	for _, size := range []int{16, 32} {
		secretscan.OverwritesStack(t, "New", func() {
			if _, err := aesgcm.New(make([]byte, size)); err != nil {
				t.Error(err)
			}
		})
		key, err := aesgcm.New(make([]byte, size))
		if err != nil {
			t.Fatal(err)
		}
		nonce, text, additional := make([]byte, 12), make([]byte, 5000), make([]byte, 600)
		buffer := make([]byte, 5016)
		for _, n := range []int{0, 1, 16, 48, 64, 100, 112, 127, 128, 240, 255, 256, 257, 300, 512, 1000, 1023, 1024, 5000} {
			for _, m := range []int{0, 13, 600} {
				sealed := key.Seal(nil, nonce, text[:n], additional[:m])
				secretscan.OverwritesStack(t, fmt.Sprintf("Seal of %d and %d bytes", n, m), func() { key.Seal(buffer[:0], nonce, text[:n], additional[:m]) })
				secretscan.OverwritesStack(t, fmt.Sprintf("Open of %d and %d bytes", n, m), func() {
					if _, err := key.Open(buffer[:0], nonce, sealed, additional[:m]); err != nil {
						t.Error(err)
					}
				})
				sealed[n] ^= 1
				secretscan.OverwritesStack(t, fmt.Sprintf("Open of %d and %d bytes with a wrong tag", n, m), func() {
					if _, err := key.Open(buffer[:0], nonce, sealed, additional[:m]); err == nil {
						t.Error("a wrong tag is accepted")
					}
				})
			}
		}
	}
}
