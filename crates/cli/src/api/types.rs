//! How Go writes the types of parameters and results.

use rustgo_schema::{Basic, GoType, Type};

/// The name by which the package of handles is imported.
pub const HANDLE: &str = "handle";

/// The type as Go writes it; the elements of arrays and slices of uint8 are bytes, as everywhere in Go.
pub fn go_type(ty: &Type) -> String {
    match ty {
        Type::Basic(basic) => basic.go_name().into(),
        Type::Array { len, elem } => format!("[{len}]{}", elem_type(elem)),
        Type::Pointer { elem, .. } => format!("*{}", go_type(elem)),
        Type::Slice { elem, .. } => format!("[]{}", elem_type(elem)),
        Type::Handle { of } if of.is_empty() => format!("{HANDLE}.Handle"),
        Type::Handle { of } => format!("{HANDLE}.Of[{}]", GoType::parse(of).map_or_else(|_| of.clone(), show)),
    }
}

/// The size in Go's memory, in bytes, on a 64-bit machine.
pub fn size(ty: &Type) -> u64 {
    match ty {
        Type::Basic(basic) => basic.layout().size,
        Type::Array { len, elem } => len.saturating_mul(size(elem)),
        Type::Pointer { .. } | Type::Handle { .. } => 8,
        Type::Slice { .. } => 24,
    }
}

fn elem_type(ty: &Type) -> String {
    if *ty == Type::Basic(Basic::Uint8) { "byte".into() } else { go_type(ty) }
}

/// The type as the Go file writes it: `*http.Request`.
fn show(ty: GoType<'_>) -> String {
    let star = if ty.pointer { "*" } else { "" };
    match ty.package {
        Some(path) => format!("{star}{}.{}", package_name(path), ty.name),
        None => format!("{star}{}", ty.name),
    }
}

/// The name of a package of the standard library: the last part of its path that is no version.
pub fn package_name(path: &str) -> &str {
    let is_version =
        |part: &str| part.strip_prefix('v').is_some_and(|number| number.bytes().all(|c| c.is_ascii_digit()) && !number.is_empty());
    path.rsplit('/').find(|part| !is_version(part)).unwrap_or(path)
}
