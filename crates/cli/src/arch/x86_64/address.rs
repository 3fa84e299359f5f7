//! Computes the address of a memory operand from the known values of registers. [`super::step`] does this for every memory access.

use super::{displacement_offset, number};
use crate::analyze::{Origin, Refusal, State, Value, refuse, refuse_undefined};
use crate::code::{Callee, Inst};
use crate::diag::ErrorCode;
use crate::ids::DataId;
use crate::load::{Function, RelocKind, Target};
use iced_x86::{Instruction, Mnemonic, OpKind, Register};

/// The numbers of rsi and rdx, which pass the second and third argument (psABI §3.2.3).
const LATER_ARGUMENTS: [u8; 2] = [6, 2];

/// The address of a memory operand, as far as the analysis knows the address.
pub enum Address {
    /// An address in the frame, at this distance in bytes from SP on entry.
    Frame(i64),
    /// An address at an unknown index, counted from this place in the frame. The place is a distance in bytes from SP on entry.
    SomeFrame(i64),
    Data(DataId, i64),
    /// An address at an unknown index, counted from this place in data (section, offset).
    Indexed(DataId, i64),
    /// The address of a GOT cell that holds this value (GOTPCREL).
    Cell(Value),
    /// An unknown address. A word loaded from there has this origin.
    Unknown(Origin),
}

impl Address {
    /// The placeholder for an instruction without a memory operand.
    pub const NONE: Address = Address::Unknown(Origin::Indexed);

    /// Returns `value` if it is an address and this place may lie outside of the frame. If code stores the value there, it may outlive the function.
    pub fn published(&self, value: &Value) -> Option<Value> {
        let outlasts = !matches!(self, Address::Frame(_) | Address::SomeFrame(_));
        Some(value.clone()).filter(|value| outlasts && value.is_address())
    }
}

/// Returns the value of the symbol in the instruction's relocation. `None` if there is no relocation, or if its kind or target gives no known value.
pub fn symbol_value(function: &Function, inst: &Inst) -> Option<Value> {
    let reloc = &function.relocs[inst.reloc? as usize];
    let offset = match reloc.kind {
        RelocKind::Pc32 => reloc.addend + i64::from(inst.end() - reloc.offset),
        RelocKind::GotPc32 => reloc.addend + i64::from(inst.end() - reloc.offset),
        _ => return None,
    };
    match &reloc.target {
        Target::Data(id) => Some(Value::Data(*id, offset)),
        target if offset == 0 => Callee::of(target).map(Value::code),
        _ => None,
    }
}

pub const CODE_AS_DATA: &str = "reads or writes the code of a function as data";

/// True for a prefetch, which has no effect at any address.
pub fn is_prefetch(i: &Instruction) -> bool {
    use Mnemonic as M;
    matches!(i.mnemonic(), M::Prefetchnta | M::Prefetcht0 | M::Prefetcht1 | M::Prefetcht2 | M::Prefetchw | M::Prefetchwt1 | M::Prefetch)
}

/// True for `bt`, `bts`, `btr` and `btc` of a bit in memory whose number is in a register. Such a bit may lie at any distance from the operand.
pub fn reaches_bits(i: &Instruction) -> bool {
    matches!(i.mnemonic(), Mnemonic::Bt | Mnemonic::Bts | Mnemonic::Btr | Mnemonic::Btc)
        && i.op0_kind() == OpKind::Memory
        && i.op1_kind() == OpKind::Register
}

/// Returns the address of the instruction's memory operand; for `lea`, this is the address that the instruction computes.
pub fn address(function: &Function, inst: &Inst, i: &Instruction, state: &State) -> Result<Address, Refusal> {
    if let Some(id) = inst.function_address {
        return Ok(Address::Cell(Value::code(Callee::Function(id))));
    }
    if i.memory_base() == Register::EIP {
        return refuse(ErrorCode::Unsupported, "makes a 32-bit address relative to EIP");
    }
    if i.is_ip_rel_memory_operand() {
        let Some(reloc) = inst.reloc.map(|r| &function.relocs[r as usize]) else {
            return refuse(ErrorCode::Unsupported, "reads data between its instructions");
        };
        if reloc.kind == RelocKind::ThreadLocal {
            return refuse(ErrorCode::ThreadLocal, "uses thread-local storage");
        }
        if displacement_offset(function, inst) != Some(reloc.offset - inst.offset) {
            return refuse(ErrorCode::Unsupported, "has a relocation outside of its RIP-relative displacement");
        }
        if let Some(what) = reloc.target.among_code() {
            return refuse(ErrorCode::Unsupported, what);
        }
        // If a call or jump goes to an undefined symbol, the call graph records the symbol. Any other use of an undefined symbol needs its address,
        // which does not exist.
        if let Target::Undefined(name) = &reloc.target
            && !i.is_call_near_indirect()
            && !i.is_jmp_near_indirect()
        {
            return refuse_undefined(name);
        }
        return Ok(match (reloc.kind, symbol_value(function, inst)) {
            (RelocKind::Pc32, Some(Value::Data(id, offset))) if reaches_bits(i) => Address::Indexed(id, offset),
            _ if reaches_bits(i) => return refuse(ErrorCode::Unsupported, "reads a bit of an address, or of code"),
            (RelocKind::GotPc32, Some(value)) => Address::Cell(value),
            (RelocKind::Pc32, Some(Value::Data(id, offset))) => Address::Data(id, offset),
            (RelocKind::Pc32, Some(code)) if i.mnemonic() == Mnemonic::Lea => Address::Cell(code),
            (RelocKind::Pc32, Some(_)) => return refuse(ErrorCode::Unsupported, CODE_AS_DATA),
            _ => {
                return refuse(
                    ErrorCode::Unsupported,
                    format!("has a relocation that cannot be expressed ({:?} of {:?})", reloc.kind, reloc.target),
                );
            }
        });
    }
    if inst.reloc.is_some() {
        let reloc = &function.relocs[inst.reloc.unwrap_or_default() as usize];
        return match reloc.kind {
            RelocKind::ThreadLocal => refuse(ErrorCode::ThreadLocal, "uses thread-local storage"),
            _ => refuse(ErrorCode::Unsupported, "has a relocation outside of a RIP-relative operand (is the object position-independent?)"),
        };
    }
    // An address made from the lower 32 bits of a frame address may point anywhere.
    for register in [i.memory_base(), i.memory_index()] {
        if !register.is_gpr64() && number(register).is_some_and(|r| matches!(state.regs[r], Value::Sp(_))) {
            return refuse(ErrorCode::Unsupported, "accesses memory through a part of a frame address");
        }
    }
    let displacement = i.memory_displacement64() as i64;
    let known = |register: Register| number(register).filter(|_| register.is_gpr64()).map(|r| &state.regs[r]);
    let (base, mut index) = (i.memory_base(), i.memory_index());
    let mut value = known(base);
    // With a scale of 1, base and index are interchangeable.
    if i.memory_index_scale() == 1 && matches!(known(index), Some(Value::Sp(_) | Value::Data(..))) {
        value = known(index);
        index = base;
    }
    let index = if reaches_bits(i) { i.op1_register() } else { index };
    // Code may compute with the address of a function. But it must not access memory there, because lowering changes the bytes of functions.
    let is_code = |register: Register| matches!(known(register), Some(Value::Code(_) | Value::Label(_)));
    let accesses = !matches!(i.mnemonic(), Mnemonic::Lea | Mnemonic::Nop) && !is_prefetch(i);
    if accesses && (is_code(i.memory_base()) || i.memory_index_scale() == 1 && is_code(i.memory_index())) {
        return refuse(ErrorCode::Unsupported, CODE_AS_DATA);
    }
    Ok(match (value, index) {
        (Some(Value::Sp(n)), Register::None) => Address::Frame(n + displacement),
        (Some(Value::Sp(n)), _) => Address::SomeFrame(n + displacement),
        (Some(&Value::Data(id, offset)), Register::None) => Address::Data(id, offset + displacement),
        (Some(&Value::Data(id, offset)), _) => Address::Indexed(id, offset + displacement),
        (Some(base), Register::None) => Address::Unknown(Origin::at(base, displacement, LATER_ARGUMENTS)),
        _ => Address::Unknown(Origin::Indexed),
    })
}
