//! What the generated package offers to Go.
//!
//! The records of each target's object give a [`Package`]; after [`agree()`] there is one for all targets. Every name that
//! Go sees is decided here, once: lowering, the Go file, the comparison with the folder's other files and `inspect` take
//! names, types and declarations from the package. What a stage knows of an export on one target (its shim, its stack) it
//! keeps by [`ExportId`].
//!
//! A *raw function* is the Go function without a body that the assembly defines; a *wrapper* is the Go function around it, if one is needed.

mod agree;
mod declared;
mod function;
mod items;
mod names;
mod types;

pub use agree::agree;
pub use declared::{Declared, place};
pub use function::{Blocking, Function, Param, Role};
pub use items::Item;
pub use types::{HANDLE, elem_type, go_type, is_direct, package_name, raw_type, refers, show};

use crate::ids::ExportId;
use crate::load::Export;
use cranelift_entity::PrimaryMap;
use declared::declared;
use rustgo_schema::Constant;

/// The description of a Go package.
#[derive(Clone, Debug, Default)]
pub struct Package {
    /// In the order of the object's exports: that of their Go names.
    pub functions: PrimaryMap<ExportId, Function>,
    /// The types that the package declares, in the order of their Go names; those that functions and constants name, and those inside.
    pub types: Vec<Declared>,
    /// In the order of their Go names.
    pub constants: Vec<Constant>,
}

/// What the record of an export says.
#[derive(Clone, Copy, Debug)]
pub struct Described<'a> {
    pub function: &'a rustgo_schema::Function,
    pub is_routine: bool,
    /// It is part of the run-time package, whose functions stand for themselves.
    pub is_runtime: bool,
}

impl<'a> From<&'a rustgo_schema::Function> for Described<'a> {
    fn from(function: &'a rustgo_schema::Function) -> Self {
        Self { function, is_routine: false, is_runtime: false }
    }
}

impl<'a> From<&'a Export> for Described<'a> {
    fn from(export: &'a Export) -> Self {
        Self { function: &export.schema, is_routine: export.is_routine, is_runtime: false }
    }
}

impl Package {
    /// The package of these functions and constants, in the given order.
    pub fn new<'a>(functions: impl IntoIterator<Item: Into<Described<'a>>>, constants: &[Constant]) -> Self {
        let functions: Vec<Described<'a>> = functions.into_iter().map(Into::into).collect();
        let types = declared(&functions, constants);
        let is_runtime = functions.iter().any(|described| described.is_routine);
        let functions = functions.into_iter().map(|described| Function::new(Described { is_runtime, ..described }, &types)).collect();
        Self { functions, types, constants: constants.to_vec() }
    }

    /// Is it a run-time package, which generated code calls?
    pub fn has_routines(&self) -> bool {
        self.functions.values().any(|function| function.is_routine)
    }

    /// The function of this name in Go (`Sum`, `Queue.Push`) or in assembly.
    pub fn find(&self, name: &str) -> Option<(ExportId, &Function)> {
        self.functions.iter().find(|(_, function)| function.shown() == name || function.symbol == name)
    }

    /// What the package declares at its top level by names that its author has given, or that were made of such names.
    pub fn items(&self) -> Vec<Item<'_>> {
        items::items(self)
    }

    /// What declares this name at the package's top level.
    pub fn item(&self, name: &str) -> Option<Item<'_>> {
        self.items().into_iter().find(|item| item.name == name)
    }

    /// The type of this Rust path.
    pub fn type_of(&self, rust_path: &str) -> Option<&Declared> {
        declared::find(&self.types, rust_path)
    }

    /// The function that does this for `of`: fetches from the iterator that it made, or ends it.
    pub fn companion(&self, of: &Function, role: Role) -> Option<&Function> {
        self.functions.values().find(|function| function.role == role && function.name == of.name && function.owner == of.owner)
    }

    /// The function that does this for a type, or for all.
    pub fn of_role(&self, owner: Option<&str>, role: Role) -> Option<&Function> {
        let is_its = |function: &&Function| function.owner.as_ref().map(|owner| owner.path.as_str()) == owner;
        self.functions.values().filter(|function| function.role == role).find(|function| owner.is_none() || is_its(function))
    }

    /// The methods that the author exports for a type.
    pub fn methods<'a>(&'a self, rust_path: &'a str) -> impl Iterator<Item = &'a Function> {
        let is_its = move |function: &&Function| function.owner.as_ref().is_some_and(|owner| owner.path == rust_path);
        self.functions.values().filter(|function| function.role == Role::Method).filter(is_its)
    }

    /// The package in which rt.Watch sees the calls of functions that are not blocking.
    pub fn watched(self) -> Self {
        Self { functions: self.functions.into_iter().map(|(_, function)| function.watched()).collect(), ..self }
    }
}

#[cfg(test)]
pub(crate) mod tests;
