//go:build amd64 || arm64

package ed25519

import (
	"bytes"
	"crypto"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"

	"rustgo.dev/packages/internal/secret"
)

// Sizes of keys and signatures, in bytes.
const (
	PublicKeySize = ed25519.PublicKeySize
	SeedSize      = ed25519.SeedSize
	SignatureSize = ed25519.SignatureSize
)

// PublicKey is a key for verification, 32 bytes. It is the type of [crypto/ed25519].
type PublicKey = ed25519.PublicKey

// Options is the type of [crypto/ed25519]. It selects Ed25519ph (with Hash [crypto.SHA512]) or Ed25519ctx (with a Context).
type Options = ed25519.Options

var _ crypto.Signer = (*PrivateKey)(nil)

// GenerateKey makes a key from 32 bytes of random, or of crypto/rand if random is nil.
func GenerateKey(random io.Reader) (PublicKey, *PrivateKey, error) {
	if random == nil {
		random = rand.Reader
	}
	var seed [SeedSize]byte
	defer clear(seed[:])
	if _, err := io.ReadFull(random, seed[:]); err != nil {
		return nil, nil, err
	}
	key := newPrivateKey(&seed)
	return key.publicKey(), key, nil
}

// NewKeyFromSeed makes a key from a seed of 32 bytes, which RFC 8032 calls the private key. It panics if the seed has another length.
func NewKeyFromSeed(seed []byte) *PrivateKey {
	if len(seed) != SeedSize {
		panic(fmt.Sprintf("ed25519: the seed has %d bytes, not %d", len(seed), SeedSize))
	}
	return newPrivateKey((*[SeedSize]byte)(seed))
}

// NewPrivateKey makes a key from a copy of a key of [crypto/ed25519]. It returns an error if the length is wrong, or if the public half does not
// belong to the seed.
func NewPrivateKey(key ed25519.PrivateKey) (*PrivateKey, error) {
	if len(key) != ed25519.PrivateKeySize {
		return nil, fmt.Errorf("ed25519: the private key has %d bytes, not %d", len(key), ed25519.PrivateKeySize)
	}
	made := newPrivateKey((*[SeedSize]byte)(key))
	if !bytes.Equal(made.publicKey(), key[SeedSize:]) {
		return nil, errors.New("ed25519: the public half of the private key does not belong to its seed")
	}
	return made, nil
}

// Public returns the public key, a [PublicKey].
func (k *PrivateKey) Public() crypto.PublicKey { return k.publicKey() }

func (k *PrivateKey) publicKey() PublicKey {
	var key [PublicKeySize]byte
	k.public(&key)
	return key[:]
}

// Seed returns a copy of the seed. The package does not wipe the copy.
func (k *PrivateKey) Seed() []byte {
	seed := secret.New[[SeedSize]byte]()
	k.seed(seed)
	return seed[:]
}

// Equal reports whether x is a *PrivateKey or an [ed25519.PrivateKey] with the same keys, in constant time.
func (k *PrivateKey) Equal(x crypto.PrivateKey) bool {
	var other []byte
	switch x := x.(type) {
	case *PrivateKey:
		if x == nil {
			return false
		}
		other = x.Seed()
		defer clear(other)
	case ed25519.PrivateKey:
		if len(x) != ed25519.PrivateKeySize || !bytes.Equal(k.publicKey(), x[SeedSize:]) {
			return false
		}
		other = x[:SeedSize]
	}
	seed := k.Seed()
	defer clear(seed)
	return subtle.ConstantTimeCompare(seed, other) == 1
}

// String returns a text that does not contain the key.
func (k *PrivateKey) String() string { return "ed25519.PrivateKey" }

// Sign signs the message. It ignores random. If opts.HashFunc() is [crypto.SHA512], Sign uses Ed25519ph, and the message must be a hash of 64
// bytes. If opts are [*Options] with a context, Sign uses Ed25519ctx, or Ed25519ph with that context. Any other opts.HashFunc() must be zero; then
// the message must not be hashed.
func (k *PrivateKey) Sign(_ io.Reader, message []byte, opts crypto.SignerOpts) ([]byte, error) {
	isHash, context, err := variant(message, opts)
	if err != nil {
		return nil, err
	}
	var signature [SignatureSize]byte
	if isHash || context != "" {
		k.signVariant(&signature, isHash, []byte(context), message)
	} else {
		k.sign(&signature, message)
	}
	return signature[:], nil
}

// Sign returns the signature of the message with the key, 64 bytes.
func Sign(key *PrivateKey, message []byte) []byte {
	var signature [SignatureSize]byte
	key.sign(&signature, message)
	return signature[:]
}

// Verify reports whether sig is a signature of the message by the key. It panics if the public key does not have 32 bytes.
func Verify(publicKey PublicKey, message, sig []byte) bool {
	public := checkedKey(publicKey)
	return len(sig) == SignatureSize && verify(public, message, (*[SignatureSize]byte)(sig))
}

var errSignature = errors.New("ed25519: invalid signature")

// VerifyWithOptions returns nil if sig is a signature of the message by the key, in the variant that opts select: see [PrivateKey.Sign]. It panics
// if the public key does not have 32 bytes.
func VerifyWithOptions(publicKey PublicKey, message, sig []byte, opts *Options) error {
	public := checkedKey(publicKey)
	isHash, context, err := variant(message, opts)
	if err != nil {
		return err
	}
	if len(sig) != SignatureSize {
		return errSignature
	}
	signature := (*[SignatureSize]byte)(sig)
	ok := false
	if isHash || context != "" {
		ok = verifyVariant(public, isHash, []byte(context), message, signature)
	} else {
		ok = verify(public, message, signature)
	}
	if !ok {
		return errSignature
	}
	return nil
}

// VerifyBatch reports whether each element of sigs is a signature of the message with the same index, by the key with the same index. If all
// signatures are valid, VerifyBatch is faster than a call of [Verify] for each of them; otherwise it is slower. It does not report which signature is
// invalid. It may accept a signature that Verify refuses, if the signer has built the signature for this purpose: see the package documentation. An
// empty batch is valid. VerifyBatch panics if the lengths of the lists differ, or if a public key does not have 32 bytes.
func VerifyBatch(publicKeys []PublicKey, messages, sigs [][]byte) bool {
	if len(publicKeys) != len(messages) || len(publicKeys) != len(sigs) {
		panic(fmt.Sprintf("ed25519: %d public keys, %d messages and %d signatures", len(publicKeys), len(messages), len(sigs)))
	}
	publics := make([][PublicKeySize]byte, len(publicKeys))
	for i, key := range publicKeys {
		publics[i] = *checkedKey(key)
	}
	signatures := make([][SignatureSize]byte, len(sigs))
	for i, sig := range sigs {
		if len(sig) != SignatureSize {
			return false
		}
		signatures[i] = [SignatureSize]byte(sig)
	}
	return verifyBatch(publics, messages, signatures)
}

func checkedKey(key PublicKey) *[PublicKeySize]byte {
	if len(key) != PublicKeySize {
		panic(fmt.Sprintf("ed25519: the public key has %d bytes, not %d", len(key), PublicKeySize))
	}
	return (*[PublicKeySize]byte)(key)
}

// variant interprets the options as crypto/ed25519 does.
func variant(message []byte, opts crypto.SignerOpts) (isHash bool, context string, err error) {
	if opts, ok := opts.(*Options); ok {
		context = opts.Context
	}
	if len(context) > 255 {
		return false, "", fmt.Errorf("ed25519: the context has %d bytes, and 255 are the most", len(context))
	}
	switch hash := opts.HashFunc(); {
	case hash == 0:
		return false, context, nil
	case hash != crypto.SHA512:
		return false, "", fmt.Errorf("ed25519: the hash function is %v: it must be SHA-512, for Ed25519ph, or none", hash)
	case len(message) != crypto.SHA512.Size():
		return false, "", fmt.Errorf("ed25519: the hash to be signed has %d bytes, not %d", len(message), crypto.SHA512.Size())
	}
	return true, context, nil
}
