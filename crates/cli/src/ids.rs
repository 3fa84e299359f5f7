//! Index types. Each kind of item has an index type of its own. So the type checker rejects, for example, the index of a function where code needs
//! the index of a section.

use cranelift_entity::entity_impl;

/// The index of a function in the loaded object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FuncId(u32);
entity_impl!(FuncId, "func");

/// The index of an exported function. Two targets give an export the same index if they export the same names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExportId(u32);
entity_impl!(ExportId, "export");

/// The index of a data section in the loaded object. A data section is included or left out as a whole.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DataId(u32);
entity_impl!(DataId, "data");

/// The index of an executable section. Such a section usually contains one function. In objects from an assembler or a C compiler it may contain
/// several.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SectionId(u32);
entity_impl!(SectionId, "section");

/// The index of a source file from the debug information.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(u32);
entity_impl!(FileId, "file");
