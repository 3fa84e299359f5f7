#![allow(unused)]

#[rustgo::export]
pub unsafe fn unsafety(x: u8) {}

#[rustgo::export]
pub async fn asynchronous(x: u8) {}

#[rustgo::export]
pub extern "C" fn foreign(x: u8) {}

#[rustgo::export]
pub fn generic<T>(x: T) {}

#[rustgo::export]
pub fn generic_length<const N: usize>(x: &[u8; N]) {}

#[rustgo::export]
pub fn forever<'a: 'static>(x: &'a [u8]) {}

#[rustgo::export]
pub fn clause(x: u8)
where
    u8: Copy,
{
}

#[rustgo::export]
#[target_feature(enable = "avx2")]
pub fn features(x: u8) {}

#[rustgo::export]
pub fn patterns((a, b): (u8, u8), _: u8, [c]: &[u8; 1], ref d: u8) {}

#[rustgo::export]
pub fn conditional(#[cfg(unix)] x: u8) {}

struct Hash;

impl Hash {
    #[rustgo::export]
    pub fn method(&mut self, x: u8) {}
}

// Every refusal is told at once.
#[rustgo::export]
pub unsafe fn many(v: &Vec<u8>, s: &String) -> Box<u8> {
    loop {}
}

fn main() {
    // A refused function is there for its callers.
    unsafe { unsafety(1) }
}
