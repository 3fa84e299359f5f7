//! The packages' crates with a C interface, which Go calls by cgo.
//!
//! The number of bytes at a pointer follows from its type, or from the length parameter after it. `X_free` frees a key made by `X_new`.
#![expect(clippy::missing_safety_doc, reason = "the module states it for all")]

use column::{Aead as _, Kem as _, OVERHEAD, Signer as _};
use crypto_crates::{AesGcm, Decapsulation, Key};
use std::slice::{from_raw_parts, from_raw_parts_mut};

#[unsafe(no_mangle)]
pub extern "C" fn crypto_empty(_: usize, _: usize, _: usize, _: usize, _: usize, _: usize) {}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn crypto_aes_new(key: *const [u8; 32]) -> *mut AesGcm {
    // SAFETY: the caller promises valid pointers; the module's documentation states this for all functions.
    Box::into_raw(Box::new(AesGcm::new(unsafe { &*key })))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn crypto_aes_free(aes: *mut AesGcm) {
    drop(unsafe { Box::from_raw(aes) });
}

/// Encrypts the text to `out`, which must have room for the text and a tag.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn crypto_aes_seal(
    aes: *const AesGcm,
    out: *mut u8,
    nonce: *const [u8; 12],
    text: *const u8,
    length: usize,
    additional: *const u8,
    additional_length: usize,
) {
    unsafe {
        let out = from_raw_parts_mut(out, length + OVERHEAD);
        (*aes).seal(out, &*nonce, from_raw_parts(text, length), from_raw_parts(additional, additional_length));
    }
}

/// Decrypts `sealed`, which has `length` bytes, to `out`, which must have room for the text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn crypto_aes_open(
    aes: *const AesGcm,
    out: *mut u8,
    nonce: *const [u8; 12],
    sealed: *const u8,
    length: usize,
    additional: *const u8,
    additional_length: usize,
) -> bool {
    unsafe {
        let out = from_raw_parts_mut(out, length - OVERHEAD);
        (*aes).open(out, &*nonce, from_raw_parts(sealed, length), from_raw_parts(additional, additional_length))
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn crypto_x25519(shared: *mut [u8; 32], scalar: *const [u8; 32], point: *const [u8; 32]) -> bool {
    unsafe { crypto_crates::x25519(&mut *shared, &*scalar, &*point) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn crypto_signer_new(seed: *const [u8; 32]) -> *mut Key {
    Box::into_raw(Box::new(Key::new(unsafe { &*seed })))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn crypto_signer_free(key: *mut Key) {
    drop(unsafe { Box::from_raw(key) });
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn crypto_signer_public(key: *const Key, public: *mut [u8; 32]) {
    unsafe { *public = (*key).public() };
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn crypto_signer_sign(key: *const Key, signature: *mut [u8; 64], message: *const u8, length: usize) {
    unsafe { *signature = (*key).sign(from_raw_parts(message, length)) };
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn crypto_verify(public: *const [u8; 32], message: *const u8, length: usize, signature: *const [u8; 64]) -> bool {
    unsafe { crypto_crates::verify(&*public, from_raw_parts(message, length), &*signature) }
}

/// Verifies a batch of signatures. The messages are adjacent, and all have the same length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn crypto_verify_batch(
    n: usize,
    publics: *const [u8; 32],
    messages: *const u8,
    length: usize,
    signatures: *const [u8; 64],
) -> bool {
    unsafe {
        let messages: Vec<&[u8]> = from_raw_parts(messages, n * length).chunks_exact(length).collect();
        crypto_crates::verify_batch(from_raw_parts(publics, n), &messages, from_raw_parts(signatures, n))
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn crypto_kem_new(seed: *const [u8; 64], public: *mut [u8; 1184]) -> *mut Decapsulation {
    let key = Decapsulation::new(unsafe { &*seed });
    unsafe { *public = key.public() };
    Box::into_raw(Box::new(key))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn crypto_kem_free(key: *mut Decapsulation) {
    drop(unsafe { Box::from_raw(key) });
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn crypto_kem_encapsulate(public: *const [u8; 1184], shared: *mut [u8; 32], ciphertext: *mut [u8; 1088]) {
    unsafe { (*shared, *ciphertext) = crypto_crates::encapsulate(&*public) };
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn crypto_kem_decapsulate(key: *const Decapsulation, shared: *mut [u8; 32], ciphertext: *const [u8; 1088]) {
    unsafe { *shared = (*key).decapsulate(&*ciphertext) };
}
