//! Texts of errors without fields, of which Go has the number only.

use super::parameter::Slice;
use core::fmt::{self, Display, Write};

/// The arguments of the function that gives the text: a number, and where the text goes.
#[repr(C)]
pub struct TextArgs {
    /// Which error: 1 for the first.
    pub number: u32,
    into: Slice<u8>,
}

/// Writes what fits and counts what does not.
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

/// Writes the text, as far as there is room, and its length to the result area.
///
/// # Safety
/// The areas must be those of a call by Go of the function that the record describes.
pub unsafe fn write_text(args: &TextArgs, text: Option<&dyn Display>, results: *mut u8) {
    // SAFETY: the caller's.
    unsafe {
        let mut counted = Counted { into: args.into.elements_mut(), len: 0 };
        if let Some(text) = text {
            let _ = write!(counted, "{text}");
        }
        results.cast::<usize>().write(counted.len);
    }
}
