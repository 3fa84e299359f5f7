//! Messages while the tool works: a status line on a terminal, a line for each stage with `--verbose`, otherwise only notes and the last line.
//! They go to stderr, because stdout is the command's own output.

use crate::diag::Diagnostic;
use crate::diag::render::{self, Style};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::Write;
use std::time::{Duration, Instant};

/// The amount and form of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// Only errors.
    Quiet,
    /// Notes and the last line.
    Plain,
    /// A line for each stage.
    Verbose,
    /// A status line that is overwritten.
    Terminal,
    /// One JSON object a line, on stdout.
    Json,
}

/// Prints messages. Stages share it.
#[derive(Debug)]
pub struct Progress {
    manner: Manner,
    style: Style,
}

/// A running stage. Dropping it ends the stage.
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

    /// Prints nothing, for tests.
    pub fn silent() -> Progress {
        Progress::new(Manner::Quiet, Style::Plain)
    }

    pub fn manner(&self) -> Manner {
        self.manner
    }

    /// Announces a stage: `analyzing`. Not for stages in which another program (cargo) writes to the terminal.
    pub fn stage(&self, name: impl Into<String>) -> Stage<'_> {
        let name = name.into();
        let bar = (self.manner == Manner::Terminal).then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            bar.set_style(ProgressStyle::with_template("{spinner} rustgo: {msg}").unwrap_or_else(|_| ProgressStyle::default_spinner()));
            bar.set_message(name.clone());
            // The line moves during a long stage without messages.
            bar.enable_steady_tick(Duration::from_millis(100));
            bar
        });
        Stage { progress: self, name, bar, begun: Instant::now() }
    }

    /// A line that only `--verbose` shows.
    pub fn detail(&self, line: &str) {
        if self.manner == Manner::Verbose {
            say(&format!("rustgo: {line}\n"));
        }
    }

    /// Something the user should know although nothing is wrong.
    pub fn note(&self, line: &str) {
        match self.manner {
            Manner::Quiet => {}
            Manner::Json => print_json(&render::event_json("note", line)),
            _ => say(&format!("rustgo: {}: {line}\n", self.style.paint(render::Role::Note, "note"))),
        }
    }

    /// The command's result, on stdout.
    pub fn result(&self, line: &str) {
        let _ = writeln!(std::io::stdout().lock(), "{line}");
    }

    /// The last line.
    pub fn done(&self, line: &str) {
        match self.manner {
            Manner::Quiet => {}
            Manner::Json => print_json(&render::event_json("done", line)),
            _ => say(&format!("rustgo: {line}\n")),
        }
    }

    /// Reports, as JSON only, a failure that another program has already explained on stderr.
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

/// If a message cannot be written, there is no other way to tell the user, so the error is ignored.
fn say(text: &str) {
    let _ = anstream::stderr().lock().write_all(text.as_bytes());
}

fn print_json(line: &str) {
    let _ = writeln!(std::io::stdout().lock(), "{line}");
}
