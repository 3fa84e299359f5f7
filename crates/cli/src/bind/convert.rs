//! Converts raw values, as Rust functions return them, to Go values: makes Go expressions, and names the generated functions that these
//! expressions call.

use super::locals::unused;
use crate::api::{elem_type, go_type, is_direct, raw_type};
use rustgo_schema::{Decl, Type};

/// The name under which generated files import `rt`. No parameter has this name (`api::names`).
pub const RT: &str = "rustgo_rt";

/// The maximum length of a result array whose elements must be converted. Its Go expression contains one expression for each element.
pub const MAX_CONVERTED: u64 = 32;

/// Returns the Go expression that converts the expression `raw` to the Go value. If [`is_repeated`] returns true, this Go expression contains `raw`
/// more than once.
pub fn value(ty: &Type, raw: &str) -> String {
    match ty {
        ty if is_direct(ty) => raw.to_owned(),
        Type::List { elem, .. } if !is_direct(elem) => format!("{}({raw}, {})", list(ty), converter(elem)),
        Type::Array { len, elem } => {
            let elems: Vec<String> = (0..*len).map(|index| value(elem, &format!("{raw}[{index}]"))).collect();
            format!("{}{{{}}}", go_type(ty), elems.join(", "))
        }
        ty => format!("{}({raw})", converter(ty)),
    }
}

/// Returns the Go expression that converts the object pointer `name` to a pointer to the object's only field. Functions of `rt` take this pointer. A
/// nil object gives a nil pointer.
pub fn object(name: &str) -> String {
    format!("(*{RT}.Object)(unsafe.Pointer({name}))")
}

/// Returns true if the expression that [`value`] returns contains `raw` more than once.
pub fn is_repeated(ty: &Type) -> bool {
    matches!(ty, Type::Array { .. }) && !is_direct(ty)
}

/// Returns a Go function that converts a raw value: a function name or a function literal.
pub fn converter(ty: &Type) -> String {
    match ty {
        Type::Text { freed: true } => "rust_string".into(),
        Type::Text { freed: false } => "rust_borrowed_string".into(),
        Type::Failure {} => "rust_failure".into(),
        Type::List { elem, .. } if is_direct(elem) => format!("{}[{}]", list(ty), elem_type(elem)),
        Type::Struct { decl, .. } if !is_direct(ty) => of_struct(decl),
        Type::Error { decl, .. } => of_error(decl),
        Type::Object { decl, words: 1.., .. } => of_inline(decl),
        Type::Object { decl, .. } => of_boxed(decl),
        ty => {
            let raw = unused("raw", &[go_type(ty), value(ty, "")].join(" "));
            format!("func({raw} {}) {} {{ return {} }}", raw_type(ty), go_type(ty), value(ty, &raw))
        }
    }
}

/// Returns the name of the Go function that converts a list to a Go slice.
fn list(ty: &Type) -> &'static str {
    match ty {
        Type::List { freed, elem } => match (freed, is_direct(elem)) {
            (true, true) => "rust_slice",
            (false, true) => "rust_borrowed_slice",
            (true, false) => "rust_list",
            (false, false) => "rust_borrowed_list",
        },
        _ => "",
    }
}

/// Returns the name of the Go function that converts a struct.
pub fn of_struct(decl: &Decl) -> String {
    format!("rust_{}_value", decl.go_name)
}

pub fn of_error(decl: &Decl) -> String {
    format!("rust_{}_error", decl.go_name)
}

pub fn of_boxed(decl: &Decl) -> String {
    format!("rust_{}_object", decl.go_name)
}

pub fn of_inline(decl: &Decl) -> String {
    format!("rust_{}_pointer", decl.go_name)
}
