//go:build amd64 || arm64

package mlkem768

import (
	"crypto/rand"
	"crypto/subtle"
	"fmt"

	"rustgo.dev/packages/internal/secret"
)

// Sizes in bytes.
const (
	SeedSize             = 64
	EncapsulationKeySize = 1184
	CiphertextSize       = 1088
	SharedKeySize        = 32
)

// GenerateKey makes a key from [rand.Reader]. Its error is always nil.
func GenerateKey() (*DecapsulationKey, error) {
	seed := secret.New[[SeedSize]byte]()
	defer clear(seed[:])
	rand.Read(seed[:])
	return newDecapsulationKey(seed), nil
}

// NewDecapsulationKey makes a key from a seed of 64 bytes, in the form d || z of FIPS 203, which must be random.
func NewDecapsulationKey(seed []byte) (*DecapsulationKey, error) {
	if len(seed) != SeedSize {
		return nil, fmt.Errorf("mlkem768: the seed has %d bytes, not %d", len(seed), SeedSize)
	}
	return newDecapsulationKey((*[SeedSize]byte)(seed)), nil
}

// Bytes returns the seed, in a copy that nobody wipes.
func (d *DecapsulationKey) Bytes() []byte {
	seed := secret.New[[SeedSize]byte]()
	d.copySeed(seed)
	return seed[:]
}

// Decapsulate returns the shared key of a ciphertext. It is an error if the ciphertext does not have 1,088 bytes. One that is wrong otherwise gives
// a shared key that nobody else has.
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

// Equal says whether the keys have the same seed, in constant time.
func (d *DecapsulationKey) Equal(other *DecapsulationKey) bool {
	a, b := d.Bytes(), other.Bytes()
	defer clear(a)
	defer clear(b)
	return subtle.ConstantTimeCompare(a, b) == 1
}

// String returns a text without the key.
func (d *DecapsulationKey) String() string { return "mlkem768.DecapsulationKey" }

// NewEncapsulationKey reads a public key. It is an error if the key does not have 1,184 bytes, or one of its coefficients is not reduced.
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
	e.copyTo(&key)
	return key[:]
}

// Encapsulate makes a shared key, and the ciphertext from which the holder of the decapsulation key gets it, with randomness of
// [rand.Reader].
func (e *EncapsulationKey) Encapsulate() (sharedKey, ciphertext []byte) {
	m := secret.New[[32]byte]()
	defer clear(m[:])
	rand.Read(m[:])
	return e.encapsulate(m)
}

// encapsulate is Encapsulate with the randomness m.
func (e *EncapsulationKey) encapsulate(m *[32]byte) (sharedKey, ciphertext []byte) {
	shared, text := secret.New[[SharedKeySize]byte](), new([CiphertextSize]byte)
	e.encapsulateWith(shared, text, m)
	return shared[:], text[:]
}
