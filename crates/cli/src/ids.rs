//! Index types, one for each kind of item that a stage enumerates, so that the type checker rejects a function where a
//! section is meant.

use cranelift_entity::entity_impl;

/// A function of the loaded object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FuncId(u32);
entity_impl!(FuncId, "func");

/// An exported function. It has the same index on every machine that exports the same names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExportId(u32);
entity_impl!(ExportId, "export");

/// A data section of the loaded object: the unit in which data is included or left out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DataId(u32);
entity_impl!(DataId, "data");

/// An executable section: usually one function; several in objects from an assembler or a C compiler.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SectionId(u32);
entity_impl!(SectionId, "section");

/// A source file named by the debug information.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(u32);
entity_impl!(FileId, "file");
