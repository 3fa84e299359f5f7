//go:build amd64 || arm64

package mlkem768

import (
	"bytes"
	"crypto/mlkem"
	"fmt"
	mathrand "math/rand/v2"
	"os"
	"sync"
	"testing"

	"rustgo.dev/go/rt"
	"rustgo.dev/packages/internal/levels"
)

func TestAtEachLevel(t *testing.T) { levels.Each(t) }

// rounds returns the number of inputs to compare. With RUSTGO_LONG=1 it returns a million.
func rounds() int {
	switch {
	case os.Getenv("RUSTGO_LONG") != "":
		return 1_000_000
	case testing.Short():
		return 50
	}
	return 1_000
}

func TestAgreesWithCryptoMLKEM(t *testing.T) {
	r := mathrand.NewChaCha8([32]byte{1})
	seed := make([]byte, SeedSize)
	for i := range rounds() {
		r.Read(seed)
		ours, err := NewDecapsulationKey(seed)
		if err != nil {
			t.Fatal(err)
		}
		theirs, err := mlkem.NewDecapsulationKey768(seed)
		if err != nil {
			t.Fatal(err)
		}
		public := theirs.EncapsulationKey().Bytes()
		if got := ours.EncapsulationKey().Bytes(); !bytes.Equal(got, public) {
			t.Fatalf("the key of %x is another", seed)
		}
		key, err := NewEncapsulationKey(public)
		if err != nil {
			t.Fatal(err)
		}
		shared, ciphertext := key.Encapsulate()
		if want, err := theirs.Decapsulate(ciphertext); err != nil || !bytes.Equal(shared, want) {
			t.Fatalf("seed %x: shared %x, and crypto/mlkem gets %x, %v", seed, shared, want, err)
		}
		shared, ciphertext = theirs.EncapsulationKey().Encapsulate()
		if got, err := ours.Decapsulate(ciphertext); err != nil || !bytes.Equal(got, shared) {
			t.Fatalf("seed %x: %x, %v, not %x", seed, got, err, shared)
		}
		// A wrong ciphertext gives a shared key that looks random and is the same each time.
		ciphertext[i%CiphertextSize] ^= 1 << (i % 8)
		got, err := ours.Decapsulate(ciphertext)
		want, wantErr := theirs.Decapsulate(ciphertext)
		if err != nil || wantErr != nil || !bytes.Equal(got, want) || bytes.Equal(got, shared) {
			t.Fatalf("seed %x: implicit rejection gives %x, %v, not %x, %v", seed, got, err, want, wantErr)
		}
	}
}

// Each coefficient of a key has 12 bits and must be below 3329.
func TestEncapsulationKeysAreChecked(t *testing.T) {
	key, err := GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	valid := key.EncapsulationKey().Bytes()
	for coefficient := range 768 {
		for _, value := range []int{3328, 3329, 4095} {
			public := bytes.Clone(valid)
			at := coefficient / 2 * 3
			if coefficient%2 == 0 {
				public[at], public[at+1] = byte(value), public[at+1]&0xf0|byte(value>>8)
			} else {
				public[at+1], public[at+2] = public[at+1]&0x0f|byte(value<<4), byte(value>>4)
			}
			_, err := NewEncapsulationKey(public)
			_, wantErr := mlkem.NewEncapsulationKey768(public)
			if (err == nil) != (value < 3329) || (wantErr == nil) != (err == nil) {
				t.Fatalf("coefficient %d is %d: %v, and %v of crypto/mlkem", coefficient, value, err, wantErr)
			}
		}
	}
	for _, n := range []int{0, 1183, 1185} {
		if _, err := NewEncapsulationKey(make([]byte, n)); err == nil {
			t.Errorf("a key of %d bytes", n)
		}
		if _, err := key.Decapsulate(make([]byte, n)); err == nil {
			t.Errorf("a ciphertext of %d bytes", n)
		}
		if _, err := NewDecapsulationKey(make([]byte, n)); err == nil {
			t.Errorf("a seed of %d bytes", n)
		}
	}
}

func TestKeys(t *testing.T) {
	a, err := GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	b, err := NewDecapsulationKey(a.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	c, _ := GenerateKey()
	if !a.Equal(b) || a.Equal(c) {
		t.Error("keys are compared wrongly")
	}
	if text := fmt.Sprint(a); text != "mlkem768.DecapsulationKey" {
		t.Error(text)
	}
	var m [32]byte
	shared, ciphertext := a.EncapsulationKey().encapsulateWith(&m)
	again, same := b.EncapsulationKey().encapsulateWith(&m)
	if !bytes.Equal(shared, again) || !bytes.Equal(ciphertext, same) {
		t.Error("the same message gives another key")
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	defer func() {
		if _, ok := recover().(*rt.Panic); !ok {
			t.Error("a closed key is used")
		}
	}()
	b.EncapsulationKey()
}

func TestOneKeyInManyGoroutines(t *testing.T) {
	key, err := GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	public := key.EncapsulationKey()
	var group sync.WaitGroup
	for range 8 {
		group.Add(1)
		go func() {
			defer group.Done()
			for range 20 {
				shared, ciphertext := public.Encapsulate()
				if got, err := key.Decapsulate(ciphertext); err != nil || !bytes.Equal(got, shared) {
					t.Errorf("%x, %v, not %x", got, err, shared)
				}
			}
		}()
	}
	group.Wait()
}

func FuzzDecapsulate(f *testing.F) {
	f.Add([]byte("seed"), []byte("ciphertext"))
	f.Fuzz(func(t *testing.T, seed, ciphertext []byte) {
		seed = append(seed, make([]byte, SeedSize)...)[:SeedSize]
		ciphertext = append(ciphertext, make([]byte, CiphertextSize)...)[:CiphertextSize]
		ours, err := NewDecapsulationKey(seed)
		if err != nil {
			t.Fatal(err)
		}
		theirs, err := mlkem.NewDecapsulationKey768(seed)
		if err != nil {
			t.Fatal(err)
		}
		got, err := ours.Decapsulate(ciphertext)
		want, wantErr := theirs.Decapsulate(ciphertext)
		if err != nil || wantErr != nil || !bytes.Equal(got, want) {
			t.Fatalf("%x, %v, not %x, %v", got, err, want, wantErr)
		}
	})
}
