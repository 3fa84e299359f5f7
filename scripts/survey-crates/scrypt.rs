//@ std
//@ scrypt = { version = "=0.11.0", default-features = false }
//! Derives a key from a password with a memory-hard function.
#[rustgo::export(stack = "256k")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let mut key = [0; 40];
    let text = match scrypt::Params::new(input.len() as u8 % 5, 1 + input.len() as u32 % 3, 2, 40) {
        Ok(params) => format!("{:?}", scrypt::scrypt(input, b"salt", &params, &mut key)),
        Err(error) => error.to_string(),
    };
    put(out, &[&key, text.as_bytes()].concat())
}
