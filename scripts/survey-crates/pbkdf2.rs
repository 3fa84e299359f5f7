//@ pbkdf2 = { version = "=0.12.2", default-features = false, features = ["hmac"] }
//@ sha2 = { version = "=0.10.9", default-features = false }
//! Derives a key from a password.
#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let (password, salt) = input.split_at(input.len() / 2);
    let mut key = [0; 50];
    pbkdf2::pbkdf2_hmac::<sha2::Sha512>(password, salt, 1 + input.len() as u32 % 30, &mut key);
    put(out, &key)
}
