//go:build amd64 || arm64

package x25519

import (
	"crypto"
	"crypto/ecdh"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"

	"rustgo.dev/packages/internal/secret"
)

// Size is the number of bytes of a private key, a public key and a shared secret.
const Size = 32

// GenerateKey makes a private key from 32 bytes of random, or of [rand.Reader] if random is nil. The key consists of these bytes. crypto/ecdh
// ignores random since Go 1.26.
func GenerateKey(random io.Reader) (*PrivateKey, error) {
	if random == nil {
		random = rand.Reader
	}
	key := secret.New[[Size]byte]()
	defer clear(key[:])
	if _, err := io.ReadFull(random, key[:]); err != nil {
		return nil, err
	}
	return newPrivateKey(key), nil
}

// NewPrivateKey makes a private key from a copy of 32 bytes. Any bytes are valid, because X25519 clamps them.
func NewPrivateKey(key []byte) (*PrivateKey, error) {
	if len(key) != Size {
		return nil, fmt.Errorf("x25519: the private key has %d bytes, not %d", len(key), Size)
	}
	return newPrivateKey((*[Size]byte)(key)), nil
}

// ECDH returns the secret that the two keys share, 32 bytes. It returns an error if the remote key is a point of small order (RFC 7748, 6.1).
func (k *PrivateKey) ECDH(remote *PublicKey) ([]byte, error) {
	shared := secret.New[[Size]byte]()
	if !k.ecdh(shared, &remote.point) {
		return nil, errors.New("x25519: the remote key is a point of small order")
	}
	return shared[:], nil
}

// PublicKey returns the public key.
func (k *PrivateKey) PublicKey() *PublicKey {
	p := new(PublicKey)
	k.publicKey(&p.point)
	return p
}

// Public returns the result of [PrivateKey.PublicKey]. With this method the key implements the private key interface described in package crypto.
func (k *PrivateKey) Public() crypto.PublicKey { return k.PublicKey() }

// Bytes returns a copy of the key. The caller must wipe it.
func (k *PrivateKey) Bytes() []byte {
	key := secret.New[[Size]byte]()
	k.bytes(key)
	return key[:]
}

// Equal reports whether x is a *PrivateKey with the same bytes, in constant time.
func (k *PrivateKey) Equal(x crypto.PrivateKey) bool {
	other, ok := x.(*PrivateKey)
	if !ok {
		return false
	}
	// a is wiped even if other.Bytes panics.
	a := k.Bytes()
	defer clear(a)
	b := other.Bytes()
	defer clear(b)
	return subtle.ConstantTimeCompare(a, b) == 1
}

// String returns a text that does not contain the key.
func (k *PrivateKey) String() string { return "x25519.PrivateKey" }

// A PublicKey is a public key for X25519: the u-coordinate of a point.
type PublicKey struct{ point [Size]byte }

// NewPublicKey makes a public key from a copy of 32 bytes.
func NewPublicKey(key []byte) (*PublicKey, error) {
	if len(key) != Size {
		return nil, fmt.Errorf("x25519: the public key has %d bytes, not %d", len(key), Size)
	}
	return &PublicKey{[Size]byte(key)}, nil
}

// Bytes returns a copy of the key.
func (p *PublicKey) Bytes() []byte { return append([]byte(nil), p.point[:]...) }

// Equal reports whether x is a *PublicKey with the same bytes.
func (p *PublicKey) Equal(x crypto.PublicKey) bool {
	other, ok := x.(*PublicKey)
	return ok && *p == *other
}

// ECDH returns the key as a [crypto/ecdh.PublicKey].
func (p *PublicKey) ECDH() (*ecdh.PublicKey, error) { return ecdh.X25519().NewPublicKey(p.point[:]) }
