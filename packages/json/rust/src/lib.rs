//! JSON, by the crates serde and serde_json.

mod document;
mod error;
mod format;
mod pointer;
mod scan;

use error::SyntaxError;
use rustgo::{Append, GoStr};
use serde::de::IgnoredAny;

/// Check returns nil if data is one JSON text (RFC 8259) in UTF-8, and otherwise a [`crate::error::SyntaxError`].
#[rustgo::export(stack = "128k", blocking_over = 32768)]
pub fn check(data: &[u8]) -> Result<(), SyntaxError> {
    checked(data).map(|_| ())
}

/// Returns the data as text, or an error if the data is not JSON.
fn checked(data: &[u8]) -> Result<&str, SyntaxError> {
    let text = error::text(data)?;
    serde_json::from_str::<IgnoredAny>(text)?;
    Ok(text)
}

/// Valid reports whether data is one JSON text. It accepts the same texts as [`check`], and never allocates in Go's heap.
#[rustgo::export(stack = "128k", blocking_over = 32768)]
pub fn valid(data: &[u8]) -> bool {
    str::from_utf8(data).is_ok_and(|text| serde_json::from_str::<IgnoredAny>(text).is_ok())
}

/// AppendCompact appends src to dst, without white space between values. Numbers and strings are not changed. If src is not JSON, AppendCompact
/// returns dst unchanged and a [`crate::error::SyntaxError`]. It panics if the free part of dst overlaps src.
#[rustgo::export(stack = "128k", blocking_over = 32768)]
pub fn append_compact(dst: &mut Append<u8>, src: &[u8]) -> Result<(), SyntaxError> {
    format::compact(checked(src)?, |part| dst.extend_from_slice(part.as_bytes()));
    Ok(())
}

/// AppendIndent appends src to dst. Each element and each member begins on a new line, after one copy of indent for each level of nesting. Numbers
/// and strings are not changed. If src is not JSON, or nested more than 10,000 deep, AppendIndent returns dst unchanged and a
/// [`crate::error::SyntaxError`]. It panics if the free part of dst overlaps src.
#[rustgo::export(stack = "128k", blocking_over = 32768)]
pub fn append_indent(dst: &mut Append<u8>, src: &[u8], indent: GoStr<'_>) -> Result<(), SyntaxError> {
    let text = checked(src)?;
    // The length of the result can grow with the square of the depth.
    if let Some(at) = scan::deeper_than(text.as_bytes(), DEEPEST_INDENT) {
        return Err(SyntaxError::at(src, at, "nested too deep"));
    }
    format::indent(text.as_bytes(), indent.0, |part| dst.extend_from_slice(part));
    Ok(())
}

/// The largest depth of nesting that AppendIndent accepts, as in encoding/json.
const DEEPEST_INDENT: usize = 10_000;

/// Get returns the value in data to which a JSON pointer (RFC 6901) leads, as it is written there. A pointer such as "/users/0/name" leads to a part
/// of the text; "" leads to the whole text. The result is a part of data, not a copy. If an object has a name twice, the last member counts. Half of
/// a surrogate pair in a name counts as U+FFFD, as in encoding/json. ok is false if there is no such value, or if any part of data is not JSON; then
/// [`check`] returns the error.
#[rustgo::export(results(value, ok), stack = "128k", blocking_over = 32768)]
pub fn get<'a>(data: &'a [u8], pointer: GoStr<'_>) -> Option<&'a [u8]> {
    let text = str::from_utf8(data).ok()?;
    serde_json::from_str::<IgnoredAny>(text).ok()?;
    pointer::find(text, pointer).map(str::as_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn go(text: &str) -> GoStr<'_> {
        GoStr(text.as_bytes())
    }

    fn found<'t>(text: &'t str, pointer: &str) -> Option<&'t str> {
        get(text.as_bytes(), go(pointer)).map(|value| str::from_utf8(value).unwrap())
    }

    /// Tests the examples of RFC 6901, section 5.
    #[test]
    fn pointers() {
        let text = r#"{"foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, "k\"l": 6, " ": 7, "m~n": 8}"#;
        for (pointer, value) in [
            ("", text),
            ("/foo", r#"["bar", "baz"]"#),
            ("/foo/0", r#""bar""#),
            ("/", "0"),
            ("/a~1b", "1"),
            ("/c%d", "2"),
            ("/e^f", "3"),
            ("/g|h", "4"),
            (r"/i\j", "5"),
            (r#"/k"l"#, "6"),
            ("/ ", "7"),
            ("/m~0n", "8"),
        ] {
            assert_eq!(found(text, pointer), Some(value), "{pointer}");
        }
        for pointer in [
            "foo",
            "/m~n",
            "/m~",
            "/m~2n",
            "/fo",
            "/foo/2",
            "/foo/00",
            "/foo/-",
            "/foo/+0",
            "/foo/0/0",
            "//",
            "/a/b",
            "/foo/99999999999999999999",
        ] {
            assert_eq!(found(text, pointer), None, "{pointer}");
        }
        assert_eq!(found(r#"{"a": 1, "a": [2]}"#, "/a"), Some("[2]"));
        assert_eq!(found("{\"a\": 1, }", "/a"), None);
        // Names with escapes, some of them half of a surrogate pair.
        let text = r#"{"\ud800": 1, "\u00e9\n\/": 2, "\ud83d\ude00": 3, "\ude00\ud83d": 4, "\ud83dx": 5, "b": 6}"#;
        for (pointer, value) in
            [("/\u{fffd}", "1"), ("/\u{e9}\n~1", "2"), ("/\u{1f600}", "3"), ("/\u{fffd}\u{fffd}", "4"), ("/\u{fffd}x", "5"), ("/b", "6")]
        {
            assert_eq!(found(text, pointer), Some(value), "{pointer}");
        }
        // A recursive parser would overflow any stack.
        let (depth, end) = (100_000, "1");
        let text = format!("{}{end}{}", "[".repeat(depth), "]".repeat(depth));
        assert_eq!(found(&text, &"/0".repeat(depth)), Some(end));
        assert_eq!(found(&text, &"/0".repeat(depth + 1)), None);
    }

    #[test]
    fn documents_keep_the_text() {
        let text = r#"{"n": 9007199254740993.0, "z": -0, "f": -0.0, "e": 1E2, "s": "\u0041", "a": [1, 2], "a": [3 , 4]}"#;
        let document = document::Document::parse(text.as_bytes()).unwrap();
        assert_eq!(document.to_string(), r#"{"n":9007199254740993.0,"z":-0,"f":-0.0,"e":1E2,"s":"\u0041","a":[1,2],"a":[3,4]}"#);
        for (pointer, value) in
            [("/n", "9007199254740993.0"), ("/z", "-0"), ("/e", "1E2"), ("/s", r#""\u0041""#), ("/a", "[3,4]"), ("/a/1", "4")]
        {
            assert_eq!(document.raw(go(pointer)), Some(value), "{pointer}");
        }
        assert_eq!(
            (document.int64(go("/z")), document.int64(go("/f")), document.int64(go("/e")), document.int64(go("/a/1"))),
            (Some(0), None, None, Some(4))
        );
        assert_eq!((document.text(go("/s")), document.len(go("/a")), document.len(go("/m~n"))), (Some("A"), Some(2), None));
        assert_eq!((document.raw(go("/m~n")), document.kind(go("/~"))), (None, document::Kind::Missing));
    }

    #[test]
    fn documents_are_nested_127_deep() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(document::Document::parse(nested(127).as_bytes()).is_ok());
        assert!(document::Document::parse(nested(128).as_bytes()).is_err());
        assert!(valid(nested(128).as_bytes()));
    }

    #[test]
    fn depth() {
        let nested = |depth: usize| format!("[{{\"[[\\\"{{\": 1}},\n{}{}]", "[".repeat(depth - 1), "]".repeat(depth - 1));
        for (depth, at) in [(1, None), (2, None), (9, None), (10, Some(23)), (11, Some(23))] {
            assert_eq!(scan::deeper_than(nested(depth).as_bytes(), 9), at, "{depth}");
        }
    }

    #[test]
    fn white_space() {
        let text = " { \"a\" :\t[ 1 , -2.50e+3,\"\\\" ]\",{ } , [\n] ] , \"b\":null }\n";
        let (mut compact, mut indented) = (String::new(), Vec::new());
        format::compact(text, |part| compact.push_str(part));
        format::indent(text.as_bytes(), b"  ", |part| indented.extend_from_slice(part));
        assert_eq!(compact, (r#"{"a":[1,-2.50e+3,"\" ]",{},[]],"b":null}"#));
        let expected = "{\n  \"a\": [\n    1,\n    -2.50e+3,\n    \"\\\" ]\",\n    {},\n    []\n  ],\n  \"b\": null\n}";
        assert_eq!(str::from_utf8(&indented), Ok(expected));
    }

    #[test]
    fn places() {
        assert_eq!(check(b"{\"a\": 1,\n  }").unwrap_err().to_string(), "json: key must be a string at line 2 column 3");
        for (data, line, column) in [(&b"\xff"[..], 1, 1), (b"[1,\n \"a\xff\"]", 2, 4), (b"[1,\n2", 2, 1), (b"", 1, 0), (b"[\n1}", 2, 2)] {
            let error = check(data).unwrap_err();
            assert_eq!((error.line, error.column), (line, column), "{error}");
        }
    }
}
