//! Machine code in the form that all machines share: the instructions that decode produces, and the types in which
//! later stages describe one instruction.

mod liveness;
mod word_uses;

pub use liveness::{Convention, Set, StackUse, Uses};
pub use word_uses::{Word, WordUses};

use crate::diag::ErrorCode;
use crate::exits::Exit;
use crate::ids::FuncId;
use crate::load::Target;

/// One decoded instruction, in the part that all machines share.
#[derive(Clone, Debug)]
pub struct Inst {
    /// Offset of its first byte from the function's first byte.
    pub offset: u32,
    pub len: u8,
    pub flow: Flow,
    /// Index into the function's relocations, if one lies inside this instruction.
    pub reloc: Option<u32>,
    /// The function whose address the instruction makes without a relocation: its own function, or one of the same
    /// section.
    pub function_address: Option<FuncId>,
    pub role: Role,
    /// May it fault? True for divisions, and for accesses to memory that may lie outside the frame and the program's
    /// own data.
    pub can_fault: bool,
}

impl Inst {
    pub fn end(&self) -> u32 {
        self.offset + u32::from(self.len)
    }

    /// May a traceback name it? Calls appear in tracebacks, and a fault starts one.
    pub fn appears_in_traceback(&self) -> bool {
        self.can_fault || matches!(self.flow, Flow::Call(_) | Flow::IndirectCall | Flow::Trap)
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
    Forbidden(ErrorCode, &'static str),
}

/// The target of a direct branch or call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dest {
    /// An instruction of the same function, by its offset.
    Local(u32),
    /// The entry of a function, an exit, or an undefined symbol.
    Entry(Callee),
    /// A place that is neither the start of an instruction nor the start of a function.
    Nowhere,
}

/// A target of a call.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Callee {
    Function(FuncId),
    /// An exit: control leaves Rust code here.
    Exit(Exit),
    Undefined(String),
}

impl Callee {
    /// The callee that a relocation's target stands for, if it can be called.
    pub fn of(target: &Target) -> Option<Callee> {
        match target {
            Target::Function(id) => Some(Callee::Function(*id)),
            Target::Exit(exit) => Some(Callee::Exit(*exit)),
            Target::Undefined(name) => Some(Callee::Undefined(name.clone())),
            Target::Data(_) | Target::AmongCode(_) => None,
        }
    }
}

/// Role of an instruction in an instruction sequence that decode recognises as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Plain,
    /// The first instruction of a stack-probe loop, which lowers SP by pages until it equals the register `end`.
    /// Lowering replaces the loop by one move of SP.
    ProbeLoop {
        end: Reg,
    },
    /// Another instruction of such a loop. It is dropped: Go has already checked the stack.
    Dropped,
}

/// A function's instructions, by ascending offset.
#[derive(Clone, Debug)]
pub struct Code {
    pub insts: Vec<Inst>,
    /// By offset: the index of the instruction that starts there, or `u32::MAX`.
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

/// Register number in the machine's own numbering.
pub type Reg = usize;
