//@ support: heap
//@ fastrand = { version = "=2.5.0", default-features = false, features = ["alloc"] }
//! Generates random numbers from a seed.
extern crate alloc;
use alloc::{format, vec::Vec};

#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let mut rng = fastrand::Rng::with_seed(input.iter().fold(7, |n, &b| n * 31 ^ u64::from(b)));
    let mut some: Vec<u8> = input.to_vec();
    rng.shuffle(&mut some);
    let mut text = format!("{} {} {:?} {}", rng.f64(), rng.char('a'..='ÿ'), rng.choose_multiple(input.iter(), 5), rng.bool());
    // An empty range panics.
    text += &format!("{} {}", rng.usize(..input.len()), rng.i128(-5..1 << 90));
    text.extend((0..20).map(|_| rng.alphanumeric()));
    some.extend_from_slice(text.as_bytes());
    put(out, &some)
}
