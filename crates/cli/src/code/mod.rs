//! Machine code in a form that all machines share: the instructions that the stage `decode` produces, and the types with which later stages describe
//! one instruction.

mod liveness;
mod word_uses;

pub use liveness::{Convention, Set, StackUse, Uses};
pub use word_uses::{Word, WordUses};

use crate::diag::ErrorCode;
use crate::exits::Exit;
use crate::ids::FuncId;
use crate::load::Target;

/// A decoded instruction, in the properties that all machines share.
#[derive(Clone, Debug)]
pub struct Inst {
    /// Offset of the instruction's first byte from the function's first byte.
    pub offset: u32,
    pub len: u8,
    pub flow: Flow,
    /// The index of the instruction's relocation among the function's relocations. `None` if the instruction has no relocation.
    pub reloc: Option<u32>,
    /// The function whose address the instruction makes without a relocation: the function that contains the instruction, or another function in the
    /// same section.
    pub function_address: Option<FuncId>,
    pub role: Role,
    /// True if the instruction may fault, because it divides, or because it accesses memory that may be outside of the frame and of the program's own
    /// data.
    pub can_fault: bool,
}

impl Inst {
    pub fn end(&self) -> u32 {
        self.offset + u32::from(self.len)
    }

    /// True if a traceback may name the instruction, because the instruction calls a function, or may fault. Possible faults in code from rustc
    /// (`is_rust`) do not count, because such code faults only if unsafe code is wrong.
    pub fn appears_in_traceback(&self, is_rust: bool) -> bool {
        self.can_fault && !is_rust || matches!(self.flow, Flow::Call(_) | Flow::IndirectCall | Flow::Trap)
    }
}

/// The places to which control may go after an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flow {
    Next,
    Jump(Dest),
    /// A conditional branch: control goes to the destination or to the next instruction.
    Branch(Dest),
    Call(Dest),
    IndirectCall,
    IndirectJump,
    Return,
    /// Control never continues (`ud2`, `int3`).
    Trap,
    /// The instruction must not be executed. If control reaches it, the function is refused with this error code and text.
    Forbidden(ErrorCode, &'static str),
}

/// The target of a direct branch or call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dest {
    /// An instruction of the function that contains the branch, by its offset.
    Local(u32),
    /// The entry of a function, an exit from Rust code, or an undefined symbol.
    Entry(Callee),
    /// A place that is neither the start of an instruction nor the start of a function.
    Nowhere,
}

/// A target of a call.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Callee {
    Function(FuncId),
    /// An exit, by which control leaves Rust code for the runtime.
    Exit(Exit),
    Undefined(String),
}

impl Callee {
    /// Returns the callee that a relocation's target names; `None` if the target cannot be called.
    pub fn of(target: &Target) -> Option<Callee> {
        match target {
            Target::Function(id) => Some(Callee::Function(*id)),
            Target::Exit(exit) => Some(Callee::Exit(*exit)),
            Target::Undefined(name) => Some(Callee::Undefined(name.clone())),
            Target::Data(_) | Target::AmongCode(_) => None,
        }
    }
}

/// The role of an instruction in a sequence of instructions that the stage `decode` recognises as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Plain,
    /// The first instruction of a stack-probe loop. Such a loop lowers SP page by page until SP equals the register `end`. Lowering replaces
    /// the loop by one move of SP.
    ProbeLoop {
        end: Reg,
    },
    /// A later instruction of a stack-probe loop. Lowering drops the instruction, because Go has already checked the stack.
    Dropped,
}

/// A function's instructions, in ascending order of their offsets.
#[derive(Clone, Debug)]
pub struct Code {
    pub insts: Vec<Inst>,
    /// For each offset in bytes, the index of the instruction that starts there, or `u32::MAX`.
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
    /// Returns the index of the instruction that starts at `offset`.
    pub fn at(&self, offset: u32) -> Option<usize> {
        self.starts.get(offset as usize).copied().filter(|&i| i != u32::MAX).map(|i| i as usize)
    }
}

/// The number of a register, as the machine numbers its registers.
pub type Reg = usize;
