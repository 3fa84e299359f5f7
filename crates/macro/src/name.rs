//! Derives Go names from Rust names, and checks Go names.

use rustgo_schema::go_keywords::{self, initialism};

/// Converts a Rust name to a Go name: capitalises the first letter of each part between underscores, and all letters of initialisms.
pub fn camel_case(rust: &str) -> String {
    let mut go = String::with_capacity(rust.len());
    for part in rust.split('_') {
        if let Some(word) = initialism(part) {
            go.push_str(word);
            continue;
        }
        let mut chars = part.chars();
        if let Some(first) = chars.next() {
            go.extend(first.to_uppercase());
            go.push_str(chars.as_str());
        }
    }
    go
}

/// Returns the reason why `go` cannot be the name of an exported Go function or field. `None` if it can. Source: the Go specification,
/// "Identifiers" and "Exported identifiers".
pub fn refusal(go: &str) -> Option<&'static str> {
    let mut chars = go.chars();
    match chars.next() {
        None => Some("it is empty"),
        Some(first) if !first.is_uppercase() || !is_letter(first) => {
            Some("it does not begin with an upper-case letter, so Go would not export it")
        }
        Some(_) => refusal_of_rest(chars),
    }
}

/// Returns the reason why `go` cannot be a name in Go. `None` if it can. The name may begin with a lower-case letter: then Go does not export the
/// name, and only the Go files of the package can use it.
pub fn stated_refusal(go: &str) -> Option<&'static str> {
    let mut chars = go.chars();
    match chars.next() {
        None => Some("it is empty"),
        Some(first) if !is_letter(first) => Some("it does not begin with a letter"),
        Some(_) => refusal_of_rest(chars),
    }
}

fn refusal_of_rest(mut rest: std::str::Chars<'_>) -> Option<&'static str> {
    (!rest.all(in_identifier)).then_some("it is not made of letters, digits and underscores")
}

/// True if the character is a letter in Go's sense, an ASCII digit or the underscore.
pub fn in_identifier(c: char) -> bool {
    c == '_' || c.is_ascii_digit() || is_letter(c)
}

fn is_letter(c: char) -> bool {
    go_keywords::is_letter(c, unicode_ident::is_xid_start)
}

#[cfg(test)]
mod tests {
    use super::{camel_case, refusal, stated_refusal};

    #[test]
    fn camel_case_of_rust_names() {
        for (rust, go) in [
            ("scalar_base_mult", "ScalarBaseMult"),
            ("sum256", "Sum256"),
            ("x25519", "X25519"),
            ("keyed_sum256", "KeyedSum256"),
            ("aes_128_gcm", "Aes128Gcm"),
            ("_hidden", "Hidden"),
            ("double__underscore_", "DoubleUnderscore"),
            ("alreadyCamel", "AlreadyCamel"),
            ("größe_über", "GrößeÜber"),
            ("XOF", "XOF"),
            ("parse_url", "ParseURL"),
            ("url", "URL"),
            ("id_of_json", "IDOfJSON"),
            ("utf8_len", "UTF8Len"),
            ("curl_ids", "CurlIds"),
        ] {
            assert_eq!(camel_case(rust), go);
            assert_eq!(refusal(go), None, "{go}");
        }
    }

    #[test]
    fn only_exported_go_identifiers_are_names() {
        assert!(refusal("").unwrap().contains("empty"));
        for go in ["sum", "_Sum", "9Lives", "日本"] {
            assert!(refusal(go).unwrap().contains("upper-case"), "{go}");
        }
        for go in ["Sum-Up", "Sum Up", "Sum.Up", "Sum\n", "S\u{301}", "Sⅷ", "Sकि", "S℮"] {
            assert!(refusal(go).unwrap().contains("letters, digits"), "{go}");
        }
        for go in ["Sum", "Ärger", "Sum_2", "Σ", "S日本"] {
            assert_eq!(refusal(go), None, "{go}");
        }
        for go in ["sum", "日本"] {
            assert_eq!(stated_refusal(go), None, "{go}");
        }
        for go in ["", "9Lives", "_sum", "sum up", "ⅷ"] {
            assert!(stated_refusal(go).is_some(), "{go}");
        }
    }
}
