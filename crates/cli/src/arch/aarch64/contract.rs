//! Executes assembled entries in a small interpreter, for verify. An entry is the code through which callers reach a compiled function, its *body*
//! (see `entry`). The interpreter checks what an entry does with SP, the return address, the argument registers and the stack limit of the call.
//!
//! The assembler chooses the instructions of an exported entry's prologue and epilogue, so verify cannot compare their bytes. Instead, the
//! interpreter executes each entry with enough stack and with too little. It knows only the instructions that occur in entries. A checked entry
//! (which runs the body only if the call has enough stack left) has no prologue. Verify compares its words, and the interpreter executes it too.

use super::insn::{Branch, FP, Form, Insn, Kind, LR, Mode, SP};
use super::word;
use crate::abi::G_STACK_LO;
use crate::goasm::{Contract, ExpectedChecked, ExpectedContiguousArgs, ExpectedDispatch, ExpectedEntry, Operand};
use crate::verify::Reference;
use std::collections::{BTreeMap, BTreeSet};

/// The address of the runtime's g structure in a run of the interpreter. `LIMIT` is the lowest address of the goroutine's stack. `LINK` and
/// `FRAME_POINTER` are the values of x30 and x29 on entry.
const G: u64 = 0x1000;
const LIMIT: u64 = 0x10_0000;
const LINK: u64 = 0x7777_0000;
const FRAME_POINTER: u64 = 0x6666_0000;
/// The address of the first symbol that a checked entry passes; each further symbol's address is greater by 1. `BEFORE` plus a register's number
/// is the register's value on entry. `CHECKED_SP` is SP on entry in the runs of all code other than exported entries.
const NAME: u64 = 0x5555_0000;
const BEFORE: u64 = 0x4444_0000;
const CHECKED_SP: u64 = 0x3_0000_0000;
/// The value of the first stack argument word; the value of each further word is greater by 1.
const ARGUMENT: u64 = 0x2222_0000;
/// The maximum number of instructions in a run, without the loop that copies arguments. An entry executes fewer instructions.
const STEPS: usize = 200;

/// Fails if the code breaks its contract. A contract for an entry that aligns SP is an error, because this machine has no such entries.
pub fn fulfils(code: &[u8], relocated: &dyn Fn(u32) -> Option<Reference>, contract: &Contract) -> Result<(), String> {
    match contract {
        Contract::Entry(expected) => entry(code, relocated, expected),
        Contract::Checked(expected) => checked(code, relocated, expected),
        Contract::ContiguousArgs(expected) => contiguous_args(code, relocated, expected),
        Contract::Dispatch(expected) => dispatch(code, relocated, expected),
        Contract::Aligned(_) => Err("has a contract that this machine does not support".into()),
    }
}

/// Fails unless `code` behaves as the exported entry that `expected` describes.
fn entry(code: &[u8], relocated: &dyn Fn(u32) -> Option<Reference>, expected: &ExpectedEntry) -> Result<(), String> {
    let enough = LIMIT + u64::from(expected.stack) + 4096;
    for sp in [enough, enough + 16] {
        // Each trial has the slice lengths that the call passes, and states whether the entry must call the scheduler for these lengths.
        for (lengths, is_blocking) in expected.blocking.as_ref().map_or(vec![(Vec::new(), false)], |blocking| blocking.trials()) {
            let mut run = Run::new(sp);
            run.is_blocking = is_blocking;
            let offsets = expected.blocking.iter().flat_map(|blocking| &blocking.lengths);
            run.memory.extend(offsets.zip(lengths).map(|((offset, _), length)| (sp + 8 + u64::from(*offset), Some(length))));
            run.given = run.memory.keys().copied().filter(|&address| address > sp).collect();
            if !run.run(code, relocated, expected)? {
                return Err(format!("grows a stack that has {} bytes", sp - LIMIT));
            }
        }
    }
    // Go's prologue lets a small frame extend slightly below the limit (abi.StackSmall). So this run starts with an SP well below the required
    // address.
    let short = (LIMIT + u64::from(expected.stack)).saturating_sub(256).max(LIMIT - 64) & !15;
    if Run::new(short).run(code, relocated, expected)? {
        return Err(format!("does not grow a stack that lacks {} bytes", (LIMIT + u64::from(expected.stack)).saturating_sub(short)));
    }
    Ok(())
}

/// Fails unless `code` behaves as the checked entry that `expected` describes. With enough stack, the entry must jump to the body. Otherwise it must
/// jump to the function of `rt` that reports the exhausted stack. In a run, the goroutine's stack extends far below the limit of the call.
fn checked(code: &[u8], relocated: &dyn Fn(u32) -> Option<Reference>, expected: &ExpectedChecked) -> Result<(), String> {
    let least = CHECKED_SP - u64::from(expected.stack);
    let operands = || expected.exhausted.arguments.iter().map(|(_, operand)| operand);
    let names: Vec<&str> =
        operands().filter_map(|operand| if let Operand::Address(name) = operand { Some(name.as_str()) } else { None }).collect();
    for (limit, enough) in [(least, true), (least + 16, false)] {
        let mut run = Run::new(CHECKED_SP);
        run.memory.insert(LIMIT, Some(limit));
        let before = run.memory.clone();
        for reg in (0..28).filter(|reg| *reg != 18) {
            run.regs[reg] = Some(BEFORE + reg as u64);
        }
        let mut wanted = run.regs;
        let end = run.jumps(0, code, relocated, &names)?;
        // Every call may change the intra-procedure-call registers x16 and x17, so these may have any value.
        (wanted[16], wanted[17]) = (run.regs[16], run.regs[17]);
        let right = match enough {
            true => &expected.body,
            false => {
                for (reg, operand) in operands().enumerate() {
                    wanted[reg] = match operand {
                        Operand::Address(name) => address(&names, name),
                        Operand::Number(number) => Some((*number).into()),
                    };
                }
                &(expected.exhausted.function.clone(), 0)
            }
        };
        if end != *right {
            let stack = if enough { "enough" } else { "16 bytes too little" };
            return Err(format!("goes on to {}+{} where there is {stack} stack", end.0, end.1));
        }
        if let Some(reg) = (0..32).find(|&reg| run.regs[reg] != wanted[reg]) {
            return Err(format!("leaves a wrong value in register {reg}"));
        }
        if run.memory != before {
            return Err("writes to memory".into());
        }
    }
    Ok(())
}

/// Returns the address that a run uses for a symbol in `names`.
fn address(names: &[&str], symbol: &str) -> Option<u64> {
    names.iter().position(|name| *name == symbol).map(|index| NAME + index as u64)
}

/// Fails unless the start of `code` makes the frame and copies the stack arguments as expected. The caller's return address and one unused word lie
/// between SP on entry and the arguments.
fn contiguous_args(code: &[u8], relocated: &dyn Fn(u32) -> Option<Reference>, expected: &ExpectedContiguousArgs) -> Result<(), String> {
    let mut run = Run::new(CHECKED_SP);
    for reg in (0..30).filter(|reg| *reg != 18 && *reg != 28) {
        run.regs[reg] = Some(BEFORE + reg as u64);
    }
    let words = u64::from(expected.bytes) / 8;
    run.memory.extend((0..words).map(|word| (CHECKED_SP + 16 + 8 * word, Some(ARGUMENT + word))));
    let (mut regs, mut memory) = (run.regs, run.memory.clone());
    let (frame, copy) = (CHECKED_SP - u64::from(expected.frame), CHECKED_SP - u64::from(expected.above));
    regs[SP] = Some(frame);
    memory.extend((0..words).map(|word| (copy + 8 * word, Some(ARGUMENT + word))));
    let mut at = 0u32;
    for _ in 0..STEPS + 5 * words as usize {
        if at == expected.end {
            break;
        }
        if at as usize + 4 > code.len() || relocated(at).is_some() {
            return Err("refers to something before it has copied its arguments".into());
        }
        let i = Insn::new(word(code, at));
        let by = match i.kind {
            Kind::Branch(Branch::Conditional(by)) if run.taken(i.word).ok_or("branches on an unknown value")? => by,
            Kind::Branch(Branch::Conditional(_)) => 4,
            _ => {
                run.plain(&i).ok_or_else(|| format!("has an instruction at {at:#x} that a copy of arguments does not use"))?;
                4
            }
        };
        at = u32::try_from(i64::from(at) + by).map_err(|_| "jumps out of itself")?;
    }
    if at != expected.end {
        return Err("does not finish copying its arguments".into());
    }
    if let Some(reg) = (0..32).find(|&reg| run.regs[reg] != regs[reg] && expected.free >> reg & 1 == 0) {
        return Err(format!("leaves a wrong value in register {reg} where it has copied its arguments"));
    }
    // A large frame is built in two steps, and each step stores the return address at the new SP.
    let links = |(_, value): &(&u64, &Option<u64>)| **value == Some(LINK);
    let outside = run.memory.iter().filter(links).any(|(at, _)| !(frame..CHECKED_SP).contains(at));
    if outside || run.memory.remove(&frame) != Some(Some(LINK)) {
        return Err("does not have its return address at SP where it has copied its arguments".into());
    }
    run.memory.retain(|at, value| *value != Some(LINK) || memory.contains_key(at));
    if run.memory != memory {
        return Err("does not copy its arguments on the stack".into());
    }
    Ok(())
}

/// Fails unless `code` jumps to the entry for the processor's level, which is a set of CPU features. The code may change only R16, and R27, which the
/// assembler uses for addresses.
fn dispatch(code: &[u8], relocated: &dyn Fn(u32) -> Option<Reference>, expected: &ExpectedDispatch) -> Result<(), String> {
    for level in expected.trials() {
        let mut run = Run::new(CHECKED_SP);
        for reg in (0..30).filter(|reg| *reg != 18 && *reg != 28) {
            run.regs[reg] = Some(BEFORE + reg as u64);
        }
        let (mut wanted, memory) = (run.regs, run.memory.clone());
        let at = run.level(code, relocated, expected, level)?;
        let end = run.jumps(at, code, relocated, &[])?;
        let entry = expected.entry(level).unwrap_or_default();
        if end != (entry.to_owned(), 0) {
            return Err(format!("does not go on to {entry} at level {level}"));
        }
        (wanted[16], wanted[27]) = (run.regs[16], run.regs[27]);
        if run.regs != wanted || run.memory != memory {
            return Err("leaves a wrong value in a register or in memory".into());
        }
    }
    Ok(())
}

struct Run {
    regs: [Option<u64>; 32],
    /// The value of SP on entry.
    sp: u64,
    memory: BTreeMap<u64, Option<u64>>,
    /// The operands of the last comparison instruction.
    compared: Option<(u64, u64)>,
    /// The addresses of the words in Go's argument area that have known values.
    given: BTreeSet<u64>,
    /// True if the entry must call Go's scheduler before and after the body.
    is_blocking: bool,
}

impl Run {
    fn new(sp: u64) -> Run {
        let mut regs = [None; 32];
        (regs[SP], regs[LR], regs[FP], regs[28]) = (Some(sp), Some(LINK), Some(FRAME_POINTER), Some(G));
        // g.stackguard0 is the third word of g. In Go, its value is StackGuard bytes above the lowest address of the stack. In a run, its value is
        // the lowest address itself. The prologue only compares SP with this value, so the difference does not matter.
        Run {
            regs,
            sp,
            memory: BTreeMap::from([(G + 16, Some(LIMIT)), (G + u64::from(G_STACK_LO), Some(LIMIT))]),
            compared: None,
            given: BTreeSet::new(),
            is_blocking: false,
        }
    }

    /// Runs an exported entry. Returns true if the entry called the body and returned, and false if it grew the stack.
    fn run(&mut self, code: &[u8], relocated: &dyn Fn(u32) -> Option<Reference>, expected: &ExpectedEntry) -> Result<bool, String> {
        let (mut at, mut calls) = (0u32, 0);
        for _ in 0..STEPS {
            if at as usize + 4 > code.len() {
                return Err("runs past its end".into());
            }
            let i = Insn::new(word(code, at));
            if (i.reads | i.writes) >> 18 & 1 == 1 {
                return Err(format!("uses x18, which belongs to the system, at {at:#x}"));
            }
            let next = at + 4;
            let jump = |by: i64| u32::try_from(i64::from(at) + by).map_err(|_| "jumps out of itself".to_owned());
            at = match (i.kind, relocated(at)) {
                (Kind::Branch(Branch::Call(_)), Some((symbol, _))) if symbol == expected.grow => {
                    let early = self.memory.contains_key(&LIMIT);
                    return if early { Err("sets a limit before it checks the stack".into()) } else { Ok(false) };
                }
                (Kind::Branch(Branch::Call(_)), Some(target)) => {
                    match (expected.blocking.as_ref().filter(|_| self.is_blocking), calls) {
                        (Some(scheduler_calls), 0) => self.scheduler_call(&target, &scheduler_calls.enter, 8)?,
                        (Some(scheduler_calls), 2) => self.scheduler_call(&target, &scheduler_calls.leave, -8)?,
                        _ => self.call(&target, expected)?,
                    }
                    calls += 1;
                    next
                }
                (Kind::Branch(Branch::Return(LR)), _) => return self.returned(calls).map(|()| true),
                (Kind::Branch(Branch::Jump(by)), None) => jump(by)?,
                (Kind::Branch(Branch::Conditional(by)), None) => {
                    if self.taken(i.word).ok_or("branches on an unknown value")? {
                        jump(by)?
                    } else {
                        next
                    }
                }
                (Kind::Branch(_), _) => return Err(format!("branches in an unexpected way at {at:#x}")),
                _ => {
                    self.plain(&i).ok_or_else(|| format!("has an instruction at {at:#x} that entries do not use"))?;
                    next
                }
            };
        }
        Err("does not come to an end".into())
    }

    /// Runs the code from `start` up to a jump to another symbol, and returns this symbol. The code may compute only the addresses of symbols
    /// in `names`.
    fn jumps(
        &mut self,
        start: u32,
        code: &[u8],
        relocated: &dyn Fn(u32) -> Option<Reference>,
        names: &[&str],
    ) -> Result<Reference, String> {
        let mut at = start;
        for _ in 0..STEPS {
            if at as usize + 4 > code.len() {
                return Err("runs past its end".into());
            }
            let i = Insn::new(word(code, at));
            let by = match (i.kind, relocated(at)) {
                (Kind::Branch(Branch::Jump(_)), Some(target)) => return Ok(target),
                (Kind::Branch(Branch::Conditional(by)), None) if self.taken(i.word).ok_or("branches on an unknown value")? => by,
                (Kind::Branch(Branch::Conditional(_)), None) => 4,
                // The relocation covers two instructions: this `adrp`, and the `add` after it.
                (Kind::Adrp { rd }, Some((symbol, 0))) if names.contains(&symbol.as_str()) => {
                    let completed =
                        code.len() >= at as usize + 8 && Insn::new(word(code, at + 4)).kind == Kind::AddImmediate { rd, rn: rd, by: 0 };
                    self.regs[rd] = address(names, &symbol).filter(|_| completed);
                    8
                }
                (Kind::Branch(_), _) | (_, Some(_)) => {
                    return Err(format!("branches or refers to something in an unexpected way at {at:#x}"));
                }
                _ => {
                    self.plain(&i).ok_or_else(|| format!("has an instruction at {at:#x} that checked entries do not use"))?;
                    4
                }
            };
            at = u32::try_from(i64::from(at) + by).map_err(|_| "jumps out of itself")?;
        }
        Err("does not come to an end".into())
    }

    /// Runs the instructions that load the byte with the processor's level, and returns the offset after them. The code is `adrp x27, variable; ldrb
    /// w16, [x27, variable]`, or through the GOT `adrp x27, cell; ldr x27, [x27, cell]; ldrb w16, [x27]`. The fields that the linker fills in are
    /// zero.
    fn level(
        &mut self,
        code: &[u8],
        relocated: &dyn Fn(u32) -> Option<Reference>,
        expected: &ExpectedDispatch,
        level: u8,
    ) -> Result<u32, String> {
        const PAGE: u32 = 0x9000_001b;
        const CELL: u32 = 0xf940_037b;
        const BYTE: u32 = 0x3940_0370;
        let named = |at: u32| relocated(at).is_some_and(|target| target == (expected.level.clone(), 0));
        let is = |words: &[u32]| words.iter().enumerate().all(|(k, &wanted)| code.len() >= 4 * k + 4 && word(code, 4 * k as u32) == wanted);
        let length = match () {
            () if is(&[PAGE, BYTE]) && named(0) => 8,
            () if is(&[PAGE, CELL, BYTE]) && named(0) && relocated(8).is_none() => 12,
            () => return Err("does not load the processor's level".into()),
        };
        self.regs[16] = Some(level.into());
        self.regs[27] = None;
        Ok(length)
    }

    fn word_at(&self, address: Option<u64>) -> Option<u64> {
        self.memory.get(&address?).copied().flatten()
    }

    /// Simulates a call of the function `wanted`, which tells Go's scheduler that a blocking call begins or ends. Go needs the return address at SP.
    /// The frame pointer must be SP plus `at`, and must point to a frame record (the caller's frame pointer and return address).
    fn scheduler_call(&mut self, target: &Reference, wanted: &str, at: i64) -> Result<(), String> {
        if (target.0.as_str(), target.1) != (wanted, 0) {
            return Err(format!("calls {}+{} instead of {wanted}", target.0, target.1));
        }
        let sp = self.regs[SP].ok_or("calls with an unknown SP")?;
        let record = sp.wrapping_add_signed(at);
        let chained = self.word_at(Some(record)) == Some(FRAME_POINTER) && self.word_at(Some(record + 8)) == Some(LINK);
        if self.regs[FP] != Some(record) || !chained || self.word_at(Some(sp)) != Some(LINK) || self.regs[28] != Some(G) {
            return Err("calls the scheduler without a frame".into());
        }
        // The Go function preserves g, SP and the frame pointer, and memory from the word below SP up.
        let kept = [SP, FP, 28].map(|reg| (reg, self.regs[reg]));
        self.regs = [None; 32];
        kept.into_iter().for_each(|(reg, value)| self.regs[reg] = value);
        self.memory.retain(|&address, _| address >= sp - 8 || address <= G + 16 || address == LIMIT);
        self.compared = None;
        Ok(())
    }

    fn call(&mut self, target: &Reference, expected: &ExpectedEntry) -> Result<(), String> {
        if *target != expected.body {
            return Err(format!("calls {}+{} instead of {}+{}", target.0, target.1, expected.body.0, expected.body.1));
        }
        if self.regs[28] != Some(G) {
            return Err("calls the body with a g that is not its caller's".into());
        }
        let sp = self.regs[SP].ok_or("calls with an unknown SP")?;
        if !sp.is_multiple_of(u64::from(expected.align)) {
            return Err(format!("calls the body with an SP that is not a multiple of {}", expected.align));
        }
        if sp > self.sp - 16 {
            return Err("calls the body with an SP so high that the body may overwrite the frame pointer that the caller saved".into());
        }
        // The lowest word of the goroutine's stack holds the stack limit of the call, if the call has a limit.
        let limit = expected.limit.map(|limit| sp - u64::from(limit));
        if self.memory.get(&LIMIT).copied() != limit.map(Some) {
            return Err("sets a wrong stack limit for the call".into());
        }
        if self.word_at(Some(sp)) != Some(LINK) {
            return Err("calls the body without its return address at SP".into());
        }
        let record = self.regs[FP];
        if self.word_at(record) != Some(FRAME_POINTER)
            || self.word_at(record.map(|r| r + 8)) != Some(LINK)
            || record.is_some_and(|r| r < sp)
        {
            return Err("calls the body without a frame record above SP".into());
        }
        // Arguments and results lie above the word at SP. This word belongs to the caller (Go's ABI0).
        for (reg, offset, what) in [(0, expected.arguments, "arguments"), (1, expected.results, "results")] {
            if let Some(offset) = offset
                && self.regs[reg] != Some(self.sp + 8 + u64::from(offset))
            {
                return Err(format!("passes a wrong address of the {what}"));
            }
        }
        // The body may change all registers except SP and g, and all memory below SP.
        let g = self.regs[28];
        self.regs = [None; 32];
        (self.regs[SP], self.regs[28]) = (Some(sp), g);
        self.memory.retain(|&address, _| address >= sp || address <= G + 16);
        self.compared = None;
        Ok(())
    }

    fn returned(&self, calls: usize) -> Result<(), String> {
        let wanted = if self.is_blocking { 3 } else { 1 };
        if calls != wanted {
            let what = if self.is_blocking { "makes calls around a blocking body" } else { "calls the body" };
            return Err(format!("{what} {calls} times"));
        }
        if self.regs[SP] != Some(self.sp) || self.regs[LR] != Some(LINK) || self.regs[FP] != Some(FRAME_POINTER) {
            return Err("returns with a changed SP, return address or frame pointer".into());
        }
        if self.regs[28] != Some(G) {
            return Err("returns with a g that is not its caller's".into());
        }
        let written = |address: u64| address > G + 16 && address >= self.sp - 8 && !self.given.contains(&address);
        if self.memory.keys().any(|&address| written(address)) {
            return Err("writes to its caller's frame".into());
        }
        Ok(())
    }

    /// Returns true if the branch is taken; `None` if an operand, the condition or the instruction is unknown. The known instructions are `cbnz` of 64
    /// bits and `b.cond`. The known conditions are those of prologues (hi, ls, hs, lo, ne, eq).
    fn taken(&self, word: u32) -> Option<bool> {
        if word >> 24 == 0xb5 {
            return Some(self.regs[word as usize & 31]? != 0);
        }
        if word & 0xff00_0010 != 0x5400_0000 {
            return None;
        }
        let (a, b) = self.compared?;
        match word & 0xf {
            0 => Some(a == b),
            1 => Some(a != b),
            2 => Some(a >= b),
            3 => Some(a < b),
            8 => Some(a > b),
            9 => Some(a <= b),
            _ => None,
        }
    }

    fn plain(&mut self, i: &Insn) -> Option<()> {
        let field = |low: u32| (i.word >> low & 31) as usize;
        match i.kind {
            // Harmless instructions that use a general register are `mrs` and `msr`, which entries do not use.
            Kind::Harmless if i.reads == 0 && i.writes == 0 => {}
            Kind::AddImmediate { rd, rn, by } => self.regs[rd] = Some(self.regs[rn]?.wrapping_add_signed(by)),
            Kind::Constant { rd, value, shift, keeps } => {
                let before = if keeps { self.regs[rd]? & !(0xffff << shift) } else { 0 };
                self.regs[rd] = Some(before | value);
            }
            Kind::AddToSp { rd, rm, subtracts } => {
                let (sp, by) = (self.regs[SP]?, self.regs[rm]?);
                self.regs[rd] = Some(if subtracts { sp.wrapping_sub(by) } else { sp.wrapping_add(by) });
            }
            Kind::Move { rd, rm } => self.regs[rd] = self.regs[rm],
            Kind::Memory(access) if access.form == Form::Single || access.form == Form::Pair => {
                let base = self.regs[access.base]?;
                let changed = base.wrapping_add_signed(access.offset);
                let address = if access.mode == Mode::Post { base } else { changed };
                let count = if access.form == Form::Pair { 2 } else { 1 };
                let registers = [field(0), field(10)];
                if access.unit != 8 || i.word >> 26 & 1 == 1 {
                    return None;
                }
                for (k, &reg) in registers[..count].iter().enumerate() {
                    let at = address + 8 * k as u64;
                    if access.loads {
                        self.regs[reg] = self.word_at(Some(at));
                    } else {
                        self.memory.insert(at, self.regs[reg]);
                    }
                }
                if access.mode != Mode::Offset {
                    self.regs[access.base] = Some(changed);
                }
            }
            // Matches `madd rd, rn, rm, ra`.
            Kind::Plain if i.word & 0xffe0_8000 == 0x9b00_0000 => {
                let product = self.regs[field(5)]?.wrapping_mul(self.regs[field(16)]?);
                self.regs[field(0)] = Some(product.wrapping_add(self.regs[field(10)]?));
            }
            // Matches `add rd, rn, rm`.
            Kind::Plain if i.word & 0xffe0_fc00 == 0x8b00_0000 => {
                self.regs[field(0)] = Some(self.regs[field(5)]?.wrapping_add(self.regs[field(16)]?));
            }
            // Matches `subs rd, rn, rm`, where rn may be SP.
            Kind::Plain | Kind::CompareSp { .. } if i.word & 0xffe0_fc00 == 0xeb00_0000 || i.word & 0xffe0_fc00 == 0xeb20_6000 => {
                let (a, b) = (self.regs[field(5)]?, self.regs[field(16)]?);
                self.compared = Some((a, b));
                if field(0) != 31 {
                    self.regs[field(0)] = Some(a.wrapping_sub(b));
                }
            }
            // Matches `subs rd, sp, #by`. With a large frame the difference may wrap around.
            Kind::Plain if i.word & 0xff80_0000 == 0xf100_0000 => {
                let by = u64::from(i.word >> 10 & 0xfff) << if i.word >> 22 & 1 == 1 { 12 } else { 0 };
                let from = self.regs[field(5)]?;
                self.compared = Some((from, by));
                if field(0) != 31 {
                    self.regs[field(0)] = Some(from.wrapping_sub(by));
                }
            }
            _ => return None,
        }
        Some(())
    }
}
