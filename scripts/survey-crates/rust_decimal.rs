//@ support: heap
//@ rust_decimal = { version = "=1.43.0", default-features = false }
//! Computes with decimal numbers.
use rust_decimal::Decimal;

#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let a = Decimal::new(input.len() as i64 * 31_415 + 7, 4);
    let b = Decimal::new(271_828, 5);
    let Some(q) = a.checked_div(b) else { return 0 };
    let r = (q * a + b).round_dp(9);
    out[..16].copy_from_slice(&r.serialize());
    16
}
