//! Collects the Go types of handles (`handle.Of[T]`) and the Go interfaces that objects implement. Finds the packages to import for them, and
//! refuses names that clash.

use crate::api::{HANDLE, Package, package_name, place};
use crate::diag::{Diagnostic, ErrorCode, Place};
use crate::gosrc::{Import, NamedType};
use rustgo_schema::{GoType, Type};
use std::collections::BTreeMap;

/// The imports and the Go types that handles and interfaces need.
pub struct Named {
    pub imports: Vec<Import>,
    pub types: Vec<NamedType>,
}

/// One mention of a Go type in an export record.
struct Use<'a> {
    of: &'a str,
    is_interface: bool,
    /// The source place of the item that uses the type.
    place: Place,
}

/// The first mention of each Go type, by the type's import path and name.
type Types<'a> = BTreeMap<(Option<&'a str>, &'a str), &'a Use<'a>>;

impl Named {
    /// Collects the imports and types of a package, and adds refusals to `refused`. `handle_path` is the import path of the package of
    /// handles.
    pub fn of(package: &Package, handle_path: &str, refused: &mut Vec<Diagnostic>) -> Named {
        let uses = uses(package);
        if uses.is_empty() {
            return Named { imports: Vec::new(), types: Vec::new() };
        }
        let types = types(&uses, refused);
        let handle_path = uses.iter().any(|used| !used.is_interface).then_some(handle_path);
        let imported = imported(&types, handle_path, refused);
        refuse_clashes(package, &types, &imported, refused);
        Named {
            // Go assumes that the last part of the path is the package's name. If it is not, the import states the name.
            imports: imported
                .iter()
                .map(|(&name, &path)| Import { path: path.into(), name: (!path.ends_with(name)).then(|| name.into()) })
                .collect(),
            types: types
                .iter()
                .map(|(&(package, name), used)| NamedType {
                    package: package.map(str::to_owned),
                    name: name.to_owned(),
                    is_interface: used.is_interface,
                    place: used.place.clone(),
                })
                .collect(),
        }
    }
}

/// Lists the Go types of handles in parameters, results, fields and constants, and the interfaces that objects implement.
fn uses(package: &Package) -> Vec<Use<'_>> {
    let mut uses = Vec::new();
    let fields = package.functions.values().flat_map(|function| {
        let params = function.params.iter().chain(&function.results);
        params.map(|param| (&param.field.ty, function.place()))
    });
    let constants = package.constants.iter().map(|constant| (&constant.ty, place(&constant.rust_path, &constant.file, constant.line)));
    for (ty, place) in fields.chain(constants) {
        ty.each(&mut |ty| {
            if let Type::Handle { of } = ty {
                uses.push(Use { of, is_interface: false, place: place.clone() });
            }
        });
    }
    for declared in &package.types {
        if let Type::Object { implements, .. } = &declared.ty {
            uses.extend(implements.lines().map(|of| Use { of, is_interface: true, place: declared.place() }));
        }
    }
    uses
}

/// Collects the types that the file must import, and the types that other files of the package must declare.
fn types<'a>(uses: &'a [Use<'a>], refused: &mut Vec<Diagnostic>) -> Types<'a> {
    let mut types = Types::new();
    for used in uses.iter().filter(|used| !used.of.is_empty()) {
        match GoType::parse(used.of) {
            Ok(ty) if ty.pointer && used.is_interface => {
                refused.push(refuse(format!("the Go type {:?} cannot be implemented: it is a pointer", used.of), used));
            }
            Ok(ty) if ty.is_predeclared() => {}
            Ok(ty) => drop(types.entry((ty.package, ty.name)).or_insert(used)),
            Err(why) => refused.push(refuse(format!("the Go type {:?} cannot be named: {why}", used.of), used)),
        }
    }
    types
}

/// Maps the package names used in the file to import paths. If the generated package uses handles, `handle_path` is the import path of the package
/// `handle`.
fn imported<'a>(types: &Types<'a>, handle_path: Option<&'a str>, refused: &mut Vec<Diagnostic>) -> BTreeMap<&'a str, &'a str> {
    let mut imported: BTreeMap<&str, &str> = handle_path.map(|path| (HANDLE, path)).into_iter().collect();
    for (&(package, _), used) in types {
        let Some(path) = package else { continue };
        let name = package_name(path);
        let other = *imported.entry(name).or_insert(path);
        if other != path {
            refused.push(
                refuse(format!("the packages {other} and {path} would both be {name} in Go"), used)
                    .hint("in the Go package, declare a named type for one of them, and write its name in #[rustgo::go_type]"),
            );
        }
    }
    imported
}

/// Refuses a type declared in other files of the package if a generated declaration has the same name.
fn refuse_clashes(package: &Package, types: &Types<'_>, imported: &BTreeMap<&str, &str>, refused: &mut Vec<Diagnostic>) {
    for (&(_, name), used) in types.iter().filter(|((package, _), _)| package.is_none()) {
        if let Some(item) = package.item(name) {
            refused.push(refuse(format!("{name} would be a type and the {} {} in Go", item.kind, item.rust_path), used).hint(format!(
                "give the {} another name, #[rustgo::export(name = \"GoName\")], or the type, #[rustgo::go_type(\"GoName\")]",
                item.kind
            )));
        } else if let Some(path) = imported.get(name) {
            refused.push(
                refuse(format!("{name} would be a type and the imported package {path} in Go"), used)
                    .hint("give the type another name: #[rustgo::go_type(\"GoName\")]"),
            );
        }
    }
}

fn refuse(message: String, used: &Use<'_>) -> Diagnostic {
    Diagnostic::new(ErrorCode::GoName, message).at(used.place.clone())
}
