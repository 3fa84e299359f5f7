//! Errors, and their relation to the codes of `zstd_errors.h`.

use std::fmt;
use zstd::zstd_safe::zstd_sys::{ZSTD_ErrorCode as Code, ZSTD_getErrorCode};

/// An Error is the reason why data could not be compressed or decompressed.
#[derive(Clone, Copy, Debug, PartialEq, rustgo::Error)]
pub enum Error {
    /// The decompressed data is longer than the limit.
    #[rustgo(name = "ErrLimit")]
    Limit,
    /// The Encoder or Decoder has been closed, or never opened.
    #[rustgo(name = "ErrClosed")]
    Closed,
    /// The data is not a frame, or bytes that are not a frame follow a frame.
    #[rustgo(name = "ErrUnknownFrame")]
    UnknownFrame,
    /// The frame uses a version or a feature of the format that the library does not support.
    #[rustgo(name = "ErrUnsupported")]
    Unsupported,
    /// The frame's window is larger than allowed.
    #[rustgo(name = "ErrWindow")]
    Window,
    /// The data is damaged.
    #[rustgo(name = "ErrCorrupt")]
    Corrupt,
    /// The data is damaged: the checksum differs.
    #[rustgo(name = "ErrChecksum")]
    Checksum,
    /// The dictionary is damaged.
    #[rustgo(name = "ErrCorruptDict")]
    CorruptDict,
    /// The frame needs a dictionary, and that dictionary was not given.
    #[rustgo(name = "ErrWrongDict")]
    WrongDict,
    /// Memory outside of Go's heap could not be allocated.
    #[rustgo(name = "ErrMemory")]
    Memory,
    /// The data ends within a frame. errors.Is reports that this error is also io.ErrUnexpectedEOF.
    #[rustgo(name = "ErrTruncated")]
    Truncated,
    /// The library returned another error code. This should not happen.
    #[rustgo(name = "ErrInternal")]
    Internal,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Limit => "zstd: the decompressed data is longer than the limit",
            Self::Closed => "zstd: the encoder or decoder is closed",
            Self::UnknownFrame => "zstd: the data is not a frame",
            Self::Unsupported => "zstd: the frame is of an unknown version of the format",
            Self::Window => "zstd: the frame needs too much memory",
            Self::Corrupt => "zstd: the data is corrupt",
            Self::Checksum => "zstd: the checksum is wrong",
            Self::CorruptDict => "zstd: the dictionary is corrupt",
            Self::WrongDict => "zstd: the data needs another dictionary",
            Self::Memory => "zstd: no memory left",
            Self::Truncated => "zstd: the data is truncated",
            Self::Internal => "zstd: internal error",
        })
    }
}

/// Reports whether an error code means that the output does not fit in the buffer.
pub fn is_too_small(result: usize) -> bool {
    // SAFETY: the function takes a number and reads no memory.
    unsafe { ZSTD_getErrorCode(result) == Code::ZSTD_error_dstSize_tooSmall }
}

/// Returns the error for an error code of the library.
pub fn failed(result: usize) -> Error {
    // SAFETY: the function takes a number and reads no memory.
    match unsafe { ZSTD_getErrorCode(result) } {
        Code::ZSTD_error_prefix_unknown => Error::UnknownFrame,
        Code::ZSTD_error_version_unsupported | Code::ZSTD_error_frameParameter_unsupported => Error::Unsupported,
        Code::ZSTD_error_frameParameter_windowTooLarge => Error::Window,
        Code::ZSTD_error_corruption_detected
        | Code::ZSTD_error_literals_headerWrong
        | Code::ZSTD_error_tableLog_tooLarge
        | Code::ZSTD_error_maxSymbolValue_tooLarge
        | Code::ZSTD_error_maxSymbolValue_tooSmall
        // A stream returns this code for a damaged block.
        | Code::ZSTD_error_dstSize_tooSmall
        // Here this code does not mean that the input is too short: `content_size` or `content_bound` has found the end of each frame, and a stream
        // waits for more input. The code means that the length of a part of a block is wrong.
        | Code::ZSTD_error_srcSize_wrong
        | Code::ZSTD_error_noForwardProgress_destFull => Error::Corrupt,
        Code::ZSTD_error_checksum_wrong => Error::Checksum,
        Code::ZSTD_error_dictionary_corrupted | Code::ZSTD_error_dictionaryCreation_failed => Error::CorruptDict,
        Code::ZSTD_error_dictionary_wrong => Error::WrongDict,
        Code::ZSTD_error_memory_allocation => Error::Memory,
        Code::ZSTD_error_noForwardProgress_inputEmpty => Error::Truncated,
        _ => Error::Internal,
    }
}
