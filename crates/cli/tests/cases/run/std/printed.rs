//! print!, eprintln! and dbg! have no side effects on other code. A promise tests that the output arrives.

#[rustgo::export(stack = "64k")]
pub fn to_errors(x: u64) -> u64 {
    if x % 100 > 2 {
        return x;
    }
    eprintln!("{x} is {}", if x.is_multiple_of(2) { "even" } else { "odd" });
    dbg!(x * 2) / 2
}

#[rustgo::export(stack = "64k")]
pub fn formatted(x: u64) -> u64 {
    let number = x as f64 / 7.0;
    let text = format!("{x:>12}|{number:.3}|{number:e}|{:?}|{:#x?}", (x, "\u{e9}\n"), Some([x as u8]));
    text.bytes().fold(0, |sum: u64, byte| sum.wrapping_mul(31).wrapping_add(u64::from(byte)))
}
