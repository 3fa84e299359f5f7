//! References obey Rust's rules: whatever slices and pointers Go passes, Rust never gets references that its rules forbid.
#![no_std]

#[rustgo::export]
pub fn two_mutable(a: &mut [u64], b: &mut [u64]) -> u64 {
    a.fill(1);
    b.fill(2);
    a.iter().chain(b.iter()).sum()
}

#[rustgo::export]
pub fn mutable_and_shared(a: &mut [u64], b: &[u64]) -> u64 {
    let before: u64 = b.iter().sum();
    a.fill(1);
    before * 100 + b.iter().sum::<u64>()
}

#[rustgo::export]
pub fn shared(a: &[u64], b: &[u64]) -> u64 {
    a.iter().chain(b).sum()
}

#[rustgo::export]
pub fn array_and_slice(a: &mut [u64; 3], b: &[u64], c: &mut [u64; 2]) -> u64 {
    a[1] = b.len() as u64;
    c[1] = 9;
    a[1] + c[1] + b.iter().sum::<u64>()
}

/// Takes parameters of different types. Only unsafe Go code can make such arguments overlap.
#[rustgo::export]
pub fn other_types(a: &mut [u8], b: &[u64], c: &str, d: &mut [char; 2]) -> u64 {
    a.fill(b' ');
    d[0] = 'é';
    a.len() as u64 + b.len() as u64 + c.len() as u64
}

#[rustgo::export]
pub fn text(s: &str) -> u64 {
    s.chars().map(u64::from).fold(s.len() as u64, |sum, c| sum.wrapping_mul(31) ^ c)
}

#[rustgo::export]
pub fn runes(c: char, all: &[char], grid: &[[char; 2]], one: &[char; 1]) -> u64 {
    all.iter().chain(grid.iter().flatten()).chain(one).fold(u64::from(c), |sum, &c| sum + u64::from(c))
}

#[rustgo::export]
pub fn bools(a: bool, all: &[bool], pair: &[bool; 2]) -> u64 {
    let n = |b: bool| match b {
        true => 1u64,
        false => 0,
    };
    n(a) * 100 + all.iter().map(|&b| n(b)).sum::<u64>() * 10 + n(pair[1])
}

#[rustgo::export]
pub fn arrays(a: &[u64; 3], b: &mut [u8; 5]) -> u64 {
    b[4] = a[2] as u8;
    a[0]
}

/// Empty slices may have any address. The function writes nothing outside the slices.
#[rustgo::export]
pub fn empty(a: &mut [u64], b: &[u8], c: &str, d: &mut [[u32; 3]]) -> u64 {
    a.reverse();
    a.len() as u64 + b.len() as u64 * 10 + c.len() as u64 * 100 + d.as_flattened_mut().len() as u64 * 1000
}

/// Writes all bytes of the slice, from both ends to the middle.
#[rustgo::export]
pub fn whole(a: &mut [u8], with: u8) {
    let (mut from, mut to) = (0, a.len());
    while from < to {
        to -= 1;
        a[from] = with;
        a[to] = with;
        from += 1;
    }
}
