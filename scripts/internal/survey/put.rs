
/// Writes at most 4096 of the bytes, and a hash of all of them, to `out`. Panics if `out` is too short.
#[allow(dead_code)]
fn put(out: &mut [u8], bytes: &[u8]) -> usize {
    let n = bytes.len().min(4096);
    out[..n].copy_from_slice(&bytes[..n]);
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325u64, |h, &b| (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3));
    out[n..n + 8].copy_from_slice(&hash.to_le_bytes());
    n + 8
}
