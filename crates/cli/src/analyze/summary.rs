//! Facts about one function. [`super::flow`] visits instructions until nothing changes and collects the facts of each
//! visit in one summary; other modules read it when it is complete.

use super::machine::Reach;
use super::state::{Origin, Value};
use crate::code::Callee;
use crate::diag::Diagnostic;
use crate::ids::DataId;
use std::collections::{BTreeMap, BTreeSet};

/// How control leaves a function for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EdgeKind {
    Call,
    /// A jump: the target returns to the caller of this function.
    Tail,
}

/// One call or tail jump.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Index of the instruction.
    pub inst: usize,
    pub kind: EdgeKind,
    /// Bytes below SP-on-entry at the instruction.
    pub depth: u32,
    /// Known targets; `None`: any function whose address is taken.
    pub targets: Option<BTreeSet<Callee>>,
    pub indirect: bool,
    /// Origin of the pointer in an indirect call, if known.
    pub origin: Option<Origin>,
    /// May lowering move SP around the call? Not for hand-written code that calls a neighbour by private conventions.
    pub paddable: bool,
    /// Registers that the function may have to restore, with the return address, whose entry value only the frame still
    /// holds: distance in bytes from SP to the highest word that holds it. (Only on machines that pass the return
    /// address in a register.)
    pub only_in_frame: BTreeMap<usize, u32>,
    /// End of the last word from SP up that may be an argument, in bytes from SP: the function has written these words
    /// since the last call, never reads them, and never passes on the address where they begin. On amd64: all words up
    /// to the first that holds a callee-saved register, if the function may have written one of them (if compiled by
    /// rustc: since the last call).
    pub written: u32,
    /// A larger bound that trusts the code less. On arm64: gcc may write arguments by calls of memcpy, and may rely on
    /// words written before another call. On amd64: up to the first word that the function reads, and if compiled by
    /// rustc, up to the last word written since the last call.
    pub passable: u32,
}

/// Facts that flow finds in a function.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// By instruction: bytes below SP-on-entry before it; `None` if it is unreachable.
    pub depths: Vec<Option<u32>>,
    pub edges: Vec<Edge>,
    /// By the index of the jump.
    pub tables: BTreeMap<usize, JumpTable>,
    pub returns: bool,
    /// Callee-saved registers that are not proved to be restored, one bit each.
    pub clobbers: u32,
    /// Other registers that it may change, one bit each. Callers that know the function may keep values in the rest.
    pub changes: u32,
    /// The deepest byte of its own frame, red zone included.
    pub deepest: u32,
    /// Uses memory below SP.
    pub red_zone: bool,
    /// Needs SP on entry modulo 64, which was not tracked.
    pub needs_alignment: bool,
    /// Depends on SP on entry modulo 64, which was tracked.
    pub uses_alignment: bool,
    /// Assumes that SP on entry plus the return address is a multiple of 16.
    pub assumes_alignment: bool,
    /// Can observe the alignment of SP.
    pub observes_alignment: bool,
    /// Takes arguments on the stack.
    pub stack_arguments: bool,
    /// The memory that its own code accesses.
    pub reach: Reach,
    /// How many stack argument words it accesses; `None` if it makes an address of them and may access any.
    pub argument_words: Option<u32>,
    /// By instruction: the change of its offset in lowering (`Effect::moved`), if not 0.
    pub moved: BTreeMap<usize, i64>,
    /// How far it accesses known places above SP on entry, in bytes (arm64).
    pub argument_bytes: u32,
    /// Instructions that make the address between the frame and the caller's arguments.
    pub boundary: BTreeSet<usize>,
    /// Uses that address where it is no longer tracked, so that it may refer to either.
    pub boundary_escapes: bool,
    /// Accesses memory that is or may be its frame by indexes (`Effect::indexes`).
    pub indexes: bool,
    /// The same on x86-64 (`Effect::reaches_up`).
    pub reaches_up: bool,
    /// Compiled by LLVM.
    pub is_llvm: bool,
    /// Compiled by rustc.
    pub is_rust: bool,
    /// By instruction: addresses of code or data that it stores where they outlive the frame.
    pub published: BTreeMap<usize, Vec<Value>>,
    /// Instructions that run while SP is aligned by an unknown distance.
    pub in_aligned_frame: BTreeSet<usize>,
    /// Reads as a number what may be the upper part of an address.
    pub reads_part: bool,
    /// Callee-saved registers whose entry value may be used for more than saving and restoring it, one bit each.
    pub uses_entry: u32,
    /// By call, jump to another function, and return: the values that escape there.
    pub escaping_values: BTreeMap<usize, EscapingValues>,
    /// By call, jump to another function, and return: registers that hold a jump table's address there.
    pub table_addresses: BTreeMap<usize, TableAddresses>,
    /// Distances to code in data that it reads for another purpose than a jump: sections and offsets in them.
    pub distances: BTreeSet<(DataId, u32)>,
    /// By instruction: can the function no longer return from here?
    pub doomed: Vec<bool>,
    pub errors: Vec<Diagnostic>,
}

/// Values that other code may find after a call, jump to another function, or return.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EscapingValues {
    /// Registers that hold or may hold the upper part of an address, one bit each.
    pub address_parts: u32,
    /// The frame holds such a part where a callee could find it as an argument.
    pub part_in_frame: bool,
    /// Registers other than SP that hold SP on entry, one bit each.
    pub entry_sp: u32,
    /// Callee-saved registers that still hold their entry value, one bit each.
    pub preserved: u32,
    /// Callee-saved registers whose entry value the frame holds where a callee could find it as an argument.
    pub saved_in_frame: u32,
}

/// Registers that hold a jump table's address, or a value computed from one, where control leaves the function; one bit
/// each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TableAddresses {
    /// The jump through the table may still follow.
    pub fresh: u32,
    /// The jump is done.
    pub spent: u32,
}

/// A jump to one of several places in the function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JumpTable {
    /// Place of the table, if its entries are distances from the table; `None` if the jump goes to an address, and so
    /// to any label whose address data contains.
    pub place: Option<(DataId, u32)>,
    /// Offsets in the function, in table order.
    pub targets: Vec<u32>,
}
