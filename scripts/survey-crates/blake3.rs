//@ blake3 = { version = "=1.8.7", default-features = false }
//! Computes BLAKE3 hashes, keyed hashes, and output of any length.
#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let mut hasher = blake3::Hasher::new_derive_key("survey 2026");
    for part in input.chunks(700) {
        hasher.update(part);
    }
    let mut bytes = [0; 331];
    hasher.finalize_xof().fill(&mut bytes[64..]);
    bytes[..32].copy_from_slice(blake3::hash(input).as_bytes());
    bytes[32..64].copy_from_slice(blake3::keyed_hash(&[7; 32], input).as_bytes());
    put(out, &bytes)
}
