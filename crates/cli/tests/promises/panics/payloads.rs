//! Panics whose payload may be a value that is not text. In the editions 2015 and 2018, `panic!("text")` is `panic_any("text")`.

use std::hint::black_box;
use std::panic::panic_any;

/// Panics with a constant text, a formatted text, or one of two payloads that are not text. The first panic has the location of its caller.
#[rustgo::export]
pub fn fail(kind: u64, n: u64) -> u64 {
    match kind {
        0 => with_text(n),
        1 => panic_any(format!("{n} of {}", "some".repeat(3))),
        2 => panic_any(n),
        3 => panic_any(Box::new([n; 100])),
        _ => n,
    }
}

#[track_caller]
#[inline(never)]
fn with_text(n: u64) -> u64 {
    if black_box(n) == 7 { panic_any("seven") } else { panic_any("not seven") }
}
