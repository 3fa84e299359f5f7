//! Decides if an instruction observes the alignment of SP. Entries align SP only for code with such instructions ([`crate::analyze`]).
//!
//! Compilers assume SP ≡ 8 (mod 16) at the entry of every function, so that local variables are aligned as their types demand. Go aligns SP only
//! to 8. Code cannot observe the difference if it only moves SP and the frame pointer by constants and uses both as bases of memory operands. Every
//! other use counts as an observation: a copy in another register or in memory, a comparison, a mask.
//!
//! So before the first observation, only RSP and RBP can hold frame addresses. On entry RBP holds the caller's frame pointer, which a function may
//! save and restore.

use super::address::Address;
use super::{RBP, RSP, number};
use crate::analyze::{State, Value};
use crate::code::{Dest, Flow, Inst};
use iced_x86::{Instruction, InstructionInfoFactory, InstructionInfoOptions, Mnemonic, OpAccess, OpKind, Register, RflagsBits};

/// True if the instruction observes the alignment of SP. `at` is its memory operand, and `state` is the state before the instruction.
pub fn observes_alignment(inst: &Inst, i: &Instruction, at: &Address, state: &State, info: &mut InstructionInfoFactory) -> bool {
    let of_frame = |register: Register| number(register).is_some_and(|reg| may_be_frame_address(&state.regs[reg]));
    let to = match i.op_count() {
        0 => None,
        _ => (i.op0_kind() == OpKind::Register && i.op0_register().is_gpr64()).then(|| number(i.op0_register())).flatten(),
    };
    let moves = matches!(to, Some(RSP | RBP)) && matches!(to.map(|to| &state.regs[to]), Some(Value::Sp(_)));
    let immediate = i.op_count() == 2 && !matches!(i.op1_kind(), OpKind::Register | OpKind::Memory);
    let known = matches!(at, Address::Frame(_));
    match i.mnemonic() {
        Mnemonic::Add | Mnemonic::Sub if moves && immediate => return false,
        Mnemonic::Mov if matches!(to, Some(RSP | RBP)) && i.op1_kind() == OpKind::Register && i.op1_register().is_gpr64() => {
            // A move between RSP and RBP does not count as an observation. If another source register holds a frame address, an earlier
            // instruction has already counted.
            return false;
        }
        // To save or restore the caller's frame pointer does not count as an observation.
        Mnemonic::Push if i.op0_kind() == OpKind::Register => {
            return number(i.op0_register()).is_some_and(|reg| is_frame_address(&state.regs[reg]));
        }
        Mnemonic::Mov if known && i.op0_kind() == OpKind::Memory && i.op1_register() == Register::RBP => {
            return is_frame_address(&state.regs[RBP]);
        }
        Mnemonic::Pop | Mnemonic::Mov if to == Some(RBP) => return false,
        Mnemonic::Pop => return word_of_frame(state, offset_of(&state.regs[RSP]), 8),
        Mnemonic::Leave => return false,
        Mnemonic::Lea => {
            let used = of_frame(i.memory_base()) || of_frame(i.memory_index());
            return used && !(known && matches!(to, Some(RSP | RBP)) && i.op0_register().is_gpr64());
        }
        // The result of `sbb` of a register with itself depends only on the carry flag, not on the register's value.
        Mnemonic::Sbb if i.op1_kind() == OpKind::Register && i.op0_register() == i.op1_register() => return false,
        Mnemonic::Nop => return false,
        _ => {}
    }
    // After a move of SP, the auxiliary carry depends on the lowest bits of SP.
    if i.rflags_read() & RflagsBits::AF != 0 {
        return true;
    }
    // If RBP holds an address in the function's frame at a return or at a jump out of the function, other code observes the address.
    let by_table = to.is_some_and(|to| matches!(state.regs[to], Value::TableTarget(..)));
    let leaves = match &inst.flow {
        Flow::Return | Flow::Jump(Dest::Entry(_)) | Flow::Branch(Dest::Entry(_)) => is_frame_address(&state.regs[RBP]),
        Flow::IndirectJump => is_frame_address(&state.regs[RBP]) && !by_table,
        _ => false,
    };
    let memory = (0..i.op_count()).any(|k| i.op_kind(k) == OpKind::Memory);
    let address = memory && {
        let halves = [i.memory_base(), i.memory_index()];
        let part = halves.iter().any(|&register| of_frame(register) && !register.is_gpr64());
        part || halves.iter().all(|&register| of_frame(register))
    };
    let info = info.info_options(i, InstructionInfoOptions::NO_MEMORY_USAGE);
    // A conditional write (`cmov`) may keep the old value, so it counts as a read.
    let read = |k: u32| !matches!(info.op_access(k), OpAccess::None | OpAccess::Write | OpAccess::NoMemAccess);
    let register = (0..i.op_count()).any(|k| i.op_kind(k) == OpKind::Register && of_frame(i.op_register(k)) && read(k));
    let saved = match at {
        Address::Frame(offset) => {
            (0..i.op_count()).any(|k| i.op_kind(k) == OpKind::Memory && read(k)) && {
                word_of_frame(state, *offset, (i.memory_size().size() as i64).max(1))
            }
        }
        _ => false,
    };
    leaves || address || register || saved
}

/// True for an address in the function's own frame.
fn is_frame_address(value: &Value) -> bool {
    matches!(value, Value::Sp(_))
}

/// True for an address in the function's own frame or in the caller's frame. On entry RBP may hold an address in the caller's frame.
fn may_be_frame_address(value: &Value) -> bool {
    is_frame_address(value) || *value == Value::Entry(RBP as u8)
}

fn offset_of(value: &Value) -> i64 {
    if let Value::Sp(offset) = value { *offset } else { 0 }
}

/// True if one of these bytes of the frame belongs to a word that may hold a frame address.
fn word_of_frame(state: &State, offset: i64, size: i64) -> bool {
    state.slots.range(offset - 7..offset + size).any(|(_, value)| may_be_frame_address(value))
}
