//@ std
//@ bcrypt = { version = "=0.17.1", default-features = false, features = ["alloc"] }
//@ input: $2b$04$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy
//! Hashes passwords at the lowest cost, and parses the input as a password hash.
use bcrypt::{HashParts, Version};

#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let mut salt = [5; 16];
    let n = input.len().min(16);
    salt[..n].copy_from_slice(&input[..n]);
    let parts = bcrypt::hash_with_salt(&input[..input.len().min(80)], 4, salt).unwrap();
    let mut text = parts.format_for_version(Version::TwoY);
    text += &match String::from_utf8_lossy(input).parse::<HashParts>() {
        Ok(parts) => format!("{} {}", parts.get_cost(), parts.get_salt()),
        Err(error) => error.to_string(),
    };
    put(out, text.as_bytes())
}
