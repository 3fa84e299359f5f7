//! Prints messages while the tool works: a status line on a terminal, a line for each stage with `--verbose`, otherwise only notes and the final
//! line. Messages go to stderr, because stdout is for the command's result.

use crate::diag::Diagnostic;
use crate::diag::render::{self, Style};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::Write;
use std::time::{Duration, Instant};

/// The amount of messages and their form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// Prints only errors.
    Quiet,
    /// Prints errors, notes and the final line.
    Plain,
    /// Prints also a line for each stage.
    Verbose,
    /// Prints also a status line, which each new status overwrites.
    Terminal,
    /// Prints one JSON object a line, on stdout.
    Json,
}

/// Prints messages. All stages use the same value.
#[derive(Debug)]
pub struct Progress {
    manner: Manner,
    style: Style,
}

/// A running stage. The stage ends when the value is dropped.
#[derive(Debug)]
pub struct Stage<'a> {
    progress: &'a Progress,
    name: String,
    bar: Option<ProgressBar>,
    begun: Instant,
}

impl Progress {
    pub fn new(manner: Manner, style: Style) -> Progress {
        Progress { manner, style }
    }

    /// Makes a [`Progress`] that prints only errors, for tests.
    pub fn silent() -> Progress {
        Progress::new(Manner::Quiet, Style::Plain)
    }

    pub fn manner(&self) -> Manner {
        self.manner
    }

    /// Announces a stage by its name, such as `analyzing`. Not for stages in which another program (cargo) writes to the terminal.
    pub fn stage(&self, name: impl Into<String>) -> Stage<'_> {
        let name = name.into();
        let bar = (self.manner == Manner::Terminal).then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            bar.set_style(ProgressStyle::with_template("{spinner} rustgo: {msg}").unwrap_or_else(|_| ProgressStyle::default_spinner()));
            bar.set_message(name.clone());
            // The status line is redrawn regularly, so that it moves even during a long stage.
            bar.enable_steady_tick(Duration::from_millis(100));
            bar
        });
        Stage { progress: self, name, bar, begun: Instant::now() }
    }

    /// Prints the line only with `--verbose`.
    pub fn detail(&self, line: &str) {
        if self.manner == Manner::Verbose {
            say(&format!("rustgo: {line}\n"));
        }
    }

    /// Prints a note: something that the user should know although nothing is wrong.
    pub fn note(&self, line: &str) {
        match self.manner {
            Manner::Quiet => {}
            Manner::Json => print_json(&render::event_json("note", line)),
            _ => say(&format!("rustgo: {}: {line}\n", self.style.paint(render::Role::Note, "note"))),
        }
    }

    /// Prints the command's result on stdout.
    pub fn result(&self, line: &str) {
        let _ = writeln!(std::io::stdout().lock(), "{line}");
    }

    /// Prints the final line.
    pub fn done(&self, line: &str) {
        match self.manner {
            Manner::Quiet => {}
            Manner::Json => print_json(&render::event_json("done", line)),
            _ => say(&format!("rustgo: {line}\n")),
        }
    }

    /// Reports a failure in the JSON format. In other formats nothing is printed, because another program has already explained the failure on
    /// stderr.
    pub fn reported(&self, reason: &Diagnostic) {
        if self.manner == Manner::Json {
            print_json(&render::json(reason));
        }
    }

    /// Reports why the request was refused.
    pub fn refuse(&self, reasons: &[Diagnostic]) {
        for reason in reasons {
            match self.manner {
                Manner::Json => print_json(&render::json(reason)),
                _ => say(&render::human(reason, self.style)),
            }
        }
    }
}

impl Drop for Stage<'_> {
    fn drop(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
        self.progress.detail(&format!("{} ({} ms)", self.name, self.begun.elapsed().as_millis()));
    }
}

/// Prints to stderr. An error is ignored, because stderr is the only way to tell the user.
fn say(text: &str) {
    let _ = anstream::stderr().lock().write_all(text.as_bytes());
}

fn print_json(line: &str) {
    let _ = writeln!(std::io::stdout().lock(), "{line}");
}
