//@ md-5 = { version = "=0.10.6", default-features = false }
//! Hashes with MD5, in several updates.
use md5::{Digest, Md5};

#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let mut hash = Md5::new();
    for part in input.chunks(1 + input.len() % 71) {
        hash.update(part);
    }
    put(out, &hash.finalize())
}
