//! Decodes words into instructions with their control flow, for analysis and lowering.

use super::insn::encoding::{self, BASE};
use super::insn::{Branch, Insn, Kind, LR, SP};
use super::{Code, word};
use crate::arch::decoding::{Relocs, function_at, linked_destination, refuse_outlined, resolved_destination};
use crate::code::{Dest, Flow, Inst, Role};
use crate::diag::{Diagnostic, ErrorCode};
use crate::ids::FuncId;
use crate::load::{Function, Object, RelocKind};
use yaxpeax_arch::{Arch, Decoder, U8Reader};
use yaxpeax_arm::armv8::a64::{ARMv8, Instruction};

/// Decodes the word with the decoder library. Returns `None` if the library does not know the word.
fn library(word: u32) -> Option<Instruction> {
    <ARMv8 as Arch>::Decoder::default().decode(&mut U8Reader::new(&word.to_le_bytes())).ok()
}

/// Returns the instruction as text, in the form that the decoder library prints.
pub fn print(word: u32) -> String {
    library(word).map_or_else(|| format!(".inst {word:#010x}"), |i| i.to_string())
}

pub fn decode(object: &Object, id: FuncId) -> Result<Code, Diagnostic> {
    let function = &object.functions[id];
    refuse_outlined(object, function)?;
    // Padding after the last instruction may have any length, so up to three bytes at the end are ignored.
    let count = function.code.len() / 4;
    let mut insts = Vec::with_capacity(count);
    let mut raw = Vec::with_capacity(count);
    let mut relocs = Relocs::new(object, function);
    for offset in (0..count as u32).map(|n| n * 4) {
        let reloc = relocs.within(offset, offset + 4)?;
        let insn = Insn::new(word(&function.code, offset));
        // If an `adr` makes the address of a function in the same section, the compiler's assembler resolves the address without a relocation.
        let function_address = match insn.kind {
            Kind::Adr { by, .. } if reloc.is_none() => function_at(object, function, offset, i64::from(offset) + by),
            _ => None,
        };
        let can_fault = matches!(insn.kind, Kind::Memory(access) if !access.prefetch && access.base != SP);
        insts.push(Inst { offset, len: 4, flow: Flow::Next, reloc, function_address, role: Role::Plain, can_fault });
        raw.push(insn);
    }
    let mut code = Code::new(insts, function.code.len());
    let flows: Vec<Flow> = code.insts.iter().zip(&raw).map(|(inst, insn)| flow(object, function, &code, inst, insn)).collect();
    for (inst, flow) in code.insts.iter_mut().zip(flows) {
        inst.flow = flow;
    }
    probe_loops(&mut code, &raw);
    aligning_loops(&mut code, &raw);
    Ok(code)
}

fn flow(object: &Object, function: &Function, code: &Code, inst: &Inst, insn: &Insn) -> Flow {
    // Data between functions, such as constants, is decoded like instructions. So a forbidden word is an error only if control reaches it.
    if let Some((reason, what)) = forbidden(insn) {
        return Flow::Forbidden(reason, what);
    }
    let dest = |by: i64| destination(object, function, code, inst, by);
    match insn.kind {
        Kind::Branch(Branch::Jump(by)) => Flow::Jump(dest(by)),
        Kind::Branch(Branch::Call(by)) => Flow::Call(dest(by)),
        Kind::Branch(Branch::Conditional(by)) => Flow::Branch(dest(by)),
        Kind::Branch(Branch::IndirectJump(_)) => Flow::IndirectJump,
        Kind::Branch(Branch::IndirectCall(_)) => Flow::IndirectCall,
        Kind::Branch(Branch::Return(_)) => Flow::Return,
        Kind::Trap => Flow::Trap,
        _ => Flow::Next,
    }
}

fn destination(object: &Object, function: &Function, code: &Code, inst: &Inst, by: i64) -> Dest {
    let Some(index) = inst.reloc else { return resolved_destination(object, function, code, inst.offset, i64::from(inst.offset) + by) };
    let reloc = &function.relocs[index as usize];
    match reloc.kind {
        RelocKind::Branch26 => linked_destination(object, function, code, &reloc.target, reloc.addend),
        _ => Dest::Nowhere,
    }
}

/// Returns why an instruction must not run in a thread of a Go program; `None` if it may run. An instruction whose effect is unknown is refused
/// too.
fn forbidden(insn: &Insn) -> Option<(ErrorCode, &'static str)> {
    Some(match insn.kind {
        Kind::SystemCall => (ErrorCode::Syscall, "a system call instruction"),
        Kind::ThreadPointer => (ErrorCode::ThreadLocal, "an access to thread-local storage"),
        Kind::Authentication => (ErrorCode::Instruction, "pointer authentication, which hides return addresses from Go"),
        Kind::System => (ErrorCode::Instruction, "an instruction that reads or changes processor state Go relies on"),
        Kind::Unknown => (ErrorCode::Decode, "bytes that are not an instruction this tool knows"),
        _ if insn.touches_reserved() => (ErrorCode::Instruction, "a use of x18 or x28, which belong to the system and to Go"),
        Kind::MaskSp => (ErrorCode::DynamicStack, "a mask of the stack pointer that is not an alignment"),
        Kind::Trap => return None,
        _ if encoding::part(insn.word).is_none() || library(insn.word).is_none() => {
            (ErrorCode::Decode, "bytes that are not an instruction this tool knows")
        }
        _ => return None,
    })
}

/// Marks loops that probe the stack of a large frame. LLVM emits `L: sub sp, sp, #4096; cmp sp, END; str xzr, [sp]; b.ne L` (AArch64FrameLowering,
/// inlineStackProbeLoopExactMultiple). The register END holds the final SP. Go has already checked the whole stack bound, so lowering replaces the
/// loop by one move of SP. If the analysis does not know the value of END, it refuses the loop.
fn probe_loops(code: &mut Code, raw: &[Insn]) {
    for i in 0..raw.len().saturating_sub(3) {
        let [sub, a, b, branch] = &raw[i..i + 4] else { continue };
        let lowers = matches!(sub.kind, Kind::AddImmediate { rd: SP, rn: SP, by: -4096 });
        // The word 0xf900_03ff is str xzr, [sp].
        let stores = |insn: &Insn| insn.word == 0xf900_03ff;
        let end = |insn: &Insn| if let Kind::CompareSp { rm } = insn.kind { Some(rm) } else { None };
        let compared = if stores(a) {
            end(b)
        } else if stores(b) {
            end(a)
        } else {
            None
        };
        // The branch is b.ne to the first instruction.
        let returns = branch.word & 0xff00_001f == 0x5400_0001 && branch.kind == Kind::Branch(Branch::Conditional(-12));
        if let (true, true, Some(end)) = (lowers, returns, compared)
            && end < LR
        {
            code.insts[i].role = Role::ProbeLoop { end };
            for inst in &mut code.insts[i + 1..i + 4] {
                inst.role = Role::Dropped;
                inst.flow = Flow::Next;
            }
        }
    }
}

/// Marks loops that probe the stack of an aligned frame, whose size is unknown at compile time. LLVM emits `L: sub sp, sp, #4096; cmp sp, END; b.le
/// M; str xzr, [sp]; b L; M: mov sp, END` (AArch64InstrInfo, probedStackAlloc). Only the last instruction, `mov sp, END`, has a lasting effect, so
/// lowering drops the others. Optimised code may enter the loop in its middle: `sub sp, sp, #4096; cmp sp, END; b.le M; L: str xzr, [sp]; sub sp, sp,
/// #4096; cmp sp, END; b.gt L; M: …`.
fn aligning_loops(code: &mut Code, raw: &[Insn]) {
    let lowers = |insn: &Insn| matches!(insn.kind, Kind::AddImmediate { rd: SP, rn: SP, by: -4096 });
    // The words are str xzr, [sp] and ldr xzr, [sp].
    let touches = |insn: &Insn| matches!(insn.word, 0xf900_03ff | 0xf940_03ff);
    let branches = |insn: &Insn, condition: u32, by: i64| {
        insn.word & 0xff00_001f == 0x5400_0000 | condition && insn.kind == Kind::Branch(Branch::Conditional(by))
    };
    const LE: u32 = 0b1101;
    const GT: u32 = 0b1100;
    for i in 0..raw.len() {
        let Some([sub, compare, leave, touch, rest @ ..]) = raw.get(i..) else { continue };
        let len = match rest {
            [again, ..] if again.kind == Kind::Branch(Branch::Jump(-16)) && code.insts[i + 4].reloc.is_none() => 5,
            [sub, again, stay, ..] if lowers(sub) && again.kind == compare.kind && branches(stay, GT, -12) => 7,
            _ => continue,
        };
        let leaves = branches(leave, LE, 4 * (len as i64 - 2));
        if let (true, true, true, Kind::CompareSp { rm }, Some(Kind::AddImmediate { rd: SP, rn, by: 0 })) =
            (lowers(sub), leaves, touches(touch), compare.kind, raw.get(i + len).map(|ends| ends.kind))
            && rm == rn
        {
            for inst in &mut code.insts[i..i + len] {
                inst.role = Role::Dropped;
                inst.flow = Flow::Next;
            }
        }
    }
}

/// Returns the extension of Armv8.0 with Advanced SIMD that the instruction needs, by Arm's name without `FEAT_`; `None` if the instruction needs
/// no extension.
pub fn feature(word: u32) -> Option<&'static str> {
    encoding::part(word).filter(|&part| part != BASE)
}
