//! What the analysis asks a machine, and what it tells it.

use super::hints;
use super::state::{State, Value};
use crate::code::{Code, Convention, Inst, Reg, Set, StackUse, Uses, Words};
use crate::decode::Decoder;
use crate::diag::ErrorCode;
use crate::ids::DataId;
use crate::load::{Function, Object};
use std::collections::BTreeSet;

/// What the analysis knows beyond one function, for a machine's `step`.
pub trait Knowledge {
    fn object(&self) -> &Object;
    /// SP on entry modulo 64, where it is tracked.
    fn entry_alignment(&self) -> Option<u8>;
    /// What a load of a pointer-sized cell of a data section yields.
    fn load(&mut self, data: DataId, offset: i64) -> Value;
    /// What a load from somewhere in the section yields, at an index from this place (an indexed table).
    fn load_any(&mut self, data: DataId, from: i64) -> Value;
    /// A store to a cell of a data section.
    fn store(&mut self, data: DataId, offset: i64, value: &Value);
    /// The address of the section has been made in a way that lets anyone write to it.
    fn take_address(&mut self, data: DataId);
}

/// What memory an instruction reaches, as far as that tells whether it can fault.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
    /// None, or what is surely there: its frame, static data at a known place.
    #[default]
    There,
    /// What the function's first or second argument points to: in an export, Go's arguments and results.
    Areas,
    /// Anything. A division that can fault counts as this, too.
    Anywhere,
}

/// What stepping over one instruction says beyond the new state.
#[derive(Clone, Debug, Default)]
pub struct Effect {
    /// The lowest byte touched below SP-on-entry plus zero, as a depth ≥ 0 (accounts for a red zone).
    pub touched: i64,
    /// For an indirect call or jump: what the operand is known to hold.
    pub target: Option<Value>,
    /// `and rsp, -N` for an N the entry alignment decides and does not say.
    pub needs_alignment: bool,
    /// The same, and the entry alignment did say.
    pub uses_alignment: bool,
    /// Takes SP on entry for a multiple of 16 and the return address, to know where a masked address lies.
    pub assumes_alignment: bool,
    /// Shows how SP is aligned: its value, or an address made of it, leaves what is moved by constants only.
    pub sees_sp: bool,
    /// Reaches above the return address: arguments that the caller passed on the stack.
    pub stack_arguments: bool,
    /// How far it reaches above the return address (arm64: above SP on entry), in bytes.
    pub argument_bytes: i64,
    /// How far it reaches there is not known (x86-64).
    pub any_argument: bool,
    /// Makes an address from one at the top of the frame, by an index or not, which lies below the arguments (x86-64). Where SP is aligned in
    /// between, the frame's own places are not reached from there: it is one of the arguments', with an index that begins elsewhere.
    pub from_top: bool,
    /// Where lowering puts the caller's frame further away: by how much the instruction's offset changes, in bytes.
    pub moved: i64,
    /// Makes the address between the frame and what the caller passed, which may mean either.
    pub boundary: bool,
    /// Lets go of that address, which may be used as either's from here on.
    pub joins: bool,
    /// Goes on from an address in its frame by a number that is not known, or stores that address where LLVM has not compiled it (arm64).
    /// Compilers move numbers from indexes to addresses, so what is reached may be an argument.
    pub indexes: bool,
    /// The same (x86-64), where only padding for the sake of alignment comes between a frame and the arguments: an address of the frame
    /// goes where it is not followed.
    pub reaches_up: bool,
    /// Bytes that it reads at a known place of its frame, or beside it, from SP on entry (arm64).
    pub reads: Option<(i64, i64)>,
    /// Bytes that it writes at such a place. On amd64 any access counts, and any address that is made: only the word at SP matters there
    /// ([`Edge::written`](super::summary::Edge::written)), and a callee may write it through such an address.
    pub writes: Option<(i64, i64)>,
    /// A word of its frame that it reads and that is not known to hold an address of the frame (amd64).
    pub takes: Option<i64>,
    /// Addresses of code or data that it stores where they outlast the frame.
    pub published: Vec<Value>,
    /// Runs with SP aligned by a distance that is not known.
    pub in_aligned_frame: bool,
    /// Reads as a number what is or may be an upper part of an address.
    pub reads_part: bool,
    /// Callee-saved registers whose value on entry it uses, other than to keep it in the frame; a bit each.
    pub uses_entry: u32,
    pub reach: Reach,
    /// Where in data it reads or writes, and how many bytes: at an index from there, if the operand has one (x86-64).
    pub data: Option<(DataId, i64, i64)>,
}

/// Why an instruction cannot be stepped over.
#[derive(Clone, Debug)]
pub struct Refusal {
    pub code: ErrorCode,
    pub message: String,
    /// The way out, if it is another than that of the code.
    pub hint: Option<String>,
}

/// A refusal.
pub fn refuse<T>(code: ErrorCode, message: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal { code, message: message.into(), hint: None })
}

/// Refuses an instruction that makes the address of a symbol that nothing defines.
pub fn refuse_undefined<T>(name: &str) -> Result<T, Refusal> {
    Err(Refusal { code: ErrorCode::Undefined, message: hints::need_of_symbol(name), hint: Some(hints::of_symbol(name)) })
}

/// A machine, as the analysis sees it.
pub trait Machine: Decoder {
    /// The state on entry.
    fn entry(&self) -> State;
    /// The register that is the stack pointer.
    fn sp(&self) -> Reg;
    /// Registers a callee must leave as they were (the stack pointer aside).
    fn callee_saved(&self) -> &'static [Reg];
    /// General registers that hand arguments over at calls, a bit each.
    fn argument_registers(&self) -> u32;
    /// Go's frame pointer, where an export's own code must give it back as it found it; none where the entry keeps it.
    fn frame_pointer(&self) -> Option<Reg>;
    /// Bytes a call pushes.
    fn call_size(&self) -> i64;
    /// Bytes below SP that belong to a function.
    fn red_zone(&self) -> u32 {
        0
    }
    /// The register that holds the return address when a function is entered, if one does.
    fn link(&self) -> Option<Reg> {
        None
    }
    /// Stack a function uses as lowered, in bytes, if its own code goes `deepest` bytes down. With something `above` that, the size of it,
    /// it has a frame even where its own code needs none.
    fn lowered_frame(&self, deepest: u32, above: Option<u32>) -> u32;
    /// The same at a call or jump to another function, where its own code is `depth` bytes down.
    fn lowered_call(&self, deepest: u32, above: Option<u32>, depth: u32) -> u32;
    /// SP is a multiple of this when a function is entered, whoever calls; compilers take 16 for given.
    fn stack_alignment(&self) -> u32;
    /// Stack between an exported function's caller and its body, in bytes, at most; `align`: what SP must be a multiple of; `blocking`: does
    /// the entry tell the scheduler of calls?
    fn entry_stack(&self, align: u32, blocking: bool) -> u32;
    /// Step over `inst`; for a call, up to the callee's entry ([`Machine::returned`] does the rest).
    fn step(&self, function: &Function, inst: &Inst, state: &mut State, knowledge: &mut dyn Knowledge) -> Result<Effect, Refusal>;
    /// A call has returned: forget what it may have changed; `clobbered` lists the registers among that.
    fn returned(&self, state: &mut State, clobbered: u32);
    /// How many entries the table has at least through which the jump `at` goes, where a comparison in its block, which begins with the
    /// instruction `block`, says so.
    fn table_bound(&self, _function: &Function, _code: &Code, _block: usize, _at: usize) -> Option<u64> {
        None
    }
    /// Which words the instruction copies and which it reads otherwise, by the state before it. Asked only of functions that jump
    /// through registers.
    fn words(&self, _function: &Function, _inst: &Inst, _state: &State) -> Words {
        Words::default()
    }
    /// The address of this instruction's memory operand needs the stack aligned to 16.
    fn needs_aligned_stack(&self, function: &Function, inst: &Inst) -> bool;
    /// Stack that lowering may need at this instruction beyond what the code itself uses: to save a register.
    fn scratch_stack(&self, object: &Object, function: &Function, inst: &Inst) -> u32;
    /// What each instruction reads and replaces by itself.
    fn uses(&self, function: &Function, code: &Code) -> Vec<Uses>;
    /// What an instruction does to the stack. Asked only of functions that call nothing.
    fn stack_use(&self, _function: &Function, _inst: &Inst) -> StackUse {
        StackUse::Unknown
    }
    /// What callees that are not seen may read, and what they leave alone.
    fn convention(&self) -> Convention;
    /// The registers and flags of a set, for people.
    fn names(&self, set: Set) -> String;
    /// Does the instruction use the x87 stack, whose registers are MMX's too?
    fn uses_x87(&self, _function: &Function, _inst: &Inst) -> bool {
        false
    }
    /// CPU features beyond the base line that the instruction needs, by the vendor's names.
    fn features(&self, function: &Function, inst: &Inst, into: &mut BTreeSet<String>);
    /// The instruction as the vendor prints it, for people.
    fn print(&self, function: &Function, inst: &Inst) -> String;
}
