//! Directives of case files. They have the same form in every language:
//!
//! ```text
//! //@ KEY: VALUE
//! //@ KEY ARGUMENT: VALUE
//! ```
//!
//! A key that a kind of case does not know is an error; its message names the file and line. docs/testing.md lists the keys.

use super::read;
use std::path::Path;

/// The start of a directive line.
const MARK: &str = "//@";

/// One directive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Directive {
    pub key: String,
    /// The text between the key and the colon. For most keys it is empty.
    pub argument: String,
    pub value: String,
}

/// The directives of a file, in their order.
#[derive(Clone, Debug, Default)]
pub struct Directives(Vec<Directive>);

/// Parses a line; `None` if it is not a directive.
pub fn of_line(line: &str) -> Option<Result<Directive, String>> {
    let rest = line.strip_prefix(MARK)?;
    Some(match rest.strip_prefix(' ').and_then(|rest| rest.split_once(':')) {
        Some((before, value)) => {
            let (key, argument) = before.split_once(' ').unwrap_or((before, ""));
            Ok(Directive { key: key.to_owned(), argument: argument.trim().to_owned(), value: value.trim().to_owned() })
        }
        None => Err(format!("a directive is written `{MARK} key: value`, not `{line}`")),
    })
}

impl Directives {
    /// The directives of a file's text. `keys` are the allowed keys. The error names file and line.
    pub fn parse(path: &Path, text: &str, keys: &[&str]) -> Result<Directives, String> {
        let mut found = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let place = || format!("{}:{}", path.display(), number + 1);
            match of_line(line) {
                None => {}
                Some(Err(problem)) => return Err(format!("{}: {problem}", place())),
                Some(Ok(directive)) if !keys.contains(&directive.key.as_str()) => {
                    return Err(format!("{}: there is no directive `{}` here, only {}", place(), directive.key, keys.join(", ")));
                }
                Some(Ok(directive)) => found.push(directive),
            }
        }
        Ok(Directives(found))
    }

    /// The directives of a file. Panics if there is an error.
    pub fn read(path: &Path, keys: &[&str]) -> Directives {
        Directives::parse(path, &read(path), keys).unwrap_or_else(|problem| panic!("{problem}"))
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Directive> {
        self.0.iter()
    }

    /// All values of a key.
    pub fn all<'a>(&'a self, key: &'a str) -> impl Iterator<Item = &'a str> {
        self.iter().filter(move |directive| directive.key == key).map(|directive| directive.value.as_str())
    }

    /// The words in all values of a key.
    pub fn words<'a>(&'a self, key: &'a str) -> impl Iterator<Item = &'a str> {
        self.all(key).flat_map(str::split_whitespace)
    }

    /// The value of a key that occurs at most once; `None` if it does not occur.
    pub fn one<'a>(&'a self, key: &'a str) -> Option<&'a str> {
        self.all(key).next()
    }
}

crate::tests!(directives_have_one_form, wrong_directives_are_errors_with_line_numbers);

fn directives_have_one_form() {
    let text =
        "//! Words.\n//@ args: check --quiet\n//@ file go/a.go: package a\\n\nfn f() {} //@ no: directive\n//@ expect arm64 clang: right\n";
    let read = Directives::parse(Path::new("case.rs"), text, &["args", "file", "expect"]).expect("every key is one of these");
    let all: Vec<_> = read.iter().map(|d| (d.key.as_str(), d.argument.as_str(), d.value.as_str())).collect();
    assert_eq!(all, [("args", "", "check --quiet"), ("file", "go/a.go", "package a\\n"), ("expect", "arm64 clang", "right")]);
    assert_eq!(read.words("args").collect::<Vec<_>>(), ["check", "--quiet"]);
    assert_eq!(read.one("out"), None);
}

fn wrong_directives_are_errors_with_line_numbers() {
    for (text, said) in [
        ("//! Words.\n//@ arg: check\n", "case.rs:2: there is no directive `arg` here, only args, out"),
        ("//@ args check\n", "case.rs:1: a directive is written `//@ key: value`, not `//@ args check`"),
        ("//@args: check\n", "case.rs:1: a directive is written `//@ key: value`, not `//@args: check`"),
    ] {
        assert_eq!(Directives::parse(Path::new("case.rs"), text, &["args", "out"]).expect_err(said), said);
    }
}
