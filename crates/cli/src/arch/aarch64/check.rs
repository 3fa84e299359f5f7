//! Independent checks of assembled code, for verify. They compute SP and the place of the return address before every reachable instruction.
//!
//! The checks start from the bytes that the assembler made. They share only the decoding of instruction fields with `analyze` and lowering.

mod saved;

use super::insn::encoding;
use super::insn::{Branch, Form, Insn, Kind, LR, Mode as Update, SP};
use super::record::{self, Record};
use super::{CALLEE_SAVED, word};
use crate::verify::{Mode, Reference};
use std::collections::{BTreeMap, BTreeSet};

/// The configurations in which verify runs the assembler. The assembled code differs between them: position-independent code and plugins access data
/// differently, and operating systems keep thread-local storage in different places.
pub const MODES: [Mode; 5] = [
    Mode { name: "linux", goos: "linux", flags: &[], system: 0 },
    Mode { name: "position-independent code", goos: "linux", flags: &["-shared"], system: 0 },
    Mode { name: "a plugin", goos: "linux", flags: &["-shared", "-dynlink"], system: 0 },
    Mode { name: "darwin", goos: "darwin", flags: &["-shared"], system: 0 },
    Mode { name: "windows", goos: "windows", flags: &["-shared"], system: 0 },
];

/// Returns the symbol that a line of assembly refers to, and the offset from it.
pub fn reference_of(line: &str) -> Option<Reference> {
    let (mnemonic, operands) = line.split_once(' ')?;
    let operand = operands.split_once("(SB)").filter(|_| ["CALL", "JMP", "MOVD"].contains(&mnemonic))?.0;
    let operand = operand.strip_prefix('$').unwrap_or(operand);
    let (symbol, offset) = operand.rsplit_once('+').map_or((operand, Some(0)), |(symbol, offset)| (symbol, offset.parse().ok()));
    Some((symbol.to_owned(), offset?))
}

/// The record of a call that may unwind (see `record`). The instruction after such a call, its *mark*, encodes the distance to the record.
struct Marked {
    record: Record,
    /// Offset of the record.
    at: u32,
    /// Offset of the landing pad.
    pad: Option<u32>,
}

/// Reads the record of the call that ends at the offset `next`. `None` if no mark follows the call.
///
/// Fails with an offset and a reason if there is no record at the distance in the mark.
fn marked(code: &[u8], next: u32) -> Result<Option<Marked>, (u32, String)> {
    let Some(distance) = record::distance(word(code, next)) else { return Ok(None) };
    let read = || {
        let at = next.checked_add_signed(distance).filter(|&at| at > next && at.is_multiple_of(4))?;
        let (record, pad) = Record::read(code.get(at as usize..)?)?;
        let pad = if pad == 0 { None } else { Some(at.checked_add_signed(pad).filter(|pad| pad.is_multiple_of(4))?) };
        Some(Marked { record, at, pad })
    };
    read()
        .map(Some)
        .ok_or_else(|| (next, "has a mark after a call that may unwind, but the mark leads to no valid unwinding record".into()))
}

fn is_call(i: &Insn) -> bool {
    matches!(i.kind, Kind::Branch(Branch::Call(_) | Branch::IndirectCall(_)))
}

/// Returns the instructions of a function, without the records after them.
pub fn without_records(code: &[u8]) -> &[u8] {
    let mut end = code.len() as u32;
    let mut at = 0;
    while at + 4 <= end {
        at += 4;
        if is_call(&Insn::new(word(code, at - 4)))
            && let Ok(Some(marked)) = marked(code, at)
        {
            end = end.min(marked.at);
        }
    }
    &code[..end as usize]
}

/// Returns the offset of the first instruction that uses x18 or x28.
pub fn reserved(code: &[u8]) -> Option<u32> {
    (0..code.len() as u32 / 4).map(|n| n * 4).find(|&at| Insn::new(word(code, at)).touches_reserved())
}

/// Returns the offset of the first word that is not a known instruction, or whose behaviour the manual leaves undefined.
pub fn undefined(code: &[u8]) -> Option<u32> {
    (0..code.len() as u32 / 4).map(|n| n * 4).find(|&at| encoding::part(word(code, at)).is_none())
}

/// The registers whose values later instructions may use to move SP.
#[derive(Clone, Copy, Default)]
struct Held {
    /// A register that holds an address, and the depth of this address: its distance below SP on entry, in bytes.
    address: Option<(usize, i64)>,
    /// A register that holds a constant, and the constant. In a function with a large frame, the constant is the number of bytes by which SP moves.
    size: Option<(usize, i64)>,
}

/// Computes the depth before every reachable instruction: the number of bytes by which SP is lower than on entry. Control starts at `starts`, a
/// list of pairs (offset, depth).
///
/// Fails with an offset and a reason if SP moves in a way that Go's tables cannot describe, or if two paths arrive with different depths. The
/// depth after a call is the depth before it. A jump out of `code` ends a path. In functions with large frames, Go's prologue and epilogue keep an
/// address below SP in one register and a size in another; `depths` tracks both.
///
/// A call that may unwind has a record, which must agree with the depth and with the saved registers. If the record has a landing pad, control may go
/// on there after the call. Control must not run into the records.
pub fn depths(code: &[u8], relocated: &dyn Fn(u32) -> bool, starts: &[(u32, u32)]) -> Result<BTreeMap<u32, u32>, (u32, String)> {
    let mut found: BTreeMap<u32, u32> = BTreeMap::new();
    let end = without_records(code).len();
    let mut work: Vec<(u32, i64, Held)> = starts.iter().map(|&(at, depth)| (at, i64::from(depth), Held::default())).collect();
    while let Some((at, depth, mut held)) = work.pop() {
        let below = u32::try_from(depth).map_err(|_| (at, "SP rises above its value on entry".to_owned()))?;
        if let Some(&known) = found.get(&at) {
            if known != below {
                return Err((at, format!("two paths arrive {known} and {below} bytes deep")));
            }
            continue;
        }
        if at as usize + 4 > end {
            return Err((at, "control leaves the function".into()));
        }
        let i = Insn::new(word(code, at));
        found.insert(at, below);
        // Returns the address in a register, as a depth below SP on entry.
        let holds = |reg: usize| if reg == SP { Some(depth) } else { held.address.filter(|(of, _)| *of == reg).map(|(_, depth)| depth) };
        let size = |reg: usize| held.size.filter(|(of, _)| *of == reg).map(|(_, value)| value);
        let kept = Held {
            address: held.address.filter(|(reg, _)| i.writes >> reg & 1 == 0),
            size: held.size.filter(|(reg, _)| i.writes >> reg & 1 == 0),
        };
        let mut now = kept;
        let mut after = depth;
        match i.kind {
            Kind::AddImmediate { rd: SP, rn, by } => match holds(rn) {
                Some(from) => after = from - by,
                None => return Err((at, "moves SP to where a register points".into())),
            },
            Kind::AddImmediate { rd, rn, by } => now.address = holds(rn).map(|from| (rd, from - by)).or(kept.address),
            Kind::Constant { rd, value, shift, keeps } => {
                let before = if keeps { size(rd) } else { Some(0) };
                now.size = before.map(|before| (rd, before & !(0xffff << shift) | value as i64)).or(kept.size);
            }
            Kind::AddToSp { rd, rm, subtracts } => match (rd, size(rm)) {
                (SP, Some(by)) => after = if subtracts { depth + by } else { depth - by },
                (SP, None) => return Err((at, "moves SP by the value of a register".into())),
                (rd, by) => now.address = by.map(|by| (rd, if subtracts { depth + by } else { depth - by })).or(kept.address),
            },
            Kind::Memory(access) if access.base == SP && access.form == Form::Indexed && access.mode != Update::Offset => {
                return Err((at, "moves SP by the value of a register".into()));
            }
            Kind::Memory(access) if access.base == SP && access.mode != Update::Offset => after = depth - access.offset,
            Kind::Unknown => return Err((at, "bytes that are not an instruction".into())),
            _ if i.writes >> SP & 1 != 0 => return Err((at, "writes SP".into())),
            _ => {}
        }
        held = now;
        let next = at + 4;
        let target = |by: i64| target(code, relocated, at, by);
        match i.kind {
            Kind::Branch(Branch::Jump(by)) => work.extend(target(by).map(|t| (t, after, held))),
            Kind::Branch(Branch::Conditional(by)) => {
                work.push((next, after, held));
                work.extend(target(by).map(|t| (t, after, held)));
            }
            Kind::Branch(Branch::Call(_) | Branch::IndirectCall(_)) => match marked(code, next)? {
                None => work.push((next, after, Held::default())),
                Some(Marked { record, pad, .. }) => {
                    if record.frame != below || below == 0 {
                        return Err((next, format!("unwinds {} bytes, but SP is {below} bytes deep", record.frame)));
                    }
                    found.insert(next, below);
                    work.extend([Some(next + 4), pad].into_iter().flatten().map(|to| (to, after, Held::default())));
                }
            },
            Kind::Branch(Branch::Return(_)) if after != 0 => return Err((at, format!("returns {after} bytes deep"))),
            Kind::Branch(Branch::Return(_) | Branch::IndirectJump(_)) | Kind::Trap => {}
            _ => work.push((next, after, held)),
        }
    }
    saved::check(code, relocated)?;
    Ok(found)
}

/// The registers that hold addresses in the frame, in ascending order, each with the address as a depth in bytes below SP on entry. SP is the last
/// one. SP is missing only where paths with different depths of SP meet.
#[derive(Clone, PartialEq, Eq)]
struct Addresses(Vec<(usize, i64)>);

impl Addresses {
    /// Returns the address in a register, if it is an address in the frame.
    fn of(&self, register: usize) -> Option<i64> {
        self.0.iter().find(|(known, _)| *known == register).map(|(_, depth)| *depth)
    }

    /// Returns the registers that hold frame addresses after an instruction. `None` if SP was unknown before it: the path ends at the instruction,
    /// and [`depths`] reports the error. Lowered code never moves SP by the value of a register, so such moves are not followed.
    fn after(&self, i: &Insn) -> Option<Addresses> {
        let address = match i.kind {
            Kind::AddImmediate { rd, rn, by } => self.of(rn).map(|from| (rd, from - by)),
            Kind::Memory(access) if access.mode != Update::Offset && access.form != Form::Indexed => {
                self.of(access.base).map(|base| (access.base, base - access.offset))
            }
            _ => None,
        };
        let kept = |reg: usize| match i.kind {
            Kind::Branch(Branch::Call(_) | Branch::IndirectCall(_)) => reg == SP || CALLEE_SAVED.contains(&reg),
            _ => reg == SP || i.writes >> reg & 1 == 0,
        };
        let mut after = Vec::with_capacity(self.0.len() + 1);
        after.extend(self.0.iter().copied().filter(|&(reg, _)| kept(reg) && address.is_none_or(|(new, _)| new != reg)));
        if let Some(new) = address {
            after.insert(after.partition_point(|(reg, _)| *reg < new.0), new);
        }
        Some(Addresses(after)).filter(|after| after.of(SP).is_some())
    }
}

/// The place of the return address before an instruction.
#[derive(Clone, PartialEq, Eq)]
struct Link {
    /// True if x30 holds the return address.
    in_register: bool,
    /// The frame words that hold the return address, each as a depth in bytes below SP on entry.
    words: BTreeSet<i64>,
}

impl Link {
    /// Updates the places of the return address for one instruction. `before` and `after` are the frame addresses in registers before and
    /// after the instruction.
    fn step(&mut self, i: &Insn, before: &Addresses, after: &Addresses) {
        let mut restores = false;
        if let Kind::Memory(access) = i.kind
            && let Some(base) = before.of(access.base)
            && matches!(access.form, Form::Single | Form::Pair | Form::Unscaled)
        {
            let lowest = if access.mode == Update::Post { base } else { base - access.offset };
            self.transfer(&access.words, access.stores, lowest, i64::from(access.size), &mut restores);
        }
        self.in_register = restores || self.in_register && i.writes >> LR & 1 == 0;
        // Words below SP are lost: callees may overwrite them, and so may later code if SP has moved up.
        let (Some(earlier), Some(now)) = (before.of(SP), after.of(SP)) else { return };
        if now < earlier || matches!(i.kind, Kind::Branch(_)) {
            self.words.retain(|&word| word <= now);
        }
    }

    /// Applies a load or store of `size` bytes. `lowest` is the lowest of these bytes, as a depth below SP on entry.
    fn transfer(&mut self, words: &[Option<usize>; 2], stores: bool, lowest: i64, size: i64, restores: &mut bool) {
        let places = [lowest, lowest - 8];
        if stores {
            self.words.retain(|&word| word - 8 >= lowest || word <= lowest - size);
        }
        for (place, _) in places.into_iter().zip(words).filter(|(_, reg)| **reg == Some(LR)) {
            if stores && self.in_register {
                self.words.insert(place);
            }
            *restores |= !stores && self.words.contains(&place);
        }
    }
}

/// Returns the target of a branch at `at`, if the target lies inside the function. A branch with a relocation leaves the function, because the linker
/// fills in its distance later.
fn target(code: &[u8], relocated: &dyn Fn(u32) -> bool, at: u32, by: i64) -> Option<u32> {
    u32::try_from(i64::from(at) + by).ok().filter(|&to| !relocated(at) && (to as usize) < code.len())
}

/// True if control never continues from `i` to the next instruction.
fn ends(i: &Insn) -> bool {
    matches!(i.kind, Kind::Branch(Branch::Jump(_) | Branch::Return(_) | Branch::IndirectJump(_)) | Kind::Trap)
}

/// Computes the state before every reachable instruction, as a fixed point over all paths. The result has an element for each word of the code. After
/// a call, control may also go on at the landing pad of the call's record. `join` combines the states of two paths. `step` returns the state after an
/// instruction, or `None` if the path ends there.
fn follow<S: Clone + PartialEq>(
    code: &[u8],
    relocated: &dyn Fn(u32) -> bool,
    start: S,
    join: impl Fn(&S, &S) -> S,
    step: impl Fn(u32, &Insn, &S) -> Option<S>,
) -> Vec<Option<S>> {
    let mut found: Vec<Option<S>> = vec![None; code.len().div_ceil(4)];
    let mut work = vec![(0, start)];
    while let Some((at, arrived)) = work.pop() {
        let Some(known) = found.get_mut(at as usize / 4) else { continue };
        let now = if let Some(known) = &*known { join(known, &arrived) } else { arrived };
        if known.as_ref() == Some(&now) {
            continue;
        }
        let now = known.insert(now);
        let i = Insn::new(word(code, at));
        let Some(after) = step(at, &i, now) else { continue };
        let jump = match i.kind {
            Kind::Branch(Branch::Jump(by) | Branch::Conditional(by)) => target(code, relocated, at, by),
            _ => None,
        };
        work.extend(jump.map(|to| (to, after.clone())));
        if is_call(&i)
            && let Ok(Some(Marked { pad: Some(pad), .. })) = marked(code, at + 4)
        {
            work.push((pad, after.clone()));
        }
        if !ends(&i) && (at as usize) + 4 < code.len() {
            work.push((at + 4, after));
        }
    }
    found
}

/// Computes the frame addresses in registers before every reachable instruction. The result has an element for each word of the code.
fn addresses(code: &[u8], relocated: &dyn Fn(u32) -> bool) -> Vec<Option<Addresses>> {
    let agree = |a: &Addresses, b: &Addresses| Addresses(a.0.iter().filter(|known| b.0.contains(known)).copied().collect());
    follow(code, relocated, Addresses(vec![(SP, 0)]), agree, |_, i, before| before.after(i))
}

/// Checks that before every instruction the return address is where Go's unwinder looks for it: in x30 while SP has its value on entry, otherwise
/// at SP. A store counts only if its base register points to the same place in the frame on all paths.
pub fn links(code: &[u8], relocated: &dyn Fn(u32) -> bool) -> Result<(), (u32, String)> {
    let addresses = addresses(code, relocated);
    let known = |at: u32| addresses.get(at as usize / 4)?.as_ref().filter(|known| known.of(SP).is_some());
    // The frame addresses in registers have been computed for all paths before. Otherwise the effect of a store would depend on the order in which
    // `follow` visits the paths.
    let start = Link { in_register: true, words: BTreeSet::new() };
    let both = |a: &Link, b: &Link| Link { in_register: a.in_register && b.in_register, words: &a.words & &b.words };
    let links = follow(code, relocated, start, both, |at, i, link| {
        let before = known(at)?;
        let mut after = link.clone();
        after.step(i, before, &before.after(i)?);
        Some(after)
    });
    for (at, link) in (0..).step_by(4).zip(links) {
        let Some(link) = link else { continue };
        match known(at).and_then(|addresses| addresses.of(SP)) {
            None => {}
            Some(0) if link.in_register => {}
            Some(0) => return Err((at, "has a value other than the return address in x30, where Go's unwinder reads it".into())),
            Some(depth) if link.words.contains(&depth) => {}
            Some(_) => return Err((at, "does not have the return address at SP, where Go's unwinder looks for it".into())),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::lower::{add, load, move_sp, store};
    use super::*;

    const BL: u32 = 0x9400_0000;
    const NOP: u32 = 0xd503_201f;
    const RET: u32 = 0xd65f_03c0;

    fn down(by: i64) -> u32 {
        move_sp(by)[0].1
    }

    fn up(by: i64) -> u32 {
        move_sp(-by)[0].1
    }

    /// Encodes `str x30, [sp, #at]`, which saves the return address.
    fn save(at: i64) -> u32 {
        store(LR, SP, at).unwrap()
    }

    fn restore(at: i64) -> u32 {
        load(LR, SP, at).unwrap()
    }

    /// Encodes `str reg, [base, #at]`.
    fn put(reg: usize, base: usize, at: i64) -> u32 {
        store(reg, base, at).unwrap()
    }

    /// Encodes `add reg, sp, #by`.
    fn point(reg: usize, by: i64) -> u32 {
        add(reg, SP, by).unwrap()[0]
    }

    fn bytes(words: &[u32]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    #[test]
    fn undefined_words_are_found() {
        // The word is stxr w17, x8, [x17], whose status register w17 is also its address register.
        assert_eq!(undefined(&bytes(&[NOP, 0xc811_7e28, RET])), Some(4));
        // The word is stxr w17, x8, [x16], whose registers differ.
        assert_eq!(undefined(&bytes(&[NOP, 0xc811_7e08, RET])), None);
        // The word shifts a 32-bit register by 61.
        assert_eq!(undefined(&bytes(&[0x2a28_f5e3])), Some(0));
    }

    #[test]
    fn the_return_address_is_tracked() {
        let open = [save(-32), down(32)];
        let with = |rest: &[u32]| [&open[..], rest].concat();
        for (what, words) in [
            ("a frame", with(&[save(16), BL, restore(16), up(32), RET])),
            ("a word beside it is overwritten", with(&[put(19, SP, 8), put(19, SP, 24), NOP])),
            ("through another register", vec![point(17, -32), put(LR, 17, 0), down(32), NOP]),
            ("stp x29, x30, [sp, #16]; bl; ldp x29, x30, [sp, #16]", with(&[0xa901_7bfd, BL, 0xa941_7bfd, up(32), RET])),
            ("str x30, [sp, #-16]!; bl; ldr x30, [sp], #16", vec![0xf81f_0ffe, BL, 0xf841_07fe, RET]),
            ("in two steps", vec![save(-16), down(16), save(-32), down(32), NOP, save(32), up(32), up(16), RET]),
            (
                // The code is cbz x0 to the movz; add x8, sp, #8; b over the movz; movz x8, #0; cbz x0 over the store.
                "a store that would overwrite it if all ways were the one that makes the address of the frame",
                with(&[
                    save(24),
                    BL,
                    0xb400_0060,
                    point(8, 8),
                    0x1400_0002,
                    0xd280_0008,
                    0xb400_0040,
                    put(1, 8, 16),
                    restore(24),
                    up(32),
                    RET,
                ]),
            ),
            ("add x29, sp, #0; bl; ldr x30, [x29]", with(&[point(29, 0), BL, load(LR, 29, 0).unwrap(), up(32), RET])),
        ] {
            assert_eq!(links(&bytes(&words), &|_| false), Ok(()), "{what}");
        }
        for (what, words, at, says) in [
            ("never stored", vec![down(32), NOP], 4, "at SP"),
            ("another register stored", vec![put(19, SP, -32), down(32), NOP], 8, "at SP"),
            ("stored elsewhere", vec![save(-24), down(32), NOP], 8, "at SP"),
            ("a call without a frame", vec![BL, RET], 4, "in x30"),
            ("mov x30, x9", vec![0xaa09_03fe, RET], 4, "in x30"),
            ("not restored", with(&[BL, up(32), RET]), 16, "in x30"),
            ("restored from another word", with(&[BL, restore(24), up(32), RET]), 20, "in x30"),
            ("restored from what was stored after a call", with(&[BL, save(16), restore(16), up(32), RET]), 24, "in x30"),
            ("stp x30, x29, [sp, #16]; bl; ldp x29, x30, [sp, #16]", with(&[0xa901_77fe, BL, 0xa941_7bfd, up(32), RET]), 24, "in x30"),
            ("overwritten", with(&[put(19, SP, 0), NOP]), 12, "at SP"),
            ("its upper half overwritten", with(&[put(19, SP, 4), NOP]), 12, "at SP"),
            ("its lower half overwritten", with(&[put(19, SP, -4), NOP]), 12, "at SP"),
            ("overwritten through another register", with(&[point(8, 0), put(19, 8, 0), NOP]), 16, "at SP"),
            ("a register that pointed there, mov x17, #0", vec![point(17, -32), 0xd280_0011, put(LR, 17, 0), down(32), NOP], 16, "at SP"),
            (
                "a register that a call may change",
                with(&[save(16), point(8, 0), BL, restore(16), put(LR, 8, -16), down(16), NOP]),
                32,
                "at SP",
            ),
            ("below SP at a call", vec![save(-32), save(-16), down(16), BL, down(16), NOP], 20, "at SP"),
            ("below SP when it went up", vec![save(-32), save(-16), down(32), up(16), down(16), NOP], 20, "at SP"),
            ("restored on one of two paths, cbz x0", with(&[save(16), BL, 0xb400_0040, restore(16), up(32), RET]), 28, "in x30"),
            ("stored on one of two paths, cbz x0", vec![0xb400_0040, save(-32), down(32), NOP], 12, "at SP"),
            ("left behind a jump, b", with(&[0x1400_0002, NOP, BL, up(32), RET]), 24, "in x30"),
        ] {
            let Err((found, message)) = links(&bytes(&words), &|_| false) else { panic!("{what}: accepted") };
            assert!(found == at && message.contains(says), "{what}: {found:#x}: {message}");
        }
        // A jump with a relocation leaves the function, so the call after it is not reached.
        assert_eq!(links(&bytes(&[0x1400_0002, BL, RET]), &|at| at == 0), Ok(()));
    }

    #[test]
    fn the_stack_pointer_is_tracked() {
        for (what, words, at, says) in [
            ("a return below", vec![down(32), RET], 4, "returns 32 bytes deep"),
            ("SP above its value on entry", vec![up(32), NOP, RET], 4, "rises above"),
            ("two depths, cbz x0", vec![0xb400_0040, down(32), NOP, RET], 8, "two paths arrive"),
            ("mov sp, x9", vec![0x9100_013f, RET], 0, "where a register points"),
            ("sub sp, sp, x9", vec![0xcb29_63ff, RET], 0, "by the value of a register"),
            ("ld1 {v0.16b}, [sp], x1", vec![0x4cc1_73e0, RET], 0, "by the value of a register"),
            ("and sp, x9, #-32", vec![0x927b_e93f, RET], 0, "writes SP"),
            ("no instruction", vec![0x0400_0000, RET], 0, "not an instruction"),
            ("an end without a return", vec![NOP], 4, "control leaves"),
        ] {
            let Err((found, message)) = depths(&bytes(&words), &|_| false, &[(0, 0)]) else { panic!("{what}: accepted") };
            assert!(found == at && message.contains(says), "{what}: {found:#x}: {message}");
        }
        // The code is str x30, [sp, #-16]!; bl; ldr x30, [sp], #16; ret.
        let found = depths(&bytes(&[0xf81f_0ffe, BL, 0xf841_07fe, RET]), &|_| false, &[(0, 0)]);
        assert_eq!(found, Ok(BTreeMap::from([(0, 0), (4, 16), (8, 16), (12, 0)])));
        // The code makes a large frame as Go's assembler does (movz x27, #0x2000; sub x20, sp, x27; add sp, x20, #0), and removes it.
        let large = bytes(&[0xd284_001b, 0xcb3b_63f4, 0x9100_029f, 0xd284_001b, 0x8b3b_63ff, RET]);
        let found = depths(&large, &|_| false, &[(0, 0)]).map(|depths| depths.into_values().collect::<Vec<_>>());
        assert_eq!(found, Ok(vec![0, 0, 0, 8192, 8192, 0]));
    }
}
