//! Turns a Rust panic into a Go panic: the panic handler, and the formatter that writes the panic's message for the Go package `rustgo.dev/go/rt`.
//! If panics unwind, the module `unwinding` has the formatter.
//!
//! The handler calls `rustgo_panic`, the panic entry of `rustgo.dev/go/rt`. (The command line tool redirects the call to Go.) The entry calls the
//! message formatter `rustgo_format_panic` on a separate stack, so that callers of Rust code need no stack for formatting.

use core::fmt::{self, Write};
use core::panic::Location;
#[cfg(all(rustgo, not(rustgo_unwind), not(target_family = "wasm")))]
use core::panic::PanicInfo;

/// The panic handler. Crates that link std have std's handler, which the command line tool replaces.
#[cfg(all(rustgo, not(rustgo_std)))]
#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    #[expect(improper_ctypes, reason = "the panic entry hands the pointer on and does not look behind it")]
    unsafe extern "C" {
        fn rustgo_panic(info: *const PanicInfo<'_>) -> !;
    }
    // SAFETY: `rustgo_panic` reads the information before it leaves this stack.
    unsafe { rustgo_panic(info) }
}

/// Called when an allocator has no memory left. Replaces std's function, which prints and aborts. The command line tool redirects the calls.
#[cfg(all(rustgo, rustgo_std, not(target_family = "wasm")))]
#[unsafe(no_mangle)]
extern "C-unwind" fn rustgo_alloc_error() -> ! {
    panic!("memory allocation failed")
}

/// The description of a panic for Go. The Go package `rustgo.dev/go/rt` relies on this layout.
#[repr(C)]
#[derive(Debug)]
pub struct Report {
    /// Input: the address of the buffer for the message (UTF-8).
    pub message: *mut u8,
    /// Input: the size of the message buffer in bytes.
    pub capacity: usize,
    /// Output: the number of bytes written to the message buffer.
    pub length: usize,
    /// Output: the address of the source file's name (UTF-8), in static read-only data.
    pub file: *const u8,
    /// Output: the length of the source file's name in bytes.
    pub file_len: usize,
    /// Output: the line in the source file, counted from 1.
    pub line: u32,
    /// Output: the column in the source file, counted from 1.
    pub column: u32,
}

/// Writes the message and the location of a panic. A message that does not fit is cut between characters and ends in "…".
///
/// # Safety
/// `info` must be the argument of `rustgo_panic`, and the panicking frames must still exist. `report` must be writable, and its message must point
/// to `capacity` writable bytes.
#[cfg(all(rustgo, not(rustgo_unwind), not(target_family = "wasm")))]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rustgo_format_panic(info: *const PanicInfo<'_>, report: *mut Report) {
    // SAFETY: as promised by the caller.
    let (info, report) = unsafe { (&*info, &mut *report) };
    // SAFETY: as promised by the caller.
    unsafe { fill(report, &info.message(), info.location()) };
}

impl Report {
    /// Stores the location of a panic in the report.
    pub(crate) fn place(&mut self, location: Option<&Location<'_>>) {
        if let Some(location) = location {
            let file = location.file();
            self.file = file.as_ptr();
            self.file_len = file.len();
            self.line = location.line();
            self.column = location.column();
        }
    }
}

/// # Safety
/// The report's message must point to `capacity` writable bytes.
pub(crate) unsafe fn fill(report: &mut Report, message: &dyn fmt::Display, location: Option<&Location<'_>>) {
    report.place(location);
    // SAFETY: as promised by the caller. The buffer becomes a slice of bytes, so it is zeroed first, because it may be uninitialised.
    let room = unsafe {
        report.message.write_bytes(0, report.capacity);
        core::slice::from_raw_parts_mut(report.message, report.capacity)
    };
    let mut text = Truncated { room, len: 0, cut: false };
    // If a `Display` implementation fails, the text written before the failure remains. The failure itself cannot be reported.
    let _ = write!(text, "{message}");
    report.length = text.finish();
}

/// A writer that cuts the text at the end of the buffer.
struct Truncated<'a> {
    room: &'a mut [u8],
    len: usize,
    cut: bool,
}

impl Truncated<'_> {
    const ELLIPSIS: &'static str = "…";

    /// Ends the text in "…" if it was cut, and returns its length.
    fn finish(mut self) -> usize {
        if self.cut && self.room.len() >= Self::ELLIPSIS.len() {
            // The text ends between two characters. To make room for the ellipsis, whole characters are removed.
            let most = self.room.len() - Self::ELLIPSIS.len();
            while self.len > most || !self.is_boundary(self.len) {
                self.len -= 1;
            }
            self.put(Self::ELLIPSIS.as_bytes());
        }
        self.len
    }

    /// True if the text can be cut before the byte at index `at` without splitting a character.
    fn is_boundary(&self, at: usize) -> bool {
        const CONTINUATION: u8 = 0b1000_0000;
        self.room.get(at).is_none_or(|byte| byte & 0b1100_0000 != CONTINUATION)
    }

    fn put(&mut self, bytes: &[u8]) {
        self.room[self.len..][..bytes.len()].copy_from_slice(bytes);
        self.len += bytes.len();
    }
}

impl fmt::Write for Truncated<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if self.cut {
            return Ok(());
        }
        let room = self.room.len() - self.len;
        let fits = (0..=room.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
        self.put(&text.as_bytes()[..fits]);
        self.cut = fits < text.len();
        Ok(())
    }
}

/// Replaces std's function for panics whose payload need not be text: `panic!("text")` in the editions 2015 and 2018, and `panic_any`. std's own
/// function asks for the thread's name and prints a message. The command line tool redirects the call. The caller passes the payload, whose `Display`
/// gives the message. `#[track_caller]` adds the location as the next parameter. This function ignores all further arguments of the caller.
#[cfg(all(rustgo, rustgo_std, not(rustgo_unwind), not(target_family = "wasm")))]
#[unsafe(no_mangle)]
#[track_caller]
fn rustgo_panic_payload(payload: &dyn fmt::Display) -> ! {
    panic!("{payload}")
}

#[cfg(test)]
mod tests {
    use super::{Report, fill};
    use core::panic::Location;
    use core::ptr::null;
    use std::string::String;
    use std::vec;

    fn formatted(message: &str, capacity: usize) -> String {
        let mut buffer = vec![0xff; capacity + 1];
        let mut report =
            Report { message: buffer.as_mut_ptr(), capacity, length: usize::MAX, file: null(), file_len: 0, line: 0, column: 0 };
        // The message is formatted as two pieces, as `format_args!` does.
        unsafe { fill(&mut report, &format_args!("{}{}", &message[..message.len() / 4 * 2], &message[message.len() / 4 * 2..]), None) };
        assert_eq!(buffer[capacity], 0xff, "wrote past the end");
        String::from_utf8(buffer[..report.length].to_vec()).unwrap()
    }

    #[test]
    fn what_fits_is_written_whole() {
        assert_eq!(formatted("index out of bounds", 19), "index out of bounds");
        assert_eq!(formatted("index out of bounds", 4096), "index out of bounds");
        assert_eq!(formatted("", 0), "");
    }

    #[test]
    fn long_text_is_cut_at_a_character() {
        assert_eq!(formatted("index out of bounds", 18), "index out of bo…");
        assert_eq!(formatted("abcd", 3), "…");
        assert_eq!(formatted("abcd", 2), "ab");
        assert_eq!(formatted("abcd", 0), "");
        assert_eq!(formatted("éééé", 7), "éé…");
        assert_eq!(formatted("éééé", 6), "é…");
        assert_eq!(formatted("éééé", 1), "");
        assert_eq!(formatted("😀😀😀😀", 15), "😀😀😀…");
        assert_eq!(formatted("😀😀😀😀", 14), "😀😀…");
    }

    #[test]
    fn every_capacity_gives_text() {
        let message = "aé…😀".repeat(4);
        for capacity in 0..=message.len() + 4 {
            let text = formatted(&message, capacity);
            let cut = text.strip_suffix('…').unwrap_or(&text);
            assert!(message.starts_with(cut), "{capacity}: {text}");
            assert_eq!(text == message, capacity >= message.len());
            assert!(text.len() + 4 > capacity.min(message.len()), "{capacity}: {text} is shorter than it need be");
        }
    }

    #[test]
    fn the_place_is_told() {
        let here = Location::caller();
        let mut report = Report { message: [].as_mut_ptr(), capacity: 0, length: 1, file: null(), file_len: 0, line: 0, column: 0 };
        unsafe { fill(&mut report, &"x", Some(here)) };
        let file = unsafe { core::slice::from_raw_parts(report.file, report.file_len) };
        assert_eq!(file, file!().as_bytes());
        assert_eq!((report.line, report.column, report.length), (here.line(), here.column(), 0));
    }
}
