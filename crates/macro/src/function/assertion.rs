//! Generates assertions about an exported function's types. The assertions are part of every build, with or without the tool.

use super::{Export, arguments_of, bound_of_output, bound_of_results, ends, error_of, output, parts, through, value_of};
use crate::advice::{is_scalar, name as last};
use crate::signature::{self, Outcome, Parameter};
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{ReturnType, Type};

impl Export<'_> {
    /// Generates the constants that select the conversion of the results and the conversion of the error.
    pub(super) fn modes(&self) -> TokenStream {
        let lenders = self.lenders();
        let (int, iterator) = (self.int, matches!(self.outcome, Outcome::Iterator(_)));
        let kind = match &self.outcome {
            Outcome::Fallible(ty) => {
                let error = error_of(ty);
                let facts = ["STRUCTURED", "DISPLAYED", "ERROR", "BOXED", "SHARED"].map(|fact| {
                    let (begin, end) = ends(&error);
                    let fact = Ident::new(fact, end);
                    quote_spanned!(begin=> <::rustgo::__private::Probe<#error>>::#fact)
                });
                Some(quote! {
                    const __RUSTGO_KIND: ::core::primitive::u8 = {
                        use ::rustgo::__private::Unknown as _;
                        ::rustgo::__private::kind(#(#facts),*)
                    };
                })
            }
            _ => None,
        };
        quote! {
            const __RUSTGO_LENDERS: &[::rustgo::__private::describe::Type] = &[#(::rustgo::__private::type_of(#lenders)),*];
            const __RUSTGO_MODE: ::core::primitive::u8 = ::rustgo::__private::mode_of(__RUSTGO_LENDERS, #int, #iterator);
            #kind
        }
    }

    /// Returns witnesses (zero-sized values that represent a type) of the parameters from which results may borrow.
    fn lenders(&self) -> Vec<TokenStream> {
        self.parameters.iter().zip(self.witnesses()).filter(|(parameter, _)| parameter.lends).map(|(_, witness)| witness).collect()
    }

    /// Generates assertions that every type can cross the boundary to Go, that the function accepts references that live only during the call, and
    /// that results borrow only from parameters from which the signature lets them borrow.
    ///
    /// The assertions are part of every build. So the shim and the record need no error messages of their own: any error in them repeats an
    /// error of the assertions.
    pub(super) fn assertion(&self) -> TokenStream {
        let result = match &self.outcome {
            Outcome::Iterator(items) => {
                let items = items.iter().map(output);
                quote!(#(let _ = <#items>::TYPE;)*)
            }
            _ => {
                let result = self.results();
                let displayed = match &self.outcome {
                    Outcome::Fallible(ty) => Some(through(&error_of(ty), &quote!(::rustgo::Displayed), "ASSERTED")),
                    _ => None,
                };
                let displayed = displayed.iter();
                quote!(#(let () = #displayed;)* let _ = <#result>::SIZE;)
            }
        };
        let counted = self.counted();
        let calls = self.calls();
        let kept = self.kept();
        quote! {
            fn __internal_rustgo_assert() {
                #result
                #counted
            }

            #calls
            #kept
        }
    }

    /// Generates the assertion that `results(…)` has one name for each result in Go. `None` without names, and for an iterator.
    fn counted(&self) -> Option<TokenStream> {
        let count = self.results.len();
        let named = match &self.outcome {
            _ if count == 0 => return None,
            Outcome::Plain(ty) => {
                through(&through(&parts(ty, &bound_of_output()), &bound_of_results(), "It"), &quote!(::rustgo::Count<#count>), "NAMED")
            }
            Outcome::Fallible(ty) => {
                let (value, values) = (through(&value_of(ty), &bound_of_results(), "It"), count - 1);
                through(&value, &quote!(::rustgo::CountAndError<#values, #count>), "NAMED")
            }
            // `function::expand` has already refused more than one name for an iterator.
            Outcome::Iterator(_) => return None,
        };
        Some(quote!(let _ = #named;))
    }

    /// Generates a function that calls the exported function. Nothing calls the generated function, but the compiler checks it: the exported function
    /// must accept arguments that live only during the call, and results may borrow only from the parameters that the written lifetimes name.
    fn calls(&self) -> TokenStream {
        let function = self.function();
        let call = |lifetime: &dyn Fn(&Parameter) -> TokenStream| {
            let passed = self.parameters.iter().zip(self.witnesses()).map(|(parameter, witness)| {
                if self.is_int(&parameter.ty) {
                    return quote!(::rustgo::__private::nowhere::<::core::primitive::usize>());
                }
                let (begin, end) = ends(&parameter.ty);
                let lifetime = lifetime(parameter);
                let argument = parenthesized(witness, end);
                quote_spanned!(begin=> ::rustgo::__private::passed::<#lifetime, _> #argument)
            });
            // If the compiler rejects the call as a whole, its message points at the function's name.
            let passed = parenthesized(quote!(#(#passed),*), self.subject.signature.ident.span());
            quote!(#function #passed)
        };
        let lent = |parameter: &Parameter| if parameter.lends { quote!('lent) } else { quote!('call) };
        let kept = |parameter: &Parameter| if parameter.kept { quote!('kept) } else { quote!('call) };
        let lives = if self.parameters.iter().any(|parameter| parameter.lends) { quote!('lent) } else { quote!('static) };
        let holds = if self.parameters.iter().any(|parameter| parameter.kept) { quote!('kept) } else { quote!('static) };
        let span = match &self.subject.signature.output {
            ReturnType::Type(_, ty) => ends(ty).0,
            ReturnType::Default => Span::call_site(),
        };
        let lent = parenthesized(call(&lent), span);
        let asked = match &self.outcome {
            Outcome::Plain(ty) if is_nothing(ty) => quote!(#lent),
            // The assertion states the result type that the author wrote, because the shim converts the result to this type without a check.
            // Another attribute macro may have changed the function's result type.
            Outcome::Plain(ty) => quote_spanned!(span=> ::rustgo::__private::lent::<#lives, #ty> #lent;),
            Outcome::Fallible(ty) => match arguments_of(ty) {
                Some((value, error)) => {
                    let error = error.map_or_else(|| quote!(_), ToTokens::to_token_stream);
                    quote_spanned!(span=> ::rustgo::__private::lent_if_any::<#lives, #value, #error> #lent;)
                }
                None => quote_spanned!(span=> ::rustgo::__private::lent::<#lives, #ty> #lent;),
            },
            Outcome::Iterator(items) => {
                let item = match &items[..] {
                    [item] => quote!(#item),
                    pair => quote!((#(#pair),*)),
                };
                let kept = parenthesized(call(&kept), span);
                let kept = parenthesized(quote_spanned!(span=> ::rustgo::__private::kept::<#holds, _> #kept), span);
                quote_spanned! {span=>
                    ::rustgo::__private::lent_one_by_one::<#lives, #item, _> #lent;
                    ::rustgo::fetched #kept;
                }
            }
        };
        quote! {
            fn __internal_rustgo_call<'call, 'lent, 'kept>() {
                #asked
            }
        }
    }

    /// Generates assertions that Go cannot change the memory to which an iterator refers, that results live until they are copied, that list
    /// elements can cross the boundary to Go, and that at most one parameter is an `Append`.
    fn kept(&self) -> TokenStream {
        let kept = self.parameters.iter().zip(self.witnesses()).filter(|(parameter, _)| parameter.kept).map(|(parameter, witness)| {
            let message = format!(
                "Go can change what parameter `{}` refers to while the iterator runs: take a `Vec<T>` or `&str`, or a `#[rustgo::object]`; or let the iterator own what it needs, and add `+ use<>` to its type",
                parameter.text
            );
            assert(parameter.place, &quote!(!::rustgo::__private::is_changeable(#witness)), &message)
        });
        let copied = match &self.outcome {
            Outcome::Plain(ty) | Outcome::Fallible(ty) if self.parameters.iter().any(|parameter| parameter.lends) => {
                let result = self.results();
                let message = "a result cannot borrow from an inline object that the function only reads, since the function may get a copy of it: return the text or slice by value, as a `String`, a `Vec<T>` or an array";
                Some(assert(ends(ty).0, &quote!(!::rustgo::__private::ends_early(__RUSTGO_LENDERS, &<#result>::FIELDS)), message))
            }
            _ => None,
        };
        let listed = match &self.outcome {
            Outcome::Plain(ty) | Outcome::Fallible(ty)
                if !is_nothing(ty) && !matches!(ty, Type::Path(path) if last(path).is_some_and(|name| is_scalar(&name))) =>
            {
                let result = self.results();
                let vanished = "a list whose elements have size zero cannot cross the boundary to Go: return the number of elements";
                let shown = "a slice that holds a `bool` cannot lie in an argument that holds none, since Go could write any byte there: return a `Vec<T>`";
                let asserted = [(quote!(vanish), vanished), (quote!(show_bool), shown)]
                    .map(|(what, message)| assert(ends(ty).0, &quote!(!::rustgo::__private::Fields::#what(&<#result>::FIELDS)), message));
                Some(quote!(#(#asserted)*))
            }
            _ => None,
        };
        // A type with an unknown name may be an alias of `&mut Append<T>`, so such parameters count too.
        let written = |parameter: &&Parameter| matches!(&parameter.ty, Type::Reference(reference) if reference.mutability.is_some() && matches!(*reference.elem, Type::Path(_)));
        let alias = |ty: &Type| matches!(ty, Type::Path(path) if !last(path).is_some_and(|name| is_scalar(&name)));
        let appended = self.parameters.iter().filter(|parameter| written(parameter) || alias(&parameter.ty));
        let appended = (appended.count() > 1).then(|| {
            let witnesses = self.witnesses();
            let place = self.subject.signature.ident.span();
            assert(
                place,
                &quote!(::rustgo::__private::appended(&[#(::rustgo::__private::type_of(#witnesses)),*]) < 2),
                signature::ONE_APPENDED,
            )
        });
        quote!(#(#kept)* #copied #listed #appended)
    }
}

fn parenthesized(tokens: TokenStream, span: Span) -> Group {
    let mut group = Group::new(Delimiter::Parenthesis, tokens);
    group.set_span(span);
    group
}

fn is_nothing(ty: &Type) -> bool {
    matches!(ty, Type::Tuple(tuple) if tuple.elems.is_empty())
}

/// Generates an assertion whose error message points at `place`.
fn assert(place: Span, condition: &TokenStream, message: &str) -> TokenStream {
    quote_spanned!(place=> const _: () = ::core::assert!(#condition, #message);)
}
