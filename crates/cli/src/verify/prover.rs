//! The part of the verification that depends on the processor architecture.

use crate::goasm::{Contract, RefKind, Text};
use std::collections::BTreeMap;

/// A way in which Go builds an assembly file. The code that the assembler adds (prologues, accesses to thread-local storage, references to other
/// packages) differs between the modes.
#[derive(Clone, Copy, Debug)]
pub struct Mode {
    /// The mode's name in messages, after "for": `linux`, `position-independent code`.
    pub name: &'static str,
    pub goos: &'static str,
    /// Options of `go tool asm` for this mode.
    pub flags: &'static [&'static str],
    /// Number of bytes of stack that entries leave free for the operating system (`runtime/stack.go`, `stackSystem`).
    pub system: u32,
}

/// A symbol, named as in an object file or an assembly file, and an offset in it.
pub type Reference = (String, i64);

/// Analyses the code in an architecture's object files independently of the stages before verify. An implementation shares only the decoder with the
/// modules analyze and lower.
///
/// Offsets are relative to a function's first byte, including the assembler's prologue.
pub trait Prover: Sync {
    /// Lists the modes in which the file is assembled and compared. The first is the default mode.
    fn modes(&self) -> &'static [Mode];

    /// Returns the meaning of a relocation of this kind ([`crate::goobj::reloc`]) in a function's body. None if a body must not have such a
    /// relocation.
    fn reference(&self, kind: u16) -> Option<RefKind>;

    /// Returns the size in bytes of the field that a relocation of this kind fills.
    fn reference_size(&self, kind: RefKind) -> u8;

    /// Returns true if a relocation of this kind comes from a line of assembly that names a symbol ([`Prover::reference_of`]). Such kinds may be
    /// unknown to [`Prover::reference`], because in a plugin the assembler may choose an indirection such as the GOT.
    fn names_symbol(&self, kind: u16) -> bool {
        self.reference(kind).is_some()
    }

    /// Returns the symbol to which a line of assembly refers by a relocation, by its name in printed assembly. None if the line refers to no
    /// symbol.
    fn reference_of(&self, line: &str) -> Option<Reference>;

    /// Returns the frame size in bytes that the object file must state for the function.
    fn locals(&self, text: &Text) -> u32;

    /// Follows control flow from `starts` (pairs of offset and depth of SP). Returns the depth of SP (bytes below its value on entry) before every
    /// reached instruction, by offset.
    ///
    /// `relocated` returns true if a relocation fills the field at this offset. A branch with a relocation leaves the function.
    ///
    /// # Errors
    /// Returns the offset and the reason if SP changes in a way that Go's tables cannot describe, or if two paths reach an instruction with
    /// different depths.
    fn depths(&self, code: &[u8], relocated: &dyn Fn(u32) -> bool, starts: &[(u32, u32)]) -> Result<BTreeMap<u32, u32>, (u32, String)>;

    /// Executes, step by step, a function for which the assembler chose the bytes, and checks that the function keeps its contract. `relocated`
    /// returns the symbol to which the field at an offset refers. Symbols in `contract` are named as in the object file. The stack size in `contract`
    /// includes [`Mode::system`].
    ///
    /// # Errors
    /// Describes the first violation of the contract.
    fn keeps(&self, code: &[u8], relocated: &dyn Fn(u32) -> Option<Reference>, contract: &Contract) -> Result<(), String>;

    /// Returns the offset of an instruction that no Go program may contain, and the reason. An example is an instruction that uses a register that
    /// signal handlers need. `code` is the whole assembled function. From `text` the implementation knows the part of the code that the assembler
    /// added. This method is not called for data in a text symbol.
    fn forbidden(&self, text: &Text, code: &[u8]) -> Option<(u32, String)> {
        let _ = (text, code);
        None
    }
}
