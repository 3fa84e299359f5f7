//! Lowers functions whose SP is not always a multiple of 8. For example, LLVM emits `sub rsp, 1` for a leaf function with one local byte.
//!
//! A fault can start a Go function on top of the frame at any instruction, and Go's frames lie at multiples of 8. So lowering moves SP to the next
//! lower multiple of 8, here called the lowered SP. Local variables keep their distance from SP on entry, so the addresses that the analysis knows
//! stay right. The displacements of operands on SP grow by the difference between the compiler's SP and the lowered SP.
//!
//! If SP is not a multiple of 8 at a push, the pushed word also lies lower in lowered code. A pop finds the word there, but a memory operand or an
//! address would miss the word. So a function with such pushes may access the pushed words only by pops, and may not make frame addresses.

use super::encode::{encode_lea, encode_shifted, encode_sum_with_sp};
use super::{Body, Lowered, RSP, flags, instruction, number};
use crate::code::{Flow, Inst, Role};
use crate::lower::FunctionContext;
use iced_x86::{Instruction, Mnemonic, OpKind, Register};

/// Returns the depth of the lowered SP at a place where the compiler's SP has the depth `depth`, in bytes below SP on entry.
pub(in crate::arch::x86_64) fn lowered(depth: u32) -> u32 {
    depth.next_multiple_of(8)
}

const POPS: &str = "pops a word at a depth that is not a multiple of 8";

fn is_sp(register: Register) -> bool {
    number(register) == Some(RSP)
}

/// True if the instruction is a `mov`, `lea`, `add`, `sub` or `and` that writes SP. Lowering replaces it by a move to the lowered SP.
fn moves_sp(i: &Instruction) -> bool {
    i.op_count() > 0
        && i.op0_kind() == OpKind::Register
        && i.op0_register() == Register::RSP
        && matches!(i.mnemonic(), Mnemonic::Mov | Mnemonic::Lea | Mnemonic::Add | Mnemonic::Sub | Mnemonic::And)
}

fn names_sp(i: &Instruction) -> bool {
    (0..i.op_count()).any(|k| i.op_kind(k) == OpKind::Register && is_sp(i.op_register(k)))
}

fn on_sp(i: &Instruction) -> bool {
    (0..i.op_count()).any(|k| i.op_kind(k) == OpKind::Memory) && is_sp(i.memory_base())
}

/// Refuses a function that cannot be lowered because its SP is not always a multiple of 8.
pub(super) fn check(context: &FunctionContext<'_>) -> Lowered<()> {
    let depths = &context.instance.summary.depths;
    if !depths.iter().flatten().any(|depth| depth % 8 != 0) {
        return Ok(());
    }
    let reached = || context.code.insts.iter().enumerate().filter_map(|(at, inst)| Some((at, inst, depths[at]?)));
    let plain =
        || reached().filter(|(_, inst, _)| inst.role == Role::Plain).map(|(at, inst, d)| (at, instruction(context.function, inst), d));
    // The bytes of pushed words, as ranges of depths below SP on entry. Each range spans the compiler's place of the word and the lowered
    // place.
    let mut words = Vec::new();
    for (at, i, depth) in plain() {
        let odd = depth % 8 != 0;
        match i.mnemonic() {
            // `leave` pops the word to which the frame pointer points.
            Mnemonic::Leave if context.depth_after(at)? % 8 != 0 => return Err(context.refuse(at, POPS)),
            _ if !odd => continue,
            Mnemonic::Push | Mnemonic::Pushfq => words.push(depth..lowered(depth) + 8),
            Mnemonic::Pop if depth >= 8 => words.push(depth - 8..lowered(depth)),
            Mnemonic::Pop => return Err(context.refuse(at, POPS)),
            _ => {}
        }
        if matches!(context.code.insts[at].flow, Flow::Call(_) | Flow::IndirectCall) {
            return Err(context.refuse(at, "calls with a stack pointer that is not a multiple of 8"));
        }
    }
    if words.is_empty() {
        return Ok(());
    }
    for (at, i, depth) in plain() {
        let address = (names_sp(&i) && !moves_sp(&i)) || i.mnemonic() == Mnemonic::Lea && on_sp(&i) && !moves_sp(&i);
        let overlaps = on_sp(&i) && i.mnemonic() != Mnemonic::Lea && {
            let first = i64::from(depth) - (i.memory_displacement64() as i64);
            let last = first - i.memory_size().size() as i64;
            let indexed = i.memory_index() != Register::None || i.memory_size().size() == 0;
            indexed || words.iter().any(|word| first > i64::from(word.start) && last < i64::from(word.end))
        };
        if address || overlaps {
            return Err(context.refuse(at, "may access a word that was pushed where the stack pointer is not a multiple of 8"));
        }
    }
    Ok(())
}

impl Body<'_, '_, '_> {
    /// Lowers an instruction at which the lowered SP is `further` bytes below the compiler's SP. If the instruction does not depend on this
    /// difference, emits nothing and returns false.
    pub(super) fn shifted(&mut self, at: usize, inst: &Inst, i: &Instruction, further: u32) -> Lowered<bool> {
        if moves_sp(i) {
            return Ok(false);
        }
        let refuse = |body: &Self| {
            body.context.refuse(at, "uses a stack pointer that is not a multiple of 8 in a form that Go's assembler cannot express")
        };
        let copied = i.mnemonic() == Mnemonic::Mov && i.op0_kind() == OpKind::Register && i.op1_kind() == OpKind::Register;
        let bytes = if copied && i.op0_register().is_gpr64() && i.op1_register() == Register::RSP {
            encode_lea(i.op0_register(), Register::RSP, Register::None, i64::from(further))
        } else if names_sp(i) {
            // The replacement `lea` sets no flags. So if later code reads the instruction's flags, the instruction is refused. Code hardly ever reads
            // the flags of an addition to an address.
            let read = flags::live(self.context.liveness().after(at)) != 0;
            if read { None } else { encode_sum_with_sp(i, further) }
        } else if on_sp(i) {
            let shifted = encode_shifted(i, further);
            if let (Mnemonic::Push, Some((shifted, _))) = (i.mnemonic(), &shifted) {
                self.push_memory(at, inst, shifted)?;
                return Ok(true);
            }
            shifted.map(|(_, bytes)| bytes)
        } else {
            return Ok(false);
        };
        self.raw(&bytes.ok_or_else(|| refuse(self))?);
        Ok(true)
    }
}
