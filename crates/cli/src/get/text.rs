//! Writes the source of the wrapper, and records the lines of each item.

use super::docs;
use super::propose::Proposal;
use std::ops::Range;

/// The source of the wrapper.
#[derive(Clone, Debug)]
pub struct Source {
    pub text: String,
    /// The paths of the items with their lines, counted from 1.
    items: Vec<(String, Range<u32>)>,
}

impl Source {
    /// Returns the path of the smallest item that contains the line: a function rather than the type around it.
    pub fn item_at(&self, line: u32) -> Option<&str> {
        let found = self.items.iter().filter(|(_, lines)| lines.contains(&line));
        found.min_by_key(|(_, lines)| lines.end - lines.start).map(|(path, _)| path.as_str())
    }
}

/// The types of the crate rustgo that signatures may name.
const IMPORTS: [&str; 7] = ["Func", "ReadSeeker", "Reader", "Slices", "Strs", "WriteSeeker", "Writer"];

/// Returns the name of the type that a line declares.
fn declared(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("pub struct ").or_else(|| line.strip_prefix("pub enum "))?;
    rest.split([' ', '(', ';']).next()
}

struct Writer {
    lines: Vec<String>,
    items: Vec<(String, Range<u32>)>,
    /// The types of the crate rustgo that a type of the wrapper hides, because it has the same name.
    hidden: Vec<&'static str>,
}

impl Writer {
    fn here(&self) -> u32 {
        self.lines.len() as u32 + 1
    }

    fn item(&mut self, path: &str, lines: &[String], indent: &str) {
        let start = self.here();
        for line in lines {
            let full = |line: String, name: &&str| line.replace(&format!("{name}<'_"), &format!("rustgo::{name}<'_"));
            let line = if line.starts_with("//") { line.clone() } else { self.hidden.iter().fold(line.clone(), full) };
            self.lines.push(if line.is_empty() { line } else { format!("{indent}{line}") });
        }
        self.items.push((path.to_owned(), start..self.here()));
    }
}

/// Writes the source. `head` has the lines of the comment at the top. `package` is the start of the documentation.
pub fn source(proposal: &Proposal, head: &[String], package: &str) -> Source {
    let mut writer = Writer { lines: docs::comment("//", &head.join("\n")), items: Vec::new(), hidden: Vec::new() };
    writer.lines.extend((!head.is_empty()).then(String::new));
    writer.lines.extend(docs::comment("//!", package));
    if !proposal.docs.is_empty() {
        writer.lines.push("//!".to_owned());
        writer.lines.extend(docs::comment("//!", &proposal.docs));
    }
    writer.lines.push(String::new());
    let all = || {
        let of_types = proposal.types.iter().flat_map(|part| &part.exports);
        of_types.chain(&proposal.functions).flat_map(|export| &export.lines).filter(|line| !line.starts_with("//"))
    };
    let used: Vec<&str> = IMPORTS.into_iter().filter(|name| all().any(|line| line.contains(&format!("{name}<'_")))).collect();
    let declared: Vec<&str> =
        proposal.types.iter().flat_map(|part| part.declaration.iter().chain(&part.rest)).filter_map(|line| declared(line)).collect();
    // If the wrapper has a type with the name of a rustgo type, signatures name the rustgo type by its full path.
    let (hidden, used): (Vec<&str>, Vec<&str>) = used.into_iter().partition(|name| declared.contains(name));
    match used.as_slice() {
        [] => {}
        [one] => writer.lines.extend([format!("use rustgo::{one};"), String::new()]),
        several => writer.lines.extend([format!("use rustgo::{{{}}};", several.join(", ")), String::new()]),
    }
    writer.hidden = hidden;
    for constant in &proposal.constants {
        writer.item(&constant.path, &constant.lines, "");
        writer.lines.push(String::new());
    }
    for part in &proposal.types {
        let start = writer.here();
        writer.lines.extend(part.declaration.iter().cloned());
        if !part.exports.is_empty() {
            writer.lines.extend([String::new(), "#[rustgo::export]".to_owned(), format!("impl {} {{", part.go)]);
            for (at, export) in part.exports.iter().enumerate() {
                writer.lines.extend((at > 0).then(String::new));
                writer.item(&export.path, &export.lines, "    ");
            }
            writer.lines.push("}".to_owned());
        }
        writer.lines.extend(part.rest.iter().cloned());
        let lines = start..writer.here();
        writer.items.push((part.path.clone(), lines));
        writer.lines.push(String::new());
    }
    for export in &proposal.functions {
        writer.item(&export.path, &export.lines, "");
        writer.lines.push(String::new());
    }
    if !proposal.texts.is_empty() {
        writer.lines.push("// Texts of the crate's examples and tests. go test passes these and other arguments to functions.".to_owned());
        writer.lines.extend(["#[cfg(test)]".to_owned(), format!("const _: [&str; {}] = [", proposal.texts.len())]);
        writer.lines.extend(proposal.texts.iter().map(|text| format!("    \"{text}\",")));
        writer.lines.push("];".to_owned());
    }
    while writer.lines.last().is_some_and(String::is_empty) {
        writer.lines.pop();
    }
    Source { text: writer.lines.join("\n") + "\n", items: writer.items }
}
