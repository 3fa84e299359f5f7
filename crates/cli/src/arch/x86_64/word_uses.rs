//! Lists the whole words that an instruction copies, and the registers and frame words that it reads or writes in other ways. [`crate::analyze`] uses
//! these lists to track the addresses of jump tables.

use super::address::{Address, address, symbol_value};
use super::{RBP, RSP, instruction, number, table};
use crate::analyze::{State, Value};
use crate::code::{Inst, Reg, Role, Word, WordUses};
use crate::load::{Function, RelocKind};
use iced_x86::{Instruction, InstructionInfoFactory, Mnemonic, OpAccess, OpKind, Register};

/// Returns how the instruction uses words. `state` is the state before the instruction.
pub(super) fn word_uses(function: &Function, inst: &Inst, state: &State) -> WordUses {
    let i = instruction(function, inst);
    let mut words = WordUses::default();
    if inst.role != Role::Plain || i.mnemonic() == Mnemonic::Nop {
        return words;
    }
    let has_memory = (0..i.op_count()).any(|k| i.op_kind(k) == OpKind::Memory);
    // `step` has refused an instruction whose address is an error.
    let at = if has_memory { address(function, inst, &i, state).unwrap_or(Address::NONE) } else { Address::NONE };
    registers(&i, &mut words);
    if has_memory && i.mnemonic() != Mnemonic::Lea {
        words.based.extend([i.memory_base(), i.memory_index()].into_iter().filter_map(number));
    }
    frame(&i, &at, state, &mut words);
    let gpr64 = |k: u32| number(i.op_register(k)).filter(|_| i.op_kind(k) == OpKind::Register && i.op_register(k).is_gpr64());
    let memory = |k: u32| i.op_kind(k) == OpKind::Memory;
    match (i.mnemonic(), &at) {
        (Mnemonic::Mov, _) if gpr64(0).is_some() && gpr64(1).is_some() => words.copy(gpr64(1).map(Word::Reg), gpr64(0).map(Word::Reg)),
        (Mnemonic::Mov, &Address::Frame(slot)) if memory(0) && gpr64(1).is_some() => {
            words.copy(gpr64(1).map(Word::Reg), Some(Word::Slot(slot)))
        }
        (Mnemonic::Mov, &Address::Frame(slot)) if memory(1) && gpr64(0).is_some() => {
            words.copy(Some(Word::Slot(slot)), gpr64(0).map(Word::Reg))
        }
        (Mnemonic::Push, _) if gpr64(0).is_some() => words.copy(gpr64(0).map(Word::Reg), Some(Word::Slot(state.sp(RSP) - 8))),
        (Mnemonic::Pop, _) if gpr64(0).is_some() => words.copy(Some(Word::Slot(state.sp(RSP))), gpr64(0).map(Word::Reg)),
        (Mnemonic::Leave, _) => {
            if let Value::Sp(frame) = state.regs[RBP] {
                words.copy(Some(Word::Slot(frame)), Some(Word::Reg(RBP)));
            }
        }
        (Mnemonic::Xchg, _) if gpr64(0).is_some() && gpr64(1).is_some() => {
            words.copy(gpr64(1).map(Word::Reg), gpr64(0).map(Word::Reg));
            words.copy(gpr64(0).map(Word::Reg), gpr64(1).map(Word::Reg));
        }
        (Mnemonic::Lea, _) if i.is_ip_rel_memory_operand() => {
            let is_distance = inst.reloc.is_some_and(|reloc| function.relocs[reloc as usize].kind == RelocKind::Pc32);
            if let (true, Some(to), Some(Value::Data(id, offset))) = (is_distance, gpr64(0), symbol_value(function, inst)) {
                words.address = Some((to, (id, offset)));
            }
        }
        (Mnemonic::Movsxd | Mnemonic::Cdqe | Mnemonic::Mov, _) => {
            let to = if i.mnemonic() == Mnemonic::Cdqe { Some(0) } else { number(i.op0_register()).filter(|_| !memory(0)) };
            if let (Some(to), Some(place)) = (to, table::entry(&i, &at, state)) {
                let of_memory = i.mnemonic() != Mnemonic::Cdqe && memory(1);
                match base(&i, state).filter(|_| of_memory) {
                    Some(base) => {
                        words.no_read(base);
                        words.entry = Some((base, to, place));
                    }
                    None if i.mnemonic() == Mnemonic::Cdqe => words.copy(Some(Word::Reg(0)), Some(Word::Reg(0))),
                    None if i.mnemonic() == Mnemonic::Movsxd => words.copy(number(i.op1_register()).map(Word::Reg), Some(Word::Reg(to))),
                    None => {}
                }
            }
        }
        (Mnemonic::Add, _) => {
            if let (Some(to), Some(from)) = (gpr64(0), gpr64(1)) {
                let sum = match (&state.regs[to], &state.regs[from]) {
                    (&Value::TableOffset(a, x), &Value::Data(b, y)) if (a, x) == (b, y) => Some((from, to, (a, x))),
                    (&Value::Data(b, y), &Value::TableOffset(a, x)) if (a, x) == (b, y) => Some((to, from, (a, x))),
                    _ => None,
                };
                if let Some((base, entry, place)) = sum {
                    words.reads.clear();
                    words.target = Some((to, base, entry, place));
                }
            }
        }
        (Mnemonic::Jmp, _) => {
            let target = match at {
                Address::Frame(slot) if memory(0) => state.slots.value(slot),
                _ => gpr64(0).map(|reg| &state.regs[reg]),
            };
            if let Some(&Value::TableTarget(id, offset)) = target {
                words.reads.clear();
                words.frame_read = None;
                words.jump = Some((id, offset));
            }
        }
        _ => {}
    }
    words
}

impl WordUses {
    fn copy(&mut self, from: Option<Word>, to: Option<Word>) {
        let (Some(from), Some(to)) = (from, to) else { return };
        match from {
            Word::Reg(reg) => self.no_read(reg),
            Word::Slot(_) => self.frame_read = None,
        }
        self.copies.push((from, to));
    }

    /// Removes one read of the register. The instruction copies the register as a whole word, and the copy is listed separately.
    fn no_read(&mut self, reg: Reg) {
        if let Some(at) = self.reads.iter().position(|&(read, _)| read == reg) {
            self.reads.remove(at);
        }
    }
}

/// Returns the base or index register of the memory operand that holds the address of a place in data.
fn base(i: &Instruction, state: &State) -> Option<Reg> {
    let holds = |register: Register| number(register).filter(|&reg| matches!(state.regs[reg], Value::Data(..)));
    // If one register is both base and index, the operand is not an address with an index.
    [i.memory_base(), i.memory_index()].into_iter().find_map(holds).filter(|_| i.memory_base() != i.memory_index())
}

fn registers(i: &Instruction, words: &mut WordUses) {
    // True if the instruction's result does not depend on the old value of its first operand.
    let ignored = match (i.mnemonic(), i.op_count()) {
        (Mnemonic::Or, 2) if i.op1_kind() != OpKind::Register && i.op1_kind() != OpKind::Memory => i.immediate(1) as i64 == -1,
        (Mnemonic::And, 2) if i.op1_kind() != OpKind::Register && i.op1_kind() != OpKind::Memory => i.immediate(1) == 0,
        (Mnemonic::Sbb, 2) => i.op1_kind() == OpKind::Register && i.op0_register() == i.op1_register(),
        _ => false,
    };
    for used in InstructionInfoFactory::new().info(i).used_registers() {
        let Some(reg) = number(used.register()) else { continue };
        let is_high = matches!(used.register(), Register::AH | Register::BH | Register::CH | Register::DH);
        let size = used.register().size() as u8;
        let ignored = ignored && i.op0_kind() == OpKind::Register && number(i.op0_register()) == Some(reg) && size >= 4;
        // If the source is zero, the destination is undefined according to Intel's manual. So the destination counts as written.
        let undefined = matches!(i.mnemonic(), Mnemonic::Bsf | Mnemonic::Bsr) && used.access() == OpAccess::CondWrite;
        let (reads, writes) = match used.access() {
            OpAccess::Write => (false, true),
            OpAccess::ReadWrite => (!ignored, true),
            OpAccess::Read | OpAccess::CondRead => (!ignored, false),
            OpAccess::ReadCondWrite => (true, false),
            OpAccess::CondWrite => (false, undefined),
            OpAccess::None | OpAccess::NoMemAccess => (false, false),
        };
        if reads {
            words.reads.push((reg, if is_high { 8 } else { size }));
        }
        if writes && !is_high {
            words.writes.push((reg, if size >= 4 { 8 } else { size }));
        }
    }
}

fn frame(i: &Instruction, at: &Address, state: &State, words: &mut WordUses) {
    if i.mnemonic() == Mnemonic::Push || i.mnemonic() == Mnemonic::Pushfq {
        words.frame_written = Some((state.sp(RSP) - 8, 8));
    }
    let &Address::Frame(slot) = at else { return };
    let mut factory = InstructionInfoFactory::new();
    for used in factory.info(i).used_memory() {
        let place = (slot, used.memory_size().size() as i64);
        if matches!(used.access(), OpAccess::Read | OpAccess::CondRead | OpAccess::ReadWrite | OpAccess::ReadCondWrite)
            && i.mnemonic() != Mnemonic::Pop
        {
            words.frame_read = Some(place);
        }
        if matches!(used.access(), OpAccess::Write | OpAccess::ReadWrite) && i.mnemonic() != Mnemonic::Push {
            words.frame_written = Some(place);
        }
    }
}
