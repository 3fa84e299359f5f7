//! The segments of a file, as annex B of ITU-T T.81 describes them.
//!
//! If a scan ends too early, the crate decodes the missing blocks as if zeros followed, and reports nothing. [`sealed`] makes a copy of the file in
//! which ones follow each part of a scan. No code of a Huffman table consists of ones (section C.2), and the crate refuses tables with such a code.
//! So a decoder that reads beyond the end of a part finds an invalid code. A decoder that stops at the end never sees the ones.

use crate::{Failure, Reason};

const SOI: u8 = 0xd8;
const EOI: u8 = 0xd9;
const SOS: u8 = 0xda;

/// Bytes with eight ones each, followed by the zero byte that a scan needs after 0xff.
const ONES: [u8; 512] = {
    let mut bytes = [0; 512];
    let mut i = 0;
    while i < bytes.len() {
        bytes[i] = 0xff;
        i += 2;
    }
    bytes
};
/// The first 16 bytes of `ONES`, which have 64 ones. A code that began before the ones may end in them, and up to 15 bits may follow it. The rest of
/// the 64 ones contains a whole invalid code.
const FEW: usize = 16;

/// Reads the segments of a file in order.
pub struct Segments<'f> {
    file: &'f [u8],
    at: usize,
}

impl<'f> Segments<'f> {
    pub fn new(file: &'f [u8]) -> Self {
        Self { file, at: 0 }
    }

    /// Returns the next marker and its segment. The segment begins with its length, two bytes. It is empty for a marker without parameters. As in
    /// most decoders, other bytes between segments are skipped, and so are the markers TEM and RST0 to RST7.
    pub fn next(&mut self) -> Result<(u8, &'f [u8]), Failure> {
        let ended = || Failure::new(Reason::Truncated, "the file ends before the end of the picture");
        loop {
            self.at += position_of_ff(&self.file[self.at..]).ok_or_else(ended)?;
            while self.file.get(self.at) == Some(&0xff) {
                self.at += 1;
            }
            let marker = *self.file.get(self.at).ok_or_else(ended)?;
            self.at += 1;
            match marker {
                0 | 0x01 | 0xd0..=0xd7 => continue,
                SOI | EOI => return Ok((marker, &[])),
                _ => {}
            }
            let rest = &self.file[self.at..];
            let length = usize::from(u16::from_be_bytes(*rest.first_chunk().ok_or_else(ended)?));
            if length < 2 {
                return Err(Failure::new(Reason::Corrupt, "a segment has an invalid length"));
            }
            self.at += length;
            return Ok((marker, rest.get(..length).ok_or_else(ended)?));
        }
    }

    /// Reports whether the data of a scan follows.
    fn has_data(&self) -> bool {
        match self.file[self.at..] {
            [] | [0xff] => false,
            [0xff, next, ..] => next == 0,
            _ => true,
        }
    }

    /// Appends the data of a scan to `out`, with `ones` after each part: before each restart marker and at the end. Returns the number of bytes of
    /// the scan's data, without markers and without the zeros after 0xff.
    fn scan(&mut self, out: &mut Vec<u8>, ones: &[u8]) -> usize {
        let (mut begin, mut stuffed) = (self.at, 0);
        let before = out.len();
        loop {
            let ff = self.at + position_of_ff(&self.file[self.at..]).unwrap_or(self.file.len() - self.at);
            let part = &self.file[begin..ff];
            let next = self.file.get(ff + 1).copied();
            match next {
                Some(0) => {
                    self.at = ff + 2;
                    stuffed += 1;
                    continue;
                }
                // A marker may begin with any number of 0xff. Drop all of them but the last.
                Some(0xff) => {
                    out.extend_from_slice(part);
                    self.at = ff + 1;
                    begin = self.at;
                    continue;
                }
                _ => {}
            }
            out.extend_from_slice(part);
            out.extend_from_slice(ones);
            stuffed += ones.len();
            match next {
                Some(0xd0..=0xd7) => {
                    out.extend_from_slice(&self.file[ff..ff + 2]);
                    stuffed += 2;
                    self.at = ff + 2;
                    begin = self.at;
                }
                _ => {
                    self.at = ff;
                    return out.len() - before - stuffed;
                }
            }
        }
    }
}

/// Returns the position of the first byte 0xff. The compiler makes vector instructions of the loop over pieces.
fn position_of_ff(bytes: &[u8]) -> Option<usize> {
    let without = |piece: &&[u8]| !piece.iter().fold(false, |found, &byte| found | (byte == 0xff));
    let skipped = bytes.chunks_exact(32).take_while(without).count() * 32;
    bytes[skipped..].iter().position(|&byte| byte == 0xff).map(|at| skipped + at)
}

/// Refuses a picture with a feature that the crate does not decode, because the crate would report such a picture as damaged.
pub fn supported(file: &[u8]) -> Result<(), Failure> {
    let mut segments = Segments::new(file);
    // The crate reports the damage that ends this loop.
    while let Ok((marker, segment)) = segments.next() {
        let feature = match marker {
            0xc0..=0xc2 => match segment.get(2) {
                Some(&bits) if bits != 8 => format!("components of {bits} bits"),
                _ => return Ok(()),
            },
            0xc3 => "lossless coding".to_owned(),
            0xc5..=0xc7 => "hierarchical coding".to_owned(),
            0xc9..=0xcb | 0xcd..=0xcf => "arithmetic coding".to_owned(),
            SOS | EOI => return Ok(()),
            _ => continue,
        };
        return Err(Failure::new(Reason::Unsupported, &feature));
    }
    Ok(())
}

/// Fails if no data follows the header of the first scan.
pub fn has_data(file: &[u8]) -> Result<(), Failure> {
    let mut segments = Segments::new(file);
    while segments.next()?.0 != SOS {}
    if segments.has_data() { Ok(()) } else { Err(ends_early()) }
}

/// The failure for a scan that ends too early.
pub fn ends_early() -> Failure {
    Failure::new(Reason::Truncated, "a scan ends before its last block")
}

/// The properties of a picture that determine the number of blocks in a scan.
struct Frame {
    is_progressive: bool,
    size: (usize, usize),
    /// The identifier and the horizontal and vertical sampling factors of each component.
    components: Vec<(u8, usize, usize)>,
}

impl Frame {
    /// Reads the segment of an SOF marker.
    fn new(marker: u8, segment: &[u8]) -> Option<Self> {
        let number = |at: usize| Some(usize::from(u16::from_be_bytes(*segment.get(at..)?.first_chunk()?)));
        let components = segment.get(8..)?.chunks_exact(3).map(|c| (c[0], usize::from(c[1] >> 4), usize::from(c[1] & 15)));
        Some(Self { is_progressive: marker == 0xc2, size: (number(5)?, number(3)?), components: components.collect() })
    }

    /// Returns the number of blocks in a scan with these components.
    fn blocks(&self, identifiers: impl Iterator<Item = u8>) -> usize {
        let of = |name: u8| self.components.iter().find(|c| c.0 == name).map_or((1, 1), |&(_, h, v)| (h, v));
        let factors: Vec<(usize, usize)> = identifiers.map(of).collect();
        let largest = |factor: fn(&(u8, usize, usize)) -> usize| self.components.iter().map(factor).max().unwrap_or(1).max(1) * 8;
        let (width, height) = (largest(|c| c.1), largest(|c| c.2));
        match factors[..] {
            [(h, v)] => (self.size.0 * h).div_ceil(width) * (self.size.1 * v).div_ceil(height),
            _ => self.size.0.div_ceil(width) * self.size.1.div_ceil(height) * factors.iter().map(|(h, v)| h * v).sum::<usize>(),
        }
    }
}

/// Returns a copy of the file in which the crate notices a scan that ends too early. The copy has no metadata, no bytes between the segments, and
/// nothing after the first EOI.
pub fn sealed(file: &[u8]) -> Result<Vec<u8>, Failure> {
    let mut segments = Segments::new(file);
    segments.next()?;
    let mut out = Vec::with_capacity(file.len() + file.len() / 64 + 2048);
    out.extend_from_slice(&[0xff, SOI]);
    let (mut frame, mut scans) = (None, 0);
    loop {
        let (marker, segment) = segments.next()?;
        match marker {
            EOI => break,
            SOI => continue,
            // Metadata. APP0 and APP14 are kept, because they tell how the colours are stored.
            0xe1..=0xed | 0xef | 0xfe => continue,
            0xc0..=0xc2 => frame = Frame::new(marker, segment),
            _ => {}
        }
        let header = [0xff, marker];
        if marker != SOS {
            out.extend_from_slice(&header);
            out.extend_from_slice(segment);
            continue;
        }
        scans += 1;
        // The crate reports other wrong headers.
        let [_, _, count, selectors @ .., first, _, approximation] = segment else {
            return Err(Failure::new(Reason::Corrupt, "a scan has a short header"));
        };
        let (is_dc, refines) = (*first == 0, approximation >> 4 != 0);
        let ones = match &frame {
            // The crate needs the marker after the first scan before it has read all of that scan. So the copy gets another scan first. This scan
            // changes nothing, because it refines coefficients by zero bits.
            Some(frame) if frame.is_progressive && scans == 1 && is_dc => {
                out.extend_from_slice(&header);
                out.extend_from_slice(&segment[..segment.len() - 3]);
                out.extend_from_slice(&[0, 0, 0x10, 0]);
                &ONES[..FEW]
            }
            Some(frame) if frame.is_progressive && scans == 1 => &[],
            // A scan that refines the other coefficients may have many bits after a code.
            Some(frame) if frame.is_progressive && refines && !is_dc => &ONES[..],
            Some(frame) if frame.is_progressive => &ONES[..FEW],
            // In a sequential picture with several scans, the crate needs the markers between the scans. So only a scan of all components gets ones.
            Some(frame) if usize::from(*count) == frame.components.len() => &ONES[..FEW],
            _ => &[],
        };
        out.extend_from_slice(&header);
        out.extend_from_slice(segment);
        let length = segments.scan(&mut out, ones);
        // A scan that refines the first coefficients has no codes, only one bit for each block. So ones would not show that it ends early.
        if let Some(frame) = frame.as_ref().filter(|frame| frame.is_progressive && is_dc && refines)
            && length * 8 < frame.blocks(selectors.chunks_exact(2).map(|selector| selector[0]))
        {
            return Err(ends_early());
        }
    }
    out.extend_from_slice(&[0xff, EOI]);
    Ok(out)
}
