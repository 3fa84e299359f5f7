//! Generates the records that describe exports to the command line tool.

use super::{Export, GoName, ends, output, through};
use crate::signature::Outcome;
use crate::{doc, lifetimes};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::Type;
use syn::ext::IdentExt;

impl Export<'_> {
    /// Generates the function's description and its record. If the result is an iterator, adds two records: of the function that fetches items,
    /// and of the function that drops the iterator.
    pub(super) fn record(&self) -> TokenStream {
        let function = &self.subject.signature.ident;
        let path_end = function.unraw().to_string();
        // The span makes `line!` return the line of the function's name, not the line of the attribute.
        let line = quote_spanned!(function.span()=> ::core::line!());
        let doc = doc::text(self.subject.attributes);
        let number = |number: Option<u64>| match number {
            Some(number) => quote!(::core::option::Option::Some(#number)),
            None => quote!(::core::option::Option::None),
        };
        let (stack, blocking, abandons, task) = (number(self.stack), number(self.blocking), self.abandons, self.task);
        let texts = self.parameters.iter().map(|parameter| &parameter.text);
        let witnesses = self.witnesses();
        let count = witnesses.len();
        let indices = 0..count;
        let bits = 0..count;
        let layout = match count {
            0 => quote!(<__RustgoArgs>::LAYOUT),
            _ => quote!(__internal_rustgo_layout(__RustgoTypes(#(#witnesses),*))),
        };
        let (fields, size) = match &self.outcome {
            Outcome::Iterator(items) => {
                let items = items.iter().map(output);
                let ty = quote!(::rustgo::__private::describe::Type::Iterator { items: &[#(<#items>::TYPE),*] });
                (quote!(::rustgo::__private::Fields::and(::rustgo::__private::Fields::NONE, #ty, 0)), quote!(8))
            }
            _ => {
                let results = self.results();
                (quote!(<#results>::FIELDS), quote!(<#results>::SIZE))
            }
        };
        let named = self.results.iter().map(|name| name.unraw().to_string());
        let fields = if self.results.is_empty() { fields } else { quote!(::rustgo::__private::Fields::named(#fields, [#(#named),*])) };
        let shim = self.shim_name();
        let span = self.subject.this.map_or_else(Span::mixed_site, |this| ends(this).0);
        let this = through(&lifetimes::this(span), &quote!(::rustgo::Declared), "It");
        let (owner, rust_path) = match self.subject.this {
            None => (quote!(""), quote!(::core::concat!(::core::module_path!(), "::", #path_end))),
            Some(_) => {
                let path = quote!(<#this as ::rustgo::Declared>::DECL.rust_path);
                (path.clone(), quote!(::rustgo::__concat!(#path, ::core::concat!("::", #path_end))))
            }
        };
        let go_name = match (&self.go_name, self.subject.this) {
            (GoName::New, Some(_)) => quote!(::rustgo::__concat!("New", <#this as ::rustgo::Declared>::GO_NAME)),
            (GoName::Associated(name), Some(_)) => quote!(::rustgo::__concat!(<#this as ::rustgo::Declared>::GO_NAME, #name)),
            (GoName::Whole(name) | GoName::Associated(name), _) => quote!(#name),
            (GoName::New, None) => quote!("New"),
        };
        let role = if self.is_method { quote!(::rustgo::__private::role::METHOD) } else { quote!(::rustgo::__private::role::FUNCTION) };
        let borrows = self.parameters.iter().any(|parameter| parameter.lends);
        let record = record(&quote!(#shim), &quote!(__RUSTGO_EXPORT));
        let companions = match &self.outcome {
            Outcome::Iterator(items) => self.companions(items),
            _ => TokenStream::new(),
        };
        quote! {
            const __RUSTGO_LAYOUT: ([::core::primitive::usize; #count], ::core::primitive::usize) = #layout;
            const __RUSTGO_RESULTS: &::rustgo::__private::Fields = &#fields;

            const __RUSTGO_EXPORT: ::rustgo::__private::describe::Function = ::rustgo::__private::describe::Function {
                go_name: #go_name,
                rust_path: #rust_path,
                file: ::core::file!(),
                line: #line,
                doc: #doc,
                stack: #stack,
                blocking: #blocking,
                params: &[#(::rustgo::__private::describe::Field {
                    name: #texts,
                    ty: ::rustgo::__private::type_of(#witnesses),
                    offset: __RUSTGO_LAYOUT.0[#indices] as ::core::primitive::u32,
                }),*],
                results: ::rustgo::__private::Fields::list(__RUSTGO_RESULTS),
                results_offset: ::rustgo::__private::results_offset(__RUSTGO_LAYOUT.1),
                frame_size: ::rustgo::__private::frame_size(__RUSTGO_LAYOUT.1, #size),
                owner: #owner,
                role: #role,
                borrows: #borrows && ::rustgo::__private::Fields::refer(__RUSTGO_RESULTS),
                nilable: 0 #(| (::rustgo::__private::is_nilable(#witnesses) as ::core::primitive::u64) << #bits)*,
                abandons: #abandons,
                task: #task,
            };

            #record
            #companions
        }
    }

    /// Generates the records of the functions that fetch items from the iterator and that drop the iterator. The iterator's type has no name, so the
    /// compiler infers the type from the exported function.
    fn companions(&self, items: &[Type]) -> TokenStream {
        let function = self.function();
        let types: Vec<Ident> = (0..self.parameters.len()).map(|i| format_ident!("__A{i}")).collect();
        let blanks = types.iter().map(|_| quote!(_));
        let pointer = quote!(#function as fn(#(#blanks),*) -> _);
        let (next, bounds) = match items {
            [_] => (
                quote!(::rustgo::__private::next::<__I, __RUSTGO_MODE>),
                quote!(__I: ::core::iter::Iterator<Item: ::rustgo::Output<__RUSTGO_MODE>>),
            ),
            _ => (
                quote!(::rustgo::__private::next_pair::<__I, __K, __V, __RUSTGO_MODE>),
                quote!(__I: ::core::iter::Iterator<Item = (__K, __V)>, __K: ::rustgo::Output<__RUSTGO_MODE>, __V: ::rustgo::Output<__RUSTGO_MODE>),
            ),
        };
        let outputs: Vec<TokenStream> = items.iter().map(output).collect();
        let all = quote!(&[#(<#outputs>::TYPE),*]);
        let buffers = outputs.iter().enumerate().map(|(index, output)| {
            let (name, offset) = (["items", "values"][index.min(1)], 16 + 8 * index as u32);
            quote!(::rustgo::__private::describe::Field {
                name: #name,
                ty: ::rustgo::__private::describe::Type::Pointer {
                    mutable: true,
                    elem: &::rustgo::__private::describe::Type::Array { len: ::rustgo::__private::batch(#all), elem: &<#output>::TYPE },
                },
                offset: #offset,
            })
        });
        let end = 16 + 8 * outputs.len() as u32;
        let next_record = record(&quote!(__internal_rustgo_next(#pointer)), &quote!(__RUSTGO_NEXT));
        let end_record = record(&quote!(__internal_rustgo_end(#pointer)), &quote!(__RUSTGO_END));
        quote! {
            const fn __internal_rustgo_next<#(#types,)* #bounds>(_: fn(#(#types),*) -> __I) -> ::rustgo::__private::Shim {
                #next
            }

            const fn __internal_rustgo_end<#(#types,)* __I: ::core::iter::Iterator>(_: fn(#(#types),*) -> __I) -> ::rustgo::__private::Shim {
                ::rustgo::__private::end::<__I>
            }

            const __RUSTGO_NEXT: ::rustgo::__private::describe::Function = ::rustgo::__private::describe::Function {
                doc: "",
                stack: __RUSTGO_EXPORT.stack,
                blocking: ::core::option::Option::None,
                params: &[
                    ::rustgo::__private::describe::Field { name: "iterator", ty: ::rustgo::__private::describe::Type::Address {}, offset: 0 },
                    ::rustgo::__private::describe::Field { name: "want", ty: ::rustgo::__private::describe::Type::Basic(::rustgo::__private::Basic::Uint), offset: 8 },
                    #(#buffers),*
                ],
                results: &[::rustgo::__private::describe::Field { name: "", ty: ::rustgo::__private::describe::Type::Basic(::rustgo::__private::Basic::Uint), offset: 0 }],
                results_offset: #end,
                frame_size: #end + 8,
                role: ::rustgo::__private::role::NEXT,
                borrows: false,
                nilable: 0,
                ..__RUSTGO_EXPORT
            };

            const __RUSTGO_END: ::rustgo::__private::describe::Function = ::rustgo::__private::describe::Function {
                doc: "",
                blocking: ::core::option::Option::None,
                params: &[::rustgo::__private::describe::Field { name: "iterator", ty: ::rustgo::__private::describe::Type::Address {}, offset: 0 }],
                results: &[],
                results_offset: 8,
                frame_size: 8,
                role: ::rustgo::__private::role::END,
                borrows: false,
                nilable: 0,
                ..__RUSTGO_EXPORT
            };

            const _: () = { #next_record };
            const _: () = { #end_record };
        }
    }
}

/// Generates the record of a function. `shim` and `description` are expressions.
pub fn record(shim: &TokenStream, description: &TokenStream) -> TokenStream {
    quote! {
        #[used]
        #[cfg_attr(not(target_family = "wasm"), unsafe(link_section = "rustgo_exports"))]
        static __RUSTGO_RECORD: ::rustgo::__private::Record<{ ::rustgo::__private::Describe::padded_len(&::rustgo::__private::Describe::Function(&#description)) }> =
            ::rustgo::__private::Record::new(::core::option::Option::Some(#shim), &::rustgo::__private::Describe::Function(&#description));
    }
}
