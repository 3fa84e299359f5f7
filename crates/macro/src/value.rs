//! Expands `#[derive(rustgo::Value)]`: plain data that has the same layout in Go and Rust.

use crate::{declare, doc, function};
use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Error, Fields, Visibility};

pub fn derive(input: TokenStream) -> TokenStream {
    match syn::parse2::<DeriveInput>(input).and_then(|input| generate(&input)) {
        Ok(tokens) => tokens,
        Err(error) => error.to_compile_error(),
    }
}

fn generate(input: &DeriveInput) -> syn::Result<TokenStream> {
    let ident = &input.ident;
    declare::not_object(&input.attrs)?;
    declare::not_generic(&input.generics, "a value in Go's memory")?;
    let go_name = declare::type_name(ident, declare::stated_name(&input.attrs)?)?;
    let declared = declare::declared(ident, &go_name, &input.attrs);
    let element = match &input.data {
        Data::Struct(data) => of_struct(input, &data.fields)?,
        Data::Enum(data) => of_enum(input, &go_name, data)?,
        Data::Union(data) => {
            return Err(Error::new_spanned(data.union_token, "a union cannot be a value in Go's memory: Go has none; write a struct"));
        }
    };
    let deprecated = declare::deprecated(declare::all_attributes(input));
    let plain = function::through(ident, &quote!(::rustgo::Plain), "ASSERTED");
    Ok(quote! {
        #[doc(hidden)]
        #deprecated
        const _: () = {
            #declared
            const _: () = #plain;
            #element
            ::rustgo::__value!(#ident);
        };
    })
}

fn of_struct(input: &DeriveInput, fields: &Fields) -> syn::Result<TokenStream> {
    let ident = &input.ident;
    let Fields::Named(named) = fields else {
        return Err(Error::new_spanned(ident, "the fields of a value in Go's memory need names: write `struct Name { pub x: T }`"));
    };
    let representations = declare::representations(&input.attrs);
    if !representations.iter().any(|word| word == "C" || word == "transparent") {
        return Err(Error::new_spanned(
            ident,
            "Rust may order the fields as it likes, and Go does not: write `#[repr(C)]` above the struct",
        ));
    }
    let mut errors: Option<Error> = None;
    let mut members = Vec::new();
    let mut checks = Vec::new();
    let mut invalid = Vec::new();
    for field in &named.named {
        let Some(name) = &field.ident else { continue };
        let ty = &field.ty;
        let added = member(name, field).map(|go_name| {
            let doc = doc::text(&field.attrs);
            let bound = quote!(::rustgo::Element);
            let ty = function::through(ty, &bound, "It");
            members.push(quote_spanned! {field.ty.span()=> ::rustgo::__private::describe::Member {
                go_name: #go_name,
                doc: #doc,
                offset: ::core::mem::offset_of!(#ident, #name) as ::core::primitive::u64,
                ty: <#ty as #bound>::TYPE,
            } });
            checks.push(quote_spanned!(field.ty.span()=> <#ty as #bound>::valid(&raw const (*__at).#name)));
            invalid.push(quote_spanned!(field.ty.span()=> <#ty as #bound>::INVALID));
        });
        if let Err(error) = added {
            match &mut errors {
                Some(errors) => errors.combine(error),
                None => errors = Some(error),
            }
        }
    }
    if let Some(errors) = errors {
        return Err(errors);
    }
    let layout =
        format!("Go lays out {ident} otherwise than Rust: fields must need no more room and no other alignment than those of Go's struct");
    let fits = quote_spanned! {ident.span()=>
        const _: () = ::core::assert!(::rustgo::__private::fits_value(::core::mem::size_of::<#ident>(), ::core::mem::align_of::<#ident>(), __RUSTGO_MEMBERS), #layout);
    };
    let all = named.named.iter().filter_map(|field| field.ident.as_ref());
    Ok(quote! {
        // An attribute macro between this derive and the struct may have added fields. Then the compiler reports that the pattern lacks fields.
        const _: fn(&#ident) = |#ident { #(#all: _),* }| ();
        const __RUSTGO_MEMBERS: &[::rustgo::__private::describe::Member] = &[#(#members),*];
        #fits

        // SAFETY: the fields have the same types and offsets as in Go (asserted), and each field is checked.
        #[diagnostic::do_not_recommend]
        unsafe impl ::rustgo::Element for #ident {
            type It = Self;
            const TYPE: ::rustgo::__private::describe::Type = ::rustgo::__private::describe::Type::Struct {
                decl: <#ident as ::rustgo::Declared>::DECL,
                size: ::core::mem::size_of::<#ident>() as ::core::primitive::u64,
                align: ::core::mem::align_of::<#ident>() as ::core::primitive::u64,
                fields: __RUSTGO_MEMBERS,
            };
            const INVALID: ::core::option::Option<&'static ::core::primitive::str> = ::rustgo::__private::first(&[#(#invalid),*]);

            unsafe fn valid(__at: *const Self) -> ::core::primitive::bool {
                // SAFETY: the caller promises that `__at` points to the struct, so each field is where its offset states.
                unsafe { let _ = __at; true #(&& #checks)* }
            }
        }
    })
}

/// Returns the Go name of a field. Refuses a field that is not `pub`, because Go can set the field to any value, and a field with `cfg`.
fn member(name: &Ident, field: &syn::Field) -> syn::Result<String> {
    if !matches!(field.vis, Visibility::Public(_)) {
        return Err(Error::new_spanned(
            name,
            format!(
                "Go can set the field `{name}` to anything: make it `pub`, or make the type a `#[rustgo::object]`, whose fields Go does not see"
            ),
        ));
    }
    if let Some(conditional) = field.attrs.iter().find(|attribute| attribute.path().is_ident("cfg")) {
        return Err(Error::new_spanned(conditional, "a field of a value in Go's memory cannot be conditional: write the struct twice"));
    }
    declare::member_name(name, declare::stated_name(&field.attrs)?)
}

const INTEGERS: [&str; 10] = ["u8", "u16", "u32", "u64", "usize", "i8", "i16", "i32", "i64", "isize"];

fn of_enum(input: &DeriveInput, go_name: &str, data: &syn::DataEnum) -> syn::Result<TokenStream> {
    let ident = &input.ident;
    if let Some(variant) = data.variants.iter().find(|variant| !matches!(variant.fields, Fields::Unit)) {
        return Err(Error::new_spanned(
            variant,
            "a variant with fields cannot cross the boundary to Go, which has no such types: write a struct, or derive `rustgo::Error` if it is an error",
        ));
    }
    if data.variants.is_empty() {
        return Err(Error::new_spanned(ident, "an enum without variants has no value that Go could hold"));
    }
    let representations = declare::representations(&input.attrs);
    let Some(base) = INTEGERS.into_iter().find(|integer| representations.iter().any(|word| word == integer)) else {
        return Err(Error::new_spanned(
            ident,
            "an exported enum needs an integer type for its variants: write `#[repr(u8)]`, or another integer type, above it",
        ));
    };
    if representations.iter().any(|word| word.starts_with("align")) {
        return Err(Error::new_spanned(ident, "a Go enum has the alignment of its integer type: leave out `align`"));
    }
    // The full path names the primitive type, even if the author has declared another type with the same name.
    let base = Ident::new(base, ident.span());
    let base = quote_spanned!(ident.span()=> ::core::primitive::#base);
    let mut variants = Vec::new();
    let mut numbers = Vec::new();
    for variant in &data.variants {
        let name = &variant.ident;
        let text = syn::ext::IdentExt::unraw(name).to_string();
        let constant = declare::stated_name(&variant.attrs)?.unwrap_or_else(|| format!("{go_name}{}", crate::name::camel_case(&text)));
        let doc = doc::text(&variant.attrs);
        variants.push(quote!(::rustgo::__private::describe::Variant {
            go_name: #constant,
            name: #text,
            doc: #doc,
            value: #ident::#name as ::core::primitive::i64 as ::core::primitive::u64,
            fields: &[],
        }));
        numbers.push(quote!(#ident::#name as #base));
    }
    let invalid = format!("a number that is no {go_name}");
    Ok(quote! {
        // SAFETY: the type is represented by a number (`repr`), and `valid` refuses numbers that are not a variant.
        #[diagnostic::do_not_recommend]
        unsafe impl ::rustgo::Element for #ident {
            type It = Self;
            const TYPE: ::rustgo::__private::describe::Type =
                ::rustgo::__private::laid_out::<Self>(::rustgo::__private::describe::Type::Enum {
                    decl: <#ident as ::rustgo::Declared>::DECL,
                    base: &<#base as ::rustgo::Element>::TYPE,
                    variants: &[#(#variants),*],
                });
            const INVALID: ::core::option::Option<&'static ::core::primitive::str> = ::core::option::Option::Some(#invalid);

            unsafe fn valid(__at: *const Self) -> ::core::primitive::bool {
                // SAFETY: the caller promises that `__at` points to initialised memory. Every number there is a valid value of the
                // base type.
                let __number = unsafe { __at.cast::<#base>().read() };
                false #(|| __number == #numbers)*
            }
        }
    })
}
