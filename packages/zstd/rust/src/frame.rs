//! Rules of the format (RFC 8878) that the library does not check on every path.

use crate::error::Error;
use zstd::zstd_safe;

/// The length in bytes of the longest frame header, including the magic number (section 3.1.1.1).
const LONGEST_HEADER: usize = 18;
/// The largest number of bytes in the content of a block (section 3.1.1.2.4).
const LONGEST_BLOCK: u64 = 128 << 10;

/// A frame that is decompressed in parts.
#[derive(Default)]
pub struct Frame {
    /// The first `read` bytes of the frame; no more than the longest header has.
    start: [u8; LONGEST_HEADER],
    read: usize,
    /// The number of bytes of content that have been returned so far.
    written: u64,
}

impl Frame {
    /// Reports whether no byte of the frame has been read.
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

    /// Reports whether all the content has the length that the header states, or the header states none. Call this at the end of the frame. The
    /// library does not compare the lengths in a stream whose last block is empty.
    pub fn has_stated_size(&self) -> bool {
        let stated = zstd_safe::get_frame_content_size(&self.start[..self.read]).ok().flatten();
        stated.is_none_or(|stated| stated == self.written)
    }
}

/// Reports whether each block of the frame at the start of `source` has at most Block_Maximum_Size bytes (section 3.1.1.2.4). The library checks this
/// only when it decompresses a frame in parts. A frame that does not end in `source` is always decompressed in parts, so the result for such a frame
/// does not matter.
pub fn blocks_fit(source: &[u8]) -> bool {
    all_blocks_fit(source).unwrap_or(true)
}

/// Returns the result of `blocks_fit`; `None` if `source` ends before the frame's last block and before any block that is too long, or has no frame
/// header.
fn all_blocks_fit(source: &[u8]) -> Option<bool> {
    let Header { window, mut rest, .. } = header(source)?;
    let longest = window.min(LONGEST_BLOCK);
    loop {
        let block;
        (block, rest) = Block::split(rest)?;
        if block.length > longest {
            return Some(false);
        }
        if block.is_last {
            return Some(true);
        }
        rest = rest.get(block.stored()..)?;
    }
}

/// The magic number, the first bytes of a frame (section 3.1.1).
const MAGIC: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];

/// The header of a frame (section 3.1.1.1), and the bytes after it.
struct Header<'s> {
    window: u64,
    has_checksum: bool,
    rest: &'s [u8],
}

/// Reads the header of the frame at the start of `source`; `None` if the header is incomplete or has another magic number.
fn header(source: &[u8]) -> Option<Header<'_>> {
    let (&descriptor, rest) = source.strip_prefix(MAGIC)?.split_first()?;
    let is_single_segment = descriptor & 0x20 != 0;
    let dictionary = [0, 1, 2, 4][usize::from(descriptor & 3)];
    let size = [usize::from(is_single_segment), 2, 4, 8][usize::from(descriptor >> 6)];
    let (window, rest) = if is_single_segment {
        (zstd_safe::get_frame_content_size(source).ok()??, rest.get(dictionary + size..)?)
    } else {
        let (exponent, eighths) = (rest.first()? >> 3, u64::from(rest.first()? & 7));
        let base = 1u64 << (10 + exponent);
        (base + base / 8 * eighths, rest.get(1 + dictionary + size..)?)
    };
    Some(Header { window, has_checksum: descriptor & 4 != 0, rest })
}

/// The header of a block (section 3.1.1.2).
struct Block {
    is_last: bool,
    kind: u32,
    length: u64,
}

impl Block {
    const REPEATED: u32 = 1;
    const COMPRESSED: u32 = 2;
    const RESERVED: u32 = 3;

    /// Splits the header of a block off the start of `source`; `None` if `source` is too short.
    fn split(source: &[u8]) -> Option<(Self, &[u8])> {
        let (header, rest) = source.split_first_chunk::<3>()?;
        let header = u32::from_le_bytes([header[0], header[1], header[2], 0]);
        Some((Self { is_last: header & 1 != 0, kind: header >> 1 & 3, length: u64::from(header >> 3) }, rest))
    }

    /// The number of bytes that the block takes after its header.
    fn stored(&self) -> usize {
        if self.kind == Self::REPEATED { 1 } else { self.length as usize }
    }
}

/// Bounds of the frames in a source, computed from the headers of frames and blocks.
#[derive(Default)]
pub struct Extent {
    /// An upper bound of the length of the content, in bytes.
    pub most: u64,
    /// The size in bytes of the largest window of a frame.
    pub window: u64,
}

impl Extent {
    /// Reads the headers of the frames and blocks in `source`, up to the first fault.
    pub fn read(&mut self, mut source: &[u8]) -> Result<(), Error> {
        while !source.is_empty() {
            source = self.frame(source)?;
        }
        Ok(())
    }

    /// Reads the headers of the first frame, and returns the bytes after the frame.
    fn frame<'s>(&mut self, source: &'s [u8]) -> Result<&'s [u8], Error> {
        let begin = &source[..source.len().min(MAGIC.len())];
        // A skippable frame (section 3.1.2).
        if let [0x50..=0x5f, 0x2a, 0x4d, 0x18] = *begin {
            let length = source[4..].first_chunk().map(|&length| u32::from_le_bytes(length) as usize).ok_or(Error::Truncated)?;
            return source[8..].get(length..).ok_or(Error::Truncated);
        }
        let is_part = |magic: &[u8]| magic.starts_with(begin);
        let is_skippable = begin[0] >> 4 == 5 && is_part(&[begin[0], 0x2a, 0x4d, 0x18]);
        if !is_part(MAGIC) && !is_skippable {
            return Err(Error::UnknownFrame);
        }
        let Header { window, has_checksum, mut rest } = header(source).ok_or(Error::Truncated)?;
        self.window = self.window.max(window);
        let longest = window.min(LONGEST_BLOCK);
        loop {
            let block;
            (block, rest) = Block::split(rest).ok_or(Error::Truncated)?;
            if block.kind == Block::RESERVED || block.length > longest {
                return Err(Error::Corrupt);
            }
            self.most += if block.kind == Block::COMPRESSED { longest } else { block.length };
            rest = rest.get(block.stored()..).ok_or(Error::Truncated)?;
            if block.is_last {
                return rest.get(if has_checksum { 4 } else { 0 }..).ok_or(Error::Truncated);
            }
        }
    }
}
