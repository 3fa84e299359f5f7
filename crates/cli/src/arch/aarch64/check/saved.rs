//! Checks the records of calls that may unwind. For each callee-saved register, a record has the place of the caller's value: a word of the frame, or
//! the register itself. The check reads the assembled bytes. It shares only the decoder with `analyze` and lowering.

use super::{Addresses, Branch, Form, Insn, Kind, Marked, SP, Update, addresses, ends, is_call, marked, target};
use crate::arch::aarch64::record::{GENERAL, VECTORS};
use crate::arch::saved::{Move, Step, follow};

/// Checks all records of a function. Fails with an offset and a reason.
pub fn check(code: &[u8], relocated: &dyn Fn(u32) -> bool) -> Result<(), (u32, String)> {
    let calls = |at: &u32| is_call(&Insn::new(super::word(code, *at)));
    let all = super::without_records(code);
    let any = (0..all.len() as u32).step_by(4).filter(calls).any(|at| matches!(marked(code, at + 4), Ok(Some(_))));
    if !any {
        return Ok(());
    }
    let addresses = addresses(code, relocated);
    let steps: Vec<Step> =
        (0..).step_by(4).zip(&addresses).filter_map(|(at, known)| Some(step(code, relocated, at, known.as_ref()?))).collect();
    let mut wrong = Ok(());
    follow(&steps, 0, |Step { at, .. }, state| {
        if wrong.is_err() || !calls(at) {
            return;
        }
        let record = match marked(code, at + 4) {
            Ok(Some(Marked { record, pad: None, .. })) => record,
            Ok(_) => return,
            Err(reason) => return wrong = Err(reason),
        };
        for (index, &place) in record.saved.iter().enumerate() {
            let place = 8 * i64::from(place);
            let is_there = if place == 0 { state.holds(index) } else { state.has_saved(index, place) };
            if !is_there {
                let register = GENERAL.get(index).map_or_else(|| format!("d{}", VECTORS[index - GENERAL.len()]), |reg| format!("x{reg}"));
                let where_ = if place == 0 { "in the register itself".to_owned() } else { format!("{place} bytes below SP on entry") };
                wrong = Err((at + 4, format!("the record of a call finds {register} {where_}, where it is not")));
                return;
            }
        }
    });
    wrong
}

/// Returns the effect of the instruction at `at` on the callee-saved registers. `before` has the frame addresses in registers before the instruction.
fn step(code: &[u8], relocated: &dyn Fn(u32) -> bool, at: u32, before: &Addresses) -> Step {
    let i = Insn::new(super::word(code, at));
    let depth = before.of(SP).unwrap_or_default();
    let mut step = Step { at, depth, writes: 0, stores: None, moves: [None; 2], next: None, jumps: [None; 2] };
    // A call writes none of the callee-saved registers, because callees preserve them.
    for (index, register) in GENERAL.iter().enumerate() {
        step.writes |= (i.writes >> register & 1) << index;
    }
    for (index, register) in (GENERAL.len()..).zip(VECTORS) {
        step.writes |= (i.vector_writes() >> register & 1) << index;
    }
    if let Kind::Memory(access) = i.kind
        && let Some(base) = before.of(access.base)
    {
        let lowest = if access.mode == Update::Post { base } else { base - access.offset };
        step.stores = access.stores.then(|| (lowest, i64::from(access.size)));
        let general = |register| GENERAL.iter().position(|&saved| saved == register);
        let vector = |register| VECTORS.iter().position(|&saved| saved == register).map(|index| GENERAL.len() + index);
        // The place of an indexed access is not known.
        let is_direct = matches!(access.form, Form::Single | Form::Pair | Form::Unscaled);
        let words = access.words.into_iter().zip(i.doublewords()).filter(|_| is_direct);
        for ((place, (word, doubleword)), moved) in [lowest, lowest - 8].into_iter().zip(words).zip(&mut step.moves) {
            let register = word.and_then(general).or(doubleword.and_then(vector));
            *moved = register.and_then(|register| match access {
                _ if access.stores => Some(Move::Save { register, to: place }),
                _ if access.loads => Some(Move::Restore { register, from: place }),
                _ => None,
            });
        }
    }
    step.next = Some(at + 4).filter(|_| !ends(&i));
    if let Kind::Branch(Branch::Jump(by) | Branch::Conditional(by)) = i.kind {
        step.jumps[0] = target(code, relocated, at, by);
    }
    if is_call(&i)
        && let Ok(Some(Marked { pad, .. })) = marked(code, at + 4)
    {
        step.jumps[1] = pad;
    }
    step
}

#[cfg(test)]
mod tests {
    use super::super::depths;
    use super::*;
    use crate::arch::aarch64::insn::LR;
    use crate::arch::aarch64::lower::{load, move_sp, store};
    use crate::arch::aarch64::record::{COUNT, Record, mark};

    const BL: u32 = 0x9400_0000;
    const RET: u32 = 0xd65f_03c0;
    const NOP: u32 = 0xd503_201f;
    const BRK: u32 = 0xd420_0020;
    /// Encodes `mov x19, #1`.
    const CHANGE: u32 = 0xd280_0033;
    /// Encodes `fmov d8, #1.0`.
    const CHANGE_VECTOR: u32 = 0x1e6e_1008;
    /// Encodes `str d8, [sp, #40]`.
    const SAVE_VECTOR: u32 = 0xfd00_17e8;
    /// Encodes `ldr d8, [sp, #40]`.
    const RESTORE_VECTOR: u32 = 0xfd40_17e8;

    /// Returns the bytes of a function with a frame of 48 bytes that executes `before`, a call that may unwind, and `after`. The call's record lies
    /// after the function. `pad` is the distance from the record to its landing pad, or 0.
    fn function(before: &[u32], after: &[u32], record: Record, pad: i32) -> Vec<u8> {
        let open = [store(LR, SP, -48).unwrap(), move_sp(48)[0].1];
        let close = [load(LR, SP, 0).unwrap(), move_sp(-48)[0].1, RET];
        let place = 4 * (close.len() + after.len() + 2) as i64;
        let words = [&open[..], before, &[BL, mark(place).unwrap()], after, &close, &[BRK]].concat();
        words.iter().flat_map(|word| word.to_le_bytes()).chain(record.bytes(pad)).collect()
    }

    fn record(saved: &[(usize, u8)]) -> Record {
        let mut record = Record { frame: 48, ..Record::default() };
        saved.iter().for_each(|&(index, place)| record.saved[index] = place);
        record
    }

    fn verdict(code: &[u8]) -> Result<(), String> {
        depths(code, &|at| super::super::word(code, at) == BL, &[(0, 0)]).map(drop).map_err(|(_, what)| what)
    }

    /// The index of d8 in a record.
    const D8: usize = GENERAL.len();

    #[test]
    fn places_of_saved_registers_are_proved() {
        let saves = [store(19, SP, 32).unwrap(), SAVE_VECTOR];
        let restores = [RESTORE_VECTOR, load(19, SP, 32).unwrap()];
        let changes = [&saves[..], &[CHANGE, CHANGE_VECTOR]].concat();
        // Encodes `add x9, sp, #16; stp x20, x19, [x9, #8]`, as lowering does in large frames.
        let through = [0x9100_43e9, 0xa900_cd34, CHANGE];
        let overwritten = [store(19, SP, 32).unwrap(), CHANGE, store(0, SP, 32).unwrap()];
        let half = [store(19, SP, 32).unwrap(), CHANGE, 0xb900_27e0];
        let twice = [store(19, SP, 32).unwrap(), store(19, SP, 24).unwrap(), CHANGE];
        for (what, before, saved) in [
            ("nothing is changed", &[NOP][..], &[][..]),
            ("both are saved", &changes, &[(0, 2), (D8, 1)]),
            ("both are saved and not changed", &saves, &[(0, 2), (D8, 1)]),
            ("both are saved and not changed, and the registers hold their values", &saves, &[]),
            ("restored before the call", &[&changes[..], &restores].concat(), &[]),
            ("saved through another register", &through, &[(0, 2)]),
            ("saved twice, the lower word", &twice, &[(0, 3)]),
            ("saved twice, the higher word", &twice, &[(0, 2)]),
        ] {
            assert_eq!(verdict(&function(before, &restores, record(saved), 0)), Ok(()), "{what}");
        }
        for (what, before, saved, register) in [
            ("x19 is changed", &changes[..], &[(D8, 1)][..], "x19"),
            ("d8 is changed", &changes, &[(0, 2)], "d8"),
            ("x19 is elsewhere", &changes, &[(0, 3), (D8, 1)], "x19"),
            ("d8 is elsewhere", &changes, &[(0, 2), (D8, 2)], "d8"),
            ("another register is there", &changes, &[(0, 1), (D8, 1)], "x19"),
            ("a register that is not saved", &changes, &[(0, 2), (D8, 1), (9, 2)], "x29"),
            ("a vector register that is not saved", &changes, &[(0, 2), (D8, 1), (COUNT - 1, 1)], "d15"),
            ("overwritten", &overwritten, &[(0, 2)], "x19"),
            ("half overwritten", &half, &[(0, 2)], "x19"),
            ("saved after it was changed", &[CHANGE, store(19, SP, 32).unwrap()], &[(0, 2)], "x19"),
            ("saved below SP", &[store(19, SP, -16).unwrap(), CHANGE], &[(0, 8)], "x19"),
            ("its lower half is saved, str s8, [sp, #40]", &[0xbd00_2be8, CHANGE_VECTOR], &[(D8, 1)], "d8"),
            ("saved at an unknown place, str x19, [sp, x8]", &[0xf828_6bf3, CHANGE], &[(0, 6)], "x19"),
            ("restored from another word", &[store(19, SP, 32).unwrap(), CHANGE, load(19, SP, 24).unwrap()], &[], "x19"),
            ("restored from the word of x20", &[store(20, SP, 32).unwrap(), CHANGE, load(19, SP, 32).unwrap()], &[], "x19"),
            ("loaded from an unknown place, ldr x19, [sp, x8]", &[store(19, SP, 0).unwrap(), CHANGE, 0xf868_6bf3], &[], "x19"),
            ("saved on one of two paths, cbz x0", &[0xb400_0040, store(19, SP, 32).unwrap(), CHANGE], &[(0, 2)], "x19"),
            ("changed on one of two paths, cbz x0", &[0xb400_0040, CHANGE_VECTOR], &[], "d8"),
        ] {
            let message = verdict(&function(before, &restores, record(saved), 0)).expect_err(what);
            assert!(message.contains(&format!("finds {register} ")), "{what}: {message}");
        }
    }

    #[test]
    fn frames_and_landing_pads_of_records_are_proved() {
        // With the distance -24, the landing pad is the code after the mark.
        let pad = |pad| verdict(&function(&[], &[NOP, NOP], record(&[]), pad));
        assert_eq!(pad(-24), Ok(()));
        // With the distance -4, the landing pad is `brk`, the last instruction, which ends the path.
        assert_eq!(pad(-4), Ok(()));
        for (to, says) in [
            (-8, "returns 48 bytes deep"),
            (-40, "two paths arrive"),
            (28, "control leaves the function"),
            (4, "control leaves the function"),
            (-26, "no valid unwinding record"),
            (-4096, "no valid unwinding record"),
        ] {
            let message = pad(to).expect_err("a wrong landing pad");
            assert!(message.contains(says), "{to}: {message}");
        }
        for frame in [0, 32, 64] {
            let message = verdict(&function(&[], &[], Record { frame, ..Record::default() }, 0)).expect_err("a wrong frame");
            assert!(message.contains("but SP is 48 bytes deep"), "{message}");
        }
        let whole = function(&[], &[], record(&[]), 0);
        for (what, length, says) in
            [("no record", 4, "no valid unwinding record"), ("half a record", whole.len() - 4, "no valid unwinding record")]
        {
            assert!(verdict(&whole[..length.max(36)]).expect_err(what).contains(says), "{what}");
        }
        let words = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>();
        let stray = [&words(&[mark(8).unwrap(), RET])[..], &record(&[]).bytes(0)].concat();
        assert!(verdict(&stray).expect_err("a mark after no call").contains("not an instruction"));
        let frameless = [&words(&[BL, mark(8).unwrap(), RET])[..], &Record::default().bytes(0)].concat();
        assert!(verdict(&frameless).expect_err("a call without a frame").contains("SP is 0 bytes deep"));
    }

    /// A landing pad may call a function that unwinds. The check follows the callee-saved registers from the first call through the landing pad to
    /// that call.
    #[test]
    fn registers_are_followed_to_landing_pads() {
        // The landing pad is the code after the first mark. The landing pad makes a second call, which unwinds to the function's callers.
        let open = [store(LR, SP, -48).unwrap(), move_sp(48)[0].1];
        let made = |first: &[u32], saved: &[(usize, u8)]| {
            let code = [&open[..], first, &[BL, 0, BRK, BL, 0, BRK]].concat();
            let (end, pad) = (4 * code.len() as i64, 4 * (code.len() - 3) as i32);
            let mut code = code;
            let marks = [code.len() - 5, code.len() - 2];
            code[marks[0]] = mark(end - 4 * marks[0] as i64).unwrap();
            code[marks[1]] = mark(end + 28 - 4 * marks[1] as i64).unwrap();
            let bytes = code.iter().flat_map(|word| word.to_le_bytes());
            let records = record(&[]).bytes(pad - end as i32).into_iter().chain(record(saved).bytes(0));
            verdict(&bytes.chain(records).collect::<Vec<u8>>())
        };
        assert_eq!(made(&[], &[]), Ok(()));
        let saves = [store(19, SP, 32).unwrap(), SAVE_VECTOR, CHANGE, CHANGE_VECTOR];
        assert_eq!(made(&saves, &[(0, 2), (D8, 1)]), Ok(()));
        assert!(made(&saves, &[(0, 2)]).expect_err("d8 is changed").contains("finds d8 in the register"));
        assert!(made(&saves[1..], &[(D8, 1)]).expect_err("x19 is changed").contains("finds x19 in the register"));
    }

    #[test]
    fn written_vector_registers_are_known() {
        for (what, word, writes) in [
            ("fadd d8, d0, d1", 0x1e61_2808, 1 << 8),
            ("fmov d9, x0", 0x9e67_0009, 1 << 9),
            ("fmov x9, d0", 0x9e66_0009, 0),
            ("fcvtzs w8, s0", 0x1e38_0008, 0),
            ("umov w8, v0.s[1]", 0x0e0c_3c08, 0),
            ("fcmp d0, #0.0", 0x1e60_2008, 0),
            ("fccmp d1, d2, #8, ne", 0x1e62_1428, 0),
            ("movi v10.2d, #0", 0x6f00_e40a, 1 << 10),
            ("sha256h q8, q1, v2.4s", 0x5e02_4028, 1 << 8),
            ("ldr d8, [sp, #8]", 0xfd40_07e8, 1 << 8),
            ("ldr x8, [sp, #8]", 0xf940_07e8, 0),
            ("str d8, [sp, #8]", 0xfd00_07e8, 0),
            ("ldp d9, d8, [sp], #16", 0x6cc1_23e9, 1 << 8 | 1 << 9),
            ("ld1 {v31.16b, v0.16b}, [x0]", 0x4c40_a01f, 1 << 31 | 1),
            ("st1 {v8.16b}, [x0]", 0x4c00_7008, 0),
            ("ld1r {v8.4s}, [x0]", 0x4d40_c808, 1 << 8),
            ("ld3 {v8.s, v9.s, v10.s}[0], [x0]", 0x0d40_a008, 0b111 << 8),
            ("add x8, x0, #1", 0x9100_0408, 0),
            ("bl", 0x9400_0000, 0),
        ] {
            assert_eq!(Insn::new(word).vector_writes(), writes, "{what}");
        }
    }

    #[test]
    fn moved_doublewords_are_known() {
        for (what, word, moved) in [
            ("stp d9, d8, [sp, #-16]!", 0x6dbf_23e9, [Some(9), Some(8)]),
            ("str d8, [sp, #8]", 0xfd00_07e8, [Some(8), None]),
            ("ldr d8, [sp, #8]", 0xfd40_07e8, [Some(8), None]),
            ("str q8, [sp, #16]", 0x3d80_07e8, [None; 2]),
            ("stp q9, q8, [sp]", 0xad00_23e9, [None; 2]),
            ("str s8, [sp, #4]", 0xbd00_07e8, [None; 2]),
            ("str x8, [sp, #8]", 0xf900_07e8, [None; 2]),
            ("stp x9, x8, [sp, #-16]!", 0xa9bf_23e9, [None; 2]),
        ] {
            assert_eq!(Insn::new(word).doublewords(), moved, "{what}");
        }
    }
}
