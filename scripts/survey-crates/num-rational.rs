//@ std
//@ num-rational = "=0.4.2"
//@ input: 355/113
//@ input: -12345678901234567890/9876543210
//! Computes with fractions of machine integers and of large integers.
use num_rational::{BigRational, Ratio};

#[rustgo::export(stack = "256k")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let mut text = match String::from_utf8_lossy(&input[..input.len().min(200)]).parse::<BigRational>() {
        Ok(x) => format!("{x} {} {} {}", &x * &x - x.recip(), x.round(), x.fract()),
        Err(error) => error.to_string(),
    };
    let mut sum = BigRational::from_float(0.1).unwrap();
    for pair in input.chunks_exact(2).take(60) {
        // new panics if the denominator is 0.
        sum += Ratio::new(pair[0].into(), (pair[1] ^ 0x55).into());
    }
    text += &format!(" {sum} {} {:?}", sum.floor(), Ratio::<i64>::approximate_float(input.len() as f64 / 7.3));
    text += &format!(" {:?}", Ratio::new(input.len() as i32, 12).cmp(&Ratio::new(7, 5)));
    put(out, text.as_bytes())
}
