//go:build native && cgo

// Package rustcgo is the column of the packages' crates, called by cgo. Like the packages, it has no ChaCha20-Poly1305.
package rustcgo

/*
#cgo LDFLAGS: -L${SRCDIR}/../../../native/target/release -l:libcrypto_capi.a -lm -lpthread -ldl
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef unsigned char byte;

void crypto_empty(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t);
byte *crypto_aes_new(byte *key);
void crypto_aes_free(byte *aes);
void crypto_aes_seal(byte *aes, byte *out, byte *nonce, byte *text, size_t n, byte *additional, size_t k);
bool crypto_aes_open(byte *aes, byte *out, byte *nonce, byte *sealed, size_t n, byte *additional, size_t k);
bool crypto_x25519(byte *shared, byte *scalar, byte *point);
byte *crypto_signer_new(byte *seed);
void crypto_signer_free(byte *signer);
void crypto_signer_public(byte *signer, byte *public);
void crypto_signer_sign(byte *signer, byte *signature, byte *message, size_t n);
bool crypto_verify(byte *public, byte *message, size_t n, byte *signature);
bool crypto_verify_batch(size_t count, byte *publics, byte *messages, size_t n, byte *signatures);
byte *crypto_kem_new(byte *seed, byte *public);
void crypto_kem_free(byte *kem);
void crypto_kem_encapsulate(byte *public, byte *shared, byte *ciphertext);
void crypto_kem_decapsulate(byte *kem, byte *shared, byte *ciphertext);

#cgo noescape crypto_aes_seal
#cgo nocallback crypto_aes_seal
#cgo noescape crypto_aes_open
#cgo nocallback crypto_aes_open
#cgo noescape crypto_x25519
#cgo nocallback crypto_x25519
#cgo noescape crypto_signer_sign
#cgo nocallback crypto_signer_sign
#cgo noescape crypto_verify
#cgo nocallback crypto_verify
#cgo noescape crypto_verify_batch
#cgo nocallback crypto_verify_batch
#cgo noescape crypto_kem_encapsulate
#cgo nocallback crypto_kem_encapsulate
#cgo noescape crypto_kem_decapsulate
#cgo nocallback crypto_kem_decapsulate
#cgo nocallback crypto_empty
*/
import "C"

import (
	"runtime"
	"unsafe"

	"rustgo.dev/bench/crypto/internal/column"
)

func Column() *column.Column {
	return &column.Column{
		Name: "rust-cgo", AES: AES, X25519: X25519, Signer: Signer, Verify: Verify, Batch: batch, KEM: kem, Encapsulate: encapsulate, Empty: empty,
	}
}

// at returns a pointer to a type without pointers, so that cgo does not check the memory for Go pointers.
func at(b []byte) *C.byte { return (*C.byte)(unsafe.SliceData(b)) }

// nothing is the memory to which empty slices point in Rust, because a slice's pointer in Rust is never null.
var nothing [1]byte

func some(b []byte) *C.byte {
	if len(b) == 0 {
		return (*C.byte)(&nothing[0])
	}
	return at(b)
}

// handle owns a value in Rust's memory. The value is freed when the collector frees the handle.
type handle struct{ p *C.byte }

func newHandle(p *C.byte, free func(*C.byte)) *handle {
	h := &handle{p}
	runtime.AddCleanup(h, free, p)
	return h
}

type aes struct{ *handle }

func AES(key []byte) column.AEAD {
	return aes{newHandle(C.crypto_aes_new(at(key)), func(p *C.byte) { C.crypto_aes_free(p) })}
}

func (a aes) Seal(dst, nonce, plaintext, additional []byte) []byte {
	all, out := column.Grow(dst, len(plaintext)+column.Overhead)
	C.crypto_aes_seal(a.p, at(out), at(nonce), some(plaintext), C.size_t(len(plaintext)), some(additional), C.size_t(len(additional)))
	runtime.KeepAlive(a.handle)
	return all
}

func (a aes) Open(dst, nonce, ciphertext, additional []byte) ([]byte, error) {
	all, out := column.Grow(dst, len(ciphertext)-column.Overhead)
	ok := C.crypto_aes_open(a.p, some(out), at(nonce), at(ciphertext), C.size_t(len(ciphertext)), some(additional), C.size_t(len(additional)))
	runtime.KeepAlive(a.handle)
	if !ok {
		return nil, column.ErrOpen
	}
	return all, nil
}

func X25519(scalar *[32]byte) func(shared, point *[32]byte) bool {
	return func(shared, point *[32]byte) bool {
		return bool(C.crypto_x25519(at(shared[:]), at(scalar[:]), at(point[:])))
	}
}

func Signer(seed []byte) column.Signer {
	key, public := newHandle(C.crypto_signer_new(at(seed)), func(p *C.byte) { C.crypto_signer_free(p) }), make([]byte, 32)
	C.crypto_signer_public(key.p, at(public))
	return column.Signer{Public: public, Sign: func(message []byte) []byte {
		signature := make([]byte, 64)
		C.crypto_signer_sign(key.p, at(signature), some(message), C.size_t(len(message)))
		runtime.KeepAlive(key)
		return signature
	}}
}

func Verify(public, message, signature []byte) bool {
	return bool(C.crypto_verify(at(public), some(message), C.size_t(len(message)), at(signature)))
}

// All messages have the same length. They go to Rust as one slice, because cgo forbids passing Go memory that contains Go pointers.
func batch(publics, messages, signatures [][]byte) bool {
	var all [3][]byte
	for i := range publics {
		all[0], all[1], all[2] = append(all[0], publics[i]...), append(all[1], messages[i]...), append(all[2], signatures[i]...)
	}
	return bool(C.crypto_verify_batch(C.size_t(len(publics)), at(all[0]), at(all[1]), C.size_t(len(messages[0])), at(all[2])))
}

func kem(seed []byte) column.KEM {
	public := make([]byte, 1184)
	key := newHandle(C.crypto_kem_new(at(seed), at(public)), func(p *C.byte) { C.crypto_kem_free(p) })
	return column.KEM{Public: func() []byte { return public }, Decapsulate: func(ciphertext []byte) []byte {
		shared := make([]byte, 32)
		C.crypto_kem_decapsulate(key.p, at(shared), at(ciphertext))
		runtime.KeepAlive(key)
		return shared
	}}
}

func encapsulate(public []byte) (shared, ciphertext []byte) {
	shared, ciphertext = make([]byte, 32), make([]byte, 1088)
	C.crypto_kem_encapsulate(at(public), at(shared), at(ciphertext))
	return shared, ciphertext
}

func empty(n int) {
	for range n {
		C.crypto_empty(1, 2, 3, 4, 5, 6)
	}
}
