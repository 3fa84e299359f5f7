//! White space of texts that are known to be JSON.

/// Where the string that begins the text ends.
fn string(text: &[u8]) -> usize {
    let mut i = 1;
    while i < text.len() && text[i] != b'"' {
        i += if text[i] == b'\\' { 2 } else { 1 };
    }
    (i + 1).min(text.len())
}

/// Where the number or word that begins the text ends.
fn word(text: &[u8]) -> usize {
    text.iter().position(|byte| b" \t\r\n,:{}[]".contains(byte)).unwrap_or(text.len())
}

/// The parts without white space between them: strings, numbers, words, and single characters.
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

/// Writes the text without white space.
pub fn compact(text: &[u8], mut write: impl FnMut(&[u8])) {
    let (mut begin, mut i) = (0, 0);
    while i < text.len() {
        match text[i] {
            b'"' => i += string(&text[i..]),
            b' ' | b'\t' | b'\r' | b'\n' => {
                write(&text[begin..i]);
                i += text[i..].iter().take_while(|byte| b" \t\r\n".contains(byte)).count();
                begin = i;
            }
            _ => i += 1,
        }
    }
    write(&text[begin..]);
}

/// Writes the text with line breaks.
pub fn indent(text: &[u8], indent: &[u8], mut write: impl FnMut(&[u8])) {
    let mut depth = 0;
    // An opening bracket waits for what follows: nothing breaks the line of an empty array or object.
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
