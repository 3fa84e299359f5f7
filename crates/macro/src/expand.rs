//! What the attribute makes of a function.

use crate::signature::{self, Parameter};
use crate::{doc, name, options};
use proc_macro2::{Ident, Span, TokenStream};
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
    let go_name = match &options.name {
        Some(name) => name.value(),
        None => go_name(&function.sig.ident)?,
    };
    Ok(Export { function: &function, parameters, go_name, stack: options.stack }.expand())
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

// What is possible, for the compiler's notes.
const PARAMETERS: &str = "a parameter can be an integer of up to 64 bits, `f32`, `f64`, `bool`, `char`, `&str`, a `Handle<T>`, an `Option` of one, or one of `&[T; N]`, `&mut [T; N]`, `&[T]` and `&mut [T]`";
const ELEMENTS: &str = "elements can be these numbers, `bool`, `char`, handles, or arrays of them";
const RESULTS: &str = "a result can be an integer of up to 64 bits, `f32`, `f64`, `bool`, `char`, a `Handle<T>`, an `Option` of one, `()`, or a tuple of up to eight of them; what is more goes into a `&mut` parameter";

struct Export<'a> {
    function: &'a ItemFn,
    parameters: Vec<Parameter<'a>>,
    go_name: String,
    stack: Option<u64>,
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
        let assertions = self.assertions();
        let shim = self.shim();
        let record = self.record();
        quote! {
            #(#conditions)*
            #[doc(hidden)]
            #deprecated
            const _: () = {
                // An exported function is a used one.
                let _ = #function;
                #assertions
                ::rustgo::__when_built_by_rustgo! {
                    #shim
                    #record
                }
            };
        }
    }

    /// That every type can cross, said at the type and with the name of the parameter.
    ///
    /// The words can name the parameter because each assertion has a trait of its own, which stands for the one in the
    /// support crate.
    fn assertions(&self) -> TokenStream {
        let parameters = self.parameters.iter().map(|parameter| {
            let ty = parameter.ty;
            let message = format!("parameter `{}` of type `{{Self}}` cannot cross the border to Go", parameter.name.unraw());
            let assertion = quote_spanned!(ty.span()=> __rustgo_is::<'call, #ty>(););
            quote! {{
                #[diagnostic::on_unimplemented(message = #message, label = "cannot be a parameter", note = #PARAMETERS, note = #ELEMENTS)]
                trait __CrossesToGo<'call> {}
                #[diagnostic::do_not_recommend]
                impl<'call, T: ::rustgo::__private::Parameter<'call>> __CrossesToGo<'call> for T {}
                fn __rustgo_is<'call, T: __CrossesToGo<'call>>() {}
                #assertion
            }}
        });
        let result = self.result_type();
        let message = format!("the result of `{}`, of type `{{Self}}`, cannot cross the border to Go", self.function.sig.ident.unraw());
        let assertion = quote_spanned!(result.span()=> __rustgo_is::<#result>(););
        quote! {
            fn __rustgo_assert<'call>() {
                #(#parameters)*
                {
                    #[diagnostic::on_unimplemented(message = #message, label = "cannot be a result", note = #RESULTS)]
                    trait __CrossesToGo {}
                    #[diagnostic::do_not_recommend]
                    impl<T: ::rustgo::__private::Results> __CrossesToGo for T {}
                    fn __rustgo_is<T: __CrossesToGo>() {}
                    #assertion
                }
            }
        }
    }

    /// The shim has the function's name in its own, for those who read symbol tables.
    fn shim_name(&self) -> Ident {
        format_ident!("__rustgo_{}", self.function.sig.ident.unraw(), span = Span::mixed_site())
    }

    /// The mirror of the argument area, and the function that Go's assembly calls.
    fn shim(&self) -> TokenStream {
        // The author's name, not `generated`: no variable of the shim's hides it.
        let function = &self.function.sig.ident;
        let shim = self.shim_name();
        let names: Vec<&Ident> = self.parameters.iter().map(|parameter| parameter.name).collect();
        let texts: Vec<String> = names.iter().map(|name| name.unraw().to_string()).collect();
        let raws: Vec<Ident> = (0..names.len()).map(|i| format_ident!("__Raw{i}")).collect();
        let values: Vec<Ident> = (0..names.len()).map(|i| Ident::new(&format!("value{i}"), Span::mixed_site())).collect();
        let args = Ident::new("args", Span::mixed_site());
        let results = Ident::new("results", Span::mixed_site());
        let parameters: Vec<TokenStream> = self.parameters(&quote!('call));
        let result = self.results();

        // The calls stand where the parameter stands: that is the place the panic tells.
        let checks = parameters
            .iter()
            .zip(&names)
            .zip(&texts)
            .map(|((parameter, name), text)| quote_spanned!(name.span()=> <#parameter>::check(&#args.#name, #text);));
        let pairs = (0..names.len()).flat_map(|j| (0..j).map(move |i| (i, j))).map(|(i, j)| {
            let (p, q, p_name, q_name, p_text, q_text) =
                (self.parameters[i].ty, self.parameters[j].ty, names[i], names[j], &texts[i], &texts[j]);
            quote_spanned! {q_name.span()=> ::rustgo::__private::disjoint::<#p, #q>(&#args.#p_name, &#args.#q_name, #p_text, #q_text); }
        });
        let end = match (names.last(), raws.last()) {
            (Some(name), Some(raw)) => quote!(::core::mem::offset_of!(Self, #name) + ::core::mem::size_of::<#raw>()),
            _ => quote!(0),
        };
        let count = names.len();
        quote! {
            #[repr(C)]
            struct __RustgoArgs<#(#raws),*> { #(#names: #raws),* }

            impl<#(#raws),*> __RustgoArgs<#(#raws),*> {
                /// Where each argument begins, and where the last one ends.
                const LAYOUT: ([usize; #count], usize) = ([#(::core::mem::offset_of!(Self, #names)),*], #end);
            }

            /// # Safety
            /// The addresses must be those of the argument and result areas of a call by Go of the function described
            /// beside it.
            unsafe extern "C-unwind" fn #shim<'call>(#args: *const u8, #results: *mut u8) {
                // SAFETY: the struct is laid out as Go's argument area; both areas stay for the call. The arguments are
                // checked one by one and against one another before a reference is made of any.
                unsafe {
                    let #args = &*#args.cast::<__RustgoArgs<#(<#parameters>::Raw),*>>();
                    #(#checks)*
                    #(#pairs)*
                    #(let #values = <#parameters>::take(&#args.#names);)*
                    <#result>::put(#function(#(#values),*), #results);
                }
            }
        }
    }

    /// The description of the function, and the record that the command line tool finds.
    fn record(&self) -> TokenStream {
        let function = &self.function.sig.ident;
        let (go_name, path_end) = (&self.go_name, function.unraw().to_string());
        // At the function's name, not at the attribute.
        let line = quote_spanned!(function.span()=> ::core::line!());
        let doc = doc::text(&self.function.attrs);
        let stack = match self.stack {
            Some(bytes) => quote!(::core::option::Option::Some(#bytes)),
            None => quote!(::core::option::Option::None),
        };
        let texts = self.parameters.iter().map(|parameter| parameter.name.unraw().to_string());
        let parameters: Vec<TokenStream> = self.parameters(&quote!('_));
        let indices = 0..parameters.len();
        let count = parameters.len();
        let results = self.results();
        let shim = self.shim_name();
        quote! {
            const __RUSTGO_LAYOUT: ([usize; #count], usize) = <__RustgoArgs<#(<#parameters>::Raw),*>>::LAYOUT;

            const __RUSTGO_EXPORT: ::rustgo::__private::describe::Export = ::rustgo::__private::describe::Export {
                go_name: #go_name,
                rust_path: ::core::concat!(::core::module_path!(), "::", #path_end),
                file: ::core::file!(),
                line: #line,
                doc: #doc,
                stack: #stack,
                params: &[#(::rustgo::__private::describe::Field {
                    name: #texts,
                    ty: <#parameters>::TYPE,
                    offset: __RUSTGO_LAYOUT.0[#indices] as u32,
                }),*],
                results: <#results>::FIELDS,
                results_offset: ::rustgo::__private::results_offset(__RUSTGO_LAYOUT.1),
                frame_size: ::rustgo::__private::frame_size(__RUSTGO_LAYOUT.1, <#results>::SIZE),
            };

            #[used]
            #[unsafe(link_section = "rustgo_exports")]
            static __RUSTGO_RECORD: ::rustgo::__private::Record<{ ::rustgo::__private::padded_len(&__RUSTGO_EXPORT) }> =
                ::rustgo::__private::Record::new(#shim, &__RUSTGO_EXPORT);
        }
    }

    /// For each parameter `TYPE as Parameter<'call>`, to stand between `<` and `>`.
    fn parameters(&self, call: &TokenStream) -> Vec<TokenStream> {
        let types = self.parameters.iter().map(|parameter| parameter.ty);
        types.map(|ty| quote!(#ty as ::rustgo::__private::Parameter<#call>)).collect()
    }

    /// `TYPE as Results`, to stand between `<` and `>`.
    fn results(&self) -> TokenStream {
        let ty = self.result_type();
        quote!(#ty as ::rustgo::__private::Results)
    }

    fn result_type(&self) -> TokenStream {
        match &self.function.sig.output {
            ReturnType::Default => quote!(()),
            ReturnType::Type(_, ty) => ty.to_token_stream(),
        }
    }
}
