//! Determines which kind of memory an instruction accesses. The kind shows if the access can fault.

use super::address::Address;
use super::number;
use crate::analyze::{Reach, State, Value};
use crate::load::Object;
use iced_x86::{Instruction, Mnemonic, OpKind, Register};

/// The numbers of rsi and rdi, which pass the second and the first argument.
const ARGUMENTS: [u8; 2] = [6, 7];

/// Returns the kind of memory that the instruction accesses. `at` is its memory operand, and `state` is the state before the instruction. The
/// accesses of pushes, pops and calls to the frame do not count, because the frame always exists.
pub fn reach(i: &Instruction, at: &Address, state: &State, object: &Object) -> Reach {
    if matches!(i.mnemonic(), Mnemonic::Div | Mnemonic::Idiv | Mnemonic::Xlatb) {
        return Reach::Anywhere;
    }
    if matches!(i.mnemonic(), Mnemonic::Lea | Mnemonic::Nop) {
        return Reach::There;
    }
    let mut reach = Reach::There;
    for k in 0..i.op_count() {
        reach = reach.max(match i.op_kind(k) {
            OpKind::Register | OpKind::NearBranch16 | OpKind::NearBranch32 | OpKind::NearBranch64 => Reach::There,
            OpKind::Memory => operand(i, at, state, object),
            kind if is_immediate(kind) => Reach::There,
            // String instructions access memory through registers that no operand names.
            _ => Reach::Anywhere,
        });
    }
    reach
}

fn operand(i: &Instruction, at: &Address, state: &State, object: &Object) -> Reach {
    let is_argument = |reg: usize| matches!(state.regs[reg], Value::Entry(reg) if ARGUMENTS.contains(&reg));
    match at {
        Address::Data(id, _) if !object.data[*id].writable && may_store(i) => Reach::Anywhere,
        Address::Data(id, offset) if object.data[*id].has(*offset) => Reach::There,
        // Addresses above the return address lie in the caller's frame, whose size only the caller knows.
        Address::Frame(offset) if *offset < 8 => Reach::There,
        Address::Cell(_) => Reach::There,
        Address::Unknown(_) if i.memory_index() == Register::None && number(i.memory_base()).is_some_and(is_argument) => Reach::Areas,
        _ => Reach::Anywhere,
    }
}

/// True if the instruction may write its memory operand. If the memory operand is the first one, it counts as written, except in `cmp` and `test`.
fn may_store(i: &Instruction) -> bool {
    i.op0_kind() == OpKind::Memory && !matches!(i.mnemonic(), Mnemonic::Cmp | Mnemonic::Test)
}

fn is_immediate(kind: OpKind) -> bool {
    matches!(
        kind,
        OpKind::Immediate8
            | OpKind::Immediate8_2nd
            | OpKind::Immediate16
            | OpKind::Immediate32
            | OpKind::Immediate64
            | OpKind::Immediate8to16
            | OpKind::Immediate8to32
            | OpKind::Immediate8to64
            | OpKind::Immediate32to64
    )
}
