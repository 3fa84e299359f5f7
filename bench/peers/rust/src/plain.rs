//! The bodies of the measured functions, as in fixtures/bordercost/rust/src/lib.rs.

pub fn increment(x: u64) -> u64 {
    x.wrapping_add(1)
}

pub fn slice(x: u64, xs: &[u64]) -> u64 {
    x.wrapping_add(xs.len() as u64)
}

pub fn text(x: u64, text: &str) -> u64 {
    x.wrapping_add(text.len() as u64)
}

pub fn turn(x: u64, y: u64, z: u64) -> (u64, u64, u64) {
    (y, z, x.wrapping_add(1))
}

pub fn half(x: u64) -> Option<u64> {
    x.is_multiple_of(2).then_some(x / 2)
}

pub fn list(x: u64) -> Vec<u64> {
    vec![x.wrapping_add(1); 16]
}

pub fn message(x: u64) -> String {
    String::from_utf8_lossy(&[b'a' + (x % 26) as u8; 16]).into_owned()
}
