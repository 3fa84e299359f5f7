//! Checks the records of calls that may unwind. For each callee-saved register, a record has the place of the caller's value: a word of the frame, or
//! the register itself. The check reads the assembled bytes. It shares only the decoder with `analyze` and lowering.

use super::{Depths, record_at};
use crate::arch::saved::{Move, Step, follow};
use crate::arch::x86_64::record::{self, REGISTERS, Record};
use iced_x86::{
    Decoder, DecoderOptions, FlowControl, Instruction, InstructionInfoFactory, InstructionInfoOptions, Mnemonic, OpAccess, OpKind, Register,
};
use std::collections::BTreeMap;

/// Checks all records of a function. `depths` has the number of bytes by which SP is lower than on entry, before each instruction. The function's own
/// code begins at the last of `starts`. Code that control reaches only through a jump table is not checked, as in [`super::depths`].
///
/// Fails with an offset and a reason.
pub fn check(code: &[u8], relocated: &dyn Fn(u32) -> bool, starts: &[(u32, u32)], depths: &Depths) -> Result<(), (u32, String)> {
    if !code.windows(record::MARK.len()).any(|bytes| bytes == record::MARK) {
        return Ok(());
    }
    let Some(&(first, _)) = starts.last() else { return Ok(()) };
    let mut factory = InstructionInfoFactory::new();
    let mut steps = Vec::new();
    // The records of the calls without a landing pad, by the offset of the call. Each record has the offset of the instruction after the call.
    let mut records: BTreeMap<u32, (u32, Record)> = BTreeMap::new();
    for (&at, &depth) in depths {
        let Some(bytes) = code.get(at as usize..) else { continue };
        let i = Decoder::with_ip(64, bytes, u64::from(at), DecoderOptions::NONE).decode();
        let next = at + i.len() as u32;
        let mut step = step(&i, at, depth, &mut factory);
        let out = next.checked_sub(4).is_some_and(relocated);
        let target = u32::try_from(i.near_branch_target()).ok().filter(|&to| !out && (to as usize) < code.len());
        match i.flow_control() {
            FlowControl::Next => step.next = Some(next),
            FlowControl::Call | FlowControl::IndirectCall => {
                // After a call, control goes on at the next instruction or at the landing pad. The callee preserves the callee-saved registers and
                // the words above SP.
                step = Step { next: Some(next), writes: 0, stores: None, moves: [None; 2], ..step };
                if let Some(distance) = code.get(next as usize..).and_then(|rest| rest.strip_prefix(&record::MARK)) {
                    let (record, pad) = record_at(code, distance, next).ok_or((
                        next,
                        "has a mark after a call that may unwind, but the mark leads to no valid unwinding record".to_owned(),
                    ))?;
                    step.jumps[0] = pad;
                    if pad.is_none() {
                        records.insert(at, (next, record));
                    }
                }
            }
            FlowControl::UnconditionalBranch => step.jumps[0] = target,
            FlowControl::ConditionalBranch => (step.next, step.jumps[0]) = (Some(next), target),
            _ => {}
        }
        steps.push(step);
    }
    let mut wrong = Ok(());
    follow(&steps, first, |step, state| {
        let Some((next, record)) = records.get(&step.at).filter(|_| wrong.is_ok()) else { return };
        for (index, (register, place)) in REGISTERS.iter().zip(record.saved).enumerate() {
            let place = 8 * i64::from(place);
            let is_there = if place == 0 { state.holds(index) } else { state.has_saved(index, place) };
            if !is_there {
                let known = if state.holds(index) { 0 } else { state.place(index).unwrap_or(0) };
                let reason = format!("the record of a call finds register {register} {place} bytes below the return address, not {known}");
                wrong = Err((*next, reason));
                return;
            }
        }
    });
    wrong
}

/// Returns the effect of an instruction on the callee-saved registers; the caller must set `next` and `jumps`. `depth` is the number of bytes by
/// which SP is lower than on entry, before the instruction.
fn step(i: &Instruction, at: u32, depth: u32, factory: &mut InstructionInfoFactory) -> Step {
    let depth = i64::from(depth);
    let mut step = Step { at, depth, writes: 0, stores: None, moves: [None; 2], next: None, jumps: [None; 2] };
    let index_of = |register: Register| {
        let number = register.full_register().number();
        REGISTERS.iter().position(|&saved| register.is_gpr() && saved == number)
    };
    let whole = |k: u32| (i.op_kind(k) == OpKind::Register && i.op_register(k).is_gpr64()).then(|| index_of(i.op_register(k))).flatten();
    // The stack word that the instruction accesses, as the distance in bytes from the return address down to the word.
    let is_on_stack = i.memory_base() == Register::RSP && i.memory_index() == Register::None;
    let accessed = is_on_stack.then(|| depth - i.memory_displacement64().cast_signed());
    let info = factory.info_options(i, InstructionInfoOptions::NONE);
    let writes_memory = !writes_back(i) && info.used_memory().iter().any(|used| is_write(used.access()));
    for used in info.used_registers().iter().filter(|used| is_write(used.access())) {
        if let Some(index) = index_of(used.register()) {
            step.writes |= 1 << index;
        }
    }
    match i.mnemonic() {
        Mnemonic::Push => {
            step.stores = Some((depth + 8, 8));
            step.moves[0] = whole(0).map(|register| Move::Save { register, to: depth + 8 });
        }
        Mnemonic::Pop => step.moves[0] = whole(0).map(|register| Move::Restore { register, from: depth }),
        Mnemonic::Mov if i.op0_kind() == OpKind::Memory => {
            step.stores = accessed.map(|at| (at, i.memory_size().size() as i64));
            step.moves[0] = accessed.and_then(|to| whole(1).map(|register| Move::Save { register, to }));
        }
        Mnemonic::Mov if i.op1_kind() == OpKind::Memory => {
            step.moves[0] = accessed.and_then(|from| whole(0).map(|register| Move::Restore { register, from }));
        }
        _ => step.stores = accessed.filter(|_| writes_memory).map(|at| (at, i.memory_size().size() as i64)),
    }
    step
}

/// True if the instruction writes back the value that it has read. For example, rustc uses `lock or dword ptr [rsp], 0` as a fence.
fn writes_back(i: &Instruction) -> bool {
    let is_kept = matches!(i.mnemonic(), Mnemonic::Or | Mnemonic::Add | Mnemonic::Sub | Mnemonic::Xor);
    is_kept && matches!(i.op1_kind(), OpKind::Immediate8to32 | OpKind::Immediate8to64 | OpKind::Immediate8) && i.immediate(1) == 0
}

fn is_write(access: OpAccess) -> bool {
    !matches!(access, OpAccess::None | OpAccess::Read | OpAccess::CondRead | OpAccess::NoMemAccess)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arch::x86_64::check::depths;
    use crate::arch::x86_64::record::inline;

    /// Returns the result of the check for a function that executes `before`, makes a call that unwinds `frame` bytes, and traps. `saved` has the
    /// saved registers of the record. Each pair is the index of a register, and the distance in words from the return address down to the word with
    /// the register's value.
    fn checked(before: &[u8], frame: u32, saved: &[(usize, u8)]) -> Result<(), String> {
        let mut record = Record { frame, ..Record::default() };
        saved.iter().for_each(|&(register, place)| record.saved[register] = place);
        let after = [inline(0), vec![0xCC]].concat();
        let start = after.len() - 1 - record::SIZE;
        let mut code = [before, &[0xE8, 0, 0, 0, 0], &after].concat();
        let at = before.len() + 5 + start;
        code[at..at + record::SIZE].copy_from_slice(&record.bytes(0));
        depths(&code, &|_| false, &[(0, 0)]).map(|_| ()).map_err(|(_, reason)| reason)
    }

    const RBX: usize = 0;
    const RBP: usize = 1;

    const PUSH_RAX: &[u8] = &[0x50];
    const PUSH_RBX: &[u8] = &[0x53];
    const POP_RBX: &[u8] = &[0x5B];
    const POP_RAX: &[u8] = &[0x58];
    /// Encodes `add rsp, 8`.
    const RAISE_SP: &[u8] = &[0x48, 0x83, 0xC4, 8];
    /// Encodes `sub rsp, 8`.
    const LOWER_SP: &[u8] = &[0x48, 0x83, 0xEC, 8];
    const CLEAR_RBX: &[u8] = &[0x31, 0xDB];
    /// Encodes `mov [rsp], rax`.
    const STORE: &[u8] = &[0x48, 0x89, 0x04, 0x24];
    /// Encodes `mov byte ptr [rsp + 7], 0`.
    const STORE_BYTE: &[u8] = &[0xC6, 0x44, 0x24, 0x07, 0];
    /// Encodes `add qword ptr [rsp], rax`.
    const ADD: &[u8] = &[0x48, 0x01, 0x04, 0x24];
    /// Encodes `lock or dword ptr [rsp], 0`. `OR_ONE` encodes `lock or dword ptr [rsp], 1`.
    const FENCE: &[u8] = &[0xF0, 0x83, 0x0C, 0x24, 0];
    const OR_ONE: &[u8] = &[0xF0, 0x83, 0x0C, 0x24, 1];
    /// Encodes `mov [rsp], rbx`.
    const STORE_RBX: &[u8] = &[0x48, 0x89, 0x1C, 0x24];
    /// Encodes `mov rbx, [rsp]`.
    const LOAD_RBX: &[u8] = &[0x48, 0x8B, 0x1C, 0x24];

    #[test]
    fn saved_and_kept_registers_are_found() {
        assert_eq!(REGISTERS[..2], [3, 5]);
        assert_eq!(checked(&[], 0, &[]), Ok(()));
        assert_eq!(checked(&[PUSH_RBX, CLEAR_RBX].concat(), 8, &[(RBX, 1)]), Ok(()));
        assert_eq!(checked(&[PUSH_RAX, STORE_RBX, CLEAR_RBX].concat(), 8, &[(RBX, 1)]), Ok(()));
        assert_eq!(checked(&[PUSH_RAX, PUSH_RBX, CLEAR_RBX].concat(), 16, &[(RBX, 2)]), Ok(()));
        assert_eq!(checked(&[PUSH_RBX, CLEAR_RBX, FENCE].concat(), 8, &[(RBX, 1)]), Ok(()));
        // After the register is restored, it holds the caller's value again.
        assert_eq!(checked(&[PUSH_RBX, CLEAR_RBX, POP_RBX].concat(), 0, &[]), Ok(()));
        assert_eq!(checked(&[PUSH_RBX, CLEAR_RBX, LOAD_RBX].concat(), 8, &[]), Ok(()));
        // The register is saved twice, and restored from the second word, or from both words.
        let twice = [PUSH_RBX, PUSH_RBX, CLEAR_RBX, POP_RBX].concat();
        assert_eq!(checked(&twice, 8, &[]), Ok(()));
        assert_eq!(checked(&twice, 8, &[(RBX, 1)]), Ok(()));
        assert_eq!(checked(&[&twice, POP_RBX].concat(), 0, &[]), Ok(()));
        for place in 1..=2 {
            assert_eq!(checked(&[PUSH_RBX, PUSH_RBX, CLEAR_RBX].concat(), 16, &[(RBX, place)]), Ok(()));
        }
    }

    #[test]
    fn wrong_places_are_found() {
        let wrong = |before: &[&[u8]], frame, saved: &[(usize, u8)]| {
            assert!(checked(&before.concat(), frame, saved).is_err_and(|reason| reason.contains("below the return address")), "{before:?}");
        };
        wrong(&[CLEAR_RBX], 0, &[]);
        wrong(&[], 0, &[(RBX, 1)]);
        wrong(&[PUSH_RBX, CLEAR_RBX], 8, &[]);
        wrong(&[PUSH_RBX, CLEAR_RBX], 8, &[(RBX, 2)]);
        wrong(&[PUSH_RAX, PUSH_RBX, CLEAR_RBX], 16, &[(RBX, 1)]);
        wrong(&[PUSH_RBX, CLEAR_RBX], 8, &[(RBX, 1), (RBP, 1)]);
        // The word or the register does not hold the caller's value.
        wrong(&[CLEAR_RBX, PUSH_RBX], 8, &[(RBX, 1)]);
        wrong(&[PUSH_RAX, CLEAR_RBX, STORE_RBX], 8, &[(RBX, 1)]);
        wrong(&[PUSH_RAX, CLEAR_RBX, LOAD_RBX], 8, &[]);
        wrong(&[PUSH_RAX, CLEAR_RBX, POP_RBX], 0, &[]);
        // The word is overwritten, wholly or in part, or lies below SP for some time.
        for store in [STORE, STORE_BYTE, ADD, OR_ONE] {
            wrong(&[PUSH_RBX, CLEAR_RBX, store], 8, &[(RBX, 1)]);
        }
        wrong(&[PUSH_RBX, CLEAR_RBX, POP_RAX, PUSH_RAX], 8, &[(RBX, 1)]);
        wrong(&[PUSH_RBX, CLEAR_RBX, RAISE_SP, LOWER_SP], 8, &[(RBX, 1)]);
        wrong(&[PUSH_RBX, PUSH_RBX, CLEAR_RBX, STORE], 16, &[(RBX, 2)]);
        wrong(&[PUSH_RBX, CLEAR_RBX, PUSH_RBX], 16, &[(RBX, 2)]);
    }

    #[test]
    fn paths_must_agree() {
        // The code is test edi, edi; jz over the first block; the first block, which ends with a jump over the second block; the second block.
        let either = |first: &[u8], second: &[u8]| {
            let first = [first, &[0xEB, second.len() as u8]].concat();
            [&[0x85, 0xFF, 0x74, first.len() as u8], &first[..], second, CLEAR_RBX].concat()
        };
        let same = [PUSH_RBX, PUSH_RAX].concat();
        let other = [PUSH_RAX, PUSH_RBX].concat();
        assert_eq!(checked(&either(&same, &same), 16, &[(RBX, 1)]), Ok(()));
        for place in 1..=2 {
            assert!(checked(&either(&same, &other), 16, &[(RBX, place)]).is_err());
            assert!(checked(&either(&other, &same), 16, &[(RBX, place)]).is_err());
        }
        let changes = either(&[], &[]);
        assert!(checked(&changes, 0, &[]).is_err());
        let one_path_changes = [&[0x85, 0xFF, 0x74, 2][..], CLEAR_RBX].concat();
        assert!(checked(&one_path_changes, 0, &[]).is_err());
    }
}
