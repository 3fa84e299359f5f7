//! X25519 (RFC 7748). If the CPU level has the instructions that graviola needs, the code is graviola's, a translation of the assembly of s2n-bignum.
//! Otherwise the code is curve25519-dalek's.

mod curve;

use burn_secrets::{burn, registers};
use zeroize::Zeroize as _;

/// A PrivateKey is a private key for X25519. Several goroutines may use one PrivateKey at the same time.
///
/// The key is in the Rust heap. Close wipes the key. Without Close the key is wiped some time after the last reference to the PrivateKey is gone.
#[rustgo::object(close)]
pub struct PrivateKey(Box<Secret>);

/// The key's bytes, in a box because moving a value leaves a copy in its old place.
struct Secret([u8; 32]);

/// The number of eight-byte words of stack to overwrite after an exchange. An exchange uses fewer.
const BURNT: usize = 384;

impl Drop for Secret {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

#[rustgo::export]
impl PrivateKey {
    /// newPrivateKey returns a PrivateKey with a copy of key.
    #[rustgo::export(name = "newPrivateKey")]
    pub fn new(key: &[u8; 32]) -> Self {
        let secret = Box::new(Secret(*key));
        registers();
        Self(secret)
    }

    /// ecdh calls [`crate::exchange`] with the key as the scalar.
    #[rustgo::export(name = "ecdh")]
    pub fn exchange(&self, dst: &mut [u8; 32], point: &[u8; 32]) -> bool {
        exchange(dst, &self.0.0, point)
    }

    /// publicKey calls [`exchange_base`] with the key as the scalar.
    #[rustgo::export(name = "publicKey")]
    pub fn public(&self, dst: &mut [u8; 32]) {
        exchange_base(dst, &self.0.0);
    }

    /// bytes sets dst to the key.
    #[rustgo::export(name = "bytes")]
    pub fn copy_to(&self, dst: &mut [u8; 32]) {
        *dst = self.0.0;
        registers();
    }
}

/// Exchange sets dst to the result of the function X25519 for the scalar and the u-coordinate in point. It clamps the scalar, and ignores the highest
/// bit of the u-coordinate.
///
/// If the point is of small order, dst is all zeros and Exchange returns false: whoever sent the point would know the result. Exchange runs in
/// constant time: neither branches nor addresses depend on the scalar or the point. It panics if dst overlaps an input.
#[rustgo::export]
pub fn exchange(dst: &mut [u8; 32], scalar: &[u8; 32], point: &[u8; 32]) -> bool {
    let is_well = curve::exchange(dst, scalar, point);
    burn::<BURNT>();
    is_well
}

/// ExchangeBase sets dst to the result of the function X25519 for the scalar and the base point: the public key that belongs to the scalar. It clamps
/// the scalar. It runs in constant time. It panics if dst overlaps the scalar.
#[rustgo::export]
pub fn exchange_base(dst: &mut [u8; 32], scalar: &[u8; 32]) {
    curve::exchange_base(dst, scalar);
    burn::<BURNT>();
}

/// ExchangeAll calls [`exchange`] for each scalar and the point with the same index. It returns false if any point is of small order. It panics if
/// the lengths differ, or if dst overlaps an input.
///
/// ExchangeAll saves the cost of a call for each exchange, and the garbage collector does not wait for a long call. The exchanges themselves take as
/// long as calls of [`exchange`].
#[rustgo::export(blocking_over = 2048)]
pub fn exchange_all(dst: &mut [[u8; 32]], scalars: &[[u8; 32]], points: &[[u8; 32]]) -> bool {
    assert!(
        dst.len() == scalars.len() && dst.len() == points.len(),
        "x25519: the lengths differ: {}, {} and {}",
        dst.len(),
        scalars.len(),
        points.len()
    );
    let each = dst.iter_mut().zip(scalars).zip(points);
    let are_well = each.fold(true, |all, ((dst, scalar), point)| all & curve::exchange(dst, scalar, point));
    burn::<BURNT>();
    are_well
}
