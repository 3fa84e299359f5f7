//! Ed25519ctx and Ed25519ph (RFC 8032, 5.1), which put a prefix before the data of each hash. The crate ed25519-dalek has no Ed25519ctx, and its
//! Ed25519ph computes the hash of the message itself instead of taking a hash.

use curve25519_dalek::{edwards::CompressedEdwardsY, edwards::EdwardsPoint, scalar::Scalar};
use ed25519_dalek::hazmat::ExpandedSecretKey;
use sha2::{Digest as _, Sha512};

/// The prefix dom2(phflag, context) of RFC 8032.
pub struct Domain<'a> {
    is_hash: bool,
    context: &'a [u8],
}

impl<'a> Domain<'a> {
    /// Makes the prefix. The context must have at most 255 bytes; otherwise [`sign`] and [`verify`] can panic.
    pub fn new(is_hash: bool, context: &'a [u8]) -> Self {
        Self { is_hash, context }
    }

    /// Returns the hash of the prefix and the parts, as a number modulo the order of the base point.
    fn hash(&self, parts: [&[u8]; 3]) -> Scalar {
        let length = u8::try_from(self.context.len()).expect("a context of 255 bytes at most");
        let mut hash = Sha512::new_with_prefix(b"SigEd25519 no Ed25519 collisions");
        hash.update([u8::from(self.is_hash), length]);
        hash.update(self.context);
        parts.iter().for_each(|part| hash.update(part));
        Scalar::from_hash(hash)
    }
}

/// Sets `signature` to the signature of RFC 8032, 5.1.6, in constant time.
#[inline(never)]
pub fn sign(signature: &mut [u8; 64], seed: &[u8; 32], domain: &Domain<'_>, message: &[u8]) {
    let key = ExpandedSecretKey::from(seed);
    let public = EdwardsPoint::mul_base(&key.scalar).compress();
    let nonce = domain.hash([&key.hash_prefix, message, b""]);
    let commitment = EdwardsPoint::mul_base(&nonce).compress();
    let challenge = domain.hash([commitment.as_bytes(), public.as_bytes(), message]);
    signature[..32].copy_from_slice(commitment.as_bytes());
    signature[32..].copy_from_slice((challenge * key.scalar + nonce).as_bytes());
}

/// Verifies a signature as in RFC 8032, 5.1.7, but without the cofactor, as crypto/ed25519 does.
pub fn verify(public: &[u8; 32], domain: &Domain<'_>, message: &[u8], signature: &[u8; 64]) -> bool {
    let (commitment, response) = signature.split_at(32);
    let response = response.try_into().ok().and_then(|bytes| Option::from(Scalar::from_canonical_bytes(bytes)));
    let (Some(response), Some(point)) = (response, CompressedEdwardsY(*public).decompress()) else { return false };
    let challenge = domain.hash([commitment, public, message]);
    EdwardsPoint::vartime_double_scalar_mul_basepoint(&challenge, &-point, &response).compress().as_bytes() == commitment
}
