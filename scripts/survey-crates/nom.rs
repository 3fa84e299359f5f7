//@ nom = { version = "=8.0.0", default-features = false }
//! Parses a list of numbers.
use nom::{
    IResult, Parser,
    character::complete::{char, u32},
    multi::fold_many1,
    sequence::terminated,
};

fn sum(text: &[u8]) -> IResult<&[u8], u32> {
    fold_many1(terminated(u32, char(';')), || 0, |sum: u32, n| sum.wrapping_add(n)).parse(text)
}

#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let text = b"1;22;333;4444;x";
    let (rest, sum) = sum(&text[input.len() % 2..]).unwrap_or((b"none", 0));
    out[..4].copy_from_slice(&sum.to_le_bytes());
    out[4] = rest.len() as u8;
    5
}
