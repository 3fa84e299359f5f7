//! Converts exported functions to Go declarations.

use super::convert::RT;
use super::{iterator, race_marks, task, wrapper};
use crate::api::{Function, Package, Param, Role};
use crate::gosrc::{self, Declaration, Func};

/// Returns the Go declarations of an exported function. The first is the function that Go code calls, with its documentation. If it is a wrapper, the
/// raw assembly function follows. If it returns an iterator, the companion functions follow, which fetch the iterator's items and drop the iterator.
///
/// `//go:noescape` is sound, because a Rust function cannot keep references that it takes only for the call. If results or an iterator refer to a
/// parameter's memory, the wrapper makes Go allocate that memory in the heap (`race_marks::escapes`). The wrapper's own variables, such as the mark
/// on an object in use, may stay on the stack.
pub fn declare(package: &Package, function: &Function, doc: &dyn Fn(&str) -> String) -> Vec<Declaration> {
    let place = format!("{}:{}", function.file, function.line);
    if !function.is_wrapped() {
        return vec![Func { doc: doc(&function.doc), place, ..raw(function) }.into()];
    }
    let body = iterator::body(package, function).unwrap_or_else(|| wrapper::body(package, function));
    let (receiver, params) = match (function.role, function.params.split_first()) {
        (Role::Method, Some((receiver, params))) => (Some(receiver.go.clone()), params),
        _ => (None, function.params.as_slice()),
    };
    let wrapper = Func {
        doc: doc(&function.doc),
        place,
        receiver,
        name: function.name.clone(),
        params: params.iter().map(|param: &Param| param.go.clone()).collect(),
        results: wrapper::results(function),
        body: Some(body),
        ..Func::default()
    };
    let companions = [Role::Next, Role::End].into_iter().filter(|_| function.makes_iterator());
    let companions = companions.filter_map(|role| package.companion(function, role));
    let raw = |function: &Function| if function.task.is_some() { task::declare(package, function) } else { vec![raw(function).into()] };
    [wrapper.into()].into_iter().chain(raw(function)).chain(companions.flat_map(raw)).collect()
}

/// Makes the Go declaration of the assembly function, without a body.
pub fn raw(function: &Function) -> Func {
    // If results refer to a parameter's memory, that memory must not be on a Go stack, because a Go stack can move. Without `noescape`, Go allocates
    // the memory in the heap. A wrapper may have done this already (`race_marks::escapes`); then `noescape` stays.
    let keeps = race_marks::keeps(function) && !(function.is_wrapped() && race_marks::can_escape(function));
    Func { directives: if keeps { Vec::new() } else { vec!["go:noescape".into()] }, ..function.declare_raw() }
}

/// Makes a Go `init` function that registers the package with rt.Watch, which reports long calls. None if rt.Watch measures no function of the
/// package.
pub fn watch(package: &Package) -> Option<Declaration> {
    let body = Some(vec![format!("{RT}.WatchPackage()")]);
    let is_watched = package.functions.values().any(|function| function.is_watched);
    is_watched.then(|| Func { name: "init".into(), body, ..Func::default() }.into())
}

/// Replaces the links in documentation by the Go names of the declarations. `from` is the Rust path of the documented item.
pub fn linked(package: &Package, from: &str, doc: &str) -> String {
    gosrc::with_links(doc, |path| link(package, from, path))
}

/// Returns the Go name for a link in the documentation of the Rust item `from`: `next`, `fn@next`, `crate::walk::next()`, `Regex::is_match`,
/// `Self::is_match`.
pub fn link(package: &Package, from: &str, path: &str) -> Option<String> {
    let path = path.trim_matches('`').trim_end_matches("()");
    let kinds = ["fn@", "function@", "method@", "struct@", "enum@", "type@", "const@", "constant@", "static@", "variant@"];
    let path = kinds.iter().find_map(|kind| path.strip_prefix(kind)).unwrap_or(path);
    let (parent, _) = from.rsplit_once("::")?;
    let (root, _) = from.split_once("::")?;
    // A method's path includes its type. So a plain name in a method's documentation may be an item of the type's module or another method.
    let modules = [Some(parent), parent.rsplit_once("::").map(|(module, _)| module)];
    let found = |full: &str| named(package, full);
    match path.split_once("::") {
        Some(("crate", rest)) => found(&format!("{root}::{rest}")),
        Some(("Self", rest)) => [from, parent].iter().find_map(|owner| found(&format!("{owner}::{rest}"))),
        Some(("self", rest)) => modules.into_iter().flatten().find_map(|module| found(&format!("{module}::{rest}"))),
        Some(("super", rest)) => found(&format!("{}::{rest}", parent.rsplit_once("::")?.0)),
        _ if path == "Self" => [from, parent].iter().find_map(|owner| found(owner)),
        _ => modules.into_iter().flatten().find_map(|module| found(&format!("{module}::{path}"))),
    }
}

/// Returns the Go name of the item with this Rust path.
fn named(package: &Package, path: &str) -> Option<String> {
    let functions = package.functions.values().filter(|function| function.role.is_called());
    let function = functions.clone().find(|function| function.rust_path == path).map(Function::shown);
    let ty = || package.type_of(path).map(|declared| declared.decl.go_name.clone());
    let constant = || package.constants.iter().find(|constant| constant.rust_path == path).map(|constant| constant.go_name.clone());
    function.or_else(ty).or_else(constant).or_else(|| variant(package, path)).or_else(|| method_of_interface(package, path))
}

/// Returns the Go name of a method of an interface that Go implements: `demo::Loader::load`.
fn method_of_interface(package: &Package, path: &str) -> Option<String> {
    let (ty, name) = path.rsplit_once("::")?;
    let declared = package.type_of(ty)?;
    let rustgo_schema::Type::Trait { methods, .. } = &declared.ty else { return None };
    let method = methods.iter().find(|method| method.name == name)?;
    Some(format!("{}.{}", declared.decl.go_name, method.go_name))
}

/// Returns the Go name of an enum's variant: `demo::Color::Red`.
fn variant(package: &Package, path: &str) -> Option<String> {
    let (ty, name) = path.rsplit_once("::")?;
    let (rustgo_schema::Type::Enum { variants, .. } | rustgo_schema::Type::Error { cases: variants, single: false, .. }) =
        &package.type_of(ty)?.ty
    else {
        return None;
    };
    variants.iter().find(|variant| variant.name == name).map(|variant| variant.go_name.clone())
}
