//! What verify asks of a machine.

use crate::goasm::{Contract, RefKind, Text};
use std::collections::BTreeMap;

/// How Go builds: the assembler does its own part (prologues, thread-local storage, references to other packages)
/// differently for each.
#[derive(Clone, Copy, Debug)]
pub struct Mode {
    /// For people, after "for": `linux`, `position-independent code`.
    pub name: &'static str,
    pub goos: &'static str,
    /// Options of `go tool asm`.
    pub flags: &'static [&'static str],
    /// What the entries leave free for the operating system, in bytes (`runtime/stack.go`, `stackSystem`).
    pub system: u32,
}

/// A symbol as an object file or an assembly file names it, and the offset in it.
pub type Reference = (String, i64);

/// A machine's part of the proof: how its object files are read, and a reading of its code that shares nothing with the
/// analysis and the lowering but the decoder.
///
/// Offsets count from a function's first byte, the assembler's own prologue included.
pub trait Prover: Sync {
    /// Every way the file is assembled and compared; the first is the plain one.
    fn modes(&self) -> &'static [Mode];

    /// What a relocation of this kind ([`crate::goobj::reloc`]) in a body stands for; none where no body may have one.
    fn reference(&self, kind: u16) -> Option<RefKind>;

    /// Bytes of the field that such a relocation fills.
    fn reference_size(&self, kind: RefKind) -> u8;

    /// Does a relocation of this kind come from a line that names a symbol ([`Prover::reference_of`])? More than
    /// [`Prover::reference`] knows where the assembler may choose a detour, such as the GOT in a plugin.
    fn names_symbol(&self, kind: u16) -> bool {
        self.reference(kind).is_some()
    }

    /// The symbol that a line of assembly refers to by a relocation, as printed; none where it refers to nothing.
    fn reference_of(&self, line: &str) -> Option<Reference>;

    /// The frame that the object must say the function has, in bytes.
    fn locals(&self, text: &Text) -> u32;

    /// Follow control from `starts` (offset, depth) and say how deep SP lies before every instruction reached.
    ///
    /// `relocated`: does a relocation fill the field at this offset? (A branch that has one leads out of the function.)
    ///
    /// # Errors
    /// The offset and the reason, where SP is moved in a way Go's tables cannot describe, or two paths disagree.
    fn depths(&self, code: &[u8], relocated: &dyn Fn(u32) -> bool, starts: &[(u32, u32)]) -> Result<BTreeMap<u32, u32>, (u32, String)>;

    /// Try out a function whose bytes the assembler chose. `relocated` gives what the field at an offset leads to; the
    /// symbols in `contract` are named as in the object, and its stack includes [`Mode::system`].
    ///
    /// # Errors
    /// What it does that it must not, or does not do that it must.
    fn keeps(&self, code: &[u8], relocated: &dyn Fn(u32) -> Option<Reference>, contract: &Contract) -> Result<(), String>;

    /// An instruction that must not be in a Go program whatever the analysis said, by its offset and what is wrong with
    /// it: on some machines a register that signal handlers rely on. `code` is the whole function as assembled; which
    /// part of it is the assembler's own follows from `text`. Data held in a text symbol is not asked about.
    fn forbidden(&self, text: &Text, code: &[u8]) -> Option<(u32, String)> {
        let _ = (text, code);
        None
    }
}
