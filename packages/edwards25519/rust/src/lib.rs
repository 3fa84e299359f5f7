//! Operations on Curve25519 from the crate curve25519-dalek, which uses AVX2 where the processor has it.
//!
//! Scalars are 32 bytes, little-endian. Points have the encoding of RFC 8032, and Montgomery coordinates the encoding of RFC 7748.
#![no_std]

use curve25519_dalek::{
    edwards::{CompressedEdwardsY, EdwardsPoint},
    montgomery::MontgomeryPoint,
    scalar::Scalar,
};

/// ScalarBaseMult sets dst to the encoding of k·B, where B is the base point of edwards25519. The scalar k is taken modulo the order of B, without
/// clamping.
///
/// ScalarBaseMult runs in constant time: neither branches nor addresses depend on k.
#[rustgo::export]
pub fn scalar_base_mult(dst: &mut [u8; 32], k: &[u8; 32]) {
    let k = Scalar::from_bytes_mod_order(*k);
    *dst = EdwardsPoint::mul_base(&k).compress().to_bytes();
}

/// X25519 sets dst to the result of the function X25519 of RFC 7748 for the scalar k and the u-coordinate u. X25519 clamps k.
///
/// If u is a point of small order, dst is all zeros. Protocols in which both sides must contribute to the result must check for zeros. X25519 runs in
/// constant time: neither branches nor addresses depend on k or u.
#[rustgo::export]
pub fn x25519(dst: &mut [u8; 32], k: &[u8; 32], u: &[u8; 32]) {
    *dst = MontgomeryPoint(*u).mul_clamped(*k).to_bytes();
}

/// DoubleScalarBaseMult sets dst to the encoding of a·A + b·B and returns true. B is the base point, and A is the point that pointA encodes. If
/// pointA encodes no point of the curve, DoubleScalarBaseMult returns false and does not change dst. The scalars a and b are taken modulo the order
/// of B.
///
/// Signatures are verified by this sum. DoubleScalarBaseMult runs in VARIABLE time: never use it with secrets.
#[rustgo::export]
pub fn double_scalar_base_mult(dst: &mut [u8; 32], a: &[u8; 32], point_a: &[u8; 32], b: &[u8; 32]) -> bool {
    let Some(point_a) = CompressedEdwardsY(*point_a).decompress() else {
        return false;
    };
    let (a, b) = (Scalar::from_bytes_mod_order(*a), Scalar::from_bytes_mod_order(*b));
    *dst = EdwardsPoint::vartime_double_scalar_mul_basepoint(&a, &point_a, &b).compress().to_bytes();
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use hex_literal::hex;
    use sha2::{Digest, Sha512};

    #[test]
    fn scalar_base_mult_of_a_known_scalar() {
        let mut dst = [0; 32];
        scalar_base_mult(&mut dst, &hex!("39129b3f7bbd7e17a39679b940018a737fc3bf430fcbc827029e67360aab3707"));
        assert_eq!(dst, hex!("1cc4789ed5ea69f84ad460941ba0491ff532c1af1fa126733d6c7b62f7ebcbcf"));
    }

    #[test]
    fn scalars_are_reduced() {
        let (mut one, mut more) = ([0; 32], [0; 32]);
        scalar_base_mult(&mut one, &{
            let mut k = [0; 32];
            k[0] = 1;
            k
        });
        // The group order plus one.
        scalar_base_mult(&mut more, &hex!("eed3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010"));
        assert_eq!(one, more);
        assert_eq!(one, hex!("5866666666666666666666666666666666666666666666666666666666666666"));
    }

    #[test]
    fn x25519_of_rfc_7748() {
        let mut dst = [0; 32];
        x25519(
            &mut dst,
            &hex!("a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4"),
            &hex!("e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c"),
        );
        assert_eq!(dst, hex!("c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552"));
        x25519(
            &mut dst,
            &hex!("4b66e9d4d1b4673c5ad22691957d6af5c11b6421e0ea01d42ca4169e7918ba0d"),
            &hex!("e5210f12786811d3f4b7959d0538ae2c31dbe7106fc03c3efc4cd549c715a493"),
        );
        assert_eq!(dst, hex!("95cbde9476e8907d7aade45cb4b873f88b595a68799fa152e6f8f7647aac7957"));
    }

    #[test]
    fn x25519_iterated_as_in_rfc_7748() {
        let mut u = [0; 32];
        u[0] = 9;
        let mut k = u;
        for i in 1..=1000 {
            let mut next = [0; 32];
            x25519(&mut next, &k, &u);
            (u, k) = (k, next);
            if i == 1 {
                assert_eq!(k, hex!("422c8e7a6227d7bca1350b3e2bb7279f7897b87bb6854b783c60e80311ae3079"));
            }
        }
        assert_eq!(k, hex!("684cf59ba83309552800ef566f2f4d3c1c3887c49360e3875f2eb94d99532c51"));
    }

    #[test]
    fn x25519_of_a_point_of_small_order_is_zero() {
        let mut dst = [1; 32];
        x25519(&mut dst, &[7; 32], &[0; 32]);
        assert_eq!(dst, [0; 32]);
    }

    /// RFC 8032 verifies s·B = R + k·A with k = SHA-512(R ‖ A ‖ M), that is, −k·A + s·B = R.
    fn verify(public: &[u8; 32], message: &[u8], signature: &[u8; 64]) -> bool {
        let (r, s): (&[u8; 32], &[u8; 32]) = (signature[..32].try_into().unwrap(), signature[32..].try_into().unwrap());
        let hash = Sha512::new().chain_update(r).chain_update(public).chain_update(message).finalize();
        let minus_k = -Scalar::from_bytes_mod_order_wide(&hash.into());
        let mut sum = [0; 32];
        assert!(double_scalar_base_mult(&mut sum, minus_k.as_bytes(), public, s));
        sum == *r
    }

    #[test]
    fn double_scalar_base_mult_verifies_the_signatures_of_rfc_8032() {
        let public = hex!("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a");
        let signature = hex!(
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
        );
        assert!(verify(&public, b"", &signature));
        assert!(!verify(&public, b"r", &signature));
        let public = hex!("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c");
        let signature = hex!(
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
        );
        assert!(verify(&public, b"r", &signature));
    }

    #[test]
    fn double_scalar_base_mult_refuses_what_is_no_point() {
        let mut dst = [3; 32];
        let mut no_point = [0; 32];
        no_point[0] = 2; // y = 2 has no x
        assert!(!double_scalar_base_mult(&mut dst, &[1; 32], &no_point, &[1; 32]));
        assert_eq!(dst, [3; 32]);
    }
}
