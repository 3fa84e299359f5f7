//@ simdutf8 = { version = "=0.1.5", default-features = false }
//! Validates UTF-8. Uses vector instructions if the compilation target has them.
#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    out[0] = u8::from(simdutf8::basic::from_utf8(input).is_ok());
    1
}
