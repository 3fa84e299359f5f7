//! Lists the names that a package declares at its top level. Messages about name clashes show these names.

use super::declared::place;
use super::{Package, Role};
use crate::diag::Place;
use rustgo_schema::{Type, Variant};

/// A declaration whose Go name the author chose, or whose Go name rustgo derived from such a name.
#[derive(Clone, Copy, Debug)]
pub struct Item<'a> {
    pub name: &'a str,
    /// The kind of the item in words: `function`, `type`, `constant`.
    pub kind: &'static str,
    pub rust_path: &'a str,
    pub file: &'a str,
    pub line: u32,
}

impl Item<'_> {
    pub fn place(&self) -> Place {
        place(self.rust_path, self.file, self.line)
    }

    /// Describes the item and its source place, for messages.
    pub fn show(&self) -> String {
        format!("{} ({}:{})", self.rust_path, self.file, self.line)
    }
}

/// Lists the package's top-level declarations, without generated helpers.
pub(super) fn items(package: &Package) -> Vec<Item<'_>> {
    let mut items = Vec::new();
    for function in package.functions.values() {
        let mut add =
            |name| items.push(Item { name, kind: "function", rust_path: &function.rust_path, file: &function.file, line: function.line });
        if function.role == Role::Function {
            add(&function.name);
        }
        if function.role != Role::Function || function.is_wrapped() {
            add(&function.symbol);
        }
    }
    for declared in &package.types {
        let decl = &declared.decl;
        let mut add = |name, kind| items.push(Item { name, kind, rust_path: &decl.rust_path, file: &decl.file, line: decl.line });
        add(&decl.go_name, "type");
        let (variants, kind): (&[Variant], _) = match &declared.ty {
            Type::Enum { variants, .. } => (variants, "constant"),
            Type::Error { single: false, size: 4, cases, .. } => (cases, "constant"),
            Type::Error { single: false, cases, .. } => (cases, "type"),
            _ => (&[], "constant"),
        };
        variants.iter().for_each(|variant| add(&variant.go_name, kind));
    }
    items.extend(package.constants.iter().map(|constant| Item {
        name: &constant.go_name,
        kind: "constant",
        rust_path: &constant.rust_path,
        file: &constant.file,
        line: constant.line,
    }));
    items
}
