//! The Go types that handles stand for: which packages are imported for them, and what cannot be.

use crate::api::{Function, HANDLE, Package, package_name};
use crate::diag::{Code, Diagnostic};
use crate::gosrc::{Import, NamedType};
use rustgo_schema::{GoType, Type};
use std::collections::BTreeMap;

/// What the handles of the functions need.
pub struct Named {
    pub imports: Vec<Import>,
    pub types: Vec<NamedType>,
}

/// By import path and name, with the first function that uses it.
type Types<'a> = BTreeMap<(Option<&'a str>, &'a str), &'a Function>;

impl Named {
    /// What cannot be is added to `refused`. `handle_path` is the import path of the package of handles.
    pub fn of(package: &Package, handle_path: &str, refused: &mut Vec<Diagnostic>) -> Named {
        let of_function = |function| handles(function).map(move |of| (of, function));
        let handles: Vec<(&str, &Function)> = package.functions.values().flat_map(of_function).collect();
        if handles.is_empty() {
            return Named { imports: Vec::new(), types: Vec::new() };
        }
        let types = types(&handles, refused);
        let imported = imported(&types, handle_path, refused);
        refuse_clashes(package, &types, &imported, refused);
        Named {
            // Go takes the last part of a path for the name that its package has, unless it is told.
            imports: imported
                .iter()
                .map(|(&name, &path)| Import { path: path.into(), name: (!path.ends_with(name)).then(|| name.into()) })
                .collect(),
            types: types
                .iter()
                .map(|(&(package, name), function)| NamedType {
                    package: package.map(str::to_owned),
                    name: name.to_owned(),
                    place: function.place(),
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
fn imported<'a>(types: &Types<'a>, handle_path: &'a str, refused: &mut Vec<Diagnostic>) -> BTreeMap<&'a str, &'a str> {
    let mut imported = BTreeMap::from([(HANDLE, handle_path)]);
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
fn refuse_clashes(package: &Package, types: &Types<'_>, imported: &BTreeMap<&str, &str>, refused: &mut Vec<Diagnostic>) {
    for (&(_, name), export) in types.iter().filter(|((package, _), _)| package.is_none()) {
        if let Some((_, function)) = package.find(name) {
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

/// What the handles among the parameters and results stand for.
fn handles(function: &Function) -> impl Iterator<Item = &str> {
    function.params.iter().chain(&function.results).filter_map(|param| handle(&param.field.ty))
}

fn handle(ty: &Type) -> Option<&str> {
    match ty {
        Type::Handle { of } => Some(of),
        Type::Array { elem, .. } | Type::Pointer { elem, .. } | Type::Slice { elem, .. } => handle(elem),
        _ => None,
    }
}

fn refuse(message: String, function: &Function) -> Diagnostic {
    Diagnostic::new(Code::GoName, message).at(function.place())
}
