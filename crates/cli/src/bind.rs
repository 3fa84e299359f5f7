//! Exports → the Go file that declares them.

mod named;

use crate::diag::{Code, Diagnostic, Failure, Place, Result};
use crate::gosrc::{self, File, Func, Import, Param};
use crate::target::Arch;
use named::Named;
use rustgo_schema::{Basic, Function, GoType, Type};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// The package of handles, and the name it is imported by.
const HANDLE_PATH: &str = "rustgo.dev/go/handle";
const HANDLE: &str = "handle";

/// What of the Go file is not said by the exports.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Comment lines at the top; the first is [`gosrc::generated_line`].
    pub header: Vec<String>,
    pub package: String,
    /// The package comment; empty where another file has one.
    pub package_doc: String,
    pub arches: Vec<Arch>,
    pub imports: Vec<Import>,
}

/// Declares every export, in the given order.
pub fn bind<'a>(exports: impl IntoIterator<Item = &'a Function>, options: Options) -> Result<File> {
    let exports: Vec<&Function> = exports.into_iter().collect();
    let mut refused = refuse_names(&exports, &options);
    let named = Named::of(&exports, &mut refused);
    if !refused.is_empty() {
        return Err(Failure::Refused(refused));
    }
    let declared = exports.iter().map(|export| Func {
        doc: gosrc::with_links(&export.doc, |path| linked(&exports, export, path)),
        place: format!("{}:{}", export.file, export.line),
        ..declare(export)
    });
    let functions = declared.collect();
    let package_doc = gosrc::with_links(&options.package_doc, |path| exports.first().and_then(|any| linked(&exports, any, path)));
    let arches: BTreeSet<Arch> = options.arches.into_iter().collect();
    let arches: Vec<&str> = arches.into_iter().map(Arch::goarch).collect();
    Ok(File {
        header: options.header,
        build: (!arches.is_empty()).then(|| arches.join(" || ")),
        doc: package_doc,
        package: options.package,
        imports: options.imports.into_iter().chain(named.imports).collect(),
        functions,
        types: named.types,
    })
}

/// An export as a Go function without a body.
///
/// `//go:noescape` is sound because a Rust function that takes references for the call only cannot keep them.
fn declare(export: &Function) -> Func {
    let names = go_names(export);
    let field = |(name, ty): (&String, &Type)| Param { name: name.clone(), ty: go_type(ty) };
    Func {
        directives: vec!["go:noescape".into()],
        name: export.go_name.clone(),
        params: names.params.iter().zip(export.params.iter().map(|param| &param.ty)).map(field).collect(),
        results: names.results.iter().zip(export.results.iter().map(|result| &result.ty)).map(field).collect(),
        ..Func::default()
    }
}

/// The name in Go of the export to which the documentation of `from` refers by this path: `next`, `fn@next`, `crate::walk::next()`.
fn linked(exports: &[&Function], from: &Function, path: &str) -> Option<String> {
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
    exports.iter().find(|export| export.rust_path == full).map(|export| export.go_name.clone())
}

/// An export's declaration on one line, as the comment above its assembly shows it.
pub fn declaration(export: &Function) -> String {
    let func = declare(export);
    format!("func {}{}", func.name, func.signature())
}

/// The names of an export's parameters and results in Go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoNames {
    pub params: Vec<String>,
    /// Empty texts where the declaration leaves the results unnamed.
    pub results: Vec<String>,
}

/// The names in the Go declaration: camelCase, no keyword, no predeclared name, none twice, nothing that means something else in
/// assembly, all of ASCII: vet's asmdecl reads no others there (of `größe+0(FP)` it sees `e`).
pub fn go_names(export: &Function) -> GoNames {
    // In assembly unnamed results are ret, ret1, ret2, … (cmd/vet asmdecl): no parameter may be called so.
    let mut taken: BTreeSet<String> = (0..export.results.len()).map(unnamed_result).collect();
    let mut choose = |name: &str, fallback: String| {
        let mut name = camel_case(name);
        if name.is_empty() || !name.is_ascii() {
            name = fallback;
        }
        while gosrc::is_reserved(&name) || is_assemblers(&name) || taken.contains(&name) {
            name.push('_');
        }
        taken.insert(name.clone());
        name
    };
    let params = export.params.iter().enumerate().map(|(index, param)| choose(&param.name, format!("arg{index}"))).collect();
    // Go wants all results named or none.
    let named = !export.results.is_empty() && export.results.iter().all(|result| !result.name.is_empty());
    let results = export
        .results
        .iter()
        .enumerate()
        .map(|(index, result)| if named { choose(&result.name, format!("res{index}")) } else { String::new() });
    let results = results.collect();
    GoNames { params, results }
}

/// May Go's assembler take the name for another thing? `g` and words in capitals (`AX`, `R8`, `EQ`) are registers, conditions and the
/// like of some machine, or macros of textflag.h (`NOSPLIT`).
fn is_assemblers(name: &str) -> bool {
    let capitals = name.bytes().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit());
    name == "g" || name.len() > 1 && capitals
}

/// The name of the `index`-th result as Go's assembler and vet know it: `ret` of `ret+8(FP)` where it has none.
///
/// # Panics
/// If there is no such result.
pub fn go_result_name(export: &Function, index: usize) -> String {
    let name = go_names(export).results.swap_remove(index);
    if name.is_empty() { unnamed_result(index) } else { name }
}

fn unnamed_result(index: usize) -> String {
    if index == 0 { "ret".into() } else { format!("ret{index}") }
}

/// `point_a` → `pointA`. Rust's leading underscores (unused parameters) and raw identifiers lose their marks.
fn camel_case(name: &str) -> String {
    let name = name.strip_prefix("r#").unwrap_or(name);
    let mut camel = String::new();
    for part in name.split('_').filter(|part| !part.is_empty()) {
        let mut letters = part.chars();
        let first = letters.next().map(|first| if camel.is_empty() { first } else { first.to_ascii_uppercase() });
        camel.extend(first.into_iter().chain(letters));
    }
    if camel.starts_with(|c: char| c.is_ascii_digit()) {
        camel.insert(0, '_');
    }
    // An upper-case constant-like name stays a word: `N` → `N`, which is as good a parameter as `n`.
    camel
}

/// The type as Go writes it; the elements of arrays and slices of uint8 are bytes, as everywhere in Go.
pub fn go_type(ty: &Type) -> String {
    match ty {
        Type::Basic(basic) => basic.go_name().into(),
        Type::Array { len, elem } => format!("[{len}]{}", elem_type(elem)),
        Type::Pointer { elem, .. } => format!("*{}", go_type(elem)),
        Type::Slice { elem, .. } => format!("[]{}", elem_type(elem)),
        Type::Handle { of } if of.is_empty() => format!("{HANDLE}.Handle"),
        Type::Handle { of } => format!("{HANDLE}.Of[{}]", GoType::parse(of).map_or_else(|_| of.clone(), named::show)),
    }
}

fn elem_type(ty: &Type) -> String {
    if *ty == Type::Basic(Basic::Uint8) { "byte".into() } else { go_type(ty) }
}

fn refuse_names(exports: &[&Function], options: &Options) -> Vec<Diagnostic> {
    let mut refused = Vec::new();
    let mut by_name: BTreeMap<&str, Vec<&Function>> = BTreeMap::new();
    for export in exports {
        by_name.entry(&export.go_name).or_default().push(export);
        if let Some(problem) = name_problem(&export.go_name, options) {
            refused.push(
                Diagnostic::new(Code::GoName, format!("{} cannot be {:?} in Go: {problem}", export.rust_path, export.go_name))
                    .at(place(export))
                    .hint("name it otherwise: #[rustgo::export(name = \"GoName\")]"),
            );
        }
    }
    for (name, exports) in by_name.into_iter().filter(|(_, exports)| exports.len() > 1) {
        let mut message = format!("{} functions would be {name} in Go: ", exports.len());
        for (index, export) in exports.iter().enumerate() {
            let separator = match index {
                0 => "",
                index if index + 1 == exports.len() => " and ",
                _ => ", ",
            };
            let _ = write!(message, "{separator}{} ({}:{})", export.rust_path, export.file, export.line);
        }
        refused.push(
            Diagnostic::new(Code::GoName, message)
                .at(place(exports[1]))
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
    } else if !name.starts_with(|c: char| c.is_uppercase()) {
        Some("an exported name begins with an upper-case letter".into())
    } else if options.imports.iter().any(|import| imported(import) == name) {
        Some("an imported package has that name".into())
    } else {
        None
    }
}

fn place(export: &Function) -> Place {
    Place { function: export.rust_path.clone(), file: Some(export.file.clone()), line: Some(export.line) }
}

#[cfg(test)]
pub(crate) mod tests;
