//! The declarations of functions, and the names that they cannot have.

use super::Options;
use crate::api::{Function, Package};
use crate::diag::{Code, Diagnostic};
use crate::gosrc::{self, Func, Import};
use crate::runtime::Library;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The name by which a package whose calls are watched imports `rt`. No parameter has such a name (`api::names`).
const RT: &str = "rustgo_rt";

/// Each function as a Go function without a body; and where its calls are watched, the one that calls it.
///
/// `//go:noescape` is sound because a Rust function that takes references for the call only cannot keep them.
pub fn declared(package: &Package) -> Vec<Func> {
    let mut declared = Vec::new();
    for function in package.functions.values() {
        let func = Func {
            doc: gosrc::with_links(&function.doc, |path| linked(package, function, path)),
            place: format!("{}:{}", function.file, function.line),
            ..function.declare()
        };
        let directives = vec!["go:noescape".into()];
        if function.is_watched() {
            let rust = Func { name: function.symbol.clone(), directives, ..function.declare() };
            declared.extend([Func { body: watched(function), ..func }, rust]);
        } else {
            declared.push(Func { directives, ..func });
        }
    }
    if package.functions.values().any(Function::is_watched) {
        declared.push(Func { name: "init".into(), body: vec![format!("{RT}.WatchPackage()")], ..Func::default() });
    }
    declared
}

/// What a function does whose calls are watched. The deferred function runs after a panic too.
fn watched(function: &Function) -> Vec<String> {
    let given: Vec<&str> = function.params.iter().map(|param| param.go.name.as_str()).collect();
    let back = if function.results.is_empty() { "" } else { "return " };
    vec![format!("defer {RT}.WatchCall().End()"), format!("{back}{}({})", function.symbol, given.join(", "))]
}

/// The imports with a name for `rt` where calls are watched.
pub fn imports(package: &Package, options: &Options) -> Vec<Import> {
    let mut imports = options.imports.clone();
    if package.functions.values().any(Function::is_watched) {
        let path = options.runtime.import_path(Library::Rt);
        imports.retain(|import| import.path != path);
        imports.push(Import { path, name: Some(RT.into()) });
    }
    imports
}

/// The name in Go of the function to which the documentation of `from` refers by this path: `next`, `fn@next`, `crate::walk::next()`.
pub fn linked(package: &Package, from: &Function, path: &str) -> Option<String> {
    let path = path.trim_matches('`').trim_end_matches("()");
    let path = path.strip_prefix("fn@").or_else(|| path.strip_prefix("function@")).unwrap_or(path);
    let (module, _) = from.rust_path.rsplit_once("::")?;
    let (root, _) = from.rust_path.split_once("::")?;
    let full = match path.split_once("::") {
        Some(("crate", rest)) => format!("{root}::{rest}"),
        Some(("self", rest)) => format!("{module}::{rest}"),
        Some(("super", rest)) => format!("{}::{rest}", module.rsplit_once("::")?.0),
        _ => format!("{module}::{path}"),
    };
    package.functions.values().find(|function| function.rust_path == full).map(|function| function.name.clone())
}

/// Refuses names that Go does not take, and names of several functions.
pub fn refuse(package: &Package, options: &Options) -> Vec<Diagnostic> {
    let mut refused = Vec::new();
    let mut by_name: BTreeMap<&str, Vec<&Function>> = BTreeMap::new();
    for function in package.functions.values() {
        by_name.entry(&function.name).or_default().push(function);
        if function.is_watched() {
            by_name.entry(&function.symbol).or_default().push(function);
        }
        if let Some(problem) = name_problem(&function.name, options) {
            refused.push(
                Diagnostic::new(Code::GoName, format!("{} cannot be {:?} in Go: {problem}", function.rust_path, function.name))
                    .at(function.place())
                    .hint("name it otherwise: #[rustgo::export(name = \"GoName\")]"),
            );
        }
    }
    for (name, functions) in by_name.into_iter().filter(|(_, functions)| functions.len() > 1) {
        let mut message = format!("{} functions would be {name} in Go: ", functions.len());
        for (index, function) in functions.iter().enumerate() {
            let separator = match index {
                0 => "",
                index if index + 1 == functions.len() => " and ",
                _ => ", ",
            };
            let _ = write!(message, "{separator}{} ({}:{})", function.rust_path, function.file, function.line);
        }
        refused.push(
            Diagnostic::new(Code::GoName, message)
                .at(functions[1].place())
                .hint("give one of them another name: #[rustgo::export(name = \"GoName\")]"),
        );
    }
    refused
}

fn name_problem(name: &str, options: &Options) -> Option<String> {
    let imported = |import: &Import| import.name.clone().unwrap_or_else(|| import.path.rsplit('/').next().unwrap_or_default().to_owned());
    if !gosrc::is_identifier(name) || name == "_" {
        Some("it is not a Go identifier".into())
    } else if matches!(name, "init" | "main") {
        Some("Go gives that name a meaning of its own".into())
    } else if options.imports.iter().any(|import| imported(import) == name) {
        Some("an imported package has that name".into())
    } else {
        None
    }
}
