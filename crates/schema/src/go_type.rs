//! Names of Go types, as authors write them in `#[rustgo::go_type("…")]`. Records contain the same names.

use crate::go_keywords::{KEYWORDS, PREDECLARED_TYPES, PREDECLARED_VALUES};

/// A named Go type or a pointer to one: `Task`, `*Task`, `error`, `net.Conn`, `*net/http.Request`.
///
/// A type that another file of the generated Go package declares has no package in its name. A type of the standard library has its import path.
/// Every other type needs a declaration in the Go package, such as `type Bytes = []byte`. So a reader of the record needs neither a parser of Go's
/// types nor other modules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GoType<'a> {
    /// True if the type is a pointer to the named type.
    pub pointer: bool,
    /// The import path of the type's package. `None` if the type is predeclared or belongs to the generated Go package.
    pub package: Option<&'a str>,
    /// The type's name without its package.
    pub name: &'a str,
}

impl<'a> GoType<'a> {
    /// Parses the name of a Go type.
    ///
    /// # Errors
    /// The reason why the type cannot be named, as a text that completes the sentence "cannot be named: ".
    pub fn parse(text: &'a str) -> Result<Self, &'static str> {
        let (pointer, named) = match text.strip_prefix('*') {
            Some(named) => (true, named),
            None => (false, text),
        };
        // The last dot separates the package and the name, as in `gopkg.in/yaml.v3.Node`. Brackets of a generic type come after the name.
        let base = named.split('[').next().unwrap_or_default();
        let (package, name) = match base.rsplit_once('.') {
            Some((package, name)) => (Some(package), name),
            None => (None, base),
        };
        if !is_identifier(name) || name == "map" && base != named {
            return Err("it has no name of its own; declare one in the Go package, as in `type Bytes = []byte`");
        }
        if base != named {
            return Err("it is an instance of a generic type; declare a name for it in the Go package, as in `type Ints = List[int]`");
        }
        let known = if PREDECLARED_TYPES.contains(&name) { name != "comparable" } else { !PREDECLARED_VALUES.contains(&name) };
        if KEYWORDS.contains(&name) || name == "_" || package.is_none() && !known {
            return Err("in Go that word is no type");
        }
        match package {
            Some(package) if !is_standard(package) => {
                Err("only the standard library's packages can be; declare a name for it in the Go package, as in `type Task = queue.Task`")
            }
            Some(_) if !name.starts_with(char::is_uppercase) => {
                Err("it does not begin with an upper-case letter, so its package does not export it")
            }
            _ => Ok(Self { pointer, package, name }),
        }
    }

    /// True if the type is predeclared in Go.
    #[must_use]
    pub fn is_predeclared(&self) -> bool {
        self.package.is_none() && PREDECLARED_TYPES.contains(&self.name)
    }
}

/// True if the name is an identifier as in the Go specification, "Identifiers", but with Rust's wider definition of letters and digits.
fn is_identifier(name: &str) -> bool {
    name.starts_with(|first: char| first == '_' || first.is_alphabetic()) && name.chars().all(|c| c == '_' || c.is_alphanumeric())
}

/// True if the path may be the path of an importable package of the standard library: all elements consist of lower-case letters and digits, and no
/// element is `internal`, `vendor` or `cmd`. So the function returns false for cgo's pseudo-package `C` and for a path with a domain name.
fn is_standard(path: &str) -> bool {
    let part = |part: &str| !part.is_empty() && part.bytes().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    path.split('/').all(part) && !path.split('/').any(|part| matches!(part, "internal" | "vendor" | "cmd"))
}

#[cfg(test)]
mod tests {
    use super::GoType;

    #[test]
    fn named_types() {
        let named = |pointer, package, name| Ok(GoType { pointer, package, name });
        assert_eq!(GoType::parse("Task"), named(false, None, "Task"));
        assert_eq!(GoType::parse("*task_2"), named(true, None, "task_2"));
        assert_eq!(GoType::parse("Größe"), named(false, None, "Größe"));
        assert_eq!(GoType::parse("net.Conn"), named(false, Some("net"), "Conn"));
        assert_eq!(GoType::parse("*net/http.Request"), named(true, Some("net/http"), "Request"));
        assert_eq!(GoType::parse("math/rand/v2.Rand"), named(false, Some("math/rand/v2"), "Rand"));
        for (text, predeclared) in [("error", true), ("*int", true), ("any", true), ("Error", false), ("net.Error", false)] {
            assert_eq!(GoType::parse(text).unwrap().is_predeclared(), predeclared, "{text}");
        }
    }

    #[test]
    fn what_has_no_name_is_refused() {
        for (text, why) in [
            ("", "no name of its own"),
            ("*", "no name of its own"),
            ("**T", "no name of its own"),
            ("[]byte", "no name of its own"),
            ("[4]Task", "no name of its own"),
            ("map[string]int", "no name of its own"),
            ("func()", "no name of its own"),
            ("func", "no type"),
            ("chan int", "no name of its own"),
            ("struct{}", "no name of its own"),
            ("interface{ Close() }", "no name of its own"),
            (" Task", "no name of its own"),
            ("Task ", "no name of its own"),
            ("net.", "no name of its own"),
            ("4T", "no name of its own"),
            ("List[int]", "instance of a generic type"),
            ("*sync/atomic.Pointer[example.com/task.Task]", "instance of a generic type"),
            ("nil", "no type"),
            ("append", "no type"),
            ("comparable", "no type"),
            ("_", "no type"),
            ("net.conn", "not export"),
            ("net._", "no type"),
            (".T", "standard library"),
            ("C.int", "standard library"),
            ("example.com/task.Task", "standard library"),
            ("gopkg.in/yaml.v3.Node", "standard library"),
            ("internal/abi.Type", "standard library"),
            ("/net.Conn", "standard library"),
            ("net//http.Request", "standard library"),
            ("net\"; import \"C.T", "standard library"),
        ] {
            let refusal = GoType::parse(text).unwrap_err();
            assert!(refusal.contains(why), "{text:?}: {refusal}");
        }
    }
}
