//! Texts of errors that have no fields. Go has only the error's number and fetches the text from Rust.

use super::parameter::Slice;
use core::fmt::{self, Display, Write};

/// The arguments of the function that writes the text: a number, and the buffer for the text.
#[repr(C)]
pub struct TextArgs {
    /// The variant's index plus 1.
    pub number: u32,
    into: Slice<u8>,
}

/// A writer into a buffer. It writes the bytes that fit and counts all bytes.
struct Counted<'a> {
    into: &'a mut [u8],
    len: usize,
}

impl Write for Counted<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if let Some(room) = self.into.get_mut(self.len..) {
            let fits = room.len().min(text.len());
            room[..fits].copy_from_slice(&text.as_bytes()[..fits]);
        }
        self.len += text.len();
        Ok(())
    }
}

/// Writes as much of the error's text as fits into the buffer, and stores the length of the whole text in the result area.
///
/// # Safety
/// `args` and `results` must be the areas of a Go call of the function that the export record describes.
pub unsafe fn write_text(args: &TextArgs, text: Option<&dyn Display>, results: *mut u8) {
    // SAFETY: as promised by the caller.
    unsafe {
        let mut counted = Counted { into: args.into.elements_mut(), len: 0 };
        if let Some(text) = text {
            let _ = write!(counted, "{text}");
        }
        results.cast::<usize>().write(counted.len);
    }
}
