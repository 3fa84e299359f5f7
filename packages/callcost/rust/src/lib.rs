//! Functions that do next to nothing: what a call of them costs is what a call costs.
#![no_std]

/// Nothing does nothing.
#[rustgo::export]
pub fn nothing() {}

/// Increment returns x + 1, and 0 for the largest x.
#[rustgo::export]
pub fn increment(x: u64) -> u64 {
    x.wrapping_add(1)
}

/// AddLevel returns x plus the number of the level that the code is compiled for: 3 where the processor has x86-64-v3, else 1. Nothing else
/// differs, so that it shows what the choice costs.
#[rustgo::export]
pub fn add_level(x: u64) -> u64 {
    x.wrapping_add(if cfg!(target_feature = "avx2") { 3 } else { 1 })
}

/// FramedIncrement is Increment with a function behind it that needs a kilobyte of stack for one value of x: so each
/// call checks the goroutine's stack and calls the Rust function, as most functions of real packages do.
#[rustgo::export]
pub fn framed_increment(x: u64) -> u64 {
    if x == u64::MAX { wrapped() } else { x + 1 }
}

/// 0, by a detour over a kilobyte of zeros.
#[cold]
#[inline(never)]
fn wrapped() -> u64 {
    let mut zeros = [0; 128];
    core::hint::black_box(&mut zeros).iter().sum()
}

/// Sum returns the sum of the numbers modulo 2⁶⁴.
#[rustgo::export]
pub fn sum(xs: &[u64]) -> u64 {
    xs.iter().fold(0, |sum, &x| sum.wrapping_add(x))
}

/// Divmod returns the quotient a / b and the remainder. It panics if b is zero.
#[rustgo::export]
pub fn divmod(a: u64, b: u64) -> (u64, u64) {
    (a / b, a % b)
}

/// CopyBytes copies src to the beginning of dst and returns the number of bytes, which is the length of the shorter.
#[rustgo::export]
pub fn copy_bytes(dst: &mut [u8], src: &[u8]) -> isize {
    let n = dst.len().min(src.len());
    dst[..n].copy_from_slice(&src[..n]);
    n as isize
}

/// At returns element i of xs. It panics if there is none.
#[rustgo::export]
pub fn at(xs: &[u64], i: usize) -> u64 {
    xs[i]
}

/// BlockingIncrement is Increment, and Go's scheduler is told of the call.
#[rustgo::export(blocking)]
pub fn blocking_increment(x: u64) -> u64 {
    x.wrapping_add(1)
}

/// BlockingSum is Sum, and Go's scheduler is told of calls that pass more than 256 bytes.
#[rustgo::export(blocking_over = 256)]
pub fn blocking_sum(xs: &[u64]) -> u64 {
    sum(xs)
}

/// BlockingDivmod is Divmod, and Go's scheduler is told of the call.
#[rustgo::export(blocking)]
pub fn blocking_divmod(a: u64, b: u64) -> (u64, u64) {
    divmod(a, b)
}

/// Spin goes round in a loop, so many times. It is a call that lasts.
#[rustgo::export]
pub fn spin(rounds: u64) -> u64 {
    (0..rounds).fold(1, |x: u64, _| core::hint::black_box(x.wrapping_mul(3)))
}

/// BlockingSpin is Spin, and Go's scheduler is told of the call.
#[rustgo::export(blocking)]
pub fn blocking_spin(rounds: u64) -> u64 {
    spin(rounds)
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;

    #[test]
    fn increments_wrap() {
        for f in [increment, framed_increment, blocking_increment] {
            assert_eq!(f(41), 42);
            assert_eq!(f(u64::MAX), 0);
        }
        nothing();
    }

    #[test]
    fn sums_wrap() {
        assert_eq!(sum(&[]), 0);
        assert_eq!(sum(&[u64::MAX, 1, 5]), 5);
    }

    #[test]
    fn blocking_functions_are_the_others() {
        assert_eq!(blocking_sum(&[1, 2]), 3);
        assert_eq!(blocking_divmod(17, 5), (3, 2));
        assert_eq!((spin(2), blocking_spin(2)), (9, 9));
    }

    #[test]
    fn divmod_divides() {
        assert_eq!(divmod(17, 5), (3, 2));
        assert_eq!(divmod(u64::MAX, 1), (u64::MAX, 0));
    }

    #[test]
    #[should_panic(expected = "attempt to divide by zero")]
    fn divmod_by_zero() {
        divmod(1, 0);
    }

    #[test]
    fn copies_the_shorter() {
        let mut dst = [0; 3];
        assert_eq!(copy_bytes(&mut dst, &[1, 2, 3, 4]), 3);
        assert_eq!(dst, [1, 2, 3]);
        assert_eq!(copy_bytes(&mut dst, &[9]), 1);
        assert_eq!(dst, [9, 2, 3]);
    }

    #[test]
    #[should_panic(expected = "index out of bounds: the len is 2 but the index is 2")]
    fn at_the_end() {
        assert_eq!(at(&[7, 8], 1), 8);
        at(&[7, 8], 2);
    }
}
