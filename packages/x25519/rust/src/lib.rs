//! X25519 (RFC 7748). If the CPU level has the instructions that graviola needs, graviola's code runs, which is the assembly of s2n-bignum.
//! Otherwise the code of curve25519-dalek runs.

mod curve;

use burn_secrets::{burn, registers};
use zeroize::Zeroize as _;

/// A PrivateKey is a private key for X25519. Several goroutines may use one PrivateKey at the same time.
///
/// The key is in the Rust heap. Close wipes it. Without Close it is wiped some time after the last reference to the PrivateKey is gone.
#[rustgo::object(close)]
pub struct PrivateKey(Box<Secret>);

/// The key's bytes. They are in a box, because moving a value leaves a copy in its old place.
struct Secret([u8; 32]);

/// The number of words (of eight bytes) of stack to overwrite after an exchange, more than the exchange uses.
const BURNT: usize = 384;

impl Drop for Secret {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

#[rustgo::export]
impl PrivateKey {
    /// newPrivateKey copies the key.
    #[rustgo::export(name = "newPrivateKey")]
    pub fn new(key: &[u8; 32]) -> Self {
        let secret = Box::new(Secret(*key));
        registers();
        Self(secret)
    }

    /// ecdh calls [`exchange`] with the key as the scalar.
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

/// Exchange sets dst to the result of the function X25519 for a scalar, which it clamps, and a u-coordinate, whose highest bit it ignores.
///
/// If the point is of small order, dst is all zeros, and Exchange returns false: the sender of the point would know the result. Exchange runs in
/// constant time: neither branches nor addresses depend on the scalar or the point. It panics if dst overlaps an input.
#[rustgo::export]
pub fn exchange(dst: &mut [u8; 32], scalar: &[u8; 32], point: &[u8; 32]) -> bool {
    let is_well = curve::exchange(dst, scalar, point);
    burn::<BURNT>();
    is_well
}

/// ExchangeBase sets dst to the result of the function X25519 for a scalar, which it clamps, and the base point: the public key of a private key. It
/// runs in constant time. It panics if dst overlaps the scalar.
#[rustgo::export]
pub fn exchange_base(dst: &mut [u8; 32], scalar: &[u8; 32]) {
    curve::exchange_base(dst, scalar);
    burn::<BURNT>();
}

/// ExchangeAll calls [`exchange`] for each scalar and the point with the same index. It returns false if a point is of small order. It panics if
/// the lengths differ, or if dst overlaps an input.
///
/// An exchange takes as long as a call of [`exchange`]. ExchangeAll saves the cost of calls, and the garbage collector need not wait for a long
/// call.
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
