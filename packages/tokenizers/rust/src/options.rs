//! The options of an encoding, as Go passes them.

use crate::error::{Failure, Reason};
use tokenizers::pipeline::{EncodeOptions, Override};
use tokenizers::{PaddingDirection, PaddingParams, PaddingStrategy, TruncationDirection, TruncationParams, TruncationStrategy};

/// The largest length and the largest multiple for padding, in tokens. Without this limit, a file from an untrusted source could make an encoding of
/// any length.
pub const MAX_LENGTH: usize = 1 << 24;

/// source says where the truncation or the padding of a call comes from.
#[derive(Clone, Copy, PartialEq, rustgo::Value)]
#[rustgo(name = "source")]
#[repr(u8)]
pub enum Source {
    /// The setting of the file applies.
    File,
    /// There is no truncation or padding.
    Off,
    /// The setting of the call applies.
    Call,
}

/// rawOptions are the options of a call.
#[derive(Clone, Copy, rustgo::Value)]
#[rustgo(name = "rawOptions")]
#[repr(C)]
pub struct RawOptions {
    pub max_length: usize,
    /// The length to which encodings are padded, in tokens; 0 means the length of the longest encoding of the batch.
    pub pad_length: usize,
    pub pad_multiple: usize,
    pub pad_id: u32,
    pub pad_type_id: u32,
    pub truncation: Source,
    pub padding: Source,
    /// The value of a constant of Go's type Strategy.
    pub truncation_strategy: u8,
    pub truncate_left: bool,
    pub pad_left: bool,
    pub add_special: bool,
    pub special_as_text: bool,
    pub offsets: bool,
}

impl RawOptions {
    /// Returns the options in the form of the crate.
    pub fn options(&self) -> EncodeOptions {
        EncodeOptions {
            add_special_tokens: self.add_special,
            encode_special_tokens: self.special_as_text,
            padding: replaced(self.padding, || self.pad()),
            truncation: replaced(self.truncation, || self.truncate()),
        }
    }

    fn truncate(&self) -> TruncationParams {
        TruncationParams {
            direction: if self.truncate_left { TruncationDirection::Left } else { TruncationDirection::Right },
            max_length: self.max_length,
            strategy: match self.truncation_strategy {
                0 => TruncationStrategy::LongestFirst,
                1 => TruncationStrategy::OnlyFirst,
                _ => TruncationStrategy::OnlySecond,
            },
            stride: 0,
        }
    }

    fn pad(&self) -> PaddingParams {
        PaddingParams {
            strategy: match self.pad_length {
                0 => PaddingStrategy::BatchLongest,
                length => PaddingStrategy::Fixed(length),
            },
            direction: if self.pad_left { PaddingDirection::Left } else { PaddingDirection::Right },
            pad_to_multiple_of: (self.pad_multiple > 0).then_some(self.pad_multiple),
            pad_id: self.pad_id,
            pad_type_id: self.pad_type_id,
            pad_token: String::new(),
        }
    }
}

fn replaced<T>(source: Source, of_call: impl FnOnce() -> T) -> Override<T> {
    match source {
        Source::File => Override::InheritConfig,
        Source::Off => Override::Off,
        Source::Call => Override::With(of_call()),
    }
}

/// Fails if the fixed length, the multiple, or the length rounded up to the multiple exceeds `MAX_LENGTH`, or if the type id exceeds the 8 bits that
/// the crate stores.
pub fn check_padding(padding: Option<&PaddingParams>) -> Result<(), Failure> {
    let Some(padding) = padding else { return Ok(()) };
    let fixed = match padding.strategy {
        PaddingStrategy::Fixed(length) => length,
        PaddingStrategy::BatchLongest => 0,
    };
    // The crate rounds the length up to the multiple.
    let multiple = padding.pad_to_multiple_of.unwrap_or(1).max(1);
    if multiple > MAX_LENGTH || fixed > MAX_LENGTH || fixed.next_multiple_of(multiple) > MAX_LENGTH {
        return Err(Failure::new(Reason::Length, &format!("padding to more than {MAX_LENGTH} tokens")));
    }
    if padding.pad_type_id > u32::from(u8::MAX) {
        return Err(Failure::new(Reason::Length, &format!("type id {} of the padding is above 255", padding.pad_type_id)));
    }
    Ok(())
}
