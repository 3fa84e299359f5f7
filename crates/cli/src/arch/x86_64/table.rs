//! Recognises the code that compilers emit for a jump through a jump table, for [`super::step`]: `cmp i, N; ja default; lea t, [table]; movsxd e,
//! [t + 4*i]; add e, t; jmp e`.
//!
//! Unoptimised gcc code scales the index first, and loads the entry before it extends the entry: `lea s, [4*i]; mov e, [s + t]; cdqe`.

use super::address::Address;
use super::{Code, instruction, number};
use crate::analyze::{State, Value};
use crate::code::{Dest, Flow, Inst, Reg};
use crate::ids::DataId;
use crate::load::Function;
use iced_x86::{Code as Opcode, ConditionCode, Instruction, InstructionInfoFactory, Mnemonic, OpAccess, OpKind, Register};

/// The maximum number of entries in a jump table. A comparison with a larger limit does not belong to a table.
const MOST_ENTRIES: u64 = 1 << 20;

/// Returns the jump table (section, offset) if the instruction loads or extends an entry of the table. The source is 32 bits in memory, or a register
/// that already holds an entry.
pub(super) fn entry(i: &Instruction, at: &Address, state: &State) -> Option<(DataId, i64)> {
    let word = |reg: Register| match number(reg).map(|reg| &state.regs[reg]) {
        Some(&Value::TableWord(id, offset)) => Some((id, offset)),
        _ => None,
    };
    if i.mnemonic() == Mnemonic::Cdqe {
        return word(Register::EAX);
    }
    if i.op1_kind() == OpKind::Register {
        return word(i.op1_register()).filter(|_| i.mnemonic() == Mnemonic::Movsxd);
    }
    let &Address::Indexed(id, offset) = at else { return None };
    // With a scale of 1 either register may be the index. The other register has the table's address.
    let scaled = |reg: Register| number(reg).is_some_and(|reg| state.regs[reg] == Value::Multiple(4));
    let by_entries = match i.memory_index_scale() {
        4 => true,
        1 => scaled(i.memory_base()) || scaled(i.memory_index()),
        _ => false,
    };
    by_entries.then_some((id, offset))
}

/// Returns the minimum number of entries in the table of the jump `at`: one more than the limit with which a comparison checks the index. The
/// comparison and the load of the entry must both lie in the instructions from `block` to the jump, which all execute before the jump. If the jump's
/// target comes from the frame or from before the block, a load in the block may belong to another table, so this function returns `None`.
pub(super) fn bound(function: &Function, code: &Code, block: usize, at: usize) -> Option<u64> {
    let mut factory = InstructionInfoFactory::new();
    // Searches backward. The load shows the index register. The conditional jump before the load shows which comparison applies.
    let mut index: Option<Reg> = None;
    let mut most: Option<u64> = None;
    let mut wants_comparison = false;
    let jump = instruction(function, &code.insts[at]);
    // The registers that hold the jump's target, or one of the two summands of the target: the entry and the table's address.
    let mut parts = vec![number(jump.op0_register()).filter(|_| jump.op0_kind() == OpKind::Register)?];
    for inst in code.insts[block..at].iter().rev() {
        let i = instruction(function, inst);
        if matches!(inst.flow, Flow::Call(_) | Flow::IndirectCall) {
            return None;
        }
        let Some(reg) = index else {
            if !parts.iter().any(|&part| writes(&mut factory, &i, part)) {
                continue;
            }
            let written = number(i.op0_register()).filter(|_| i.op0_kind() == OpKind::Register);
            let from = number(i.op1_register()).filter(|_| i.op1_kind() == OpKind::Register && i.op1_register().is_gpr64());
            match (i.mnemonic(), from) {
                (Mnemonic::Movsxd, _) if i.op1_kind() == OpKind::Memory && i.memory_index_scale() == 4 => {
                    index = Some(number(i.memory_index()).filter(|_| i.memory_index().is_gpr64())?);
                }
                (Mnemonic::Add, Some(from)) => parts.push(from),
                (Mnemonic::Mov, Some(from)) => {
                    parts.retain(|&reg| Some(reg) != written);
                    parts.push(from);
                }
                // This instruction loads the table's address.
                (Mnemonic::Lea, _) => parts.retain(|&reg| Some(reg) != written),
                _ => return None,
            }
            continue;
        };
        if is_above(inst, &i) {
            wants_comparison = true;
            continue;
        }
        let compared = i.mnemonic() == Mnemonic::Cmp && i.op0_kind() == OpKind::Register && number(i.op0_register()) == Some(reg);
        if wants_comparison && i.rflags_modified() != 0 {
            let limit = compared.then(|| limit(&i)).flatten();
            most = limit.filter(|&limit| limit < MOST_ENTRIES).map(|limit| limit + 1);
            return most;
        }
        if writes(&mut factory, &i, reg) {
            // If the instruction copies the index from another register, the search continues with the other register. The copy may
            // clear the upper half.
            let copied = i.mnemonic() == Mnemonic::Mov && i.op1_kind() == OpKind::Register && i.op1_register().size() >= 4;
            index = number(i.op1_register()).filter(|_| copied);
            index?;
        }
    }
    most
}

/// True if the instruction writes the register or a part of it.
fn writes(factory: &mut InstructionInfoFactory, i: &Instruction, reg: Reg) -> bool {
    let is_written = |access| !matches!(access, OpAccess::Read | OpAccess::CondRead | OpAccess::NoMemAccess);
    factory.info(i).used_registers().iter().any(|used| number(used.register()) == Some(reg) && is_written(used.access()))
}

/// True for a conditional jump that is taken if the compared register is above the limit (unsigned).
fn is_above(inst: &Inst, i: &Instruction) -> bool {
    matches!(inst.flow, Flow::Branch(Dest::Local(_))) && i.condition_code() == ConditionCode::a
}

/// Returns the constant with which the instruction compares a register of 4 or 8 bytes.
fn limit(i: &Instruction) -> Option<u64> {
    match i.code() {
        Opcode::Cmp_rm32_imm8 | Opcode::Cmp_rm32_imm32 | Opcode::Cmp_EAX_imm32 => Some(u64::from(i.immediate32())),
        Opcode::Cmp_rm64_imm8 | Opcode::Cmp_rm64_imm32 | Opcode::Cmp_RAX_imm32 => Some(i.immediate(1)),
        _ => None,
    }
}
