//! Code shared by the macros for types that the Go package declares (values, errors, objects): the types' Go names, their descriptions, and the Go
//! names of their fields and variants.

use crate::{doc, name, options};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::punctuated::Punctuated;
use syn::visit::Visit;
use syn::{Attribute, DeriveInput, Error, Expr, ExprLit, Generics, Lit, Meta, Token};

/// The options of a `#[rustgo(…)]` attribute on a type, variant or field.
#[derive(Default)]
pub struct Stated {
    /// The name in Go. `None` if the attribute states no name.
    pub name: Option<String>,
    /// True if `usize` in the type becomes Go's `int`.
    pub int: bool,
    /// True if the field is left out in Go.
    pub skip: bool,
}

/// The option besides `name` that `#[rustgo(…)]` may have on a certain kind of item.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Besides {
    Nothing,
    Int,
    Skip,
}

/// Reads the options of all `#[rustgo(…)]` attributes in the list. Refuses options other than `name` and `besides`.
pub fn stated(attributes: &[Attribute], besides: Besides) -> syn::Result<Stated> {
    let mut stated = Stated::default();
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("rustgo")) {
        for option in attribute.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated)? {
            match &option {
                Meta::NameValue(pair) if pair.path.is_ident("name") => match &pair.value {
                    Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => {
                        if let Some(why) = name::stated_refusal(&text.value()) {
                            return Err(Error::new_spanned(text, format!("`{}` cannot be a name in Go: {why}", text.value())));
                        }
                        stated.name = Some(text.value());
                    }
                    other => return Err(Error::new_spanned(other, "expected a name in quotes, as in `#[rustgo(name = \"GoName\")]`")),
                },
                Meta::NameValue(pair) if besides == Besides::Int && pair.path.is_ident("int") => match &pair.value {
                    Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) if text.value() == "usize" => stated.int = true,
                    other => return Err(Error::new_spanned(other, options::ONLY_USIZE)),
                },
                Meta::Path(path) if besides == Besides::Skip && path.is_ident("skip") => stated.skip = true,
                other => {
                    let besides = match besides {
                        Besides::Nothing => "",
                        Besides::Int => ", and `#[rustgo(int = \"usize\")]`",
                        Besides::Skip => ", and `#[rustgo(skip)]`",
                    };
                    return Err(Error::new_spanned(other, format!("unknown option; there is `#[rustgo(name = \"GoName\")]`{besides}")));
                }
            }
        }
    }
    Ok(stated)
}

/// Reads the name from `#[rustgo(name = "…")]`. Refuses other options.
pub fn stated_name(attributes: &[Attribute]) -> syn::Result<Option<String>> {
    stated(attributes, Besides::Nothing).map(|stated| stated.name)
}

/// Returns the Go name of a field or method: the name in the attribute, or a name derived from the Rust name.
pub fn member_name(ident: &Ident, stated: Option<String>) -> syn::Result<String> {
    let go_name = match stated {
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

/// Returns the Go name of a type: the name in the attribute, or a name derived from the Rust name.
pub fn type_name(ident: &Ident, stated: Option<String>) -> syn::Result<String> {
    let go_name = stated.unwrap_or_else(|| name::camel_case(&ident.unraw().to_string()));
    match name::stated_refusal(&go_name) {
        None => Ok(go_name),
        Some(why) => Err(Error::new_spanned(ident, format!("`{ident}` gives the Go name `{go_name}`, which cannot be: {why}"))),
    }
}

/// Generates the implementation of the trait `Declared`, which describes the type.
pub fn declared(ident: &Ident, go_name: &str, attributes: &[Attribute]) -> TokenStream {
    let description = description(ident, go_name, attributes);
    quote! {
        #[diagnostic::do_not_recommend]
        impl ::rustgo::Declared for #ident {
            type It = Self;
            const GO_NAME: &'static ::core::primitive::str = #go_name;
            const DECL: ::rustgo::__private::describe::Decl = #description;
        }
    }
}

/// Generates the description of a declaration, an expression of the type `Decl`.
pub fn description(ident: &Ident, go_name: &str, attributes: &[Attribute]) -> TokenStream {
    let path_end = ident.unraw().to_string();
    let line = quote_spanned!(ident.span()=> ::core::line!());
    let doc = doc::text(attributes);
    quote! {
        ::rustgo::__private::describe::Decl {
            go_name: #go_name,
            rust_path: ::core::concat!(::core::module_path!(), "::", #path_end),
            file: ::core::file!(),
            line: #line,
            doc: #doc,
        }
    }
}

/// Generates `allow(deprecated)` for the generated code if the item or a part of it is deprecated, or if the author allows deprecated items. In all
/// other cases it generates nothing, because the author may forbid `allow` attributes.
pub fn deprecated<'a>(attributes: impl IntoIterator<Item = &'a Attribute>) -> Option<TokenStream> {
    let concerns = |attribute: &Attribute| match &attribute.meta {
        meta if meta.path().is_ident("deprecated") => true,
        Meta::List(list) if list.path.is_ident("allow") || list.path.is_ident("expect") => list
            .parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated)
            .is_ok_and(|lints| lints.iter().any(|lint| lint.path().is_ident("deprecated"))),
        _ => false,
    };
    attributes.into_iter().any(concerns).then(|| quote!(#[allow(deprecated)]))
}

/// Returns all attributes of a type, its variants and its fields.
pub fn all_attributes(item: &DeriveInput) -> Vec<&Attribute> {
    struct All<'a>(Vec<&'a Attribute>);
    impl<'a> Visit<'a> for All<'a> {
        fn visit_attribute(&mut self, attribute: &'a Attribute) {
            self.0.push(attribute);
        }
    }
    let mut all = All(Vec::new());
    all.visit_derive_input(item);
    all.0
}

/// Generates the marker attribute that `#[rustgo::object]` adds to a type. The marker tells the derives of values and errors that the type is an
/// object. The marker is a tool attribute, so the compiler and other derives ignore it.
pub fn mark_of_object() -> TokenStream {
    quote!(#[rustfmt::rustgo_object])
}

/// Refuses to derive a value or an error for an object. If `#[rustgo::object]` stands below `derive`, the derive expands first, before the marker is
/// added. So this function also recognises `#[rustgo::object]`.
pub fn not_object(attributes: &[Attribute]) -> syn::Result<()> {
    let is_object = |attribute: &Attribute| {
        let names: Vec<String> = attribute.path().segments.iter().map(|segment| segment.ident.to_string()).collect();
        matches!(
            names.iter().map(String::as_str).collect::<Vec<_>>().as_slice(),
            ["rustfmt", "rustgo_object"] | ["rustgo", "object"] | ["object"]
        )
    };
    if attributes.iter().any(is_object) {
        return Err(Error::new(
            Span::call_site(),
            "a type is an object, plain data or an error, and not two of these: remove the object attribute or the derive",
        ));
    }
    Ok(())
}

/// Refuses a type with generic parameters, lifetimes or a `where` clause. `what` names the type in the error.
pub fn not_generic(generics: &Generics, what: &str) -> syn::Result<()> {
    match generics.lifetimes().next() {
        Some(lifetime) => {
            Err(Error::new_spanned(lifetime, format!("{what} cannot borrow, because Go may keep it for any time; let it own its data")))
        }
        None if generics.params.is_empty() && generics.where_clause.is_none() => Ok(()),
        None => Err(Error::new_spanned(
            generics,
            format!("{what} cannot be generic: Go has one type; write a struct around each that you need"),
        )),
    }
}

/// Returns the arguments of all `#[repr(…)]` attributes.
pub fn representations(attributes: &[Attribute]) -> Vec<String> {
    let lists = attributes.iter().filter(|attribute| attribute.path().is_ident("repr")).filter_map(|attribute| match &attribute.meta {
        Meta::List(list) => Some(list.tokens.to_string()),
        _ => None,
    });
    lists.flat_map(|list| list.split(',').map(|part| part.trim().to_owned()).collect::<Vec<_>>()).collect()
}
