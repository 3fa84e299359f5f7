//! Expands `#[rustgo::export]` on a function or method.

mod assertion;
mod record;
mod shim;

pub use record::record;

use crate::advice::{first_argument, is_scalar, name as last, strip};
use crate::options::Options;
use crate::signature::{self, Checked, Outcome, Parameter};
use crate::{declare, lifetimes, name};
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::{Attribute, FnArg, GenericArgument, PathArguments, Signature, Type, TypeBareFn};

/// A function to be exported.
pub struct Subject<'a> {
    pub attributes: &'a [Attribute],
    pub signature: &'a Signature,
    /// The self type of the surrounding `impl` block, for a method or associated function.
    pub this: Option<&'a Type>,
    /// The attributes of the surrounding `impl` block.
    pub of_block: &'a [Attribute],
}

/// Generates the code that is placed after the function. For a method, the code is outside of the `impl` block.
pub fn expand(subject: &Subject<'_>, options: Options) -> syn::Result<TokenStream> {
    let function = &subject.signature.ident;
    let Checked { parameters, is_method, outcome } =
        signature::check(subject.signature, subject.attributes, subject.this.map(|this| ends(this).0))?;
    if options.blocking.is_some_and(|over| over > 0) && !can_pass_bytes(subject.signature) {
        return Err(syn::Error::new_spanned(
            function,
            "`blocking_over` counts the bytes of slices and strings that a call passes, and this function takes none: write `blocking`",
        ));
    }
    let go_name = match (&options.name, subject.this, is_method) {
        (Some(name), ..) => GoName::Whole(name.value()),
        (None, Some(_), false) if function == "new" => GoName::New,
        (None, Some(_), false) => GoName::Associated(name::camel_case(&function.unraw().to_string())),
        _ => GoName::Whole(go_name(function)?),
    };
    let results = options.results.unwrap_or_default();
    let mut taken: Vec<String> = parameters.iter().map(|parameter| parameter.text.clone()).collect();
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
    if let (Outcome::Iterator(_), [_, second, ..]) = (&outcome, results.as_slice()) {
        return Err(syn::Error::new_spanned(second, "an iterator is one result"));
    }
    if options.task && options.blocking.is_some() {
        return Err(syn::Error::new_spanned(function, "`task` and `blocking` cannot be combined"));
    }
    let export = Export {
        subject,
        parameters,
        outcome,
        is_method,
        results,
        go_name,
        int: options.int,
        stack: options.stack,
        blocking: options.blocking,
        abandons: options.abandons == Some(true),
        task: options.task,
    };
    Ok(export.expand())
}

/// True if a call may pass strings or slices, whose bytes the option `blocking_over` counts. A name in the signature may be an alias of any type, so
/// only parameters with scalar types (numbers, `bool`, `char`) certainly pass no bytes.
pub fn can_pass_bytes(signature: &Signature) -> bool {
    signature.inputs.iter().any(|input| match input {
        FnArg::Receiver(_) => false,
        FnArg::Typed(input) => !matches!(strip(&input.ty), Type::Path(path) if last(path).is_some_and(|name| is_scalar(&name))),
    })
}

/// Returns `allow(clippy::type_complexity)` for a function that has a Go function as a parameter, because the types of Go functions are long. Other
/// functions get no attribute, because the author may forbid `allow` attributes.
pub fn complex(signature: &Signature) -> Option<TokenStream> {
    struct Find(bool);
    impl Visit<'_> for Find {
        fn visit_type_bare_fn(&mut self, _: &TypeBareFn) {
            self.0 = true;
        }
    }
    let mut found = Find(false);
    signature.inputs.iter().for_each(|input| found.visit_fn_arg(input));
    found.0.then(|| quote!(#[allow(clippy::type_complexity)]))
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

/// The function's name in Go.
enum GoName {
    Whole(String),
    /// `New` followed by the type's name.
    New,
    /// The type's name followed by this text.
    Associated(String),
}

struct Export<'a> {
    subject: &'a Subject<'a>,
    parameters: Vec<Parameter>,
    outcome: Outcome,
    is_method: bool,
    /// The names of the results in Go. Empty if the attribute states no names.
    results: Vec<Ident>,
    go_name: GoName,
    int: bool,
    stack: Option<u64>,
    blocking: Option<u64>,
    abandons: bool,
    task: bool,
}

impl Export<'_> {
    /// Generates the assertions, the shim and the record, in an anonymous constant.
    ///
    /// Items in macros have no hygiene, so a generated item would hide the author's item of the same name. Therefore generated items have
    /// names that authors do not use. Local variables are hygienic (mixed site). But if the author had a constant with the name of a variable,
    /// the variable's binding would be a pattern that matches the constant. Therefore the names of variables begin with `__`. Names that an
    /// author can redefine are written as full paths (`::core::matches!`, `::core::primitive::u8`). Methods are called by the path of their
    /// type or trait, except on raw pointers and references (`tests/ui/hostile.rs`).
    fn expand(&self) -> TokenStream {
        let conditions: Vec<&Attribute> = self.subject.attributes.iter().filter(|attribute| attribute.path().is_ident("cfg")).collect();
        let deprecated = declare::deprecated(self.subject.attributes.iter().chain(self.subject.of_block));
        let complex = complex(self.subject.signature);
        let function = self.function();
        let this = self.subject.this.map(|this| {
            let name = lifetimes::this(ends(this).0);
            let known = through(this, &quote!(::rustgo::Declared), "It");
            quote!(type #name = #known;)
        });
        let modes = self.modes();
        let assertion = self.assertion();
        let shim = self.shim();
        let record = self.record();
        quote! {
            #(#conditions)*
            #[doc(hidden)]
            #deprecated
            #complex
            const _: () = {
                // This line uses the function, so that the author gets no warning about dead code.
                let _ = #function;
                #this
                #modes
                #assertion
                ::rustgo::__when_built_by_rustgo! {
                    #shim
                    #record
                }
            };
        }
    }

    /// Returns the function as an expression: its name, or its path if it is in an `impl` block.
    fn function(&self) -> TokenStream {
        let ident = &self.subject.signature.ident;
        match self.subject.this {
            None => quote!(#ident),
            Some(this) => quote_spanned!(ident.span()=> <#this>::#ident),
        }
    }

    /// Returns, for each parameter, an expression for a zero-sized value (a witness) that represents the parameter's type.
    fn witnesses(&self) -> Vec<TokenStream> {
        let bound = quote!(::rustgo::Parameter<'_>);
        let witness = |parameter: &Parameter| match &parameter.ty {
            ty if self.is_int(ty) => quote_spanned!(ty.span()=> <::rustgo::__private::Int as #bound>::WITNESS),
            ty => through(&through(ty, &bound, "It"), &bound, "WITNESS"),
        };
        self.parameters.iter().map(witness).collect()
    }

    /// True if the parameter is a `usize` that becomes Go's `int`.
    fn is_int(&self, ty: &Type) -> bool {
        self.int && matches!(ty, Type::Path(path) if path.path.is_ident("usize"))
    }

    /// Generates `TYPE as Results` for the result's type (`()` for an iterator), for use between `<` and `>`. If a part of the type cannot cross to
    /// Go, the compiler reports one error: the generated type cannot be resolved. The compiler reports no errors that follow from this error.
    fn results(&self) -> TokenStream {
        let bound = bound_of_results();
        match &self.outcome {
            Outcome::Plain(ty) => {
                let ty = through(&parts(ty, &bound_of_output()), &bound, "It");
                quote_spanned!(ty.span()=> #ty as #bound)
            }
            Outcome::Fallible(ty) => {
                let (value, error) = (through(&value_of(ty), &bound, "It"), self.error(ty));
                quote_spanned!(ty.span()=> ::rustgo::__private::Outcome<#value, #error, __RUSTGO_KIND> as #bound)
            }
            Outcome::Iterator(_) => quote!(() as #bound),
        }
    }

    /// Generates the type of the result's `Err`. If this type cannot cross to Go, the compiler reports one error, as for [`Self::results`].
    fn error(&self, result: &Type) -> TokenStream {
        through(&error_of(result), &quote!(::rustgo::Failure<__RUSTGO_KIND>), "It")
    }
}

fn bound_of_results() -> TokenStream {
    quote!(::rustgo::Results<__RUSTGO_MODE>)
}

fn bound_of_output() -> TokenStream {
    quote!(::rustgo::Output<__RUSTGO_MODE>)
}

/// Generates `TYPE as Output`, for use between `<` and `>`.
fn output(item: &Type) -> TokenStream {
    let bound = bound_of_output();
    let ty = part(item, &bound);
    quote_spanned!(ty.span()=> #ty as #bound)
}

/// Generates the type of a part of a result. If the part cannot cross to Go, the compiler cannot resolve the generated type and so reports no further
/// errors. `bound` is the trait `Output`.
pub fn part(ty: &Type, bound: &TokenStream) -> TokenStream {
    through(&parts(ty, bound), bound, "It")
}

/// Generates the result's type, with each part replaced by the associated type `It` of `bound`. So if a part cannot cross to Go, the compiler reports
/// this part, not the whole type.
fn parts(ty: &Type, bound: &TokenStream) -> TokenStream {
    let mut ty = strip(ty).clone();
    match &mut ty {
        Type::Tuple(tuple) => tuple.elems.iter_mut().for_each(|elem| *elem = Type::Verbatim(part(elem, bound))),
        Type::Reference(reference) => {
            if let Type::Slice(slice) = &mut *reference.elem {
                *slice.elem = Type::Verbatim(through(&slice.elem, &quote!(::rustgo::Element), "It"));
            }
        }
        Type::Path(path) => {
            let name = last(path);
            let arguments = path.path.segments.last_mut().map(|segment| &mut segment.arguments);
            if let Some(PathArguments::AngleBracketed(arguments)) = arguments
                && let Some(GenericArgument::Type(argument)) = arguments.args.first_mut()
            {
                match (name.as_deref(), strip(argument)) {
                    (Some("Option"), Type::Tuple(_)) => *argument = Type::Verbatim(parts(argument, bound)),
                    // An `Option` of a handle is one result, so it is not divided into parts.
                    (Some("Option"), Type::Path(inner)) if last(inner).as_deref() == Some("Handle") => {}
                    (Some("Option" | "Vec"), _) => *argument = Type::Verbatim(part(argument, bound)),
                    _ => {}
                }
            }
        }
        _ => {}
    }
    ty.to_token_stream()
}

/// Generates the type `T` of a `Result<T, E>`.
fn value_of(result: &Type) -> TokenStream {
    match arguments_of(result) {
        Some((value, _)) => parts(value, &bound_of_output()),
        None => through(result, &quote!(::rustgo::Fallible), "Value"),
    }
}

/// Generates the type `E` of a `Result<T, E>`.
fn error_of(result: &Type) -> TokenStream {
    match arguments_of(result) {
        Some((_, Some(error))) => error.to_token_stream(),
        _ => through(result, &quote!(::rustgo::Fallible), "Error"),
    }
}

/// Returns the type arguments of `Result<T, E>` in the source: `T`, and `E` if the source states it (`Result<T>` may be an alias).
fn arguments_of(result: &Type) -> Option<(&Type, Option<&Type>)> {
    let Type::Path(path) = strip(result) else { return None };
    let PathArguments::AngleBracketed(arguments) = &path.path.segments.last()?.arguments else { return None };
    let mut types = arguments.args.iter().filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    });
    Some((first_argument(path)?, types.nth(1)))
}

/// Generates `<TYPE as BOUND>::ITEM`.
///
/// Generated code names every type in this form. So a wrong type always causes the same error at the same place, and the compiler prints equal
/// errors only once. No further error follows, because the compiler cannot resolve the item.
pub fn through(ty: &impl ToTokens, bound: &TokenStream, item: &str) -> TokenStream {
    let (begin, end) = ends(ty);
    let item = Ident::new(item, end);
    let (open, close) = (quote_spanned!(begin=> <), quote_spanned!(end=> >::#item));
    quote!(#open #ty as #bound #close)
}

/// Returns the spans of the first and the last token. A compiler message with both spans covers all tokens.
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
