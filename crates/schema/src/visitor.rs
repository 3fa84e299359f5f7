//! Visits a decoded type and the types inside it.

use crate::types::owned::Type;

impl Type {
    /// Calls `visit` for this type and then for every type inside it.
    pub fn each<'a>(&'a self, visit: &mut impl FnMut(&'a Type)) {
        visit(self);
        match self {
            Type::Array { elem, .. }
            | Type::Pointer { elem, .. }
            | Type::Slice { elem, .. }
            | Type::List { elem, .. }
            | Type::Append { elem }
            | Type::Enum { base: elem, .. } => elem.each(visit),
            Type::Struct { fields, .. } => fields.iter().for_each(|field| field.ty.each(visit)),
            Type::Error { cases, .. } => cases.iter().flat_map(|case| &case.fields).for_each(|field| field.ty.each(visit)),
            Type::Iterator { items } => items.iter().for_each(|item| item.each(visit)),
            Type::Func { params, results, .. } => params.iter().chain(results).for_each(|ty| ty.each(visit)),
            Type::Trait { methods, .. } => {
                methods.iter().flat_map(|method| method.params.iter().chain(&method.results)).for_each(|ty| ty.each(visit));
            }
            Type::Basic(_)
            | Type::Handle { .. }
            | Type::Object { .. }
            | Type::Text { .. }
            | Type::Failure {}
            | Type::Address {}
            | Type::Interface { .. } => {}
        }
    }

    /// True if `is` returns true for this type or for a type inside it.
    #[must_use]
    pub fn has(&self, is: impl Fn(&Type) -> bool) -> bool {
        let mut found = false;
        self.each(&mut |ty| found |= is(ty));
        found
    }

    /// True for a Go function that Rust may call, and for a Go value whose methods Rust may call.
    #[must_use]
    pub fn is_called(&self) -> bool {
        matches!(self, Type::Func { .. } | Type::Interface { .. } | Type::Trait { .. })
    }

    /// True if Go must free Rust memory after reading a value of this type. Go frees the memory with the function of role
    /// [`crate::role::RELEASE`]. Types inside this type do not count.
    #[must_use]
    pub fn is_freed(&self) -> bool {
        match self {
            Type::Text { freed } | Type::List { freed, .. } => *freed,
            Type::Error { size, .. } => *size > 4,
            Type::Failure {} | Type::Append { .. } => true,
            _ => false,
        }
    }

    /// True for a Go function, or a Go value with methods, that Rust keeps after the call.
    #[must_use]
    pub fn is_kept(&self) -> bool {
        matches!(self, Type::Func { kept: true, .. } | Type::Interface { kept: true, .. } | Type::Trait { kept: true, .. })
    }

    /// Returns the declaration of this type. `None` if the Go package does not declare the type. Types inside this type do not count.
    #[must_use]
    pub fn declared(&self) -> Option<&crate::Decl> {
        match self {
            Type::Struct { decl, .. }
            | Type::Enum { decl, .. }
            | Type::Object { decl, .. }
            | Type::Error { decl, .. }
            | Type::Trait { decl, .. } => Some(decl),
            _ => None,
        }
    }
}

impl crate::Member {
    /// True for the field with the texts of an error's sources (see [`Type::Error`]), which the derive macro adds.
    #[must_use]
    pub fn is_sources(&self) -> bool {
        self.ty == Type::Failure {}
    }
}

impl crate::Variant {
    /// Returns the generated field with the texts of the error's sources. `None` if the variant lacks this field.
    #[must_use]
    pub fn sources(&self) -> Option<&crate::Member> {
        self.fields.iter().find(|field| field.is_sources())
    }
}
