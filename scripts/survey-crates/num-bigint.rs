//@ std
//@ num-bigint = "=0.4.8"
//@ num-integer = "0.1"
//@ input: 123456789012345678901234567890
//@ input: -98765432109876543210987654321098765432109876543210
//! Computes with large integers.
use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;

#[rustgo::export(stack = "256k")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let a = BigInt::from_bytes_be(if input.len() % 2 == 0 { Sign::Plus } else { Sign::Minus }, &input[..input.len().min(900)]);
    let b = BigInt::from_bytes_le(Sign::Plus, &input[..input.len() / 3]) + 3;
    let mut text = match String::from_utf8_lossy(input).parse::<BigInt>() {
        Ok(n) => format!("{n:x} {}", &n * &n * &n),
        Err(error) => error.to_string(),
    };
    text += &format!(" {} {:x}", &a * &b, &a - &b);
    // div_mod_floor would panic for b = 0, but b is at least 3.
    let (q, r) = a.div_mod_floor(&b);
    text += &format!(" {q} {r} {} {:?}", a.gcd(&b), a.to_string().parse::<BigInt>() == Ok(a.clone()));
    let m = (BigUint::from(1u8) << 521) - 1u8;
    let small: BigUint = b.magnitude() % &m;
    text += &format!(" {} {}", small.modpow(&BigUint::from(65537u32), &m), a.magnitude().sqrt());
    put(out, text.as_bytes())
}
