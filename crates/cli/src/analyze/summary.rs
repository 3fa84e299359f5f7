//! Defines the facts about one function that [`super::flow`] collects. `flow` visits the function's instructions until nothing changes, and puts
//! the facts of all visits in one [`Summary`]. Other modules read only the complete summary.

use super::machine::Reach;
use super::value::{Origin, Value};
use crate::code::Callee;
use crate::diag::Diagnostic;
use crate::ids::DataId;
use crate::load::Action;
use std::collections::{BTreeMap, BTreeSet};

/// The way in which control leaves a function to enter another function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EdgeKind {
    Call,
    /// A jump to the start of another function. The other function later returns to the caller of the function that jumps.
    Tail,
}

/// A call, or a jump to another function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The index of the instruction that calls or jumps.
    pub inst: usize,
    pub kind: EdgeKind,
    /// The distance in bytes by which SP at the instruction lies below SP on entry.
    pub depth: u32,
    /// The known targets. `None` means that the target may be any function whose address is taken.
    pub targets: Option<BTreeSet<Callee>>,
    pub indirect: bool,
    /// For an indirect call or jump, the place from which the code loaded the pointer; `None` if unknown.
    pub origin: Option<Origin>,
    /// True for a direct call before and after which lowering may move SP. False for a call without a relocation in code that rustc did not compile:
    /// hand-written code may call a function of its own file by a private convention.
    pub paddable: bool,
    /// The registers whose value on entry exists only in the frame: callee-saved registers, and the register with the return address. For each, the
    /// distance in bytes from SP to the highest word that holds the value. Empty on amd64, where a call passes the return address on the stack.
    pub only_in_frame: BTreeMap<usize, u32>,
    /// The number of bytes from SP up to the end of the last word that may be an argument of the call. On arm64, the function has written the last of
    /// these words since the last call. The function reads none of these words, and passes the address of none to a callee. On amd64, if the function
    /// may have written one of the words below the first saved callee-saved register, all of these words count. (In a function compiled by rustc,
    /// only writes since the last call matter.)
    pub written: u32,
    /// Another bound on the number of bytes that may be arguments. On arm64 it is at least `written`: gcc may write arguments by calls of memcpy, and
    /// may rely on words written before another call. On amd64 it is at most `written`. On amd64, these bytes end at the first word that the function
    /// reads and, in a function compiled by rustc, after the last word written since the last call.
    pub passable: u32,
    /// The way in which the call unwinds; `None` if no target can unwind.
    pub unwound: Option<Unwound>,
}

/// The way in which a call unwinds: the state of the frame at the call, and the place where control goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unwound {
    /// The callee-saved registers whose value on entry is in the frame, each with the distance of the highest such word from SP on entry, in bytes.
    pub saved: BTreeMap<usize, i64>,
    /// The callee-saved registers that still hold their value on entry when the call unwinds, one bit each.
    pub kept: u32,
    pub way: Way,
}

/// The place where control goes when a call unwinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Control goes to a landing pad of the function.
    Lands {
        /// The index of the landing pad's first instruction.
        pad: usize,
        action: Action,
        /// The number of bytes by which SP at the landing pad is higher than at the call.
        arguments: u32,
    },
    /// The unwinding leaves the function and continues in its caller.
    Leaves,
    /// The compiler has declared that the call does not unwind (its table of call sites has no entry for the call), so the unwinding ends here.
    Ends,
}

/// The facts about one function that the analysis of its code ([`super::flow`]) finds out.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// For each instruction, the distance in bytes by which SP before the instruction lies below SP on entry; `None` if the instruction is
    /// unreachable.
    pub depths: Vec<Option<u32>>,
    pub edges: Vec<Edge>,
    /// The jump tables, by the index of the instruction that jumps through the table.
    pub tables: BTreeMap<usize, JumpTable>,
    pub returns: bool,
    /// The callee-saved registers that the function may change without restoring them, one bit each.
    pub clobbers: u32,
    /// The other registers that the function may change, one bit each. A caller that knows its callee may keep values in the remaining
    /// registers.
    pub changes: u32,
    /// True if the function can unwind to its caller.
    pub unwinds: bool,
    /// The callee-saved registers whose value may differ from the value on entry when the function unwinds to its caller, one bit each.
    pub lost: u32,
    /// The depth in bytes below SP on entry of the lowest byte of the function's own frame, including the red zone.
    pub deepest: u32,
    /// True if the function accesses memory below SP (the red zone).
    pub red_zone: bool,
    /// True if the code depends on an alignment of SP on entry that the analysis did not track.
    pub needs_alignment: bool,
    /// True if the code depends on an alignment of SP on entry that the analysis tracked.
    pub uses_alignment: bool,
    /// True if the code assumes that SP on entry, plus the size of the return address, is a multiple of 16.
    pub assumes_alignment: bool,
    /// True if the code can observe the alignment of SP.
    pub observes_alignment: bool,
    /// True if the function takes arguments on the stack.
    pub stack_arguments: bool,
    /// The kinds of memory that the function's own code accesses.
    pub reach: Reach,
    /// The number of stack argument words that the function accesses at constant distances from SP.
    pub argument_words: u32,
    /// True if the function makes an address of its arguments, through which it may access any argument word.
    pub any_argument: bool,
    /// For each instruction whose offset from SP lowering must change, the number of bytes to add (`Effect::moved`).
    pub moved: BTreeMap<usize, i64>,
    /// The end of the highest known place above SP on entry that the function accesses, in bytes above SP on entry (arm64).
    pub argument_bytes: u32,
    /// The instructions that make the address where the frame ends and the caller's arguments begin.
    pub boundary: BTreeSet<usize>,
    /// True if the analysis loses track of the address where the frame ends and the arguments begin (`Effect::boundary_escapes`). Later code may then
    /// access either area through this address.
    pub boundary_escapes: bool,
    /// True if the function accesses its frame, or memory that may be its frame, by an index (`Effect::indexes`).
    pub indexes: bool,
    /// True if an access to the frame on x86-64 may hit a stack argument (`Effect::reaches_up`).
    pub reaches_up: bool,
    /// True if LLVM compiled the function.
    pub is_llvm: bool,
    /// True if rustc compiled the function.
    pub is_rust: bool,
    /// For each instruction, the addresses of code or data that the instruction stores in memory that outlives the frame.
    pub published: BTreeMap<usize, Vec<Value>>,
    /// The instructions that run after the function has aligned SP to more than 16 bytes, and before it restores SP (arm64). For each, the minimum
    /// size of the aligned frame in bytes. At these instructions, the distance from SP to SP on entry is unknown.
    pub in_aligned_frame: BTreeMap<usize, u32>,
    /// True if the code may use the upper part of an address as a number (`Effect::reads_part`).
    pub reads_part: bool,
    /// The callee-saved registers whose value on entry the function may use for something other than to save and restore it, one bit each.
    pub uses_entry: u32,
    /// For each instruction that calls, jumps to another function, or returns: the values, besides arguments and results, that other code may find
    /// after it.
    pub escaping_values: BTreeMap<usize, EscapingValues>,
    /// For each instruction that calls, jumps to another function, or returns: the registers that hold the address of a jump table before it.
    pub table_addresses: BTreeMap<usize, TableAddresses>,
    /// The words of data that hold a distance to code and that the function reads for another purpose than a jump, as (section, offset).
    pub distances: BTreeSet<(DataId, u32)>,
    /// For each instruction, true if the function can no longer return once control has reached the instruction.
    pub doomed: Vec<bool>,
    pub errors: Vec<Diagnostic>,
}

impl Summary {
    /// Returns the first instruction of the landing pad to which the call at the instruction may unwind.
    pub fn landing_pad(&self, at: usize) -> Option<usize> {
        let index = self.edges.binary_search_by_key(&at, |edge| edge.inst).ok()?;
        self.edges[index].landing_pad()
    }
}

impl Edge {
    /// Returns the first instruction of the landing pad to which the call may unwind.
    pub fn landing_pad(&self) -> Option<usize> {
        match self.unwound.as_ref()?.way {
            Way::Lands { pad, .. } => Some(pad),
            Way::Leaves | Way::Ends => None,
        }
    }
}

/// The values, besides arguments and results, that other code may find after a call, a jump to another function, or a return.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EscapingValues {
    /// The registers that hold the upper part of an address (the result of `adrp`, arm64), on some path or on all paths, one bit each.
    pub address_parts: u32,
    /// True if the upper part of an address is in the frame at a place where a callee could find it as an argument.
    pub part_in_frame: bool,
    /// The registers other than SP that hold the value of SP on entry, one bit each.
    pub entry_sp: u32,
    /// The callee-saved registers that still hold their value on entry, one bit each.
    pub preserved: u32,
    /// The callee-saved registers whose value on entry is in the frame at a place where a callee could find it as an argument, one bit each.
    pub saved_in_frame: u32,
}

/// The registers that hold a jump table's address, or a value computed from this address, when control leaves the function; one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TableAddresses {
    /// The registers whose content a later jump through the table may use.
    pub fresh: u32,
    /// The registers that still hold such a value after the jump through the table. Compilers treat these registers as undefined. In a function
    /// compiled by rustc, registers with a table's address count here even before the jump, because only the jump reads them.
    pub spent: u32,
}

/// The targets of a jump that may go to one of several places in the function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JumpTable {
    /// The place of the jump table. Its entries are distances from the table. `None` if the code jumps to an absolute address: such a jump may go to
    /// every label of the function whose address is stored in data.
    pub place: Option<(DataId, u32)>,
    /// The targets in the order of the table, as offsets in the function.
    pub targets: Vec<u32>,
}
