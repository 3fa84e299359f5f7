//go:build linux && (amd64 || arm64)

package mlkem768_test

import (
	"crypto/rand"
	"io"
	"testing"

	"rustgo.dev/packages/internal/buildinfo"
	"rustgo.dev/packages/internal/secretscan"
	"rustgo.dev/packages/mlkem768"
)

func TestKeysAreWiped(t *testing.T) {
	buildinfo.SkipSameCode(t)
	var key *mlkem768.DecapsulationKey
	secret := secretscan.NewSecret(t, func(bytes []byte) {
		secretscan.InNewGoroutine(func() {
			var err error
			// The compiler does not know the length, so append allocates on the heap. A stack would keep a copy of the seed when the stack grows.
			seed := append(bytes, bytes...)
			defer clear(seed)
			if key, err = mlkem768.NewDecapsulationKey(seed); err != nil {
				t.Error(err)
			}
		})
	})
	if n := secret.Places(t)[""]; n == 0 {
		t.Error("the key is nowhere: the test finds nothing")
	}
	public := key.EncapsulationKey()
	var sharedKey, opened, ciphertext []byte
	var err error
	// Each call gets a new stack, because the next call on the same stack would overwrite the bytes that a call has left.
	secretscan.InNewGoroutine(func() { sharedKey, ciphertext = public.Encapsulate() })
	shared := [2]*secretscan.Secret{secretscan.FromBytes(t, sharedKey)}
	secretscan.InNewGoroutine(func() { opened, err = key.Decapsulate(ciphertext) })
	if err != nil {
		t.Fatal(err)
	}
	clear(opened)
	ciphertext[0] ^= 1
	secretscan.InNewGoroutine(func() { opened, err = key.Decapsulate(ciphertext) })
	if err != nil {
		t.Fatal(err)
	}
	shared[1] = secretscan.FromBytes(t, opened)
	secretscan.InNewGoroutine(func() { key.Equal(key) })
	secretscan.InNewGoroutine(func() {
		defer func() {
			if recover() == nil {
				t.Error("no key is compared")
			}
		}()
		key.Equal(nil)
	})
	if err := key.Close(); err != nil {
		t.Fatal(err)
	}
	secret.NotInMemory(t, "the key")
	shared[0].NotInMemory(t, "the shared key")
	shared[1].NotInMemory(t, "the shared key of a wrong ciphertext")
}

// This test checks keys that the package generates itself.
func TestGeneratedKeysAreWiped(t *testing.T) {
	buildinfo.SkipSameCode(t)
	var key *mlkem768.DecapsulationKey
	secretscan.InNewGoroutine(func() {
		var err error
		if key, err = mlkem768.GenerateKey(); err != nil {
			t.Error(err)
		}
	})
	seed := key.Bytes()
	d, z := secretscan.FromBytes(t, seed[:32]), secretscan.FromBytes(t, seed[32:])
	if d.Places(t)[""] == 0 || z.Places(t)[""] == 0 {
		t.Error("the key is nowhere: the test finds nothing")
	}
	if err := key.Close(); err != nil {
		t.Fatal(err)
	}
	d.NotInMemory(t, "the first half of the seed")
	z.NotInMemory(t, "the second half of the seed")
}

// remembering is a reader that keeps a masked copy of the bytes that it returns.
type remembering struct {
	from   io.Reader
	masked []byte
}

func (r *remembering) Read(b []byte) (int, error) {
	n, err := r.from.Read(b)
	for _, x := range b[:n] {
		r.masked = append(r.masked, ^x)
	}
	return n, err
}

// Bytes from a reader that the program has set must not stay in memory either.
func TestRandomnessIsWiped(t *testing.T) {
	buildinfo.SkipSameCode(t)
	reader := &remembering{from: rand.Reader}
	rand.Reader = reader
	secretscan.InNewGoroutine(func() {
		key, err := mlkem768.GenerateKey()
		if err != nil {
			t.Error(err)
			return
		}
		key.EncapsulationKey().Encapsulate()
		if err := key.Close(); err != nil {
			t.Error(err)
		}
	})
	rand.Reader = reader.from
	if len(reader.masked) != 96 {
		t.Fatalf("%d bytes were read", len(reader.masked))
	}
	for i, what := range []string{"d", "z", "m"} {
		part := reader.masked[32*i : 32*i+32]
		for j := range part {
			part[j] = ^part[j]
		}
		secretscan.FromBytes(t, part).NotInMemory(t, what)
	}
}

func TestRegistersAreOverwritten(t *testing.T) {
	var key *mlkem768.DecapsulationKey
	var seed []byte
	secret := secretscan.NewSecret(t, func(bytes []byte) { seed = append(append(seed, bytes...), bytes...) })
	secret.NotInRegisters(t, "NewDecapsulationKey", func() {
		var err error
		if key, err = mlkem768.NewDecapsulationKey(seed); err != nil {
			t.Fatal(err)
		}
	})
	secret.NotInRegisters(t, "Equal", func() { key.Equal(key) })
	secret.NotInRegisters(t, "Bytes", func() { key.Bytes() })
}

func TestCallsOverwriteTheirStack(t *testing.T) {
	if !buildinfo.Optimised() {
		t.Skip("what is checked or not optimised uses more stack of its own")
	}
	key, err := mlkem768.NewDecapsulationKey(make([]byte, mlkem768.SeedSize))
	if err != nil {
		t.Fatal(err)
	}
	public := key.EncapsulationKey()
	_, ciphertext := public.Encapsulate()
	secretscan.OverwritesStack(t, "NewDecapsulationKey", func() {
		if _, err := mlkem768.NewDecapsulationKey(make([]byte, mlkem768.SeedSize)); err != nil {
			t.Error(err)
		}
	})
	secretscan.OverwritesStack(t, "Encapsulate", func() { public.Encapsulate() })
	for range 2 {
		secretscan.OverwritesStack(t, "Decapsulate", func() {
			if _, err := key.Decapsulate(ciphertext); err != nil {
				t.Error(err)
			}
		})
		ciphertext[0] ^= 1
	}
}
