//! An exported function, with its names and types in Go and in assembly.

use super::Described;
use super::declared::{self, Declared};
use super::interface::type_in;
use super::names::{self, Names};
use super::types::{first_word, go_type, is_direct, raw_type, refers};
use crate::abi::TASK_STACK;
use crate::diag::Place;
use crate::gosrc;
use rustgo_schema::{Basic, Field, Type, role};

/// An exported function.
#[derive(Clone, Debug)]
pub struct Function {
    /// The function's name in Go. A function that Go programs do not call has its name from the export record.
    pub name: String,
    /// The name of the Go function that the assembly defines: either the exported function itself, or the raw function that a Go wrapper
    /// calls.
    pub symbol: String,
    /// The function's purpose in the package.
    pub role: Role,
    /// The type to which the function belongs as a method, constructor or helper, if any.
    pub owner: Option<Owner>,
    /// The Rust path with crate, modules and name: `edwards25519::scalar_base_mult`.
    pub rust_path: String,
    /// The name of the source file, as the compiler states it.
    pub file: String,
    /// The line of the function's name, counted from 1.
    pub line: u32,
    /// The documentation as the author wrote it.
    pub doc: String,
    /// The parameters. A method's receiver is the first.
    pub params: Vec<Param>,
    pub results: Vec<Param>,
    /// Offset of the results in the argument area, in bytes.
    pub results_offset: u32,
    /// Size of arguments and results in bytes: the N of `$FRAME-N`.
    pub size: u32,
    /// True if results may point into memory of the parameters.
    pub borrows: bool,
    /// Bit N is 1 if parameter N may be nil, counted from the lowest bit and the first parameter.
    pub nilable: u64,
    /// True if the macro `#[rustgo::object]` added the function (see [`rustgo_schema::Function::is_added`]).
    pub is_added: bool,
    /// The conditions under which a call is blocking (the goroutine is in the state of a system call). None if no call is blocking.
    pub blocking: Option<Blocking>,
    /// The size in bytes of a task's stack, if calls run as tasks (each call on a stack of its own). None if calls run on the goroutine's stack.
    pub task: Option<u64>,
    /// True if rt.Watch, which reports long calls, measures calls of the function.
    pub is_watched: bool,
    /// True for a routine: a Rust function that generated code of other packages calls by the C convention. Go code does not call it.
    pub is_routine: bool,
}

/// The purpose of a function in the package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A function that Go code calls.
    Function,
    /// A method that Go code calls.
    Method,
    /// Drops a value of its owner type.
    Drop,
    /// Formats the text of an error of its owner type.
    Text,
    /// Fetches items from an iterator.
    Next,
    /// Drops an iterator.
    End,
    /// Frees memory.
    Release,
}

/// The type that a function belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owner {
    /// The Rust path of the type.
    pub path: String,
    /// The name of the type in Go.
    pub name: String,
}

/// The conditions under which a call of a function is blocking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocking {
    /// A call is blocking if its slices and strings have more bytes than this. If 0, every call is blocking.
    pub over: u64,
    /// The words of the argument area that contain the lengths of the slices and strings.
    pub lengths: Vec<Length>,
}

/// A word of the argument area that contains the length of a slice or string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Length {
    /// The word's name in assembly, as `go vet` expects it: `data_len`.
    pub word: String,
    /// The word's offset in the argument area, in bytes.
    pub offset: u32,
    /// The size of a slice's element in bytes, not 0.
    pub size: u64,
}

/// A parameter or result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    /// Name, type and offset in the export record.
    pub field: Field,
    /// Name and type in the exported Go function. The name of a result is empty if the Go declaration has unnamed results.
    pub go: gosrc::Param,
    /// The Go type in the declaration of the raw function, which the assembly defines.
    pub raw: String,
    /// The name in assembly of the parameter's first word, as `go vet` (asmdecl) expects it: `dst`, `msg_base`, `ret1`.
    pub first_word: String,
}

impl Function {
    pub fn new<'a>(described: impl Into<Described<'a>>, types: &[Declared]) -> Self {
        let Described { function: described, is_routine, is_runtime } = described.into();
        let role = Role::of(described.role);
        let owner = (!described.owner.is_empty()).then(|| Owner::new(&described.owner, types));
        let is_wrapped = !is_runtime && role.is_called() && is_wrapped(role, described);
        let mut names = Names::new(described.results.len(), &if is_wrapped { used_by_wrappers(described, types) } else { Vec::new() });
        let has_receiver = role == Role::Method && !described.params.is_empty();
        let others = described.params.iter().enumerate().skip(usize::from(has_receiver)).map(|(index, field)| {
            let name = names.choose(&field.name, format!("arg{index}"));
            Param::new(field, name.clone(), &name, false)
        });
        let mut params: Vec<Param> = others.collect();
        // Name the results only if all have names, because Go does not allow a function with some named and some unnamed results.
        let named = !described.results.is_empty() && described.results.iter().all(|field| !field.name.is_empty());
        let results = described.results.iter().enumerate().map(|(index, field)| {
            if named {
                let name = names.choose(&field.name, format!("res{index}"));
                Param::new(field, name.clone(), &name, true)
            } else {
                Param::new(field, String::new(), &names::unnamed_result(index), true)
            }
        });
        let mut results: Vec<Param> = results.collect();
        if role == Role::Method {
            params.iter_mut().chain(&mut results).for_each(|param| param.go.ty = type_in(&described.go_name, &param.field.ty));
        }
        // The receiver's name is generated, so it changes if a parameter has the same name.
        if has_receiver && let Some(field) = described.params.first() {
            let name = names.receiver(owner.as_ref().map_or("", |owner| &owner.name));
            params.insert(0, Param::new(field, name.clone(), &name, false));
        }
        let blocking = described.blocking.map(|over| Blocking { over, lengths: params.iter().filter_map(Param::length).collect() });
        // An attribute `blocking` of an `impl` block with a number of bytes applies only to methods with slices or strings. The macro cannot tell
        // which methods have such parameters, so it records the attribute for all methods, and this line removes it from methods without them.
        let blocking = blocking.filter(|blocking| blocking.over == 0 || !blocking.lengths.is_empty());
        Self {
            symbol: symbol(role, &described.go_name, owner.as_ref(), is_wrapped),
            name: described.go_name.clone(),
            role,
            owner,
            rust_path: described.rust_path.clone(),
            file: described.file.clone(),
            line: described.line,
            doc: described.doc.clone(),
            params,
            results,
            results_offset: described.results_offset,
            size: described.frame_size,
            borrows: described.borrows,
            nilable: described.nilable,
            is_added: described.is_added(),
            blocking,
            task: described.task.then(|| described.stack.unwrap_or(TASK_STACK.into())),
            is_watched: false,
            is_routine,
        }
    }

    /// Returns true if the record describes this function: the same Rust function with the same types and layout.
    pub fn is_described_by(&self, record: &rustgo_schema::Function) -> bool {
        let same = |params: &[Param], fields: &[Field]| params.iter().map(|param| &param.field).eq(fields);
        Role::of(record.role) == self.role
            && record.rust_path == self.rust_path
            && record.go_name == self.name
            && same(&self.params, &record.params)
            && same(&self.results, &record.results)
            && (record.results_offset, record.frame_size) == (self.results_offset, self.size)
    }

    /// Returns the name that messages show: `Sum`, `Queue.Push`.
    pub fn shown(&self) -> String {
        match (self.role, &self.owner) {
            (Role::Function, _) => self.name.clone(),
            (Role::Method, Some(owner)) => format!("{}.{}", owner.name, self.name),
            _ => self.symbol.clone(),
        }
    }

    /// Returns true if Go code calls the assembly function through a Go wrapper.
    pub fn is_wrapped(&self) -> bool {
        self.role.is_called() && self.symbol != self.name
    }

    /// Returns true if the function returns an iterator. The iterator keeps references to memory of the parameters.
    pub fn makes_iterator(&self) -> bool {
        self.role.is_called() && self.results.iter().any(|result| matches!(result.field.ty, Type::Iterator { .. }))
    }

    /// Returns true if a parameter is a Go function, or a Go value with methods, that Rust may call.
    pub fn calls_go(&self) -> bool {
        self.params.iter().any(Param::is_called)
    }

    /// Marks the function as measured by rt.Watch, and returns it. Blocking functions are not marked. Functions that return an iterator or
    /// call Go functions are not marked either, because the measured time would include the Go code. The new symbol `rust_NAME` clashes with no
    /// parameter, because camelCase names have no `_` between words (`names::camel_case`).
    pub(super) fn watched(self) -> Self {
        if !self.role.is_called() || self.blocking.is_some() || self.is_routine || self.makes_iterator() || self.calls_go() {
            return self;
        }
        let symbol = if self.is_wrapped() { self.symbol } else { format!("rust_{}", self.name) };
        Self { symbol, is_watched: true, ..self }
    }

    /// Returns the source place of the function's definition.
    pub fn place(&self) -> Place {
        declared::place(&self.rust_path, &self.file, self.line)
    }

    /// Returns the Go declaration of the assembly function, without documentation.
    pub fn declare_raw(&self) -> gosrc::Func {
        let raw = |param: &Param| gosrc::Param { name: param.go.name.clone(), ty: param.raw.clone() };
        gosrc::Func {
            name: self.symbol.clone(),
            params: self.params.iter().map(raw).collect(),
            results: self.results.iter().map(raw).collect(),
            ..gosrc::Func::default()
        }
    }

    /// Returns the declaration of the raw function on one line, for the comment above the assembly.
    pub fn declaration(&self) -> String {
        format!("func {}{}", self.symbol, self.declare_raw().signature())
    }
}

impl Role {
    fn of(number: u32) -> Self {
        match number {
            role::METHOD => Role::Method,
            role::DROP => Role::Drop,
            role::TEXT => Role::Text,
            role::NEXT => Role::Next,
            role::END => Role::End,
            role::RELEASE => Role::Release,
            // The decoder accepts no other roles.
            _ => Role::Function,
        }
    }

    /// Returns true if Go programs call functions of this role.
    pub fn is_called(self) -> bool {
        matches!(self, Role::Function | Role::Method)
    }
}

impl Owner {
    fn new(path: &str, types: &[Declared]) -> Self {
        // A type that occurs in no signature has no declaration in the records, but may have functions. The name of such a type is the last part of
        // its path.
        let name = declared::find(types, path).map_or(path.rsplit("::").next().unwrap_or(path), |declared| &declared.decl.go_name);
        Self { path: path.to_owned(), name: name.to_owned() }
    }
}

/// Returns the name of the assembly function.
fn symbol(role: Role, name: &str, owner: Option<&Owner>, is_wrapped: bool) -> String {
    let of = owner.map_or(String::new(), |owner| format!("{}_", owner.name));
    match role {
        Role::Function if is_wrapped => format!("rust_{name}"),
        Role::Function => name.to_owned(),
        Role::Method => format!("rust_{of}{name}"),
        Role::Drop => format!("rust_{of}drop"),
        Role::Text => format!("rust_{of}text"),
        Role::Next => format!("rust_{of}{name}_next"),
        Role::End => format!("rust_{of}{name}_end"),
        Role::Release => "rust_release".to_owned(),
    }
}

/// Returns true if a call needs a wrapper: to convert values, to report memory to the race detector, or to mark objects as used.
fn is_wrapped(role: Role, function: &rustgo_schema::Function) -> bool {
    let is_used = |ty: &Type| ty.has(|ty| matches!(ty, Type::Object { words: 0, .. }));
    role == Role::Method
        || function.task
        || function.params.iter().any(|field| !is_direct(&field.ty) || refers(&field.ty) || is_used(&field.ty))
        || function.results.iter().any(|field| !is_direct(&field.ty))
}

/// Returns the names that the wrapper's body uses. No parameter may have such a name.
fn used_by_wrappers(function: &rustgo_schema::Function, types: &[Declared]) -> Vec<String> {
    let imported = ["iter", "runtime", "unsafe"].map(str::to_owned).into_iter();
    // If the function returns an iterator, the wrapper declares variables of the items' types, which may be from other packages.
    let iterators = function.results.iter().filter(|field| matches!(field.ty, Type::Iterator { .. })).map(|field| go_type(&field.ty));
    let of_items = iterators.flat_map(|ty| gosrc::words(&ty).map(str::to_owned).collect::<Vec<String>>());
    let interfaces = function.params.iter().filter_map(|field| match &field.ty {
        Type::Interface { name, .. } => name.split('.').next().map(str::to_owned),
        _ => None,
    });
    // The function that runs a task declares a struct with the types of the parameters and results.
    let of_task = function.params.iter().chain(&function.results).filter(|_| function.task).map(|field| go_type(&field.ty));
    let of_task = of_task.flat_map(|ty| gosrc::words(&ty).map(str::to_owned).collect::<Vec<String>>());
    imported.chain(interfaces).chain(of_items).chain(of_task).chain(types.iter().map(|declared| declared.decl.go_name.clone())).collect()
}

impl Param {
    /// Makes a parameter or result. `name` is its name in Go, and is empty for an unnamed result. `word` is its name in assembly, which is never
    /// empty.
    fn new(field: &Field, name: String, word: &str, is_result: bool) -> Self {
        let (raw, first_word) = match &field.ty {
            // A call that consumes an object in the Rust heap passes the address of the Go struct that refers to the object.
            Type::Object { words: 0, .. } if !is_result => (go_type(&field.ty), word.to_owned()),
            ty => (raw_type(ty), first_word(ty, word)),
        };
        Self { field: field.clone(), go: gosrc::Param { name, ty: go_type(&field.ty) }, raw, first_word }
    }

    /// Returns true for a Go function, or a Go value with methods, that Rust may call.
    pub fn is_called(&self) -> bool {
        self.field.ty.is_called()
    }

    /// Returns the word with the length, if the parameter is a string, or a slice whose elements are not of size 0.
    fn length(&self) -> Option<Length> {
        let size = match &self.field.ty {
            Type::Slice { elem, .. } => elem.layout().size,
            Type::Basic(Basic::String) => 1,
            _ => return None,
        };
        let word = self.first_word.replace("_base", "_len");
        (size != 0).then_some(Length { word, offset: self.field.offset + 8, size })
    }
}
