//! Expands `#[derive(rustgo::Error)]`: makes a Go error type from a Rust error type.

use crate::declare::{self, Besides};
use crate::{doc, function};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::{Attribute, Data, DeriveInput, Error, Field, Fields, Index, Member};

pub fn derive(input: TokenStream) -> TokenStream {
    match syn::parse2::<DeriveInput>(input).and_then(|input| generate(&input)) {
        Ok(tokens) => tokens,
        Err(error) => error.to_compile_error(),
    }
}

/// A variant of an error enum, or an error struct.
struct Case<'a> {
    ident: &'a Ident,
    go_name: String,
    attributes: &'a [Attribute],
    fields: Vec<Part<'a>>,
    /// The fields that are left out in Go.
    left_out: Vec<Member>,
}

/// A field that becomes a field of the Go type.
struct Part<'a> {
    field: &'a Field,
    name: Ident,
    go_name: String,
    /// The field's name in the generated struct `__RustgoRaw`, which has the fields of all variants.
    raw: Ident,
    /// True if a `usize` in the field becomes Go's `int`.
    int: bool,
}

fn generate(input: &DeriveInput) -> syn::Result<TokenStream> {
    let ident = &input.ident;
    declare::not_object(&input.attrs)?;
    declare::not_generic(&input.generics, "an error")?;
    if declare::representations(&input.attrs).iter().any(|word| word.starts_with("packed")) {
        return Err(Error::new_spanned(
            ident,
            "an error cannot be packed, since its fields are taken out by reference: leave out `packed`, which saves nothing in Go",
        ));
    }
    let stated = declare::stated(&input.attrs, Besides::Int)?;
    let go_name = declare::type_name(ident, stated.name)?;
    let declared = declare::declared(ident, &go_name, &input.attrs);
    let (single, mut cases) = match &input.data {
        Data::Struct(data) => (true, vec![case(ident, go_name.clone(), &input.attrs, &data.fields, 0)?]),
        Data::Enum(data) => {
            let cases = data.variants.iter().enumerate().map(|(index, variant)| {
                let own = crate::name::camel_case(&variant.ident.unraw().to_string());
                let name = declare::stated_name(&variant.attrs)?.unwrap_or_else(|| format!("{go_name}{own}"));
                case(&variant.ident, name, &variant.attrs, &variant.fields, index)
            });
            (false, cases.collect::<syn::Result<Vec<_>>>()?)
        }
        Data::Union(data) => return Err(Error::new_spanned(data.union_token, "a union cannot be an error: write a struct or an enum")),
    };
    if cases.is_empty() {
        return Err(Error::new_spanned(ident, "an enum without variants has no error that Go could get"));
    }
    cases.iter_mut().flat_map(|case| &mut case.fields).for_each(|part| part.int = stated.int);
    // A field that is left out in Go usually contains the error's source. Go gets the texts of the sources through `errors.Unwrap`.
    let sourced = cases.iter().any(|case| !case.left_out.is_empty());
    let named = |name: &str| cases.iter().flat_map(|case| &case.fields).find(|part| part.go_name == name).map(|part| &part.name);
    for method in ["Error", "Is", "Unwrap"].into_iter().filter(|method| *method != "Unwrap" || sourced) {
        if let Some(field) = named(method) {
            return Err(Error::new_spanned(
                field,
                format!("Go's errors have a method `{method}`: state another name, as in `#[rustgo(name = \"GoName\")]`"),
            ));
        }
    }
    let deprecated = declare::deprecated(declare::all_attributes(input));
    let displayed = function::through(ident, &quote!(::rustgo::Displayed), "ASSERTED");
    let implementation = if !single && !sourced && cases.iter().all(|case| case.fields.is_empty()) {
        numbered(ident, &cases)
    } else {
        with_fields(ident, single, sourced, &cases)
    };
    Ok(quote! {
        #[doc(hidden)]
        #deprecated
        const _: () = {
            #declared
            const _: () = #displayed;
            #implementation
        };
    })
}

fn case<'a>(ident: &'a Ident, go_name: String, attributes: &'a [Attribute], fields: &'a Fields, index: usize) -> syn::Result<Case<'a>> {
    let mut parts = Vec::new();
    let mut left_out = Vec::new();
    for (at, field) in fields.iter().enumerate() {
        let stated = declare::stated(&field.attrs, Besides::Skip)?;
        if stated.skip || is_source(field) {
            left_out.push(field.ident.clone().map_or_else(|| Member::Unnamed(Index::from(at)), Member::Named));
            continue;
        }
        let Some(name) = field.ident.clone() else {
            return Err(Error::new_spanned(
                field,
                "the fields of an error need names, because the fields in Go have them: write `Variant { at: usize }`; or leave the field out in Go, by `#[rustgo(skip)]`",
            ));
        };
        let go_name = declare::member_name(&name, stated.name)?;
        parts.push(Part { field, name, go_name, raw: format_ident!("__field_{index}_{at}"), int: false });
    }
    Ok(Case { ident, go_name, attributes, fields: parts, left_out })
}

/// True if thiserror uses the field as the error's source or backtrace. Such a field cannot cross to Go.
fn is_source(field: &Field) -> bool {
    field.attrs.iter().any(|attribute| ["source", "from", "backtrace"].iter().any(|name| attribute.path().is_ident(name)))
}

/// Generates the descriptions of the cases. `offset` returns an expression for a field's offset. `sources` is the description of the field with the
/// texts of the error's sources, or empty.
fn variants(cases: &[Case<'_>], sources: &TokenStream, offset: &dyn Fn(&Part<'_>) -> TokenStream) -> Vec<TokenStream> {
    let variant = |(index, case): (usize, &Case<'_>)| {
        let (go_name, text, doc) = (&case.go_name, case.ident.unraw().to_string(), doc::text(case.attributes));
        let number = index as u64 + 1;
        let members = case.fields.iter().map(|part| {
            let (go_name, doc, offset) = (&part.go_name, doc::text(&part.field.attrs), offset(part));
            let ty = output(part, "TYPE");
            quote!(::rustgo::__private::describe::Member { go_name: #go_name, doc: #doc, offset: #offset, ty: #ty },)
        });
        quote!(::rustgo::__private::describe::Variant { go_name: #go_name, name: #text, doc: #doc, value: #number, fields: &[#(#members)* #sources] })
    };
    cases.iter().enumerate().map(variant).collect()
}

/// Generates `<TYPE as Output>::ITEM` for a field. The mode `COPIED` (or `COPIED_INT`) copies the memory to which the field's references point,
/// because the Go error outlives the call.
fn output(part: &Part<'_>, item: &str) -> TokenStream {
    let mode = if part.int { quote!(COPIED_INT) } else { quote!(COPIED) };
    let bound = quote!(::rustgo::Output<{ ::rustgo::__private::mode::#mode }>);
    function::through(&function::part(&part.field.ty, &bound), &bound, item)
}

/// Generates the path of the function that gives the text of the error's `Display`.
fn displayed(ident: &Ident) -> TokenStream {
    function::through(ident, &quote!(::rustgo::Displayed), "displayed")
}

/// Expands an enum without fields. Go gets the number of the variant. Go calls Rust for the error's text only when the text is needed.
fn numbered(ident: &Ident, cases: &[Case<'_>]) -> TokenStream {
    let displayed = displayed(ident);
    let variants = variants(cases, &TokenStream::new(), &|_| quote!(0));
    let names: Vec<&Ident> = cases.iter().map(|case| case.ident).collect();
    let numbers: Vec<u32> = (1..=cases.len() as u32).collect();
    let record = function::record(&quote!(__internal_rustgo_text), &quote!(__RUSTGO_TEXT));
    quote! {
        // SAFETY: the raw result is the number of the variant, which is not 0.
        #[diagnostic::do_not_recommend]
        unsafe impl ::rustgo::__private::Structured for #ident {
            type Raw = ::core::primitive::u32;
            const TYPE: ::rustgo::__private::describe::Type = ::rustgo::__private::describe::Type::Error {
                decl: <#ident as ::rustgo::Declared>::DECL,
                single: false,
                size: 4,
                cases: &[#(#variants),*],
            };

            #[inline]
            fn into_raw(self) -> ::core::primitive::u32 {
                match self { #(#ident::#names => #numbers),* }
            }
        }

        ::rustgo::__when_built_by_rustgo! {
            /// # Safety
            /// `__args` and `__results` must be the argument and result areas of a Go call of this function, as its record describes
            /// the call.
            unsafe extern "C-unwind" fn __internal_rustgo_text(__args: *const ::core::primitive::u8, __results: *mut ::core::primitive::u8) {
                // SAFETY: the caller promises that the areas belong to a Go call of this function.
                ::rustgo::__shim_body! {
                    let __args = &*__args.cast::<::rustgo::__private::TextArgs>();
                    let __error = match __args.number {
                        #(#numbers => ::core::option::Option::Some(#ident::#names),)*
                        _ => ::core::option::Option::None,
                    };
                    let __text = match &__error {
                        ::core::option::Option::Some(__error) => ::core::option::Option::Some(#displayed(__error)),
                        ::core::option::Option::None => ::core::option::Option::None,
                    };
                    ::rustgo::__private::write_text(__args, __text, __results);
                }
            }

            const __RUSTGO_TEXT: ::rustgo::__private::describe::Function = ::rustgo::__private::describe::Function {
                go_name: <#ident as ::rustgo::Declared>::GO_NAME,
                rust_path: <#ident as ::rustgo::Declared>::DECL.rust_path,
                file: <#ident as ::rustgo::Declared>::DECL.file,
                line: <#ident as ::rustgo::Declared>::DECL.line,
                owner: <#ident as ::rustgo::Declared>::DECL.rust_path,
                ..::rustgo::__private::TEXT
            };

            #record
        }
    }
}

/// Expands a struct, or an enum with fields. Go gets the error's text, the fields and, if `sourced` is true, the texts of the sources.
fn with_fields(ident: &Ident, single: bool, sourced: bool, cases: &[Case<'_>]) -> TokenStream {
    let displayed = displayed(ident);
    let parts: Vec<&Part<'_>> = cases.iter().flat_map(|case| &case.fields).collect();
    let raws: Vec<&Ident> = parts.iter().map(|part| &part.raw).collect();
    let types: Vec<Ident> = (0..parts.len()).map(|i| format_ident!("__F{i}")).collect();
    let witnesses: Vec<TokenStream> = parts.iter().map(|part| output(part, "RAW")).collect();
    let count = parts.len();
    let index = |part: &Part<'_>| raws.iter().position(|raw| **raw == part.raw).unwrap_or_default();
    let sources = sourced.then(|| quote!(sources: ::rustgo::__private::Owned,));
    let member = if sourced { quote!(::rustgo::__private::SOURCES) } else { TokenStream::new() };
    let made = sourced.then(|| {
        quote! {
            use ::rustgo::__private::Sourceless as _;
            let __sources = <::rustgo::__private::Probe<#ident>>::sources(__this);
        }
    });
    let written = sourced.then(|| {
        quote! {
            ::core::ptr::write(__at.add(::rustgo::__private::SOURCES.offset as ::core::primitive::usize).cast(), ::rustgo::__private::Texts::into_raw(__sources));
        }
    });
    let variants = variants(cases, &member, &|part| {
        let index = index(part);
        quote!(__RUSTGO_LAYOUT.0[#index] as ::core::primitive::u64)
    });
    let arms = cases.iter().enumerate().map(|(number, case)| {
        let number = number as u32 + 1;
        let names: Vec<&Ident> = case.fields.iter().map(|part| &part.name).collect();
        let values: Vec<Ident> = (0..names.len()).map(|i| Ident::new(&format!("__value{i}"), Span::mixed_site())).collect();
        let indices = case.fields.iter().map(index);
        let conversions = case.fields.iter().map(|part| output(part, "convert"));
        let left_out = &case.left_out;
        let dropped: Vec<Ident> = (0..left_out.len()).map(|i| Ident::new(&format!("__dropped{i}"), Span::mixed_site())).collect();
        // The fields are moved to variables, so that all of them are dropped if a destructor or a conversion panics.
        let variant = case.ident;
        let path = if single { quote!(#ident) } else { quote!(#ident::#variant) };
        quote! {
            #path { #(#names: #values,)* #(#left_out: #dropped),* } => {
                #(let #values = ::core::ptr::read(#values);)*
                {
                    let __dropped = (#(if __RUSTGO_DROPS { ::core::option::Option::None } else { ::core::option::Option::Some(::core::ptr::read(#dropped)) },)*);
                    if __RUSTGO_DROPS {
                        ::core::mem::ManuallyDrop::drop(&mut __error);
                    }
                }
                #(let #values = #conversions(::rustgo::__private::same(#values));)*
                __at.cast::<::core::primitive::u32>().write(#number);
                #(::core::ptr::write(__at.add(__RUSTGO_LAYOUT.0[#indices]).cast(), #values.raw());)*
            }
        }
    });
    // All fields are checked before the first field is moved, because `fits` panics for a number that is too large.
    let checks = cases.iter().map(|case| {
        let names: Vec<&Ident> = case.fields.iter().map(|part| &part.name).collect();
        let values: Vec<Ident> = (0..names.len()).map(|i| Ident::new(&format!("__value{i}"), Span::mixed_site())).collect();
        let fits = case.fields.iter().map(|part| output(part, "fits"));
        let variant = case.ident;
        let path = if single { quote!(#ident) } else { quote!(#ident::#variant) };
        quote! {
            #path { #(#names: #values,)* .. } => {
                #(#fits(&*::core::mem::ManuallyDrop::new(::rustgo::__private::same(::core::ptr::read(#values))));)*
            }
        }
    });
    let message = format!(
        "{ident} has a destructor, which needs the fields that Go is to get: leave out `Drop`, or let them be `Copy`; or leave out `rustgo::Error`, and Go gets the text alone"
    );
    let fields = parts.iter().map(|part| &part.field.ty);
    let taken = quote_spanned!(ident.span()=> const _: () = ::core::assert!(__RUSTGO_TAKEN, #message););
    // The struct is generic over the fields' types, so that a wrong field type causes only one error, which points to the field.
    quote! {
        #[repr(C)]
        struct __RustgoRaw<#(#types),*> {
            code: ::core::primitive::u32,
            text: ::rustgo::__private::Owned,
            #sources
            #(#raws: #types,)*
        }

        struct __RustgoTypes<#(#types),*>(#(::core::marker::PhantomData<fn() -> #types>),*);

        impl<#(#types),*> __RustgoRaw<#(#types),*> {
            /// The offsets of the fields, and the size of the whole struct.
            const LAYOUT: ([::core::primitive::usize; #count], ::core::primitive::usize) = {
                ::core::assert!(::core::mem::offset_of!(Self, code) == 0 && ::core::mem::offset_of!(Self, text) == 8);
                ([#(::core::mem::offset_of!(Self, #raws)),*], ::core::mem::size_of::<Self>())
            };
        }

        const fn __internal_rustgo_layout<#(#types),*>(_: __RustgoTypes<#(#types),*>) -> ([::core::primitive::usize; #count], ::core::primitive::usize) {
            <__RustgoRaw<#(#types),*>>::LAYOUT
        }

        const __RUSTGO_DROPS: ::core::primitive::bool = {
            use ::rustgo::__private::Unknown as _;
            <::rustgo::__private::Probe<#ident>>::DROPS
        };
        const __RUSTGO_TAKEN: ::core::primitive::bool = {
            use ::rustgo::__private::Unknown as _;
            !__RUSTGO_DROPS || (true #(&& <::rustgo::__private::Probe<#fields>>::COPIED)*)
        };
        #taken

        const __RUSTGO_LAYOUT: ([::core::primitive::usize; #count], ::core::primitive::usize) = __internal_rustgo_layout(__RustgoTypes(#(#witnesses),*));

        // SAFETY: `into_raw` writes the number of the variant, which is not 0, the text, and the variant's fields at their offsets in the
        // struct; all other fields are zeros.
        #[diagnostic::do_not_recommend]
        unsafe impl ::rustgo::__private::Structured for #ident {
            type Raw = [::core::mem::MaybeUninit<::core::primitive::u64>; __RUSTGO_LAYOUT.1 / 8];
            const TYPE: ::rustgo::__private::describe::Type = ::rustgo::__private::describe::Type::Error {
                decl: <#ident as ::rustgo::Declared>::DECL,
                single: #single,
                size: __RUSTGO_LAYOUT.1 as ::core::primitive::u64,
                cases: &[#(#variants),*],
            };

            #[cold]
            #[inline(never)]
            fn into_raw(self) -> <Self as ::rustgo::__private::Structured>::Raw {
                let mut __raw = [::core::mem::MaybeUninit::new(0_u64); __RUSTGO_LAYOUT.1 / 8];
                let __at = (&raw mut __raw).cast::<::core::primitive::u8>();
                // If code below panics, each part of the error has a destructor: the error itself, or the variable to which the part
                // is moved.
                let __this = &self;
                let __text = ::rustgo::__private::text_of(#displayed(__this));
                #made
                // SAFETY: the copies of the fields are neither changed nor dropped.
                unsafe {
                    match __this { #(#checks)* }
                }
                let mut __error = ::core::mem::ManuallyDrop::new(self);
                let __this: &Self = &__error;
                // SAFETY: all writes stay within `__raw`, at offsets that are aligned for their types. Each field is moved out
                // once: it is written or dropped. Either the error itself does not implement `Drop`, or all written fields are
                // `Copy` (asserted).
                unsafe {
                    match __this { #(#arms)* }
                    ::core::ptr::write(__at.add(8).cast(), ::rustgo::__private::Owned::of(__text));
                    #written
                }
                __raw
            }
        }
    }
}
