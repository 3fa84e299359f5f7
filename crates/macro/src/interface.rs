//! Expands `#[rustgo::interface]`, which makes a Go interface from a trait. Go types implement the interface, and Rust calls its methods.
//!
//! ```text
//! #[rustgo::interface]
//! pub trait Loader { fn load(&self, name: &str) -> Result<Vec<u8>, GoError>; }
//!        │
//!        ▼
//! the trait, without the options of its methods
//! + its description                                                    Interface for dyn Loader
//! + methods that call Go                                               Loader for Go<'_, dyn Loader> and OwnedGo<dyn Loader>
//! ```

use crate::advice::strip;
use crate::declare::{self, Besides};
use crate::doc;
use crate::function::through;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{
    Attribute, Error, Expr, ExprLit, FnArg, Item, ItemTrait, Lit, Meta, Pat, Path, ReturnType, Signature, Token, TraitItem, TraitItemFn,
    Type, TypeImplTrait, TypeParamBound, TypeReference,
};

/// The largest number of parameters of a method, without the receiver.
const MOST_PARAMETERS: usize = 4;

pub fn interface(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let mut item = match syn::parse2::<Item>(item.clone()) {
        Ok(Item::Trait(item)) => item,
        Ok(other) => {
            let error =
                Error::new_spanned(other.to_token_stream().into_iter().next(), "only a trait can be a Go interface").to_compile_error();
            return quote!(#item #error);
        }
        // The compiler reports a syntax error better than this macro could.
        Err(_) => return item,
    };
    let added = generate(arguments, &item).unwrap_or_else(|error| error.to_compile_error());
    for method in &mut item.items {
        if let TraitItem::Fn(method) = method {
            method.attrs.retain(|attribute| !attribute.path().is_ident("rustgo"));
        }
    }
    quote!(#item #added)
}

/// A method that Go implements.
struct Method<'a> {
    ident: &'a Ident,
    go_name: String,
    attributes: &'a [Attribute],
    /// The names of the parameters in generated code.
    names: Vec<Ident>,
    texts: Vec<String>,
    types: Vec<&'a Type>,
    output: &'a ReturnType,
}

impl Method<'_> {
    /// Generates the type `fn(…) -> …` of the method, without the receiver.
    fn signature(&self) -> TokenStream {
        let (types, output) = (&self.types, self.output);
        quote_spanned!(self.ident.span()=> fn(#(#types),*) #output)
    }
}

fn generate(arguments: TokenStream, item: &ItemTrait) -> syn::Result<TokenStream> {
    let mut refusals = Refusals::default();
    refusals.of_trait(item);
    let is_borrowable = refusals.supertraits(item);
    let methods: Vec<Method<'_>> = item.items.iter().filter_map(|item| refusals.item(item)).collect();
    for (index, method) in methods.iter().enumerate() {
        if let Some(other) = methods[..index].iter().find(|other| other.go_name == method.go_name) {
            let message = format!(
                "`{}` and `{}` would both be {} in Go: give one of them another name, as in `#[rustgo(name = \"GoName\")]`",
                other.ident, method.ident, method.go_name
            );
            refusals.add(method.ident, message);
        }
    }
    let has_functions = item.items.iter().any(|item| !matches!(item, TraitItem::Fn(method) if method.default.is_some()));
    if !has_functions {
        refusals.add(&item.ident, "a Go interface needs a method that Go implements: one without a body");
    }
    if let Some(error) = refusals.0 {
        return Err(error);
    }
    let ident = &item.ident;
    let go_name = declare::type_name(ident, stated_name(arguments)?)?;
    let decl = declare::description(ident, &go_name, &item.attrs);
    // An alias names each signature once, so that the compiler reports a wrong type only once.
    let alias = |index: usize| format_ident!("__RustgoMethod{index}");
    let signatures = methods.iter().enumerate().map(|(index, method)| {
        let (alias, signature) = (alias(index), through(&method.signature(), &quote!(::rustgo::Signature), "It"));
        quote!(type #alias = #signature;)
    });
    let described = methods.iter().enumerate().map(|(index, method)| {
        let (go_name, name) = (&method.go_name, method.ident.unraw().to_string());
        let (doc, names, signature) = (doc::text(method.attributes), method.texts.join("\n"), alias(index));
        quote_spanned! {method.ident.span()=>
            ::rustgo::__private::describe::Method {
                go_name: #go_name,
                name: #name,
                doc: #doc,
                names: #names,
                params: <#signature as ::rustgo::Signature>::PARAMS,
                results: ::rustgo::__private::Types::list(&<<#signature as ::rustgo::Signature>::Result as ::rustgo::Answer>::TYPES),
            }
        }
    });
    let calls = methods.iter().enumerate().map(|(index, method)| {
        let Method { ident, names, types, output, .. } = method;
        let (index, signature) = (index as u64, alias(index));
        let call = quote_spanned!(ident.span()=> ::rustgo::__go_method!(self, #index, #signature, #(#names),*));
        quote! {
            #[inline]
            #[track_caller]
            fn #ident(&self #(, #names: #types)*) #output {
                #call
            }
        }
    });
    let calls: TokenStream = calls.collect();
    let implement = |value: TokenStream| {
        quote! {
            #[automatically_derived]
            impl #ident for #value {
                #calls
            }
        }
    };
    let borrowed = is_borrowable.then(|| implement(quote!(::rustgo::Go<'_, dyn #ident>)));
    let owned = implement(quote!(::rustgo::OwnedGo<dyn #ident>));
    let borrowable = is_borrowable.then(|| quote!(impl ::rustgo::Borrowable for dyn #ident {}));
    let conditions = item.attrs.iter().filter(|attribute| attribute.path().is_ident("cfg"));
    let deprecated = declare::deprecated(item.attrs.iter().chain(methods.iter().flat_map(|method| method.attributes)));
    Ok(quote! {
        #(#conditions)*
        #[doc(hidden)]
        #deprecated
        const _: () = {
            #(#signatures)*
            ::rustgo::__interface!(dyn #ident, #decl, &[#(#described),*]);
            #borrowable
            #borrowed
            #owned
        };
    })
}

/// Returns the name in Go that the attribute states.
fn stated_name(arguments: TokenStream) -> syn::Result<Option<String>> {
    let mut name = None;
    for option in Punctuated::<Meta, Token![,]>::parse_terminated.parse2(arguments)? {
        match option {
            Meta::NameValue(pair) if pair.path.is_ident("name") && name.is_some() => {
                return Err(Error::new_spanned(pair.path, "`name` is given twice"));
            }
            Meta::NameValue(pair) if pair.path.is_ident("name") => match &pair.value {
                Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => name = Some(text.value()),
                other => return Err(Error::new_spanned(other, "expected a string, as in `name = \"GoName\"`")),
            },
            other => return Err(Error::new_spanned(other, "unknown option; the option is `name = \"GoName\"`")),
        }
    }
    Ok(name)
}

/// The first `Self`, the first `impl Trait` and the first reference in a type.
#[derive(Default)]
struct Parts<'a> {
    this: Option<&'a Path>,
    opaque: Option<&'a TypeImplTrait>,
    reference: Option<&'a TypeReference>,
}

impl<'a> Parts<'a> {
    fn of(ty: &'a Type) -> Self {
        let mut parts = Parts::default();
        parts.visit_type(ty);
        parts
    }
}

impl<'a> Visit<'a> for Parts<'a> {
    fn visit_path(&mut self, path: &'a Path) {
        if path.segments.first().is_some_and(|first| first.ident == "Self") {
            self.this.get_or_insert(path);
        }
        visit::visit_path(self, path);
    }

    fn visit_type_impl_trait(&mut self, opaque: &'a TypeImplTrait) {
        self.opaque.get_or_insert(opaque);
        visit::visit_type_impl_trait(self, opaque);
    }

    fn visit_type_reference(&mut self, reference: &'a TypeReference) {
        self.reference.get_or_insert(reference);
        visit::visit_type_reference(self, reference);
    }
}

#[derive(Default)]
struct Refusals(Option<Error>);

impl Refusals {
    fn add(&mut self, tokens: &impl ToTokens, message: impl std::fmt::Display) {
        self.push(Error::new_spanned(tokens, message));
    }

    fn push(&mut self, error: Error) {
        match &mut self.0 {
            Some(first) => first.combine(error),
            None => self.0 = Some(error),
        }
    }

    fn of_trait(&mut self, item: &ItemTrait) {
        if let Some(unsafety) = &item.unsafety {
            self.add(unsafety, "a Go interface must be a safe trait: Go code cannot promise what an `unsafe trait` asks for");
        }
        if !item.generics.params.is_empty() {
            self.add(&item.generics, "a Go interface cannot be generic: declare a trait for each type that you need");
        }
        if let Some(clause) = &item.generics.where_clause {
            self.add(clause, "a Go interface cannot have a `where` clause");
        }
    }

    /// Checks the supertraits. Returns false if only an `OwnedGo` implements all of them. A `Go`, which lives only during a call, cannot implement
    /// a trait with such supertraits.
    fn supertraits(&mut self, item: &ItemTrait) -> bool {
        let mut is_borrowable = true;
        for bound in &item.supertraits {
            match bound {
                TypeParamBound::Lifetime(lifetime) if lifetime.ident == "static" => is_borrowable = false,
                TypeParamBound::Trait(bound) if bound.path.segments.last().is_some_and(|last| last.ident == "Send" || last.ident == "Sync") => {
                    is_borrowable = false;
                }
                TypeParamBound::Trait(bound) if bound.path.segments.last().is_some_and(|last| last.ident == "Debug") => {}
                other => self.add(
                    other,
                    "a Go interface cannot have this supertrait: a Go value has the methods of the interface, and is `Debug`, and if Rust keeps it `Send`, `Sync` and `'static`",
                ),
            }
        }
        is_borrowable
    }

    /// Checks an item of the trait, and returns the method if Go implements it.
    fn item<'a>(&mut self, item: &'a TraitItem) -> Option<Method<'a>> {
        match item {
            TraitItem::Fn(method) if method.default.is_some() => {
                if let Some(option) = method.attrs.iter().find(|attribute| attribute.path().is_ident("rustgo")) {
                    self.add(option, "a method with a body is not part of the Go interface, so it has no name in Go");
                }
                None
            }
            TraitItem::Fn(method) => self.method(method),
            TraitItem::Const(constant) => {
                self.add(&constant.const_token, "a Go interface cannot have a constant: write a method that returns it");
                None
            }
            TraitItem::Type(ty) => {
                self.add(&ty.type_token, "a Go interface cannot have an associated type: name the type in the methods");
                None
            }
            other => {
                self.add(other, "a Go interface has methods only");
                None
            }
        }
    }

    fn method<'a>(&mut self, method: &'a TraitItemFn) -> Option<Method<'a>> {
        let signature = &method.sig;
        self.conditions(&method.attrs);
        self.function(signature);
        let (mut names, mut texts, mut types) = (Vec::new(), Vec::new(), Vec::new());
        for input in signature.inputs.iter().skip(usize::from(signature.receiver().is_some())) {
            let FnArg::Typed(input) = input else { continue };
            self.conditions(&input.attrs);
            let text = match &*input.pat {
                Pat::Ident(pattern) => pattern.ident.unraw().to_string(),
                _ => format!("arg{}", names.len()),
            };
            // The parameter gets a new name. If the author had a constant with the parameter's own name, the name would be a pattern that matches
            // only the constant.
            names.push(format_ident!("__a{}", names.len(), span = Span::mixed_site()));
            texts.push(text);
            self.parts(&input.ty);
            types.push(strip(&input.ty));
        }
        if types.len() > MOST_PARAMETERS {
            let message =
                format!("a method of a Go interface has at most {MOST_PARAMETERS} parameters; pass a struct that derives `rustgo::Value`");
            self.add(&signature.inputs.last(), message);
        }
        if let ReturnType::Type(_, ty) = &signature.output {
            let parts = self.parts(ty);
            if let Some(reference) = parts.reference {
                self.add(reference, "a method of a Go interface cannot return a reference: Rust gets a copy of what Go returns; return a `String` or a `Vec<T>`");
            }
        }
        let stated = declare::stated(&method.attrs, Besides::Nothing);
        match stated.and_then(|stated| declare::member_name(&signature.ident, stated.name)) {
            Ok(go_name) => {
                Some(Method { ident: &signature.ident, go_name, attributes: &method.attrs, names, texts, types, output: &signature.output })
            }
            Err(error) => {
                self.push(error);
                None
            }
        }
    }

    /// Refuses receivers other than `&self`, and qualifiers and generic parameters that a method of a Go interface cannot have.
    fn function(&mut self, signature: &Signature) {
        match signature.receiver() {
            Some(receiver) if receiver.colon_token.is_some() || receiver.lifetime().is_some() => {
                self.add(receiver, "write the receiver as `&self`");
            }
            Some(receiver) if receiver.reference.is_none() => {
                self.add(receiver, "a method of a Go interface cannot consume the value, which belongs to Go: take `&self`");
            }
            Some(receiver) if receiver.mutability.is_some() => {
                self.add(receiver, "a method of a Go interface takes `&self`: a Go value may be used by others too, and can change behind a shared reference");
            }
            Some(_) => {}
            None => self.add(&signature.ident, "a method of a Go interface needs a receiver: `&self`"),
        }
        if let Some(unsafety) = &signature.unsafety {
            self.add(unsafety, "a method of a Go interface must be safe: Go code cannot promise preconditions; leave out `unsafe`");
        }
        if let Some(asyncness) = &signature.asyncness {
            self.add(asyncness, "a method of a Go interface cannot be `async`: Rust calls it and waits until Go has returned");
        }
        if let Some(abi) = &signature.abi {
            self.add(abi, "a method of a Go interface needs no `extern`");
        }
        if let Some(variadic) = &signature.variadic {
            self.add(variadic, "a method of a Go interface cannot be variadic; take a slice");
        }
        if !signature.generics.params.is_empty() {
            self.add(
                &signature.generics,
                "a method of a Go interface cannot be generic, nor name lifetimes: Go gets copies of texts and lists",
            );
        }
        if let Some(clause) = &signature.generics.where_clause {
            self.add(clause, "a method of a Go interface cannot have a `where` clause");
        }
    }

    /// Refuses `Self` and `impl Trait` in a type. Returns the first `Self`, the first `impl Trait` and the first reference.
    fn parts<'a>(&mut self, ty: &'a Type) -> Parts<'a> {
        let parts = Parts::of(ty);
        if let Some(this) = parts.this {
            self.add(this, "a method of a Go interface cannot pass or return `Self`, because a Go interface stands for any type");
        }
        if let Some(opaque) = parts.opaque {
            self.add(opaque, "a method of a Go interface cannot be generic, and `impl Trait` makes it so: name the type");
        }
        parts
    }

    /// Refuses `cfg` and `cfg_attr`, because all builds must have the same methods with the same indices.
    fn conditions(&mut self, attributes: &[Attribute]) {
        for attribute in attributes {
            if attribute.path().is_ident("cfg") || attribute.path().is_ident("cfg_attr") {
                self.add(attribute, "a method of a Go interface cannot be conditional: declare a trait for each case");
            }
        }
    }
}
