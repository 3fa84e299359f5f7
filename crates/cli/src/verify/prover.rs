//! The part of the proof that depends on the machine.

use crate::goasm::{Contract, RefKind, Text};
use std::collections::BTreeMap;

/// A way in which Go builds the file. The assembler's own part (prologues, thread-local storage, references to other packages) differs between the
/// modes.
#[derive(Clone, Copy, Debug)]
pub struct Mode {
    /// The name in messages, after "for": `linux`, `position-independent code`.
    pub name: &'static str,
    pub goos: &'static str,
    /// Options of `go tool asm`.
    pub flags: &'static [&'static str],
    /// Bytes that entries leave free for the operating system (`runtime/stack.go`, `stackSystem`).
    pub system: u32,
}

/// A symbol as an object file or an assembly file names it, and an offset in it.
pub type Reference = (String, i64);

/// How a machine's object files are read, and a second reading of its code, which shares only the decoder with the analysis and the lowering.
///
/// Offsets count from a function's first byte, including the assembler's prologue.
pub trait Prover: Sync {
    /// The modes in which the file is assembled and compared. The first one is the default mode.
    fn modes(&self) -> &'static [Mode];

    /// The meaning of a relocation of this kind ([`crate::goobj::reloc`]) in a body. None if a body must not have one.
    fn reference(&self, kind: u16) -> Option<RefKind>;

    /// The size in bytes of the field that such a relocation fills.
    fn reference_size(&self, kind: RefKind) -> u8;

    /// Does a relocation of this kind come from a line that names a symbol ([`Prover::reference_of`])? This includes kinds that
    /// [`Prover::reference`] does not know, since the assembler may choose an indirection such as the GOT in a plugin.
    fn names_symbol(&self, kind: u16) -> bool {
        self.reference(kind).is_some()
    }

    /// The symbol that a line of assembly refers to by a relocation, as printed. None if it refers to no symbol.
    fn reference_of(&self, line: &str) -> Option<Reference>;

    /// The frame size that the object must state for the function, in bytes.
    fn locals(&self, text: &Text) -> u32;

    /// Follows control flow from `starts` (offset, depth) and returns the depth of SP before every instruction that is reached.
    ///
    /// `relocated`: does a relocation fill the field at this offset? A branch with a relocation leaves the function.
    ///
    /// # Errors
    /// The offset and the reason, if SP changes in a way that Go's tables cannot describe, or if two paths disagree.
    fn depths(&self, code: &[u8], relocated: &dyn Fn(u32) -> bool, starts: &[(u32, u32)]) -> Result<BTreeMap<u32, u32>, (u32, String)>;

    /// Executes a function whose bytes the assembler chose. `relocated` returns the symbol that the field at an offset refers to. The symbols
    /// in `contract` have their names in the object, and its stack includes [`Mode::system`].
    ///
    /// # Errors
    /// The first violation of the contract.
    fn keeps(&self, code: &[u8], relocated: &dyn Fn(u32) -> Option<Reference>, contract: &Contract) -> Result<(), String>;

    /// The offset of an instruction that no Go program may contain, and the reason: on some machines it uses a register that signal handlers
    /// need. `code` is the whole assembled function; `text` tells which part is the assembler's own. Not called for data in a text symbol.
    fn forbidden(&self, text: &Text, code: &[u8]) -> Option<(u32, String)> {
        let _ = (text, code);
        None
    }
}
