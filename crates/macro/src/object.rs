//! Expands `#[rustgo::object]`, which makes a Go type with methods from a Rust type.

use crate::options::size;
use crate::{declare, function};
use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Attribute, Error, Expr, ExprLit, Ident, Item, Lit, LitStr, Meta, Path, Token};

const UNKNOWN: &str = "unknown option; the options are `name = \"GoName\"`, `inline`, `unsafe(inline)`, `close`, `exclusive`, `unwind_safe`, `stack = \"64k\"` and `implements(\"io.Writer\")`";

#[derive(Default)]
struct Options {
    name: Option<String>,
    inline: bool,
    /// The span of `unsafe` in `unsafe(inline)`. `unsafe` is the author's promise that a copy of a value's bytes is as good as a clone.
    trusted: Option<Span>,
    close: bool,
    exclusive: bool,
    unwind_safe: bool,
    /// The stack budget, in bytes, of the functions that the attribute adds to the type: drop, Clone and String.
    stack: Option<u64>,
    implements: Vec<String>,
}

pub fn object(arguments: TokenStream, item: TokenStream) -> TokenStream {
    match generate(arguments, &item) {
        Ok(tokens) => tokens,
        Err(error) => {
            let error = error.to_compile_error();
            quote!(#item #error)
        }
    }
}

fn generate(arguments: TokenStream, item: &TokenStream) -> syn::Result<TokenStream> {
    let (ident, generics, attributes) = match syn::parse2::<Item>(item.clone())? {
        Item::Struct(item) => (item.ident, item.generics, item.attrs),
        Item::Enum(item) => (item.ident, item.generics, item.attrs),
        Item::Type(item) => {
            return Err(Error::new_spanned(
                item.type_token,
                "an alias cannot be an object, since its type is declared elsewhere: write a struct around it, as in `struct Regex(regex::Regex);`",
            ));
        }
        other => return Err(Error::new_spanned(other.to_token_stream().into_iter().next(), "only a struct or an enum can be an object")),
    };
    declare::not_generic(&generics, "an object")?;
    let mark = attributes.iter().any(may_derive_another).then(declare::mark_of_object);
    let options = options(arguments)?;
    if options.inline && (options.close || options.exclusive || options.unwind_safe) {
        return Err(Error::new_spanned(
            &ident,
            "an inline object lies in Go's memory: it has nothing to close, no panic breaks it, and Go code decides which goroutine uses it",
        ));
    }
    let go_name = declare::type_name(&ident, options.name.clone())?;
    let declared = declare::declared(&ident, &go_name, &attributes);
    let implements = options.implements.join("\n");
    let flags = [
        options.close.then(|| quote!(| ::rustgo::__private::flags::CLOSE)),
        options.exclusive.then(|| quote!(| ::rustgo::__private::flags::EXCLUSIVE)),
        options.unwind_safe.then(|| quote!(| ::rustgo::__private::flags::UNWIND_SAFE)),
        options
            .inline
            .then(|| quote!(| if ::core::option::Option::is_some(&__RUSTGO_DEFAULT) { ::rustgo::__private::flags::ZERO } else { 0 })),
    ];
    let words = if options.inline { quote!(::rustgo::__private::words::<#ident>()) } else { quote!(0) };
    let bounds = [
        Some(if options.exclusive { quote!(::rustgo::Movable) } else { quote!(::rustgo::Sharable) }),
        (options.inline && options.trusted.is_none()).then(|| quote!(::rustgo::Copied)),
    ];
    let bounds = bounds.iter().flatten().map(|bound| function::through(&ident, bound, "ASSERTED"));
    let asserted =
        |condition: TokenStream, message: String| quote_spanned!(ident.span()=> const _: () = ::core::assert!(#condition, #message););
    let owned = options.trusted.map(|_| {
        let message = format!("an inline object cannot own anything, since Go copies it and never drops it: leave out `inline`, and {ident} lives in the Rust heap");
        asserted(quote!(!::core::mem::needs_drop::<#ident>()), message)
    });
    let vouched = options.trusted.map(|place| vouched(&ident, &attributes, place));
    let placed = if options.inline {
        let message = format!("an inline object is aligned to 64 bytes at most: leave out `inline`, and {ident} lives in the Rust heap");
        asserted(quote!(::core::mem::align_of::<#ident>() <= 64), message)
    } else {
        let message = format!("an object in the Rust heap needs a place, and {ident} has no size: give it a field");
        asserted(quote!(::core::mem::size_of::<#ident>() != 0), message)
    };
    let implementation = if options.inline {
        quote! {
            const __RUSTGO_DEFAULT: ::core::option::Option<fn() -> #ident> = {
                use ::rustgo::__private::NoZero as _;
                <::rustgo::__private::Zero<#ident>>::DEFAULT
            };
            ::rustgo::__inline!(#ident, __RUSTGO_WORDS, __RUSTGO_OBJECT, __RUSTGO_DEFAULT);
        }
    } else {
        quote!(::rustgo::__boxed!(#ident, __RUSTGO_OBJECT);)
    };
    let deprecated = declare::deprecated(&attributes);
    let companions = companions(&ident, options.inline, options.stack);
    Ok(quote! {
        #mark
        #item

        #[doc(hidden)]
        #deprecated
        const _: () = {
            #declared
            #(const _: () = #bounds;)*
            #placed
            #owned
            #vouched
            const __RUSTGO_WORDS: ::core::primitive::usize = #words;
            const __RUSTGO_OBJECT: ::rustgo::__private::describe::Type = ::rustgo::__private::describe::Type::Object {
                decl: <#ident as ::rustgo::Declared>::DECL,
                words: __RUSTGO_WORDS as ::core::primitive::u64,
                flags: 0 #(#flags)*,
                implements: #implements,
            };
            #implementation
            #companions
        };
    })
}

/// True if the attribute is a `derive` of a macro that may be `rustgo::Value` or `rustgo::Error`. Other crates have macros with the same
/// names (`thiserror::Error`), and only the expansion shows which macro a name refers to.
fn may_derive_another(attribute: &Attribute) -> bool {
    let ours = |path: &Path| path.segments.last().is_some_and(|last| last.ident == "Value" || last.ident == "Error");
    attribute.path().is_ident("derive")
        && attribute.parse_args_with(Punctuated::<Path, Token![,]>::parse_terminated).is_ok_and(|derived| derived.iter().any(ours))
}

/// Generates an `unsafe impl` for the author's promise `unsafe(inline)`. The generated word `unsafe` has the span of the author's word, so that
/// the author's lint levels for `unsafe_code` apply.
fn vouched(ident: &Ident, attributes: &[Attribute], place: Span) -> TokenStream {
    let lint = |attribute: &&Attribute| match &attribute.meta {
        Meta::List(list) => {
            ["allow", "warn", "deny", "forbid"].iter().any(|level| list.path.is_ident(level))
                && list.tokens.to_string().contains("unsafe_code")
        }
        _ => false,
    };
    let levels = attributes.iter().filter(lint);
    let promise = quote_spanned!(place=> unsafe impl ::rustgo::__private::Vouched for #ident {});
    quote!(#(#levels)* #promise)
}

/// Generates the function that drops a value (unless the object is inline), the method Clone of a `Clone` type, and String of a `Display` type.
fn companions(ident: &Ident, inline: bool, stack: Option<u64>) -> TokenStream {
    let stack = stack.map(|stack| quote!(stack: ::core::option::Option::Some(#stack),));
    let dropped = (!inline).then(|| {
        let record = function::record(&quote!(::rustgo::__private::drop::<#ident>), &quote!(__RUSTGO_DROP));
        quote! {
            const __RUSTGO_DROP: ::rustgo::__private::describe::Function = ::rustgo::__private::describe::Function {
                go_name: "drop",
                role: ::rustgo::__private::role::DROP,
                params: &[::rustgo::__private::describe::Field { name: "value", ty: ::rustgo::__private::describe::Type::Address {}, offset: 0 }],
                results_offset: 8,
                frame_size: 8,
                ..__RUSTGO_METHOD
            };
            const _: () = { #record };
        }
    });
    quote! {
        ::rustgo::__when_built_by_rustgo! {
            const __RUSTGO_METHOD: ::rustgo::__private::describe::Function = ::rustgo::__private::describe::Function {
                rust_path: <#ident as ::rustgo::Declared>::DECL.rust_path,
                file: <#ident as ::rustgo::Declared>::DECL.file,
                line: <#ident as ::rustgo::Declared>::DECL.line,
                owner: <#ident as ::rustgo::Declared>::DECL.rust_path,
                role: ::rustgo::__private::role::METHOD,
                params: &[::rustgo::__private::describe::Field {
                    name: "self",
                    ty: ::rustgo::__private::describe::Type::Pointer { mutable: false, elem: &__RUSTGO_OBJECT },
                    offset: 0,
                }],
                results_offset: 8,
                #stack
                ..::rustgo::__private::describe::Function::EMPTY
            };
            #dropped
            ::rustgo::__methods!(#ident, __RUSTGO_METHOD, __RUSTGO_OBJECT);
        }
    }
}

fn options(tokens: TokenStream) -> syn::Result<Options> {
    let mut options = Options::default();
    let mut seen: Vec<String> = Vec::new();
    let (tokens, trusted) = without_unsafe(tokens);
    if trusted.is_some() {
        (options.inline, options.trusted) = (true, trusted);
        seen.push("inline".into());
    }
    for option in Punctuated::<Meta, Token![,]>::parse_terminated.parse2(tokens)? {
        let key = option.path().get_ident().map(ToString::to_string).unwrap_or_default();
        if seen.contains(&key) {
            return Err(Error::new_spanned(option.path(), format!("`{key}` is given twice")));
        }
        match (key.as_str(), &option) {
            ("inline", Meta::Path(_)) => options.inline = true,
            ("close", Meta::Path(_)) => options.close = true,
            ("exclusive", Meta::Path(_)) => options.exclusive = true,
            ("unwind_safe", Meta::Path(_)) => options.unwind_safe = true,
            ("inline" | "close" | "exclusive" | "unwind_safe", other) => {
                return Err(Error::new_spanned(other, format!("`{key}` takes no value")));
            }
            ("name", Meta::NameValue(pair)) => match &pair.value {
                Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => options.name = Some(text.value()),
                other => return Err(Error::new_spanned(other, "expected a name in quotes, as in `name = \"GoName\"`")),
            },
            ("implements", Meta::List(list)) => {
                let names = list.parse_args_with(Punctuated::<LitStr, Token![,]>::parse_terminated)?;
                for name in names {
                    if let Err(why) = crate::go_type::parse(&name.value()) {
                        return Err(Error::new_spanned(&name, format!("the Go type `{}` cannot be named: {why}", name.value())));
                    }
                    options.implements.push(name.value());
                }
            }
            ("stack", Meta::NameValue(pair)) => match &pair.value {
                Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => {
                    options.stack = Some(size(&text.value()).map_err(|why| Error::new_spanned(text, why))?);
                }
                other => return Err(Error::new_spanned(other, "expected a size in quotes, as in `stack = \"64k\"`")),
            },
            ("name", other) => return Err(Error::new_spanned(other, "expected `name = \"GoName\"`")),
            ("stack", other) => return Err(Error::new_spanned(other, "expected `stack = \"64k\"`")),
            ("implements", other) => return Err(Error::new_spanned(other, "expected `implements(\"io.Writer\", \"hash.Hash\")`")),
            _ => return Err(Error::new_spanned(option.path(), UNKNOWN)),
        }
        seen.push(key);
    }
    Ok(options)
}

/// Removes the option `unsafe(inline)` from the arguments, because syn does not parse `unsafe(inline)` as a meta item. Returns the other arguments,
/// and the span of `unsafe` if the option was there.
fn without_unsafe(tokens: TokenStream) -> (TokenStream, Option<Span>) {
    let all: Vec<TokenTree> = tokens.into_iter().collect();
    let at = all.windows(2).position(|pair| match pair {
        [TokenTree::Ident(word), TokenTree::Group(group)] => word == "unsafe" && group.stream().to_string() == "inline",
        _ => false,
    });
    let Some(at) = at else { return (all.into_iter().collect(), None) };
    let comma = |i: usize| matches!(all.get(i), Some(TokenTree::Punct(punct)) if punct.as_char() == ',');
    // The comma after the option is removed too. Without a comma after the option, the comma before the option is removed.
    let range = if comma(at + 2) {
        at..at + 3
    } else if at > 0 && comma(at - 1) {
        at - 1..at + 2
    } else {
        at..at + 2
    };
    (all.iter().enumerate().filter(|(i, _)| !range.contains(i)).map(|(_, token)| token.clone()).collect(), Some(all[at].span()))
}
