//! Package sodium is libsodium, the C library, as a Go package. It is a column of the comparison in bench/crypto, not a package for other use.

use libsodium_sys as c;
use std::ptr::{null, null_mut};
use std::sync::atomic::{Ordering, compiler_fence};

/// A function of C's library that a Go program lacks. It sets memory to zeros, even if nothing reads the memory afterwards.
///
/// # Safety
///
/// `n` bytes at `memory` must be writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn explicit_bzero(memory: *mut u8, n: usize) {
    // SAFETY: the caller promises that the bytes are writable.
    unsafe { memory.write_bytes(0, n) };
    compiler_fence(Ordering::SeqCst);
}

/// Does nothing. libsodium takes this lock only before it ends the process because of a misuse.
#[unsafe(no_mangle)]
pub extern "C" fn pthread_mutex_lock(_: *mut u8) -> i32 {
    ENOSYS
}

/// Does nothing, as `pthread_mutex_lock` does.
#[unsafe(no_mangle)]
pub extern "C" fn pthread_mutex_unlock(_: *mut u8) -> i32 {
    ENOSYS
}

const ENOSYS: i32 = 38;

unsafe extern "C" {
    // Functions of sodium_init that examine the processor and choose code. Its other parts, random numbers, guarded memory and the lock, are
    // not used.
    fn _sodium_runtime_get_cpu_features() -> i32;
    fn _crypto_onetimeauth_poly1305_pick_best_implementation() -> i32;
    fn _crypto_stream_chacha20_pick_best_implementation() -> i32;
}

/// Init chooses the code for the processor. For X25519 it makes no choice: rustgo refuses sandy2x, the assembly for AVX, whose frame is aligned
/// by subtracting a register from the stack pointer. Init must be called before all other functions, and not at the same time as another
/// function.
#[rustgo::export(name = "Init")]
pub fn init() {
    // SAFETY: these functions of the library have no arguments, and set its variables.
    unsafe {
        _sodium_runtime_get_cpu_features();
        _crypto_onetimeauth_poly1305_pick_best_implementation();
        _crypto_stream_chacha20_pick_best_implementation();
    }
}

/// AES is AES-256-GCM with a key.
#[rustgo::object(close)]
pub struct AES(c::crypto_aead_aes256gcm_state);

#[rustgo::export]
impl AES {
    /// NewAES computes the round keys of a key.
    pub fn new(key: &[u8; 32]) -> Self {
        // SAFETY: the state is bytes, which the library sets; the key has 32 bytes.
        unsafe {
            let mut state = std::mem::zeroed();
            c::crypto_aead_aes256gcm_beforenm(&raw mut state, key.as_ptr());
            Self(state)
        }
    }

    /// Seal sets out to the ciphertext of text, followed by the tag. It panics unless out is 16 bytes longer than text.
    pub fn seal(&self, out: &mut [u8], nonce: &[u8; 12], text: &[u8], additional: &[u8]) {
        assert_eq!(out.len(), text.len() + 16);
        // SAFETY: out has room for text and tag.
        unsafe {
            c::crypto_aead_aes256gcm_encrypt_afternm(
                out.as_mut_ptr(),
                null_mut(),
                text.as_ptr(),
                text.len() as u64,
                additional.as_ptr(),
                additional.len() as u64,
                null(),
                nonce.as_ptr(),
                &raw const self.0,
            );
        }
    }

    /// Open sets out to the decrypted text of sealed, and reports whether the tag is right. It panics unless out is 16 bytes shorter than
    /// sealed.
    pub fn open(&self, out: &mut [u8], nonce: &[u8; 12], sealed: &[u8], additional: &[u8]) -> bool {
        assert_eq!(out.len() + 16, sealed.len());
        // SAFETY: out has room for the text.
        unsafe {
            c::crypto_aead_aes256gcm_decrypt_afternm(
                out.as_mut_ptr(),
                null_mut(),
                null_mut(),
                sealed.as_ptr(),
                sealed.len() as u64,
                additional.as_ptr(),
                additional.len() as u64,
                nonce.as_ptr(),
                &raw const self.0,
            ) == 0
        }
    }
}

/// ChaChaSeal sets out to the ciphertext of text, followed by the tag. It panics unless out is 16 bytes longer than text.
#[rustgo::export(name = "ChaChaSeal")]
pub fn chacha_seal(out: &mut [u8], nonce: &[u8; 12], text: &[u8], additional: &[u8], key: &[u8; 32]) {
    assert_eq!(out.len(), text.len() + 16);
    // SAFETY: out has room for text and tag.
    unsafe {
        c::crypto_aead_chacha20poly1305_ietf_encrypt(
            out.as_mut_ptr(),
            null_mut(),
            text.as_ptr(),
            text.len() as u64,
            additional.as_ptr(),
            additional.len() as u64,
            null(),
            nonce.as_ptr(),
            key.as_ptr(),
        );
    }
}

/// ChaChaOpen sets out to the decrypted text of sealed, and reports whether the tag is right. It panics unless out is 16 bytes shorter than
/// sealed.
#[rustgo::export(name = "ChaChaOpen")]
pub fn chacha_open(out: &mut [u8], nonce: &[u8; 12], sealed: &[u8], additional: &[u8], key: &[u8; 32]) -> bool {
    assert_eq!(out.len() + 16, sealed.len());
    // SAFETY: out has room for the text.
    unsafe {
        c::crypto_aead_chacha20poly1305_ietf_decrypt(
            out.as_mut_ptr(),
            null_mut(),
            null_mut(),
            sealed.as_ptr(),
            sealed.len() as u64,
            additional.as_ptr(),
            additional.len() as u64,
            nonce.as_ptr(),
            key.as_ptr(),
        ) == 0
    }
}

/// Key sets key to the form of a private key that Sign takes: the seed and the public key.
#[rustgo::export(name = "Key")]
pub fn key(key: &mut [u8; 64], public: &mut [u8; 32], seed: &[u8; 32]) {
    // SAFETY: the lengths are those that the library's header demands.
    unsafe {
        c::crypto_sign_seed_keypair(public.as_mut_ptr(), key.as_mut_ptr(), seed.as_ptr());
    }
}

/// Sign makes the Ed25519 signature of a message.
#[rustgo::export(name = "Sign")]
pub fn sign(signature: &mut [u8; 64], message: &[u8], key: &[u8; 64]) {
    // SAFETY: the lengths are those that the library's header demands. The pointer for the length of the signature may be null.
    unsafe {
        c::crypto_sign_detached(signature.as_mut_ptr(), null_mut(), message.as_ptr(), message.len() as u64, key.as_ptr());
    }
}

/// Verify reports whether signature is a valid Ed25519 signature of the message.
#[rustgo::export(name = "Verify")]
pub fn verify(signature: &[u8; 64], message: &[u8], public: &[u8; 32]) -> bool {
    // SAFETY: the lengths are those that the library's header demands.
    unsafe { c::crypto_sign_verify_detached(signature.as_ptr(), message.as_ptr(), message.len() as u64, public.as_ptr()) == 0 }
}

/// X25519 sets shared to the shared secret. It returns false if the point is of small order.
#[rustgo::export(name = "X25519")]
pub fn x25519(shared: &mut [u8; 32], scalar: &[u8; 32], point: &[u8; 32]) -> bool {
    // SAFETY: the three pointers point to arrays of 32 bytes.
    unsafe { c::crypto_scalarmult(shared.as_mut_ptr(), scalar.as_ptr(), point.as_ptr()) == 0 }
}

/// Generate makes a pair of keys of ML-KEM-768 from a seed.
#[rustgo::export(name = "Generate", stack = "128k")]
pub fn generate(public: &mut [u8; 1184], secret: &mut [u8; 2400], seed: &[u8; 64]) {
    // SAFETY: the lengths are those that the library's header demands.
    unsafe {
        c::crypto_kem_mlkem768_seed_keypair(public.as_mut_ptr(), secret.as_mut_ptr(), seed.as_ptr());
    }
}

/// Encapsulate makes a shared key and its ciphertext from 32 random bytes.
#[rustgo::export(name = "Encapsulate", stack = "128k")]
pub fn encapsulate(ciphertext: &mut [u8; 1088], shared: &mut [u8; 32], public: &[u8; 1184], random: &[u8; 32]) -> bool {
    // SAFETY: the lengths are those that the library's header demands.
    unsafe { c::crypto_kem_mlkem768_enc_deterministic(ciphertext.as_mut_ptr(), shared.as_mut_ptr(), public.as_ptr(), random.as_ptr()) == 0 }
}

/// Decapsulate sets shared to the shared key.
#[rustgo::export(name = "Decapsulate", stack = "128k")]
pub fn decapsulate(shared: &mut [u8; 32], ciphertext: &[u8; 1088], secret: &[u8; 2400]) -> bool {
    // SAFETY: the lengths are those that the library's header demands.
    unsafe { c::crypto_kem_mlkem768_dec(shared.as_mut_ptr(), ciphertext.as_ptr(), secret.as_ptr()) == 0 }
}

/// SignBytes returns the length of a signature. It does nothing else, so its time is the cost of a call.
#[rustgo::export(name = "SignBytes")]
pub fn sign_bytes() -> usize {
    // SAFETY: the function returns a constant.
    unsafe { c::crypto_sign_bytes() }
}
