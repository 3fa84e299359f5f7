//! Derives Go names from Rust names, as the macro does.

use rustgo_schema::go_keywords::initialism;

/// Returns the Go name that the macro derives from a Rust name.
pub fn camel_case(rust: &str) -> String {
    let mut go = String::new();
    for part in rust.trim_start_matches("r#").split('_') {
        match initialism(part) {
            Some(word) => go.push_str(word),
            None => {
                let mut chars = part.chars();
                go.extend(chars.next().map(|first| first.to_ascii_uppercase()));
                go.push_str(chars.as_str());
            }
        }
    }
    go
}

/// Returns the Go name that the macro derives for a function of a type without `self`.
pub fn of_type(owner: &str, rust: &str) -> String {
    let owner = camel_case(owner);
    match rust {
        "new" => format!("New{owner}"),
        _ => format!("{owner}{}", camel_case(rust)),
    }
}

/// Words that cannot be names in Rust's edition 2024, or only as `r#name`.
const RESERVED: &str = " abstract as async await become box break const continue crate do dyn else enum extern false final fn for gen if impl in let loop macro match mod \
    move mut override priv pub ref return self static struct super trait true try type typeof unsafe unsized use virtual where while yield ";

/// True for a word that cannot be a name in Rust.
pub fn is_reserved(rust: &str) -> bool {
    RESERVED.contains(&format!(" {rust} "))
}

/// Returns a name as Rust's edition 2024 needs it: `r#type`. rustdoc names items without `r#`.
pub fn raw(rust: &str) -> String {
    match is_reserved(rust) && !matches!(rust, "crate" | "self" | "super" | "_") {
        true => format!("r#{rust}"),
        false => rust.to_owned(),
    }
}

/// Names of Rust's prelude that wrappers use. A type with such a name would hide the name of the prelude.
const OF_PRELUDE: [&str; 12] = ["Box", "Clone", "Err", "From", "Iterator", "None", "Ok", "Option", "Result", "Some", "String", "Vec"];

/// True for a name that no type of a wrapper may have.
pub fn is_of_prelude(rust: &str) -> bool {
    OF_PRELUDE.contains(&rust)
}

/// Returns a name for a parameter: the crate's own, if it is a plain name.
pub fn parameter(rust: &str, index: usize) -> String {
    let plain = rust.trim_start_matches("r#").trim_start_matches('_');
    let is_plain = plain.starts_with(|c: char| c.is_ascii_lowercase()) && plain.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    match is_plain && !matches!(plain, "self" | "inner" | "result" | "crate" | "super") {
        true if is_reserved(plain) => format!("{plain}_"),
        true => plain.to_owned(),
        false => format!("arg{}", index + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_macro() {
        for (rust, go) in
            [("scalar_base_mult", "ScalarBaseMult"), ("parse_url", "ParseURL"), ("r#type", "Type"), ("id_of_json", "IDOfJSON")]
        {
            assert_eq!(camel_case(rust), go);
        }
        assert_eq!((of_type("Queue", "new"), of_type("Queue", "with_capacity")), ("NewQueue".to_owned(), "QueueWithCapacity".to_owned()));
    }

    #[test]
    fn keywords_are_written_raw() {
        for (name, written) in [("type", "r#type"), ("gen", "r#gen"), ("try", "r#try"), ("kind", "kind"), ("0", "0"), ("r#type", "r#type")]
        {
            assert_eq!(raw(name), written);
        }
    }

    #[test]
    fn parameters_keep_plain_names() {
        for (rust, name) in
            [("text", "text"), ("_len", "len"), ("(a, b)", "arg3"), ("r#type", "type_"), ("gen", "gen_"), ("try", "try_"), ("self", "arg3")]
        {
            assert_eq!(parameter(rust, 2), name);
        }
    }
}
