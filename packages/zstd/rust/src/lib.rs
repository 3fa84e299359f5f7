//! Contexts and dictionaries of the C library libzstd, as objects for the Go files of the package.

mod error;
mod frame;

use error::{Error, failed};
use frame::{Extent, Frame};
use std::sync::Arc;
use zstd::zstd_safe::zstd_sys::ZSTD_EndDirective;
use zstd::zstd_safe::{self, CCtx, CDict, CParameter, DCtx, DDict, DParameter, InBuffer, OutBuffer, ResetDirective};

/// A Dict is a prepared dictionary. Several goroutines may use one Dict at once. Its memory lies outside of Go's heap, and is freed after the garbage
/// collector has found the Dict unreachable.
// A context shares the ownership of its dictionary, because the library's context keeps a pointer to the dictionary.
#[rustgo::object]
pub struct Dict(Arc<Prepared>);

struct Prepared {
    compress: CDict<'static>,
    decompress: DDict<'static>,
}

#[rustgo::export(stack = "128k")]
impl Dict {
    /// NewDict prepares a dictionary for decompression, and for compression at a level. The data is a dictionary made by zstd --train, or a sample of
    /// the data to be compressed. NewDict copies the data.
    #[rustgo::export(blocking_over = 16384)]
    pub fn new(data: &[u8], level: isize) -> Result<Self, Error> {
        let compress = CDict::try_create(data, clamp(level)).ok_or(Error::CorruptDict)?;
        let decompress = DDict::try_create(data).ok_or(Error::CorruptDict)?;
        Ok(Self(Arc::new(Prepared { compress, decompress })))
    }

    fn share(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

/// A directive says whether compressPart may hold output back.
#[derive(Clone, Copy, PartialEq, rustgo::Value)]
#[rustgo(name = "directive")]
#[repr(u8)]
pub enum Directive {
    /// Output may be held back.
    Continue,
    /// All output so far is written.
    Flush,
    /// All output is written, and the frame ends.
    End,
}

/// compressor holds the library's state for the compression of one frame at a time.
#[rustgo::object(name = "compressor")]
pub struct Compressor {
    context: CCtx<'static>,
    /// The dictionary that the context uses. The context points to it, so it is dropped after the context.
    dict: Option<Dict>,
}

#[rustgo::export(stack = "128k", int = "usize")]
impl Compressor {
    /// newCompressor returns a compressor with a new context.
    #[rustgo::export(name = "newCompressor")]
    pub fn new() -> Result<Self, Error> {
        Ok(Self { context: CCtx::try_create().ok_or(Error::Memory)?, dict: None })
    }

    /// compress writes a frame with the content src to dst, and returns the length of the frame in bytes.
    #[rustgo::export(name = "compress", blocking_over = 16384)]
    pub fn compress(&mut self, dst: &mut [u8], src: &[u8], level: isize) -> Result<usize, Error> {
        self.context.compress(dst, src, clamp(level)).map_err(failed)
    }

    /// compressWithDict writes a frame with the content src to dst, at the dictionary's level, and returns the length of the frame in bytes.
    #[rustgo::export(name = "compressWithDict", blocking_over = 16384)]
    pub fn compress_with_dict(&mut self, dst: &mut [u8], src: &[u8], dict: &Dict) -> Result<usize, Error> {
        self.context.compress_using_cdict(dst, src, &dict.0.compress).map_err(failed)
    }

    /// begin resets the context and prepares it for a frame that is compressed in parts. If dict is not nil, the dictionary's level counts and level
    /// is ignored.
    #[rustgo::export(name = "begin")]
    pub fn begin(&mut self, level: isize, checksum: bool, dict: Option<&Dict>) -> Result<(), Error> {
        self.context.reset(ResetDirective::SessionAndParameters).map_err(failed)?;
        self.dict = dict.map(Dict::share);
        match &self.dict {
            Some(dict) => self.context.ref_cdict(&dict.0.compress),
            None => self.context.set_parameter(CParameter::CompressionLevel(clamp(level))),
        }
        .and_then(|_| self.context.set_parameter(CParameter::ChecksumFlag(checksum)))
        .map(|_| ())
        .map_err(failed)
    }

    /// compressPart compresses src, and writes to dst until dst is full or no output is ready. It returns the numbers of bytes written to dst and
    /// read from src. left is 0 if the directive is fulfilled; otherwise more output remains to be written.
    #[rustgo::export(name = "compressPart", results(written, read, left, err), blocking_over = 16384)]
    pub fn compress_part(&mut self, dst: &mut [u8], src: &[u8], directive: Directive) -> Result<(usize, usize, usize), Error> {
        let directive = match directive {
            Directive::Continue => ZSTD_EndDirective::ZSTD_e_continue,
            Directive::Flush => ZSTD_EndDirective::ZSTD_e_flush,
            Directive::End => ZSTD_EndDirective::ZSTD_e_end,
        };
        let (mut output, mut input) = (OutBuffer::around(dst), InBuffer::around(src));
        let left = self.context.compress_stream2(&mut output, &mut input, directive).map_err(failed)?;
        Ok((output.pos(), input.pos(), left))
    }
}

/// decompressor holds the library's state for the decompression of one frame at a time.
#[rustgo::object(name = "decompressor")]
pub struct Decompressor {
    context: DCtx<'static>,
    /// The dictionary that the context uses. The context points to it, so it is dropped after the context.
    dict: Option<Dict>,
    /// The frame that `decompress_part` is reading.
    frame: Frame,
}

#[rustgo::export(stack = "128k", int = "usize")]
impl Decompressor {
    /// newDecompressor returns a decompressor with a new context.
    #[rustgo::export(name = "newDecompressor")]
    pub fn new() -> Result<Self, Error> {
        Ok(Self { context: DCtx::try_create().ok_or(Error::Memory)?, dict: None, frame: Frame::default() })
    }

    /// decompress writes the content of all frames in src to dst, and returns the length of the content in bytes. The caller has checked src by
    /// contentSize or contentBound. dict may be nil. The error is ErrLimit if dst is too short, and possibly if a block is damaged.
    #[rustgo::export(name = "decompress", blocking_over = 16384)]
    pub fn decompress(&mut self, dst: &mut [u8], src: &[u8], dict: Option<&Dict>) -> Result<usize, Error> {
        match dict {
            Some(dict) => self.context.decompress_using_ddict(dst, src, &dict.0.decompress),
            None => self.forget().and_then(|()| self.context.decompress(dst, src)),
        }
        .map_err(|code| if error::is_too_small(code) { Error::Limit } else { failed(code) })
    }

    /// begin resets the context and prepares it for frames that are decompressed in parts. A window may have up to maxWindow bytes, rounded down to a
    /// power of two; 0 means 128 MiB. dict may be nil.
    #[rustgo::export(name = "begin")]
    pub fn begin(&mut self, max_window: usize, dict: Option<&Dict>) -> Result<(), Error> {
        self.forget().map_err(failed)?;
        if max_window > 0 {
            // The library accepts windows of 2^10 to 2^31 bytes.
            let log = max_window.ilog2().clamp(10, 31);
            self.context.set_parameter(DParameter::WindowLogMax(log)).map_err(failed)?;
        }
        if let Some(dict) = dict {
            self.context.ref_ddict(&self.dict.insert(dict.share()).0.decompress).map_err(failed)?;
        }
        Ok(())
    }

    /// decompressPart decompresses src, and writes to dst until dst is full, src is used up, or a frame ends. It returns the numbers of bytes written
    /// to dst and read from src. ended reports whether a frame has ended and all its content has been written.
    #[rustgo::export(name = "decompressPart", results(written, read, ended, err), blocking_over = 16384)]
    pub fn decompress_part(&mut self, dst: &mut [u8], src: &[u8]) -> Result<(usize, usize, bool), Error> {
        if self.frame.is_new() && !frame::blocks_fit(src) {
            return Err(Error::Corrupt);
        }
        let (mut output, mut input) = (OutBuffer::around(dst), InBuffer::around(src));
        let left = self.context.decompress_stream(&mut output, &mut input).map_err(failed)?;
        let (written, read) = (output.pos(), input.pos());
        self.frame.continues(&src[..read], written);
        if left == 0 && !std::mem::take(&mut self.frame).has_stated_size() {
            return Err(Error::Corrupt);
        }
        Ok((written, read, left == 0))
    }

    fn forget(&mut self) -> Result<(), usize> {
        self.context.reset(ResetDirective::SessionAndParameters)?;
        self.dict = None;
        self.frame = Frame::default();
        Ok(())
    }
}

/// compressBound returns the largest length of a frame with a content of length bytes; 0 if length is too large.
#[rustgo::export(name = "compressBound", int = "usize")]
pub fn compress_bound(length: usize) -> usize {
    // The library returns an error code for a length that is too large. The code exceeds the largest int.
    Some(zstd_safe::compress_bound(length)).filter(|&bound| bound <= isize::MAX as usize).unwrap_or(0)
}

/// contentSize returns the sum of the content sizes, in bytes, that the headers of src's frames state. ok is false if a header states no content
/// size, or if a frame is damaged or incomplete.
#[rustgo::export(name = "contentSize", results(size, ok))]
pub fn content_size(src: &[u8]) -> Option<u64> {
    let (mut rest, mut sum) = (src, 0u64);
    while !rest.is_empty() {
        let size = zstd_safe::get_frame_content_size(rest).ok().flatten()?;
        let length = zstd_safe::find_frame_compressed_size(rest).ok().filter(|&length| length > 0)?;
        if !frame::blocks_fit(rest) {
            return None;
        }
        (rest, sum) = (rest.get(length..)?, sum.checked_add(size)?);
    }
    Some(sum)
}

/// largestWindow returns the size in bytes of the largest window of src's frames. Frames after the first damaged one do not count.
#[rustgo::export(name = "largestWindow")]
pub fn largest_window(src: &[u8]) -> u64 {
    let mut extent = Extent::default();
    // Decompression finds the fault again and reports it.
    let _ = extent.read(src);
    extent.window
}

/// contentBound returns an upper bound in bytes of the content of src's frames. The error is not nil if src is incomplete, or if the header of a
/// frame or block is damaged.
#[rustgo::export(name = "contentBound", results(most, err))]
pub fn content_bound(src: &[u8]) -> Result<u64, Error> {
    let mut extent = Extent::default();
    extent.read(src)?;
    Ok(extent.most)
}

/// Limits the level to the library's range.
fn clamp(level: isize) -> i32 {
    level.clamp(-(1 << 17), 22) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compresses a text in parts, with an output buffer of a few bytes.
    fn compressed(compressor: &mut Compressor, text: &[u8]) -> Vec<u8> {
        let (mut out, mut part, mut rest) = (Vec::new(), [0; 100], text);
        loop {
            let directive = if rest.is_empty() { Directive::End } else { Directive::Continue };
            let (written, read, left) = compressor.compress_part(&mut part, &rest[..rest.len().min(1000)], directive).unwrap();
            out.extend_from_slice(&part[..written]);
            rest = &rest[read..];
            if directive == Directive::End && left == 0 {
                return out;
            }
        }
    }

    #[test]
    fn parts() {
        let text: Vec<u8> = (0..50_000u32).map(|i| (i % 7 * i % 251) as u8).collect();
        let dict = Dict::new(&text[..3000], 5).unwrap();
        let (mut compressor, mut decompressor) = (Compressor::new().unwrap(), Decompressor::new().unwrap());
        for dict in [None, Some(&dict)] {
            compressor.begin(3, true, dict).unwrap();
            let frame = compressed(&mut compressor, &text);
            decompressor.begin(0, dict).unwrap();
            let (mut out, mut part, mut rest) = (Vec::new(), [0; 777], &frame[..]);
            loop {
                let (written, read, ended) = decompressor.decompress_part(&mut part, rest).unwrap();
                out.extend_from_slice(&part[..written]);
                rest = &rest[read..];
                if ended {
                    break;
                }
            }
            assert!(out == text && rest.is_empty());
            assert_eq!(decompressor.decompress(&mut vec![0; text.len()], &frame, dict), Ok(text.len()));
        }
        assert_eq!(decompressor.decompress(&mut [0; 10], b"not a frame", None), Err(Error::UnknownFrame));
    }
}
