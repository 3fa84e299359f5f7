//@ std
//@ lzma-rs = "=0.3.0"
//! LZMA and xz: compresses, decompresses, and decompresses damaged data.
#[rustgo::export(stack = "256k")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let (mut packed, mut xz, mut back) = (vec![], vec![], vec![]);
    lzma_rs::lzma_compress(&mut &input[..], &mut packed).unwrap();
    lzma_rs::lzma_decompress(&mut &packed[..], &mut back).unwrap();
    assert_eq!(back, input);
    lzma_rs::xz_compress(&mut &input[..], &mut xz).unwrap();
    if let Some(byte) = xz.get_mut(usize::from(input.first().copied().unwrap_or(3))) {
        *byte ^= 1 << (input.len() % 8);
    }
    back.clear();
    let result = lzma_rs::xz_decompress(&mut &xz[..], &mut back);
    packed.extend_from_slice(format!("{result:?} {}", back.len()).as_bytes());
    back.clear();
    let result = lzma_rs::lzma_decompress(&mut &packed[packed.len() / 2..], &mut back);
    packed.extend_from_slice(format!("{result:?} {}", back.len()).as_bytes());
    put(out, &packed)
}
