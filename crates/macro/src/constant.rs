//! Expands `#[rustgo::export]` on a constant or static. Go gets a constant or a variable.

use crate::advice::strip;
use crate::{declare, doc, function, name, options};
use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::{Attribute, Error, ItemConst, ItemStatic, StaticMutability, Type};

pub fn constant(arguments: TokenStream, item: &ItemConst) -> syn::Result<TokenStream> {
    if !item.generics.params.is_empty() {
        return Err(Error::new_spanned(&item.generics, "a generic constant cannot be exported"));
    }
    expand(arguments, &item.attrs, &item.ident, &item.ty, false)
}

pub fn variable(arguments: TokenStream, item: &ItemStatic) -> syn::Result<TokenStream> {
    if let StaticMutability::Mut(mutable) = &item.mutability {
        return Err(Error::new_spanned(mutable, "Go gets a copy of the value, which does not change: a `static mut` cannot be exported"));
    }
    expand(arguments, &item.attrs, &item.ident, &item.ty, true)
}

fn expand(arguments: TokenStream, attributes: &[Attribute], ident: &Ident, ty: &Type, variable: bool) -> syn::Result<TokenStream> {
    let options = options::parse(arguments)?;
    let of_functions = options.stack.is_some() || options.blocking.is_some() || options.abandons.is_some() || options.task;
    if options.results.is_some() || of_functions || options.int {
        return Err(Error::new_spanned(ident, "a constant has no option but `name = \"GoName\"`"));
    }
    if ident == "_" {
        return Err(Error::new_spanned(ident, "a constant without a name cannot be exported"));
    }
    let go_name = match &options.name {
        Some(name) => name.value(),
        None => constant_name(&ident.unraw().to_string()),
    };
    if let Some(why) = name::stated_refusal(&go_name) {
        return Err(Error::new_spanned(
            ident,
            format!(
                "`{ident}` gives the Go name `{go_name}`, which cannot be: {why}; state one, as in `#[rustgo::export(name = \"GoName\")]`"
            ),
        ));
    }
    if let (Type::Reference(_), false) = (strip(ty), is_text(ty)) {
        return Err(Error::new_spanned(
            ty,
            "Go gets the value itself: write it without a reference, an array as `[T; N]`; a text is a `&str`",
        ));
    }
    let path_end = ident.unraw().to_string();
    let line = quote_spanned!(ident.span()=> ::core::line!());
    let doc = doc::text(attributes);
    let conditions = attributes.iter().filter(|attribute| attribute.path().is_ident("cfg"));
    let text = is_text(ty);
    let deprecated = declare::deprecated(attributes);
    let (go_type, value) = if text {
        (
            quote!(::rustgo::__private::describe::Type::Basic(::rustgo::__private::Basic::String)),
            quote!(::core::primitive::str::as_bytes(#ident)),
        )
    } else {
        let element = function::through(&function::through(ty, &quote!(::rustgo::Element), "It"), &quote!(::rustgo::Element), "TYPE");
        let known = function::through(ty, &quote!(::rustgo::Element), "It");
        let bytes = quote!(&::rustgo::__private::bytes_of::<#known, { ::core::mem::size_of::<#known>() }>(&#ident));
        (element, bytes)
    };
    Ok(quote! {
        #(#conditions)*
        #[doc(hidden)]
        #deprecated
        const _: () = {
            const __RUSTGO_TYPE: ::rustgo::__private::describe::Type = #go_type;
            ::rustgo::__when_built_by_rustgo! {
                const __RUSTGO_VALUE: &[::core::primitive::u8] = #value;
                const __RUSTGO_CONSTANT: ::rustgo::__private::describe::Constant = ::rustgo::__private::describe::Constant {
                    go_name: #go_name,
                    rust_path: ::core::concat!(::core::module_path!(), "::", #path_end),
                    file: ::core::file!(),
                    line: #line,
                    doc: #doc,
                    ty: __RUSTGO_TYPE,
                    value: __RUSTGO_VALUE,
                    variable: #variable,
                };

                #[used]
                #[cfg_attr(not(target_family = "wasm"), unsafe(link_section = "rustgo_exports"))]
                static __RUSTGO_RECORD: ::rustgo::__private::Record<{ ::rustgo::__private::Describe::padded_len(&::rustgo::__private::Describe::Constant(&__RUSTGO_CONSTANT)) }> =
                    ::rustgo::__private::Record::new(::core::option::Option::None, &::rustgo::__private::Describe::Constant(&__RUSTGO_CONSTANT));
            }
        };
    })
}

fn is_text(ty: &Type) -> bool {
    let Type::Reference(reference) = strip(ty) else { return false };
    matches!(strip(&reference.elem), Type::Path(path) if path.path.is_ident("str")) && reference.mutability.is_none()
}

/// Converts a Rust constant's name to a Go name: `MAX_LEN` → `MaxLen`, `BASE_URL` → `BaseURL`.
fn constant_name(rust: &str) -> String {
    let upper = rust.chars().all(|c| !c.is_lowercase());
    name::camel_case(&if upper { rust.to_lowercase() } else { rust.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::constant_name;

    #[test]
    fn constants_have_names_as_go_has_them() {
        for (rust, go) in
            [("MAX", "Max"), ("MAX_LEN", "MaxLen"), ("BASE_URL", "BaseURL"), ("SHA3_256", "Sha3256"), ("Mixed_case", "MixedCase")]
        {
            assert_eq!(constant_name(rust), go);
        }
    }
}
