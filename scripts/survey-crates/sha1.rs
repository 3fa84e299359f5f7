//@ sha1 = { version = "=0.10.6", default-features = false }
//! Hashes with SHA-1, in several updates. Uses the SHA instructions if the processor has them.
use sha1::{Digest, Sha1};

#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let mut hash = Sha1::new();
    for part in input.chunks(1 + input.len() % 71) {
        hash.update(part);
    }
    put(out, &hash.finalize())
}
