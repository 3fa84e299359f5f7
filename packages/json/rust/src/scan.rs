//! Scans texts that are known to be JSON. No function here recurses, so texts may be nested to any depth.

/// Returns the number of bytes of the string at the start of the text, including its quotes.
pub fn string(text: &[u8]) -> usize {
    let mut i = 1;
    while i < text.len() && text[i] != b'"' {
        i += if text[i] == b'\\' { 2 } else { 1 };
    }
    (i + 1).min(text.len())
}

/// Returns the number of bytes of the number or word at the start of the text.
pub fn word(text: &[u8]) -> usize {
    text.iter().position(|byte| b" \t\r\n,:{}[]".contains(byte)).unwrap_or(text.len())
}

/// Returns the number of bytes of the value at the start of the text.
fn value(text: &[u8]) -> usize {
    let (mut depth, mut i) = (0_usize, 0);
    while i < text.len() {
        i += match text[i] {
            b'"' => string(&text[i..]),
            b'{' | b'[' => {
                depth += 1;
                1
            }
            b'}' | b']' => {
                depth -= 1;
                1
            }
            _ if depth == 0 => word(&text[i..]),
            _ => 1,
        };
        if depth == 0 {
            break;
        }
    }
    i
}

/// Returns the offset of the first bracket that is nested deeper than `most`. Counting the brackets first is fast, and rules out most texts.
pub fn deeper_than(text: &[u8], most: usize) -> Option<usize> {
    if text.len() <= most || text.iter().filter(|&&byte| byte | 0x20 == b'{').count() <= most {
        return None;
    }
    let (mut depth, mut i) = (0_usize, 0);
    while i < text.len() {
        match text[i] {
            b'"' => {
                i += string(&text[i..]);
                continue;
            }
            b'{' | b'[' if depth == most => return Some(i),
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth -= 1,
            _ => {}
        }
        i += 1;
    }
    None
}

/// The unread rest of a JSON text.
pub struct Scan<'t>(&'t str);

impl<'t> Scan<'t> {
    pub fn new(text: &'t str) -> Self {
        Self(text)
    }

    fn take(&mut self, len: usize) -> &'t str {
        let (head, rest) = self.0.split_at(len);
        self.0 = rest;
        head
    }

    /// Reads and returns a value.
    pub fn value(&mut self) -> &'t str {
        self.take(value(self.0.as_bytes()))
    }

    /// Reads the opening bracket of an array or object, and returns true for an object. Reads any other value completely, and returns `None`.
    pub fn opens(&mut self) -> Option<bool> {
        let is_object = self.0.starts_with('{');
        if !is_object && !self.0.starts_with('[') {
            self.value();
            return None;
        }
        self.take(1);
        Some(is_object)
    }

    /// Reads up to the next value or name and returns false, or reads the closing bracket of the array or object and returns true.
    pub fn closes(&mut self) -> bool {
        self.0 = self.0.trim_start_matches([' ', '\t', '\r', '\n', ',']);
        let closes = self.0.starts_with(['}', ']']);
        if closes {
            self.take(1);
        }
        closes
    }

    /// Reads a member's name, up to the member's value. Returns true if the name is `name`.
    pub fn name_is(&mut self, name: &str) -> bool {
        let string = self.take(string(self.0.as_bytes()));
        self.0 = self.0.trim_start_matches([' ', '\t', '\r', '\n', ':']);
        is_named(string, name)
    }
}

/// True if the string, given with its quotes and escapes, equals the name. Half of a surrogate pair counts as U+FFFD, as in encoding/json.
fn is_named(string: &str, name: &str) -> bool {
    let string = &string[1..string.len() - 1];
    if string.contains('\\') { characters(string).eq(name.chars()) } else { string == name }
}

/// Decodes a string whose quotes were removed; returns its characters.
fn characters(string: &str) -> impl Iterator<Item = char> {
    let mut rest = string.chars();
    std::iter::from_fn(move || match rest.next()? {
        '\\' => Some(match rest.next()? {
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => {
                let (unit, after) = unit(rest.as_str());
                rest = after.chars();
                // Two halves of a surrogate pair are one character only if the high half comes first.
                let pair = after.strip_prefix("\\u").map(self::unit).filter(|(low, _)| unit >> 10 == 0x36 && low >> 10 == 0x37);
                if let Some((low, after)) = pair {
                    rest = after.chars();
                    char::from_u32(0x1_0000 + ((unit & 0x3ff) << 10 | low & 0x3ff)).unwrap_or('\u{fffd}')
                } else {
                    char::from_u32(unit).unwrap_or('\u{fffd}')
                }
            }
            same => same,
        }),
        c => Some(c),
    })
}

/// Reads the four hexadecimal digits at the start of the text. Returns their value, and the text after them.
fn unit(text: &str) -> (u32, &str) {
    let (digits, after) = text.split_at_checked(4).unwrap_or((text, ""));
    (u32::from_str_radix(digits, 16).unwrap_or(0xfffd), after)
}
