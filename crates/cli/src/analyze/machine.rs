//! The interface between the analysis and a machine (processor architecture). [`Machine`] steps over instructions, [`Knowledge`] provides facts
//! from outside the function, and [`Effect`] reports what one instruction does.

use super::hints;
use super::state::State;
use super::value::Value;
use crate::code::{Code, Convention, Inst, Reg, Set, StackUse, Uses, WordUses};
use crate::decode::Decoder;
use crate::diag::ErrorCode;
use crate::diag::wall::Wall;
use crate::ids::DataId;
use crate::load::{Function, Object};
use std::collections::BTreeSet;

/// Facts from outside the current function, for the `step` function of a machine.
pub trait Knowledge {
    fn object(&self) -> &Object;
    /// Returns SP on entry modulo the tracked alignment, and this alignment in bytes; `None` if the analysis does not track the alignment of SP.
    fn entry_alignment(&self) -> Option<(u8, u8)>;
    /// Returns the value that an instruction loads from a pointer-sized cell of a data section.
    fn load(&mut self, data: DataId, offset: i64) -> Value;
    /// Returns the value that an instruction loads from a table at an unknown index. The table begins at the offset `from`.
    fn load_any(&mut self, data: DataId, from: i64) -> Value;
    /// Records that an instruction stores `value` in a cell of a data section.
    fn store(&mut self, data: DataId, offset: i64, value: &Value);
    /// Records that the analysis no longer tracks the section's address. From now on, any code may write to the section.
    fn take_address(&mut self, data: DataId);
}

/// The kinds of memory that an instruction may access. Later variants are more likely to fault.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
    /// No memory, or memory that always exists: the frame, or static data at a known place.
    #[default]
    There,
    /// Memory to which the function's first or second argument points. In an export, these are Go's arguments and results.
    Areas,
    /// Any memory. A division that can fault counts as such an access.
    Anywhere,
}

/// The effects of one instruction, in addition to the new state.
#[derive(Clone, Debug, Default)]
pub struct Effect {
    /// Depth in bytes below SP on entry of the lowest byte that the instruction accesses, or that code may access through an address which the
    /// instruction makes. Negative for a byte above SP on entry. If the byte lies below SP, the function uses a red zone.
    pub touched: i64,
    /// For an indirect call or jump, the value of the operand.
    pub target: Option<Value>,
    /// True for an `and` that aligns SP or another frame address, if the result depends on the alignment of SP on entry and the analysis does not
    /// track this alignment.
    pub needs_alignment: bool,
    /// True for an `and` that aligns SP or another frame address, if the result depends on the alignment of SP on entry and the analysis tracks this
    /// alignment.
    pub uses_alignment: bool,
    /// True if the instruction aligns a frame address to more than 8 bytes. The result is correct only if SP on entry, plus the size of the
    /// return address, is a multiple of 16.
    pub assumes_alignment: bool,
    /// True if the instruction observes the alignment of SP: it uses SP, or an address derived from SP, otherwise than to move SP or the address by a
    /// constant, or to access memory.
    pub observes_alignment: bool,
    /// True if the instruction accesses memory above the return address: arguments that the caller passed on the stack.
    pub stack_arguments: bool,
    /// The end of the memory that the instruction accesses, in bytes above the return address (arm64: above SP on entry).
    pub argument_bytes: i64,
    /// True if the instruction may access stack arguments at an unknown distance or with an unknown size (x86-64).
    pub any_argument: bool,
    /// True if the instruction adds a constant, and perhaps an index, to the address of the frame's top (x86-64). The sum without the index must lie
    /// below the stack arguments. In a function that aligns SP, the distance from the frame's top down to the locals is unknown. So the sum is not
    /// the address of a local. It is the base of an array of stack arguments whose index does not start at 0.
    pub from_top: bool,
    /// The number of bytes that lowering must add to the offset in the instruction. For an access to stack arguments the number is not 0, because
    /// lowering moves the caller's frame further away (arm64).
    pub moved: i64,
    /// True if the instruction makes the address where the frame ends and the caller's arguments begin. Code may access either area through
    /// this address.
    pub boundary: bool,
    /// True if, at this instruction, the analysis loses track of the address where the frame ends and the arguments begin. Later code may then access
    /// either area through this address.
    pub boundary_escapes: bool,
    /// True if the instruction adds an unknown number to a frame address (arm64). In code not compiled by LLVM, also true if the instruction stores a
    /// frame address, because other code may then add the number. Compilers fold the constant part of an index into the address, so a frame address
    /// plus an index may reach an argument.
    pub indexes: bool,
    /// True if the instruction accesses the frame at an unknown index, or uses a frame address in a way that the analysis does not track. This access
    /// or a later access may then hit a stack argument. (Only for x86-64: lowering may put padding between the frame and the arguments.)
    pub reaches_up: bool,
    /// The bytes that the instruction reads at a known place in or next to the frame: start and end, as distances from SP on entry.
    pub reads: Option<(i64, i64)>,
    /// The bytes that the instruction writes at a known place in or next to the frame: start and end, as distances from SP on entry. On amd64, in
    /// functions that rustc did not compile, every access counts as a write ([`Edge::written`](super::summary::Edge::written)). `lea` counts too,
    /// because a callee may write the word through the address.
    pub writes: Option<(i64, i64)>,
    /// The frame word that the instruction reads, as a distance from SP on entry. `None` if the word is known to hold a frame address. Set only on
    /// amd64.
    pub takes: Option<i64>,
    /// The addresses of code or data that the instruction stores in memory that outlives the frame.
    pub published: Vec<Value>,
    /// Set if the function has aligned SP to more than 16 bytes before the instruction and has not restored SP yet (arm64): the minimum size of the
    /// aligned frame in bytes. The distance from SP to SP on entry is unknown then.
    pub aligned_frame: Option<u32>,
    /// True if the instruction may use the upper part of an address (the result of `adrp`, arm64) as a number: it computes with the part, compares
    /// the part, or stores the part outside of the frame.
    pub reads_part: bool,
    /// The callee-saved registers whose value on entry the instruction uses for something other than to save the value in the frame, one bit each.
    pub uses_entry: u32,
    pub reach: Reach,
    /// The place in data that the instruction accesses (section, offset), and the number of bytes. For an operand with an index, the place at
    /// index 0 (x86-64).
    pub data: Option<(DataId, i64, i64)>,
}

/// The refusal of one instruction, with the reason.
#[derive(Clone, Debug)]
pub struct Refusal {
    pub code: ErrorCode,
    pub message: String,
    /// The kind of the reason and the hint, if they differ from the defaults of the error code.
    pub hint: Option<(Wall, &'static str)>,
}

/// Refuses an instruction. The hint is the default of the error code.
pub fn refuse<T>(code: ErrorCode, message: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal { code, message: message.into(), hint: None })
}

/// Refuses an instruction that makes the address of an undefined symbol.
pub fn refuse_undefined<T>(name: &str) -> Result<T, Refusal> {
    Err(Refusal { code: ErrorCode::Undefined, message: hints::undefined_message(name), hint: Some(hints::for_symbol(name)) })
}

/// The operations that the analysis requires of a machine.
pub trait Machine: Decoder {
    /// Returns the state on entry to a function.
    fn entry(&self) -> State;
    /// Returns the register number of the stack pointer.
    fn sp(&self) -> Reg;
    /// Returns the registers that a callee must preserve, without the stack pointer.
    fn callee_saved(&self) -> &'static [Reg];
    /// Returns the general registers that pass arguments, one bit each.
    fn argument_registers(&self) -> u32;
    /// Returns Go's frame pointer register if an export's own code must preserve this register; `None` if the code need not preserve it.
    fn frame_pointer(&self) -> Option<Reg>;
    /// Returns the number of bytes that a call pushes on the stack.
    fn call_size(&self) -> i64;
    /// Returns the size of the red zone below SP, in bytes.
    fn red_zone(&self) -> u32 {
        0
    }
    /// Returns the register that holds the return address on entry, if the machine has one.
    fn link(&self) -> Option<Reg> {
        None
    }
    /// Returns the frame size of a lowered function, in bytes. `deepest` is the depth of the function's own code, in bytes below SP on entry.
    /// `above` is the number of bytes that lowering adds at the top; if it is `Some`, the function has a frame even if its own code needs
    /// none.
    fn lowered_frame(&self, deepest: u32, above: Option<u32>) -> u32;
    /// Returns the depth of SP just before a call in a lowered function, in bytes below SP on entry. `depth` is the depth at this call before
    /// lowering. `deepest` and `above` are as in [`Machine::lowered_frame`].
    fn lowered_call(&self, deepest: u32, above: Option<u32>, depth: u32) -> u32;
    /// Returns the alignment of SP in bytes that holds on every entry to a function. Compilers assume 16.
    fn stack_alignment(&self) -> u32;
    /// Returns the maximum number of bytes of stack that an export's entry puts between its Go caller and the export's body. `align` is the required
    /// alignment of SP. `blocking` is true if the entry calls Go's scheduler.
    fn entry_stack(&self, align: u32, blocking: bool) -> u32;
    /// Applies `inst` to the state. For a call, the new state is the state on entry to the callee; [`Machine::returned`] then makes the state
    /// after the call.
    fn step(&self, function: &Function, inst: &Inst, state: &mut State, knowledge: &mut dyn Knowledge) -> Result<Effect, Refusal>;
    /// Updates the state after a call: forgets everything that the callee may have changed. `clobbered` has the changed registers, one bit
    /// each.
    fn returned(&self, state: &mut State, clobbered: u32);
    /// Returns the minimum number of entries in the table of the jump `at`; `None` unless a comparison in the jump's basic block shows this number.
    /// `block` is the first instruction of the block.
    fn table_bound(&self, _function: &Function, _code: &Code, _block: usize, _at: usize) -> Option<u64> {
        None
    }
    /// Returns the words that the instruction copies or reads. `state` is the state before the instruction. Called only for functions with
    /// indirect jumps, which may go through jump tables.
    fn word_uses(&self, _function: &Function, _inst: &Inst, _state: &State) -> WordUses {
        WordUses::default()
    }
    /// True if the instruction accesses memory that must be aligned to 16 bytes and may be on the stack.
    fn needs_aligned_stack(&self, function: &Function, inst: &Inst) -> bool;
    /// Returns the number of bytes of stack that lowering may need at this instruction to save a register, in addition to the stack of the
    /// code itself.
    fn scratch_stack(&self, object: &Object, function: &Function, inst: &Inst) -> u32;
    /// Returns for each instruction the registers and flags that it reads and overwrites. For a call, the callee's code does not count.
    fn uses(&self, function: &Function, code: &Code) -> Vec<Uses>;
    /// Returns how an instruction accesses the stack. Called only for functions without calls.
    fn stack_use(&self, _function: &Function, _inst: &Inst) -> StackUse {
        StackUse::Unknown
    }
    /// Returns the calling convention: for example, the registers that unknown callees may read, and the registers that they preserve.
    fn convention(&self) -> Convention;
    /// Returns the names of the registers and flags in a set, for messages.
    fn names(&self, set: Set) -> String;
    /// True if the instruction uses the x87 stack, whose registers are also the MMX registers.
    fn uses_x87(&self, _function: &Function, _inst: &Inst) -> bool {
        false
    }
    /// Adds to `into` the CPU features above the baseline that the instruction needs, by the vendor's names.
    fn features(&self, function: &Function, inst: &Inst, into: &mut BTreeSet<String>);
    /// Returns the instruction in the vendor's syntax, for messages.
    fn print(&self, function: &Function, inst: &Inst) -> String;
}
