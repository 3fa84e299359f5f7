//! What is inside a type that was decoded.

use crate::types::owned::Type;

impl Type {
    /// Visits the type, and then all types inside it.
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
            Type::Basic(_) | Type::Handle { .. } | Type::Object { .. } | Type::Text { .. } | Type::Failure {} | Type::Address {} => {}
        }
    }

    /// Is the type, or one inside it, one of these?
    #[must_use]
    pub fn has(&self, is: impl Fn(&Type) -> bool) -> bool {
        let mut found = false;
        self.each(&mut |ty| found |= is(ty));
        found
    }

    /// Does Go have to free memory of Rust's when it has read a value of the type itself? ([`crate::role::RELEASE`])
    #[must_use]
    pub fn is_freed(&self) -> bool {
        match self {
            Type::Text { freed } | Type::List { freed, .. } => *freed,
            Type::Error { size, .. } => *size > 4,
            Type::Failure {} | Type::Append { .. } => true,
            _ => false,
        }
    }

    /// What the package declares for the type itself.
    #[must_use]
    pub fn declared(&self) -> Option<&crate::Decl> {
        match self {
            Type::Struct { decl, .. } | Type::Enum { decl, .. } | Type::Object { decl, .. } | Type::Error { decl, .. } => Some(decl),
            _ => None,
        }
    }
}

impl crate::Member {
    /// Is it no field of the author's error, but the texts of the error's sources ([`Type::Error`])?
    #[must_use]
    pub fn is_sources(&self) -> bool {
        self.ty == Type::Failure {}
    }
}

impl crate::Variant {
    /// The texts of the error's sources, if the error has them.
    #[must_use]
    pub fn sources(&self) -> Option<&crate::Member> {
        self.fields.iter().find(|field| field.is_sources())
    }
}
