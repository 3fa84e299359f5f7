//! Rules of the format (RFC 8878) that the library does not check on every path.

use zstd::zstd_safe;

/// The longest header of a frame, with the magic number (section 3.1.1.1).
const LONGEST_HEADER: usize = 18;
/// The longest content of a block (section 3.1.1.2.4).
const LONGEST_BLOCK: u64 = 128 << 10;

/// A frame that is decompressed in parts.
#[derive(Default)]
pub struct Frame {
    /// The first `read` bytes of the frame.
    start: [u8; LONGEST_HEADER],
    read: usize,
    /// The length of the content that has been returned so far.
    written: u64,
}

impl Frame {
    /// Reports whether nothing of the frame has been read.
    pub fn is_new(&self) -> bool {
        self.read == 0
    }

    /// Notes that `source` has been read and that `written` bytes of content have been returned.
    pub fn continues(&mut self, source: &[u8], written: usize) {
        let new = source.len().min(LONGEST_HEADER - self.read);
        self.start[self.read..][..new].copy_from_slice(&source[..new]);
        self.read += new;
        self.written += written as u64;
    }

    /// Reports, at the end of the content, whether its length is the length that the header states. The library does not compare the two in a
    /// stream if the last block is empty.
    pub fn has_stated_size(&self) -> bool {
        let stated = zstd_safe::get_frame_content_size(&self.start[..self.read]).ok().flatten();
        stated.is_none_or(|stated| stated == self.written)
    }
}

/// Reports whether each block of the frame that begins `source` has at most Block_Maximum_Size bytes (section 3.1.1.2.4). The library checks
/// this only if it decompresses a frame in parts. It always does so with a frame that does not end in `source`, so the result for such a frame
/// does not matter.
pub fn blocks_fit(source: &[u8]) -> bool {
    all_blocks_fit(source).unwrap_or(true)
}

/// Returns the result of `blocks_fit`; `None` if `source` is not a whole frame.
fn all_blocks_fit(source: &[u8]) -> Option<bool> {
    let rest = source.strip_prefix(&[0x28, 0xb5, 0x2f, 0xfd])?;
    let (&descriptor, rest) = rest.split_first()?;
    let is_single_segment = descriptor & 0x20 != 0;
    let dictionary = [0, 1, 2, 4][usize::from(descriptor & 3)];
    let size = [usize::from(is_single_segment), 2, 4, 8][usize::from(descriptor >> 6)];
    let (window, mut rest) = if is_single_segment {
        (zstd_safe::get_frame_content_size(source).ok()??, rest.get(dictionary + size..)?)
    } else {
        let (exponent, eighths) = (rest.first()? >> 3, u64::from(rest.first()? & 7));
        let base = 1u64 << (10 + exponent);
        (base + base / 8 * eighths, rest.get(1 + dictionary + size..)?)
    };
    let longest = window.min(LONGEST_BLOCK);
    loop {
        let (header, blocks) = rest.split_first_chunk::<3>()?;
        let header = u32::from_le_bytes([header[0], header[1], header[2], 0]);
        let (is_last, is_repeated, length) = (header & 1 != 0, header >> 1 & 3 == 1, header >> 3);
        if u64::from(length) > longest {
            return Some(false);
        }
        if is_last {
            return Some(true);
        }
        rest = blocks.get(if is_repeated { 1 } else { length as usize }..)?;
    }
}
