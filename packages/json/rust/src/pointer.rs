//! JSON pointers (RFC 6901): their parts, and the values in a text to which they lead.

use crate::scan::Scan;
use rustgo::GoStr;
use std::borrow::Cow;

/// Returns a pointer from Go as text, or `None` if the pointer is not UTF-8. Such a pointer leads to no value.
pub fn text(pointer: GoStr<'_>) -> Option<&str> {
    str::from_utf8(pointer.0).ok()
}

/// Returns the unescaped parts of a pointer, or `None` if the text is not a pointer.
pub fn parts(pointer: &str) -> Option<impl Iterator<Item = Cow<'_, str>>> {
    let is_pointer = pointer.is_empty() || pointer.starts_with('/');
    let escapes = pointer.split('~').skip(1).all(|rest| rest.starts_with(['0', '1']));
    (is_pointer && escapes).then(|| pointer.split('/').skip(1).map(unescape))
}

fn unescape(part: &str) -> Cow<'_, str> {
    if part.contains('~') { part.replace("~1", "/").replace("~0", "~").into() } else { part.into() }
}

/// Reads a part of a pointer as the index of an array element: a number without a sign and without leading zeros. Returns `None` for any other part.
pub fn index(part: &str) -> Option<usize> {
    let plain = part == "0" || !part.starts_with('0') && part.bytes().all(|byte| byte.is_ascii_digit());
    if plain { part.parse().ok() } else { None }
}

/// Returns the value to which the pointer leads, in a text that is known to be JSON. The time is proportional to the length of the text. `None` means
/// that there is no such value.
pub fn find<'t>(text: &'t str, pointer: GoStr<'_>) -> Option<&'t str> {
    let parts: Vec<_> = parts(self::text(pointer)?)?.collect();
    let mut scan = Scan::new(text.trim_ascii());
    if parts.is_empty() {
        return Some(scan.value());
    }
    // The arrays and objects around the current position; the pointer leads through all of them. For each: true for an object, and the number of
    // array elements that have been read.
    let mut open: Vec<(bool, usize)> = Vec::new();
    let mut found = None;
    loop {
        let depth = open.len();
        if scan.closes() {
            open.pop();
        } else if let Some((is_object, count)) = open.last_mut() {
            let part = &parts[depth - 1];
            let is_match = if *is_object {
                scan.name_is(part)
            } else {
                *count += 1;
                index(part) == Some(*count - 1)
            };
            if !is_match {
                scan.value();
            } else if depth == parts.len() {
                found = Some(scan.value());
            } else {
                // Forget the value of an earlier member with this name, because the last member counts.
                found = None;
                open.extend(scan.opens().map(|is_object| (is_object, 0)));
            }
        } else {
            open.extend(scan.opens().map(|is_object| (is_object, 0)));
        }
        if open.is_empty() {
            return found;
        }
    }
}
