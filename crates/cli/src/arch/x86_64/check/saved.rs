//! Checks the registers in the records of calls that may unwind: where the function has saved each callee-saved register, or that it still holds the
//! caller's value. The check follows the assembled bytes, and shares only the decoder with `analyze` and lowering.

use super::{Depths, record_at};
use crate::arch::x86_64::record::{self, REGISTERS};
use iced_x86::{
    Decoder, DecoderOptions, FlowControl, Instruction, InstructionInfoFactory, InstructionInfoOptions, Mnemonic, OpAccess, OpKind, Register,
};
use std::collections::BTreeMap;

/// The state of the callee-saved registers before an instruction, in the order of [`REGISTERS`].
#[derive(Clone, PartialEq, Eq)]
struct State {
    /// True for each register that holds its value on entry.
    holds: [bool; REGISTERS.len()],
    /// The words of the frame that hold the value of a register on entry, each as the distance in bytes from the return address down to the word,
    /// with the register's index. A register may be in several words: hand-written code inside a function may save it again.
    words: BTreeMap<u32, usize>,
}

impl State {
    const ENTRY: State = State { holds: [true; REGISTERS.len()], words: BTreeMap::new() };

    fn join(&self, mut other: State) -> State {
        for at in 0..REGISTERS.len() {
            other.holds[at] &= self.holds[at];
        }
        other.words.retain(|at, index| self.words.get(at) == Some(index));
        other
    }

    /// The place of a register that [`check`] names in a message: 0 if the register holds its value on entry, or if the value is lost.
    fn place(&self, index: usize) -> u32 {
        let word = self.words.iter().find(|(_, register)| **register == index).map_or(0, |(&at, _)| at);
        if self.holds[index] { 0 } else { word }
    }
}

/// Checks all records of a function. `depths` has the number of bytes by which SP is lower than on entry, before each instruction. The function's own
/// code begins at the last of `starts`. Code that only a jump table leads to is not checked, as in [`super::depths`].
///
/// Fails with an offset and a reason.
pub fn check(code: &[u8], relocated: &dyn Fn(u32) -> bool, starts: &[(u32, u32)], depths: &Depths) -> Result<(), (u32, String)> {
    if !code.windows(record::MARK.len()).any(|bytes| bytes == record::MARK) {
        return Ok(());
    }
    let mut found: BTreeMap<u32, State> = BTreeMap::new();
    let Some(&(first, _)) = starts.last() else { return Ok(()) };
    let mut work = vec![(first, State::ENTRY)];
    let mut factory = InstructionInfoFactory::new();
    while let Some((at, arriving)) = work.pop() {
        let state = found.get(&at).map_or(arriving.clone(), |known| known.join(arriving));
        if found.insert(at, state.clone()).as_ref() == Some(&state) {
            continue;
        }
        let (Some(bytes), Some(&depth)) = (code.get(at as usize..), depths.get(&at)) else { continue };
        let i = Decoder::with_ip(64, bytes, u64::from(at), DecoderOptions::NONE).decode();
        let next = at + i.len() as u32;
        // A jump leaves SP as it is. The instruction after it may belong to another path, with another depth.
        let moved = depths.get(&next).copied().filter(|_| i.flow_control() == FlowControl::Next);
        let after = step(&i, depth, moved, &state, &mut factory);
        let out = next.checked_sub(4).is_some_and(relocated);
        let target = u32::try_from(i.near_branch_target()).ok().filter(|&to| !out && (to as usize) < code.len());
        match i.flow_control() {
            FlowControl::Next => work.push((next, after)),
            FlowControl::Call | FlowControl::IndirectCall => {
                // Code after a call is reached if the call returns, or at its landing pad.
                work.push((next, state.clone()));
                if let Some(distance) = code.get(next as usize..).and_then(|rest| rest.strip_prefix(&record::MARK)) {
                    let (_, pad) = record_at(code, distance, next).ok_or((next, "has no record for a call that may unwind".to_owned()))?;
                    work.extend(pad.map(|pad| (pad, state)));
                }
            }
            FlowControl::UnconditionalBranch => work.extend(target.map(|to| (to, after))),
            FlowControl::ConditionalBranch => {
                work.extend(target.map(|to| (to, after.clone())));
                work.push((next, after));
            }
            _ => {}
        }
    }
    for (&at, state) in &found {
        let Some(bytes) = code.get(at as usize..) else { continue };
        let i = Decoder::with_ip(64, bytes, u64::from(at), DecoderOptions::NONE).decode();
        let next = at + i.len() as u32;
        let is_call = matches!(i.flow_control(), FlowControl::Call | FlowControl::IndirectCall);
        let Some(distance) = code.get(next as usize..).and_then(|rest| rest.strip_prefix(&record::MARK)).filter(|_| is_call) else {
            continue;
        };
        let Some((record, None)) = record_at(code, distance, next) else { continue };
        for (index, register) in REGISTERS.iter().enumerate() {
            let place = 8 * u32::from(record.saved[index]);
            let is_there = if place == 0 { state.holds[index] } else { state.words.get(&place) == Some(&index) };
            if !is_there {
                let known = state.place(index);
                return Err((
                    next,
                    format!("the record of a call finds register {register} {place} bytes below the return address, not {known}"),
                ));
            }
        }
    }
    Ok(())
}

/// Returns the state after an instruction other than a call. `depth` is the depth before it, `after` the depth after it.
fn step(i: &Instruction, depth: u32, after: Option<u32>, before: &State, factory: &mut InstructionInfoFactory) -> State {
    let mut state = before.clone();
    let index_of = |register: Register| {
        let number = register.full_register().number();
        REGISTERS.iter().position(|&saved| register.is_gpr() && saved == number)
    };
    let whole = |k: u32| (i.op_kind(k) == OpKind::Register && i.op_register(k).is_gpr64()).then(|| index_of(i.op_register(k))).flatten();
    // The word on the stack that the instruction accesses, as the distance from the return address down to its first byte.
    let is_on_stack = i.memory_base() == Register::RSP && i.memory_index() == Register::None;
    let accessed = is_on_stack.then(|| i64::from(depth) - i.memory_displacement64().cast_signed());
    let info = factory.info_options(i, InstructionInfoOptions::NONE);
    let writes_memory = info.used_memory().iter().any(|used| is_write(used.access()));
    for used in info.used_registers().iter().filter(|used| is_write(used.access())) {
        if let Some(index) = index_of(used.register()) {
            state.holds[index] = false;
        }
    }
    match i.mnemonic() {
        Mnemonic::Push => {
            forget(&mut state, i64::from(depth) + 8, 8);
            if let Some(index) = whole(0).filter(|&index| before.holds[index]) {
                state.words.insert(depth + 8, index);
            }
        }
        Mnemonic::Pop => {
            if let Some(index) = whole(0).filter(|index| before.words.get(&depth) == Some(index)) {
                state.holds[index] = true;
            }
        }
        Mnemonic::Mov if i.op0_kind() == OpKind::Memory => {
            if let Some(at) = accessed {
                forget(&mut state, at, i.memory_size().size());
                if let (Some(index), Ok(at)) = (whole(1).filter(|&index| before.holds[index]), u32::try_from(at)) {
                    state.words.insert(at, index);
                }
            }
        }
        Mnemonic::Mov if i.op1_kind() == OpKind::Memory => {
            let word = accessed.and_then(|at| before.words.get(&u32::try_from(at).ok()?));
            if let Some(index) = whole(0).filter(|index| word == Some(index)) {
                state.holds[index] = true;
            }
        }
        _ => {
            if let Some(at) = accessed.filter(|_| writes_memory) {
                forget(&mut state, at, i.memory_size().size());
            }
        }
    }
    // Words below SP are lost.
    if let Some(after) = after {
        state.words.retain(|&at, _| at <= after);
    }
    state
}

fn is_write(access: OpAccess) -> bool {
    !matches!(access, OpAccess::None | OpAccess::Read | OpAccess::CondRead | OpAccess::NoMemAccess)
}

/// Forgets the saved registers in the `size` bytes from `at`, a distance from the return address down to the first byte.
fn forget(state: &mut State, at: i64, size: usize) {
    let end = at - size as i64;
    state.words.retain(|&word, _| i64::from(word) <= end || i64::from(word) - 8 >= at);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arch::x86_64::check::depths;
    use crate::arch::x86_64::record::{REGISTERS, Record, inline};

    /// Returns the result of the check for a function that executes `before`, makes a call that unwinds `frame` bytes, and traps. The record says that
    /// the registers in `saved` are at these distances in words, by their index in the record.
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
    /// `add rsp, 8`
    const RAISE_SP: &[u8] = &[0x48, 0x83, 0xC4, 8];
    /// `sub rsp, 8`
    const LOWER_SP: &[u8] = &[0x48, 0x83, 0xEC, 8];
    const CLEAR_RBX: &[u8] = &[0x31, 0xDB];
    /// `mov [rsp], rax`
    const STORE: &[u8] = &[0x48, 0x89, 0x04, 0x24];
    /// `mov byte ptr [rsp + 7], 0`
    const STORE_BYTE: &[u8] = &[0xC6, 0x44, 0x24, 0x07, 0];
    /// `add qword ptr [rsp], rax`
    const ADD: &[u8] = &[0x48, 0x01, 0x04, 0x24];
    /// `mov [rsp], rbx`
    const STORE_RBX: &[u8] = &[0x48, 0x89, 0x1C, 0x24];
    /// `mov rbx, [rsp]`
    const LOAD_RBX: &[u8] = &[0x48, 0x8B, 0x1C, 0x24];

    #[test]
    fn saved_and_kept_registers_are_found() {
        assert_eq!(REGISTERS[..2], [3, 5]);
        assert_eq!(checked(&[], 0, &[]), Ok(()));
        assert_eq!(checked(&[PUSH_RBX, CLEAR_RBX].concat(), 8, &[(RBX, 1)]), Ok(()));
        assert_eq!(checked(&[PUSH_RAX, STORE_RBX, CLEAR_RBX].concat(), 8, &[(RBX, 1)]), Ok(()));
        assert_eq!(checked(&[PUSH_RAX, PUSH_RBX, CLEAR_RBX].concat(), 16, &[(RBX, 2)]), Ok(()));
        // A register that was restored holds the caller's value again.
        assert_eq!(checked(&[PUSH_RBX, CLEAR_RBX, POP_RBX].concat(), 0, &[]), Ok(()));
        assert_eq!(checked(&[PUSH_RBX, CLEAR_RBX, LOAD_RBX].concat(), 8, &[]), Ok(()));
        // A register that is saved twice, and restored from the second word or from the first.
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
        // A word with another value than the caller's.
        wrong(&[CLEAR_RBX, PUSH_RBX], 8, &[(RBX, 1)]);
        wrong(&[PUSH_RAX, CLEAR_RBX, STORE_RBX], 8, &[(RBX, 1)]);
        wrong(&[PUSH_RAX, CLEAR_RBX, LOAD_RBX], 8, &[]);
        wrong(&[PUSH_RAX, CLEAR_RBX, POP_RBX], 0, &[]);
        // A word that is written over, wholly or in part.
        for store in [STORE, STORE_BYTE, ADD] {
            wrong(&[PUSH_RBX, CLEAR_RBX, store], 8, &[(RBX, 1)]);
        }
        wrong(&[PUSH_RBX, CLEAR_RBX, POP_RAX, PUSH_RAX], 8, &[(RBX, 1)]);
        wrong(&[PUSH_RBX, CLEAR_RBX, RAISE_SP, LOWER_SP], 8, &[(RBX, 1)]);
        wrong(&[PUSH_RBX, PUSH_RBX, CLEAR_RBX, STORE], 16, &[(RBX, 2)]);
        wrong(&[PUSH_RBX, CLEAR_RBX, PUSH_RBX], 16, &[(RBX, 2)]);
    }

    #[test]
    fn paths_must_agree() {
        // test edi, edi; jz over the first block; the first block, which jumps over the second; the second.
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
