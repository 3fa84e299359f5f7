//! Changes the white space of texts that are known to be JSON.

use crate::scan::{string, word};

/// Splits the text into tokens: strings, numbers, words (true, false and null), and punctuation characters.
fn tokens(mut text: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let begin = text.iter().position(|byte| !b" \t\r\n".contains(byte))?;
        text = &text[begin..];
        let end = match text[0] {
            b'"' => string(text),
            b',' | b':' | b'{' | b'}' | b'[' | b']' => 1,
            _ => word(text),
        };
        let (token, rest) = text.split_at(end);
        text = rest;
        Some(token)
    })
}

/// Writes the text without white space between tokens.
pub fn compact(text: &str, mut write: impl FnMut(&str)) {
    let (bytes, mut begin, mut i) = (text.as_bytes(), 0, 0);
    while i < bytes.len() {
        match bytes[i] {
            b'"' => i += string(&bytes[i..]),
            b' ' | b'\t' | b'\r' | b'\n' => {
                write(&text[begin..i]);
                i += bytes[i..].iter().take_while(|byte| b" \t\r\n".contains(byte)).count();
                begin = i;
            }
            _ => i += 1,
        }
    }
    write(&text[begin..]);
}

/// Writes the text with each element and member on a line of its own, after one `indent` for each level of nesting.
pub fn indent(text: &[u8], indent: &[u8], mut write: impl FnMut(&[u8])) {
    let mut depth = 0;
    // The line break after an opening bracket is written before the next token, unless that token closes an empty array or object.
    let mut opened = false;
    for token in tokens(text) {
        let closes = matches!(token, b"}" | b"]");
        if closes {
            depth -= 1;
        }
        if opened != closes {
            line(depth, indent, &mut write);
        }
        opened = matches!(token, b"{" | b"[");
        if opened {
            depth += 1;
        }
        write(token);
        match token {
            b"," => line(depth, indent, &mut write),
            b":" => write(b" "),
            _ => {}
        }
    }
}

fn line(depth: usize, indent: &[u8], write: &mut impl FnMut(&[u8])) {
    write(b"\n");
    (0..depth).for_each(|_| write(indent));
}
