//! Texts of errors without fields. Go has only the error's number and fetches the text.

use super::parameter::Slice;
use core::fmt::{self, Display, Write};

/// The arguments of the function that writes the text: a number, and the buffer for the text.
#[repr(C)]
pub struct TextArgs {
    /// The variant's index plus 1.
    pub number: u32,
    into: Slice<u8>,
}

/// A writer that writes the bytes that fit and counts all.
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

/// Writes the text, as far as there is room, and stores its whole length in the result area.
///
/// # Safety
/// The addresses must point to the areas of a Go call of the function described by the record.
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
