//! Applies one instruction to the abstract state: updates SP, known addresses and saved words, and returns the instruction's [`Effect`].
//!
//! All instructions that this module does not name are handled alike: registers that they write become unknown, memory that they write is
//! forgotten, and writes of SP are refused.

use super::address::{Address, CODE_AS_DATA, address};
use super::reach::reach;
use super::visible::observes_alignment;
use super::{CALLEE_SAVED, RBP, RSP, instruction, number, table};
use crate::analyze::{Effect, Knowledge, LARGEST_ALIGNMENT, Refusal, State, Value, refuse};
use crate::code::{Flow, Inst, Reg, Role};
use crate::diag::ErrorCode;
use crate::load::{Function, RelocKind};
use iced_x86::{
    Code as Opcode, EncodingKind, Instruction, InstructionInfoFactory, InstructionInfoOptions, Mnemonic, OpAccess, OpKind, Register,
};
use std::cell::RefCell;

thread_local! {
    static INFO: RefCell<InstructionInfoFactory> = RefCell::new(InstructionInfoFactory::new());
}

/// Returns the value of the word at this address.
fn load(at: &Address, state: &State, knowledge: &mut dyn Knowledge) -> Value {
    let value = match at {
        Address::Frame(offset) => return state.slots.value(*offset).cloned().unwrap_or(Value::Kept),
        Address::SomeFrame(_) => return Value::Kept,
        Address::Data(id, offset) => knowledge.load(*id, *offset),
        Address::Indexed(id, from) => knowledge.load_any(*id, *from),
        Address::Cell(value) => value.clone(),
        Address::Unknown(origin) => return Value::Loaded(*origin),
    };
    if value == Value::Unknown { Value::Whole } else { value }
}

/// Applies a store of `size` bytes at an address. `value` is the stored value if `size` is 8.
fn store(at: &Address, size: i64, value: Value, pushed: bool, state: &mut State, knowledge: &mut dyn Knowledge) -> Result<(), Refusal> {
    match at {
        // The store must not overwrite the return address, which the return instruction and Go's unwinder read.
        Address::Frame(offset) if *offset < 8 && offset + size > 0 => {
            return refuse(ErrorCode::Unsupported, "overwrites its return address");
        }
        Address::Frame(_) if size == 0 => {
            return refuse(ErrorCode::Unsupported, "writes an unknown number of bytes to its frame");
        }
        Address::Frame(offset) => {
            state.slots.forget(*offset..offset + size);
            if size == 8 && !matches!(value, Value::Unknown | Value::Kept) {
                state.slots.set(*offset, value, pushed);
            }
        }
        Address::Data(id, offset) => {
            for cell in offset - 7..offset + size {
                let whole = cell == *offset && size == 8;
                knowledge.store(*id, cell, if whole { &value } else { &Value::Unknown });
            }
        }
        Address::Indexed(id, _) => knowledge.take_address(*id),
        Address::SomeFrame(_) => state.forget_frame(),
        Address::Cell(_) | Address::Unknown(_) => state.forget_memory(),
    }
    Ok(())
}

/// Sets a register to a value. A frame address in a register other than SP and the frame pointer counts as escaped.
fn set(state: &mut State, reg: Reg, value: Value, knowledge: &mut dyn Knowledge) -> Result<(), Refusal> {
    if reg == RSP && !matches!(value, Value::Sp(_)) {
        return refuse(ErrorCode::DynamicStack, "moves the stack pointer by an unknown amount (a dynamic frame)");
    }
    match &value {
        Value::Sp(_) if reg != RSP && reg != RBP => state.escaped = true,
        Value::Data(id, _) => knowledge.take_address(*id),
        _ => {}
    }
    state.regs[reg] = value;
    Ok(())
}

/// The size of the red zone below SP, in bytes (psABI §3.2.2).
pub(super) const RED_ZONE: i64 = 128;

/// The place of the saved frame pointer in a function that begins by pushing it, as a distance in bytes from SP on entry.
const SAVED: i64 = -8;

/// True if a base or index register other than RSP holds the address of the saved frame pointer, or a higher address of the stack.
fn is_from_top(i: &Instruction, state: &State) -> bool {
    let registers = [i.memory_base(), i.memory_index()].into_iter().filter(|&register| register != Register::RSP);
    registers.filter_map(number).any(|reg| matches!(state.regs[reg], Value::Sp(SAVED..)))
}

/// True if the analysis still tracks the result of an instruction on a frame address. A result that is not tracked may be an address of stack
/// arguments (`Effect::reaches_up`).
fn keeps_tracking(inst: &Inst, i: &Instruction, at: &Address) -> bool {
    let immediate = i.op_count() == 2 && !matches!(i.op1_kind(), OpKind::Register | OpKind::Memory);
    match i.mnemonic() {
        Mnemonic::Mov | Mnemonic::Push | Mnemonic::Cmp | Mnemonic::Test => true,
        Mnemonic::Add | Mnemonic::Sub => immediate && i.op0_kind() == OpKind::Register,
        // No function needs the address of its return address. Code that makes this address uses it as the base of an array of stack
        // arguments that is indexed from 1.
        Mnemonic::Lea => matches!(at, Address::Frame(offset) if !(0..8).contains(offset)),
        // The low bits of an address are a plain number, not an address.
        Mnemonic::And => immediate && (i.op0_register() == Register::RSP || i.immediate(1).cast_signed() >= 0),
        _ => inst.flow != Flow::Next,
    }
}

/// Returns the bytes of the frame that may become stack arguments of a call: bytes that this instruction writes, or bytes that other code may write
/// through an address that this instruction makes. The two results are the start and the end of these bytes, as distances from SP on entry.
fn written(i: &Instruction, at: &Address, state: &State, observes_alignment: bool) -> Option<(i64, i64)> {
    match *at {
        // A `lea` of the word counts as a write, because a callee may store an argument there.
        Address::Frame(offset) if i.mnemonic() == Mnemonic::Lea => Some((offset, offset + 1)),
        Address::Frame(offset) => Some((offset, offset + i.memory_size().size().max(1) as i64)),
        Address::SomeFrame(_) => Some((state.sp(RSP), 0)),
        _ if i.mnemonic() == Mnemonic::Push => Some((state.sp(RSP) - 8, state.sp(RSP))),
        _ if observes_alignment => Some((state.sp(RSP), state.sp(RSP) + 1)),
        _ => None,
    }
}

/// Does the same as [`written`] for a function compiled by rustc. LLVM stores arguments at constant distances from SP, or copies a structure with a
/// string instruction, without calls in between (`X86TargetLowering::LowerCall`). So the instruction's own writes are enough.
fn stored(i: &Instruction, at: &Address, state: &State) -> Option<(i64, i64)> {
    match *at {
        _ if i.is_string_instruction() => Some((state.sp(RSP), 0)),
        _ if i.mnemonic() == Mnemonic::Push => Some((state.sp(RSP) - 8, state.sp(RSP))),
        Address::Frame(offset) if i.op0_kind() == OpKind::Memory => Some((offset, offset + i.memory_size().size().max(1) as i64)),
        _ => None,
    }
}

pub fn step(function: &Function, inst: &Inst, state: &mut State, knowledge: &mut dyn Knowledge) -> Result<Effect, Refusal> {
    let mut effect = Effect::default();
    match inst.role {
        Role::Dropped => return Ok(effect),
        Role::ProbeLoop { end } => {
            let sp = state.sp(RSP);
            match state.regs[end] {
                Value::Sp(to) if to < sp && (sp - to) % 4096 == 0 => state.regs[RSP] = Value::Sp(to),
                _ => return refuse(ErrorCode::DynamicStack, "probes the stack down to an unknown address"),
            }
            return Ok(effect);
        }
        Role::Plain => {}
    }
    let i = instruction(function, inst);
    let has_memory = (0..i.op_count()).any(|k| i.op_kind(k) == OpKind::Memory);
    let at = if has_memory && i.mnemonic() != Mnemonic::Nop { address(function, inst, &i, state)? } else { Address::NONE };
    if !has_memory && inst.reloc.is_some() && !i.is_jcc_short_or_near() && !i.is_jmp_short_or_near() && !i.is_call_near() {
        let reloc = &function.relocs[inst.reloc.unwrap_or_default() as usize];
        let reason = if reloc.kind == RelocKind::ThreadLocal { ErrorCode::ThreadLocal } else { ErrorCode::Unsupported };
        return refuse(reason, "has a relocation in an immediate (is the object position-independent?)");
    }
    // Every instruction that reads an address from a GOT cell counts as taking the address: not only `mov`, but also an addition, a push, or a move
    // to a vector register.
    match &at {
        Address::Cell(Value::Data(id, _)) => knowledge.take_address(*id),
        Address::Data(id, _) if i.mnemonic() == Mnemonic::Lea => knowledge.take_address(*id),
        _ => {}
    }
    effect.observes_alignment = INFO.with_borrow_mut(|factory| observes_alignment(inst, &i, &at, state, factory));
    effect.reach = reach(&i, &at, state, knowledge.object());
    // The word at SP on entry is the return address. The caller's arguments lie above this word.
    effect.stack_arguments = matches!(at, Address::Frame(offset) | Address::SomeFrame(offset) if offset >= 8);
    effect.from_top = match at {
        Address::SomeFrame(offset) => offset < 8 && is_from_top(&i, state),
        Address::Frame(offset) => {
            i.mnemonic() == Mnemonic::Lea && i.op0_register() != Register::RSP && offset < SAVED && is_from_top(&i, state)
        }
        _ => false,
    };
    let size = i.memory_size().size() as i64;
    effect.reaches_up = matches!(at, Address::SomeFrame(..8)) || effect.observes_alignment && !keeps_tracking(inst, &i, &at);
    effect.reads = match at {
        Address::Frame(offset) if i.mnemonic() != Mnemonic::Lea && i.op0_kind() != OpKind::Memory => Some((offset, offset + size.max(1))),
        _ => None,
    };
    effect.takes = match at {
        Address::Frame(_) if i.mnemonic() == Mnemonic::Lea || i.mnemonic() == Mnemonic::Mov && i.op0_kind() == OpKind::Memory => None,
        Address::Frame(offset) => Some(offset),
        _ if i.mnemonic() == Mnemonic::Pop => Some(state.sp(RSP)),
        _ => None,
    };
    effect.takes = effect.takes.filter(|word| !matches!(state.slots.value(*word), Some(Value::Sp(_))));
    effect.writes = if function.is_rust { stored(&i, &at, state) } else { written(&i, &at, state, effect.observes_alignment) };
    effect.data = match at {
        Address::Data(id, offset) | Address::Indexed(id, offset) if i.mnemonic() != Mnemonic::Lea => Some((id, offset, size)),
        _ => None,
    };
    if i.mnemonic() != Mnemonic::Lea {
        match at {
            Address::Frame(offset) if size == 0 => effect.any_argument = offset >= 0,
            Address::Frame(offset) => effect.argument_bytes = offset + size - 8,
            Address::SomeFrame(offset) => effect.any_argument = offset >= 0,
            _ => {}
        }
    }
    // The red zone lies directly below SP. For an indexed access, the place at index 0 counts, or the lowest byte of the red zone if this place lies
    // below the red zone. A computed address in the red zone counts, because later code may access memory there. A computed address below the red
    // zone is the end of a stack probe and does not count.
    let red_zone = state.sp(RSP) - RED_ZONE;
    match at {
        Address::Frame(offset) if i.mnemonic() != Mnemonic::Lea => effect.touched = -offset,
        Address::SomeFrame(offset) if i.mnemonic() != Mnemonic::Lea => effect.touched = -offset.max(red_zone),
        Address::Frame(offset) | Address::SomeFrame(offset) if (red_zone..state.sp(RSP)).contains(&offset) => effect.touched = -offset,
        _ => {}
    }
    let gpr64 = |k: u32| {
        (i.op_kind(k) == OpKind::Register && i.op_register(k).is_gpr64()).then(|| i.op_register(k) as usize - Register::RAX as usize)
    };
    let memory = |k: u32| i.op_kind(k) == OpKind::Memory;
    let immediate = |k: u32| match i.op_kind(k) {
        OpKind::Immediate8to64 | OpKind::Immediate32to64 | OpKind::Immediate64 => Some(i.immediate(k) as i64),
        _ => None,
    };
    match i.mnemonic() {
        Mnemonic::Call | Mnemonic::Jmp if i.is_call_near_indirect() || i.is_jmp_near_indirect() => {
            effect.target = Some(match gpr64(0) {
                Some(reg) => state.regs[reg].clone(),
                None if memory(0) => load(&at, state, knowledge),
                None => Value::Unknown,
            });
            return Ok(effect);
        }
        Mnemonic::Call | Mnemonic::Jmp | Mnemonic::Ret => return Ok(effect),
        Mnemonic::Mov => match (gpr64(0), gpr64(1)) {
            (Some(to), Some(from)) => {
                let value = state.regs[from].clone();
                note_escape(state, from, to);
                set(state, to, value, knowledge)?;
                return Ok(effect);
            }
            (Some(to), None) if memory(1) => {
                let value = load(&at, state, knowledge);
                set(state, to, value, knowledge)?;
                return Ok(effect);
            }
            (None, None) if i.op0_kind() == OpKind::Register && i.op0_register().is_gpr32() => {
                let entry = table::entry(&i, &at, state).filter(|_| memory(1));
                if let (Some(to), Some((id, offset))) = (number(i.op0_register()), entry) {
                    set(state, to, Value::TableWord(id, offset), knowledge)?;
                    return Ok(effect);
                }
            }
            (None, Some(from)) if memory(0) => {
                let value = state.regs[from].clone();
                if matches!(value, Value::Sp(_)) {
                    state.escaped = true;
                }
                effect.published.extend(at.published(&value));
                store(&at, 8, value, false, state, knowledge)?;
                return Ok(effect);
            }
            _ => {}
        },
        Mnemonic::Lea => {
            if let Some(to) = gpr64(0) {
                let value = match at {
                    Address::Frame(n) => Value::Sp(n),
                    Address::Data(id, offset) => Value::Data(id, offset),
                    Address::Cell(value) => value,
                    Address::SomeFrame(_) => {
                        state.escaped = true;
                        Value::Unknown
                    }
                    Address::Indexed(id, _) => {
                        knowledge.take_address(id);
                        Value::Unknown
                    }
                    Address::Unknown(_) if i.memory_base() == Register::None && i.memory_displacement64() == 0 => {
                        Value::Multiple(i.memory_index_scale() as u8)
                    }
                    Address::Unknown(_) => {
                        // A frame address may be the scaled index of this operand.
                        let parts = [number(i.memory_base()), number(i.memory_index())];
                        state.escaped |= parts.into_iter().flatten().any(|part| matches!(state.regs[part], Value::Sp(_)));
                        Value::Unknown
                    }
                };
                set(state, to, value, knowledge)?;
                return Ok(effect);
            }
        }
        Mnemonic::Add | Mnemonic::Sub => {
            let sign = if i.mnemonic() == Mnemonic::Add { 1 } else { -1 };
            if let (Some(to), Some(by)) = (gpr64(0), immediate(1)) {
                let value = match state.regs[to] {
                    Value::Sp(n) => Value::Sp(n + sign * by),
                    Value::Data(id, offset) => Value::Data(id, offset + sign * by),
                    _ => Value::Unknown,
                };
                set(state, to, value, knowledge)?;
                return Ok(effect);
            }
            if let (Some(to), Some(from), 1) = (gpr64(0), gpr64(1), sign) {
                let value = match (&state.regs[to], &state.regs[from]) {
                    (&Value::TableOffset(a, x), &Value::Data(b, y)) | (&Value::Data(b, y), &Value::TableOffset(a, x))
                        if (a, x) == (b, y) =>
                    {
                        Value::TableTarget(a, x)
                    }
                    _ => Value::Unknown,
                };
                note_escape(state, from, to);
                state.escaped |= matches!(state.regs[to], Value::Sp(_));
                set(state, to, value, knowledge)?;
                return Ok(effect);
            }
        }
        Mnemonic::And => {
            if let (Some(to), Some(mask)) = (gpr64(0), immediate(1))
                && let Value::Sp(n) = state.regs[to]
            {
                let align = mask.wrapping_neg();
                let is_alignment = align > 0 && align & (align - 1) == 0;
                if to != RSP && (!is_alignment || align > 64) {
                    // The result of this mask is a number, not a frame address.
                    general(&i, &at, size, state, knowledge)?;
                    return Ok(effect);
                }
                if !is_alignment {
                    return refuse(ErrorCode::DynamicStack, "masks the stack pointer with something that is not an alignment");
                }
                let entry = match knowledge.entry_alignment() {
                    Some((entry, tracked)) if align <= i64::from(tracked) => i64::from(entry),
                    _ if align <= 16 => 8,
                    _ if align <= LARGEST_ALIGNMENT => {
                        effect.needs_alignment = true;
                        return Ok(effect);
                    }
                    _ => {
                        return refuse(
                            ErrorCode::DynamicStack,
                            format!("aligns the stack to {align} bytes; the limit is {LARGEST_ALIGNMENT}"),
                        );
                    }
                };
                effect.uses_alignment = align > 16;
                effect.assumes_alignment = align > 8;
                set(state, to, Value::Sp(n - (entry + n).rem_euclid(align)), knowledge)?;
                return Ok(effect);
            }
        }
        // Unoptimised gcc code scales the index of a jump table with a shift.
        Mnemonic::Shl | Mnemonic::Sal if i.op1_kind() == OpKind::Immediate8 && i.immediate8() == 2 => {
            if let Some(to) = gpr64(0).filter(|&to| to != RSP && !matches!(state.regs[to], Value::Sp(_))) {
                set(state, to, Value::Multiple(4), knowledge)?;
                return Ok(effect);
            }
        }
        Mnemonic::Movsxd | Mnemonic::Cdqe => {
            let to = if i.mnemonic() == Mnemonic::Cdqe { Some(0) } else { gpr64(0) };
            if let (Some(to), Some((id, offset))) = (to, table::entry(&i, &at, state)) {
                set(state, to, Value::TableOffset(id, offset), knowledge)?;
                return Ok(effect);
            }
        }
        Mnemonic::Push => {
            let value = match gpr64(0) {
                Some(reg) => state.regs[reg].clone(),
                None if memory(0) => load(&at, state, knowledge),
                None => Value::Unknown,
            };
            if i.stack_pointer_increment() != -8 {
                return refuse(ErrorCode::DynamicStack, "pushes something that is not 8 bytes wide");
            }
            // A pushed frame address may be an argument of a call.
            state.escaped |= matches!(value, Value::Sp(_));
            // A pop restores the value of a callee-saved register. A push of another register may only make room for a variable, as LLVM's `push rax`
            // does, and a callee may write to the variable.
            let saves = !matches!(value, Value::Entry(reg) if !CALLEE_SAVED.contains(&Reg::from(reg)));
            let sp = state.sp(RSP) - 8;
            store(&Address::Frame(sp), 8, value, saves, state, knowledge)?;
            state.regs[RSP] = Value::Sp(sp);
            return Ok(effect);
        }
        Mnemonic::Pushfq => {
            let sp = state.sp(RSP) - 8;
            store(&Address::Frame(sp), 8, Value::Unknown, true, state, knowledge)?;
            state.regs[RSP] = Value::Sp(sp);
            return Ok(effect);
        }
        Mnemonic::Pop => {
            let Some(to) = gpr64(0).filter(|&r| r != RSP) else {
                return refuse(ErrorCode::DynamicStack, "pops into memory or the stack pointer");
            };
            let sp = state.sp(RSP);
            let value = load(&Address::Frame(sp), state, knowledge);
            state.regs[RSP] = Value::Sp(sp + 8);
            set(state, to, value, knowledge)?;
            return Ok(effect);
        }
        Mnemonic::Leave => {
            if i.code() != Opcode::Leaveq {
                return refuse(ErrorCode::DynamicStack, "executes a 16-bit `leave`");
            }
            let Value::Sp(frame) = state.regs[RBP] else {
                return refuse(ErrorCode::DynamicStack, "leaves its frame, but the value of the frame pointer (rbp) is unknown");
            };
            let value = load(&Address::Frame(frame), state, knowledge);
            state.regs[RSP] = Value::Sp(frame + 8);
            set(state, RBP, value, knowledge)?;
            return Ok(effect);
        }
        Mnemonic::Xchg => {
            if let (Some(a), Some(b)) = (gpr64(0), gpr64(1)) {
                if a == RSP || b == RSP {
                    return refuse(ErrorCode::DynamicStack, "exchanges the stack pointer");
                }
                state.escaped |= [a, b].iter().any(|&r| matches!(state.regs[r], Value::Sp(_)));
                state.regs.swap(a, b);
                return Ok(effect);
            }
            if let (true, Some(reg)) = (memory(0), gpr64(1)) {
                let old = load(&at, state, knowledge);
                let value = state.regs[reg].clone();
                state.escaped |= matches!(value, Value::Sp(_));
                effect.published.extend(at.published(&value));
                store(&at, 8, value, false, state, knowledge)?;
                set(state, reg, old, knowledge)?;
                return Ok(effect);
            }
        }
        Mnemonic::Cmpxchg => {
            if let (true, Some(reg)) = (memory(0), gpr64(1)) {
                effect.published.extend(at.published(&state.regs[reg]));
                state.escaped |= matches!(state.regs[reg], Value::Sp(_));
                let value = state.regs[reg].join(&load(&at, state, knowledge));
                store(&at, 8, value, false, state, knowledge)?;
                set(state, 0, Value::Unknown, knowledge)?;
                return Ok(effect);
            }
        }
        _ if i.condition_code() != iced_x86::ConditionCode::None && i.op_count() == 2 && gpr64(0).is_some() => {
            // This arm handles cmovcc.
            if let Some(to) = gpr64(0) {
                let other = match gpr64(1) {
                    Some(from) => {
                        note_escape(state, from, to);
                        state.regs[from].clone()
                    }
                    None => load(&at, state, knowledge),
                };
                let value = state.regs[to].join(&other);
                set(state, to, value, knowledge)?;
                return Ok(effect);
            }
        }
        _ => {}
    }
    general(&i, &at, size, state, knowledge)?;
    Ok(effect)
}

/// Records an escape if the register `to` gets a copy of a frame address, because any later code may use the copy as a pointer. Moves to SP, and from
/// SP to rbp, do not count.
fn note_escape(state: &mut State, from: Reg, to: Reg) {
    if matches!(state.regs[from], Value::Sp(_)) && to != RSP && !(from == RSP && to == RBP) {
        state.escaped = true;
    }
}

/// Handles instructions that need no special treatment: forgets the registers and memory that they write.
fn general(i: &Instruction, at: &Address, size: i64, state: &mut State, knowledge: &mut dyn Knowledge) -> Result<(), Refusal> {
    // Arithmetic on a frame address may make a pointer that the analysis does not track.
    for k in 0..i.op_count() {
        if i.op_kind(k) == OpKind::Register
            && let Some(reg) = number(i.op_register(k))
            && matches!(state.regs[reg], Value::Sp(_))
            && !matches!(i.mnemonic(), Mnemonic::Cmp | Mnemonic::Test)
        {
            state.escaped = true;
        }
    }
    INFO.with_borrow_mut(|factory| {
        let info = factory.info_options(i, InstructionInfoOptions::NONE);
        // The function `address` has checked the named memory operands. String instructions also access memory that no named operand describes.
        let is_code = |register: Register| number(register).is_some_and(|reg| matches!(state.regs[reg], Value::Code(_) | Value::Label(_)));
        if i.is_string_instruction() && info.used_memory().iter().any(|used| is_code(used.base())) {
            return refuse(ErrorCode::Unsupported, CODE_AS_DATA);
        }
        for used in info.used_registers() {
            let writes = matches!(used.access(), OpAccess::Write | OpAccess::CondWrite | OpAccess::ReadWrite | OpAccess::ReadCondWrite);
            if let (true, Some(reg)) = (writes, number(used.register())) {
                if reg == RSP {
                    return refuse(ErrorCode::DynamicStack, format!("changes the stack pointer with `{:?}`", i.mnemonic()).to_lowercase());
                }
                state.regs[reg] = Value::Unknown;
            }
        }
        let mut writes_memory = false;
        let mut implicit = false;
        for used in info.used_memory() {
            if matches!(used.access(), OpAccess::Write | OpAccess::CondWrite | OpAccess::ReadWrite | OpAccess::ReadCondWrite) {
                writes_memory = true;
                // A string instruction writes to the address in RDI. A scatter writes to one address for each lane of a vector. `at` describes
                // neither.
                implicit |= i.is_string_instruction() || used.vsib_size() != 0;
            }
        }
        if writes_memory && !leaves_memory_unchanged(i) {
            // If an instruction writes memory that is not its first operand, the address is unknown.
            let named = i.op_count() > 0 && i.op0_kind() == OpKind::Memory;
            let unknown = implicit || !named || size == 0 && !matches!(at, Address::Frame(_));
            let place = at;
            let at = if unknown { &Address::NONE } else { at };
            store(at, size, Value::Unknown, false, state, knowledge)?;
            if unknown {
                state.forget_frame();
                if let Address::Data(id, _) | Address::Indexed(id, _) = place {
                    knowledge.take_address(*id);
                }
            }
        }
        Ok(())
    })
}

/// True if the instruction writes back the value that it read. For example, compilers use `lock or [rsp], 0` as a fence, even where SP points to the
/// return address.
fn leaves_memory_unchanged(i: &Instruction) -> bool {
    let of_immediate = i.op_count() == 2 && i.op0_kind() == OpKind::Memory && !matches!(i.op1_kind(), OpKind::Register | OpKind::Memory);
    of_immediate && matches!(i.mnemonic(), Mnemonic::Or | Mnemonic::Add | Mnemonic::Sub | Mnemonic::Xor) && i.immediate(1) == 0
}

/// True if the memory operand must be aligned. With legacy SSE encodings, operands must be aligned, except for the instructions listed here. With
/// VEX and EVEX, operands must be aligned only for the instructions listed here. (Intel SDM vol. 1, §14.9)
pub(super) fn needs_aligned_stack(i: &Instruction) -> bool {
    if i.memory_size().size() < 16 || !(0..i.op_count()).any(|k| i.op_kind(k) == OpKind::Memory) || i.is_ip_rel_memory_operand() {
        return false;
    }
    use Mnemonic as M;
    match i.code().encoding() {
        EncodingKind::Legacy => !matches!(
            i.mnemonic(),
            M::Movups | M::Movupd | M::Movdqu | M::Lddqu | M::Pcmpestri | M::Pcmpestrm | M::Pcmpistri | M::Pcmpistrm | M::Nop
        ),
        EncodingKind::VEX | EncodingKind::EVEX => matches!(
            i.mnemonic(),
            M::Vmovaps | M::Vmovapd | M::Vmovdqa | M::Vmovdqa32 | M::Vmovdqa64 | M::Vmovntdq | M::Vmovntps | M::Vmovntpd | M::Vmovntdqa
        ),
        _ => true,
    }
}

/// True for a padding instruction: a `nop` of any length, or `int3`.
pub(super) fn is_padding(i: &Instruction) -> bool {
    i.mnemonic() == Mnemonic::Nop || i.code() == Opcode::Int3
}
