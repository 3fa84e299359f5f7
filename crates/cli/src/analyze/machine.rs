//! The interface between the analysis and a machine. [`Machine`] steps over instructions, [`Knowledge`] provides facts from outside the function,
//! and [`Effect`] reports what one instruction does.

use super::hints;
use super::state::{State, Value};
use crate::code::{Code, Convention, Inst, Reg, Set, StackUse, Uses, WordUses};
use crate::decode::Decoder;
use crate::diag::ErrorCode;
use crate::ids::DataId;
use crate::load::{Function, Object};
use std::collections::BTreeSet;

/// Facts from outside the current function that a machine's `step` needs.
pub trait Knowledge {
    fn object(&self) -> &Object;
    /// The value of SP on entry modulo 64, if the analysis tracks it.
    fn entry_alignment(&self) -> Option<u8>;
    /// The value that an instruction loads from a pointer-sized cell of a data section.
    fn load(&mut self, data: DataId, offset: i64) -> Value;
    /// The value that an instruction loads from a table at an unknown index. The table begins at `from`.
    fn load_any(&mut self, data: DataId, from: i64) -> Value;
    /// Records that `value` is stored in a cell of a data section.
    fn store(&mut self, data: DataId, offset: i64, value: &Value);
    /// Records that the section's address is no longer tracked: from here on, any code may write to the section.
    fn take_address(&mut self, data: DataId);
}

/// The memory that an instruction accesses. Later variants are more likely to fault.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
    /// No memory, or memory that always exists: the frame, or static data at a known place.
    #[default]
    There,
    /// Memory that the function's first or second argument points to. In an export, Go's arguments and results are there.
    Areas,
    /// Any memory. A division that can fault counts as an access to any memory.
    Anywhere,
}

/// The effects of one instruction, apart from the new state.
#[derive(Clone, Debug, Default)]
pub struct Effect {
    /// Depth of the lowest byte that the instruction accesses, in bytes below SP on entry, at least 0. If this byte lies below SP, the
    /// function uses a red zone.
    pub touched: i64,
    /// The value of the target of an indirect call or jump.
    pub target: Option<Value>,
    /// True for `and rsp, -N` if the result depends on the alignment of SP on entry and the analysis does not track this alignment.
    pub needs_alignment: bool,
    /// True for `and rsp, -N` if the result depends on the alignment of SP on entry and the analysis tracks this alignment.
    pub uses_alignment: bool,
    /// True if the instruction aligns a frame address to more than 8 bytes. The place of the result depends on the assumption that SP on
    /// entry, plus the size of the return address, is a multiple of 16.
    pub assumes_alignment: bool,
    /// True if the instruction observes the alignment of SP: it uses SP, or an address derived from SP, other than in a move by a constant.
    pub observes_alignment: bool,
    /// True if the instruction accesses memory above the return address: arguments that the caller passed on the stack.
    pub stack_arguments: bool,
    /// The number of bytes above the return address (arm64: above SP on entry) up to which the instruction accesses memory.
    pub argument_bytes: i64,
    /// True if the instruction may access stack arguments, but the distance or the size of the access is unknown (x86-64).
    pub any_argument: bool,
    /// True if the instruction computes an address from the address of the frame's top, perhaps with an index, and the result without the
    /// index lies below the stack arguments (x86-64). In a function that aligns SP, the distance from the frame's top down to the locals is
    /// unknown. So the address is meant for the arguments, with an index that does not start at 0.
    pub from_top: bool,
    /// The number of bytes that lowering must add to the offset in the instruction, because lowering moves the caller's frame further away.
    pub moved: i64,
    /// True if the instruction makes the address between the frame and the caller's arguments. Code may access either of them through this
    /// address.
    pub boundary: bool,
    /// True if the instruction uses the address between frame and arguments in a way that the analysis does not track. Later code may then
    /// access either of them through this address.
    pub boundary_escapes: bool,
    /// True if the instruction adds an unknown number to a frame address, or stores such an address in code not compiled by LLVM (arm64).
    /// Compilers move constants from indexes to addresses, so an access may hit an argument.
    pub indexes: bool,
    /// True if the instruction uses a frame address and the analysis does not track the result, so a later access may hit a stack argument
    /// (x86-64; only alignment padding lies between a frame and the arguments).
    pub reaches_up: bool,
    /// The bytes that the instruction reads at a known place in or next to the frame: start and end, as distances from SP on entry (arm64).
    pub reads: Option<(i64, i64)>,
    /// The bytes that the instruction writes at a known place in or next to the frame: start and end, as distances from SP on entry. On amd64
    /// only the word at SP matters ([`Edge::written`](super::summary::Edge::written)), so any access counts as a write. `lea` counts too,
    /// because a callee may write the word through the address.
    pub writes: Option<(i64, i64)>,
    /// The place of the frame word that the instruction reads, unless the word is known to hold a frame address (amd64).
    pub takes: Option<i64>,
    /// The addresses of code or data that the instruction stores where they outlive the frame.
    pub published: Vec<Value>,
    /// True if SP is aligned by an unknown distance when the instruction runs.
    pub in_aligned_frame: bool,
    /// True if the instruction reads a value that may be the upper part of an address, and uses it as a number.
    pub reads_part: bool,
    /// The callee-saved registers whose entry value the instruction uses for more than saving it in the frame, one bit each.
    pub uses_entry: u32,
    pub reach: Reach,
    /// The place in data that the instruction accesses (section, offset), and the number of bytes. For an operand with an index, the place is
    /// where index 0 leads (x86-64).
    pub data: Option<(DataId, i64, i64)>,
}

/// The reason why an instruction is refused.
#[derive(Clone, Debug)]
pub struct Refusal {
    pub code: ErrorCode,
    pub message: String,
    /// The hint, if it differs from that of the error code.
    pub hint: Option<String>,
}

/// Makes a refusal without a hint of its own.
pub fn refuse<T>(code: ErrorCode, message: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal { code, message: message.into(), hint: None })
}

/// Refuses an instruction that makes the address of an undefined symbol.
pub fn refuse_undefined<T>(name: &str) -> Result<T, Refusal> {
    Err(Refusal { code: ErrorCode::Undefined, message: hints::undefined_message(name), hint: Some(hints::for_symbol(name)) })
}

/// The interface of a machine for the analysis.
pub trait Machine: Decoder {
    /// The state on entry to a function.
    fn entry(&self) -> State;
    /// The register number of the stack pointer.
    fn sp(&self) -> Reg;
    /// The registers that a callee must preserve, without the stack pointer.
    fn callee_saved(&self) -> &'static [Reg];
    /// The general registers that pass arguments, one bit each.
    fn argument_registers(&self) -> u32;
    /// Go's frame pointer register, if an export's own code must preserve it; `None` if the entry saves it.
    fn frame_pointer(&self) -> Option<Reg>;
    /// The number of bytes that a call pushes.
    fn call_size(&self) -> i64;
    /// The size of the red zone below SP, in bytes.
    fn red_zone(&self) -> u32 {
        0
    }
    /// The register that holds the return address on entry, if the machine has one.
    fn link(&self) -> Option<Reg> {
        None
    }
    /// The frame size of a lowered function, in bytes. `deepest` is the depth of the function's own code, in bytes below SP on entry. `above`
    /// is the number of bytes that lowering adds at the top; if it is `Some`, the function has a frame even if its own code needs none.
    fn lowered_frame(&self, deepest: u32, above: Option<u32>) -> u32;
    /// The depth of SP in a lowered function at a call or jump, in bytes below SP on entry, where the function's own code has the depth
    /// `depth`.
    fn lowered_call(&self, deepest: u32, above: Option<u32>, depth: u32) -> u32;
    /// SP is a multiple of this number on every entry to a function. Compilers assume 16.
    fn stack_alignment(&self) -> u32;
    /// The most bytes of stack between the caller of an exported function and its body. `align` is the required alignment of SP. `blocking`
    /// states if the entry calls the scheduler.
    fn entry_stack(&self, align: u32, blocking: bool) -> u32;
    /// Applies `inst` to the state. For a call, the result is the state at the callee's entry; [`Machine::returned`] then gives the state
    /// after the call.
    fn step(&self, function: &Function, inst: &Inst, state: &mut State, knowledge: &mut dyn Knowledge) -> Result<Effect, Refusal>;
    /// Updates the state after a call: forgets everything that the callee may have changed. `clobbered` has the changed registers, one bit
    /// each.
    fn returned(&self, state: &mut State, clobbered: u32);
    /// The least number of entries in the table that the jump `at` goes through, if a comparison in its block shows this number. `block` is
    /// the block's first instruction.
    fn table_bound(&self, _function: &Function, _code: &Code, _block: usize, _at: usize) -> Option<u64> {
        None
    }
    /// The words that the instruction copies or reads. `state` is the state before the instruction. Called only for functions with indirect
    /// jumps, which may go through tables.
    fn word_uses(&self, _function: &Function, _inst: &Inst, _state: &State) -> WordUses {
        WordUses::default()
    }
    /// True if the instruction accesses memory that must be aligned to 16 and may be on the stack.
    fn needs_aligned_stack(&self, function: &Function, inst: &Inst) -> bool;
    /// The number of bytes of stack that lowering may need at this instruction to save a register, in addition to the code's own.
    fn scratch_stack(&self, object: &Object, function: &Function, inst: &Inst) -> u32;
    /// The registers and flags that each instruction reads and overwrites, without those of its callees.
    fn uses(&self, function: &Function, code: &Code) -> Vec<Uses>;
    /// How an instruction accesses the stack. Called only for functions without calls.
    fn stack_use(&self, _function: &Function, _inst: &Inst) -> StackUse {
        StackUse::Unknown
    }
    /// The registers that unknown callees may read, and those that they preserve.
    fn convention(&self) -> Convention;
    /// The names of the registers and flags in a set, for messages.
    fn names(&self, set: Set) -> String;
    /// True if the instruction uses the x87 stack, whose registers are also the MMX registers.
    fn uses_x87(&self, _function: &Function, _inst: &Inst) -> bool {
        false
    }
    /// Adds the CPU features above the baseline that the instruction needs, named as the vendor names them.
    fn features(&self, function: &Function, inst: &Inst, into: &mut BTreeSet<String>);
    /// The instruction in the vendor's syntax, for messages.
    fn print(&self, function: &Function, inst: &Inst) -> String;
}
