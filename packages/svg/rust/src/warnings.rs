//! The warnings of the crates, which they write to the crate log.

use std::cell::RefCell;
use std::fmt::Write;
use std::sync::Once;

/// More warnings than these, and longer ones, are cut off. Formatting a warning may take long, so there is a limit for repeated ones too.
const MOST: usize = 100;
const MOST_CALLS: usize = 1000;
const LONGEST: usize = 500;

#[derive(Default)]
struct Collected {
    texts: Vec<String>,
    calls: usize,
}

thread_local! {
    static COLLECTED: RefCell<Option<Collected>> = const { RefCell::new(None) };
}

/// A text that ends the formatting when it is long.
struct Short(String);

impl Write for Short {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        let room = LONGEST - self.0.len();
        if text.len() <= room {
            self.0.push_str(text);
            return Ok(());
        }
        self.0.push_str(&text[..text.floor_char_boundary(room)]);
        Err(std::fmt::Error)
    }
}

struct Collector;

impl log::Log for Collector {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &log::Record<'_>) {
        COLLECTED.with(|collected| {
            let Ok(mut collected) = collected.try_borrow_mut() else { return };
            let Some(collected) = collected.as_mut() else { return };
            collected.calls += 1;
            if collected.calls > MOST_CALLS || collected.texts.len() >= MOST {
                return;
            }
            let mut text = Short(String::new());
            let cut = write!(text, "{}", record.args()).is_err();
            if cut {
                text.0.push('…');
            }
            if collected.texts.last() != Some(&text.0) {
                collected.texts.push(text.0);
            }
        });
    }

    fn flush(&self) {}
}

/// Calls a function, and returns the warnings that the crates have written meanwhile.
pub fn collect<T>(function: impl FnOnce() -> T) -> (T, Vec<String>) {
    static SET: Once = Once::new();
    SET.call_once(|| {
        if log::set_logger(&Collector).is_ok() {
            log::set_max_level(log::LevelFilter::Warn);
        }
    });
    COLLECTED.with(|collected| collected.replace(Some(Collected::default())));
    let result = function();
    let collected = COLLECTED.with(RefCell::take).unwrap_or_default();
    (result, collected.texts)
}
