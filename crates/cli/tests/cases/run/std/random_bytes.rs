//! Random bytes: no two calls give the same bytes, and none gives only zeros, for any size.
use std::ffi::{c_uint, c_void};

unsafe extern "C" {
    fn getrandom(to: *mut c_void, size: usize, flags: c_uint) -> isize;
}

fn filled(bytes: &mut [u8]) -> isize {
    unsafe { getrandom(bytes.as_mut_ptr().cast(), bytes.len(), 0) }
}

#[rustgo::export]
pub fn differ(x: u64) -> u64 {
    let (mut a, mut b) = ([0u8; 32], [0u8; 32]);
    let sizes = filled(&mut a) + filled(&mut b);
    u64::from(sizes == 64 && a != b && a != [0; 32] && b != [0; 32]) + x
}

/// More than the kernel gives in one piece. All values occur, and half of the bits are set (except in one of 10¹⁰ runs).
#[rustgo::export]
pub fn many(x: u64) -> u64 {
    let mut bytes = [0u8; 8000];
    let size = filled(&mut bytes[..7777]) as usize;
    let set: u32 = bytes.iter().map(|byte| byte.count_ones()).sum();
    let has_all = (0..=255).all(|value| bytes[..7777].contains(&value));
    let fair = set.abs_diff(4 * 7777) < 1500;
    u64::from(size == 7777 && fair && has_all && bytes[7777..].iter().all(|byte| *byte == 0)) + x
}

#[rustgo::export]
pub fn none(x: u64) -> u64 {
    filled(&mut []) as u64 + x
}
