//! Chooses names for the variables of generated wrappers.

use crate::api::Function;
use crate::gosrc;
use std::collections::BTreeSet;

/// Appends underscores to the name of a variable until `code` does not use the name. Then the variable hides nothing that the code uses. (A type of
/// the package can have any name.)
pub fn unused(name: &str, code: &str) -> String {
    let mut name = name.to_owned();
    while gosrc::names(code, &name) {
        name.push('_');
    }
    name
}

/// The names in use in a wrapper: parameters, results, and their types.
pub struct Locals {
    taken: BTreeSet<String>,
}

impl Locals {
    pub fn of(function: &Function) -> Self {
        let params = || function.params.iter().chain(&function.results);
        // The body of a wrapper names the types of the items that it fetches and of the objects that it makes. So no variable may have such a name.
        let types = params().flat_map(|param| gosrc::words(&param.go.ty).chain(gosrc::words(&param.raw)));
        Self { taken: types.map(str::to_owned).chain(params().map(|param| param.go.name.clone())).collect() }
    }

    /// Makes the names for a function that mentions the types in `types`.
    pub fn beside(types: &[String]) -> Self {
        Self { taken: types.iter().flat_map(|ty| gosrc::words(ty)).map(str::to_owned).collect() }
    }

    /// Returns the name, with a number appended if the name is taken.
    pub fn fresh(&mut self, name: &str) -> String {
        let numbered = (2..).map(|number| format!("{name}{number}"));
        let mut candidates = std::iter::once(name.to_owned()).chain(numbered);
        // There are more numbers in the range than taken names, so one number gives a free name.
        let free = candidates.find(|name| !self.taken.contains(name)).unwrap_or_default();
        self.taken.insert(free.clone());
        free
    }
}
