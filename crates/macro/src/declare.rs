//! What types that the Go package declares have in common: their name, what is known of them, and the names of their parts.

use crate::{doc, name};
use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::{Attribute, Error, Expr, ExprLit, Generics, Lit, Meta};

/// The name that `#[rustgo(name = "…")]` states, if it does.
pub fn stated_name(attributes: &[Attribute]) -> syn::Result<Option<String>> {
    let mut stated = None;
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("rustgo")) {
        let option: Meta = attribute.parse_args()?;
        match &option {
            Meta::NameValue(pair) if pair.path.is_ident("name") => match &pair.value {
                Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => {
                    if let Some(why) = name::stated_refusal(&text.value()) {
                        return Err(Error::new_spanned(text, format!("`{}` cannot be a name in Go: {why}", text.value())));
                    }
                    stated = Some(text.value());
                }
                other => return Err(Error::new_spanned(other, "expected a name in quotes, as in `#[rustgo(name = \"GoName\")]`")),
            },
            other => return Err(Error::new_spanned(other, "unknown option; there is `#[rustgo(name = \"GoName\")]`")),
        }
    }
    Ok(stated)
}

/// The name in Go of a field.
pub fn member_name(ident: &Ident, attributes: &[Attribute]) -> syn::Result<String> {
    let go_name = match stated_name(attributes)? {
        Some(name) => name,
        None => name::camel_case(&ident.unraw().to_string()),
    };
    match name::refusal(&go_name) {
        None => Ok(go_name),
        Some(why) => Err(Error::new_spanned(
            ident,
            format!("`{ident}` gives the Go name `{go_name}`, which cannot be: {why}; state one, as in `#[rustgo(name = \"GoName\")]`"),
        )),
    }
}

/// The name in Go of a type.
pub fn type_name(ident: &Ident, stated: Option<String>) -> syn::Result<String> {
    let go_name = stated.unwrap_or_else(|| name::camel_case(&ident.unraw().to_string()));
    match name::stated_refusal(&go_name) {
        None => Ok(go_name),
        Some(why) => Err(Error::new_spanned(ident, format!("`{ident}` gives the Go name `{go_name}`, which cannot be: {why}"))),
    }
}

/// The implementation of `Declared`.
pub fn declared(ident: &Ident, go_name: &str, attributes: &[Attribute]) -> TokenStream {
    let path_end = ident.unraw().to_string();
    let line = quote_spanned!(ident.span()=> ::core::line!());
    let doc = doc::text(attributes);
    quote! {
        #[diagnostic::do_not_recommend]
        impl ::rustgo::Declared for #ident {
            type It = Self;
            const GO_NAME: &'static ::core::primitive::str = #go_name;
            const DECL: ::rustgo::__private::describe::Decl = ::rustgo::__private::describe::Decl {
                go_name: #go_name,
                rust_path: ::core::concat!(::core::module_path!(), "::", #path_end),
                file: ::core::file!(),
                line: #line,
                doc: #doc,
            };
        }
    }
}

/// Refuses parameters of a type.
pub fn not_generic(generics: &Generics, what: &str) -> syn::Result<()> {
    match generics.lifetimes().next() {
        Some(lifetime) => {
            Err(Error::new_spanned(lifetime, format!("{what} cannot borrow: nobody knows how long Go keeps it; have it own what it holds")))
        }
        None if generics.params.is_empty() && generics.where_clause.is_none() => Ok(()),
        None => Err(Error::new_spanned(
            generics,
            format!("{what} cannot be generic: Go has one type; write a struct around each that you need"),
        )),
    }
}

/// The arguments of `#[repr(…)]`.
pub fn representations(attributes: &[Attribute]) -> Vec<String> {
    let lists = attributes.iter().filter(|attribute| attribute.path().is_ident("repr")).filter_map(|attribute| match &attribute.meta {
        Meta::List(list) => Some(list.tokens.to_string()),
        _ => None,
    });
    lists.flat_map(|list| list.split(',').map(|part| part.trim().to_owned()).collect::<Vec<_>>()).collect()
}
