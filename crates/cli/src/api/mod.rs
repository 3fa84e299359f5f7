//! Makes a [`Package`], the description of what the generated Go package offers, from the export records. An export record is the description of an
//! export that the macro puts into the object file.
//!
//! Each target has its own `Package`; [`agree()`] merges the packages of all targets into one. This module alone decides every name that Go sees:
//! lower, bind, inspect and neighbours get names, types and declarations from the `Package`. Other facts about an export on one target, such as its
//! shim and its stack, are indexed by [`ExportId`].
//!
//! A *raw function* is the Go function without a body that the assembly defines. A *wrapper* is a Go function that calls the raw function and
//! converts values. Only some exports need a wrapper.

mod agree;
mod declared;
mod function;
mod interface;
mod items;
mod names;
mod types;

pub use agree::{agree, is_same_constant};
pub use declared::{Declared, place};
pub use function::{Blocking, Function, Param, Role};
pub use interface::declared_method;
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
    /// The functions in the order of the object's exports, which is the order of their Go names.
    pub functions: PrimaryMap<ExportId, Function>,
    /// The types that functions and constants use, directly or inside other types, ordered by Go name.
    pub types: Vec<Declared>,
    /// The constants, ordered by Go name.
    pub constants: Vec<Constant>,
    /// True if Rust code cannot start threads, and all calls run one after the other on one stack.
    pub no_threads: bool,
}

/// A function of the export records.
#[derive(Clone, Copy, Debug)]
pub struct Described<'a> {
    pub function: &'a rustgo_schema::Function,
    pub is_routine: bool,
    /// True if the function belongs to a run-time package, whose functions get no wrappers.
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
    /// Makes the package of these functions and constants, in the given order.
    pub fn new<'a>(functions: impl IntoIterator<Item: Into<Described<'a>>>, constants: &[Constant]) -> Self {
        let functions: Vec<Described<'a>> = functions.into_iter().map(Into::into).collect();
        let types = declared(&functions, constants);
        let is_runtime = functions.iter().any(|described| described.is_routine);
        let functions = functions.into_iter().map(|described| Function::new(Described { is_runtime, ..described }, &types)).collect();
        Self { functions, types, constants: constants.to_vec(), no_threads: false }
    }

    /// Returns true for a run-time package: generated code of other packages calls its functions.
    pub fn has_routines(&self) -> bool {
        self.functions.values().any(|function| function.is_routine)
    }

    /// Finds the function of this name in Go (`Sum`, `Queue.Push`) or in assembly.
    pub fn find(&self, name: &str) -> Option<(ExportId, &Function)> {
        self.functions.iter().find(|(_, function)| function.shown() == name || function.symbol == name)
    }

    /// Lists the package's top-level declarations, without generated helpers.
    pub fn items(&self) -> Vec<Item<'_>> {
        items::items(self)
    }

    /// Finds the declaration with this name at the top level.
    pub fn item(&self, name: &str) -> Option<Item<'_>> {
        self.items().into_iter().find(|item| item.name == name)
    }

    /// Finds the type with this Rust path.
    pub fn type_of(&self, rust_path: &str) -> Option<&Declared> {
        declared::find(&self.types, rust_path)
    }

    /// Finds a companion of the function `of`, which returns an iterator: the function that fetches items or the function that drops the iterator,
    /// according to `role`.
    pub fn companion(&self, of: &Function, role: Role) -> Option<&Function> {
        self.functions.values().find(|function| function.role == role && function.name == of.name && function.owner == of.owner)
    }

    /// Finds the function with this role for the type `owner`, or for the whole package if `owner` is None.
    pub fn of_role(&self, owner: Option<&str>, role: Role) -> Option<&Function> {
        let is_its = |function: &&Function| function.owner.as_ref().map(|owner| owner.path.as_str()) == owner;
        self.functions.values().filter(|function| function.role == role).find(|function| owner.is_none() || is_its(function))
    }

    /// Lists the exported methods of a type.
    pub fn methods<'a>(&'a self, rust_path: &'a str) -> impl Iterator<Item = &'a Function> {
        let is_its = move |function: &&Function| function.owner.as_ref().is_some_and(|owner| owner.path == rust_path);
        self.functions.values().filter(|function| function.role == Role::Method).filter(is_its)
    }

    /// Returns true if Rust code of the package keeps Go functions, or Go values with methods, after a call returns. Every later task may then call
    /// them.
    pub fn keeps_go(&self) -> bool {
        self.functions.values().any(|function| function.params.iter().any(|param| param.field.ty.is_kept()))
    }

    /// Returns the package with every function marked to run on the goroutine's stack.
    pub fn without_tasks(self) -> Self {
        Self { functions: self.functions.into_iter().map(|(_, function)| Function { task: None, ..function }).collect(), ..self }
    }

    /// Returns the package with its functions marked for rt.Watch, except blocking functions and functions that return an iterator.
    pub fn watched(self) -> Self {
        Self { functions: self.functions.into_iter().map(|(_, function)| function.watched()).collect(), ..self }
    }
}

#[cfg(test)]
pub(crate) mod tests;
