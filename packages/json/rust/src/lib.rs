//! JSON, by the crates serde and serde_json.

mod document;
mod error;
mod format;
mod pointer;

use error::SyntaxError;
use rustgo::Append;
use serde::de::IgnoredAny;

/// Check reports what is wrong with the syntax of data, which is to be one JSON text (RFC 8259) in UTF-8. The error is a [`SyntaxError`].
#[rustgo::export(stack = "128k", blocking_over = 32768)]
pub fn check(data: &[u8]) -> Result<(), SyntaxError> {
    serde_json::from_str::<IgnoredAny>(error::text(data)?)?;
    Ok(())
}

/// Valid says whether data is one JSON text: it has the result of [`check`], and costs no allocation.
#[rustgo::export(stack = "128k", blocking_over = 32768)]
pub fn valid(data: &[u8]) -> bool {
    str::from_utf8(data).is_ok_and(|text| serde_json::from_str::<IgnoredAny>(text).is_ok())
}

/// AppendCompact appends src to dst, without the white space that has no meaning. Numbers and strings stay as they are written. With an error,
/// a [`SyntaxError`], dst is returned as it was.
#[rustgo::export(stack = "128k", blocking_over = 32768)]
pub fn append_compact(dst: &mut Append<u8>, src: &[u8]) -> Result<(), SyntaxError> {
    check(src)?;
    format::compact(src, |part| dst.extend_from_slice(part));
    Ok(())
}

/// AppendIndent appends src to dst, each element and each member on a line of its own that begins with indent as often as it is nested. Numbers
/// and strings stay as they are written. With an error, a [`SyntaxError`], dst is returned as it was.
#[rustgo::export(stack = "128k", blocking_over = 32768)]
pub fn append_indent(dst: &mut Append<u8>, src: &[u8], indent: &str) -> Result<(), SyntaxError> {
    check(src)?;
    format::indent(src, indent.as_bytes(), |part| dst.extend_from_slice(part));
    Ok(())
}

/// Get returns the value in data that a JSON pointer (RFC 6901) leads to, as it is written there: "/users/0/name", or "" for the whole. The
/// result is a part of data, not a copy. If an object has a name twice, the last one counts. ok is false if there is no such value, or if data is
/// not JSON to its end: [`check`] says why.
#[rustgo::export(results(value, ok), stack = "128k", blocking_over = 32768)]
pub fn get<'a>(data: &'a [u8], pointer: &str) -> Option<&'a [u8]> {
    Some(pointer::find(str::from_utf8(data).ok()?, pointer).ok()??.get().as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found<'t>(text: &'t str, pointer: &str) -> Option<&'t str> {
        get(text.as_bytes(), pointer).map(|value| str::from_utf8(value).unwrap())
    }

    /// The examples of RFC 6901, section 5.
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
        for pointer in ["foo", "/fo", "/foo/2", "/foo/00", "/foo/-", "/foo/+0", "/foo/0/0", "//", "/a/b", "/foo/99999999999999999999"] {
            assert_eq!(found(text, pointer), None, "{pointer}");
        }
        assert_eq!(found(r#"{"a": 1, "a": [2]}"#, "/a"), Some("[2]"));
        assert_eq!(found("{\"a\": 1, }", "/a"), None);
    }

    #[test]
    fn white_space() {
        let text = " { \"a\" :\t[ 1 , -2.50e+3,\"\\\" ]\",{ } , [\n] ] , \"b\":null }\n".as_bytes();
        let (mut compact, mut indented) = (Vec::new(), Vec::new());
        format::compact(text, |part| compact.extend_from_slice(part));
        format::indent(text, b"  ", |part| indented.extend_from_slice(part));
        assert_eq!(str::from_utf8(&compact), Ok(r#"{"a":[1,-2.50e+3,"\" ]",{},[]],"b":null}"#));
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
