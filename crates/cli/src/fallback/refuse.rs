//! Refuses exports that cannot be translated. The Go package must offer the same functions on every processor.

use crate::api::{Function, Package};
use crate::diag::{Diagnostic, ErrorCode, Failure, Result};
use rustgo_schema::Type;

/// Refuses a package with exports that cannot be translated. The error lists all of them.
pub fn refuse(package: &Package) -> Result<()> {
    let refused: Vec<Diagnostic> = package.functions.values().filter_map(of_function).collect();
    if refused.is_empty() { Ok(()) } else { Err(Failure::Refused(refused)) }
}

fn of_function(function: &Function) -> Option<Diagnostic> {
    let has = |what: fn(&Type) -> bool| function.params.iter().chain(&function.results).any(|param| param.field.ty.has(what));
    let why = if has(|ty| matches!(ty, Type::Func { .. })) {
        "translated code cannot call Go functions"
    } else if has(|ty| matches!(ty, Type::Interface { .. } | Type::Trait { .. })) {
        "translated code cannot call methods of Go values"
    } else {
        return None;
    };
    let message = format!("{} cannot be translated to Go: {why}", function.shown());
    Some(
        Diagnostic::new(ErrorCode::Unsupported, message)
            .at(function.place())
            .hint("leave it out of this crate, or remove fallback = \"wasm\" under [package.metadata.rustgo]"),
    )
}
