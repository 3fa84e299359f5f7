//! Refuses methods whose names are well known in Go but whose signatures differ from what `go vet` expects. Go code looks for these methods with
//! type assertions, and would silently skip methods with another signature.

use super::wrapper;
use crate::api::{Declared, Function, Package, Role, declared_method};
use crate::diag::{Diagnostic, ErrorCode};
use crate::gosrc;
use rustgo_schema::Type;

/// A method's name, and the types of its parameters and results. If `only` is set, the check skips methods whose first parameter has another type.
struct Method {
    name: &'static str,
    params: &'static [&'static str],
    results: &'static [&'static str],
    only: bool,
}

const fn method(name: &'static str, params: &'static [&'static str], results: &'static [&'static str]) -> Method {
    Method { name, params, results, only: false }
}

/// The methods that vet's analyzer stdmethods checks in every type (golang.org/x/tools/go/analysis/passes/stdmethods, `canonicalMethods`).
/// `Format` and `Scan` are left out: vet checks them only if the first parameter is a `fmt.State` or `fmt.ScanState`, which no exported method takes.
const METHODS: [Method; 14] = [
    method("GobDecode", &["[]byte"], &["error"]),
    method("GobEncode", &[], &["[]byte", "error"]),
    method("MarshalJSON", &[], &["[]byte", "error"]),
    method("MarshalXML", &["*xml.Encoder", "xml.StartElement"], &["error"]),
    method("ReadByte", &[], &["byte", "error"]),
    Method { only: true, ..method("ReadFrom", &["io.Reader"], &["int64", "error"]) },
    method("ReadRune", &[], &["rune", "int", "error"]),
    Method { only: true, ..method("Seek", &["int64", "int"], &["int64", "error"]) },
    method("UnmarshalJSON", &["[]byte"], &["error"]),
    method("UnmarshalXML", &["*xml.Decoder", "xml.StartElement"], &["error"]),
    method("UnreadByte", &[], &["error"]),
    method("UnreadRune", &[], &["error"]),
    method("WriteByte", &["byte"], &["error"]),
    Method { only: true, ..method("WriteTo", &["io.Writer"], &["int64", "error"]) },
];

/// The methods that stdmethods checks in error types.
const OF_ERRORS: [Method; 3] = [method("As", &["any"], &["bool"]), method("Is", &["error"], &["bool"]), method("Unwrap", &[], &["error"])];

/// Refuses well-known methods with another signature, and methods for which go vet would take the type for a lock.
pub fn refuse(package: &Package) -> Vec<Diagnostic> {
    let methods = package.functions.values().filter(|function| function.role == Role::Method);
    let of_types = methods.filter_map(|function| of_type(package, function).or_else(|| copied_lock(package, function)));
    of_types.chain(package.types.iter().flat_map(of_interface)).collect()
}

fn of_type(package: &Package, function: &Function) -> Option<Diagnostic> {
    let params = function.params.iter().skip(1).map(|param| param.go.clone()).collect();
    let method = gosrc::Func { name: function.name.clone(), params, results: wrapper::results(function), ..gosrc::Func::default() };
    let refused = refused(&method, is_error(package, function), &function.rust_path)?;
    let hint = "choose another name, #[rustgo::export(name = \"GoName\")], or give it that signature";
    Some(refused.at(function.place()).hint(hint))
}

/// Refuses methods of an interface that Go implements.
fn of_interface(declared: &Declared) -> Vec<Diagnostic> {
    let Type::Trait { methods, .. } = &declared.ty else { return Vec::new() };
    let is_error = methods.iter().any(|method| method.go_name == "Error" && method.params.is_empty());
    let refused = |method: &rustgo_schema::Method| {
        let refused = refused(&declared_method(method), is_error, &format!("{}::{}", declared.decl.rust_path, method.name))?;
        Some(refused.at(declared.place()).hint("choose another name, #[rustgo(name = \"GoName\")], or give it that signature"))
    };
    methods.iter().filter_map(refused).collect()
}

/// Refuses the method `Unlock` if the type also has `Lock` and generated code copies objects of the type. Generated code copies objects in Go's
/// memory, and vet (analyzer copylocks) reports copies of a type whose pointer has both methods.
fn copied_lock(package: &Package, function: &Function) -> Option<Diagnostic> {
    let owner = function.owner.as_ref()?;
    let is_plain = |method: &Function| method.params.len() == 1 && wrapper::results(method).is_empty();
    let has = |name: &str| package.methods(&owner.path).any(|method| method.name == name && is_plain(method));
    let is_in_heap = || package.type_of(&owner.path).is_some_and(|declared| matches!(declared.ty, Type::Object { words: 0, .. }));
    if function.name != "Unlock" || !is_plain(function) || !has("Lock") || is_in_heap() {
        return None;
    }
    let message = format!(
        "{} cannot be the method Unlock() in Go, because the type has a method Lock() too: go vet reports copies of such a type, and generated code copies this one",
        function.rust_path
    );
    Some(
        Diagnostic::new(ErrorCode::GoName, message)
            .at(function.place())
            .hint("name one of them otherwise, #[rustgo::export(name = \"GoName\")]"),
    )
}

/// Refuses a method, given without its receiver, that has a well-known name and another signature.
fn refused(method: &gosrc::Func, is_error: bool, rust_path: &str) -> Option<Diagnostic> {
    let of_errors = if is_error { OF_ERRORS.as_slice() } else { &[] };
    let known = METHODS.iter().chain(of_errors).find(|known| known.name == method.name)?;
    let types = |params: &'_ [gosrc::Param]| params.iter().map(|param| param.ty.clone()).collect::<Vec<String>>();
    let (params, results) = (types(&method.params), types(&method.results));
    let params: Vec<&str> = params.iter().map(String::as_str).collect();
    let results: Vec<&str> = results.iter().map(String::as_str).collect();
    let is_another = known.only && params.first() != known.params.first();
    if is_another || params == known.params && results == known.results {
        return None;
    }
    let message = format!(
        "{rust_path} cannot be {} in Go: a method of this name has the signature {} there, and go vet reports others",
        signature(known.name, &params, &results),
        signature(known.name, known.params, known.results)
    );
    Some(Diagnostic::new(ErrorCode::GoName, message))
}

/// Returns true if the method belongs to an error type.
fn is_error(package: &Package, function: &Function) -> bool {
    let Some(owner) = &function.owner else { return false };
    let is_text = |method: &Function| {
        let results: Vec<&str> = method.results.iter().map(|result| result.go.ty.as_str()).collect();
        method.name == "Error" && method.params.len() == 1 && results == ["string"]
    };
    package.methods(&owner.path).any(is_text)
        || package.type_of(&owner.path).is_some_and(|declared| matches!(declared.ty, Type::Error { .. }))
}

/// Formats a signature: `ReadRune() (rune, int, error)`.
fn signature(name: &str, params: &[&str], results: &[&str]) -> String {
    let unnamed = |types: &[&str]| types.iter().map(|ty| gosrc::Param { name: String::new(), ty: (*ty).into() }).collect();
    let func = gosrc::Func { params: unnamed(params), results: unnamed(results), ..gosrc::Func::default() };
    format!("{name}{}", func.signature())
}
