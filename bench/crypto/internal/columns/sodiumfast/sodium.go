//go:build native && cgo

// Package sodiumfast is the column of libsodium called by rustgo.dev/fastcgo.
package sodiumfast

/*
#cgo pkg-config: libsodium
#include <sodium.h>
*/
import "C"

import (
	"fmt"
	"sync"
	"unsafe"

	"rustgo.dev/fastcgo"

	"rustgo.dev/bench/crypto/internal/column"
)

// stack is the size in bytes of the stack on which libsodium's functions run. It is more than they need.
const stack = 64 << 10

type (
	seal     = func(out *byte, length *uint64, text *byte, n uint64, additional *byte, k uint64, none, nonce, key *byte) int32
	open     = func(out *byte, length *uint64, none, sealed *byte, n uint64, additional *byte, k uint64, nonce, key *byte) int32
	pointers = func(a, b, c *byte) int32
)

var (
	aesInit    = fastcgo.Bind[func(state, key *byte) int32](unsafe.Pointer(C.crypto_aead_aes256gcm_beforenm), fastcgo.NeedStack(stack))
	aesSeal    = fastcgo.Bind[seal](unsafe.Pointer(C.crypto_aead_aes256gcm_encrypt_afternm), fastcgo.NeedStack(stack))
	aesOpen    = fastcgo.Bind[open](unsafe.Pointer(C.crypto_aead_aes256gcm_decrypt_afternm), fastcgo.NeedStack(stack))
	chachaSeal = fastcgo.Bind[seal](unsafe.Pointer(C.crypto_aead_chacha20poly1305_ietf_encrypt), fastcgo.NeedStack(stack))
	chachaOpen = fastcgo.Bind[open](unsafe.Pointer(C.crypto_aead_chacha20poly1305_ietf_decrypt), fastcgo.NeedStack(stack))
	scalarmult = fastcgo.Bind[pointers](unsafe.Pointer(C.crypto_scalarmult), fastcgo.NeedStack(stack))
	newKey     = fastcgo.Bind[pointers](unsafe.Pointer(C.crypto_sign_seed_keypair), fastcgo.NeedStack(stack))
	sign       = fastcgo.Bind[func(signature *byte, length *uint64, message *byte, n uint64, key *byte) int32](unsafe.Pointer(C.crypto_sign_detached), fastcgo.NeedStack(stack))
	verify     = fastcgo.Bind[func(signature, message *byte, n uint64, public *byte) int32](unsafe.Pointer(C.crypto_sign_verify_detached), fastcgo.NeedStack(stack))
	newKEM     = fastcgo.Bind[pointers](unsafe.Pointer(C.crypto_kem_mlkem768_seed_keypair), fastcgo.NeedStack(stack))
	kemSeal    = fastcgo.Bind[pointers](unsafe.Pointer(C.crypto_kem_mlkem768_enc), fastcgo.NeedStack(stack))
	kemOpen    = fastcgo.Bind[pointers](unsafe.Pointer(C.crypto_kem_mlkem768_dec), fastcgo.NeedStack(stack))
	nothing    = fastcgo.Bind[func() uint](unsafe.Pointer(C.crypto_sign_bytes))
)

// choose makes libsodium choose its code for the processor.
var choose = sync.OnceFunc(func() {
	if C.sodium_init() < 0 || C.crypto_aead_aes256gcm_is_available() != 1 {
		panic("libsodium cannot be used here")
	}
	if direct, why := fastcgo.Direct(); !direct {
		panic(fmt.Sprint("fastcgo's calls are not direct: ", why))
	}
})

func Column() *column.Column {
	choose()
	return &column.Column{
		Name: "sodium-fastcgo", AES: AES, ChaCha: func(key []byte) column.AEAD { return chacha(key) }, X25519: X25519, Signer: Signer, Verify: Verify,
		KEM: kem, Encapsulate: encapsulate, Empty: empty,
	}
}

func at(b []byte) *byte { return unsafe.SliceData(b) }

// aes is libsodium's state for a key. The state must be aligned to 16 bytes; Go aligns memory of this size to at least 16 bytes.
type aes struct{ state [512]byte }

func AES(key []byte) column.AEAD {
	choose()
	a := new(aes)
	aesInit(&a.state[0], at(key))
	return a
}

func (a *aes) Seal(dst, nonce, plaintext, additional []byte) []byte {
	all, out := column.Grow(dst, len(plaintext)+column.Overhead)
	aesSeal(at(out), nil, at(plaintext), uint64(len(plaintext)), at(additional), uint64(len(additional)), nil, at(nonce), &a.state[0])
	return all
}

func (a *aes) Open(dst, nonce, ciphertext, additional []byte) ([]byte, error) {
	all, out := column.Grow(dst, len(ciphertext)-column.Overhead)
	if aesOpen(at(out), nil, nil, at(ciphertext), uint64(len(ciphertext)), at(additional), uint64(len(additional)), at(nonce), &a.state[0]) != 0 {
		return nil, column.ErrOpen
	}
	return all, nil
}

type chacha []byte

func (c chacha) Seal(dst, nonce, plaintext, additional []byte) []byte {
	all, out := column.Grow(dst, len(plaintext)+column.Overhead)
	chachaSeal(at(out), nil, at(plaintext), uint64(len(plaintext)), at(additional), uint64(len(additional)), nil, at(nonce), at(c))
	return all
}

func (c chacha) Open(dst, nonce, ciphertext, additional []byte) ([]byte, error) {
	all, out := column.Grow(dst, len(ciphertext)-column.Overhead)
	if chachaOpen(at(out), nil, nil, at(ciphertext), uint64(len(ciphertext)), at(additional), uint64(len(additional)), at(nonce), at(c)) != 0 {
		return nil, column.ErrOpen
	}
	return all, nil
}

func X25519(scalar *[32]byte) func(shared, point *[32]byte) bool {
	return func(shared, point *[32]byte) bool { return scalarmult(&shared[0], &scalar[0], &point[0]) == 0 }
}

func Signer(seed []byte) column.Signer {
	public, key := make([]byte, 32), make([]byte, 64)
	newKey(at(public), at(key), at(seed))
	return column.Signer{Public: public, Sign: func(message []byte) []byte {
		signature := make([]byte, 64)
		sign(at(signature), nil, at(message), uint64(len(message)), at(key))
		return signature
	}}
}

func Verify(public, message, signature []byte) bool {
	return verify(at(signature), at(message), uint64(len(message)), at(public)) == 0
}

func kem(seed []byte) column.KEM {
	public, secret := make([]byte, 1184), make([]byte, 2400)
	newKEM(at(public), at(secret), at(seed))
	return column.KEM{Public: func() []byte { return public }, Decapsulate: func(ciphertext []byte) []byte {
		shared := make([]byte, 32)
		if kemOpen(at(shared), at(ciphertext), at(secret)) != 0 {
			panic("sodium: decapsulation failed")
		}
		return shared
	}}
}

func encapsulate(public []byte) (shared, ciphertext []byte) {
	shared, ciphertext = make([]byte, 32), make([]byte, 1088)
	if kemSeal(at(ciphertext), at(shared), at(public)) != 0 {
		panic("sodium: the key is none")
	}
	return shared, ciphertext
}

func empty(n int) {
	for range n {
		nothing()
	}
}
