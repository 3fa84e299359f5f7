// Package column defines the operations of a column, and the inputs that all columns get.
package column

import (
	"errors"
	"slices"
)

// ErrOpen is the error for a ciphertext that was changed.
var ErrOpen = errors.New("the tag is wrong")

// Overhead is the number of bytes that an AEAD appends to a text.
const Overhead = 16

const (
	Message = 256 // number of bytes of a signed message
	Batch   = 64  // number of signatures in a batch
)

// An AEAD has the measured methods of cipher.AEAD.
type AEAD interface {
	Seal(dst, nonce, plaintext, additionalData []byte) []byte
	Open(dst, nonce, ciphertext, additionalData []byte) ([]byte, error)
}

// A Signer is a private key of Ed25519 with its public key.
type Signer struct {
	Public []byte
	Sign   func(message []byte) []byte
}

// A KEM is a decapsulation key of ML-KEM-768. Public encodes the encapsulation key.
type KEM struct {
	Public      func() []byte
	Decapsulate func(ciphertext []byte) []byte
}

// A Column is one implementation of the operations. An operation that the implementation lacks is nil.
type Column struct {
	Name string
	// AES returns AES-256-GCM for a key, and ChaCha returns ChaCha20-Poly1305.
	AES, ChaCha func(key []byte) AEAD
	// X25519 prepares a private key. The returned function computes the shared key; it returns false if the point is of small order.
	X25519 func(scalar *[32]byte) func(shared, point *[32]byte) bool
	Signer func(seed []byte) Signer
	Verify func(public, message, signature []byte) bool
	Batch  func(publics, messages, signatures [][]byte) bool
	KEM    func(seed []byte) KEM
	// Encapsulate starts from the encoded public key. Its results are random.
	Encapsulate func(public []byte) (shared, ciphertext []byte)
	// Empty calls an empty function n times, in the way in which the column calls its library.
	Empty func(n int)
	// Versions returns the version of the library. It is nil if go.mod states the version.
	Versions func() string
}

// Operations returns the names of the operations that the column has.
func (c *Column) Operations() (all []string) {
	add := func(can bool, names ...string) {
		if can {
			all = append(all, names...)
		}
	}
	add(c.AES != nil, "aes-seal", "aes-open")
	add(c.ChaCha != nil, "chacha-seal", "chacha-open")
	add(c.X25519 != nil, "x25519")
	add(c.Signer != nil, "sign")
	add(c.Verify != nil, "verify")
	add(c.Batch != nil, "batch")
	add(c.KEM != nil, "keygen", "encaps", "decaps")
	add(c.Empty != nil, "empty")
	return all
}

// Grow appends n bytes to dst. It returns the whole slice, and the appended bytes.
func Grow(dst []byte, n int) (all, more []byte) {
	all = slices.Grow(dst, n)[:len(dst)+n]
	return all, all[len(dst):]
}

// Counting returns n bytes whose values count up, starting with from.
func Counting(from, n int) []byte {
	out := make([]byte, n)
	for i := range out {
		out[i] = byte(from + i)
	}
	return out
}

// Text returns n bytes to encrypt or to sign.
func Text(n int) []byte {
	out := make([]byte, n)
	for i := range out {
		out[i] = byte(i*7 + i>>8)
	}
	return out
}

func Key() []byte        { return Counting(0, 32) }
func Nonce() []byte      { return Counting(100, 12) }
func Additional() []byte { return Counting(50, 13) }
func Seed() []byte       { return Counting(1, 32) }
func KEMSeed() []byte    { return Counting(4, 64) }
func Scalar() *[32]byte  { return (*[32]byte)(Counting(2, 32)) }
func Point() *[32]byte   { return &[32]byte{9} }

// Must returns the value, or panics if there is an error.
func Must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
