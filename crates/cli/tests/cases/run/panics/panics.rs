//! Panics in entries with a frame, for the largest number only. The harness makes the stack grow
//! below them.
#![no_std]

#[rustgo::export]
pub fn fused_panics(x: u64) -> u64 {
    let digits: [u8; 3] = [b'0' + (x % 10) as u8, b'0' + (x / 10 % 10) as u8, if x == u64::MAX { b'x' } else { b'7' }];
    let parsed: Result<u8, core::num::ParseIntError> = core::str::from_utf8(&digits[1..]).unwrap().parse();
    parsed.unwrap().into()
}

#[rustgo::export]
pub fn framed_panics(x: u64) -> u64 {
    deep(&core::array::from_fn(|at| x.wrapping_mul(at as u64 | 1)))
}

#[inline(never)]
fn deep(values: &[u64; 256]) -> u64 {
    assert!(values[0] != u64::MAX, "all bits of {} are set", values[0]);
    values.iter().fold(0, |sum, value| sum.rotate_left(3) ^ value)
}
