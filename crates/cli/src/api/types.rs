//! The Go types of parameters and results, in exported Go functions and in raw assembly functions.

use rustgo_schema::{Basic, GoType, Type};

/// The name under which generated files import the package of handles.
pub const HANDLE: &str = "handle";

/// Returns the type in the exported Go declaration. Arrays and slices of uint8 are written as arrays and slices of byte, as usual in Go.
pub fn go_type(ty: &Type) -> String {
    match ty {
        Type::Basic(basic) => basic.go_name().into(),
        Type::Array { len, elem } => format!("[{len}]{}", elem_type(elem)),
        Type::Pointer { elem, .. } => match &**elem {
            Type::Object { decl, .. } => format!("*{}", decl.go_name),
            elem => format!("*{}", go_type(elem)),
        },
        Type::Slice { elem, .. } | Type::List { elem, .. } | Type::Append { elem } => format!("[]{}", elem_type(elem)),
        Type::Handle { of } if of.is_empty() => format!("{HANDLE}.Handle"),
        Type::Handle { of } => format!("{HANDLE}.Of[{}]", GoType::parse(of).map_or_else(|_| of.clone(), show)),
        Type::Struct { decl, .. } | Type::Enum { decl, .. } => decl.go_name.clone(),
        Type::Object { decl, .. } => format!("*{}", decl.go_name),
        Type::Text { .. } => "string".into(),
        Type::Failure {} | Type::Error { .. } => "error".into(),
        Type::Iterator { items } => {
            let items: Vec<String> = items.iter().map(go_type).collect();
            format!("iter.Seq{}[{}]", if items.len() == 2 { "2" } else { "" }, items.join(", "))
        }
        Type::Address {} => "unsafe.Pointer".into(),
        Type::Func { params, results, .. } => {
            let [params, given] = [params, results].map(|types| types.iter().map(go_type).collect::<Vec<_>>().join(", "));
            let given = if results.len() > 1 { format!("({given})") } else { given };
            format!("func({params}) {given}").trim_end().to_owned()
        }
        Type::Interface { name, .. } => name.clone(),
        Type::Trait { decl, .. } => decl.go_name.clone(),
    }
}

/// Returns the type that a parameter or result of type `ty` has in the raw assembly function. This raw type describes the memory that Rust reads or
/// writes. The raw type equals [`go_type`] if `ty` [is direct](is_direct).
pub fn raw_type(ty: &Type) -> String {
    match ty {
        ty if is_direct(ty) => go_type(ty),
        Type::Array { len, elem } => format!("[{len}]{}", raw_type(elem)),
        Type::Pointer { elem, .. } => format!("*{}", raw_type(elem)),
        Type::Slice { elem, .. } => format!("[]{}", raw_type(elem)),
        Type::Text { freed, .. } | Type::List { freed, .. } => if *freed { OWNED } else { BORROWED }.into(),
        Type::Failure {} => OWNED.into(),
        Type::Error { size: 4, .. } => "uint32".into(),
        Type::Struct { decl, .. } | Type::Error { decl, .. } => format!("rust_{}", decl.go_name),
        Type::Append { elem } => format!("*rust_append[{}]", elem_type(elem)),
        Type::Object { decl, words: 1.., .. } => decl.go_name.clone(),
        _ => "unsafe.Pointer".into(),
    }
}

/// The raw type of a text or list in the Rust heap that Go must free.
const OWNED: &str = "rust_owned";
/// The raw type of a text or list that Rust keeps.
const BORROWED: &str = "rust_borrowed";

/// Returns true if raw functions use the Go type itself. Otherwise wrappers convert values between the raw type and the Go type.
pub fn is_direct(ty: &Type) -> bool {
    match ty {
        Type::Basic(_) | Type::Handle { .. } | Type::Enum { .. } | Type::Address {} => true,
        Type::Func { .. } | Type::Interface { .. } | Type::Trait { .. } => true,
        Type::Pointer { elem, .. } => matches!(**elem, Type::Object { .. }) || is_direct(elem),
        Type::Array { elem, .. } | Type::Slice { elem, .. } => is_direct(elem),
        Type::Struct { fields, .. } => fields.iter().all(|field| is_direct(&field.ty)),
        _ => false,
    }
}

/// Returns true if a value of the type refers to Go memory that Rust code may read or write during a call. Objects in the Rust heap are not Go
/// memory.
pub fn refers(ty: &Type) -> bool {
    match ty {
        Type::Basic(basic) => *basic == Basic::String,
        Type::Pointer { elem, .. } => !matches!(**elem, Type::Object { words: 0, .. }) && (elem.layout().size > 0 || refers(elem)),
        Type::Slice { elem, .. } => elem.layout().size > 0 || refers(elem),
        Type::Append { .. } => true,
        Type::Array { elem, .. } => refers(elem),
        Type::Struct { fields, .. } => fields.iter().any(|field| refers(&field.ty)),
        _ => false,
    }
}

/// Returns the name of the first word of a parameter or result in assembly, as `go vet` (asmdecl) expects it. `word` is the parameter's name.
pub fn first_word(ty: &Type, word: &str) -> String {
    match ty {
        Type::Slice { .. } | Type::Basic(Basic::String) => format!("{word}_base"),
        // go vet uses the array's own name for an array without elements.
        Type::Array { len: 1.., elem } => first_word(elem, &format!("{word}_0")),
        Type::Struct { fields, .. } => match fields.iter().find(|field| field.ty.layout().size > 0) {
            Some(field) => first_word(&field.ty, &format!("{word}_{}", field.go_name)),
            None => word.to_owned(),
        },
        Type::Text { .. } | Type::List { .. } | Type::Failure {} => format!("{word}_ptr"),
        Type::Error { size: 5.., .. } => format!("{word}_code"),
        Type::Object { words: 1.., decl, .. } => format!("{word}_rust_{}_0", decl.go_name),
        _ => word.to_owned(),
    }
}

/// Returns the type as an element of an array or slice.
pub fn elem_type(ty: &Type) -> String {
    if *ty == Type::Basic(Basic::Uint8) { "byte".into() } else { go_type(ty) }
}

/// Returns the type as the generated file names it: `*http.Request`.
pub fn show(ty: GoType<'_>) -> String {
    let star = if ty.pointer { "*" } else { "" };
    match ty.package {
        Some(path) => format!("{star}{}.{}", package_name(path), ty.name),
        None => format!("{star}{}", ty.name),
    }
}

/// Returns the name of a standard library package: the last part of its path that is not a version.
pub fn package_name(path: &str) -> &str {
    let is_version =
        |part: &str| part.strip_prefix('v').is_some_and(|number| number.bytes().all(|c| c.is_ascii_digit()) && !number.is_empty());
    path.rsplit('/').find(|part| !is_version(part)).unwrap_or(path)
}
