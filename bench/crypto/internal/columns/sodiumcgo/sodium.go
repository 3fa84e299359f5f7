//go:build native && cgo

// Package sodiumcgo is the column of libsodium called by cgo, with the directives noescape and nocallback, which make calls cheaper.
package sodiumcgo

/*
#cgo pkg-config: libsodium
#include <sodium.h>

#cgo noescape crypto_aead_aes256gcm_encrypt_afternm
#cgo nocallback crypto_aead_aes256gcm_encrypt_afternm
#cgo noescape crypto_aead_aes256gcm_decrypt_afternm
#cgo nocallback crypto_aead_aes256gcm_decrypt_afternm
#cgo noescape crypto_aead_chacha20poly1305_ietf_encrypt
#cgo nocallback crypto_aead_chacha20poly1305_ietf_encrypt
#cgo noescape crypto_aead_chacha20poly1305_ietf_decrypt
#cgo nocallback crypto_aead_chacha20poly1305_ietf_decrypt
#cgo noescape crypto_scalarmult
#cgo nocallback crypto_scalarmult
#cgo noescape crypto_sign_detached
#cgo nocallback crypto_sign_detached
#cgo noescape crypto_sign_verify_detached
#cgo nocallback crypto_sign_verify_detached
#cgo noescape crypto_kem_mlkem768_seed_keypair
#cgo nocallback crypto_kem_mlkem768_seed_keypair
#cgo noescape crypto_kem_mlkem768_enc
#cgo nocallback crypto_kem_mlkem768_enc
#cgo noescape crypto_kem_mlkem768_dec
#cgo nocallback crypto_kem_mlkem768_dec
#cgo nocallback crypto_sign_bytes
*/
import "C"

import (
	"sync"
	"unsafe"

	"rustgo.dev/bench/crypto/internal/column"
)

// choose makes libsodium choose its code for the processor.
var choose = sync.OnceFunc(func() {
	if C.sodium_init() < 0 || C.crypto_aead_aes256gcm_is_available() != 1 {
		panic("libsodium cannot be used here")
	}
})

func Column() *column.Column {
	choose()
	return &column.Column{
		Name: "sodium-cgo", AES: AES, ChaCha: func(key []byte) column.AEAD { return chacha(key) }, X25519: X25519, Signer: Signer, Verify: Verify,
		KEM: kem, Encapsulate: encapsulate, Empty: empty, Versions: Version,
	}
}

// Version returns the name and version of the library.
func Version() string { return "libsodium " + C.GoString(C.sodium_version_string()) }

func at(b []byte) *C.uchar { return (*C.uchar)(unsafe.SliceData(b)) }

func length(b []byte) C.ulonglong { return C.ulonglong(len(b)) }

// aes is libsodium's state for a key. The state must be aligned to 16 bytes; Go aligns memory of this size to at least 16 bytes.
type aes struct {
	state C.crypto_aead_aes256gcm_state
}

func AES(key []byte) column.AEAD {
	choose()
	a := new(aes)
	C.crypto_aead_aes256gcm_beforenm(&a.state, at(key))
	return a
}

func (a *aes) Seal(dst, nonce, plaintext, additional []byte) []byte {
	all, out := column.Grow(dst, len(plaintext)+column.Overhead)
	C.crypto_aead_aes256gcm_encrypt_afternm(at(out), nil, at(plaintext), length(plaintext), at(additional), length(additional), nil, at(nonce), &a.state)
	return all
}

func (a *aes) Open(dst, nonce, ciphertext, additional []byte) ([]byte, error) {
	all, out := column.Grow(dst, len(ciphertext)-column.Overhead)
	if C.crypto_aead_aes256gcm_decrypt_afternm(at(out), nil, nil, at(ciphertext), length(ciphertext), at(additional), length(additional), at(nonce), &a.state) != 0 {
		return nil, column.ErrOpen
	}
	return all, nil
}

type chacha []byte

func (c chacha) Seal(dst, nonce, plaintext, additional []byte) []byte {
	all, out := column.Grow(dst, len(plaintext)+column.Overhead)
	C.crypto_aead_chacha20poly1305_ietf_encrypt(at(out), nil, at(plaintext), length(plaintext), at(additional), length(additional), nil, at(nonce), at(c))
	return all
}

func (c chacha) Open(dst, nonce, ciphertext, additional []byte) ([]byte, error) {
	all, out := column.Grow(dst, len(ciphertext)-column.Overhead)
	if C.crypto_aead_chacha20poly1305_ietf_decrypt(at(out), nil, nil, at(ciphertext), length(ciphertext), at(additional), length(additional), at(nonce), at(c)) != 0 {
		return nil, column.ErrOpen
	}
	return all, nil
}

func X25519(scalar *[32]byte) func(shared, point *[32]byte) bool {
	return func(shared, point *[32]byte) bool {
		return C.crypto_scalarmult(at(shared[:]), at(scalar[:]), at(point[:])) == 0
	}
}

func Signer(seed []byte) column.Signer {
	public, key := make([]byte, 32), make([]byte, 64)
	C.crypto_sign_seed_keypair(at(public), at(key), at(seed))
	return column.Signer{Public: public, Sign: func(message []byte) []byte {
		signature := make([]byte, 64)
		C.crypto_sign_detached(at(signature), nil, at(message), length(message), at(key))
		return signature
	}}
}

func Verify(public, message, signature []byte) bool {
	return C.crypto_sign_verify_detached(at(signature), at(message), length(message), at(public)) == 0
}

func kem(seed []byte) column.KEM {
	public, secret := make([]byte, 1184), make([]byte, 2400)
	C.crypto_kem_mlkem768_seed_keypair(at(public), at(secret), at(seed))
	return column.KEM{Public: func() []byte { return public }, Decapsulate: func(ciphertext []byte) []byte {
		shared := make([]byte, 32)
		if C.crypto_kem_mlkem768_dec(at(shared), at(ciphertext), at(secret)) != 0 {
			panic("sodium: decapsulation failed")
		}
		return shared
	}}
}

func encapsulate(public []byte) (shared, ciphertext []byte) {
	shared, ciphertext = make([]byte, 32), make([]byte, 1088)
	if C.crypto_kem_mlkem768_enc(at(ciphertext), at(shared), at(public)) != 0 {
		panic("sodium: the key is none")
	}
	return shared, ciphertext
}

func empty(n int) {
	for range n {
		C.crypto_sign_bytes()
	}
}
