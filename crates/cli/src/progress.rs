//! What the user sees while the tool works: a status line on a terminal, plain lines with `--verbose`, otherwise nothing
//! but the last line. Everything goes to stderr, so that stdout is the command's own output.

use crate::diag::Diagnostic;
use crate::diag::render::{self, Style};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::Write;
use std::time::{Duration, Instant};

/// How much is said, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// Errors only.
    Quiet,
    /// The last line only.
    Plain,
    /// A line for each stage.
    Verbose,
    /// A status line that is rewritten.
    Terminal,
    /// One JSON object a line, on stdout.
    Json,
}

/// Says what is going on. A stage gets a shared reference.
#[derive(Debug)]
pub struct Progress {
    manner: Manner,
    style: Style,
}

/// A stage that is running; it ends when it is dropped.
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

    /// A progress that says nothing, for tests.
    pub fn silent() -> Progress {
        Progress::new(Manner::Quiet, Style::Plain)
    }

    pub fn manner(&self) -> Manner {
        self.manner
    }

    /// Announces a stage: `analysing 312 functions`. While another program writes to the terminal (cargo), have none.
    pub fn stage(&self, name: impl Into<String>) -> Stage<'_> {
        let name = name.into();
        let bar = (self.manner == Manner::Terminal).then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            bar.set_style(ProgressStyle::with_template("{spinner} rustgo: {msg}").unwrap_or_else(|_| ProgressStyle::default_spinner()));
            bar.set_message(name.clone());
            // The line moves while a long stage says nothing.
            bar.enable_steady_tick(Duration::from_millis(100));
            bar
        });
        Stage { progress: self, name, bar, begun: Instant::now() }
    }

    /// A line only `--verbose` shows.
    pub fn detail(&self, line: &str) {
        if self.manner == Manner::Verbose {
            say(&format!("rustgo: {line}\n"));
        }
    }

    /// A fact the user should know although nothing is wrong.
    pub fn note(&self, line: &str) {
        match self.manner {
            Manner::Quiet => {}
            Manner::Json => print_json(&render::event_json("note", line)),
            _ => say(&format!("rustgo: {}: {line}\n", self.style.paint(render::Role::Note, "note"))),
        }
    }

    /// What a command was asked for, on the standard output.
    pub fn result(&self, line: &str) {
        let _ = writeln!(std::io::stdout().lock(), "{line}");
    }

    /// The last line: what was done.
    pub fn done(&self, line: &str) {
        match self.manner {
            Manner::Quiet => {}
            Manner::Json => print_json(&render::event_json("done", line)),
            _ => say(&format!("rustgo: {line}\n")),
        }
    }

    /// Reports what another program has already told people.
    pub fn said(&self, reason: &Diagnostic) {
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

/// A message that cannot be written has no other way to the user, so the failure is let go.
fn say(text: &str) {
    let _ = anstream::stderr().lock().write_all(text.as_bytes());
}

fn print_json(line: &str) {
    let _ = writeln!(std::io::stdout().lock(), "{line}");
}
