//@ uuid = { version = "=1.29.1", default-features = false, features = ["v5"] }
//! Makes a UUID from a name, formats it, and parses it.
use uuid::Uuid;

#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let id = Uuid::new_v5(&Uuid::NAMESPACE_URL, input);
    let n = id.hyphenated().encode_lower(out).len();
    out[n] = u8::from(Uuid::try_parse_ascii(&out[..n]).is_ok_and(|back| back == id));
    n + 1
}
