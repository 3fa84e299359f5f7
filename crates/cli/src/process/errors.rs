//! Holds back the error messages of cargo, which may run a second time, until rustgo knows whether the user should see the messages.

use std::io::{self, IsTerminal, Read, Write};
use std::process::{ChildStderr, Command};

const WORD: &[u8] = b"error";

/// Reads a program's stderr. Prints lines up to the first line that begins with `error`. Returns this line and all following lines without
/// printing them.
pub fn show_until_error(pipe: Option<ChildStderr>) -> io::Result<Vec<u8>> {
    let Some(mut pipe) = pipe else { return Ok(Vec::new()) };
    let mut filter = Filter::default();
    let mut bytes = [0; 4096];
    loop {
        let count = pipe.read(&mut bytes)?;
        if count == 0 {
            break;
        }
        show(&filter.push(&bytes[..count]));
    }
    let (shown, held) = filter.finish();
    show(&shown);
    Ok(held)
}

/// If rustgo's stderr is a terminal, makes cargo write colours and a progress bar. Without these settings cargo would write none, because cargo's
/// stderr is a pipe to rustgo.
pub fn as_on_a_terminal(cargo: &mut Command) -> &mut Command {
    if io::stderr().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb") {
        let color = if anstream::AutoStream::choice(&io::stderr()) == anstream::ColorChoice::Never { "never" } else { "always" };
        for (name, value) in [("CARGO_TERM_COLOR", color), ("CARGO_TERM_PROGRESS_WHEN", "always"), ("CARGO_TERM_PROGRESS_WIDTH", "80")] {
            if std::env::var_os(name).is_none() {
                cargo.env(name, value);
            }
        }
    }
    cargo
}

/// Prints bytes to stderr. Ignores an error, because an error message would also go to stderr.
pub fn show(bytes: &[u8]) {
    if !bytes.is_empty() {
        let mut stderr = io::stderr().lock();
        let _ = stderr.write_all(bytes).and_then(|()| stderr.flush());
    }
}

/// Splits a stream at the first line that begins with `error`, in any colour. A carriage return also begins a line, since cargo overwrites its
/// progress bar after a carriage return.
#[derive(Default)]
struct Filter {
    /// The beginning of the current line, while the line may still begin with `error`.
    begin: Vec<u8>,
    /// True if the current line does not begin with `error`.
    inside: bool,
    held: Option<Vec<u8>>,
}

impl Filter {
    /// Adds bytes to the stream. Returns the bytes that can be printed now.
    fn push(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut shown = Vec::new();
        for &byte in bytes {
            if let Some(held) = &mut self.held {
                held.push(byte);
                continue;
            }
            let ends = matches!(byte, b'\n' | b'\r');
            if self.inside {
                shown.push(byte);
                self.inside = !ends;
                continue;
            }
            self.begin.push(byte);
            let visible = visible(&self.begin);
            if visible.starts_with(WORD) {
                self.held = Some(std::mem::take(&mut self.begin));
            } else if !WORD.starts_with(&visible) {
                shown.append(&mut self.begin);
                self.inside = !ends;
            }
        }
        shown
    }

    /// Ends the stream. Returns the bytes of a last unfinished line, which can be printed now, and the bytes that were held back.
    fn finish(self) -> (Vec<u8>, Vec<u8>) {
        (self.begin, self.held.unwrap_or_default())
    }
}

/// Returns the bytes without control sequences such as colours (`ESC [ … letter`).
fn visible(bytes: &[u8]) -> Vec<u8> {
    let mut visible = Vec::new();
    let mut bytes = bytes.iter();
    while let Some(&byte) = bytes.next() {
        if byte == 0x1b {
            // A control sequence ends with a byte from `@` on. Only the `[` directly after ESC does not end it.
            let _ = bytes.find(|&&byte| byte != b'[' && byte >= b'@');
        } else {
            visible.push(byte);
        }
    }
    visible
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_divided_at_the_first_error() {
        for (text, shown) in [
            ("", ""),
            ("warning: error\n  error of another line\nerr", "warning: error\n  error of another line\nerr"),
            ("Compiling a\nerror: no\nwarning: b\n", "Compiling a\n"),
            ("Building [=> ] 3/4\r\x1b[K\x1b[1m\x1b[31merror\x1b[0m: no\n", "Building [=> ] 3/4\r"),
            ("error[E0152]: twice\n", ""),
            ("errno\nerro\rerror", "errno\nerro\r"),
            ("\n\n\x1b[32mCompiling\x1b[0m error\n", "\n\n\x1b[32mCompiling\x1b[0m error\n"),
        ] {
            // The result must not depend on how the pipe splits the stream.
            for size in [1, 2, 7, 100] {
                let mut filter = Filter::default();
                let mut seen: Vec<u8> = text.as_bytes().chunks(size).flat_map(|bytes| filter.push(bytes)).collect();
                let (last, held) = filter.finish();
                seen.extend(last);
                assert_eq!(String::from_utf8_lossy(&seen), shown, "{text:?} by {size}");
                seen.extend(held);
                assert_eq!(seen, text.as_bytes());
            }
        }
    }
}
