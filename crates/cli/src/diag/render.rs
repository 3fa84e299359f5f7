//! Prints diagnostics: for people as text in the style of Go's linker, for programs as one JSON object on each line.

pub mod github;

use super::wall::{Wall, needed_by};
use super::{Call, Diagnostic, Place, Source};
use anstyle::{AnsiColor, Style as Ansi};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

/// The style of printed text: with or without colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    Plain,
    Colored,
}

/// The part of a message to which a word belongs. The part decides the word's colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Error,
    Note,
    Hint,
    /// Arrows and places. They are less visible than the message.
    Faint,
    /// The text of the message.
    Strong,
    Good,
}

impl Style {
    /// Returns `text` in the colour for `role`, or unchanged in the style without colours.
    pub fn paint(self, role: Role, text: &str) -> String {
        if self == Style::Plain {
            return text.to_owned();
        }
        let ansi = match role {
            Role::Error => AnsiColor::Red.on_default().bold(),
            Role::Note => AnsiColor::Cyan.on_default().bold(),
            Role::Hint => AnsiColor::Green.on_default().bold(),
            Role::Faint => AnsiColor::Blue.on_default(),
            Role::Strong => Ansi::new().bold(),
            Role::Good => AnsiColor::Green.on_default(),
        };
        format!("{ansi}{text}{ansi:#}")
    }
}

/// Returns the diagnostic as several lines, each with a line feed at its end.
///
/// ```text
/// rustgo: error: recursion without a stated stack budget
///   --> src/lib.rs:12 (demo::walk)
///     demo::sum (src/lib.rs:4)
///         calls demo::walk (src/lib.rs:12)
///         may call demo::walk
///   note: …
///   hint: …
/// ```
pub fn human(diagnostic: &Diagnostic, style: Style) -> String {
    let mut text = format!("rustgo: {}: {}\n", style.paint(Role::Error, "error"), style.paint(Role::Strong, &diagnostic.message));
    if let Some(place) = &diagnostic.place {
        let _ = writeln!(text, "  {} {}", style.paint(Role::Faint, "-->"), show_place(place));
    }
    text.push_str(&show_chain(&diagnostic.chain));
    if !diagnostic.others.is_empty() {
        let _ = writeln!(text, "  {} {}", style.paint(Role::Note, "note:"), show_others(&diagnostic.others));
    }
    for note in &diagnostic.notes {
        let _ = writeln!(text, "  {} {}", style.paint(Role::Note, "note:"), indented(note));
    }
    if let Some(hint) = &diagnostic.hint {
        let _ = writeln!(text, "  {} {}", style.paint(Role::Hint, "hint:"), indented(hint));
    }
    text
}

/// Maximum number of reasons that are printed one by one. A single construct in the code can cause hundreds of reasons.
const MOST: usize = 5;

/// Returns the text of a refusal. If there are more than [`MOST`] reasons, the text shows one example for each kind of reasons, and lists or counts
/// the other reasons of the kind. If there are several kinds, the text ends with a summary.
pub fn refusal(reasons: &[Diagnostic], style: Style) -> String {
    if reasons.len() <= MOST {
        return reasons.iter().map(|reason| human(reason, style)).collect();
    }
    let mut kinds: BTreeMap<Wall, Vec<&Diagnostic>> = BTreeMap::new();
    for reason in reasons {
        kinds.entry(reason.wall).or_default().push(reason);
    }
    let mut text = String::new();
    for (wall, reasons) in &kinds {
        let mut example = reasons[0].clone();
        if let Some(note) = more(*wall, &reasons[1..]) {
            example.notes.push(note);
        }
        text.push_str(&human(&example, style));
    }
    if kinds.len() > 1 {
        text.push_str(&summary(&kinds, style));
    }
    text
}

/// Maximum number of reasons of one kind that are listed after the example. The other reasons are only counted.
const LISTED: usize = 10;

/// Returns the note about the reasons of a kind after the first.
fn more(wall: Wall, others: &[&Diagnostic]) -> Option<String> {
    let mut lines: Vec<&str> = others.iter().take(LISTED).map(|other| other.message.as_str()).collect();
    let rest = match others.len() - lines.len() {
        0 => String::new(),
        n => format!("and {n} more"),
    };
    lines.extend((!rest.is_empty()).then_some(rest.as_str()));
    let reasons = if others.len() == 1 { "reason" } else { "reasons" };
    (!others.is_empty()).then(|| format!("{} more {reasons} of this kind ({}):\n{}", others.len(), wall.title(), lines.join("\n")))
}

/// Returns a heading, and a line for each kind of reasons with the number of reasons and the crates that need the refused code.
fn summary(kinds: &BTreeMap<Wall, Vec<&Diagnostic>>, style: Style) -> String {
    let count: usize = kinds.values().map(Vec::len).sum();
    let head = format!("refused for {count} reasons of {} kinds, the most important first", kinds.len());
    let mut text = format!("rustgo: {}: {}\n", style.paint(Role::Error, "error"), style.paint(Role::Strong, &head));
    for (wall, reasons) in kinds {
        let mut crates: Vec<&str> = reasons.iter().filter_map(|reason| needed_by(reason)).collect();
        crates.sort_unstable();
        crates.dedup();
        let more = if crates.len() > NAMED { " and others" } else { "" };
        let by = crates.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ");
        let by = if by.is_empty() { by } else { format!(": {by}{more}") };
        let _ = writeln!(text, "    {} ({}){by}", wall.title(), reasons.len());
    }
    text
}

fn show_place(place: &Place) -> String {
    match (position(place), place.function.as_str()) {
        (Some(position), "") => position,
        (Some(position), function) => format!("{position} ({function})"),
        (None, function) => function.to_owned(),
    }
}

/// Returns a chain of calls in the form that cmd/link uses for a stack overflow: a line with the first function, then for each call a line with the
/// callee. A chain of one function gives an empty text, because the place of the message already names this function.
fn show_chain(chain: &[Call]) -> String {
    if chain.len() < 2 {
        return String::new();
    }
    let mut text = String::new();
    let mut how = None;
    for (depth, call) in chain.iter().enumerate() {
        let at = position(&call.place).map(|position| format!(" ({position})")).unwrap_or_default();
        let _ = match depth {
            0 => writeln!(text, "    {}{at}", call.place.function),
            _ => writeln!(text, "        {} {}{at}", how.unwrap_or("calls"), call.place.function),
        };
        how = call.how;
    }
    text
}

/// Maximum number of other functions or crates that a message names. Further functions are only counted, and further crates are not named.
const NAMED: usize = 4;

fn show_others(others: &[Place]) -> String {
    let named: Vec<&str> = others.iter().take(NAMED).map(|other| other.function.as_str()).collect();
    let rest = match others.len() - named.len() {
        0 => String::new(),
        1 => " and 1 other".to_owned(),
        n => format!(" and {n} others"),
    };
    let functions = if others.len() == 1 { "function" } else { "functions" };
    format!("the same holds for {} more {functions}: {}{rest}", others.len(), named.join(", "))
}

fn position(place: &Place) -> Option<String> {
    let file = place.file.as_ref()?;
    let position = place.line.map_or_else(|| file.clone(), |line| format!("{file}:{line}"));
    Some(match &place.inlined {
        Some(Source { file, line }) => format!("{position}, by code inlined from {file}:{line}"),
        None => position,
    })
}

/// Indents all lines except the first to the column in which the first line's text begins.
fn indented(text: &str) -> String {
    text.trim_end().replace('\n', "\n        ")
}

/// Returns the diagnostic as one line of JSON. The names of fields and codes are stable; later versions may add fields.
pub fn json(diagnostic: &Diagnostic) -> String {
    #[derive(Serialize)]
    struct Line<'a> {
        severity: &'static str,
        code: &'static str,
        kind: &'static str,
        message: &'a str,
        place: Option<At<'a>>,
        chain: Vec<Link<'a>>,
        /// All other places with the same problem. The text for people names only a few of them.
        others: Vec<At<'a>>,
        notes: &'a [String],
        hint: Option<&'a str>,
    }
    #[derive(Serialize)]
    struct At<'a> {
        function: &'a str,
        file: Option<&'a str>,
        line: Option<u32>,
        #[serde(skip_serializing_if = "Option::is_none")]
        inlined: Option<From<'a>>,
    }
    /// The source line of code that was inlined from another crate.
    #[derive(Serialize)]
    struct From<'a> {
        file: &'a str,
        line: u32,
    }
    #[derive(Serialize)]
    struct Link<'a> {
        #[serde(flatten)]
        at: At<'a>,
        how: Option<&'static str>,
    }
    fn at(place: &Place) -> At<'_> {
        let inlined = place.inlined.as_ref().map(|source| From { file: &source.file, line: source.line });
        At { function: &place.function, file: place.file.as_deref(), line: place.line, inlined }
    }
    let line = Line {
        severity: "error",
        code: diagnostic.code.as_str(),
        kind: diagnostic.wall.as_str(),
        message: &diagnostic.message,
        place: diagnostic.place.as_ref().map(at),
        chain: diagnostic.chain.iter().map(|call| Link { at: at(&call.place), how: call.how }).collect(),
        others: diagnostic.others.iter().map(at).collect(),
        notes: &diagnostic.notes,
        hint: diagnostic.hint.as_deref(),
    };
    to_line(&line)
}

/// Returns a note or the final message in the JSON form of a diagnostic. `severity` is `note` or `done`.
pub fn event_json(severity: &'static str, message: &str) -> String {
    #[derive(Serialize)]
    struct Event<'a> {
        severity: &'static str,
        message: &'a str,
    }
    to_line(&Event { severity, message })
}

/// Returns the time and memory of a stage as one line of JSON. `processor` is the processor time of this process, `peak` is in bytes.
pub fn timing_json(stage: &str, (time, processor): (Duration, Option<Duration>), peak: Option<u64>) -> String {
    #[derive(Serialize)]
    struct Event<'a> {
        severity: &'static str,
        stage: &'a str,
        milliseconds: u64,
        processor_milliseconds: Option<u64>,
        peak_bytes: Option<u64>,
    }
    let milliseconds = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    let (milliseconds, processor_milliseconds) = (milliseconds(time), processor.map(milliseconds));
    to_line(&Event { severity: "timing", stage, milliseconds, processor_milliseconds, peak_bytes: peak })
}

fn to_line(value: &impl Serialize) -> String {
    // The values consist of strings, numbers and lists, so serialization cannot fail.
    serde_json::to_string(value).unwrap_or_default()
}

#[cfg(test)]
mod tests;
