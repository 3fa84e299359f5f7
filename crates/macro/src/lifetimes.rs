//! Determines from which parameters a result may borrow, by the lifetimes in the signature. An alias may hide a reference, so this module assumes
//! that a type with an unknown name contains a reference. The assertions in `function/assertion.rs` make the compiler check these results.

use crate::advice::{is_scalar, name, strip};
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use std::collections::BTreeSet;
use syn::visit::Visit;
use syn::visit_mut::VisitMut;
use syn::{CapturedParam, Generics, Lifetime, Macro, Path, PathArguments, Type, TypeImplTrait, TypeParamBound, TypePath, TypeReference};

/// The lifetimes of the references in a type, except `'static`.
#[derive(Default)]
pub struct Lifetimes {
    pub named: BTreeSet<String>,
    /// True if a reference has no named lifetime, or if a type with an unknown name (such as an alias) may contain such a reference.
    pub elided: bool,
}

impl Lifetimes {
    pub fn of(ty: &Type) -> Self {
        let mut lifetimes = Self::default();
        lifetimes.visit_type(ty);
        lifetimes
    }

    /// Adds each lifetime `'b` with a bound `'b: 'a` for a lifetime `'a` of this set. Because of the bound, a value with lifetime `'a` may refer to
    /// memory with lifetime `'b`.
    pub fn with_longer(&mut self, generics: &Generics) {
        let bounds = || generics.lifetimes().flat_map(|longer| longer.bounds.iter().map(move |shorter| (&longer.lifetime, shorter)));
        // One round for each lifetime suffices: a chain of bounds is no longer than the list of lifetimes.
        for _ in generics.lifetimes() {
            for (longer, shorter) in bounds() {
                if self.named.contains(&shorter.ident.to_string()) {
                    self.named.insert(longer.ident.to_string());
                }
            }
        }
    }

    pub fn is_empty(&self) -> bool {
        !self.elided && self.named.is_empty()
    }

    pub fn meets(&self, other: &Self) -> bool {
        self.named.iter().any(|name| other.named.contains(name))
    }
}

impl Visit<'_> for Lifetimes {
    fn visit_lifetime(&mut self, lifetime: &Lifetime) {
        match lifetime.ident.to_string().as_str() {
            "static" => {}
            "_" => self.elided = true,
            name => drop(self.named.insert(name.to_owned())),
        }
    }

    fn visit_type_reference(&mut self, reference: &TypeReference) {
        self.elided |= reference.lifetime.is_none();
        syn::visit::visit_type_reference(self, reference);
    }

    fn visit_type_path(&mut self, path: &TypePath) {
        let owned = ["str", "String", "Vec", "Box", "Option", "Result", "Handle", "Append", "Self"];
        let known = name(path).is_some_and(|name| is_scalar(&name) || owned.contains(&name.as_str()));
        let arguments = path.path.segments.last().map(|segment| &segment.arguments);
        let explicit = match arguments {
            Some(PathArguments::AngleBracketed(arguments)) => {
                arguments.args.iter().any(|argument| matches!(argument, syn::GenericArgument::Lifetime(_)))
            }
            _ => false,
        };
        self.elided |= !known && !explicit;
        syn::visit::visit_type_path(self, path);
    }

    fn visit_type_macro(&mut self, _: &syn::TypeMacro) {
        self.elided = true;
    }
}

/// The memory of parameters to which an iterator may refer.
pub enum Captured {
    /// All memory to which any parameter refers.
    All,
    /// Only memory that has one of the lifetimes.
    Some(Lifetimes),
}

impl Captured {
    pub fn by(implemented: &TypeImplTrait) -> Self {
        let forever =
            implemented.bounds.iter().any(|bound| matches!(bound, TypeParamBound::Lifetime(lifetime) if lifetime.ident == "static"));
        if forever {
            return Self::Some(Lifetimes::default());
        }
        let captures = implemented.bounds.iter().find_map(|bound| match bound {
            TypeParamBound::PreciseCapture(captures) => Some(captures),
            _ => None,
        });
        let Some(captures) = captures else { return Self::All };
        let mut lifetimes = Lifetimes::default();
        for parameter in &captures.params {
            if let CapturedParam::Lifetime(lifetime) = parameter {
                lifetimes.visit_lifetime(lifetime);
            }
        }
        Self::Some(lifetimes)
    }

    /// True if the iterator may refer to memory of a parameter whose type has these lifetimes.
    pub fn holds(&self, parameter: &Lifetimes) -> bool {
        match self {
            Self::All => !parameter.is_empty(),
            Self::Some(lifetimes) => lifetimes.meets(parameter) || (lifetimes.elided && parameter.elided),
        }
    }
}

/// Returns the name of the type alias that replaces `Self` in generated code.
pub fn this(span: Span) -> Ident {
    Ident::new("__RustgoThis", span)
}

/// Returns the arguments of a macro call, with `Self` replaced by the alias.
fn without_self(tokens: TokenStream, this: Option<Span>) -> TokenStream {
    let other = |token| match token {
        TokenTree::Ident(word) if word == "Self" => TokenTree::Ident(self::this(this.unwrap_or_else(|| word.span()))),
        TokenTree::Group(group) => {
            let mut within = Group::new(group.delimiter(), without_self(group.stream(), this));
            within.set_span(group.span());
            TokenTree::Group(within)
        }
        other => other,
    };
    tokens.into_iter().map(other).collect()
}

/// Returns the type for generated code: without named lifetimes, and with `Self` replaced by an alias. `this` is the span of the type that `Self`
/// stands for. If the package does not declare this type, the compiler reports the error at this span, and only once.
pub fn anonymous(ty: &Type, this: Option<Span>) -> Type {
    struct Anonymous(Option<Span>);
    impl VisitMut for Anonymous {
        fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
            if lifetime.ident != "static" {
                lifetime.ident = Ident::new("_", lifetime.ident.span());
            }
        }

        // Paths occur in types, and also in array lengths and other constants: `Self`, `Self::LEN`.
        fn visit_path_mut(&mut self, path: &mut Path) {
            if let Some(first) = path.segments.first_mut()
                && first.ident == "Self"
            {
                first.ident = self::this(self.0.unwrap_or_else(|| first.ident.span()));
            }
            syn::visit_mut::visit_path_mut(self, path);
        }

        fn visit_macro_mut(&mut self, called: &mut Macro) {
            called.tokens = without_self(std::mem::take(&mut called.tokens), self.0);
        }
    }
    let mut ty = strip(ty).clone();
    Anonymous(this).visit_type_mut(&mut ty);
    ty
}
