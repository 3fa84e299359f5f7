//! What is found in one function. [`super::flow`] goes over the function until nothing changes, so it collects in one summary what every
//! visit of an instruction adds; others get the summary when it is complete.

use super::machine::Reach;
use super::state::{Found, Value};
use crate::code::Callee;
use crate::diag::Diagnostic;
use crate::ids::DataId;
use std::collections::{BTreeMap, BTreeSet};

/// How control leaves a function for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EdgeKind {
    Call,
    /// A jump: the target returns to our caller.
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
    /// Known targets; `None`: one of the address-taken functions.
    pub targets: Option<BTreeSet<Callee>>,
    pub indirect: bool,
    /// Where the pointer was loaded from that it follows, as far as is seen.
    pub found: Option<Found>,
    /// May lowering move SP around the call? Not where hand-written code calls a neighbour by rules of its own.
    pub paddable: bool,
    /// Of registers that the function may have to give back, the return address among them, those that no register holds here any more:
    /// how far above SP the highest word lies that does, in bytes. (Where the machine passes the return address in a register.)
    pub kept: BTreeMap<usize, u32>,
    /// The last of the words from SP up that may be arguments, in bytes from SP: the function has written them since the last call, and
    /// nowhere reads them nor hands on where they begin. On amd64: all words up to the first that keeps a callee-saved register, if the
    /// function may have written one of them (if rustc has compiled it: since the last call).
    pub written: u32,
    /// The same, with less trust on arm64: gcc writes arguments by calls of memcpy, and goes on after others. On amd64 no more than up to
    /// the first word that the function reads, and in what rustc has compiled, up to the last that it has written since the last call.
    pub passable: u32,
}

/// What flow finds in a function.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// By instruction: bytes below SP-on-entry before it; `None` where nothing leads.
    pub depths: Vec<Option<u32>>,
    pub edges: Vec<Edge>,
    /// By the index of the jump.
    pub tables: BTreeMap<usize, JumpTable>,
    pub returns: bool,
    /// Callee-saved registers that are not proved to be restored, a bit each.
    pub clobbers: u32,
    /// Of the other registers those that it may change, a bit each. Callers that see a function keep values in the rest.
    pub changes: u32,
    /// The deepest byte of its own frame, red zone included.
    pub deepest: u32,
    /// Uses memory below SP.
    pub red_zone: bool,
    /// Needs SP on entry modulo 64 and was not told.
    pub needs_alignment: bool,
    /// Depends on SP on entry modulo 64 (and was told).
    pub uses_alignment: bool,
    /// Takes SP on entry for a multiple of 16 and the return address.
    pub assumes_alignment: bool,
    /// Can see how SP is aligned.
    pub sees_sp: bool,
    /// Takes arguments on the stack.
    pub stack_arguments: bool,
    /// The memory that it reaches itself.
    pub reach: Reach,
    /// How many words of them it reads or writes; none where it may be any, because it makes an address of them.
    pub argument_words: Option<u32>,
    /// By instruction: by how much lowering changes its offset (`Effect::moved`), where not by 0.
    pub moved: BTreeMap<usize, i64>,
    /// How far it reaches above SP on entry at known places, in bytes (arm64).
    pub argument_bytes: u32,
    /// Instructions that make the address between the frame and the caller's.
    pub boundary: BTreeSet<usize>,
    /// Lets go of it, so that anybody may use it as either's.
    pub joins: bool,
    /// Reaches its frame by indexes, or what may be its frame (`Effect::indexes`).
    pub indexes: bool,
    /// The same (`Effect::reaches_up`).
    pub reaches_up: bool,
    /// LLVM has compiled it.
    pub is_llvm: bool,
    /// rustc has.
    pub is_rust: bool,
    /// By instruction: addresses of code or data that it stores where they outlast the frame.
    pub published: BTreeMap<usize, Vec<Value>>,
    /// Instructions that run with SP aligned by a distance that is not known.
    pub in_aligned_frame: BTreeSet<usize>,
    /// Reads as a number what is or may be an upper part of an address.
    pub reads_part: bool,
    /// Callee-saved registers whose value on entry may be used other than to be kept and restored, a bit each.
    pub uses_entry: u32,
    /// By instruction: what it hands on at calls, jumps to other functions, and returns.
    pub crossings: BTreeMap<usize, Crossing>,
    /// By call, jump to another function, and return: registers that hold the address of a jump table there.
    pub handed: BTreeMap<usize, Handed>,
    /// Distances to code in data that it reads, other than to jump: the sections, and the offsets in them.
    pub distances: BTreeSet<(DataId, u32)>,
    /// Instructions from which it cannot return any more.
    pub doomed: Vec<bool>,
    pub errors: Vec<Diagnostic>,
}

/// What others may find where control goes to them, or returns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Crossing {
    /// Registers that hold an upper part of an address, or may, a bit each.
    pub parts: u32,
    /// The frame keeps one where a callee could find it as an argument.
    pub kept_part: bool,
    /// Registers other than SP that hold the address it had on entry, a bit each.
    pub between: u32,
    /// Callee-saved registers that hold what they held on entry, a bit each.
    pub untouched: u32,
    /// Of which of them the frame keeps that where a callee could find it as an argument.
    pub kept: u32,
}

/// Registers that hold the address of a table, or what was made of one, where control leaves the function; a bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Handed {
    /// The table may still have to be jumped through.
    pub fresh: u32,
    /// It was.
    pub spent: u32,
}

/// A jump to one of several places in the function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JumpTable {
    /// Where the table lies, if it is one of distances from the table; none where the jump goes to an address, and so to any label whose
    /// address is kept in data.
    pub place: Option<(DataId, u32)>,
    /// Offsets in the function, in table order.
    pub targets: Vec<u32>,
}
