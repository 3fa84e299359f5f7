//! What memory an instruction reaches, seen by who asks whether it can fault.

use super::address::Address;
use super::number;
use crate::analyze::{Reach, State, Value};
use crate::load::Object;
use iced_x86::{Instruction, Mnemonic, OpKind, Register};

/// rsi and rdi.
const ARGUMENTS: [u8; 2] = [6, 7];

/// The memory that the instruction reaches in this state before it; `at` is its memory operand. Pushes, pops and calls reach the frame.
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
            // Strings, through registers that no operand names.
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
        // What lies above the return address, the caller says.
        Address::Frame(offset) if *offset < 8 => Reach::There,
        Address::Cell(_) => Reach::There,
        Address::Unknown(_) if i.memory_index() == Register::None && number(i.memory_base()).is_some_and(is_argument) => Reach::Areas,
        _ => Reach::Anywhere,
    }
}

/// Where the first operand is the one in memory, most instructions write it.
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
