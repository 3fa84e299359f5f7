//! Names for variables of wrappers.

use crate::api::Function;
use std::collections::BTreeSet;

/// Names for a wrapper's variables that are neither its parameters' nor its results'.
pub struct Locals {
    taken: BTreeSet<String>,
}

impl Locals {
    pub fn of(function: &Function) -> Self {
        let params = function.params.iter().chain(&function.results);
        Self { taken: params.map(|param| param.go.name.clone()).collect() }
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
