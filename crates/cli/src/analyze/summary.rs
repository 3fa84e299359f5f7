//! The facts about one function. [`super::flow`] visits instructions until nothing changes, and collects the facts of each visit in one summary.
//! Other modules read the complete summary.

use super::machine::Reach;
use super::state::{Origin, Value};
use crate::code::Callee;
use crate::diag::Diagnostic;
use crate::ids::DataId;
use std::collections::{BTreeMap, BTreeSet};

/// How control leaves a function to enter another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EdgeKind {
    Call,
    /// A jump. The target returns to the caller of the function that jumps.
    Tail,
}

/// A call, or a jump to another function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The index of the instruction that calls or jumps.
    pub inst: usize,
    pub kind: EdgeKind,
    /// The number of bytes by which SP is lower at the instruction than on entry.
    pub depth: u32,
    /// The known targets; `None` if the target may be any function whose address is taken.
    pub targets: Option<BTreeSet<Callee>>,
    pub indirect: bool,
    /// The origin of the pointer of an indirect call, if known.
    pub origin: Option<Origin>,
    /// True if lowering may move SP around the call. False for hand-written code that calls a neighbour by private conventions.
    pub paddable: bool,
    /// The callee-saved registers, and the register with the return address, whose value on entry is only in the frame. For each, the distance
    /// in bytes from SP to the highest word that holds the value. (Empty on machines that pass the return address on the stack.)
    pub only_in_frame: BTreeMap<usize, u32>,
    /// The number of bytes from SP up to the end of the last word that may be an argument of the call. The function has written these words
    /// since the last call, never reads them, and never passes on the address where they begin. On amd64 these are all words up to the first
    /// that holds a callee-saved register, if the function may have written one of them (in a function compiled by rustc: since the last
    /// call).
    pub written: u32,
    /// A larger bound than `written`, for code that may not follow the rules behind `written`. On arm64: gcc may write arguments by calls of
    /// memcpy, and may rely on words written before another call. On amd64: the words up to the first that the function reads, and in a
    /// function compiled by rustc only those up to the last word written since the last call.
    pub passable: u32,
}

/// The facts that `flow` finds out about a function.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// For each instruction, the number of bytes by which SP is lower before it than on entry; `None` if the instruction is unreachable.
    pub depths: Vec<Option<u32>>,
    pub edges: Vec<Edge>,
    /// The jump tables, by the index of the instruction that jumps.
    pub tables: BTreeMap<usize, JumpTable>,
    pub returns: bool,
    /// The callee-saved registers that are not proved to be restored, one bit each.
    pub clobbers: u32,
    /// The registers that the function may change, without callee-saved registers, one bit each. Callers that know the function may keep values in
    /// the other registers.
    pub changes: u32,
    /// The depth of the deepest byte of the function's own frame, including the red zone, in bytes below SP on entry.
    pub deepest: u32,
    /// True if the function uses memory below SP.
    pub red_zone: bool,
    /// True if the code depends on SP on entry modulo 64 and the analysis did not track this alignment.
    pub needs_alignment: bool,
    /// True if the code depends on SP on entry modulo 64 and the analysis tracked this alignment.
    pub uses_alignment: bool,
    /// True if the code assumes that SP on entry, plus the size of the return address, is a multiple of 16.
    pub assumes_alignment: bool,
    /// True if the code can observe the alignment of SP.
    pub observes_alignment: bool,
    /// True if the function takes arguments on the stack.
    pub stack_arguments: bool,
    /// The kind of memory that the function's own code accesses.
    pub reach: Reach,
    /// The number of stack argument words that the function accesses; `None` if it makes an address of its arguments and may access any word.
    pub argument_words: Option<u32>,
    /// For each instruction whose offset lowering must change, the number of bytes to add (`Effect::moved`).
    pub moved: BTreeMap<usize, i64>,
    /// The number of bytes above SP on entry up to which the function accesses known places (arm64).
    pub argument_bytes: u32,
    /// The instructions that make the address between the frame and the caller's arguments.
    pub boundary: BTreeSet<usize>,
    /// True if the function uses the address at which its frame ends and the arguments begin, in a way that the analysis does not track. Then
    /// the address may be meant for either.
    pub boundary_escapes: bool,
    /// True if the function accesses memory that is or may be its frame by indexes (`Effect::indexes`).
    pub indexes: bool,
    /// True if an access to the frame on x86-64 may hit a stack argument (`Effect::reaches_up`).
    pub reaches_up: bool,
    /// True if LLVM compiled the function.
    pub is_llvm: bool,
    /// True if rustc compiled the function.
    pub is_rust: bool,
    /// For each instruction, the addresses of code or data that it stores where they outlive the frame.
    pub published: BTreeMap<usize, Vec<Value>>,
    /// The instructions that run while SP is aligned by an unknown distance.
    pub in_aligned_frame: BTreeSet<usize>,
    /// True if the code reads a value that may be the upper part of an address, and uses it as a number.
    pub reads_part: bool,
    /// The callee-saved registers whose value on entry may be used for more than saving and restoring it, one bit each.
    pub uses_entry: u32,
    /// For each call, jump to another function, and return: the values that other code may find there.
    pub escaping_values: BTreeMap<usize, EscapingValues>,
    /// For each call, jump to another function, and return: the registers that hold the address of a jump table there.
    pub table_addresses: BTreeMap<usize, TableAddresses>,
    /// The distances to code that the function reads from data for another purpose than a jump, as section and offset.
    pub distances: BTreeSet<(DataId, u32)>,
    /// For each instruction, true if the function can no longer return from there.
    pub doomed: Vec<bool>,
    pub errors: Vec<Diagnostic>,
}

/// The values that other code may find after a call, a jump to another function, or a return, in addition to arguments and results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EscapingValues {
    /// The registers that hold or may hold the upper part of an address, one bit each.
    pub address_parts: u32,
    /// True if the frame holds the upper part of an address where a callee could find it as an argument.
    pub part_in_frame: bool,
    /// The registers other than SP that hold SP on entry, one bit each.
    pub entry_sp: u32,
    /// The callee-saved registers that still hold their value on entry, one bit each.
    pub preserved: u32,
    /// The callee-saved registers whose value on entry is in the frame where a callee could find it as an argument, one bit each.
    pub saved_in_frame: u32,
}

/// The registers that hold a jump table's address, or a value computed from this address, where control leaves the function; one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TableAddresses {
    /// The registers whose content a jump through the table may still use.
    pub fresh: u32,
    /// The registers whose content the jump through the table has used already. Compilers treat them as undefined.
    pub spent: u32,
}

/// The targets of a jump to one of several places in the function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JumpTable {
    /// The place of the table, if its entries are distances from the table. `None` if the code jumps to an absolute address. Such a jump may
    /// reach every label whose address is stored in data.
    pub place: Option<(DataId, u32)>,
    /// The targets, as offsets in the function, in the order of the table.
    pub targets: Vec<u32>,
}
