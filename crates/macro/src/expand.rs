//! What the attribute makes of a function.

use crate::signature::{self, Parameter};
use crate::{doc, name, options};
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Attribute, ItemFn, ReturnType};

pub fn export(arguments: TokenStream, item: TokenStream) -> TokenStream {
    match generate(arguments, &item) {
        Ok(added) => quote!(#item #added),
        // The function itself stays, so that its callers bring no errors of their own.
        Err(error) => {
            let error = error.to_compile_error();
            quote!(#item #error)
        }
    }
}

fn generate(arguments: TokenStream, item: &TokenStream) -> syn::Result<TokenStream> {
    let Ok(function) = syn::parse2::<ItemFn>(item.clone()) else {
        // Where it is a function with an error in it, the compiler says so better.
        return match syn::parse2::<syn::Item>(item.clone()) {
            Ok(other) => Err(syn::Error::new_spanned(first_token(&other), "only a function can be exported")),
            Err(_) => Err(syn::Error::new(Span::call_site(), "only a free function with a body can be exported")),
        };
    };
    let options = options::parse(arguments)?;
    let parameters = signature::check(&function)?;
    if options.blocking.is_some_and(|over| over > 0) && parameters.is_empty() {
        return Err(syn::Error::new_spanned(
            &function.sig.ident,
            "`blocking_over` counts the bytes of slices and strings that a call passes, and this function takes none: write `blocking`",
        ));
    }
    if signature::names_a_lifetime(&function) {
        // No lifetime is declared, or it would have been refused. The compiler says so of the function; it need not of what would be added.
        return Ok(TokenStream::new());
    }
    let go_name = match &options.name {
        Some(name) => name.value(),
        None => go_name(&function.sig.ident)?,
    };
    let results = options.results.unwrap_or_default();
    let mut taken: Vec<String> = parameters.iter().map(|parameter| parameter.name.unraw().to_string()).collect();
    for name in &results {
        let text = name.unraw().to_string();
        if taken.contains(&text) {
            return Err(syn::Error::new_spanned(
                name,
                format!("a parameter or another result has the name `{text}`: Go wants different ones"),
            ));
        }
        taken.push(text);
    }
    Ok(Export { function: &function, parameters, results, go_name, stack: options.stack, blocking: options.blocking }.expand())
}

fn first_token(item: &syn::Item) -> TokenStream {
    item.to_token_stream().into_iter().take(1).collect()
}

fn go_name(ident: &Ident) -> syn::Result<String> {
    let go_name = name::camel_case(&ident.unraw().to_string());
    match name::refusal(&go_name) {
        None => Ok(go_name),
        Some(why) => Err(syn::Error::new_spanned(
            ident,
            format!(
                "`{}` gives the Go name `{go_name}`, which cannot be: {why}; state one, as in `#[rustgo::export(name = \"GoName\")]`",
                ident.unraw()
            ),
        )),
    }
}

struct Export<'a> {
    function: &'a ItemFn,
    parameters: Vec<Parameter<'a>>,
    /// Their names, if they have some.
    results: Vec<Ident>,
    go_name: String,
    stack: Option<u64>,
    blocking: Option<u64>,
}

impl Export<'_> {
    /// The assertions, the shim and the record, in an anonymous constant.
    ///
    /// Items have no hygiene, and what is here would hide types of the author's of the same name; so they have names
    /// nobody else gives. Local variables are hygienic (mixed site).
    fn expand(&self) -> TokenStream {
        let conditions: Vec<&Attribute> = self.function.attrs.iter().filter(|attribute| attribute.path().is_ident("cfg")).collect();
        // No lint is allowed without need, for the author may have forbidden to allow it.
        let deprecated = self.function.attrs.iter().any(|attribute| attribute.path().is_ident("deprecated"));
        let deprecated = deprecated.then(|| quote!(#[allow(deprecated)]));
        let function = &self.function.sig.ident;
        let assertion = self.assertion();
        let shim = self.shim();
        let record = self.record();
        quote! {
            #(#conditions)*
            #[doc(hidden)]
            #deprecated
            const _: () = {
                // An exported function is a used one.
                let _ = #function;
                #assertion
                ::rustgo::__when_built_by_rustgo! {
                    #shim
                    #record
                }
            };
        }
    }

    /// That every type can cross, and that no reference need live longer than the call.
    ///
    /// This stands in all builds; what the shim and the record say of a wrong type is the same.
    fn assertion(&self) -> TokenStream {
        let parameters = self.witnesses().into_iter().map(|witness| {
            let (begin, end) = ends(&witness);
            let mut argument = Group::new(Delimiter::Parenthesis, witness);
            argument.set_span(end);
            quote_spanned!(begin=> __internal_rustgo_borrowed::<'call, _> #argument;)
        });
        let result = self.results();
        let counted = (!self.results.is_empty()).then(|| {
            let count = self.results.len();
            let named = through(&self.result(), &quote!(::rustgo::Count<#count>), "NAMED");
            quote!(let _ = #named;)
        });
        quote! {
            fn __internal_rustgo_borrowed<'call, P: ::rustgo::Parameter<'call>>(_: ::rustgo::__private::Witness<P>) {}

            fn __internal_rustgo_assert<'call>() {
                #(#parameters)*
                let _ = <#result>::SIZE;
                #counted
            }
        }
    }

    /// The shim has the function's name in its own, for those who read symbol tables.
    fn shim_name(&self) -> Ident {
        format_ident!("__rustgo_{}", self.function.sig.ident.unraw(), span = Span::mixed_site())
    }

    /// The mirror of the argument area, what reads it, and the function that Go's assembly calls.
    fn shim(&self) -> TokenStream {
        // The author's name, not `generated`: no variable of the shim's hides it.
        let function = &self.function.sig.ident;
        let shim = self.shim_name();
        let names: Vec<&Ident> = self.parameters.iter().map(|parameter| parameter.name).collect();
        let raws: Vec<Ident> = (0..names.len()).map(|i| format_ident!("__Raw{i}")).collect();
        let values: Vec<Ident> = (0..names.len()).map(|i| Ident::new(&format!("value{i}"), Span::mixed_site())).collect();
        let args = Ident::new("args", Span::mixed_site());
        let results = Ident::new("results", Span::mixed_site());
        let result = self.results();
        let end = match (names.last(), raws.last()) {
            (Some(name), Some(raw)) => quote!(::core::mem::offset_of!(Self, #name) + ::core::mem::size_of::<#raw>()),
            _ => quote!(0),
        };
        let count = names.len();
        let check = self.check();
        let witnesses = self.witnesses();
        let taken = (count > 0).then(|| {
            quote! {
                #(let #values = #witnesses;)*
                let #args = __internal_rustgo_check(#args, __RustgoTypes(#(#values),*));
                #(let #values = ::rustgo::__private::take(#values, &#args.#names);)*
            }
        });
        quote! {
            #[repr(C)]
            struct __RustgoArgs<#(#raws),*> { #(#names: #raws),* }

            impl<#(#raws),*> __RustgoArgs<#(#raws),*> {
                /// Where each argument begins, and where the last one ends.
                const LAYOUT: ([usize; #count], usize) = ([#(::core::mem::offset_of!(Self, #names)),*], #end);
            }

            #check

            /// # Safety
            /// The addresses must be those of the argument and result areas of a call by Go of the function described
            /// beside it.
            unsafe extern "C-unwind" fn #shim(#args: *const u8, #results: *mut u8) {
                // SAFETY: both areas stay for the call. The arguments are checked one by one and against one another before a
                // reference is made of any.
                unsafe {
                    #taken
                    <#result>::put(#function(#(::rustgo::__private::same(#values)),*), #results);
                }
            }
        }
    }

    /// The function that checks the arguments.
    ///
    /// It is generic: where a type cannot cross, the error is one of its caller, which names each type once.
    fn check(&self) -> Option<TokenStream> {
        let names: Vec<&Ident> = self.parameters.iter().map(|parameter| parameter.name).collect();
        let texts: Vec<String> = names.iter().map(|name| name.unraw().to_string()).collect();
        let types: Vec<Ident> = (0..names.len()).map(|i| format_ident!("__P{i}")).collect();
        let count = names.len();
        let args = Ident::new("args", Span::mixed_site());
        // The calls stand where the parameter stands: that is the place the panic tells.
        let checks = types
            .iter()
            .zip(&names)
            .zip(&texts)
            .map(|((ty, name), text)| quote_spanned!(name.span()=> <#ty as ::rustgo::Parameter<'call>>::check(&#args.#name, #text);));
        let pairs = (0..names.len()).flat_map(|j| (0..j).map(move |i| (i, j))).map(|(i, j)| {
            let (p, q, p_name, q_name, p_text, q_text) = (&types[i], &types[j], names[i], names[j], &texts[i], &texts[j]);
            quote_spanned! {q_name.span()=> ::rustgo::__private::disjoint::<#p, #q>(&#args.#p_name, &#args.#q_name, #p_text, #q_text); }
        });
        (!names.is_empty()).then(|| {
            quote! {
                // The types of all parameters, as one argument: clippy counts arguments.
                struct __RustgoTypes<#(#types),*>(#(::rustgo::__private::Witness<#types>),*);

                const fn __internal_rustgo_layout<'call, #(#types: ::rustgo::Parameter<'call>),*>(_: __RustgoTypes<#(#types),*>) -> ([usize; #count], usize) {
                    <__RustgoArgs<#(<#types as ::rustgo::Parameter<'call>>::Raw),*>>::LAYOUT
                }

                /// # Safety
                /// The address must be that of the argument area of a call by Go of the function described beside it, which stays
                /// for the time `'call`.
                #[inline(always)]
                unsafe fn __internal_rustgo_check<'call, #(#types: ::rustgo::Parameter<'call>),*>(
                    #args: *const u8,
                    _: __RustgoTypes<#(#types),*>,
                ) -> &'call __RustgoArgs<#(<#types as ::rustgo::Parameter<'call>>::Raw),*> {
                    // SAFETY: the struct is laid out as Go's argument area.
                    unsafe {
                        let #args = &*#args.cast::<__RustgoArgs<#(<#types as ::rustgo::Parameter<'call>>::Raw),*>>();
                        #(#checks)*
                        #(#pairs)*
                        #args
                    }
                }
            }
        })
    }

    /// The description of the function, and the record that the command line tool finds.
    fn record(&self) -> TokenStream {
        let function = &self.function.sig.ident;
        let (go_name, path_end) = (&self.go_name, function.unraw().to_string());
        // At the function's name, not at the attribute.
        let line = quote_spanned!(function.span()=> ::core::line!());
        let doc = doc::text(&self.function.attrs);
        let number = |number: Option<u64>| match number {
            Some(number) => quote!(::core::option::Option::Some(#number)),
            None => quote!(::core::option::Option::None),
        };
        let (stack, blocking) = (number(self.stack), number(self.blocking));
        let texts = self.parameters.iter().map(|parameter| parameter.name.unraw().to_string());
        let witnesses = self.witnesses();
        let count = witnesses.len();
        let indices = 0..count;
        let layout = match count {
            0 => quote!(<__RustgoArgs>::LAYOUT),
            _ => quote!(__internal_rustgo_layout(__RustgoTypes(#(#witnesses),*))),
        };
        let results = self.results();
        let described = match self.results.as_slice() {
            [] => quote!(<#results>::FIELDS),
            names => {
                let (texts, count) = (names.iter().map(|name| name.unraw().to_string()), names.len());
                quote!(&::rustgo::__private::named::<#count>(<#results>::FIELDS, [#(#texts),*]))
            }
        };
        let shim = self.shim_name();
        quote! {
            const __RUSTGO_LAYOUT: ([usize; #count], usize) = #layout;

            const __RUSTGO_EXPORT: ::rustgo::__private::describe::Function = ::rustgo::__private::describe::Function {
                go_name: #go_name,
                rust_path: ::core::concat!(::core::module_path!(), "::", #path_end),
                file: ::core::file!(),
                line: #line,
                doc: #doc,
                stack: #stack,
                blocking: #blocking,
                params: &[#(::rustgo::__private::describe::Field {
                    name: #texts,
                    ty: ::rustgo::__private::type_of(#witnesses),
                    offset: __RUSTGO_LAYOUT.0[#indices] as u32,
                }),*],
                results: #described,
                results_offset: ::rustgo::__private::results_offset(__RUSTGO_LAYOUT.1),
                frame_size: ::rustgo::__private::frame_size(__RUSTGO_LAYOUT.1, <#results>::SIZE),
            };

            #[used]
            #[unsafe(link_section = "rustgo_exports")]
            static __RUSTGO_RECORD: ::rustgo::__private::Record<{ ::rustgo::__private::padded_len(&__RUSTGO_EXPORT) }> =
                ::rustgo::__private::Record::new(#shim, &__RUSTGO_EXPORT);
        }
    }

    /// For each parameter a value that stands for its type.
    fn witnesses(&self) -> Vec<TokenStream> {
        let bound = quote!(::rustgo::Parameter<'_>);
        self.parameters.iter().map(|parameter| through(&through(parameter.ty, &bound, "It"), &bound, "WITNESS")).collect()
    }

    /// The type that the function gives back.
    fn result(&self) -> TokenStream {
        match &self.function.sig.output {
            ReturnType::Default => quote!(()),
            ReturnType::Type(_, ty) => through(ty, &quote!(::rustgo::Results), "It"),
        }
    }

    /// `TYPE as Results`, to stand between `<` and `>`.
    fn results(&self) -> TokenStream {
        let ty = self.result();
        quote_spanned!(ty.span()=> #ty as ::rustgo::Results)
    }
}

/// `<TYPE as BOUND>::ITEM`.
///
/// All that is added names the types in this way. So a wrong type is an error of its bound at one place and in one wording, however often
/// it is named, and the compiler prints equal errors once. No other error follows from it, because the item is unknown then.
fn through(ty: &impl ToTokens, bound: &TokenStream, item: &str) -> TokenStream {
    let (begin, end) = ends(ty);
    let item = Ident::new(item, end);
    let (open, close) = (quote_spanned!(begin=> <), quote_spanned!(end=> >::#item));
    quote!(#open #ty as #bound #close)
}

/// Where the first and the last token lie: what begins and ends there lies where they do, in the compiler's messages.
fn ends(tokens: &impl ToTokens) -> (Span, Span) {
    let mut tokens = tokens.to_token_stream().into_iter();
    let begin = tokens.next();
    let end = tokens.last().or_else(|| begin.clone());
    let side = |token: Option<TokenTree>, of_group: fn(&Group) -> Span| match token {
        Some(TokenTree::Group(group)) => of_group(&group),
        Some(token) => token.span(),
        None => Span::call_site(),
    };
    (side(begin, Group::span_open), side(end, Group::span_close))
}
