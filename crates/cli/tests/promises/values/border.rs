//! Exports with pointers to single values, with nil pointers as `None`, with optional results, and with named results.
#![no_std]
use rustgo::Handle;

#[rustgo::export]
pub fn increment(x: &mut u64, by: &u8) -> u64 {
    *x += u64::from(*by);
    *x
}

#[rustgo::export]
pub fn sum(x: Option<&u64>, y: Option<&[u32; 2]>, z: Option<&mut i16>) -> i64 {
    let first = x.map_or(1_000, |x| *x as i64);
    let second = y.map_or(100, |[a, b]| i64::from(a + b));
    let third = z.map_or(10, |z| {
        *z = -*z;
        i64::from(*z)
    });
    first + second + third
}

/// Changes the value behind each pointer: inverts or negates it, or replaces the character. There is a parameter of every kind of scalar type.
#[rustgo::export]
#[allow(clippy::too_many_arguments)]
pub fn flip(a: &mut u8, b: &mut i16, c: &mut f32, d: &mut f64, e: &mut bool, f: &mut char, g: &mut isize, h: &mut usize) {
    (*a, *b, *c, *d) = (!*a, !*b, -*c, -*d);
    (*e, *f, *g, *h) = (!*e, if *f == 'a' { 'é' } else { 'a' }, !*g, !*h);
}

#[rustgo::export]
pub fn character(c: &char, maybe: Option<&char>) -> u32 {
    u32::from(*c) + maybe.map_or(0, |&c| u32::from(c))
}

#[rustgo::export]
pub fn handle(to: &mut Handle, maybe: &mut Option<Handle>, from: &Handle) {
    *maybe = Some(*to);
    *to = *from;
}

#[rustgo::export(results(quotient, remainder, ok))]
pub fn divide(a: u32, b: u8) -> Option<(u32, u8)> {
    Some((a.checked_div(u32::from(b))?, (a % u32::from(b)) as u8))
}

#[rustgo::export(results(start, end_of_word))]
pub fn word(text: &str) -> (usize, usize) {
    let start = text.find(|c: char| !c.is_whitespace()).unwrap_or(text.len());
    (start, text[start..].find(char::is_whitespace).map_or(text.len(), |end| start + end))
}

#[rustgo::export]
pub fn first(text: &str) -> Option<char> {
    text.chars().next()
}

#[rustgo::export]
pub fn position(of: u8, data: &[u8]) -> Option<usize> {
    data.iter().position(|&byte| byte == of)
}

#[rustgo::export]
pub fn half(x: f64) -> Option<f64> {
    (x != 0.0).then_some(x / 2.0)
}

#[rustgo::export]
pub fn truth(x: i8) -> Option<bool> {
    (x >= 0).then_some(x > 0)
}

/// In Go the option's bool is the last of nine results.
#[rustgo::export]
#[allow(clippy::type_complexity)]
pub fn many(x: u64) -> Option<(u8, u64, bool, i16, f32, char, i8, u32)> {
    (x != 0).then_some((x as u8, x, true, -1, 0.5, 'x', -2, x as u32))
}
