//! Chooses the Go names of parameters and results: camelCase, without a special meaning in Go or its assembly.

use crate::gosrc;
use rustgo_schema::go_keywords::initialism;
use std::collections::BTreeSet;

/// Chooses the names of one function's parameters and results.
pub struct Names {
    taken: BTreeSet<String>,
}

impl Names {
    /// Makes the chooser for a function with this number of results. `used` lists the names that the function's wrapper uses. No parameter may have
    /// such a name.
    pub fn new(results: usize, used: &[String]) -> Self {
        // The names of unnamed results in assembly are ret, ret1, ret2, … (cmd/vet asmdecl). So no parameter may have such a name.
        Self { taken: (0..results).map(unnamed_result).chain(used.iter().cloned()).collect() }
    }

    /// Returns the Go name for a Rust name. The Go name is not a keyword, not predeclared, not used twice, and has no meaning in assembly. `fallback`
    /// replaces a name with characters outside ASCII, because vet's asmdecl misreads such a name (it reads `größe+0(FP)` as `e`).
    pub fn choose(&mut self, rust: &str, fallback: String) -> String {
        let mut name = camel_case(rust);
        if name.is_empty() || !name.is_ascii() {
            name = fallback;
        }
        while gosrc::is_reserved(&name) || is_assemblers(&name) || self.taken.contains(&name) {
            name.push('_');
        }
        self.taken.insert(name.clone());
        name
    }
}

impl Names {
    /// Returns the name of a method's receiver: the first letter of the type's name. If a parameter already has this letter as its name, returns the
    /// whole name of the type, with a small first letter.
    pub fn receiver(&mut self, type_name: &str) -> String {
        let first: String = type_name.chars().take(1).flat_map(char::to_lowercase).collect();
        let rest: String = type_name.chars().skip(1).collect();
        let is_free = |name: &String| name.is_ascii() && !name.is_empty() && !is_assemblers(name) && !self.taken.contains(name);
        let name = if is_free(&first) { first } else { first + &rest };
        self.choose(&name, "self".into())
    }
}

/// Returns the assembly name of the `index`-th result if the result is unnamed.
pub fn unnamed_result(index: usize) -> String {
    if index == 0 { "ret".into() } else { format!("ret{index}") }
}

/// Returns true if the name may have a meaning in Go's assembler: `g` and words in capitals (`AX`, `R8`, `EQ`, `NOSPLIT`) are registers, conditions
/// or macros of textflag.h.
fn is_assemblers(name: &str) -> bool {
    let capitals = name.bytes().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit());
    name == "g" || name.len() > 1 && capitals
}

/// Converts a Rust name to camelCase: `point_a` → `pointA`, `user_id` → `userID`. Leading underscores (unused parameters) and the prefix `r#` are
/// dropped.
fn camel_case(name: &str) -> String {
    let name = name.strip_prefix("r#").unwrap_or(name);
    let mut camel = String::new();
    for part in name.split('_').filter(|part| !part.is_empty()) {
        if let Some(word) = initialism(part).filter(|_| !camel.is_empty()) {
            camel.push_str(word);
            continue;
        }
        let mut letters = part.chars();
        let first = letters.next().map(|first| if camel.is_empty() { first } else { first.to_ascii_uppercase() });
        camel.extend(first.into_iter().chain(letters));
    }
    if camel.starts_with(|c: char| c.is_ascii_digit()) {
        camel.insert(0, '_');
    }
    // A name in capitals stays unchanged: `N` is a good parameter name in Go too.
    camel
}

#[cfg(test)]
mod tests {
    use super::Names;

    #[test]
    fn rust_names_become_go_names() {
        let mut names = Names::new(1, &["unsafe".into()]);
        for (rust, go) in [
            ("point_a", "pointA"),
            ("user_id", "userID"),
            ("id", "id"),
            ("url_of_api", "urlOfAPI"),
            ("r#type", "type_"),
            ("ret", "ret_"),
            ("point_a", "pointA_"),
            ("größe", "arg"),
            ("unsafe", "unsafe_"),
        ] {
            assert_eq!(names.choose(rust, "arg".into()), go);
        }
        // `g` is a register in Go's assembly.
        for (type_name, go) in [("Regex", "r"), ("Reader", "reader"), ("Graph", "graph"), ("Größe", "self")] {
            assert_eq!(names.receiver(type_name), go);
        }
    }
}
