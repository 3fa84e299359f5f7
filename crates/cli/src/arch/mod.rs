//! The machines. One room each, with the same file names; the rooms never see each other.
//!
//! What a stage needs of a machine is a trait: [`Machine`] turns bytes into neutral [`Inst`]s and steps an abstract state
//! over one of them, `lower::Lowering` prints them as Go assembly, `verify::Prover` reads what the assembler made of that;
//! `backend` is all three. Decoder types never leave a room.

pub mod aarch64;
mod decoding;
mod liveness;
mod words;
pub mod x86_64;

pub use liveness::{Convention, Set, Uses};
pub use words::{Word, Words};

use crate::diag::{Code as Reason, Diagnostic};
use crate::ids::{DataId, FuncId};
use crate::load::{Function, Object, Target};
use crate::target::Arch;
use std::collections::{BTreeMap, BTreeSet};

/// One decoded instruction, as far as every machine has it.
#[derive(Clone, Debug)]
pub struct Inst {
    /// Of the first byte, from the function's first byte.
    pub offset: u32,
    pub len: u8,
    pub flow: Flow,
    /// Index into the function's relocations of the one inside this instruction.
    pub reloc: Option<u32>,
    /// The function whose address it makes without a relocation: its own, or one of the same section.
    pub names: Option<FuncId>,
    pub role: Role,
}

impl Inst {
    pub fn end(&self) -> u32 {
        self.offset + u32::from(self.len)
    }
}

/// Where control goes after an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flow {
    Next,
    Jump(Dest),
    /// Conditional: to the destination or to the next instruction.
    Branch(Dest),
    Call(Dest),
    IndirectCall,
    IndirectJump,
    Return,
    /// Never continues (`ud2`, `int3`).
    Trap,
    /// Must not be executed; refused if it is reached.
    Forbidden(Reason, &'static str),
}

/// The target of a direct branch or call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dest {
    /// An instruction of the same function, by its offset.
    Local(u32),
    /// The entry of a function, the panic entry, or nothing that exists.
    Entry(Callee),
    /// Somewhere that is not the start of an instruction or of a function.
    Nowhere,
}

/// What a call can reach.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Callee {
    Function(FuncId),
    /// The panic entry: the walk ends there.
    Panic,
    Undefined(String),
}

impl Callee {
    /// What a relocation's target is, if it can be called.
    pub fn of(target: &Target) -> Option<Callee> {
        match target {
            Target::Function(id) => Some(Callee::Function(*id)),
            Target::Panic => Some(Callee::Panic),
            Target::Undefined(name) => Some(Callee::Undefined(name.clone())),
            Target::Data(_) | Target::AmongCode(_) => None,
        }
    }
}

/// Special parts that decode recognises as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Plain,
    /// The first instruction of a stack-probe loop that lowers SP by pages until it is what the register `end` holds;
    /// becomes one move.
    ProbeLoop {
        end: Reg,
    },
    /// The rest of such a loop: Go has checked the stack already.
    Dropped,
}

/// A function's instructions, by ascending offset.
#[derive(Clone, Debug)]
pub struct Code {
    pub insts: Vec<Inst>,
    /// Where an instruction starts: offset → index.
    starts: Vec<u32>,
}

impl Code {
    pub fn new(insts: Vec<Inst>, size: usize) -> Code {
        let mut starts = vec![u32::MAX; size + 1];
        for (index, inst) in insts.iter().enumerate() {
            starts[inst.offset as usize] = index as u32;
        }
        Code { insts, starts }
    }
    /// The index of the instruction that starts at `offset`.
    pub fn at(&self, offset: u32) -> Option<usize> {
        self.starts.get(offset as usize).copied().filter(|&i| i != u32::MAX).map(|i| i as usize)
    }
}

/// Register numbers of the abstract state: the machine's own numbering.
pub type Reg = usize;

/// What is known of a word. The lattice: a value, or [`Value::Unknown`]; sets of code grow by union.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    Unknown,
    /// What the register held when the function was entered.
    Entry(u8),
    /// SP on entry plus this many bytes.
    Sp(i64),
    /// SP on entry plus `from` bytes, rounded down to a multiple of `to`.
    Aligned {
        from: i64,
        to: u32,
    },
    /// The entry of one of these.
    Code(BTreeSet<Callee>),
    /// An address in a data section.
    Data(DataId, i64),
    /// An entry of the table of relative jumps at this address.
    TableOffset(DataId, i64),
    /// The same in the lower half of a register whose upper half is zero.
    TableWord(DataId, i64),
    /// The sum of such an entry and the table's address.
    TableTarget(DataId, i64),
    /// The upper part of this address, or of that of a cell which holds it (the GOT). Who adds the lower part makes the whole, so
    /// lowering makes the upper part only where somebody reads it as a number.
    Page {
        to: Target,
        addend: i64,
        cell: bool,
    },
    /// On one way here an upper part of an address, on another something else.
    Mixed,
    /// Nothing that may be read: what was an address in the frame, before a call that may have replaced it, or before SP was aligned.
    Lost,
    /// A place inside this function: an entry of a table of addresses.
    Label(FuncId),
    /// A multiple of this.
    Multiple(u8),
    /// This number, in a register: arm64 makes the sizes of large frames so.
    Number(u64),
    /// Not known, but a whole word that was copied from memory outside of the frame, handed over by a caller, or returned by a callee;
    /// nothing was computed here. If control goes there, it goes to a function: places inside this one are addresses that this one computes.
    Whole,
    /// Not known, but a whole word from the frame, or a place inside this function on another way. Nothing was computed with it since it
    /// was stored.
    Kept,
}

impl Value {
    pub fn code(callee: Callee) -> Value {
        Value::Code(BTreeSet::from([callee]))
    }
    /// An address by which functions can be reached, and calls made that no call graph shows.
    pub fn is_address(&self) -> bool {
        matches!(self, Value::Code(_) | Value::Data(..))
    }
    /// An upper part of an address, or what may be one.
    pub fn is_part(&self) -> bool {
        matches!(self, Value::Page { .. } | Value::Mixed)
    }
    /// Neither computed here nor a place inside this function.
    pub fn is_whole(&self) -> bool {
        matches!(self, Value::Whole | Value::Entry(_) | Value::Code(_))
    }
    /// A word as it was stored, or handed over: nothing has been computed with it since.
    pub fn is_copied(&self) -> bool {
        self.is_whole() || matches!(self, Value::Kept | Value::Label(_))
    }
    /// The value where two paths meet.
    pub fn join(&self, other: &Value) -> Value {
        match (self, other) {
            (a, b) if a == b => a.clone(),
            (Value::Code(a), Value::Code(b)) => Value::Code(a | b),
            (Value::Lost, _) | (_, Value::Lost) => Value::Lost,
            (a, b) if a.is_part() || b.is_part() => Value::Mixed,
            (a, b) if a.is_whole() && b.is_whole() => Value::Whole,
            (a, b) if a.is_copied() && b.is_copied() => Value::Kept,
            _ => Value::Unknown,
        }
    }
}

/// What a callee has left in a register that it may change, and that held this before. On some way it may leave what was there, but not
/// where the caller reads a result.
fn left(result: bool, before: &Value) -> Value {
    if result || before.is_whole() { Value::Whole } else { Value::Unknown }
}

/// What is known before an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// By the machine's register numbers; the stack pointer always holds [`Value::Sp`].
    pub regs: Vec<Value>,
    /// Words of the frame, by their distance from SP on entry. `true`: written by a push, so no pointer leads there.
    pub slots: BTreeMap<i64, (Value, bool)>,
    /// Has an address within the frame been made that a store or a call could use?
    pub escaped: bool,
    /// Where SP has been aligned by a distance that is not known: its frame.
    pub aligned: Option<AlignedFrame>,
}

/// A frame between SP, which has been aligned to more than anyone promises, and where SP was before. How far these are apart is not
/// known, so the frame is given a place of its own in the numbers that are distances from SP on entry, below all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AlignedFrame {
    /// Where SP was before. Up to here, distances from SP on entry are what they say.
    pub top: i64,
    /// The number that stands for SP.
    pub bottom: i64,
    /// What the frame has for certain, in bytes: from SP up.
    pub size: i64,
}

impl State {
    /// The state where two paths meet; `None` if nothing new is learned over `self`.
    pub fn join(&self, other: &State) -> Option<State> {
        let regs: Vec<Value> = self.regs.iter().zip(&other.regs).map(|(a, b)| a.join(b)).collect();
        let nothing = (Value::Unknown, true);
        let slots = self
            .slots
            .keys()
            .chain(other.slots.keys())
            .filter_map(|at| {
                let (a, pa) = self.slots.get(at).unwrap_or(&nothing);
                let (b, pb) = other.slots.get(at).unwrap_or(&nothing);
                let value = a.join(b);
                (!matches!(value, Value::Unknown | Value::Kept)).then_some((*at, (value, *pa && *pb)))
            })
            .collect();
        let joined = State { regs, slots, escaped: self.escaped || other.escaped, aligned: self.aligned };
        (joined != *self).then_some(joined)
    }

    /// A store through a pointer that is not understood, or a call: what it may have changed is forgotten.
    pub fn forget_memory(&mut self) {
        if self.escaped {
            // A pushed word may be an argument too, which the callee may change: what compilers keep in one and load again is
            // a register that they save, a frame's address, or part of an address. Where one of these may be, it must be known.
            self.slots.retain(|_, (value, pushed)| {
                let saved = matches!(value, Value::Entry(_) | Value::Sp(_) | Value::Lost);
                value.is_part() || *pushed && saved
            });
        }
    }
}

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
    /// Where lowering puts the caller's frame further away: by how much the instruction's offset changes, in bytes.
    pub moved: i64,
    /// Makes the address between the frame and what the caller passed, which may mean either.
    pub boundary: bool,
    /// Lets go of that address, which may be used as either's from here on.
    pub joins: bool,
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
    pub code: Reason,
    pub message: String,
}

/// A machine, as the stages see it.
pub trait Machine {
    /// Which one it is.
    fn arch(&self) -> Arch;
    /// Decode every byte of the function.
    fn decode(&self, object: &Object, id: FuncId) -> Result<Code, Diagnostic>;
    /// The state on entry.
    fn entry(&self) -> State;
    /// The register that is the stack pointer.
    fn sp(&self) -> Reg;
    /// Registers a callee must leave as they were (the stack pointer aside).
    fn callee_saved(&self) -> &'static [Reg];
    /// Go's frame pointer, where an export's own code must give it back as it found it; none where the entry keeps it.
    fn frame_pointer(&self) -> Option<Reg>;
    /// Bytes a call pushes.
    fn call_size(&self) -> i64;
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
    /// Stack between an exported function's caller and its body, in bytes, at most; `align`: what SP must be a multiple of.
    fn entry_stack(&self, align: u32) -> u32;
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
