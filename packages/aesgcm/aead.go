//go:build amd64 || arm64

package aesgcm

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"errors"
	"fmt"
	"unsafe"
)

const (
	nonceSize = 12
	tagSize   = 16
	// maxPlaintext is the largest length of a plaintext for one call, in bytes (NIST SP 800-38D, 5.2.1.1).
	maxPlaintext = 1<<36 - 32
)

var (
	_ cipher.AEAD = (*AEAD)(nil)
	_ cipher.AEAD = (*RandomNonceAEAD)(nil)

	errOpen = errors.New("aesgcm: message authentication failed")
)

// New returns AES-GCM with a key of 16 or 32 bytes, for AES-128 or AES-256. The key is copied. For any other length, including 24 bytes (AES-192),
// New returns an error in which errors.As finds an [aes.KeySizeError].
func New(key []byte) (*AEAD, error) {
	if aead, ok := newAEAD(key); ok {
		return aead, nil
	}
	return nil, fmt.Errorf("aesgcm: the key must have 16 or 32 bytes: %w", aes.KeySizeError(len(key)))
}

// NonceSize returns 12.
func (*AEAD) NonceSize() int { return nonceSize }

// Overhead returns 16, the size of the tag in bytes.
func (*AEAD) Overhead() int { return tagSize }

// Seal encrypts plaintext and appends the ciphertext to dst, with a tag that authenticates plaintext and additionalData: see [cipher.AEAD]. To
// encrypt in place, use plaintext[:0] as dst. Seal panics if the nonce is not 12 bytes long, if the plaintext is longer than 2³⁶-32 bytes, if the
// new bytes of dst overlap additionalData, or if they overlap plaintext but not exactly. It also panics if a is nil or closed; then plaintext is
// unchanged.
//
// A nonce must never be used twice with one key.
func (a *AEAD) Seal(dst, nonce, plaintext, additionalData []byte) []byte {
	if len(nonce) != nonceSize {
		panic("aesgcm: the nonce does not have 12 bytes")
	}
	checkLength(plaintext)
	all, out := grow(dst, len(plaintext)+tagSize)
	checkOverlap(out, plaintext, additionalData)
	first := (*[nonceSize]byte)(nonce)
	if overlap(out, nonce) { // the nonce may lie in the memory for the ciphertext
		before := *first
		first = &before
	}
	if overlap(out, plaintext) {
		a.sealInPlace(out, first, additionalData)
	} else {
		a.seal(out, plaintext, first, additionalData)
	}
	return all
}

// Open decrypts ciphertext and appends the plaintext to dst, if the tag is right: see [cipher.AEAD]. To decrypt in place, use ciphertext[:0] as
// dst. If the tag is wrong, Open returns an error, and the memory for the plaintext is filled with zeros. Open panics in the same cases as Seal.
func (a *AEAD) Open(dst, nonce, ciphertext, additionalData []byte) ([]byte, error) {
	if len(nonce) != nonceSize {
		panic("aesgcm: the nonce does not have 12 bytes")
	}
	length := len(ciphertext) - tagSize
	if length < 0 || uint64(length) > maxPlaintext {
		return nil, errOpen
	}
	all, out := grow(dst, length)
	checkOverlap(out, ciphertext, additionalData)
	first := (*[nonceSize]byte)(nonce)
	if overlap(out, nonce) { // the nonce may lie in the memory for the plaintext
		before := *first
		first = &before
	}
	isRight := false
	if overlap(out, ciphertext) {
		isRight = a.openInPlace(out, (*[tagSize]byte)(ciphertext[length:]), first, additionalData)
	} else {
		isRight = a.open(out, ciphertext, first, additionalData)
	}
	if !isRight {
		return nil, errOpen
	}
	return all, nil
}

// String returns a text that does not contain the key.
func (*AEAD) String() string { return "aesgcm.AEAD" }

// NewWithRandomNonce returns AES-GCM that makes a random nonce from [rand.Reader] for each message and puts the nonce before the ciphertext, as
// [cipher.NewGCMWithRandomNonce] does. NonceSize is 0, and Overhead is 28. The key has 16 or 32 bytes; for another length the error is the same as
// in [New]. One key must not encrypt more than 2³² messages.
func NewWithRandomNonce(key []byte) (*RandomNonceAEAD, error) {
	aead, err := New(key)
	if err != nil {
		return nil, err
	}
	return &RandomNonceAEAD{aead}, nil
}

// A RandomNonceAEAD is an [AEAD] that makes its nonces: see [NewWithRandomNonce]. Goroutines may use a RandomNonceAEAD at the same time.
type RandomNonceAEAD struct{ aead *AEAD }

// NonceSize returns 0, because the caller provides no nonce.
func (*RandomNonceAEAD) NonceSize() int { return 0 }

// Overhead returns 28, the sizes of a nonce and a tag in bytes.
func (*RandomNonceAEAD) Overhead() int { return nonceSize + tagSize }

// Close wipes the key: see [AEAD.Close].
func (r *RandomNonceAEAD) Close() error { return r.aead.Close() }

// String returns a text that does not contain the key.
func (*RandomNonceAEAD) String() string { return "aesgcm.RandomNonceAEAD" }

// Seal makes a nonce, encrypts plaintext, and appends the nonce, the ciphertext and the tag to dst. The argument nonce must be empty. Otherwise
// Seal is like [AEAD.Seal]. In place, with plaintext[:0] as dst, Seal moves the text to make room for the nonce.
func (r *RandomNonceAEAD) Seal(dst, nonce, plaintext, additionalData []byte) []byte {
	if len(nonce) != 0 {
		panic("aesgcm: the nonce must be empty: nonces are random")
	}
	checkLength(plaintext)
	all, out := grow(dst, nonceSize+len(plaintext)+tagSize)
	checkOverlap(out, plaintext, additionalData)
	first, sealed := (*[nonceSize]byte)(out), out[nonceSize:]
	if overlap(out, plaintext) {
		r.sealMoved(sealed, plaintext, first, additionalData)
	} else {
		rand.Read(first[:])
		r.aead.seal(sealed, plaintext, first, additionalData)
	}
	return all
}

// sealMoved moves plaintext to the place after the nonce, and encrypts it there. If the AEAD is closed, sealMoved moves plaintext back and panics.
func (r *RandomNonceAEAD) sealMoved(sealed, plaintext []byte, nonce *[nonceSize]byte, additionalData []byte) {
	text := sealed[:len(plaintext)]
	copy(text, plaintext)
	done := false
	defer func() {
		if !done {
			copy(plaintext, text)
			clear(text[max(0, len(text)-nonceSize):])
		}
	}()
	rand.Read(nonce[:])
	r.aead.sealInPlace(sealed, nonce, additionalData)
	done = true
}

// Open decrypts a result of [RandomNonceAEAD.Seal] and appends the plaintext to dst, if the tag is right. The argument nonce must be empty.
// Otherwise Open is like [AEAD.Open]. In place, with ciphertext[:0] as dst, Open moves the text to the place of the nonce.
func (r *RandomNonceAEAD) Open(dst, nonce, ciphertext, additionalData []byte) ([]byte, error) {
	if len(nonce) != 0 {
		panic("aesgcm: a nonce is given, where it comes before the ciphertext")
	}
	length := len(ciphertext) - nonceSize - tagSize
	if length < 0 || uint64(length) > maxPlaintext {
		return nil, errOpen
	}
	all, out := grow(dst, length)
	checkOverlap(out, ciphertext, additionalData)
	first, sealed := (*[nonceSize]byte)(ciphertext), ciphertext[nonceSize:]
	isRight := false
	if overlap(out, ciphertext) {
		isRight = r.openMoved(out, sealed[:length], (*[tagSize]byte)(sealed[length:]), first, additionalData)
	} else {
		isRight = r.aead.open(out, sealed, first, additionalData)
	}
	if !isRight {
		return nil, errOpen
	}
	return all, nil
}

// openMoved moves text to the place of the nonce, and decrypts it there. If the AEAD is closed, openMoved moves text back and panics.
func (r *RandomNonceAEAD) openMoved(out, text []byte, tag *[tagSize]byte, nonce *[nonceSize]byte, additionalData []byte) (isRight bool) {
	before := *nonce
	copy(out, text)
	ended := false
	defer func() {
		if !ended {
			copy(text, out)
			*nonce = before
		}
	}()
	isRight = r.aead.openInPlace(out, tag, &before, additionalData)
	ended = true
	return isRight
}

func checkLength(plaintext []byte) {
	if uint64(len(plaintext)) > maxPlaintext {
		panic("aesgcm: the plaintext is longer than 2³⁶-32 bytes")
	}
}

// grow extends dst by n bytes. It returns the extended slice, and the slice of the new bytes.
func grow(dst []byte, n int) (all, more []byte) {
	if total := len(dst) + n; cap(dst) >= total {
		all = dst[:total]
	} else {
		all = make([]byte, total)
		copy(all, dst)
	}
	return all, all[len(dst):]
}

// checkOverlap panics if the slices overlap in a way that crypto/cipher refuses.
func checkOverlap(out, text, additionalData []byte) {
	if overlap(out, text) && &out[0] != &text[0] {
		panic("aesgcm: the output overlaps the input, but not exactly")
	}
	if overlap(out, additionalData) {
		panic("aesgcm: the output overlaps the additional data")
	}
}

func overlap(a, b []byte) bool {
	return len(a) > 0 && len(b) > 0 &&
		uintptr(unsafe.Pointer(&a[0])) <= uintptr(unsafe.Pointer(&b[len(b)-1])) &&
		uintptr(unsafe.Pointer(&b[0])) <= uintptr(unsafe.Pointer(&a[len(a)-1]))
}
