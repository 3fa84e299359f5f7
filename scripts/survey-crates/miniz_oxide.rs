//@ miniz_oxide = { version = "=0.8.9", default-features = false }
//! Inflates a stream of deflate.
use miniz_oxide::inflate::core::{DecompressorOxide, decompress, inflate_flags};

#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    // 64 times "a", compressed with the fixed Huffman code and one match.
    const STREAM: [u8; 5] = [0x4b, 0x4c, 0xa4, 0x3d, 0x00];
    let mut state = DecompressorOxide::new();
    let flags = inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
    let (status, read, written) = decompress(&mut state, &STREAM, out, 0, flags);
    out[written] = status as i8 as u8;
    out[written + 1] = (read + input.len()) as u8;
    written + 2
}
