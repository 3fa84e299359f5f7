//@ k256 = { version = "=0.13.4", default-features = false, features = ["ecdsa-core", "arithmetic"] }
//! Multiplies secp256k1's generator.
use k256::elliptic_curve::{group::GroupEncoding, ops::Reduce};

#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let mut k = [1; 32];
    k[..input.len().min(32)].copy_from_slice(&input[..input.len().min(32)]);
    let scalar = <k256::Scalar as Reduce<k256::U256>>::reduce_bytes(&k.into());
    let point = (k256::ProjectivePoint::GENERATOR * scalar).to_affine();
    out[..33].copy_from_slice(&point.to_bytes());
    33
}
