//! The size of a text after its entities are replaced.
//!
//! The crate roxmltree limits how deeply entities refer to each other, but not the length of the result: a text that refers a thousand times to an
//! entity of a megabyte becomes a gigabyte.

use crate::error::{Failure, Reason};
use std::collections::HashMap;

/// The nesting that roxmltree allows.
const DEPTH: u32 = 10;

/// Returns an upper bound of the length of the text after all references to its own entities are replaced.
pub fn expanded(text: &str) -> u64 {
    let declared = declarations(text);
    if declared.is_empty() {
        return text.len() as u64;
    }
    // The references inside of declarations are counted too, which makes the bound larger, not smaller.
    let mut known = HashMap::new();
    references(text).fold(text.len() as u64, |sum, name| sum.saturating_add(length(name, &declared, &mut known, DEPTH)))
}

pub fn too_large(limit: u64) -> Failure {
    Failure::new(Reason::TooLarge, format!("more than {limit} bytes (MaxBytes) after entities are replaced"))
}

/// Finds everything that looks like the declaration of an entity, in comments too. If a name is declared twice, the longer value counts.
fn declarations(text: &str) -> HashMap<&str, &str> {
    let mut declared = HashMap::new();
    for part in text.split("<!ENTITY").skip(1) {
        // Entities for the DTD itself have a percent sign before their name.
        let rest = part.trim_start();
        let rest = rest.strip_prefix('%').unwrap_or(rest).trim_start();
        let Some(end) = rest.find(|c: char| c.is_ascii_whitespace() || c == '"' || c == '\'') else { continue };
        let (name, rest) = rest.split_at(end);
        let rest = rest.trim_start();
        let Some(quote @ ('"' | '\'')) = rest.chars().next() else { continue };
        let value = rest[1..].split(quote).next().unwrap_or_default();
        let longest = declared.entry(name).or_insert(value);
        if value.len() > longest.len() {
            *longest = value;
        }
    }
    declared
}

/// Returns the names between each `&` and the next `;`.
fn references(text: &str) -> impl Iterator<Item = &str> {
    text.split('&').skip(1).filter_map(|part| part.split_once(';')).map(|(name, _)| name)
}

/// Returns the length of an entity after its references are replaced.
fn length<'a>(name: &'a str, declared: &HashMap<&'a str, &'a str>, known: &mut HashMap<(&'a str, u32), u64>, depth: u32) -> u64 {
    let Some(value) = declared.get(name) else { return 0 };
    if depth == 0 {
        return 0; // roxmltree refuses the text
    }
    if let Some(length) = known.get(&(name, depth)) {
        return *length;
    }
    let mut sum = value.len() as u64;
    for inner in references(value) {
        sum = sum.saturating_add(length(inner, declared, known, depth - 1));
    }
    known.insert((name, depth), sum);
    sum
}

#[cfg(test)]
mod tests {
    use super::expanded;

    #[test]
    fn bounds() {
        assert_eq!(expanded("<svg>&amp;&#65;</svg>"), 21);
        let text = "<!DOCTYPE svg [<!ENTITY a \"12345\"><!ENTITY b '&a;&a;'>]><svg>&b;</svg>";
        assert_eq!(expanded(text), text.len() as u64 + 5 + 5 + 6 + 10);
        let bomb: String = (1..10).map(|i| format!("<!ENTITY e{i} '{}'>", format!("&e{};", i - 1).repeat(10))).collect();
        assert!(expanded(&format!("<!DOCTYPE svg [<!ENTITY e0 'x'>{bomb}]><svg>&e9;</svg>")) > 1_000_000_000);
        let ring = "<!DOCTYPE svg [<!ENTITY a '&b;'><!ENTITY b '&a;'>]><svg>&a;</svg>";
        assert!(expanded(ring) < 1000);
    }
}
