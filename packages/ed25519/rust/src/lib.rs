//! Ed25519 (RFC 8032). If the CPU level has the instructions that graviola needs, graviola signs; otherwise ed25519-dalek signs. curve25519-dalek
//! signs the variants Ed25519ctx and Ed25519ph. ed25519-dalek verifies, with AVX-512 IFMA or AVX2 if the level has them.

mod signer;
mod variant;

use burn_secrets::{burn, registers};
use ed25519_dalek::{Signature, Verifier as _, VerifyingKey};
use rustgo::Slices;
use signer::Signer;
use variant::Domain;
use zeroize::Zeroize as _;

/// A PrivateKey is a key that signs: a [crypto.Signer]. Several goroutines may use one PrivateKey at the same time.
///
/// The key is in the Rust heap. Close wipes the key. Without Close the key is wiped some time after the last reference to the PrivateKey is gone.
#[rustgo::object(close)]
pub struct PrivateKey(Box<Expanded>);

/// The expanded key, in a box because moving a value leaves a copy in its old place.
struct Expanded {
    seed: [u8; 32],
    signer: Signer,
}

impl Expanded {
    #[inline(never)]
    fn new(seed: &[u8; 32]) -> Box<Self> {
        Box::new(Self { seed: *seed, signer: Signer::new(seed) })
    }

    #[inline(never)]
    fn sign(&self, signature: &mut [u8; 64], message: &[u8]) {
        *signature = self.signer.sign(message);
    }
}

/// The number of eight-byte words of stack to overwrite after a key is expanded or a message is signed. Both use fewer.
const BURNT: usize = 1024;

impl Drop for Expanded {
    fn drop(&mut self) {
        self.seed.zeroize();
    }
}

#[rustgo::export]
impl PrivateKey {
    /// newPrivateKey expands a seed.
    #[rustgo::export(name = "newPrivateKey")]
    pub fn new(seed: &[u8; 32]) -> Self {
        let expanded = Expanded::new(seed);
        burn::<BURNT>();
        Self(expanded)
    }

    /// sign sets signature to the signature of the message.
    #[rustgo::export(name = "sign", blocking_over = 262144)]
    pub fn sign(&self, signature: &mut [u8; 64], message: &[u8]) {
        self.0.sign(signature, message);
        burn::<BURNT>();
    }

    /// signVariant sets signature to the Ed25519ctx signature of the message, or, if isHash is true, to the Ed25519ph signature of the hash in
    /// message. It panics if the context has more than 255 bytes.
    #[rustgo::export(name = "signVariant", blocking_over = 262144)]
    pub fn sign_variant(&self, signature: &mut [u8; 64], is_hash: bool, context: &[u8], message: &[u8]) {
        variant::sign(signature, &self.0.seed, &Domain::new(is_hash, context), message);
        burn::<BURNT>();
    }

    /// public sets dst to the public key.
    #[rustgo::export(name = "public")]
    pub fn public(&self, dst: &mut [u8; 32]) {
        *dst = self.0.signer.public();
    }

    /// seed sets dst to the seed.
    #[rustgo::export(name = "seed")]
    pub fn copy_seed(&self, dst: &mut [u8; 32]) {
        *dst = self.0.seed;
        registers();
    }
}

/// verify reports whether the signature of the message is valid.
#[rustgo::export(name = "verify", blocking_over = 262144)]
pub fn verify(public: &[u8; 32], message: &[u8], signature: &[u8; 64]) -> bool {
    let key = VerifyingKey::from_bytes(public);
    key.and_then(|key| key.verify(message, &Signature::from_bytes(signature))).is_ok()
}

/// verifyVariant reports whether the signature is a valid Ed25519ctx signature of the message, or, if isHash is true, a valid Ed25519ph signature of
/// the hash in message. It can panic if the context has more than 255 bytes.
#[rustgo::export(name = "verifyVariant", blocking_over = 262144)]
pub fn verify_variant(public: &[u8; 32], is_hash: bool, context: &[u8], message: &[u8], signature: &[u8; 64]) -> bool {
    variant::verify(public, &Domain::new(is_hash, context), message, signature)
}

/// verifyBatch reports whether the signatures of all messages are valid. It may accept a signature that verify refuses, if the signer has built the
/// signature for this purpose. The lists must have equal lengths.
#[rustgo::export(name = "verifyBatch", blocking_over = 8192)]
pub fn verify_batch(publics: &[[u8; 32]], messages: Slices<'_, u8>, signatures: &[[u8; 64]]) -> bool {
    let Ok(keys) = publics.iter().map(VerifyingKey::from_bytes).collect::<Result<Vec<_>, _>>() else { return false };
    let signatures: Vec<Signature> = signatures.iter().map(Signature::from_bytes).collect();
    // A single verification compares R as bytes, but a batch compares points. So refuse encodings of R that are not canonical.
    if !signatures.iter().all(|signature| is_canonical(signature.r_bytes())) {
        return false;
    }
    let messages: Vec<&[u8]> = messages.iter().collect();
    // A batch checks one sum of all equations, each times a coefficient modulo the order of the base point. If a key or R has a part of small order,
    // this part may differ between the sum and the single equations. So the sum may fail although each signature is valid.
    let each = || keys.iter().zip(&messages).zip(&signatures).all(|((key, message), signature)| key.verify(message, signature).is_ok());
    ed25519_dalek::verify_batch(&messages, &signatures, &keys).is_ok() || each()
}

/// True if the bytes are a canonical encoding: y is below the prime, and x is not a negative zero.
fn is_canonical(bytes: &[u8; 32]) -> bool {
    let [lowest, middle @ .., highest] = bytes;
    let is_next_to_prime = middle.iter().all(|&byte| byte == 0xff) && highest & 0x7f == 0x7f;
    let is_one = *lowest == 1 && middle.iter().all(|&byte| byte == 0) && highest & 0x7f == 0;
    let is_negative = highest >> 7 == 1;
    !(is_next_to_prime && *lowest >= 0xed) && !(is_negative && (is_one || is_next_to_prime && *lowest == 0xec))
}
