//! Expands `#[rustgo::go_type]` on an enum: generates the implementation of the support crate's trait `GoType`.

use crate::declare;
use crate::name::in_identifier;
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use rustgo_schema::GoType;
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Attribute, Error, Item, ItemEnum, LitStr};

const ENUM: &str = "only an enum without variants can name a Go type, because Rust never has a value of it: `enum Name {}`";

pub fn go_type(arguments: TokenStream, item: TokenStream) -> TokenStream {
    match generate(arguments, &item) {
        Ok(added) => quote!(#item #added),
        Err(error) => {
            let error = error.to_compile_error();
            quote!(#item #error)
        }
    }
}

fn generate(arguments: TokenStream, item: &TokenStream) -> syn::Result<TokenStream> {
    let marker = match syn::parse2::<Item>(item.clone())? {
        Item::Enum(marker) if marker.variants.is_empty() => marker,
        Item::Enum(marker) => return Err(Error::new_spanned(marker.variants, ENUM)),
        other => return Err(Error::new(first_token(&other), ENUM)),
    };
    if !marker.generics.params.is_empty() || marker.generics.where_clause.is_some() {
        let advice = "an enum that names a Go type cannot be generic, because a handle stands for a value of one type: declare an enum for each type";
        return Err(Error::new_spanned(&marker.generics, advice));
    }
    let name = name(arguments, &marker)?;
    let ident = &marker.ident;
    let conditions = marker.attrs.iter().filter(|attribute: &&Attribute| attribute.path().is_ident("cfg"));
    let deprecated = declare::deprecated(&marker.attrs);
    Ok(quote! {
        #(#conditions)*
        #deprecated
        #[diagnostic::do_not_recommend]
        impl ::rustgo::GoType for #ident {
            type It = Self;
            const NAME: &'static ::core::primitive::str = #name;
        }
    })
}

fn first_token(item: &Item) -> Span {
    item.to_token_stream().into_iter().next().map_or_else(Span::call_site, |token| token.span())
}

/// Returns the name of the Go type: the attribute's text or, without a text, the enum's name. The enum's name stands for a type of the generated Go
/// package.
fn name(arguments: TokenStream, marker: &ItemEnum) -> syn::Result<String> {
    let (name, span) = if arguments.is_empty() {
        (marker.ident.unraw().to_string(), marker.ident.span())
    } else {
        let literal: LitStr = syn::parse2(arguments.clone()).map_err(|_| {
            Error::new(arguments.span(), "expected the name of a Go type in quotes, as in `#[rustgo::go_type(\"net.Conn\")]`")
        })?;
        (literal.value(), literal.span())
    };
    match parse(&name) {
        Ok(()) => Ok(name),
        Err(why) => Err(Error::new(span, format!("the Go type `{name}` cannot be named: {why}"))),
    }
}

/// Checks the full name of a Go type.
///
/// # Errors
/// The reason why the type cannot be named, as a text that completes the sentence "cannot be named: ".
pub fn parse(name: &str) -> Result<(), &'static str> {
    let ty = GoType::parse(name)?;
    if ty.name.chars().all(in_identifier) { Ok(()) } else { Err("it is not made of letters, digits and underscores") }
}
