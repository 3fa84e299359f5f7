//! Expands `#[rustgo::export]` on a function, an `impl` block, a constant or a static.

use crate::constant;
use crate::function::{self, Subject};
use crate::options::{self, Options};
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{Attribute, Error, ImplItem, ItemFn, ItemImpl, Meta, Visibility};

pub fn export(arguments: TokenStream, item: TokenStream) -> TokenStream {
    match generate(arguments, &item) {
        Ok(tokens) => tokens,
        // The item is kept beside the error message, so that uses of the item cause no further errors.
        Err(error) => {
            let item = without_marks(item);
            let error = error.to_compile_error();
            quote!(#item #error)
        }
    }
}

fn generate(arguments: TokenStream, item: &TokenStream) -> syn::Result<TokenStream> {
    if let Ok(function) = syn::parse2::<ItemFn>(item.clone()) {
        let options = options::parse(arguments)?;
        let subject = Subject { attributes: &function.attrs, signature: &function.sig, this: None, of_block: &[] };
        let added = function::expand(&subject, options)?;
        let complex = function::complex(&function.sig);
        return Ok(quote!(#complex #item #added));
    }
    match syn::parse2::<syn::Item>(item.clone()) {
        Ok(syn::Item::Impl(block)) => methods(arguments, block),
        Ok(syn::Item::Const(constant)) => {
            let added = constant::constant(arguments, &constant)?;
            Ok(quote!(#item #added))
        }
        Ok(syn::Item::Static(variable)) => {
            let added = constant::variable(arguments, &variable)?;
            Ok(quote!(#item #added))
        }
        Ok(other) => {
            Err(Error::new_spanned(first_token(&other), "only a function, an `impl` block, a constant or a static can be exported"))
        }
        // syn cannot parse the item. If the item has a syntax error, the compiler reports this error too, because `export` keeps the item.
        Err(_) => Err(Error::new(
            Span::call_site(),
            "the item cannot be parsed: only a function with a body, an `impl` block, a constant or a static can be exported",
        )),
    }
}

/// Exports the public functions of an `impl` block.
fn methods(arguments: TokenStream, mut block: ItemImpl) -> syn::Result<TokenStream> {
    if let Some((_, path, _)) = &block.trait_ {
        return Err(Error::new_spanned(
            path,
            "an `impl` block of a trait cannot be exported: write the functions in an `impl` block without a trait; an object that is `Clone` or `Display` has the methods `Clone` and `String` in Go anyway",
        ));
    }
    if !block.generics.params.is_empty() || block.generics.where_clause.is_some() {
        return Err(Error::new_spanned(
            &block.generics,
            "the methods of a generic type cannot be exported: Go has one type; export a type of its own around each, as in `struct Words(List<String>)`",
        ));
    }
    let common = options::parse(arguments)?;
    if let Some(name) = &common.name {
        return Err(Error::new_spanned(
            name,
            "every function of the block has a name of its own: `#[rustgo::export(name = \"GoName\")]` above it",
        ));
    }
    let this = block.self_ty.clone();
    let mut added = Vec::new();
    let mut errors: Option<Error> = None;
    let mut any = false;
    let counts = common.blocking.is_some_and(|over| over > 0);
    let mut counted = false;
    for item in &mut block.items {
        let ImplItem::Fn(function) = item else { continue };
        let (marks, attributes): (Vec<Attribute>, Vec<Attribute>) = std::mem::take(&mut function.attrs).into_iter().partition(is_mark);
        function.attrs = attributes;
        if !matches!(function.vis, Visibility::Public(_)) && marks.is_empty() {
            continue;
        }
        any = true;
        // The option `blocking_over` of a block applies only to functions that can pass strings or slices.
        let passes = function::can_pass_bytes(&function.sig);
        counted |= passes;
        let common = Options { blocking: common.blocking.filter(|over| *over == 0 || passes), ..common.clone() };
        let exported = marks.iter().try_fold(Some(common), |options, mark| {
            let tokens = match &mark.meta {
                Meta::List(list) => list.tokens.clone(),
                _ => TokenStream::new(),
            };
            if tokens.to_string() == "skip" {
                return Ok(None);
            }
            let own = options::parse(tokens)?;
            Ok::<_, Error>(options.map(|options| options.with(own)))
        });
        let expanded = exported.and_then(|options| match options {
            None => Ok(TokenStream::new()),
            Some(options) => {
                let subject = Subject { attributes: &function.attrs, signature: &function.sig, this: Some(&this), of_block: &block.attrs };
                function::expand(&subject, options)
            }
        });
        let complex = function::complex(&function.sig);
        function.attrs.extend(complex.map(|complex| -> Attribute { syn::parse_quote!(#complex) }));
        match (expanded, &mut errors) {
            (Ok(tokens), _) => added.push(tokens),
            (Err(error), Some(errors)) => errors.combine(error),
            (Err(error), None) => errors = Some(error),
        }
    }
    if !any {
        return Err(Error::new_spanned(&block.self_ty, "the block has no public function: mark the functions for Go as `pub`"));
    }
    if counts && !counted {
        return Err(Error::new_spanned(
            &block.self_ty,
            "`blocking_over` counts the bytes of slices and strings that a call passes, and no function of the block takes any: write `blocking`",
        ));
    }
    match errors {
        None => Ok(quote!(#block #(#added)*)),
        Some(errors) => {
            let errors = errors.to_compile_error();
            Ok(quote!(#block #errors))
        }
    }
}

/// True if the attribute is `#[rustgo::export(…)]`, `#[export(…)]` or `#[rustgo(…)]`: the options of one function in an exported block.
fn is_mark(attribute: &Attribute) -> bool {
    let path = attribute.path();
    let segments: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    matches!(segments.iter().map(String::as_str).collect::<Vec<_>>().as_slice(), ["rustgo"] | ["export"] | ["rustgo", "export"])
}

/// Returns the item. If it is an `impl` block, removes the attributes of its functions that only `#[rustgo::export]` understands.
fn without_marks(item: TokenStream) -> TokenStream {
    let Ok(mut block) = syn::parse2::<ItemImpl>(item.clone()) else { return item };
    for item in &mut block.items {
        if let ImplItem::Fn(function) = item {
            function.attrs.retain(|attribute| !is_mark(attribute));
        }
    }
    quote!(#block)
}

pub fn first_token(item: &impl ToTokens) -> TokenStream {
    item.to_token_stream().into_iter().take(1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The type of a Go function is complex in clippy's sense, so a function with such a parameter gets an `allow`. Other functions get none, because
    /// the author may forbid `allow` attributes.
    #[test]
    fn go_functions_may_have_complex_types() {
        let allowed = |item: TokenStream| export(TokenStream::new(), item).to_string().matches("allow (clippy :: type_complexity)").count();
        assert_eq!(
            allowed(quote!(
                pub fn f(g: Option<Func<'_, fn(&str) -> Vec<u8>>>) {}
            )),
            2
        );
        assert_eq!(
            allowed(quote!(
                pub fn f(g: &[u8]) -> Vec<u8> {}
            )),
            0
        );
        let block = quote! {
            impl Queue {
                pub fn add(&mut self, f: OwnedFunc<fn(u64)>) {}
                pub fn len(&self) -> u64 {}
            }
        };
        assert_eq!(allowed(block), 2);
    }
}
