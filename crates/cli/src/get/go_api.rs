//! Lists the API of a generated Go file, one line for each declaration, and compares two such lists.

use std::collections::BTreeMap;

/// Lists the exported declarations of a generated file, each with its key: `Version.Compare` → `func (v *Version) Compare(other *Version) int`.
pub fn declarations(go: &str) -> BTreeMap<String, String> {
    listed(go).into_iter().collect()
}

/// Lists the exported declarations of a generated file in their order, each with its key.
pub fn listed(go: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    // The block that a line is in: a struct or interface with its name, or a list of constants or variables.
    let mut block: Option<String> = None;
    for line in go.lines() {
        let code = without_comment(line).trim_end();
        if let Some(of) = &block {
            match code {
                "}" | ")" => block = None,
                code if code.starts_with('\t') && !code.starts_with("\t\t") => {
                    let member = code.trim();
                    let name = member.split([' ', '(']).next().unwrap_or_default();
                    if is_exported(name) {
                        let (key, shown) = match of.split_once(' ') {
                            Some((kind, "")) => (name.to_owned(), format!("{kind} {}", spaced(member))),
                            Some((_, ty)) => (format!("{ty}.{name}"), format!("field {ty}.{}", spaced(member))),
                            None => continue,
                        };
                        found.push((key, shown));
                    }
                }
                _ => {}
            }
            continue;
        }
        let head = code.trim_end_matches('{').trim_end();
        if let Some(rest) = head.strip_prefix("func ") {
            let (owner, rest) = match rest.strip_prefix('(').and_then(|rest| rest.split_once(") ")) {
                Some((receiver, rest)) => (receiver.split([' ', '*']).next_back().unwrap_or_default(), rest),
                None => ("", rest),
            };
            let name = rest.split(['(', '[']).next().unwrap_or_default();
            if is_exported(name) && (owner.is_empty() || is_exported(owner)) {
                let key = if owner.is_empty() { name.to_owned() } else { format!("{owner}.{name}") };
                found.push((key, head.to_owned()));
            }
        } else if let Some(rest) = head.strip_prefix("type ") {
            let name = rest.split([' ', '[']).next().unwrap_or_default();
            if is_exported(name) {
                found.push((name.to_owned(), head.to_owned()));
            }
            block = code.ends_with('{').then(|| format!("type {}", if is_exported(name) { name } else { "" }));
            if code.ends_with('{') && !is_exported(name) {
                block = Some("hidden".to_owned());
            }
        } else if matches!(code, "const (" | "var (") {
            block = Some(code.replace('(', ""));
        } else if let Some((kind, rest)) = head.split_once(' ').filter(|(kind, _)| matches!(*kind, "const" | "var")) {
            let name = rest.split([' ', '=']).next().unwrap_or_default();
            if is_exported(name) {
                found.push((name.to_owned(), format!("{kind} {}", spaced(rest))));
            }
        }
    }
    found
}

/// Returns a line without the comment at its end. Two slashes in a string begin no comment.
fn without_comment(line: &str) -> &str {
    let (mut inside, mut escaped) = (false, false);
    for (at, c) in line.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = inside,
            '"' => inside = !inside,
            '/' if !inside && line.get(at..).is_some_and(|rest| rest.starts_with("//")) => return line.get(..at).unwrap_or(line),
            _ => {}
        }
    }
    line
}

fn is_exported(name: &str) -> bool {
    name.starts_with(char::is_uppercase)
}

fn spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// How an API differs from an older one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Difference {
    pub added: Vec<String>,
    pub gone: Vec<String>,
    /// Pairs of the old and the new declaration.
    pub changed: Vec<(String, String)>,
}

/// Compares the declarations of two files.
pub fn difference(old: &BTreeMap<String, String>, new: &BTreeMap<String, String>) -> Difference {
    let changed = old.iter().filter_map(|(key, old)| Some((old.clone(), new.get(key).filter(|new| *new != old)?.clone())));
    let without = |of: &BTreeMap<String, String>, other: &BTreeMap<String, String>| {
        of.iter().filter(|(key, _)| !other.contains_key(*key)).map(|(_, shown)| shown.clone()).collect()
    };
    Difference { added: without(new, old), gone: without(old, new), changed: changed.collect() }
}

impl Difference {
    /// Returns one line for each difference.
    pub fn lines(&self) -> Vec<String> {
        let gone = self.gone.iter().map(|line| format!("- {line}"));
        let changed = self.changed.iter().flat_map(|(old, new)| [format!("- {old}"), format!("+ {new}")]);
        gone.chain(changed).chain(self.added.iter().map(|line| format!("+ {line}"))).collect()
    }

    /// Returns the part of the semantic version that must grow, for a module whose version is 1.0.0 or more.
    pub fn asks_for(&self) -> &'static str {
        match self {
            Difference { gone, changed, .. } if !gone.is_empty() || !changed.is_empty() => "a major version",
            Difference { added, .. } if !added.is_empty() => "a minor version",
            _ => "a patch version",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &str = "package demo\n\nimport (\n\t\"fmt\"\n)\n\nconst (\n\tMaxLen uint32 = 10 // most\n\tSite string = \"http://a\\\"//b\" // c\n)\n\n// Queue is.\ntype Queue struct { // rust/src/lib.rs:3\n\tobject rt.Object\n}\n\ntype Point struct {\n\tX float64\n\ty float64\n}\n\nfunc (q *Queue) Push(x uint64) { // rust/src/lib.rs:9\n\tInner()\n}\n\nfunc Sum(data []byte) uint64 // rust/src/lib.rs:20\n\nfunc hidden(a uint8)\n";

    #[test]
    fn declarations_are_read() {
        let found: Vec<String> = declarations(OLD).into_values().collect();
        assert_eq!(
            found,
            [
                "const MaxLen uint32 = 10",
                "type Point struct",
                "field Point.X float64",
                "type Queue struct",
                "func (q *Queue) Push(x uint64)",
                "const Site string = \"http://a\\\"//b\"",
                "func Sum(data []byte) uint64",
            ]
        );
    }

    #[test]
    fn changes_ask_for_versions() {
        let old = declarations(OLD);
        let compare = |new: &str| difference(&old, &declarations(new));
        assert_eq!(compare(OLD).asks_for(), "a patch version");
        let more = compare(&format!("{OLD}\nfunc More()\n"));
        assert_eq!((more.asks_for(), more.lines()), ("a minor version", vec!["+ func More()".to_owned()]));
        let other = compare(&OLD.replace("data []byte", "data string"));
        assert_eq!(other.lines(), ["- func Sum(data []byte) uint64", "+ func Sum(data string) uint64"]);
        assert_eq!(compare(&OLD.replace("func Sum(", "func sum(")).asks_for(), "a major version");
    }
}
