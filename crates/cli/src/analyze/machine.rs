//! The interface between the analysis and a machine: [`Machine`] steps over instructions, [`Knowledge`] provides facts
//! from outside the function, and [`Effect`] reports what one instruction does.

use super::hints;
use super::state::{State, Value};
use crate::code::{Code, Convention, Inst, Reg, Set, StackUse, Uses, WordUses};
use crate::decode::Decoder;
use crate::diag::ErrorCode;
use crate::ids::DataId;
use crate::load::{Function, Object};
use std::collections::BTreeSet;

/// Facts from outside the current function, for a machine's `step`.
pub trait Knowledge {
    fn object(&self) -> &Object;
    /// SP on entry modulo 64, if it is tracked.
    fn entry_alignment(&self) -> Option<u8>;
    /// The value that a load of a pointer-sized cell of a data section yields.
    fn load(&mut self, data: DataId, offset: i64) -> Value;
    /// The value that an indexed load yields: the index is unknown, the table begins at `from`.
    fn load_any(&mut self, data: DataId, from: i64) -> Value;
    /// A store to a cell of a data section.
    fn store(&mut self, data: DataId, offset: i64, value: &Value);
    /// The section's address has escaped: any code may write to the section from here on.
    fn take_address(&mut self, data: DataId);
}

/// The memory that an instruction accesses, ordered by how likely an access is to fault.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
    /// No memory, or memory that always exists: the frame, static data at a known place.
    #[default]
    There,
    /// Memory that the function's first or second argument points to: in an export, Go's areas for arguments and
    /// results.
    Areas,
    /// Any memory. A division that can fault counts as this too.
    Anywhere,
}

/// Effects of one instruction beyond the new state.
#[derive(Clone, Debug, Default)]
pub struct Effect {
    /// Depth of the lowest byte accessed, in bytes below SP on entry, at least 0. It shows accesses to a red zone.
    pub touched: i64,
    /// For an indirect call or jump: the operand's value.
    pub target: Option<Value>,
    /// `and rsp, -N`, where the result depends on the entry alignment and that is not tracked.
    pub needs_alignment: bool,
    /// The same, with the entry alignment tracked.
    pub uses_alignment: bool,
    /// Assumes that SP on entry, plus the return address, is a multiple of 16, to place a masked address.
    pub assumes_alignment: bool,
    /// Observes the alignment of SP: SP or an address derived from it is used other than in a move by a constant.
    pub observes_alignment: bool,
    /// Accesses memory above the return address: arguments that the caller passed on the stack.
    pub stack_arguments: bool,
    /// How far it accesses memory above the return address (arm64: above SP on entry), in bytes.
    pub argument_bytes: i64,
    /// That distance is unknown (x86-64).
    pub any_argument: bool,
    /// Computes an address, perhaps with an index, from an address at the top of the frame, and the result lies below
    /// the arguments (x86-64). If SP is aligned in between, frame places cannot be reached from there, so the address
    /// belongs to the arguments, with an index that does not start at 0.
    pub from_top: bool,
    /// Change of the instruction's offset in bytes, where lowering moves the caller's frame further away.
    pub moved: i64,
    /// Makes the address between the frame and the caller's arguments, which may refer to either.
    pub boundary: bool,
    /// Uses that address in a way that is no longer tracked, so it may refer to either from here on.
    pub boundary_escapes: bool,
    /// Adds an unknown number to a frame address, or stores such an address in code not compiled by LLVM (arm64).
    /// Compilers move constants from indexes to addresses, so the access may hit an argument.
    pub indexes: bool,
    /// A frame address goes where it is no longer tracked, so an access may hit an argument (x86-64; only alignment
    /// padding lies between a frame and the arguments).
    pub reaches_up: bool,
    /// Bytes that it reads at a known place in or next to the frame, as distances from SP on entry (arm64).
    pub reads: Option<(i64, i64)>,
    /// Bytes that it writes at such a place. On amd64 any access counts, and so does `lea`: only the word at SP matters
    /// ([`Edge::written`](super::summary::Edge::written)), and a callee may write it through the address.
    pub writes: Option<(i64, i64)>,
    /// A frame word that it reads and that may hold something other than a frame address (amd64).
    pub takes: Option<i64>,
    /// Addresses of code or data that it stores where they outlive the frame.
    pub published: Vec<Value>,
    /// Runs while SP is aligned by an unknown distance.
    pub in_aligned_frame: bool,
    /// Reads as a number what may be the upper part of an address.
    pub reads_part: bool,
    /// Callee-saved registers whose entry value it uses for more than saving it in the frame, one bit each.
    pub uses_entry: u32,
    pub reach: Reach,
    /// Place in data that it accesses, and the number of bytes. If the operand has an index, the place is the start
    /// (x86-64).
    pub data: Option<(DataId, i64, i64)>,
}

/// The reason why an instruction is refused.
#[derive(Clone, Debug)]
pub struct Refusal {
    pub code: ErrorCode,
    pub message: String,
    /// Hint, if it differs from the error code's hint.
    pub hint: Option<String>,
}

/// Shorthand for a refusal without a hint of its own.
pub fn refuse<T>(code: ErrorCode, message: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal { code, message: message.into(), hint: None })
}

/// Refuses an instruction that makes the address of an undefined symbol.
pub fn refuse_undefined<T>(name: &str) -> Result<T, Refusal> {
    Err(Refusal { code: ErrorCode::Undefined, message: hints::undefined_message(name), hint: Some(hints::for_symbol(name)) })
}

/// A machine, for the analysis.
pub trait Machine: Decoder {
    /// The state on entry.
    fn entry(&self) -> State;
    /// The stack pointer's register number.
    fn sp(&self) -> Reg;
    /// Registers that a callee must preserve, without the stack pointer.
    fn callee_saved(&self) -> &'static [Reg];
    /// General registers that pass arguments, one bit each.
    fn argument_registers(&self) -> u32;
    /// Go's frame pointer, if an export's own code must preserve it; `None` if the entry saves it.
    fn frame_pointer(&self) -> Option<Reg>;
    /// Bytes that a call pushes.
    fn call_size(&self) -> i64;
    /// Size of the red zone below SP, in bytes.
    fn red_zone(&self) -> u32 {
        0
    }
    /// The register that holds the return address on entry, if the machine has one.
    fn link(&self) -> Option<Reg> {
        None
    }
    /// Frame size of a lowered function, in bytes. `deepest`: depth of its own code. `extra`: bytes that lowering adds
    /// at the top; with `Some`, the function has a frame even if its own code needs none.
    fn lowered_frame(&self, deepest: u32, above: Option<u32>) -> u32;
    /// Depth of a lowered function at a call or jump, in bytes, where its own code is `depth` bytes deep.
    fn lowered_call(&self, deepest: u32, above: Option<u32>, depth: u32) -> u32;
    /// SP is a multiple of this on every entry. Compilers assume 16.
    fn stack_alignment(&self) -> u32;
    /// The most stack between an exported function's caller and its body, in bytes. `align`: required alignment of SP.
    /// `blocking`: does the entry call the scheduler?
    fn entry_stack(&self, align: u32, blocking: bool) -> u32;
    /// Steps over `inst`. For a call, up to the callee's entry; [`Machine::returned`] does the rest.
    fn step(&self, function: &Function, inst: &Inst, state: &mut State, knowledge: &mut dyn Knowledge) -> Result<Effect, Refusal>;
    /// Updates the state after a call: forgets everything that the callee may have changed. `clobbered` has the
    /// registers.
    fn returned(&self, state: &mut State, clobbered: u32);
    /// The least number of entries of the table that the jump `at` goes through, if a comparison in its block shows it.
    /// `block`: the block's first instruction.
    fn table_bound(&self, _function: &Function, _code: &Code, _block: usize, _at: usize) -> Option<u64> {
        None
    }
    /// The words that the instruction copies or reads, in the state before it. Called only for functions with indirect
    /// jumps.
    fn word_uses(&self, _function: &Function, _inst: &Inst, _state: &State) -> WordUses {
        WordUses::default()
    }
    /// Does the instruction access memory that must be aligned to 16 and may be on the stack?
    fn needs_aligned_stack(&self, function: &Function, inst: &Inst) -> bool;
    /// Stack that lowering may use at this instruction, beyond the code's own use, to save a register; in bytes.
    fn scratch_stack(&self, object: &Object, function: &Function, inst: &Inst) -> u32;
    /// What each instruction reads and overwrites, without its callees.
    fn uses(&self, function: &Function, code: &Code) -> Vec<Uses>;
    /// How an instruction accesses the stack. Called only for functions without calls.
    fn stack_use(&self, _function: &Function, _inst: &Inst) -> StackUse {
        StackUse::Unknown
    }
    /// What unknown callees may read and what they preserve.
    fn convention(&self) -> Convention;
    /// The registers and flags of a set, for messages.
    fn names(&self, set: Set) -> String;
    /// Does the instruction use the x87 stack, whose registers MMX shares?
    fn uses_x87(&self, _function: &Function, _inst: &Inst) -> bool {
        false
    }
    /// Adds the CPU features above the baseline that the instruction needs, by the vendor's names.
    fn features(&self, function: &Function, inst: &Inst, into: &mut BTreeSet<String>);
    /// The instruction in the vendor's syntax, for messages.
    fn print(&self, function: &Function, inst: &Inst) -> String;
}
