//! Finds the types that the export records (the macro's descriptions of exports) declare, for the module bind.

use super::Described;
use crate::diag::Place;
use rustgo_schema::{Constant, Decl, Type, object as bits};
use std::collections::BTreeSet;

/// A type that the package declares in Go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    /// The type: a struct, an enum, an error, an object or a trait. For a trait, `kept` is always false, so that all uses of the trait give the same
    /// declaration, whether Rust keeps the Go value or not.
    pub ty: Type,
    /// The declaration in the export record.
    pub decl: Decl,
    /// True if wrappers lock an object of this type while Rust uses the object. The lock is necessary in three cases: a function changes or consumes
    /// an object of the type; the type has a method Close; only one call at a time may use an object.
    pub locked: bool,
}

impl Declared {
    /// Returns the source place of the type's definition.
    pub fn place(&self) -> Place {
        place(&self.decl.rust_path, &self.decl.file, self.decl.line)
    }
}

/// Returns the source place of an item in an export record.
pub fn place(rust_path: &str, file: &str, line: u32) -> Place {
    Place { function: rust_path.to_owned(), file: Some(file.to_owned()), line: Some(line), inlined: None }
}

/// Finds the type with this Rust path.
pub fn find<'a>(types: &'a [Declared], rust_path: &str) -> Option<&'a Declared> {
    types.iter().find(|declared| declared.decl.rust_path == rust_path)
}

/// Returns the declared types that these functions and constants use, directly or inside other types. If two functions or constants describe a type
/// differently, the result contains both descriptions.
pub fn declared(functions: &[Described<'_>], constants: &[Constant]) -> Vec<Declared> {
    let locked = locked(functions);
    let fields = functions.iter().flat_map(|described| described.function.params.iter().chain(&described.function.results));
    let mut types: Vec<Declared> = Vec::new();
    for ty in fields.map(|field| &field.ty).chain(constants.iter().map(|constant| &constant.ty)) {
        ty.each(&mut |ty| {
            let Some(decl) = ty.declared() else { return };
            let mut ty = ty.clone();
            if let Type::Trait { kept, .. } = &mut ty {
                *kept = false;
            }
            let declared = Declared { ty, decl: decl.clone(), locked: locked.contains(&decl.rust_path) };
            if !types.contains(&declared) {
                types.push(declared);
            }
        });
    }
    types.sort_by(|a, b| (&a.decl.go_name, &a.decl.rust_path).cmp(&(&b.decl.go_name, &b.decl.rust_path)));
    types
}

/// Returns the Rust paths of the object types whose objects wrappers must lock. Objects in Go's memory are not locked: users must synchronise their
/// use, as for other Go values.
fn locked(functions: &[Described<'_>]) -> BTreeSet<String> {
    let mut locked = BTreeSet::new();
    for function in functions.iter().map(|described| described.function) {
        let consumed = function.params.iter().filter_map(|field| heap_object(&field.ty)).map(|(decl, _)| decl);
        locked.extend(consumed.map(|decl| decl.rust_path.clone()));
        for field in function.params.iter().chain(&function.results) {
            field.ty.each(&mut |ty| {
                let object = match ty {
                    Type::Pointer { mutable, elem } => heap_object(elem).filter(|(_, flags)| *mutable || is_locked_anyway(*flags)),
                    ty => heap_object(ty).filter(|(_, flags)| is_locked_anyway(*flags)),
                };
                locked.extend(object.map(|(decl, _)| decl.rust_path.clone()));
                // If a Go function returns an object to Rust, Rust consumes the object.
                let answers: Vec<&Type> = match ty {
                    Type::Func { results, .. } => results.iter().collect(),
                    Type::Trait { methods, .. } => methods.iter().flat_map(|method| &method.results).collect(),
                    _ => Vec::new(),
                };
                locked.extend(answers.into_iter().filter_map(heap_object).map(|(decl, _)| decl.rust_path.clone()));
            });
        }
    }
    locked
}

fn heap_object(ty: &Type) -> Option<(&Decl, u64)> {
    match ty {
        Type::Object { decl, words: 0, flags, .. } => Some((decl, *flags)),
        _ => None,
    }
}

fn is_locked_anyway(flags: u64) -> bool {
    flags & (bits::CLOSE | bits::EXCLUSIVE) != 0
}
