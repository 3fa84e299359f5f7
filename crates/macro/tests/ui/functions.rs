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

// One compilation must report all reasons for the refusal of a function.
#[rustgo::export]
pub unsafe fn many(v: &Vec<u8>, s: &String) -> Box<u8> {
    loop {}
}

fn main() {
    // A refused function stays callable from Rust.
    unsafe { unsafety(1) }
}

#[rustgo::export]
#[rustfmt::skip]
pub fn too_many(
    a0: u8, a1: u8, a2: u8, a3: u8, a4: u8, a5: u8, a6: u8, a7: u8, a8: u8, a9: u8, a10: u8, a11: u8, a12: u8, a13: u8, a14: u8, a15: u8,
    a16: u8, a17: u8, a18: u8, a19: u8, a20: u8, a21: u8, a22: u8, a23: u8, a24: u8, a25: u8, a26: u8, a27: u8, a28: u8, a29: u8, a30: u8, a31: u8,
    a32: u8, a33: u8, a34: u8, a35: u8, a36: u8, a37: u8, a38: u8, a39: u8, a40: u8, a41: u8, a42: u8, a43: u8, a44: u8, a45: u8, a46: u8, a47: u8,
    a48: u8, a49: u8, a50: u8, a51: u8, a52: u8, a53: u8, a54: u8, a55: u8, a56: u8, a57: u8, a58: u8, a59: u8, a60: u8, a61: u8, a62: u8, a63: u8,
    last: Option<&mut u8>,
) {}

#[rustgo::export]
#[rustfmt::skip]
impl Hash {
    pub fn too_many(
        &self,
        a0: u8, a1: u8, a2: u8, a3: u8, a4: u8, a5: u8, a6: u8, a7: u8, a8: u8, a9: u8, a10: u8, a11: u8, a12: u8, a13: u8, a14: u8, a15: u8,
        a16: u8, a17: u8, a18: u8, a19: u8, a20: u8, a21: u8, a22: u8, a23: u8, a24: u8, a25: u8, a26: u8, a27: u8, a28: u8, a29: u8, a30: u8, a31: u8,
        a32: u8, a33: u8, a34: u8, a35: u8, a36: u8, a37: u8, a38: u8, a39: u8, a40: u8, a41: u8, a42: u8, a43: u8, a44: u8, a45: u8, a46: u8, a47: u8,
        a48: u8, a49: u8, a50: u8, a51: u8, a52: u8, a53: u8, a54: u8, a55: u8, a56: u8, a57: u8, a58: u8, a59: u8, a60: u8, a61: u8, a62: u8, a63: u8,
    ) {}
}
