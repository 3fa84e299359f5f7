//! What the syntax of a function alone shows that cannot cross the border, each with what to write instead.
//!
//! Types that only the compiler can judge (aliases, the author's own types) pass here; the traits of the support crate
//! judge them.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Error, FnArg, GenericArgument, ItemFn, Pat, PathArguments, ReturnType, Type, TypePath, TypeReference};

/// A parameter: its name, and its type as it was written.
pub struct Parameter<'a> {
    pub name: &'a Ident,
    pub ty: &'a Type,
}

/// The parameters of a function that has nothing that can be refused by its syntax; else every refusal.
pub fn check(function: &ItemFn) -> syn::Result<Vec<Parameter<'_>>> {
    let mut refusals = Refusals::default();
    refusals.function(function);
    let parameters = function.sig.inputs.iter().filter_map(|input| refusals.parameter(input)).collect();
    if let ReturnType::Type(_, ty) = &function.sig.output {
        refusals.result(ty);
    }
    match refusals.0 {
        None => Ok(parameters),
        Some(error) => Err(error),
    }
}

/// Does a type name a lifetime other than `'static` and `'_`?
pub fn names_a_lifetime(function: &ItemFn) -> bool {
    fn named(tokens: TokenStream) -> bool {
        let mut quoted = false;
        tokens.into_iter().any(|token| match token {
            TokenTree::Group(group) => named(group.stream()),
            TokenTree::Punct(punct) => {
                quoted = punct.as_char() == '\'';
                false
            }
            TokenTree::Ident(name) => std::mem::take(&mut quoted) && name != "static" && name != "_",
            TokenTree::Literal(_) => false,
        })
    }
    named(function.sig.inputs.to_token_stream()) || named(function.sig.output.to_token_stream())
}

/// The type as an author would write it.
fn show(ty: &impl ToTokens) -> String {
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

#[derive(Default)]
struct Refusals(Option<Error>);

impl Refusals {
    fn add(&mut self, tokens: &impl ToTokens, message: impl std::fmt::Display) {
        let error = Error::new_spanned(tokens, message);
        match &mut self.0 {
            Some(first) => first.combine(error),
            None => self.0 = Some(error),
        }
    }

    fn function(&mut self, function: &ItemFn) {
        let signature = &function.sig;
        if let Some(unsafety) = &signature.unsafety {
            self.add(
                unsafety,
                "an exported function must be safe: Go code cannot promise what an `unsafe fn` asks for; check it, and panic",
            );
        }
        if let Some(asyncness) = &signature.asyncness {
            self.add(
                asyncness,
                "an exported function cannot be `async`: Go calls it and waits; Go's concurrency is the goroutine that calls",
            );
        }
        if let Some(abi) = &signature.abi {
            self.add(abi, "an exported function needs no `extern`: the attribute makes what Go calls");
        }
        if let Some(variadic) = &signature.variadic {
            self.add(variadic, "an exported function cannot be variadic; take a slice");
        }
        for parameter in &signature.generics.params {
            match parameter {
                syn::GenericParam::Lifetime(lifetime) => self.add(
                    lifetime,
                    format!("leave out the lifetime `{}`: every reference is borrowed for the call, and no result can borrow from one yet", lifetime.lifetime),
                ),
                syn::GenericParam::Type(ty) => {
                    self.add(ty, format!("an exported function cannot be generic over `{}`: Go calls one function; export one for each type", ty.ident));
                }
                syn::GenericParam::Const(constant) => self.add(
                    constant,
                    format!("an exported function cannot be generic over `{}`: Go calls one function; take a slice, or export one for each value", constant.ident),
                ),
            }
        }
        if let (true, Some(clause)) = (signature.generics.params.is_empty(), &signature.generics.where_clause) {
            self.add(clause, "an exported function cannot have a `where` clause");
        }
        for attribute in &function.attrs {
            if attribute.path().is_ident("target_feature") {
                self.add(
                    attribute,
                    "an exported function cannot demand CPU features: its caller in Go cannot see to them; detect them inside, or build for a CPU level",
                );
            }
        }
    }

    fn parameter<'a>(&mut self, input: &'a FnArg) -> Option<Parameter<'a>> {
        let input = match input {
            FnArg::Receiver(receiver) => {
                self.add(receiver, "an exported function cannot take `self`: export a free function");
                return None;
            }
            FnArg::Typed(input) => input,
        };
        for attribute in &input.attrs {
            if attribute.path().is_ident("cfg") || attribute.path().is_ident("cfg_attr") {
                self.add(attribute, "a parameter of an exported function cannot be conditional: write the function twice");
            }
        }
        let name = match &*input.pat {
            Pat::Ident(pattern) if pattern.by_ref.is_none() && pattern.subpat.is_none() => &pattern.ident,
            pattern => {
                self.add(pattern, "a parameter of an exported function needs a plain name: Go's documentation and the panics show it");
                return None;
            }
        };
        if let Some((part, advice)) = parameter_advice(&input.ty) {
            self.add(&part, format!("parameter `{name}` of type `{}` cannot cross the border to Go: {advice}", show(&input.ty)));
            return None;
        }
        Some(Parameter { name, ty: &input.ty })
    }

    fn result(&mut self, ty: &Type) {
        if let Some((part, advice)) = result_advice(ty) {
            self.add(&part, format!("the result of type `{}` cannot cross the border to Go: {advice}", show(ty)));
        }
    }
}

/// The offending part of a type, and what to write instead.
type Advice = (TokenStream, String);

/// Why a type cannot be that of a parameter, where its syntax shows it.
fn parameter_advice(ty: &Type) -> Option<Advice> {
    let advice = match ty {
        Type::Paren(inner) => return parameter_advice(&inner.elem),
        Type::Group(inner) => return parameter_advice(&inner.elem),
        Type::Reference(reference) => return reference_advice(reference),
        Type::Path(path) => match inner_of_option(path) {
            Some(Type::Reference(reference)) => match strip(&reference.elem) {
                Type::Slice(_) => format!("Go's nil slice is the empty slice; take `{}`", show(reference)),
                Type::Path(text) if name(text).as_deref() == Some("str") => "Go's strings are never nil; take `&str`".to_owned(),
                _ => return reference_advice(reference),
            },
            _ => return path_advice(path, "parameter").map(|advice| (ty.to_token_stream(), advice)),
        },
        Type::Array(array) => format!("take `&{}`", show(array)),
        Type::Slice(slice) => format!("take `&{}`", show(slice)),
        Type::Tuple(_) => "take each part as a parameter of its own".to_owned(),
        other => opaque_advice(other)?,
    };
    Some((ty.to_token_stream(), advice))
}

/// The same for a reference.
fn reference_advice(reference: &TypeReference) -> Option<Advice> {
    if let Some(lifetime) = &reference.lifetime
        && lifetime.ident == "static"
    {
        return Some((
            lifetime.to_token_stream(),
            "what Go passes is borrowed for the call only; leave out `'static`, and copy what must stay".to_owned(),
        ));
    }
    let mutable = if reference.mutability.is_some() { "mut " } else { "" };
    let target = strip(&reference.elem);
    let advice = match target {
        Type::Array(array) => return element_advice(&array.elem),
        Type::Slice(slice) => return element_advice(&slice.elem),
        Type::Path(path) => match name(path).as_deref() {
            Some("Handle") => return None,
            Some("Option") if optional(path) => return None,
            Some("str") if reference.mutability.is_none() => return None,
            Some("str") => "Go's strings never change; take `&mut [u8]`".to_owned(),
            Some("Vec") => format!("take `&{mutable}[{}]`", argument(path)),
            Some("String") => "take `&str`".to_owned(),
            Some("Box" | "Rc" | "Arc") => format!("take `&{mutable}{}`", argument(path)),
            Some("Option") => "what a Go pointer leads to has no room for `None`; take an `Option` of a reference".to_owned(),
            _ => path_advice(path, "parameter")?,
        },
        Type::Reference(_) => "Go has no counterpart for a reference to a reference that Rust could trust; take the inner one".to_owned(),
        Type::Tuple(_) => "Go cannot see Rust's tuples; take each part as a parameter of its own".to_owned(),
        other => opaque_advice(other)?,
    };
    Some((target.to_token_stream(), advice))
}

/// The same for what a slice or array holds.
fn element_advice(ty: &Type) -> Option<Advice> {
    const POSSIBLE: &str = "elements can be integers of up to 64 bits, `f32`, `f64`, `bool`, `char`, handles, and arrays of them";
    let ty = strip(ty);
    match ty {
        Type::Array(array) => element_advice(&array.elem),
        Type::Path(path) => {
            let refused = path_advice(path, "element").is_some() || name(path).is_some_and(|name| name == "str");
            refused.then(|| (ty.to_token_stream(), POSSIBLE.to_owned()))
        }
        Type::Macro(_) | Type::Verbatim(_) => None,
        _ => Some((ty.to_token_stream(), POSSIBLE.to_owned())),
    }
}

/// Why a type cannot be that of a result, where its syntax shows it.
fn result_advice(ty: &Type) -> Option<Advice> {
    const POSSIBLE: &str = "each of several results can be an integer of up to 64 bits, `f32`, `f64`, `bool`, `char` or a handle";
    let advice = match ty {
        Type::Paren(inner) => return result_advice(&inner.elem),
        Type::Group(inner) => return result_advice(&inner.elem),
        Type::Never(_) => "a function that never returns has nothing to give to Go; return `()`".to_owned(),
        Type::Reference(_) => "a result cannot be a reference yet; write to a `&mut` parameter, or return an index".to_owned(),
        Type::Array(array) => format!("write it to a parameter, `&mut {}`", show(array)),
        Type::Tuple(tuple) if tuple.elems.len() > 8 => "it has more than eight parts; write to a `&mut` parameter".to_owned(),
        Type::Tuple(tuple) => {
            return tuple.elems.iter().find_map(|part| match strip(part) {
                Type::Path(path) => path_advice(path, "result").map(|_| (part.to_token_stream(), POSSIBLE.to_owned())),
                Type::Macro(_) | Type::Verbatim(_) => None,
                _ => Some((part.to_token_stream(), POSSIBLE.to_owned())),
            });
        }
        Type::Ptr(_) => "a pointer into Rust's memory means nothing to Go; write to a `&mut` parameter".to_owned(),
        Type::Path(path) => match inner_of_option(path) {
            Some(Type::Tuple(tuple)) if !tuple.elems.is_empty() => return result_advice(&Type::Tuple(tuple.clone())),
            Some(Type::Path(inner)) if name(inner).is_some_and(|name| is_scalar(&name)) => return None,
            _ => path_advice(path, "result")?,
        },
        other => opaque_advice(other)?,
    };
    Some((ty.to_token_stream(), advice))
}

/// Advice about the well-known types that have no place in Go's memory.
fn path_advice(path: &TypePath, role: &str) -> Option<String> {
    let result = role == "result";
    Some(match name(path)?.as_str() {
        "Vec" if result => {
            format!("Go owns the memory; write to a parameter, `&mut [{}]`, and return the number of elements", argument(path))
        }
        "Vec" => format!("Go owns the memory; take `&[{}]`", argument(path)),
        "String" if result => "Go owns the memory; write to a parameter, `&mut [u8]`, and return the length".to_owned(),
        "String" => "Go owns the memory; take `&str`".to_owned(),
        "Box" | "Rc" | "Arc" | "Cow" | "Cell" | "RefCell" => "Go's memory holds no Rust pointers; pass the value itself".to_owned(),
        // An `Option` of a handle is one; of what has an alias, the compiler knows.
        "Option" if optional(path) => return None,
        "Option" if result => {
            "a result can be an `Option` of a number, `bool`, `char` or handle, or of a tuple of them; return the value and a `bool`"
                .to_owned()
        }
        "Option" => {
            "a parameter can be an `Option` of a reference or a handle; pass the value and a `bool`, or take `Option<&T>`".to_owned()
        }
        "Result" if result => "a result cannot be a `Result` yet; return a code or a `bool`, or panic".to_owned(),
        "Result" => "a parameter cannot be a `Result` yet; pass the value and a `bool`".to_owned(),
        "str" => "take `&str`".to_owned(),
        wide @ ("u128" | "i128") => format!("Go has no integers of 128 bits; split the `{wide}` in two `u64`"),
        _ => return None,
    })
}

/// Advice about what is no type of data.
fn opaque_advice(ty: &Type) -> Option<String> {
    Some(match ty {
        Type::ImplTrait(_) => "`impl Trait` stands for a type that Go cannot know; name the type".to_owned(),
        Type::TraitObject(_) => "Go cannot call Rust's trait objects; take the data itself".to_owned(),
        Type::BareFn(_) => "functions cannot cross yet".to_owned(),
        Type::Ptr(_) => "raw pointers carry no promise about what they point to; take `&[T; N]` or `&[T]`".to_owned(),
        Type::Never(_) => "it has no values".to_owned(),
        Type::Infer(_) => "write the type".to_owned(),
        _ => return None,
    })
}

fn strip(ty: &Type) -> &Type {
    match ty {
        Type::Paren(inner) => strip(&inner.elem),
        Type::Group(inner) => strip(&inner.elem),
        other => other,
    }
}

/// The last part of a path.
fn name(path: &TypePath) -> Option<String> {
    path.path.segments.last().map(|segment| segment.ident.to_string())
}

/// The `T` of `Vec<T>`.
fn argument(path: &TypePath) -> String {
    let arguments = path.path.segments.last().map(|segment| &segment.arguments);
    if let Some(PathArguments::AngleBracketed(arguments)) = arguments
        && let Some(GenericArgument::Type(ty)) = arguments.args.first()
    {
        return show(ty);
    }
    "T".to_owned()
}

/// The `T` of `Option<T>`.
fn inner_of_option(path: &TypePath) -> Option<&Type> {
    let last = path.path.segments.last().filter(|segment| segment.ident == "Option")?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match arguments.args.first() {
        Some(GenericArgument::Type(inner)) => Some(strip(inner)),
        _ => None,
    }
}

/// Can it be an `Option` of a handle, by its syntax?
fn optional(path: &TypePath) -> bool {
    let arguments = path.path.segments.last().map(|segment| &segment.arguments);
    let Some(PathArguments::AngleBracketed(arguments)) = arguments else { return false };
    match arguments.args.first() {
        Some(GenericArgument::Type(Type::Path(inner))) => {
            name(inner).is_some_and(|name| !is_scalar(&name) && name != "String") && path_advice(inner, "element").is_none()
        }
        Some(GenericArgument::Type(inner)) => matches!(strip(inner), Type::Macro(_)),
        _ => false,
    }
}

fn is_scalar(name: &str) -> bool {
    matches!(name, "u8" | "u16" | "u32" | "u64" | "usize" | "i8" | "i16" | "i32" | "i64" | "isize" | "f32" | "f64" | "bool" | "char")
}
