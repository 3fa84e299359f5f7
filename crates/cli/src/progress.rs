//! Prints messages while the tool works: notes and the final line; on a terminal also a status line, with `--verbose` also a line for each stage, and
//! otherwise also a line for each stage that takes longer than [`LONG`]. Messages for people go to stderr, because stdout is for the command's
//! result.

use crate::activity;
use crate::diag::Diagnostic;
use crate::diag::render::github::Folders;
use crate::diag::render::{self, Style};
use crate::target::show_size;
use crate::usage;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::fmt::Write as _;
use std::io::Write;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// If there is no status line, rustgo prints a line with the name of each stage that lasts longer than this time.
const LONG: Duration = Duration::from_secs(2);
/// The time between two updates of the status line.
const REDRAW: Duration = Duration::from_millis(200);

/// The amount of messages and their form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// Prints only errors.
    Quiet,
    /// Prints errors, notes and the final line.
    Plain,
    /// Prints like `Plain`, and also a line for each stage.
    Verbose,
    /// Prints like `Plain`, and also a status line. Each new status overwrites the last one.
    Terminal,
    /// Prints one JSON object a line, on stdout.
    Json,
    /// Prints like `Plain`, and each error also on stdout as an annotation for GitHub Actions.
    GitHub,
}

/// Prints messages. All stages use the same value.
#[derive(Debug)]
pub struct Progress {
    manner: Manner,
    style: Style,
    /// The stages that have ended, if `--timings` asks for them.
    timings: Option<Mutex<Vec<Timing>>>,
}

/// A running stage. The stage ends when the value is dropped.
#[derive(Debug)]
pub struct Stage<'a> {
    progress: &'a Progress,
    name: String,
    watch: Option<Watch>,
    begun: Instant,
    /// The processor time of this process when the stage began.
    processor: Option<Duration>,
}

/// The time and memory of a stage that has ended.
#[derive(Debug)]
struct Timing {
    stage: String,
    time: Duration,
    /// The processor time that this process used in the stage. Other programs do not count.
    processor: Option<Duration>,
    /// The largest amount of memory in bytes that this process used in the stage. Other programs do not count.
    peak: Option<u64>,
}

/// A thread that shows a running stage. The thread ends when `end` is dropped.
#[derive(Debug)]
pub struct Watch {
    end: Sender<()>,
    thread: JoinHandle<()>,
}

impl Progress {
    pub fn new(manner: Manner, style: Style) -> Progress {
        Progress { manner, style, timings: None }
    }

    /// Also measures each stage, for [`show_timings`](Progress::show_timings).
    pub fn with_timings(self, wanted: bool) -> Progress {
        Progress { timings: wanted.then(Mutex::default), ..self }
    }

    /// Makes a [`Progress`] that prints only errors, for tests.
    pub fn silent() -> Progress {
        Progress::new(Manner::Quiet, Style::Plain)
    }

    pub fn manner(&self) -> Manner {
        self.manner
    }

    /// Announces a stage by its name, such as `analyzing`. If another program (cargo) writes to the terminal during the stage, use
    /// [`unannounced_stage`](Progress::unannounced_stage) instead.
    pub fn stage(&self, name: impl Into<String>) -> Stage<'_> {
        let name = name.into();
        activity::clear();
        let watch = match self.manner {
            Manner::Quiet | Manner::Json => None,
            Manner::Terminal => Some(Watch::start(name.clone(), show_status)),
            Manner::Plain | Manner::Verbose | Manner::GitHub => Some(Watch::start(name.clone(), say_once)),
        };
        self.begin(name, watch)
    }

    /// Announces that rustgo waits for another process. Prints only on a terminal or with `--verbose`, because a log needs no such line.
    pub fn wait(&self, name: &str) -> Option<Watch> {
        activity::clear();
        match self.manner {
            Manner::Terminal => Some(Watch::start(name.to_owned(), show_status)),
            Manner::Verbose => Some(Watch::start(name.to_owned(), say_once)),
            Manner::Quiet | Manner::Json | Manner::Plain | Manner::GitHub => None,
        }
    }

    /// Begins a stage without a status line, because another program writes to the terminal during the stage.
    pub fn unannounced_stage(&self, name: impl Into<String>) -> Stage<'_> {
        self.begin(name.into(), None)
    }

    fn begin(&self, name: String, watch: Option<Watch>) -> Stage<'_> {
        if self.timings.is_some() {
            usage::reset_peak();
        }
        let processor = self.timings.as_ref().and_then(|_| usage::processor_time());
        Stage { progress: self, name, watch, begun: Instant::now(), processor }
    }

    /// Prints the time and memory of each stage, if they were measured.
    pub fn show_timings(&self) {
        let Some(timings) = &self.timings else { return };
        let timings = timings.lock().unwrap_or_else(PoisonError::into_inner);
        match self.manner {
            Manner::Json => {
                timings
                    .iter()
                    .for_each(|timing| print_line(&render::timing_json(&timing.stage, (timing.time, timing.processor), timing.peak)));
            }
            _ => say(&table(&timings)),
        }
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
            Manner::Json => print_line(&render::event_json("note", line)),
            _ => say(&format!("rustgo: {}: {line}\n", self.style.paint(render::Role::Note, "note"))),
        }
    }

    /// Clears the screen of a terminal, so that it shows only later messages.
    pub fn clear_screen(&self) {
        if self.manner == Manner::Terminal {
            // Erases the screen and the lines that were scrolled out of it, and moves the cursor to the first line.
            say("\x1b[2J\x1b[3J\x1b[H");
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
            Manner::Json => print_line(&render::event_json("done", line)),
            _ => say(&format!("rustgo: {line}\n")),
        }
    }

    /// Reports a failure in the formats for programs. In other formats nothing is printed, because another program has already explained the failure
    /// on stderr.
    pub fn reported(&self, reason: &Diagnostic) {
        match self.manner {
            Manner::Json => print_line(&render::json(reason)),
            Manner::GitHub => print_line(&render::github::annotation(reason, None)),
            _ => {}
        }
    }

    /// Reports why the request was refused. `folders` is `None` if the failure came before the request was complete.
    pub fn refuse(&self, reasons: &[Diagnostic], folders: Option<&Folders>) {
        match self.manner {
            Manner::Json => reasons.iter().for_each(|reason| print_line(&render::json(reason))),
            _ => say(&render::refusal(reasons, self.style)),
        }
        if self.manner == Manner::GitHub {
            reasons.iter().for_each(|reason| print_line(&render::github::annotation(reason, folders)));
        }
    }
}

impl Drop for Stage<'_> {
    fn drop(&mut self) {
        if let Some(Watch { end, thread }) = self.watch.take() {
            drop(end);
            // Ignore a panic of the thread: the thread only prints, so at most a line is missing.
            let _ = thread.join();
        }
        let time = self.begun.elapsed();
        self.progress.detail(&format!("{} ({} ms)", self.name, time.as_millis()));
        if let Some(timings) = &self.progress.timings {
            let mut timings = timings.lock().unwrap_or_else(PoisonError::into_inner);
            let peak = usage::peak();
            let processor = usage::processor_time().zip(self.processor).map(|(now, before)| now.saturating_sub(before));
            // A stage may run several times, so add up the timings of its runs.
            match timings.iter_mut().find(|timing| timing.stage == self.name) {
                Some(timing) => {
                    timing.time += time;
                    timing.processor = timing.processor.zip(processor).map(|(sum, more)| sum + more);
                    timing.peak = timing.peak.max(peak);
                }
                None => timings.push(Timing { stage: self.name.clone(), time, processor, peak }),
            }
        }
    }
}

impl Watch {
    fn start(name: String, show: fn(&str, &mpsc::Receiver<()>)) -> Watch {
        let (end, ended) = mpsc::channel();
        Watch { end, thread: std::thread::spawn(move || show(&name, &ended)) }
    }
}

/// Prints one line if the stage takes longer than [`LONG`].
fn say_once(name: &str, ended: &mpsc::Receiver<()>) {
    if ended.recv_timeout(LONG) == Err(RecvTimeoutError::Timeout) {
        say(&format!("rustgo: still {}\n", status(name)));
    }
}

/// Shows a status line until the stage ends.
fn show_status(name: &str, ended: &mpsc::Receiver<()>) {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    bar.set_style(ProgressStyle::with_template("{spinner} rustgo: {wide_msg}").unwrap_or_else(|_| ProgressStyle::default_spinner()));
    bar.set_message(name.to_owned());
    // The status line is redrawn regularly, so that it moves even if a long stage reports nothing.
    bar.enable_steady_tick(Duration::from_millis(100));
    while ended.recv_timeout(REDRAW) == Err(RecvTimeoutError::Timeout) {
        bar.set_message(status(name));
    }
    bar.finish_and_clear();
}

/// Returns the stage's name and its current work: `analyzing: 31 of 420 functions, core::fmt::write`.
fn status(name: &str) -> String {
    activity::text().map_or_else(|| name.to_owned(), |work| format!("{name}: {work}"))
}

/// Returns a line for each stage with its time and memory, and a line with the sum of the times.
fn table(timings: &[Timing]) -> String {
    let total = Timing {
        stage: "in all".into(),
        time: timings.iter().map(|timing| timing.time).sum(),
        // The sum is `None` if a stage could not be measured, because it would otherwise be too small.
        processor: timings.iter().map(|timing| timing.processor).sum(),
        peak: timings.iter().filter_map(|timing| timing.peak).max(),
    };
    let width = timings.iter().map(|timing| timing.stage.chars().count()).max().unwrap_or(0).max(8);
    let mut text = String::new();
    for Timing { stage, time, processor, peak } in timings.iter().chain([&total]) {
        let processor = processor.map_or_else(String::new, |time| format!("  processor {:8.2} s", time.as_secs_f64()));
        let peak = peak.map_or_else(String::new, |peak| format!("  peak {}", show_size(peak)));
        let _ = writeln!(text, "rustgo: {stage:width$} {:9.3} s{processor}{peak}", time.as_secs_f64());
    }
    text
}

/// Prints to stderr. Ignores an error, because an error message would also go to stderr.
fn say(text: &str) {
    let _ = anstream::stderr().lock().write_all(text.as_bytes());
}

fn print_line(line: &str) {
    let _ = writeln!(std::io::stdout().lock(), "{line}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timings_are_a_table() {
        let timing = |stage: &str, ms, peak: Option<u64>| {
            let processor = peak.map(|_| Duration::from_millis(ms / 2));
            Timing { stage: stage.into(), time: Duration::from_millis(ms), processor, peak }
        };
        assert_eq!(
            table(&[timing("compiling", 12_345, Some(3 << 20)), timing("loading for arm64", 6, None)]),
            "rustgo: compiling            12.345 s  processor     6.17 s  peak 3 MiB\n\
             rustgo: loading for arm64     0.006 s\n\
             rustgo: in all               12.351 s  peak 3 MiB\n"
        );
    }
}
