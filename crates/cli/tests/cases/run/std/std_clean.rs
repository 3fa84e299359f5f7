//! A std crate whose exports reach no allocation and no system call.
use std::str::from_utf8;

#[rustgo::export]
pub fn text(x: u64) -> u64 {
    let bytes = x.to_le_bytes();
    match from_utf8(&bytes) {
        Ok(text) => text.chars().fold(0, |sum, c| sum * 31 + u64::from(u32::from(c))),
        Err(error) => 1 << 40 | error.valid_up_to() as u64,
    }
}

#[rustgo::export]
pub fn numbers(x: u64) -> u64 {
    let mut values = [0u64; 16];
    for (at, value) in values.iter_mut().enumerate() {
        *value = x.rotate_left(at as u32 * 5) ^ at as u64;
    }
    values.iter().copied().max().unwrap_or(0) ^ values.iter().fold(0, |sum, value| sum ^ value.isqrt())
}
