//@ arrayvec = { version = "=0.7.8", default-features = false }
//! Uses a vector of fixed capacity.
use arrayvec::ArrayVec;

#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let mut some: ArrayVec<u8, 64> = input.iter().copied().filter(|b| b % 3 != 0).take(64).collect();
    some.retain(|b| *b != b'o');
    some.truncate(40);
    out[..some.len()].copy_from_slice(&some);
    some.len()
}
