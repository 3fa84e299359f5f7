//! Every type that can cross the boundary, names that are reserved in Go, and documentation.
#![no_std]

/// Scalars takes one of each number.
///
/// The second paragraph stays one. A list:
///
/// - first
/// - second
#[rustgo::export]
pub fn scalars(a: u8, b: i8, c: u16, d: i16, e: u32, f: i32, g: u64, h: i64) -> u64 {
    u64::from(a) + b as u64 + u64::from(c) + d as u64 + u64::from(e) + f as u64 + g + h as u64
}

/// `others` takes a `usize` and returns three results.
#[rustgo::export]
pub fn others(len: usize, offset: isize, flag: bool, x: f32, y: f64) -> (usize, f64, bool) {
    (len.wrapping_add_signed(offset), f64::from(x) + y, !flag)
}

#[rustgo::export]
pub fn memory(dst: &mut [u8; 32], table: &[[u32; 4]; 8], src: &[u16], out: &mut [f64], text: &str, c: char) -> usize {
    dst[0] = table[0][0] as u8;
    if let (Some(to), Some(&from)) = (out.first_mut(), src.first()) {
        *to = f64::from(from);
    }
    text.len() + c.len_utf8()
}

#[rustgo::export(name = "Keywords")]
pub fn go_words(func: u8, r#type: u8, range: u8, string: u8) -> u8 {
    func ^ r#type ^ range ^ string
}

pub mod inner {
    /// Deep lies in a module.
    #[rustgo::export]
    pub fn deep() {}
}
