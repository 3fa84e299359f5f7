//! Advice about types whose syntax shows that they cannot cross the boundary to Go. The advice names the type that the author should write instead.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::{GenericArgument, PathArguments, Token, Type, TypeParamBound, TypePath, TypeReference};

/// Returns the source text of a type, formatted as an author would write it.
pub fn show(ty: &impl ToTokens) -> String {
    let mut text = ty.to_token_stream().to_string();
    for (from, to) in [
        (" :: ", "::"),
        (":: ", "::"),
        (" < ", "<"),
        ("< ", "<"),
        (" <", "<"),
        (" >", ">"),
        ("& ", "&"),
        ("* ", "*"),
        (" ;", ";"),
        (" ,", ","),
        ("( ", "("),
        (" )", ")"),
        ("[ ", "["),
        (" ]", "]"),
        ("->", " -> "),
        ("  ", " "),
    ] {
        text = text.replace(from, to);
    }
    text
}

/// Advice: the part of a type that cannot cross the boundary to Go, and a text that states what to write instead.
pub type Advice = (TokenStream, String);

/// Returns advice about a parameter's type if the type's syntax shows that it cannot be a parameter. Otherwise returns `None`.
pub fn of_parameter(ty: &Type) -> Option<Advice> {
    if is_function(ty) {
        return Some((ty.to_token_stream(), CALLBACK.to_owned()));
    }
    let advice = match ty {
        Type::Paren(inner) => return of_parameter(&inner.elem),
        Type::Group(inner) => return of_parameter(&inner.elem),
        Type::Reference(reference) => return of_reference(reference),
        Type::Path(path) => match inner_of_option(path) {
            Some(Type::Reference(reference)) => match strip(&reference.elem) {
                Type::Slice(_) => format!("Go's nil slice is the empty slice; take `{}`", show(reference)),
                Type::Path(text) if name(text).as_deref() == Some("str") => "Go's strings are never nil; take `&str`".to_owned(),
                _ => return of_reference(reference),
            },
            Some(Type::Path(inner)) if matches!(name(inner).as_deref(), Some("String" | "GoStr")) => {
                format!("Go's strings are never nil; take `{}`", show(inner))
            }
            Some(Type::Path(inner)) if matches!(name(inner).as_deref(), Some("Vec" | "Strs" | "Slices")) => {
                format!("Go's nil slice is the empty slice; take `{}`", show(inner))
            }
            _ if name(path).as_deref() == Some("Vec") => {
                return match first_argument(path).map(strip) {
                    Some(Type::Path(text)) if name(text).as_deref() == Some("String") => None,
                    Some(elem) => of_element(elem),
                    None => None,
                };
            }
            _ if name(path).as_deref() == Some("Append") => format!("take `&mut {}`", show(path)),
            _ => return of_path(path, "parameter").map(|advice| (ty.to_token_stream(), advice)),
        },
        Type::Array(array) => return of_element(&array.elem),
        Type::Slice(slice) => format!("take `&{}`", show(slice)),
        Type::Tuple(_) => "take each part as a parameter of its own".to_owned(),
        other => of_opaque(other)?,
    };
    Some((ty.to_token_stream(), advice))
}

/// Returns advice about a parameter whose type is a reference.
fn of_reference(reference: &TypeReference) -> Option<Advice> {
    if let Some(lifetime) = &reference.lifetime
        && lifetime.ident == "static"
    {
        return Some((
            lifetime.to_token_stream(),
            "an argument of Go's is borrowed for the call only; leave out `'static`, and copy what must stay".to_owned(),
        ));
    }
    let mutable = if reference.mutability.is_some() { "mut " } else { "" };
    let target = strip(&reference.elem);
    let advice = match target {
        Type::Array(array) => return of_element(&array.elem),
        Type::Slice(slice) => return of_element(&slice.elem),
        Type::Path(path) => match name(path).as_deref() {
            Some("Handle") => return None,
            Some("Option") if optional(path) => return None,
            Some("str") if reference.mutability.is_none() => return None,
            Some("str") => "Go's strings never change; take `&mut [u8]`".to_owned(),
            Some("Vec") if reference.mutability.is_some() && first_argument(path).is_some_and(|elem| of_element(elem).is_some()) => {
                format!("Go lays out slices of these elements differently than Rust; return a `{}`", show(path))
            }
            Some("Vec") if reference.mutability.is_some() => {
                format!(
                    "take `&mut rustgo::Append<{0}>` to append to a slice of Go's, or `&mut [{0}]` to change its elements",
                    argument(path)
                )
            }
            Some("Vec") => format!("take `&[{}]`", argument(path)),
            Some("String") if reference.mutability.is_some() => "Go's strings never change; take `&str`, and return a `String`".to_owned(),
            Some("String") => "take `&str`".to_owned(),
            Some("Strs" | "Slices" | "GoStr") => format!("the type borrows without a reference; take `{}`", show(path)),
            Some("Append") if reference.mutability.is_none() => format!("take `&mut {}`", show(path)),
            Some("Box" | "Rc" | "Arc") => format!("take `&{mutable}{}`", argument(path)),
            Some("Option") => "the value at a Go pointer has no room for `None`; take an `Option` of a reference".to_owned(),
            _ => of_path(path, "parameter")?,
        },
        Type::Reference(_) => "Go has no counterpart for a reference to a reference that Rust could trust; take the inner one".to_owned(),
        Type::Tuple(_) => "Go cannot see Rust's tuples; take each part as a parameter of its own".to_owned(),
        other => of_opaque(other)?,
    };
    Some((target.to_token_stream(), advice))
}

/// Returns advice about the element type of a slice or array in a parameter.
fn of_element(ty: &Type) -> Option<Advice> {
    let ty = strip(ty);
    let advice = match ty {
        Type::Array(array) => return of_element(&array.elem),
        Type::Path(_) if is_text(ty) => "Go lays out slices of strings differently than Rust; take `rustgo::Strs<'_>`".to_owned(),
        Type::Reference(reference) if is_text(strip(&reference.elem)) => {
            "Go lays out slices of strings differently than Rust; take `rustgo::Strs<'_>`".to_owned()
        }
        Type::Reference(reference) => match strip(&reference.elem) {
            Type::Slice(inner) => {
                format!("Go lays out slices of slices differently than Rust; take `rustgo::Slices<'_, {}>`", show(&inner.elem))
            }
            _ => format!("{POSSIBLE}; take objects one by one, each as a `&T`"),
        },
        Type::Tuple(_) => TUPLE.to_owned(),
        Type::Path(path) => match name(path).as_deref() {
            Some("Vec") => format!("Go lays out slices of slices differently than Rust; take `rustgo::Slices<'_, {}>`", argument(path)),
            Some("Option") if optional(path) => return None,
            _ => {
                of_path(path, "element")?;
                POSSIBLE.to_owned()
            }
        },
        Type::Macro(_) | Type::Verbatim(_) => return None,
        _ => POSSIBLE.to_owned(),
    };
    Some((ty.to_token_stream(), advice))
}

fn is_text(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if name(path).is_some_and(|name| name == "str" || name == "String"))
}

/// Returns advice about the element type of a slice or array in a result. The advice must not suggest views such as `Slices<T>`, which can only be
/// parameters.
fn of_element_of_result(ty: &Type) -> Option<Advice> {
    let ty = strip(ty);
    let referred = match ty {
        Type::Reference(reference) => Some(strip(&reference.elem)),
        _ => None,
    };
    let list = match referred.unwrap_or(ty) {
        inner if is_text(inner) => "Vec<String>".to_owned(),
        Type::Path(path) if name(path).as_deref() == Some("Vec") => format!("Vec<Vec<{}>>", argument(path)),
        Type::Slice(slice) if referred.is_some() => format!("Vec<Vec<{}>>", show(&slice.elem)),
        _ if referred.is_some() => return Some((ty.to_token_stream(), POSSIBLE.to_owned())),
        Type::Array(array) => return of_element_of_result(&array.elem),
        _ => return of_element(ty),
    };
    Some((
        ty.to_token_stream(),
        format!("Go's strings and slices are laid out otherwise than Rust's; return a `{list}`, which is copied, or a tuple"),
    ))
}

/// Returns advice about a result's type if the type's syntax shows that it cannot be a result. Otherwise returns `None`.
pub fn of_result(ty: &Type) -> Option<Advice> {
    let advice = match ty {
        Type::Paren(inner) => return of_result(&inner.elem),
        Type::Group(inner) => return of_result(&inner.elem),
        Type::Never(_) => "a function that never returns has nothing to give to Go; return `()`".to_owned(),
        _ => return of_value(ty),
    };
    Some((ty.to_token_stream(), advice))
}

/// Returns advice about the type `T` of a result `T` or `Result<T, E>`.
pub fn of_value(ty: &Type) -> Option<Advice> {
    let ty = strip(ty);
    match ty {
        Type::Tuple(tuple) if tuple.elems.len() > 8 => {
            Some((ty.to_token_stream(), "it has more than eight parts; return a struct that derives `rustgo::Value`".to_owned()))
        }
        Type::Tuple(tuple) => tuple.elems.iter().find_map(of_part),
        Type::Path(path) => match inner_of_option(path) {
            Some(Type::Tuple(tuple)) if !tuple.elems.is_empty() => of_value(&Type::Tuple(tuple.clone())),
            Some(inner) => of_part(inner),
            None => of_part(ty),
        },
        _ => of_part(ty),
    }
}

/// Returns advice about the item type of an iterator. If the item is a pair, the caller passes each half of the pair.
pub fn of_item(ty: &Type) -> Option<Advice> {
    let ty = strip(ty);
    let advice = match ty {
        Type::Tuple(_) => "an iterator gives one value or a pair; make a struct that derives `rustgo::Value`, or an object, of more".to_owned(),
        Type::Path(path) if name(path).as_deref() == Some("Result") => {
            "a loop in Go has no place for errors; return a `Result<Vec<T>, E>`, or write an object with a method `fn next(&mut self) -> Result<Option<T>, E>`, which Go calls in a loop".to_owned()
        }
        _ => return of_part(ty),
    };
    Some((ty.to_token_stream(), advice))
}

/// Returns advice about the element type of a list (`Vec<T>`) in a result.
fn of_listed(ty: &Type) -> Option<Advice> {
    let ty = strip(ty);
    let advice = match ty {
        Type::Tuple(pair) if pair.elems.len() == 2 => {
            format!("{TUPLE}{OWNING}; or return the pairs one by one, as an `impl Iterator<Item = {}>`", show(ty))
        }
        Type::Tuple(_) => format!("{TUPLE}{OWNING}"),
        Type::Path(path) if name(path).as_deref() == Some("Result") => {
            "a `Result` gives Go an `error` as the last result, and cannot be a part of another; return a `Result<Vec<T>, E>`".to_owned()
        }
        _ => return of_part(ty),
    };
    Some((ty.to_token_stream(), advice))
}

/// Returns advice about the type of one result: a whole result, a part of a tuple, an item of an iterator or an element of a list.
pub fn of_part(ty: &Type) -> Option<Advice> {
    let ty = strip(ty);
    if is_function(ty) {
        return Some((ty.to_token_stream(), "Go cannot call Rust's closures; return an object that has a method".to_owned()));
    }
    let advice = match ty {
        Type::Reference(reference) if reference.mutability.is_some() => {
            "Go could write to what Rust borrows; take a `&mut` parameter instead".to_owned()
        }
        Type::Reference(reference) => match strip(&reference.elem) {
            Type::Slice(slice) => return of_element_of_result(&slice.elem),
            Type::Path(path) if name(path).is_some_and(|name| name == "str") => return None,
            Type::Path(path) if name(path).is_some_and(|name| name == "String") => "return `&str`".to_owned(),
            Type::Path(path) if name(path).is_some_and(|name| name == "Vec") => format!("return `&[{}]`", argument(path)),
            _ => "a result can borrow a text or a slice, `&str` or `&[T]`; return a copy of anything else".to_owned(),
        },
        Type::Array(array) => return of_element_of_result(&array.elem),
        Type::Tuple(_) => "a tuple is several results, and cannot be one of them; return a struct that derives `rustgo::Value`".to_owned(),
        Type::Ptr(_) => "a pointer into Rust's memory means nothing to Go; return the value, or an object".to_owned(),
        Type::Path(path) => match name(path).as_deref() {
            Some("Vec") => return first_argument(path).and_then(of_listed),
            Some("Box") => match first_argument(path).map(strip) {
                Some(Type::Slice(slice)) => return of_listed(&slice.elem),
                Some(Type::TraitObject(object)) if let Some(item) = iterated(&object.bounds) => format!(
                    "write `impl Iterator{item}`, and nothing around it; if the iterator is `Send`, it can be boxed: `Box<dyn Iterator{item} + Send>`"
                ),
                Some(Type::Path(inner)) if name(inner).is_some_and(|name| name == "str") => return None,
                _ => of_path(path, "result")?,
            },
            _ => of_path(path, "result")?,
        },
        Type::ImplTrait(implemented) if iterated(&implemented.bounds).is_some() => {
            "an iterator is the only result of a function; return an object, and the iterator from a method of it".to_owned()
        }
        other => of_opaque(other)?,
    };
    Some((ty.to_token_stream(), advice))
}

const POSSIBLE: &str = "elements can be integers of up to 64 bits, `f32`, `f64`, `bool`, `char`, handles, types that derive `rustgo::Value`, and arrays of them";

const TUPLE: &str = "Go has no tuples; write a struct with names for the parts: `#[derive(Clone, Copy, rustgo::Value)] #[repr(C)]`";

const OWNING: &str = ", or an object if it owns memory";

pub const CALLBACK: &str = "Go's functions have a type of their own; take a `rustgo::Func<'_, fn(A) -> R>`";

/// True if the type is a function or closure, possibly within references, `Box`, `Rc`, `Arc` or `Option`.
fn is_function(ty: &Type) -> bool {
    match strip(ty) {
        Type::BareFn(_) => true,
        Type::ImplTrait(implemented) => calls(&implemented.bounds),
        Type::TraitObject(object) => calls(&object.bounds),
        Type::Reference(reference) => is_function(&reference.elem),
        Type::Path(path) => {
            matches!(name(path).as_deref(), Some("Box" | "Rc" | "Arc" | "Option")) && first_argument(path).is_some_and(is_function)
        }
        _ => false,
    }
}

/// True if a bound is `Fn`, `FnMut` or `FnOnce`.
pub fn calls(bounds: &Punctuated<TypeParamBound, Token![+]>) -> bool {
    bounds.iter().any(|bound| matches!(bound, TypeParamBound::Trait(bound) if bound.path.segments.last().is_some_and(|last| last.ident == "Fn" || last.ident == "FnMut" || last.ident == "FnOnce")))
}

/// Returns the source text of the arguments `<Item = T>` in an iterator's bounds. `None` if no bound is an iterator.
fn iterated(bounds: &Punctuated<TypeParamBound, Token![+]>) -> Option<String> {
    let iterator = bounds.iter().find_map(|bound| match bound {
        TypeParamBound::Trait(bound) => bound.path.segments.last().filter(|last| last.ident.to_string().ends_with("Iterator")),
        _ => None,
    })?;
    Some(show(&iterator.arguments))
}

/// Returns advice about library types that cannot cross to Go in the place `role`: "parameter", "element" or "result".
fn of_path(path: &TypePath, role: &str) -> Option<String> {
    let result = role == "result";
    Some(match name(path)?.as_str() {
        "Vec" if role == "element" => format!("take `rustgo::Slices<'_, {}>`", argument(path)),
        "String" if role == "element" => "take `rustgo::Strs<'_>`".to_owned(),
        "Box" | "Rc" | "Arc" | "Cell" | "RefCell" => {
            "Go's memory holds no Rust pointers; pass the value itself, or make the type a `#[rustgo::object]`".to_owned()
        }
        "Cow" if !result => "take a reference".to_owned(),
        // An `Option` of a handle can cross to Go. Only the compiler knows whether an alias stands for a handle.
        "Option" if optional(path) => return None,
        "Option" if result => {
            "an `Option` gives Go a `bool` as the last result, and cannot be a part of another; return the value and a `bool`".to_owned()
        }
        "Option" => {
            "a parameter can be an `Option` of a reference or a handle; pass the value and a `bool`, or take `Option<&T>`".to_owned()
        }
        "Result" if result => "a `Result` gives Go an `error` as the last result, and cannot be a part of another".to_owned(),
        "Result" => "a parameter cannot be a `Result`; pass the value and a `bool`".to_owned(),
        "HashMap" | "BTreeMap" | "HashSet" | "BTreeSet" => {
            "Rust cannot read or make Go's maps; return an `impl Iterator<Item = (K, V)>`, or take slices".to_owned()
        }
        "str" => "take `&str`".to_owned(),
        wide @ ("u128" | "i128") => format!("Go has no integers of 128 bits; split the `{wide}` in two `u64`"),
        _ => return None,
    })
}

/// Returns advice about types that are not data: functions, `impl Trait`, `dyn Trait` and similar types.
fn of_opaque(ty: &Type) -> Option<String> {
    Some(match ty {
        Type::ImplTrait(implemented) if iterated(&implemented.bounds).is_some() => {
            "Go's iterators are not Rust's; take a slice, a `Vec<T>`, or a `rustgo::Func<'_, fn() -> T>`".to_owned()
        }
        Type::ImplTrait(_) => {
            "`impl Trait` stands for a type that Go cannot know; name the type, such as `&str`, `&[u8]` or an object".to_owned()
        }
        Type::TraitObject(_) => "Go cannot call Rust's trait objects; take the data itself".to_owned(),
        Type::Ptr(_) => "raw pointers carry no promise about what they point to; take `&[T; N]` or `&[T]`".to_owned(),
        Type::Never(_) => "it has no values".to_owned(),
        Type::Infer(_) => "write the type".to_owned(),
        _ => return None,
    })
}

pub fn strip(ty: &Type) -> &Type {
    match ty {
        Type::Paren(inner) => strip(&inner.elem),
        Type::Group(inner) => strip(&inner.elem),
        other => other,
    }
}

/// Returns the name in the last segment of a path.
pub fn name(path: &TypePath) -> Option<String> {
    path.path.segments.last().map(|segment| segment.ident.to_string())
}

/// Returns the source text of the first type argument, such as `T` in `Vec<T>`.
fn argument(path: &TypePath) -> String {
    first_argument(path).map_or_else(|| "T".to_owned(), show)
}

pub fn first_argument(path: &TypePath) -> Option<&Type> {
    let PathArguments::AngleBracketed(arguments) = &path.path.segments.last()?.arguments else { return None };
    arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}

/// Returns the type `T` of `Option<T>`. `None` for other types.
fn inner_of_option(path: &TypePath) -> Option<&Type> {
    let last = path.path.segments.last().filter(|segment| segment.ident == "Option")?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match arguments.args.first() {
        Some(GenericArgument::Type(inner)) => Some(strip(inner)),
        _ => None,
    }
}

/// True if the argument of this `Option` may be a handle. An unknown name may be an alias of a handle.
fn optional(path: &TypePath) -> bool {
    let arguments = path.path.segments.last().map(|segment| &segment.arguments);
    let Some(PathArguments::AngleBracketed(arguments)) = arguments else { return false };
    match arguments.args.first() {
        Some(GenericArgument::Type(Type::Path(inner))) => {
            name(inner).is_some_and(|name| !is_scalar(&name) && name != "String") && of_path(inner, "element").is_none()
        }
        Some(GenericArgument::Type(inner)) => matches!(strip(inner), Type::Macro(_)),
        _ => false,
    }
}

pub fn is_scalar(name: &str) -> bool {
    matches!(name, "u8" | "u16" | "u32" | "u64" | "usize" | "i8" | "i16" | "i32" | "i64" | "isize" | "f32" | "f64" | "bool" | "char")
}
