//@ std
//@ argon2 = { version = "=0.5.3", default-features = false, features = ["alloc", "password-hash"] }
//@ input: $argon2id$v=19$m=16,t=1,p=1$c29tZXNhbHQ$K7z3Vt1LnWtMRTwo1Lv0Hw
//! Argon2: derives keys at low cost, and parses password hashes.
use argon2::{Algorithm, Argon2, Params, PasswordHash, PasswordVerifier, Version};

#[rustgo::export(stack = "256k")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let (password, salt) = input.split_at(input.len() / 2);
    let kind = [Algorithm::Argon2d, Algorithm::Argon2i, Algorithm::Argon2id][input.len() % 3];
    let mut key = [0; 33];
    let mut text = match Params::new(8 + input.len() as u32 % 40, 1 + input.len() as u32 % 2, 1 + input.len() as u32 % 3, Some(33)) {
        Ok(params) => format!("{:?}", Argon2::new(kind, Version::V0x13, params).hash_password_into(password, salt, &mut key)),
        Err(error) => error.to_string(),
    };
    text += &match PasswordHash::new(&String::from_utf8_lossy(input)) {
        Ok(hash) if hash.params.get_decimal("m").is_some_and(|m| m < 5000) && hash.params.get_decimal("t").is_some_and(|t| t < 20) => {
            format!("{hash} {:?}", Argon2::default().verify_password(b"password", &hash))
        }
        Ok(hash) => hash.to_string(),
        Err(error) => error.to_string(),
    };
    put(out, &[&key, text.as_bytes()].concat())
}
