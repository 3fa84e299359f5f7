//! Go's keywords, predeclared identifiers and initialisms.

/// True for letters in Go's sense (Unicode's category L) that have the property XID_Start. The caller passes a function for XID_Start, so that
/// this crate needs no Unicode tables. XID_Start also contains letter numbers (category Nl) and characters with the property Other_ID_Start. This
/// function excludes both.
#[must_use]
pub fn is_letter(c: char, is_xid_start: fn(char) -> bool) -> bool {
    const OTHER: [char; 6] = ['\u{1885}', '\u{1886}', '\u{2118}', '\u{212e}', '\u{309b}', '\u{309c}'];
    is_xid_start(c) && !c.is_numeric() && !OTHER.contains(&c)
}

/// Go's keywords (<https://go.dev/ref/spec#Keywords>).
pub const KEYWORDS: [&str; 25] = [
    "break",
    "case",
    "chan",
    "const",
    "continue",
    "default",
    "defer",
    "else",
    "fallthrough",
    "for",
    "func",
    "go",
    "goto",
    "if",
    "import",
    "interface",
    "map",
    "package",
    "range",
    "return",
    "select",
    "struct",
    "switch",
    "type",
    "var",
];

/// The predeclared identifiers that are types or, like `comparable`, constraints
/// (<https://go.dev/ref/spec#Predeclared_identifiers>).
pub const PREDECLARED_TYPES: [&str; 22] = [
    "any",
    "bool",
    "byte",
    "comparable",
    "complex64",
    "complex128",
    "error",
    "float32",
    "float64",
    "int",
    "int8",
    "int16",
    "int32",
    "int64",
    "rune",
    "string",
    "uint",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "uintptr",
];

/// The predeclared identifiers that are neither types nor constraints: constants, `nil` and functions.
pub const PREDECLARED_VALUES: [&str; 22] = [
    "true", "false", "iota", "nil", "append", "cap", "clear", "close", "complex", "copy", "delete", "imag", "len", "make", "max", "min",
    "new", "panic", "print", "println", "real", "recover",
];

/// Initialisms that Go writes in capitals (<https://go.dev/wiki/CodeReviewComments#initialisms>): the list of staticcheck's check ST1003.
pub const INITIALISMS: [&str; 42] = [
    "ACL", "AMQP", "API", "ASCII", "CPU", "CSS", "DB", "DNS", "EOF", "GID", "GUID", "HTML", "HTTP", "HTTPS", "ID", "IP", "JSON", "QPS",
    "RAM", "RPC", "RTP", "SIP", "SLA", "SMTP", "SQL", "SSH", "TCP", "TLS", "TS", "TTL", "UDP", "UI", "UID", "URI", "URL", "UTF8", "UUID",
    "VM", "XML", "XMPP", "XSRF", "XSS",
];

/// Returns the initialism that equals a part of a name, ignoring case. `None` if the part is no initialism.
#[must_use]
pub fn initialism(part: &str) -> Option<&'static str> {
    INITIALISMS.into_iter().find(|word| word.eq_ignore_ascii_case(part))
}

#[cfg(test)]
mod tests {
    use super::{INITIALISMS, initialism};

    #[test]
    fn initialisms_are_whole_parts() {
        assert!(INITIALISMS.is_sorted());
        for (part, word) in [("id", Some("ID")), ("Utf8", Some("UTF8")), ("ids", None), ("ur", None), ("", None)] {
            assert_eq!(initialism(part), word, "{part}");
        }
    }
}
