//! A Rust panic becomes a Go panic: the panic handler, and the formatter that rustgo's Go package calls.
//!
//! The handler leaves at once for `rustgo_panic`, which the command line tool supplies: it is the panic entry of the Go
//! package `rustgo.dev/go/rt`. That one calls back, on a stack of its own, for the text of the panic, so that what
//! formatting costs in stack concerns no caller of Rust code.

use core::fmt::{self, Write};
use core::panic::Location;
#[cfg(rustgo)]
use core::panic::PanicInfo;

/// The panic handler. Crates that link std have std's instead, which the command line tool replaces.
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

/// Where std goes when an allocator has no memory left. std's own way prints and aborts; the command line tool leads it here.
#[cfg(all(rustgo, rustgo_std))]
#[unsafe(no_mangle)]
extern "C" fn rustgo_alloc_error() -> ! {
    panic!("memory allocation failed")
}

/// What Go wants to know of a panic. `rustgo.dev/go/rt` knows this layout.
#[repr(C)]
#[derive(Debug)]
pub struct Report {
    /// In: where to write the message, UTF-8.
    pub message: *mut u8,
    /// In: how many bytes there is room for.
    pub capacity: usize,
    /// Out: how many bytes were written.
    pub length: usize,
    /// Out: the source file, UTF-8; read-only data that stays.
    pub file: *const u8,
    /// Out: its length in bytes.
    pub file_len: usize,
    /// Out: the line, counted from 1.
    pub line: u32,
    /// Out: the column, counted from 1.
    pub column: u32,
}

/// Writes the message and the place of a panic. A message that does not fit is cut at a character and ends in "…".
///
/// # Safety
/// `info` must be what `rustgo_panic` was given, while the panicking frames are still there. `report` must be writable and
/// its message point to `capacity` writable bytes.
#[cfg(rustgo)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rustgo_format_panic(info: *const PanicInfo<'_>, report: *mut Report) {
    // SAFETY: the caller's.
    let (info, report) = unsafe { (&*info, &mut *report) };
    // SAFETY: the caller's.
    unsafe { fill(report, &info.message(), info.location()) };
}

/// # Safety
/// The report's message must point to `capacity` writable bytes.
unsafe fn fill(report: &mut Report, message: &dyn fmt::Display, location: Option<&Location<'_>>) {
    if let Some(location) = location {
        let file = location.file();
        report.file = file.as_ptr();
        report.file_len = file.len();
        report.line = location.line();
        report.column = location.column();
    }
    // SAFETY: the caller's. Bytes, for reading too: zeroed first, since what lies there may never have been written.
    let room = unsafe {
        report.message.write_bytes(0, report.capacity);
        core::slice::from_raw_parts_mut(report.message, report.capacity)
    };
    let mut text = Truncated { room, len: 0, cut: false };
    // A Display that fails leaves what it had written: there is nobody to tell.
    let _ = write!(text, "{message}");
    report.length = text.finish();
}

/// Text that is cut where the room ends.
struct Truncated<'a> {
    room: &'a mut [u8],
    len: usize,
    cut: bool,
}

impl Truncated<'_> {
    const ELLIPSIS: &'static str = "…";

    /// The length of what was written.
    fn finish(mut self) -> usize {
        if self.cut && self.room.len() >= Self::ELLIPSIS.len() {
            // What was written is whole characters; make room for the ellipsis by whole characters.
            let most = self.room.len() - Self::ELLIPSIS.len();
            while self.len > most || !self.is_boundary(self.len) {
                self.len -= 1;
            }
            self.put(Self::ELLIPSIS.as_bytes());
        }
        self.len
    }

    /// Does a character end before this byte of what was written?
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

/// Where std goes with a panic whose payload need not be text: `panic!("text")` in the editions 2015 and 2018, `panic_any`. std's own way asks
/// for the thread's name and prints; the command line tool leads it here. The caller hands on the payload, whose `Display` gives the text,
/// and the place of the panic, which is where `#[track_caller]` has it: behind the other parameters. What follows it is not looked at.
#[cfg(all(rustgo, rustgo_std))]
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
        // Two pieces, as format_args! writes them.
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
    fn what_does_not_fit_is_cut_at_a_character() {
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
