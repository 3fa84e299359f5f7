//! Generates the shim. Go's assembly calls the shim by C's calling convention, and the shim calls the exported function.

use super::Export;
use crate::signature::Outcome;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt;

impl Export<'_> {
    /// Returns the name of the shim. The name contains the exported function's name, for readers of symbol tables.
    pub(super) fn shim_name(&self) -> Ident {
        format_ident!("__rustgo_{}", self.subject.signature.ident.unraw(), span = Span::mixed_site())
    }

    /// Generates the struct with the layout of the argument area, the code that reads this area, and the shim.
    pub(super) fn shim(&self) -> TokenStream {
        // The identifier has the hygiene of the author's code, so no local variable of the shim can hide the function.
        let function = self.function();
        let shim = self.shim_name();
        let names: Vec<&Ident> = self.parameters.iter().map(|parameter| &parameter.name).collect();
        let raws: Vec<Ident> = (0..names.len()).map(|i| format_ident!("__Raw{i}")).collect();
        let values: Vec<Ident> = (0..names.len()).map(|i| Ident::new(&format!("__value{i}"), Span::mixed_site())).collect();
        let rooms: Vec<Ident> = (0..names.len()).map(|i| Ident::new(&format!("__room{i}"), Span::mixed_site())).collect();
        let extent = Ident::new("__extent", Span::mixed_site());
        let args = Ident::new("__args", Span::mixed_site());
        let results = Ident::new("__results", Span::mixed_site());
        let end = match (names.last(), raws.last()) {
            (Some(name), Some(raw)) => quote!(::core::mem::offset_of!(Self, #name) + ::core::mem::size_of::<#raw>()),
            _ => quote!(0),
        };
        let count = names.len();
        let check = self.check();
        let witnesses = self.witnesses();
        let types: Vec<Ident> = (0..names.len()).map(|i| Ident::new(&format!("__type{i}"), Span::mixed_site())).collect();
        let taken = (count > 0).then(|| {
            quote! {
                #(let #types = #witnesses;)*
                let #args = __internal_rustgo_check(#args, __RustgoTypes(#(#types),*));
                #(let mut #rooms = ::rustgo::__private::room(#types);)*
                #(::rustgo::__private::prepare(#types, &#args.#names, &mut #rooms);)*
                #(let #values = ::rustgo::__private::take(#types, &#args.#names, &mut *&raw mut #rooms);)*
            }
        });
        // The witnesses are generated again, because the shim's body moves the first witnesses.
        let unwound = (count > 0).then(|| quote!(@unwound { __internal_rustgo_unwound(#args, __RustgoTypes(#(#witnesses),*)); }));
        let call = quote!(#function(#(::rustgo::__private::same(#values)),*));
        // The shim checks that a result points only into arguments from which it may borrow. Otherwise Go could write to Rust's memory.
        let mut known = self.parameters.iter().zip(&types).filter(|(parameter, _)| parameter.lends).map(|(parameter, ty)| {
            let name = &parameter.name;
            quote!(::rustgo::__private::meets(#ty, &#args.#name, #extent))
        });
        let put = match &self.outcome {
            Outcome::Iterator(_) => quote!(::rustgo::__private::begin(#call, #results);),
            outcome => {
                let result = self.results();
                let value = if matches!(outcome, Outcome::Fallible(_)) {
                    quote!(::rustgo::__private::Outcome(::rustgo::__private::same(#call)))
                } else {
                    quote!(::rustgo::__private::same(#call))
                };
                match known.next() {
                    None => quote!(<#result>::put(#value, #results);),
                    Some(first) => quote!(<#result>::put(<#result>::checked(#value, |#extent| #first #(|| #known)*), #results);),
                }
            }
        };
        quote! {
            #[repr(C)]
            struct __RustgoArgs<#(#raws),*> { #(#names: #raws),* }

            impl<#(#raws),*> __RustgoArgs<#(#raws),*> {
                /// The offset of each argument, and the offset of the end of the last argument.
                const LAYOUT: ([::core::primitive::usize; #count], ::core::primitive::usize) = ([#(::core::mem::offset_of!(Self, #names)),*], #end);
            }

            #check

            /// # Safety
            /// The two addresses must be the argument and result areas of a Go call of this function, as its record describes the
            /// call.
            unsafe extern "C-unwind" fn #shim(#args: *const ::core::primitive::u8, #results: *mut ::core::primitive::u8) {
                // SAFETY: both areas are valid during the call. Each argument is checked, also for overlap with the other
                // arguments, before a reference to its memory is made.
                ::rustgo::__shim_body! {
                    #unwound
                    #taken
                    #put
                }
            }
        }
    }

    /// Generates the functions that lay out and check the arguments, and that end their use after a panic has unwound the function. They are generic
    /// over the parameters' types. So a type that cannot cross to Go causes an error only in the caller, which names each type once.
    fn check(&self) -> Option<TokenStream> {
        let names: Vec<&Ident> = self.parameters.iter().map(|parameter| &parameter.name).collect();
        let texts: Vec<&String> = self.parameters.iter().map(|parameter| &parameter.text).collect();
        let types: Vec<Ident> = (0..names.len()).map(|i| format_ident!("__P{i}")).collect();
        let count = names.len();
        let args = Ident::new("__args", Span::mixed_site());
        // Each check has the span of its parameter, so that a panic reports the parameter's line.
        let checks = types
            .iter()
            .zip(&names)
            .zip(&texts)
            .map(|((ty, name), text)| quote_spanned!(name.span()=> <#ty as ::rustgo::Parameter<'call>>::check(&#args.#name, #text);));
        let pairs = (0..names.len()).flat_map(|j| (0..j).map(move |i| (i, j))).map(|(i, j)| {
            let (p, q, p_name, q_name, p_text, q_text) = (&types[i], &types[j], names[i], names[j], texts[i], texts[j]);
            quote_spanned! {q_name.span()=> ::rustgo::__private::disjoint::<#p, #q>(&#args.#p_name, &#args.#q_name, #p_text, #q_text); }
        });
        (!names.is_empty()).then(|| {
            quote! {
                // The types of all parameters are in one struct, because clippy limits the number of arguments.
                struct __RustgoTypes<#(#types),*>(#(::rustgo::__private::Witness<#types>),*);

                const fn __internal_rustgo_layout<'call, #(#types: ::rustgo::Parameter<'call>),*>(_: __RustgoTypes<#(#types),*>) -> ([::core::primitive::usize; #count], ::core::primitive::usize) {
                    <__RustgoArgs<#(<#types as ::rustgo::Parameter<'call>>::Raw),*>>::LAYOUT
                }

                /// # Safety
                /// The address must be the argument area of a Go call of the exported function, as its record describes the call,
                /// and must stay valid for `'call`.
                #[inline(always)]
                unsafe fn __internal_rustgo_check<'call, #(#types: ::rustgo::Parameter<'call>),*>(
                    #args: *const ::core::primitive::u8,
                    _: __RustgoTypes<#(#types),*>,
                ) -> &'call __RustgoArgs<#(<#types as ::rustgo::Parameter<'call>>::Raw),*> {
                    // SAFETY: the struct has the layout of Go's argument area.
                    unsafe {
                        let #args = &*#args.cast::<__RustgoArgs<#(<#types as ::rustgo::Parameter<'call>>::Raw),*>>();
                        #(#checks)*
                        #(#pairs)*
                        #args
                    }
                }

                /// Ends the use of the arguments after a panic that has unwound the function.
                ///
                /// # Safety
                /// See the function that checks the arguments. Nothing may use the values of the arguments.
                #[inline(always)]
                unsafe fn __internal_rustgo_unwound<'call, #(#types: ::rustgo::Parameter<'call>),*>(
                    #args: *const ::core::primitive::u8,
                    _: __RustgoTypes<#(#types),*>,
                ) {
                    // SAFETY: the struct has the layout of Go's argument area.
                    unsafe {
                        let #args = &*#args.cast::<__RustgoArgs<#(<#types as ::rustgo::Parameter<'call>>::Raw),*>>();
                        #(<#types as ::rustgo::Parameter<'call>>::unwound(&#args.#names);)*
                    }
                }
            }
        })
    }
}
