//! Chooses names for the symbols of emitted functions. The names are readable in tracebacks and profiles, and unique in the file.
//!
//! A name is a Rust path with `·` in place of `::` (Go's tools show a dot). Of `<A as Trait<B>>::method` the parts without generic arguments
//! remain: `A·Trait·method`. Characters other than letters, digits and `_` are dropped. The second function with a name gets the suffix `·2`, and
//! so on, in the order of emission.

use crate::gosrc;
use std::collections::HashMap;

/// The names in use, each with the number of times that it was requested.
#[derive(Debug, Default)]
pub struct Names {
    taken: HashMap<String, u32>,
}

impl Names {
    /// Returns a new file-local name (with `<>`) for a Rust path.
    pub fn fresh(&mut self, path: &str) -> String {
        let base = readable(path);
        let count = self.taken.entry(base.clone()).or_insert(0);
        *count += 1;
        match *count {
            1 => format!("{base}<>"),
            n => self.fresh(&format!("{path}::{n}")),
        }
    }
}

/// Returns the path in the form of a symbol, without generic arguments and without characters that a symbol cannot contain.
fn readable(path: &str) -> String {
    let mut pieces: Vec<String> = Vec::new();
    let mut piece = String::new();
    // Number of open `<` that begin generic arguments (`Vec<u8>`, `f::<u8>`). Generic arguments are dropped. A `<` at the start of a path does not
    // count.
    let mut depth = 0usize;
    let mut opened: Vec<bool> = Vec::new();
    let chars: Vec<char> = path.chars().collect();
    let mut at = 0;
    let flush = |piece: &mut String, pieces: &mut Vec<String>| {
        if !piece.is_empty() {
            pieces.push(std::mem::take(piece));
        }
    };
    while at < chars.len() {
        let c = chars[at];
        match c {
            '<' => {
                let arguments = !piece.is_empty() || (at >= 2 && chars[at - 1] == ':' && !pieces.is_empty());
                opened.push(arguments);
                depth += usize::from(arguments);
            }
            '>' if at > 0 && chars[at - 1] == '-' => {}
            '>' => depth -= usize::from(opened.pop().unwrap_or(false) && depth > 0),
            _ if depth > 0 => {}
            ':' => flush(&mut piece, &mut pieces),
            ' ' => {
                flush(&mut piece, &mut pieces);
                if chars[at..].starts_with(&[' ', 'a', 's', ' ']) {
                    at += 3;
                }
            }
            c if gosrc::in_identifier(c) => piece.push(c),
            '{' | '}' | '#' | '.' | '$' | '(' | ')' | '[' | ']' | ',' | ';' | '&' | '*' | '-' | '@'
                if !matches!(c, '#' | '.' | '$' | '-' | '@') =>
            {
                flush(&mut piece, &mut pieces);
            }
            _ => {}
        }
        at += 1;
    }
    flush(&mut piece, &mut pieces);
    let mut name = pieces.join("·");
    // A symbol must not be empty or start with a digit.
    if name.chars().next().is_none_or(|c| c.is_ascii_digit()) {
        name.insert_str(0, "rust·");
    }
    if !name.contains('·') {
        name.insert_str(0, "rust·");
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths() {
        for (path, name) in [
            ("curve25519_dalek::edwards::EdwardsPoint::compress", "curve25519_dalek·edwards·EdwardsPoint·compress"),
            ("<curve25519_dalek::edwards::EdwardsPoint>::compress", "curve25519_dalek·edwards·EdwardsPoint·compress"),
            ("<core::fmt::Formatter as core::fmt::Write>::write_str", "core·fmt·Formatter·core·fmt·Write·write_str"),
            ("core::slice::sort::<u8, fn(u8) -> u8>::go", "core·slice·sort·go"),
            ("alloc::vec::Vec<u8>::push", "alloc·vec·Vec·push"),
            ("blake3_hash_many_avx512", "rust·blake3_hash_many_avx512"),
            ("demo::f::{closure#0}", "demo·f·closure0"),
            ("<[u8] as demo::T>::f", "u8·demo·T·f"),
        ] {
            assert_eq!(readable(path), name, "{path}");
        }
        let mut names = Names::default();
        assert_eq!(names.fresh("a::b"), "a·b<>");
        assert_eq!(names.fresh("a::b"), "a·b·2<>");
        assert_eq!(names.fresh("a::b"), "a·b·3<>");
    }
}
