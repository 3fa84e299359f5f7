//go:build cgo && rustnative

package viacgo

// #cgo linux LDFLAGS: ${SRCDIR}/../../native/target/release/libnative.a -lm -ldl -lpthread
// #cgo !linux LDFLAGS: ${SRCDIR}/../../native/target/release/libnative.a
// #include <stddef.h>
// #include <stdint.h>
// void native_scalar_base_mult(uint8_t *dst, const uint8_t *k);
// void native_blake3_sum256(uint8_t *dst, const uint8_t *msg, size_t len);
//
// // With noescape the arguments need not be in the heap, as with //go:noescape for assembly. With nocallback cgo omits preparations for callbacks.
// #cgo noescape native_scalar_base_mult
// #cgo nocallback native_scalar_base_mult
// #cgo noescape native_blake3_sum256
// #cgo nocallback native_blake3_sum256
import "C"

import "unsafe"

// RustAvailable reports whether the Rust functions work, which need cgo and the build tag rustnative.
const RustAvailable = true

// ScalarBaseMult calls the Rust function that edwards25519.ScalarBaseMult calls.
func ScalarBaseMult(dst, k *[32]byte) {
	C.native_scalar_base_mult((*C.uint8_t)(&dst[0]), (*C.uint8_t)(&k[0]))
}

// Sum256 calls the Rust function that blake3.Sum256 calls.
func Sum256(dst *[32]byte, msg []byte) {
	C.native_blake3_sum256((*C.uint8_t)(&dst[0]), (*C.uint8_t)(unsafe.SliceData(msg)), C.size_t(len(msg)))
}
