//! Types for indices. Each kind of item has a type of its own, so that the type checker rejects, for example, the index of a function where that
//! of a section is needed.

use cranelift_entity::entity_impl;

/// The index of a function in the loaded object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FuncId(u32);
entity_impl!(FuncId, "func");

/// The index of an exported function. An export has one index on all machines if they export equal names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExportId(u32);
entity_impl!(ExportId, "export");

/// The index of a data section in the loaded object. Data is included or left out by whole sections.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DataId(u32);
entity_impl!(DataId, "data");

/// The index of an executable section. It usually has one function, but several in objects from an assembler or a C compiler.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SectionId(u32);
entity_impl!(SectionId, "section");

/// The index of a source file that the debug information names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(u32);
entity_impl!(FileId, "file");
