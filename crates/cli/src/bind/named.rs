//! The Go types that handles stand for: which packages are imported for them, and what cannot be.

use super::{HANDLE, HANDLE_PATH, place};
use crate::diag::{Code, Diagnostic};
use crate::gosrc::{Import, NamedType};
use rustgo_schema::{Function, GoType, Type};
use std::collections::BTreeMap;

/// What the exports' handles need.
pub struct Named {
    pub imports: Vec<Import>,
    pub types: Vec<NamedType>,
}

/// By import path and name, with the first export that uses it.
type Types<'a> = BTreeMap<(Option<&'a str>, &'a str), &'a Function>;

impl Named {
    /// What cannot be is added to `refused`.
    pub fn of(exports: &[&Function], refused: &mut Vec<Diagnostic>) -> Named {
        let handles: Vec<(&str, &Function)> = exports.iter().flat_map(|export| handles(export).map(move |of| (of, *export))).collect();
        if handles.is_empty() {
            return Named { imports: Vec::new(), types: Vec::new() };
        }
        let types = types(&handles, refused);
        let imported = imported(&types, refused);
        refuse_clashes(exports, &types, &imported, refused);
        Named {
            // Go takes the last part of a path for the name that its package has, unless it is told.
            imports: imported
                .iter()
                .map(|(&name, &path)| Import { path: path.into(), name: (!path.ends_with(name)).then(|| name.into()) })
                .collect(),
            types: types
                .iter()
                .map(|(&(package, name), export)| NamedType {
                    package: package.map(str::to_owned),
                    name: name.to_owned(),
                    place: place(export),
                })
                .collect(),
        }
    }
}

/// The types that must be imported, or declared by other files of the package.
fn types<'a>(handles: &[(&'a str, &'a Function)], refused: &mut Vec<Diagnostic>) -> Types<'a> {
    let mut types = Types::new();
    for (of, export) in handles.iter().filter(|(of, _)| !of.is_empty()) {
        match GoType::parse(of) {
            Ok(ty) if ty.is_predeclared() => {}
            Ok(ty) => drop(types.entry((ty.package, ty.name)).or_insert(*export)),
            Err(why) => refused.push(refuse(format!("the Go type {of:?} cannot be named: {why}"), export)),
        }
    }
    types
}

/// The imported packages, by the names that they have in the file.
fn imported<'a>(types: &Types<'a>, refused: &mut Vec<Diagnostic>) -> BTreeMap<&'a str, &'a str> {
    let mut imported = BTreeMap::from([(HANDLE, HANDLE_PATH)]);
    for (&(package, _), export) in types {
        let Some(path) = package else { continue };
        let name = package_name(path);
        let other = *imported.entry(name).or_insert(path);
        if other != path {
            refused.push(
                refuse(format!("the packages {other} and {path} would both be {name} in Go"), export)
                    .hint("declare a name for a type of one of them in the Go package, and name that in #[rustgo::go_type]"),
            );
        }
    }
    imported
}

/// A type that the package's other files declare has a name that nothing else may have.
fn refuse_clashes(exports: &[&Function], types: &Types<'_>, imported: &BTreeMap<&str, &str>, refused: &mut Vec<Diagnostic>) {
    for (&(_, name), export) in types.iter().filter(|((package, _), _)| package.is_none()) {
        if let Some(function) = exports.iter().find(|export| export.go_name == name) {
            refused
                .push(refuse(format!("{name} would be a type and the function {} in Go", function.rust_path), export).hint(
                    "name the function otherwise, #[rustgo::export(name = \"GoName\")], or the type, #[rustgo::go_type(\"GoName\")]",
                ));
        } else if let Some(path) = imported.get(name) {
            refused.push(
                refuse(format!("{name} would be a type and the imported package {path} in Go"), export)
                    .hint("name the type otherwise, #[rustgo::go_type(\"GoName\")]"),
            );
        }
    }
}

/// The type as the Go file writes it: `*http.Request`.
pub fn show(ty: GoType<'_>) -> String {
    let star = if ty.pointer { "*" } else { "" };
    match ty.package {
        Some(path) => format!("{star}{}.{}", package_name(path), ty.name),
        None => format!("{star}{}", ty.name),
    }
}

/// The name of a package of the standard library: the last part of its path that is no version.
fn package_name(path: &str) -> &str {
    let is_version =
        |part: &str| part.strip_prefix('v').is_some_and(|number| number.bytes().all(|c| c.is_ascii_digit()) && !number.is_empty());
    path.rsplit('/').find(|part| !is_version(part)).unwrap_or(path)
}

/// What the handles among the parameters and results stand for.
fn handles(export: &Function) -> impl Iterator<Item = &str> {
    export.params.iter().chain(&export.results).filter_map(|field| handle(&field.ty))
}

fn handle(ty: &Type) -> Option<&str> {
    match ty {
        Type::Handle { of } => Some(of),
        Type::Array { elem, .. } | Type::Pointer { elem, .. } | Type::Slice { elem, .. } => handle(elem),
        _ => None,
    }
}

fn refuse(message: String, export: &Function) -> Diagnostic {
    Diagnostic::new(Code::GoName, message).at(place(export))
}
