//! Makes the Go file that declares a package. The module verify checks the file.
//!
//! The file contains the constants and variables, then each type with its functions and methods, then the other functions, and at its end the raw
//! types (as Rust returns values) and the functions that convert raw values.

mod build;
mod constants;
mod convert;
mod declare;
mod functions;
mod helpers;
mod iterator;
mod locals;
mod race_marks;
mod refuse;
mod struct_layout;
mod task;
mod tests_file;
mod translated;
mod types;
mod unsupported;
mod well_known;
mod wrapper;

use crate::api::{Function, Package, Role};
use crate::diag::{Failure, Result};
use crate::gosrc::{Declaration, File, Import, Value, Values};
use crate::runtime::{Library, Runtime};
use crate::target::{Arch, Level};
use convert::RT;
use std::collections::{BTreeMap, BTreeSet};
use types::Named;

pub use tests_file::{TESTS_FILE, TestOptions, tests_file};
pub use translated::{TRANSLATED_FILE, Translated};
pub use unsupported::{UNSUPPORTED_FILE, unsupported_file};

/// The parts of the Go file that the exports do not determine.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Comment lines at the top; the first is [`generated_line`](crate::gosrc::generated_line).
    pub header: Vec<String>,
    pub package: String,
    /// The package comment. Empty if another file of the package has a package comment.
    pub package_doc: String,
    pub arches: Vec<Arch>,
    /// For each architecture, the lowest processor level (set of CPU features) for which the package has code. If every processor of the
    /// architecture has this level, the architecture is left out.
    pub needs: Vec<Level>,
    pub imports: Vec<Import>,
    /// The import paths of the run-time packages.
    pub runtime: Runtime,
    /// True if another file has the package's code for other processors. The build tag `purego` selects that file.
    pub has_fallback: bool,
    /// The translated crate, for the file with the package's code for other processors.
    pub translated: Option<Translated>,
}

/// Makes the Go file of a package.
///
/// # Errors
/// [`Code::GoName`](crate::diag::ErrorCode::GoName) for each name or type that Go does not allow, [`Code::Schema`](crate::diag::ErrorCode::Schema)
/// for incomplete records.
pub fn bind(package: &Package, options: Options) -> Result<File> {
    let mut refused = refuse::incomplete(package);
    refused.extend(struct_layout::refuse(package));
    if !refused.is_empty() {
        return Err(Failure::Refused(refused));
    }
    let mut declarations = declarations(package);
    match &options.translated {
        Some(translated) => declarations = translated.applied(package, declarations),
        None => drop(declarations.splice(0..0, need(&options))),
    }
    let named = Named::of(package, &options.runtime.import_path(Library::Handle), &mut refused);
    let mut imports = imports(&declarations, &options);
    imports.extend(named.imports);
    refused.splice(0..0, refuse::names(package, &declarations, &imports));
    refused.extend(well_known::refuse(package));
    if !refused.is_empty() {
        return Err(Failure::Refused(refused));
    }
    let any = package.functions.values().next().map(|function| function.rust_path.clone()).unwrap_or_default();
    let package_doc = functions::linked(package, &any, &options.package_doc);
    let arches: BTreeSet<Arch> = options.arches.into_iter().collect();
    let arches: Vec<&str> = arches.into_iter().map(Arch::goarch).collect();
    let native = (!arches.is_empty()).then(|| arches.join(" || "));
    let native = match (native, options.has_fallback) {
        (Some(native), true) if arches.len() > 1 => Some(format!("({native}) && !purego")),
        (Some(native), true) => Some(format!("{native} && !purego")),
        (native, _) => native,
    };
    Ok(File {
        header: options.header,
        build: options.translated.map_or(native, |translated| Some(translated.build)),
        doc: package_doc,
        package: options.package,
        imports,
        declarations,
        types: named.types,
    })
}

/// Makes a declaration that panics at the program's start if the processor lacks features that the package needs.
fn need(options: &Options) -> Option<Declaration> {
    let levels: Vec<String> = options.needs.iter().map(|level| format!("\"{level}\"")).collect();
    let value = vec![format!("{RT}.NeedCPU(\"{}\", {})", options.package, levels.join(", "))];
    let doc = "The package has no code for other processors.".into();
    let values = vec![Value { doc, name: "_".into(), value, ..Value::default() }];
    (!levels.is_empty()).then(|| Values { keyword: "var", values }.into())
}

/// Lists all declarations of the file, in order.
fn declarations(package: &Package) -> Vec<Declaration> {
    let mut shown = constants::declare(&package.constants, &|constant| functions::linked(package, &constant.rust_path, &constant.doc));
    let mut hidden = Vec::new();
    let declare = |function: &Function| functions::declare(package, function, &|doc| functions::linked(package, &function.rust_path, doc));
    let called = || package.functions.values().filter(|function| function.role.is_called());
    let mut members: BTreeMap<&str, Vec<&Function>> = BTreeMap::new();
    for function in called() {
        if let Some(owner) = &function.owner {
            members.entry(&owner.path).or_default().push(function);
        }
    }
    for declared in &package.types {
        let rust_path = &declared.decl.rust_path;
        let parts = declare::declare(package, declared, &|doc| functions::linked(package, rust_path, doc));
        shown.extend(parts.shown);
        hidden.extend(parts.hidden);
        for role in [Role::Function, Role::Method] {
            let members = members.get(rust_path.as_str()).into_iter().flatten().copied();
            shown.extend(members.filter(|function| function.role == role).flat_map(declare));
        }
        let raw = [Role::Drop, Role::Text].into_iter().filter_map(|role| package.of_role(Some(rust_path), role));
        shown.extend(raw.flat_map(|function| match function.task {
            Some(stack) if function.role == Role::Drop => task::destructor(package, function, stack),
            Some(_) => task::declare(package, function),
            None => vec![functions::raw(function).into()],
        }));
    }
    let types: BTreeSet<&str> = package.types.iter().map(|declared| declared.decl.rust_path.as_str()).collect();
    let is_of_type = |function: &Function| function.owner.as_ref().is_some_and(|owner| types.contains(owner.path.as_str()));
    shown.extend(called().filter(|function| !is_of_type(function)).flat_map(declare));
    shown.extend(functions::watch(package));
    shown.extend(task::thread(package));
    // Functions that convert raw values are left out if nothing uses them.
    let converters = helpers::needed(hidden, &shown);
    shown.extend(converters);
    shown.extend(helpers::used(&shown));
    shown.extend(package.of_role(None, Role::Release).into_iter().flat_map(|function| match function.task {
        Some(_) => task::declare(package, function),
        None => vec![functions::raw(function).into()],
    }));
    shown.extend(struct_layout::asserted(package));
    shown
}

/// Lists the run-time packages that the options name, and the packages that the declarations use.
fn imports(declarations: &[Declaration], options: &Options) -> Vec<Import> {
    let code: Vec<String> = declarations.iter().map(Declaration::code).collect();
    let is_used = |name: &str| code.iter().any(|code| helpers::names_package(code, name));
    let mut imports = options.imports.clone();
    imports.extend(options.translated.iter().flat_map(Translated::imports));
    if is_used(RT) {
        let path = options.runtime.import_path(Library::Rt);
        imports.retain(|import| import.path != path);
        imports.push(Import { path, name: Some(RT.into()) });
    }
    let standard = ["context", "io", "iter", "math", "reflect", "runtime", "strconv", "unsafe"].into_iter().filter(|name| is_used(name));
    imports.extend(standard.map(|path| Import { path: path.into(), name: None }));
    imports
}

#[cfg(test)]
mod tests;
