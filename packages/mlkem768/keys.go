//go:build amd64 || arm64

package mlkem768

import (
	"crypto/rand"
	"crypto/subtle"
	"fmt"
	"io"

	"rustgo.dev/packages/internal/secret"
)

// Sizes of keys and ciphertexts, in bytes.
const (
	SeedSize             = 64
	EncapsulationKeySize = 1184
	CiphertextSize       = 1088
	SharedKeySize        = 32
)

// GenerateKey makes a key from [rand.Reader]. The error is an error of the reader, and is nil unless the program has set another reader.
func GenerateKey() (*DecapsulationKey, error) {
	seed := secret.New[[SeedSize]byte]()
	defer clear(seed[:])
	if err := random(seed[:]); err != nil {
		return nil, err
	}
	return newDecapsulationKey(seed), nil
}

// random fills b with random bytes. It does not use rand.Read: if the program has set rand.Reader, rand.Read copies through a buffer that is not
// wiped.
func random(b []byte) error {
	_, err := io.ReadFull(rand.Reader, b)
	return err
}

// NewDecapsulationKey makes a key from a seed. The seed has 64 bytes, in the form d || z of FIPS 203, and must be random.
func NewDecapsulationKey(seed []byte) (*DecapsulationKey, error) {
	if len(seed) != SeedSize {
		return nil, fmt.Errorf("mlkem768: the seed has %d bytes, not %d", len(seed), SeedSize)
	}
	return newDecapsulationKey((*[SeedSize]byte)(seed)), nil
}

// Bytes returns a copy of the seed. The package does not wipe the copy.
func (d *DecapsulationKey) Bytes() []byte {
	seed := secret.New[[SeedSize]byte]()
	d.bytes(seed)
	return seed[:]
}

// Decapsulate returns the shared key of a ciphertext. It returns an error if the ciphertext does not have 1,088 bytes. For a wrong ciphertext of this
// length it returns a shared key that nobody else has, and no error.
func (d *DecapsulationKey) Decapsulate(ciphertext []byte) (sharedKey []byte, err error) {
	if len(ciphertext) != CiphertextSize {
		return nil, fmt.Errorf("mlkem768: the ciphertext has %d bytes, not %d", len(ciphertext), CiphertextSize)
	}
	shared := secret.New[[SharedKeySize]byte]()
	d.decapsulate(shared, (*[CiphertextSize]byte)(ciphertext))
	return shared[:], nil
}

// EncapsulationKey returns the public key.
func (d *DecapsulationKey) EncapsulationKey() *EncapsulationKey { return d.encapsulationKey() }

// Equal reports whether the keys have the same seed, in constant time.
func (d *DecapsulationKey) Equal(other *DecapsulationKey) bool {
	// a is wiped even if other.Bytes panics.
	a := d.Bytes()
	defer clear(a)
	b := other.Bytes()
	defer clear(b)
	return subtle.ConstantTimeCompare(a, b) == 1
}

// String returns a text that does not contain the key.
func (d *DecapsulationKey) String() string { return "mlkem768.DecapsulationKey" }

// NewEncapsulationKey reads a public key. It returns an error if the key does not have 1,184 bytes, or if a coefficient of the key is not reduced.
func NewEncapsulationKey(encapsulationKey []byte) (*EncapsulationKey, error) {
	if len(encapsulationKey) != EncapsulationKeySize {
		return nil, fmt.Errorf("mlkem768: the encapsulation key has %d bytes, not %d", len(encapsulationKey), EncapsulationKeySize)
	}
	if key, ok := newEncapsulationKey((*[EncapsulationKeySize]byte)(encapsulationKey)); ok {
		return key, nil
	}
	return nil, fmt.Errorf("mlkem768: the encapsulation key has a coefficient that is not below 3329")
}

// Bytes returns a copy of the key.
func (e *EncapsulationKey) Bytes() []byte {
	var key [EncapsulationKeySize]byte
	e.bytes(&key)
	return key[:]
}

// Encapsulate makes a shared key, and a ciphertext from which the holder of the decapsulation key computes the shared key. The randomness comes
// from [rand.Reader]. Encapsulate panics if the reader fails, which is possible only if the program has set another reader.
func (e *EncapsulationKey) Encapsulate() (sharedKey, ciphertext []byte) {
	m := secret.New[[32]byte]()
	defer clear(m[:])
	if err := random(m[:]); err != nil {
		panic(fmt.Sprintf("mlkem768: rand.Reader: %v", err))
	}
	return e.encapsulateWith(m)
}

// encapsulateWith is Encapsulate with the randomness m.
func (e *EncapsulationKey) encapsulateWith(m *[32]byte) (sharedKey, ciphertext []byte) {
	shared, text := secret.New[[SharedKeySize]byte](), new([CiphertextSize]byte)
	e.encapsulate(shared, text, m)
	return shared[:], text[:]
}
