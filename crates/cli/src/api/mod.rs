//! What the generated package offers to Go.
//!
//! The records of each target's object give a [`Package`]; after [`agree()`] there is one for all targets. Every name that
//! Go sees is decided here, once: lowering, the Go file, the comparison with the folder's other files and `inspect` take
//! names, types and declarations from the package. What a stage knows of an export on one target (its shim, its stack) it
//! keeps by [`ExportId`].

mod agree;
mod names;
mod types;

pub use agree::agree;
pub use types::{HANDLE, package_name};

use crate::diag::Place;
use crate::gosrc;
use crate::ids::ExportId;
use crate::load::Export;
use cranelift_entity::PrimaryMap;
use names::Names;
use rustgo_schema::{Basic, Field, Type};

/// The description of a Go package.
#[derive(Clone, Debug, Default)]
pub struct Package {
    /// In the order of the object's exports: that of their Go names.
    pub functions: PrimaryMap<ExportId, Function>,
}

/// An exported function.
#[derive(Clone, Debug)]
pub struct Function {
    /// The name in Go.
    pub name: String,
    /// The Go function that the assembly defines: that of this name, or one that it calls.
    pub symbol: String,
    /// Crate, modules and function: `edwards25519::scalar_base_mult`.
    pub rust_path: String,
    /// The source file, as the compiler names it.
    pub file: String,
    /// The line of the function's name, counted from 1.
    pub line: u32,
    /// The documentation, as the author wrote it.
    pub doc: String,
    pub params: Vec<Param>,
    pub results: Vec<Param>,
    /// Where the result area begins, in bytes from the start of the argument area.
    pub results_offset: u32,
    /// Size of arguments and results, in bytes: the N of `$FRAME-N`.
    pub size: u32,
    /// The scheduler is told of its calls.
    pub blocking: Option<Blocking>,
    /// Generated code in other packages calls it, by C's convention, and Go code does not.
    pub is_routine: bool,
}

/// Which calls of a function the scheduler is told of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocking {
    /// Those that pass more bytes than this in slices and strings; 0: all.
    pub over: u64,
    /// The slices and strings.
    pub lengths: Vec<Length>,
}

/// A word of the argument area that holds the length of a slice or string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Length {
    /// As `go vet` knows it: `data_len`.
    pub word: String,
    /// From the start of the argument area, in bytes.
    pub offset: u32,
    /// The size of an element in bytes, which is not 0.
    pub size: u64,
}

/// What the record of an export says.
#[derive(Clone, Copy, Debug)]
pub struct Described<'a> {
    pub function: &'a rustgo_schema::Function,
    pub is_routine: bool,
}

impl<'a> From<&'a rustgo_schema::Function> for Described<'a> {
    fn from(function: &'a rustgo_schema::Function) -> Self {
        Self { function, is_routine: false }
    }
}

impl<'a> From<&'a Export> for Described<'a> {
    fn from(export: &'a Export) -> Self {
        Self { function: &export.schema, is_routine: export.is_routine }
    }
}

/// A parameter or result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    /// Name, type and place, as the record describes them.
    pub field: Field,
    /// Name and type in Go. The name is empty if the declaration leaves the results unnamed.
    pub go: gosrc::Param,
    /// The name of the first word in assembly, as `go vet` (asmdecl) knows it: `dst`, `msg_base`, `ret1`.
    pub first_word: String,
}

impl Package {
    /// The package of these functions, in the given order.
    pub fn new<'a>(functions: impl IntoIterator<Item: Into<Described<'a>>>) -> Self {
        Self { functions: functions.into_iter().map(Function::new).collect() }
    }

    /// Is it a run-time package, which generated code calls?
    pub fn has_routines(&self) -> bool {
        self.functions.values().any(|function| function.is_routine)
    }

    /// The function that declares this name in Go.
    pub fn find(&self, name: &str) -> Option<(ExportId, &Function)> {
        self.functions.iter().find(|(_, function)| function.name == name || function.symbol == name)
    }

    /// The package in which rt.Watch sees the calls of functions that are not blocking. No parameter has a name like their symbols
    /// (`names::camel_case`).
    pub fn watched(self) -> Self {
        let watched = |function: Function| match function.blocking.is_none() && !function.is_routine {
            true => Function { symbol: format!("rust_{}", function.name), ..function },
            false => function,
        };
        Self { functions: self.functions.into_iter().map(|(_, function)| watched(function)).collect() }
    }
}

impl Function {
    fn new<'a>(described: impl Into<Described<'a>>) -> Self {
        let Described { function: described, is_routine } = described.into();
        let mut names = Names::new(described.results.len());
        let params = described.params.iter().enumerate().map(|(index, field)| {
            let name = names.choose(&field.name, format!("arg{index}"));
            Param::new(field, name.clone(), &name)
        });
        let params: Vec<Param> = params.collect();
        let blocking = described.blocking.map(|over| Blocking { over, lengths: params.iter().filter_map(Param::length).collect() });
        // Go wants all results named or none.
        let named = described.results.iter().all(|field| !field.name.is_empty());
        let results = described.results.iter().enumerate().map(|(index, field)| {
            if named {
                let name = names.choose(&field.name, format!("res{index}"));
                Param::new(field, name.clone(), &name)
            } else {
                Param::new(field, String::new(), &names::unnamed_result(index))
            }
        });
        Self {
            name: described.go_name.clone(),
            symbol: described.go_name.clone(),
            rust_path: described.rust_path.clone(),
            file: described.file.clone(),
            line: described.line,
            doc: described.doc.clone(),
            params,
            results: results.collect(),
            results_offset: described.results_offset,
            size: described.frame_size,
            blocking,
            is_routine,
        }
    }

    /// Does a function in Go stand before that in assembly?
    pub fn is_watched(&self) -> bool {
        self.symbol != self.name
    }

    /// Where the function is defined.
    pub fn place(&self) -> Place {
        Place { function: self.rust_path.clone(), file: Some(self.file.clone()), line: Some(self.line), inlined: None }
    }

    /// The function without its documentation, as a declaration in Go.
    pub fn declare(&self) -> gosrc::Func {
        let go = |params: &[Param]| params.iter().map(|param| param.go.clone()).collect();
        gosrc::Func { name: self.name.clone(), params: go(&self.params), results: go(&self.results), ..gosrc::Func::default() }
    }

    /// The declaration on one line, as the comment above the assembly shows it.
    pub fn declaration(&self) -> String {
        format!("func {}{}", self.symbol, self.declare().signature())
    }
}

impl Param {
    /// The word that holds its length, if it is a slice or string whose elements have a size.
    fn length(&self) -> Option<Length> {
        let size = match &self.field.ty {
            Type::Slice { elem, .. } => types::size(elem),
            Type::Basic(Basic::String) => 1,
            _ => return None,
        };
        let word = self.first_word.replace("_base", "_len");
        (size != 0).then_some(Length { word, offset: self.field.offset + 8, size })
    }

    /// `word` is what assembly calls the parameter or result: its name in Go, if it has one.
    fn new(field: &Field, name: String, word: &str) -> Self {
        let first_word = match field.ty {
            Type::Slice { .. } | Type::Basic(Basic::String) => format!("{word}_base"),
            Type::Array { .. } => format!("{word}_0"),
            Type::Basic(_) | Type::Pointer { .. } | Type::Handle { .. } => word.to_owned(),
        };
        Self { field: field.clone(), go: gosrc::Param { name, ty: types::go_type(&field.ty) }, first_word }
    }
}

#[cfg(test)]
pub(crate) mod tests;
