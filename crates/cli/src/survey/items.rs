//! Finds the public functions of a crate in the JSON that rustdoc writes.
//!
//! Only the necessary fields are read, because the format changes with rustc. Each function gets a public path: the search follows the module tree
//! and re-exports from the crate's root.

use crate::diag::{Diagnostic, ErrorCode, Failure, Result};
use serde::Deserialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The JSON that rustdoc writes for a crate.
#[derive(Debug, Deserialize)]
struct Documentation {
    root: u64,
    index: HashMap<String, Item>,
}

#[derive(Debug, Deserialize)]
struct Item {
    name: Option<String>,
    visibility: Value,
    attrs: Value,
    /// The item's kind, and its data.
    inner: BTreeMap<String, Value>,
}

/// A function that can be a root of the analysis.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Root {
    /// The path for messages: `semver::Version::parse`.
    pub path: String,
    /// The expression for the function in the scratch crate, where the crate's name is `subject`.
    pub expression: String,
}

/// The public functions of a crate.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Functions {
    /// The functions, ordered by path.
    pub roots: Vec<Root>,
    /// The paths of generic functions, and of functions of generic types. They are no roots, because rustc compiles them only where they are used.
    pub generic: BTreeSet<String>,
    /// The paths of items that the crate only re-exports from other crates.
    pub foreign: BTreeSet<String>,
}

/// Traits of std, each with a path by which a crate can name the trait. If a type implements such a trait by hand (not by `derive`), the trait's
/// functions for this type become roots.
const STD_TRAITS: [(&str, &str); 7] = [
    ("FromStr", "::core::str::FromStr"),
    ("Display", "::core::fmt::Display"),
    ("LowerHex", "::core::fmt::LowerHex"),
    ("Iterator", "::core::iter::Iterator"),
    ("DoubleEndedIterator", "::core::iter::DoubleEndedIterator"),
    ("Default", "::core::default::Default"),
    ("Clone", "::core::clone::Clone"),
];

/// Finds the public functions in the JSON that rustdoc has written.
///
/// # Errors
/// [`ErrorCode::Toolchain`] if the JSON has another form than expected.
pub fn read(json: &[u8]) -> Result<Functions> {
    let documentation = serde_json::from_slice(json).map_err(|error| {
        Diagnostic::new(ErrorCode::Toolchain, "rustdoc describes the crate in a form that is not understood").note(error.to_string())
    })?;
    Ok(functions(&documentation))
}

impl Functions {
    /// Keeps only the functions whose paths equal or end with one of these paths. Without paths, keeps all functions.
    ///
    /// # Errors
    /// [`ErrorCode::Request`] for each path that no function has.
    pub fn only(mut self, paths: &[String], krate: &str) -> Result<Functions> {
        let ends = |path: &str, end: &str| path.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with("::"));
        let missing = |path: &&String| !self.roots.iter().any(|root| ends(&root.path, path));
        let refused: Vec<Diagnostic> = paths
            .iter()
            .filter(missing)
            .map(|path| match self.generic.iter().find(|generic| ends(generic, path)) {
                Some(generic) => Diagnostic::new(
                    ErrorCode::Request,
                    format!("{generic} is generic, so it has machine code only for the types that use it"),
                )
                .hint("write a crate with a function that calls it, and survey the crate's folder"),
                None => Diagnostic::new(ErrorCode::Request, format!("the crate {krate} has no public function {path}"))
                    .hint("name it as in Regex::new; without names every public function is examined"),
            })
            .collect();
        if !refused.is_empty() {
            return Err(Failure::Refused(refused));
        }
        if !paths.is_empty() {
            self.roots.retain(|root| paths.iter().any(|path| ends(&root.path, path)));
        }
        if self.roots.is_empty() {
            return Err(Diagnostic::new(ErrorCode::Crate, format!("the crate {krate} has no public function that is not generic"))
                .hint("write a crate with functions that call its generic functions, and survey the folder of that crate")
                .into());
        }
        Ok(self)
    }
}

/// Finds the public functions.
fn functions(documentation: &Documentation) -> Functions {
    let mut search =
        Search { documentation, found: Functions::default(), types: Vec::new(), traits: BTreeMap::new(), seen: BTreeSet::new() };
    if let Some(root) = search.item(documentation.root) {
        let name = root.name.clone().unwrap_or_default();
        search.module(root, &name);
    }
    search.implementations();
    let mut found = search.found;
    found.roots.sort();
    // Several functions may have the same path. Keep only the first root of a path.
    found.roots.dedup_by(|a, b| a.path == b.path);
    found
}

struct Search<'a> {
    documentation: &'a Documentation,
    found: Functions,
    /// The public types, each with its path.
    types: Vec<(&'a Item, String)>,
    /// The public traits of the crate by id.
    traits: BTreeMap<u64, String>,
    /// The ids of the items that already have a path.
    seen: BTreeSet<u64>,
}

impl<'a> Search<'a> {
    fn item(&self, id: u64) -> Option<&'a Item> {
        self.documentation.index.get(&id.to_string())
    }

    fn module(&mut self, module: &'a Item, path: &str) {
        let Some(module) = module.inner.get("module") else { return };
        // Visit own items before re-exports, so that an item gets its shortest path.
        let ids = ids(module.get("items"));
        let (uses, own): (Vec<u64>, Vec<u64>) =
            ids.into_iter().partition(|&id| self.item(id).is_some_and(|item| item.inner.contains_key("use")));
        for id in own.into_iter().chain(uses) {
            self.named(id, path);
        }
    }

    /// Adds an item of the module `path`.
    fn named(&mut self, id: u64, path: &str) {
        let Some(item) = self.item(id) else { return };
        if item.visibility != "public" {
            return;
        }
        let path_of = |name: &str| format!("{path}::{name}");
        if let Some(import) = item.inner.get("use") {
            let name = import.get("name").and_then(Value::as_str).unwrap_or_default();
            let Some(target) = import.get("id").and_then(Value::as_u64) else { return };
            let Some(item) = self.item(target) else {
                self.found.foreign.insert(path_of(name));
                return;
            };
            match import.get("is_glob") == Some(&Value::Bool(true)) {
                // Modules may import each other by globs. `seen` ends this recursion.
                true => {
                    if self.seen.insert(target) {
                        self.module(item, path);
                    }
                }
                false => self.add(target, item, &path_of(name)),
            }
            return;
        }
        self.add(id, item, &path_of(item.name.as_deref().unwrap_or_default()));
    }

    fn add(&mut self, id: u64, item: &'a Item, path: &str) {
        if !self.seen.insert(id) {
            return;
        }
        let Some(kind) = item.inner.keys().next() else { return };
        match kind.as_str() {
            "module" => self.module(item, path),
            "function" => self.function(item, path, path, false),
            "struct" | "enum" | "union" => self.types.push((item, path.to_owned())),
            "trait" => {
                self.traits.insert(id, path.to_owned());
            }
            _ => {}
        }
    }

    /// Adds the functions in the implementations of the public types.
    fn implementations(&mut self) {
        for (item, path) in std::mem::take(&mut self.types) {
            let Some(data) = item.inner.values().next() else { continue };
            let is_generic = is_generic(data.get("generics"));
            for id in ids(data.get("impls")) {
                let Some(implementation) = self.item(id) else { continue };
                let Some(data) = implementation.inner.get("impl") else { continue };
                let by_hand = |name: &str| data.get(name).is_none_or(|value| value.is_null() || value == false);
                if !by_hand("blanket_impl")
                    || !by_hand("is_synthetic")
                    || implementation.attrs.to_string().contains("utomaticallyDerived")
                    || implementation.attrs.to_string().contains("automatically_derived")
                {
                    continue;
                }
                let generic = is_generic || self::is_generic(data.get("generics"));
                let of_trait = data.get("trait").filter(|of_trait| !of_trait.is_null());
                let prefix = match of_trait {
                    None => subject(&path),
                    Some(of_trait) => match self.trait_path(of_trait) {
                        Some(named) => format!("<{} as {named}>", subject(&path)),
                        None => continue,
                    },
                };
                for id in ids(data.get("items")) {
                    let Some(function) = self.item(id).filter(|function| function.inner.contains_key("function")) else { continue };
                    if of_trait.is_none() && function.visibility != "public" {
                        continue;
                    }
                    let name = function.name.as_deref().unwrap_or_default();
                    self.function(function, &format!("{path}::{name}"), &format!("{prefix}::{name}"), generic);
                }
            }
        }
    }

    /// Returns a path by which the scratch crate can name the trait. None if there is no such path, or if the trait has arguments.
    fn trait_path(&self, of_trait: &Value) -> Option<String> {
        let has_arguments = of_trait.get("args").is_some_and(|args| !ids_of_arguments(args).is_empty());
        let id = of_trait.get("id")?.as_u64()?;
        if has_arguments {
            return None;
        }
        if let Some(path) = self.traits.get(&id) {
            return Some(subject(path));
        }
        let name = of_trait.get("path")?.as_str()?.rsplit("::").next()?;
        if self.documentation.index.contains_key(&id.to_string()) {
            return None;
        }
        STD_TRAITS.iter().find(|(known, _)| *known == name).map(|(_, path)| (*path).to_owned())
    }

    fn function(&mut self, item: &Item, path: &str, expression: &str, generic: bool) {
        let data = item.inner.get("function");
        if generic || is_generic(data.and_then(|data| data.get("generics"))) {
            self.found.generic.insert(path.to_owned());
        } else {
            let expression = subject(expression);
            // Functions of two traits may have the same name.
            let taken = self.found.roots.iter().any(|root| root.path == path);
            let of_trait = expression.split_once(" as ").and_then(|(_, rest)| rest.rsplit_once(">::"));
            let path = match of_trait.filter(|_| taken) {
                Some((of_trait, name)) => format!("{} ({}::{name})", path, of_trait.rsplit("::").next().unwrap_or(of_trait)),
                None => path.to_owned(),
            };
            self.found.roots.push(Root { path, expression });
        }
    }
}

/// Replaces the crate's name in a path by `subject`, its name in the scratch crate.
fn subject(path: &str) -> String {
    if path.starts_with('<') || path.starts_with("subject::") {
        return path.to_owned();
    }
    path.split_once("::").map_or_else(|| path.to_owned(), |(_, rest)| format!("subject::{rest}"))
}

fn ids(list: Option<&Value>) -> Vec<u64> {
    list.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_u64).collect()
}

fn ids_of_arguments(args: &Value) -> Vec<&Value> {
    let list = args.get("angle_bracketed").and_then(|args| args.get("args")).and_then(Value::as_array);
    list.into_iter().flatten().collect()
}

/// True if an item has type or constant parameters. Lifetimes do not count.
fn is_generic(generics: Option<&Value>) -> bool {
    let params = generics.and_then(|generics| generics.get("params")).and_then(Value::as_array);
    params.into_iter().flatten().any(|param| param.get("kind").is_some_and(|kind| kind.get("lifetime").is_none()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `pub fn a(); fn b(); pub fn c<T>(); pub use m::d; mod m { pub fn d() }; pub struct S; impl S { pub fn e(), fn f() }`, S implements `FromStr`
    /// by hand and a derived trait, and `pub use other::X`.
    const TEXT: &str = r#"{"root": 0, "index": {
        "0": {"name": "demo", "visibility": "public", "attrs": [], "inner": {"module": {"items": [1, 2, 3, 4, 5, 7, 15]}}},
        "1": {"name": "a", "visibility": "public", "attrs": [], "inner": {"function": {"generics": {"params": [{"kind": {"lifetime": {}}}]}}}},
        "2": {"name": "b", "visibility": "default", "attrs": [], "inner": {"function": {"generics": {"params": []}}}},
        "3": {"name": "c", "visibility": "public", "attrs": [], "inner": {"function": {"generics": {"params": [{"kind": {"type": {}}}]}}}},
        "4": {"name": null, "visibility": "public", "attrs": [], "inner": {"use": {"name": "d", "id": 6, "is_glob": false}}},
        "5": {"name": "m", "visibility": {"restricted": {}}, "attrs": [], "inner": {"module": {"items": [6]}}},
        "6": {"name": "d", "visibility": "public", "attrs": [], "inner": {"function": {"generics": {"params": []}}}},
        "7": {"name": "S", "visibility": "public", "attrs": [], "inner": {"struct": {"generics": {"params": []}, "impls": [8, 11, 13]}}},
        "8": {"name": null, "visibility": "default", "attrs": [], "inner": {"impl": {"generics": {"params": []}, "trait": null, "items": [9, 10]}}},
        "9": {"name": "e", "visibility": "public", "attrs": [], "inner": {"function": {"generics": {"params": []}}}},
        "10": {"name": "f", "visibility": "default", "attrs": [], "inner": {"function": {"generics": {"params": []}}}},
        "11": {"name": null, "visibility": "default", "attrs": [], "inner": {"impl": {"generics": {"params": []}, "trait": {"path": "FromStr", "id": 99, "args": null}, "items": [12]}}},
        "12": {"name": "from_str", "visibility": "default", "attrs": [], "inner": {"function": {"generics": {"params": []}}}},
        "13": {"name": null, "visibility": "default", "attrs": ["automatically_derived"], "inner": {"impl": {"generics": {"params": []}, "trait": {"path": "Clone", "id": 98, "args": null}, "items": [14]}}},
        "14": {"name": "clone", "visibility": "default", "attrs": [], "inner": {"function": {"generics": {"params": []}}}},
        "15": {"name": null, "visibility": "public", "attrs": [], "inner": {"use": {"name": "X", "id": 500, "is_glob": false}}}
    }}"#;

    #[test]
    fn public_functions_are_found_by_public_paths() {
        let found = functions(&serde_json::from_str(TEXT).unwrap());
        let roots: Vec<(&str, &str)> = found.roots.iter().map(|root| (root.path.as_str(), root.expression.as_str())).collect();
        assert_eq!(
            roots,
            [
                ("demo::S::e", "subject::S::e"),
                ("demo::S::from_str", "<subject::S as ::core::str::FromStr>::from_str"),
                ("demo::a", "subject::a"),
                ("demo::d", "subject::d"),
            ]
        );
        assert_eq!(found.generic.iter().collect::<Vec<_>>(), ["demo::c"]);
        assert_eq!(found.foreign.iter().collect::<Vec<_>>(), ["demo::X"]);
    }
}
