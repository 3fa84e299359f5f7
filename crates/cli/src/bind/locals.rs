//! Names for variables of wrappers.

use crate::api::Function;
use crate::gosrc;
use std::collections::BTreeSet;

/// The name, with underscores behind it while the code says it: for a variable that must hide nothing of what the code means. Types of the
/// package may have any name.
pub fn unused(name: &str, code: &str) -> String {
    let mut name = name.to_owned();
    while gosrc::names(code, &name) {
        name.push('_');
    }
    name
}

/// Names for a wrapper's variables that are neither its parameters' nor its results', nor those of their types.
pub struct Locals {
    taken: BTreeSet<String>,
}

impl Locals {
    pub fn of(function: &Function) -> Self {
        let params = || function.params.iter().chain(&function.results);
        // A body says the types of the items that it fetches, and of objects that it makes.
        let types = params().flat_map(|param| gosrc::words(&param.go.ty).chain(gosrc::words(&param.raw)));
        Self { taken: types.map(str::to_owned).chain(params().map(|param| param.go.name.clone())).collect() }
    }

    /// The name, with underscores behind it where it is taken, or a number if it is one of several.
    pub fn fresh(&mut self, name: &str) -> String {
        let numbered = (2..).map(|number| format!("{name}{number}"));
        let mut candidates = std::iter::once(name.to_owned()).chain(numbered);
        // There are fewer names than numbers.
        let free = candidates.find(|name| !self.taken.contains(name)).unwrap_or_default();
        self.taken.insert(free.clone());
        free
    }
}
