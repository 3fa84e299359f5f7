//! Prints tables of exports and functions, as text within 100 columns or as JSON.

use super::{InstanceId, Subject};
use serde::Serialize;
use std::fmt::Write as _;

/// The maximum width of a table in columns.
const WIDTH: usize = 100;
/// The minimum width of the first column, whose names may be shortened.
const NAME: usize = 24;

#[derive(Serialize)]
struct Inspected {
    exports: Vec<ExportLine>,
    functions: Vec<FunctionLine>,
    /// The functions that only format the messages of panics.
    formatting: Formatting,
}

#[derive(Serialize)]
struct ExportLine {
    name: String,
    /// The kind of entry: `fused` or `framed`.
    entry: &'static str,
    /// The proven maximum of the export's stack, in bytes.
    stack: u32,
    /// The stack budget in bytes, if the export recurses.
    budget: Option<u32>,
    /// The recursion for which the export has a budget.
    recursion: Option<RecursionLine>,
    panics: bool,
    features: Vec<String>,
    /// The path of the Rust function that the export's entry calls, as in `functions`.
    function: String,
}

#[derive(Serialize)]
struct RecursionLine {
    /// The path of the recursive function that needs the most stack.
    function: String,
    /// The number of bytes of stack that a call of this function needs, up to the next stack check.
    level: u32,
    /// The smallest possible budget in bytes.
    least: u32,
    /// The number of nested calls of recursive functions that certainly fit in the budget.
    levels: u32,
}

#[derive(Serialize)]
struct FunctionLine {
    path: String,
    /// Size of the function's code in bytes.
    code: usize,
    /// Size of the function's own frame in bytes.
    frame: u32,
    /// Number of bytes of stack that the function needs, including its callees.
    stack: u32,
    calls: Vec<String>,
    recursive: bool,
    /// True if the function runs only on the way to a panic.
    panicking: bool,
    features: Vec<String>,
}

#[derive(Serialize)]
struct Formatting {
    functions: usize,
    code: usize,
}

#[derive(Serialize)]
struct Listing {
    function: String,
    listing: String,
}

fn collect(subject: &Subject<'_>) -> Inspected {
    let exports = subject.package.functions.iter().map(|(id, function)| {
        let facts = &subject.facts.exports[id];
        ExportLine {
            name: function.shown(),
            entry: facts.entry.as_str(),
            stack: facts.bound,
            budget: facts.budget,
            recursion: facts.budget.zip(facts.recursion.as_ref()).map(|(budget, recursion)| RecursionLine {
                function: recursion.function.clone(),
                level: recursion.level,
                least: recursion.least,
                levels: recursion.levels(budget),
            }),
            panics: facts.can_panic,
            features: facts.features.iter().cloned().collect(),
            function: subject.path(facts.shim),
        }
    });
    let code = |me: InstanceId| subject.object.functions[subject.facts.instances[me].function].code.len();
    let functions = subject.hot().map(|me| {
        let (instance, stack) = (&subject.facts.instances[me], subject.facts.stacks[me]);
        FunctionLine {
            path: subject.path(me),
            code: code(me),
            frame: instance.summary.deepest,
            stack: stack.need,
            calls: subject.callees(me).into_iter().map(|node| subject.name_of(node)).collect(),
            recursive: stack.recursive,
            panicking: instance.doomed,
            features: subject.features(me).into_iter().collect(),
        }
    });
    let cold: Vec<InstanceId> = subject.facts.emitted.iter().copied().filter(|&i| !subject.facts.instances[i].hot).collect();
    let formatting = Formatting { functions: cold.len(), code: cold.into_iter().map(code).sum() };
    Inspected { exports: exports.collect(), functions: functions.collect(), formatting }
}

/// Returns the tables as one line of JSON, which docs/guide.md describes. Later versions may add fields.
pub fn json(subject: &Subject<'_>) -> String {
    to_line(&collect(subject))
}

/// Returns a function's listing as one line of JSON.
pub fn listing_json(subject: &Subject<'_>, me: InstanceId) -> String {
    to_line(&Listing { function: subject.path(me), listing: super::list(subject, me) })
}

fn to_line(value: &impl Serialize) -> String {
    // The values consist of strings, numbers and lists, so serialization cannot fail.
    serde_json::to_string(value).unwrap_or_default() + "\n"
}

/// Returns the table of exports, the table of functions, and a line about the functions that only format panic messages. These functions are not in
/// the table.
pub fn human(subject: &Subject<'_>) -> String {
    let inspected = collect(subject);
    let mut rows = vec![["export", "entry", "stack", "panics", "features"].map(str::to_owned).to_vec()];
    for export in &inspected.exports {
        let stack = export.budget.map_or_else(|| export.stack.to_string(), |budget| format!("{budget} (budget)"));
        let panics = if export.panics { "yes" } else { "no" };
        rows.push(vec![export.name.clone(), export.entry.into(), stack, panics.into(), join(&export.features)]);
    }
    let mut out = columns(&rows, &[2]);
    let mut rows = vec![["function", "code", "frame", "stack", "calls", "features"].map(str::to_owned).to_vec()];
    for function in &inspected.functions {
        let mark = if function.recursive { " (recursive)" } else { "" };
        rows.push(vec![
            format!("{}{mark}", function.path),
            function.code.to_string(),
            function.frame.to_string(),
            function.stack.to_string(),
            function.calls.len().to_string(),
            join(&function.features),
        ]);
    }
    out.push('\n');
    out.push_str(&columns(&rows, &[1, 2, 3, 4]));
    let Formatting { functions, code } = inspected.formatting;
    if functions > 0 {
        let _ = writeln!(out, "\n{functions} functions ({code} bytes) format the message of a panic");
    }
    out
}

fn join(features: &[String]) -> String {
    if features.is_empty() { "-".into() } else { features.join(" ") }
}

/// Prints rows in columns that are two spaces apart. `right` lists the columns that are aligned to the right, because they contain numbers. If rows
/// would be longer than [`WIDTH`], the last column continues on the next lines, and long names in the first column lose their middle.
fn columns(rows: &[Vec<String>], right: &[usize]) -> String {
    let count = rows.first().map_or(0, Vec::len);
    let mut widths: Vec<usize> = (0..count).map(|c| rows.iter().map(|r| r[c].chars().count()).max().unwrap_or(0)).collect();
    let Some((last, rest)) = widths.split_last_mut() else { return String::new() };
    let others: usize = rest.iter().skip(1).map(|width| width + 2).sum();
    // The text in the last column breaks between words. So the column needs at most the width of the longest word or a fifth of [`WIDTH`], whichever
    // is larger.
    let words = rows.iter().flat_map(|row| row[count - 1].split(' ')).map(|word| word.chars().count()).max().unwrap_or(0);
    *last = (*last).min(words.max(WIDTH / 5));
    rest[0] = rest[0].min(WIDTH.saturating_sub(others + *last + 2).max(NAME));
    let last = *last;
    let mut out = String::new();
    for row in rows {
        let mut line = String::new();
        for (c, cell) in row.iter().enumerate().take(count - 1) {
            let cell = if c == 0 { shorten(cell, widths[0]) } else { cell.clone() };
            let pad = widths[c] - cell.chars().count();
            let (before, after) = if right.contains(&c) { (pad, 0) } else { (0, pad) };
            let _ = write!(line, "{}{cell}{}  ", " ".repeat(before), " ".repeat(after));
        }
        let indent = line.chars().count();
        for (at, part) in wrap(&row[count - 1], last).into_iter().enumerate() {
            if at > 0 {
                line = " ".repeat(indent);
            }
            line.push_str(&part);
            out.push_str(line.trim_end());
            out.push('\n');
        }
    }
    out
}

/// Splits the text between words into lines of at most `width` columns. Only a line with a single word may be longer.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = vec![String::new()];
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Shortens the text to at most `width` characters. A longer text loses its middle, because names differ at their ends.
pub fn shorten(text: &str, width: usize) -> String {
    let count = text.chars().count();
    if count <= width {
        return text.to_owned();
    }
    let kept = width.saturating_sub(1);
    let begin = kept / 3;
    let head: String = text.chars().take(begin).collect();
    let tail: String = text.chars().skip(count - (kept - begin)).collect();
    format!("{head}…{tail}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_fit_a_terminal() {
        let long = "alloc::collections::btree::map::BTreeMap<K,V,A>::insert_with_a_name_that_nobody_can_read_in_one_line (recursive)";
        let features = "ADX AES AVX AVX2 AVX512BW AVX512DQ AVX512F AVX512VL BMI1 BMI2 FMA LZCNT PCLMULQDQ XSAVE";
        let row = |cells: [&str; 4]| cells.map(str::to_owned).to_vec();
        let rows = [row(["function", "code", "stack", "features"]), row([long, "123456", "99", features]), row(["short", "1", "2", "-"])];
        let text = columns(&rows, &[1, 2]);
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
        assert!(text.contains('…') && text.contains("(recursive)") && text.lines().count() > rows.len(), "{text}");
        let one: Vec<&str> = text.split_whitespace().collect();
        for word in features.split(' ') {
            assert!(one.contains(&word), "{word}: {text}");
        }
    }

    #[test]
    fn short_texts_are_not_changed() {
        let rows = [vec!["a".to_owned(), "stack".into(), "x y".into()], vec!["bc".into(), "1".into(), "-".into()]];
        assert_eq!(columns(&rows, &[1]), "a   stack  x y\nbc      1  -\n");
        assert_eq!(shorten("abc::def", 8), "abc::def");
        assert_eq!(shorten("abcdefghij", 7), "ab…ghij");
    }
}
