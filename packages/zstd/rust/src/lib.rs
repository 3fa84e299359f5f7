//! Contexts and dictionaries of the C library libzstd, as numbers that zstd.go keeps: the address of one, or 0 where there is no memory.
//! A number is handed back once, to be freed, and no two calls use a context at a time. zstd.go sees to both.
//!
//! A result is the number of bytes, and a code of `zstd_errors.h`, which is 0 if the call succeeded.

use core::ptr::{null, null_mut};
use zstd::zstd_safe::zstd_sys as sys;

/// The size, or the code of an error.
fn result(size: usize) -> (usize, u32) {
    // SAFETY: both calls look at the number alone.
    unsafe {
        match sys::ZSTD_isError(size) {
            0 => (size, 0),
            _ => (0, sys::ZSTD_getErrorCode(size) as u32),
        }
    }
}

/// newCompressor makes a context, or returns 0.
#[rustgo::export(name = "newCompressor")]
pub fn new_compressor() -> usize {
    // SAFETY: it takes nothing.
    unsafe { sys::ZSTD_createCCtx() as usize }
}

/// freeCompressor frees a context.
#[rustgo::export(name = "freeCompressor")]
pub fn free_compressor(context: usize) {
    // SAFETY: it is one of new_compressor's, and nobody has it any more.
    unsafe { sys::ZSTD_freeCCtx(context as *mut _) };
}

/// newDecompressor makes a context, or returns 0.
#[rustgo::export(name = "newDecompressor")]
pub fn new_decompressor() -> usize {
    // SAFETY: it takes nothing.
    unsafe { sys::ZSTD_createDCtx() as usize }
}

/// freeDecompressor frees a context.
#[rustgo::export(name = "freeDecompressor")]
pub fn free_decompressor(context: usize) {
    // SAFETY: it is one of new_decompressor's, and nobody has it any more.
    unsafe { sys::ZSTD_freeDCtx(context as *mut _) };
}

/// newCompressDict digests a dictionary, of which it keeps a copy, or returns 0.
#[rustgo::export(name = "newCompressDict", stack = "128k", blocking_over = 16384)]
pub fn new_compress_dict(dict: &[u8], level: i32) -> usize {
    // SAFETY: the slice is valid for the call.
    unsafe { sys::ZSTD_createCDict(dict.as_ptr().cast(), dict.len(), level) as usize }
}

/// freeCompressDict frees a dictionary.
#[rustgo::export(name = "freeCompressDict")]
pub fn free_compress_dict(dict: usize) {
    // SAFETY: it is one of new_compress_dict's, and nobody has it any more.
    unsafe { sys::ZSTD_freeCDict(dict as *mut _) };
}

/// newDecompressDict digests a dictionary, of which it keeps a copy, or returns 0.
#[rustgo::export(name = "newDecompressDict", stack = "128k", blocking_over = 16384)]
pub fn new_decompress_dict(dict: &[u8]) -> usize {
    // SAFETY: the slice is valid for the call.
    unsafe { sys::ZSTD_createDDict(dict.as_ptr().cast(), dict.len()) as usize }
}

/// freeDecompressDict frees a dictionary.
#[rustgo::export(name = "freeDecompressDict")]
pub fn free_decompress_dict(dict: usize) {
    // SAFETY: it is one of new_decompress_dict's, and nobody has it any more.
    unsafe { sys::ZSTD_freeDDict(dict as *mut _) };
}

/// compressBound returns how long a frame of so many bytes is at most, or 0 if that is too many.
#[rustgo::export(name = "compressBound")]
pub fn compress_bound(length: usize) -> usize {
    // SAFETY: it takes a number.
    result(unsafe { sys::ZSTD_compressBound(length) }).0
}

/// compress writes a frame of src to dst.
#[rustgo::export(name = "compress", stack = "128k", blocking_over = 16384)]
pub fn compress(context: usize, dst: &mut [u8], src: &[u8], level: i32) -> (usize, u32) {
    let (to, from) = (dst.as_mut_ptr().cast(), src.as_ptr().cast());
    // SAFETY: the slices are valid for the call and do not overlap; the context is one of new_compressor's.
    result(unsafe { sys::ZSTD_compressCCtx(context as *mut _, to, dst.len(), from, src.len(), level) })
}

/// compressWithDict writes a frame of src to dst, at the dictionary's level.
#[rustgo::export(name = "compressWithDict", stack = "128k", blocking_over = 16384)]
pub fn compress_with_dict(context: usize, dst: &mut [u8], src: &[u8], dict: usize) -> (usize, u32) {
    let (to, from) = (dst.as_mut_ptr().cast(), src.as_ptr().cast());
    // SAFETY: as above; the dictionary is one of new_compress_dict's.
    result(unsafe { sys::ZSTD_compress_usingCDict(context as *mut _, to, dst.len(), from, src.len(), dict as *const _) })
}

/// contentSize adds up what the headers of src's frames say; ok is false if one does not say it, or is damaged.
#[rustgo::export(name = "contentSize")]
pub fn content_size(src: &[u8]) -> (u64, bool) {
    const UNKNOWN: u64 = u64::MAX - 1;
    let (mut rest, mut sum) = (src, 0u64);
    while !rest.is_empty() {
        let from = rest.as_ptr().cast();
        // SAFETY: the slice is valid. Both read no more than it has.
        let (size, length) =
            unsafe { (sys::ZSTD_getFrameContentSize(from, rest.len()), sys::ZSTD_findFrameCompressedSize(from, rest.len())) };
        let (length, code) = result(length);
        let next = rest.get(length..).filter(|_| size < UNKNOWN && code == 0 && length > 0);
        let (Some(next), Some(total)) = (next, sum.checked_add(size)) else { return (0, false) };
        (rest, sum) = (next, total);
    }
    (sum, true)
}

/// decompress writes the content of all frames in src to dst. The dictionary may be 0.
#[rustgo::export(name = "decompress", stack = "128k", blocking_over = 16384)]
pub fn decompress(context: usize, dst: &mut [u8], src: &[u8], dict: usize) -> (usize, u32) {
    let (to, from) = (dst.as_mut_ptr().cast(), src.as_ptr().cast());
    // SAFETY: the slices are valid for the call and do not overlap; context and dictionary are what the functions above have made.
    result(unsafe { sys::ZSTD_decompress_usingDDict(context as *mut _, to, dst.len(), from, src.len(), dict as *const _) })
}

/// beginStream readies a context for decompressPart. The dictionary may be 0.
#[rustgo::export(name = "beginStream")]
pub fn begin_stream(context: usize, dict: usize) -> u32 {
    // SAFETY: as above. The dictionary is let go of by the next reset, or with the context.
    result(unsafe {
        sys::ZSTD_DCtx_reset(context as *mut _, sys::ZSTD_ResetDirective::ZSTD_reset_session_and_parameters);
        sys::ZSTD_DCtx_refDDict(context as *mut _, if dict == 0 { null() } else { dict as *const _ })
    })
    .1
}

/// decompressPart goes on with src, and writes to dst until that is full or src is used up. It returns how much of either that was,
/// whether a frame has ended, and the code of an error.
#[rustgo::export(name = "decompressPart", stack = "128k", blocking_over = 16384)]
pub fn decompress_part(context: usize, dst: &mut [u8], src: &[u8]) -> (usize, usize, bool, u32) {
    let to = if dst.is_empty() { null_mut() } else { dst.as_mut_ptr().cast() };
    let mut output = sys::ZSTD_outBuffer { dst: to, size: dst.len(), pos: 0 };
    let mut input = sys::ZSTD_inBuffer { src: src.as_ptr().cast(), size: src.len(), pos: 0 };
    // SAFETY: the slices are valid for the call and do not overlap; the context is one of new_decompressor's.
    let (left, code) = result(unsafe { sys::ZSTD_decompressStream(context as *mut _, &mut output, &mut input) });
    (output.pos, input.pos, left == 0 && code == 0, code)
}
