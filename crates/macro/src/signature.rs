//! Refuses signatures that, by their syntax, cannot cross the boundary to Go, and says what the author should write instead.
//!
//! Only the compiler can judge some types (aliases, the author's own types). This module accepts them, and the traits of the support crate check
//! them.

use crate::advice::{self, first_argument, name, show, strip};
use crate::lifetimes::{self, Captured, Lifetimes, anonymous};
use proc_macro2::{Ident, Span};
use quote::{ToTokens, quote_spanned};
use syn::ext::IdentExt;
use syn::{Attribute, Error, FnArg, GenericArgument, Pat, PatType, PathArguments, Receiver, ReturnType, Signature, Type, TypeParamBound};

/// A parameter of an exported function, or its receiver.
pub struct Parameter {
    /// The parameter's name in Go and in panic messages.
    pub text: String,
    /// The parameter's name in generated code.
    pub name: Ident,
    /// The parameter's type without named lifetimes and without `Self`.
    pub ty: Type,
    /// The span of the parameter's name in the source.
    pub place: Span,
    /// True if the lifetimes in the signature let the result borrow memory to which this parameter refers.
    pub lends: bool,
    /// True if the result is an iterator that may refer to memory to which this parameter refers.
    pub kept: bool,
}

/// The kind of a function's result.
pub enum Outcome {
    /// A result that is neither a `Result` nor an iterator.
    Plain(Type),
    /// A result of type `Result`.
    Fallible(Type),
    /// An iterator, with its item types: one type, or two if the item is a pair.
    Iterator(Vec<Type>),
}

/// The parts of a signature that the syntax check has accepted.
pub struct Checked {
    pub parameters: Vec<Parameter>,
    /// True if the first parameter is the receiver.
    pub is_method: bool,
    pub outcome: Outcome,
}

/// The largest number of parameters. The field `nilable` of the function's record has 64 bits, one for each parameter.
const MOST_PARAMETERS: usize = 64;

pub const ONE_APPENDED: &str = "a function appends to one slice: Go gets it as the first result";

/// Checks a signature. The error contains all refusals. `this` is the span of the self type if the function is in an `impl` block.
pub fn check(signature: &Signature, attributes: &[Attribute], this: Option<Span>) -> syn::Result<Checked> {
    let mut refusals = Refusals::default();
    refusals.function(signature, attributes);
    let (mut lifetimes, captured) = borrowed(&signature.output);
    lifetimes.with_longer(&signature.generics);
    let receiver = matches!(signature.inputs.first(), Some(FnArg::Receiver(receiver)) if receiver.reference.is_some());
    let mut parameters: Vec<Parameter> = Vec::new();
    for input in &signature.inputs {
        let (found, own, elects) = match input {
            FnArg::Receiver(input) => (refusals.receiver(input, this), Lifetimes::of(&input.ty), receiver),
            FnArg::Typed(input) => (refusals.parameter(input, this), Lifetimes::of(&input.ty), !receiver),
        };
        let Some(mut found) = found else { continue };
        found.lends = own.meets(&lifetimes) || (lifetimes.elided && elects && !own.is_empty());
        found.kept = captured.as_ref().is_some_and(|captured| captured.holds(&own));
        parameters.push(found);
    }
    let outcome = match &signature.output {
        ReturnType::Default => Outcome::Plain(syn::parse_quote!(())),
        ReturnType::Type(_, ty) => refusals.outcome(ty, this),
    };
    let appended: Vec<&Parameter> = parameters.iter().filter(|parameter| is_append(&parameter.ty)).collect();
    if let [_, second, ..] = appended.as_slice() {
        refusals.add(&second.ty, ONE_APPENDED);
    }
    match refusals.0 {
        None => Ok(Checked { is_method: matches!(signature.inputs.first(), Some(FnArg::Receiver(_))), parameters, outcome }),
        Some(error) => Err(error),
    }
}

/// Returns the lifetimes of the memory from which the results borrow. If the result is an iterator, also returns the memory to which the iterator
/// refers. The error of a `Result` borrows nothing, because its text and its fields are copied.
fn borrowed(output: &ReturnType) -> (Lifetimes, Option<Captured>) {
    let ReturnType::Type(_, ty) = output else { return (Lifetimes::default(), None) };
    match strip(ty) {
        Type::ImplTrait(implemented) => {
            let mut lifetimes = Lifetimes::default();
            for item in items(implemented).iter().flatten().map(Lifetimes::of) {
                lifetimes.elided |= item.elided;
                lifetimes.named.extend(item.named);
            }
            (lifetimes, Some(Captured::by(implemented)))
        }
        Type::Path(path) if name(path).as_deref() == Some("Result") => match first_argument(path) {
            Some(value) => (Lifetimes::of(value), None),
            None => (Lifetimes::of(ty), None),
        },
        ty => (Lifetimes::of(ty), None),
    }
}

/// True if the type is `&mut Append<T>`.
fn is_append(ty: &Type) -> bool {
    let Type::Reference(reference) = strip(ty) else { return false };
    matches!(strip(&reference.elem), Type::Path(path) if name(path).as_deref() == Some("Append"))
}

#[derive(Default)]
struct Refusals(Option<Error>);

impl Refusals {
    fn add(&mut self, tokens: &impl ToTokens, message: impl std::fmt::Display) {
        let error = Error::new_spanned(tokens, message);
        match &mut self.0 {
            Some(first) => first.combine(error),
            None => self.0 = Some(error),
        }
    }

    fn function(&mut self, signature: &Signature, attributes: &[Attribute]) {
        if signature.inputs.len() > MOST_PARAMETERS {
            self.add(
                &signature.ident,
                format!("an exported function has at most {MOST_PARAMETERS} parameters, the receiver among them; take a struct that derives `rustgo::Value`"),
            );
        }
        if let Some(unsafety) = &signature.unsafety {
            self.add(
                unsafety,
                "an exported function must be safe: Go code cannot promise what an `unsafe fn` asks for; check it, and panic",
            );
        }
        if let Some(asyncness) = &signature.asyncness {
            self.add(
                asyncness,
                "an exported function cannot be `async`: Go waits until the call returns; for concurrent calls, Go starts goroutines",
            );
        }
        if let Some(abi) = &signature.abi {
            self.add(abi, "an exported function needs no `extern`: the attribute generates the function that Go calls");
        }
        if let Some(variadic) = &signature.variadic {
            self.add(variadic, "an exported function cannot be variadic; take a slice");
        }
        for parameter in &signature.generics.params {
            match parameter {
                syn::GenericParam::Lifetime(lifetime) => {
                    if let Some(bound) = lifetime.bounds.iter().find(|bound| bound.ident == "static") {
                        self.add(bound, "an argument of Go's is borrowed for the call only; leave out `'static`, and copy what must stay");
                    }
                }
                syn::GenericParam::Type(ty) if is_callback(ty, signature) => {
                    self.add(ty, format!("an exported function cannot be generic over `{}`: {}", ty.ident, advice::CALLBACK));
                }
                syn::GenericParam::Type(ty) => {
                    self.add(ty, format!("an exported function cannot be generic over `{}`: Go calls one function; export one for each type", ty.ident));
                }
                syn::GenericParam::Const(constant) => self.add(
                    constant,
                    format!("an exported function cannot be generic over `{}`: Go calls one function; take a slice, or export one for each value", constant.ident),
                ),
            }
        }
        if let (true, Some(clause)) = (signature.generics.type_params().next().is_none(), &signature.generics.where_clause) {
            self.add(clause, "an exported function cannot have a `where` clause");
        }
        for attribute in attributes {
            if attribute.path().is_ident("target_feature") {
                self.add(
                    attribute,
                    "an exported function cannot require CPU features, because its caller in Go does not check them; detect them inside, or build for a CPU level",
                );
            }
        }
    }

    /// Checks the receiver `self` in any of its forms.
    fn receiver(&mut self, receiver: &Receiver, this: Option<Span>) -> Option<Parameter> {
        let Some(span) = this else {
            self.add(receiver, "an exported function cannot take `self`: write `#[rustgo::export]` above the whole `impl` block");
            return None;
        };
        if receiver.colon_token.is_some() {
            self.add(receiver, "write the receiver as `&self`, `&mut self` or `self`");
            return None;
        }
        let this = lifetimes::this(span);
        let ty: Type = match (&receiver.reference, receiver.mutability) {
            (Some(_), Some(_)) => syn::parse2(quote_spanned!(span=> &mut #this)).ok()?,
            (Some(_), None) => syn::parse2(quote_spanned!(span=> &#this)).ok()?,
            (None, _) => syn::parse2(quote_spanned!(span=> #this)).ok()?,
        };
        Some(Parameter {
            text: "self".into(),
            name: Ident::new("__self", Span::mixed_site()),
            ty,
            place: receiver.self_token.span,
            lends: false,
            kept: false,
        })
    }

    fn parameter(&mut self, input: &PatType, this: Option<Span>) -> Option<Parameter> {
        for attribute in &input.attrs {
            if attribute.path().is_ident("cfg") || attribute.path().is_ident("cfg_attr") {
                self.add(attribute, "a parameter of an exported function cannot be conditional: write the function twice");
            }
        }
        let name = match &*input.pat {
            Pat::Ident(pattern) if pattern.by_ref.is_none() && pattern.subpat.is_none() => &pattern.ident,
            pattern => {
                self.add(
                    pattern,
                    "a parameter of an exported function needs a plain name, because Go's documentation and panic messages show the name",
                );
                return None;
            }
        };
        if let Some((part, advice)) = advice::of_parameter(&input.ty) {
            self.add(&part, format!("parameter `{name}` of type `{}` cannot cross the boundary to Go: {advice}", show(&input.ty)));
            return None;
        }
        let text = name.unraw().to_string();
        Some(Parameter { text, name: name.clone(), ty: anonymous(&input.ty, this), place: name.span(), lends: false, kept: false })
    }

    fn outcome(&mut self, ty: &Type, this: Option<Span>) -> Outcome {
        let stripped = strip(ty);
        if let Type::ImplTrait(implemented) = stripped {
            return match items(implemented) {
                Some(items) => {
                    for item in &items {
                        if let Some((part, advice)) = advice::of_item(item) {
                            self.add(&part, format!("the items of type `{}` cannot cross the boundary to Go: {advice}", show(item)));
                        }
                    }
                    Outcome::Iterator(items.iter().map(|item| anonymous(item, this)).collect())
                }
                None => {
                    self.add(
                        ty,
                        format!(
                            "the result of type `{}` cannot cross the boundary to Go: {}",
                            show(ty),
                            if advice::calls(&implemented.bounds) {
                                "Go cannot call Rust's closures; return an object that has a method"
                            } else {
                                "`impl Trait` stands for a type that Go cannot know; name the type, or give an `impl Iterator<Item = T>`"
                            }
                        ),
                    );
                    Outcome::Plain(ty.clone())
                }
            };
        }
        if let Type::Path(path) = stripped
            && name(path).as_deref() == Some("Result")
        {
            if let Some(value) = first_argument(path)
                && let Some((part, advice)) = advice::of_value(value)
            {
                self.add(&part, format!("the result of type `{}` cannot cross the boundary to Go: {advice}", show(ty)));
            }
            return Outcome::Fallible(anonymous(ty, this));
        }
        if let Some((part, advice)) = advice::of_result(ty) {
            self.add(&part, format!("the result of type `{}` cannot cross the boundary to Go: {advice}", show(ty)));
        }
        Outcome::Plain(anonymous(ty, this))
    }
}

/// True if the type parameter stands for a function or closure.
fn is_callback(parameter: &syn::TypeParam, signature: &Signature) -> bool {
    let clauses = signature.generics.where_clause.iter().flat_map(|clause| &clause.predicates);
    let mut bounded = clauses.filter_map(|predicate| match predicate {
        syn::WherePredicate::Type(bounded) => Some(bounded),
        _ => None,
    });
    let is_it = |ty: &Type| matches!(strip(ty), Type::Path(path) if path.path.is_ident(&parameter.ident));
    advice::calls(&parameter.bounds) || bounded.any(|clause| is_it(&clause.bounded_ty) && advice::calls(&clause.bounds))
}

/// Returns the item types of an `impl Iterator`: one type, or two if the item is a pair. `None` if the type is not an iterator or states no `Item`.
fn items(implemented: &syn::TypeImplTrait) -> Option<Vec<Type>> {
    let bound = implemented.bounds.iter().find_map(|bound| match bound {
        TypeParamBound::Trait(bound) => bound.path.segments.last().filter(|segment| {
            let name = segment.ident.to_string();
            name == "Iterator" || name == "DoubleEndedIterator" || name == "ExactSizeIterator" || name == "FusedIterator"
        }),
        _ => None,
    })?;
    let PathArguments::AngleBracketed(arguments) = &bound.arguments else { return None };
    let item = arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::AssocType(item) if item.ident == "Item" => Some(&item.ty),
        _ => None,
    })?;
    Some(match strip(item) {
        Type::Tuple(pair) if pair.elems.len() == 2 => pair.elems.iter().cloned().collect(),
        _ => vec![item.clone()],
    })
}
