//! X25519 (RFC 7748): graviola's code, which is s2n-bignum's assembly, if the level of the processor has its instructions; otherwise
//! curve25519-dalek's code.

mod curve;

use burn_secrets::{burn, registers};
use zeroize::Zeroize as _;

/// A PrivateKey is a private key for X25519. Goroutines may use one at the same time.
///
/// The key lies in Rust's memory, and is wiped when the PrivateKey is dropped: some time after the last reference to it is gone, or by Close.
#[rustgo::object(close)]
pub struct PrivateKey(Box<Secret>);

/// In a box, so that no copy is left where a value is moved from.
struct Secret([u8; 32]);

/// More than an exchange needs of the stack, in words of eight bytes.
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

    /// ecdh is [`exchange`] with the key as the scalar.
    #[rustgo::export(name = "ecdh")]
    pub fn exchange(&self, dst: &mut [u8; 32], point: &[u8; 32]) -> bool {
        exchange(dst, &self.0.0, point)
    }

    /// publicKey is [`exchange_base`] with the key as the scalar.
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

/// Exchange sets dst to the X25519 function of a scalar, which it clamps, and the u-coordinate of a point. It ignores the highest bit of the u-coordinate.
///
/// If the point is of small order, dst is all zeros, and Exchange returns false: the sender of the point knows the result. It runs in
/// constant time: neither branches nor addresses depend on the scalar or the point. It panics if dst overlaps one of them.
#[rustgo::export]
pub fn exchange(dst: &mut [u8; 32], scalar: &[u8; 32], point: &[u8; 32]) -> bool {
    let is_well = curve::exchange(dst, scalar, point);
    burn::<BURNT>();
    is_well
}

/// ExchangeBase sets dst to the X25519 function of a scalar, which it clamps, and of the base point: the public key of a private one. It runs in
/// constant time. It panics if dst overlaps the scalar.
#[rustgo::export]
pub fn exchange_base(dst: &mut [u8; 32], scalar: &[u8; 32]) {
    curve::exchange_base(dst, scalar);
    burn::<BURNT>();
}

/// ExchangeAll does what [`exchange`] does for each scalar and the point at the same place, and returns false if that does for one of them. It
/// panics if the lengths differ, or if dst overlaps one of the others.
///
/// An exchange takes as long as a call of [`exchange`]. ExchangeAll saves the cost of calls, and does not block the garbage collector while it runs long.
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
