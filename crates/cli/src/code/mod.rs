//! Machine code as every machine has it: what decode makes, and what the stages behind it say of single instructions.

mod liveness;
mod words;

pub use liveness::{Convention, Set, StackUse, Uses};
pub use words::{Word, Words};

use crate::diag::ErrorCode;
use crate::exits::Exit;
use crate::ids::FuncId;
use crate::load::Target;

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
    /// May it fault? It divides, or reads or writes memory that may be elsewhere than in the frame and in the program's own data.
    pub can_fault: bool,
}

impl Inst {
    pub fn end(&self) -> u32 {
        self.offset + u32::from(self.len)
    }

    /// May a traceback name it? Calls are in tracebacks, and what may fault begins them.
    pub fn stops(&self) -> bool {
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
    /// The entry of a function, a way out of Rust code, or nothing that exists.
    Entry(Callee),
    /// Somewhere that is not the start of an instruction or of a function.
    Nowhere,
}

/// What a call can reach.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Callee {
    Function(FuncId),
    /// A way out of Rust code: the walk ends there.
    Exit(Exit),
    Undefined(String),
}

impl Callee {
    /// What a relocation's target is, if it can be called.
    pub fn of(target: &Target) -> Option<Callee> {
        match target {
            Target::Function(id) => Some(Callee::Function(*id)),
            Target::Exit(exit) => Some(Callee::Exit(*exit)),
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
