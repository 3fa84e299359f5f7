//! Executes assembled entries in a small interpreter, for verify. An entry is the code through which callers reach a compiled function, its *body*
//! (see `entry`). The interpreter checks what an entry does with SP, the argument registers and the stack limit of the call.
//!
//! The assembler chooses the instructions of entries, so no expected bytes exist. But entries have few instructions and no loops, so the interpreter
//! can execute them. It executes an entry for every remainder of SP modulo the required alignment, with just enough stack and with slightly less.
//! Every register starts with a distinct number, which shows if the register has changed. An instruction that the interpreter does not know is an
//! error. An entry may access only this memory: the words that it pushes, the g structure, the lowest word of the goroutine's stack, and the words
//! above the return address. An entry that aligns SP may push copies of the words above the return address.

use super::record::{self, Record};
use super::{RSP, number};
use crate::abi::{G_STACK_LO, LIMIT};
use crate::analyze::align_stack;
use crate::goasm::{Contract, ExpectedAligned, ExpectedChecked, ExpectedDispatch, ExpectedEntry, Operand};
use crate::verify::Reference;
use iced_x86::{ConditionCode, Decoder, DecoderOptions, FlowControl, Instruction, Mnemonic, OpKind, Register};
use std::collections::BTreeMap;

/// A run of the interpreter starts with SP at this address or slightly above. The address is far from zero and does not fit into 32 bits.
const BASE: u64 = 1 << 40;
/// The address of the g structure in a run. It contains the lowest address of the goroutine's stack (`g.stack.lo`).
const G: u64 = 2 << 40;
/// The base address of thread-local storage, on systems where code must load it. `SLOT` is the address of the word where Windows keeps the address
/// of the g structure.
const THREAD: u64 = 3 << 40;
const SLOT: u64 = 7 << 40;
/// The address of the first symbol in a run. The address of each further symbol is greater by 1.
const SYMBOLS: u64 = 4 << 40;
/// The value of register 0 at the start; the value of each further register is greater by 1. `AFTER` plus a register's number is its value after a
/// call.
const BEFORE: u64 = 5 << 40;
const AFTER: u64 = 6 << 40;
/// The value of the first word above the return address. The value of each further word is greater by 1.
const ARGUMENTS: u64 = 8 << 40;
/// The maximum number of instructions in a run. The longest path has about forty, plus one for each word of stack arguments.
const STEPS: usize = 200;
/// The number of bytes by which the goroutine's stack extends below the limit of a call in a run.
const FURTHER: u64 = 1 << 20;
const CX: usize = 1;
const DX: usize = 2;
const BP: usize = 5;
const SI: usize = 6;
const DI: usize = 7;
/// The number of r11, the only register that checked entries and the jumps of aligning entries may change. The calling convention lets every call
/// change r11.
const R11: usize = 11;
/// The number of r15, into which the assembler loads addresses from the GOT.
const GOT: usize = 15;

/// Runs the code, and fails if the code breaks the contract. `relocated` takes the offset of a 32-bit field, and returns the symbol and offset to
/// which the field's relocation refers.
pub fn fulfils(code: &[u8], relocated: &dyn Fn(u32) -> Option<Reference>, contract: &Contract) -> Result<(), String> {
    let code = Code { bytes: code, relocated };
    match contract {
        Contract::Entry(expected) => entry(code, expected),
        Contract::Checked(expected) => checked(code, expected),
        Contract::Aligned(expected) => aligned(code, expected),
        Contract::Dispatch(expected) => dispatch(code, expected),
        Contract::ContiguousArgs(_) => Err("has a contract that this machine does not support".into()),
    }
}

fn entry(code: Code<'_>, expected: &ExpectedEntry) -> Result<(), String> {
    let align = u64::from(expected.align.max(8));
    for remainder in (0..align).step_by(8) {
        let sp = BASE + remainder;
        // Each trial has the slice lengths that the call passes, and states whether the entry must call the scheduler for these lengths.
        for (lengths, is_blocking) in expected.blocking.as_ref().map_or(vec![(Vec::new(), false)], |blocking| blocking.trials()) {
            run_with_enough_stack(code, expected, sp, &lengths, is_blocking)?;
        }
        let mut calls = 0;
        let mut call = |_: &mut Run<'_>, _: Reference| {
            calls += 1;
            Ok(Call::Returns)
        };
        let mut spent = Run::new(code, sp, sp - u64::from(expected.stack), None);
        let end = spent.go(0, &mut call)?;
        if (end, calls) != (End::Left((expected.grow.clone(), 0)), 0) {
            return Err("does not grow the stack when 8 bytes are missing".into());
        }
        if spent.limit.is_some() {
            return Err("sets a limit before it checks the stack".into());
        }
    }
    Ok(())
}

/// Runs an exported entry with enough stack, and checks its call of the body.
fn run_with_enough_stack(code: Code<'_>, expected: &ExpectedEntry, sp: u64, lengths: &[u64], is_blocking: bool) -> Result<(), String> {
    let align = u64::from(expected.align.max(8));
    let scheduler_calls = expected.blocking.as_ref().filter(|_| is_blocking);
    // The functions that the entry must call, in order.
    let order: Vec<Reference> = match scheduler_calls {
        Some(scheduler_calls) => vec![(scheduler_calls.enter.clone(), 0), expected.body.clone(), (scheduler_calls.leave.clone(), 0)],
        None => vec![expected.body.clone()],
    };
    let mut calls = 0;
    let mut call = |run: &mut Run<'_>, target: Reference| {
        let wanted = order.get(calls).ok_or("calls another function after the body")?;
        calls += 1;
        run.expect(&target, wanted)?;
        if target != expected.body {
            return run.framed();
        }
        run.aligned(align, u64::from(is_blocking), u64::from(expected.room))?;
        if run.limit != expected.limit.map(|limit| sp - u64::from(limit)) {
            return Err("sets a wrong stack limit for the call".into());
        }
        if run.x87_is_empty != expected.empties_x87 {
            return Err("calls the body without emptying the x87 stack, or empties it for nothing".into());
        }
        // Arguments and results lie above the return address (Go's ABI0).
        for (reg, offset, what) in [(DI, expected.arguments, "arguments"), (SI, expected.results, "results")] {
            if offset.is_some_and(|offset| run.regs[reg] != Some(sp + 8 + u64::from(offset))) {
                return Err(format!("passes a wrong address of the {what}"));
            }
        }
        Ok(Call::Returns)
    };
    let mut run = Run::new(code, sp, sp - u64::from(expected.stack) - 8, None);
    let offsets = expected.blocking.iter().flat_map(|blocking| &blocking.lengths);
    run.given = offsets.zip(lengths).map(|((offset, _), length)| (sp + 8 + u64::from(*offset), *length)).collect();
    run.keeps_frame = true;
    let end = run.go(0, &mut call)?;
    if (end, calls) != (End::Returned, order.len()) {
        let what = if is_blocking { "makes calls around a blocking body" } else { "calls the body" };
        return Err(format!("{what} {calls} times with enough stack"));
    }
    if scheduler_calls.is_some() && run.regs[BP] != Some(BEFORE + BP as u64) {
        return Err("returns with a changed frame pointer".into());
    }
    Ok(())
}

fn checked(code: Code<'_>, expected: &ExpectedChecked) -> Result<(), String> {
    for sp in [BASE, BASE + 8] {
        // The goroutine's stack extends far below the limit of the call.
        let lo = sp - u64::from(expected.stack) - FURTHER;
        let mut enough = Run::new(code, sp, lo, Some(sp - u64::from(expected.stack)));
        let end = enough.go(expected.start, &mut |_, _| Err("calls a function although there is enough stack".into()))?;
        if end != End::Left(expected.body.clone()) {
            return Err("does not go on to the body with enough stack".into());
        }
        enough.unchanged(BEFORE, Some(R11))?;
        let mut call = |run: &mut Run<'_>, target: Reference| {
            run.expect(&target, &(expected.exhausted.function.clone(), 0))?;
            for ((argument, operand), reg) in expected.exhausted.arguments.iter().zip([DI, SI, DX, CX, 8, 9]) {
                let value = match operand {
                    Operand::Address(symbol) => run.symbol((symbol.clone(), 0)),
                    Operand::Number(number) => (*number).into(),
                };
                if run.regs[reg] != Some(value) {
                    return Err(format!("passes a wrong {argument}"));
                }
            }
            Ok(Call::NeverReturns)
        };
        let limit = sp - u64::from(expected.stack) + 8;
        let mut spent = Run::new(code, sp, lo, Some(limit));
        if spent.go(expected.start, &mut call)? != End::Stopped {
            return Err("continues although 8 bytes of stack are missing".into());
        }
        if spent.limit != Some(limit) || enough.limit != Some(limit - 8) {
            return Err("changes the stack limit of the call".into());
        }
    }
    Ok(())
}

fn aligned(code: Code<'_>, expected: &ExpectedAligned) -> Result<(), String> {
    let (align, words) = (u64::from(expected.align), u64::from(expected.words));
    // The call of the entry has pushed the return address. Before the call, SP was a multiple of `grain`.
    let first = 8 % u64::from(expected.grain);
    for remainder in (first..align).step_by(expected.grain as usize) {
        // With this remainder, SP was a multiple of `align` before the call, so the entry must jump and leave the stack as it is.
        if expected.jumps && remainder == align - 8 {
            let mut run = Run::new(code, BASE + remainder, 0, None);
            let end = run.go(expected.start, &mut |_, _| Err("calls something though SP is aligned".into()))?;
            if end != End::Left(expected.body.clone()) {
                return Err("does not jump to the body though SP is aligned".into());
            }
            run.unchanged(BEFORE, Some(R11))?;
            continue;
        }
        let mut calls = 0;
        let mut call = |run: &mut Run<'_>, target: Reference| {
            calls += 1;
            run.expect(&target, &expected.body)?;
            run.aligned(align, words, 0)?;
            run.unchanged(BEFORE, None)?;
            let sp = run.regs[RSP].unwrap_or_default();
            if (0..words).any(|word| run.word(sp + 8 * word) != Some(ARGUMENTS + word)) {
                return Err("does not copy the stack arguments".into());
            }
            if expected.unwinds && run.record() != Some((Record { frame: (run.sp - sp) as u32, ..Record::default() }, 0)) {
                return Err("has no record of its frame for a panic that unwinds".into());
            }
            Ok(Call::Returns)
        };
        let mut run = Run::new(code, BASE + remainder, 0, None);
        if (run.go(expected.start, &mut call)?, calls) != (End::Returned, 1) {
            return Err(format!("calls the body {calls} times"));
        }
        run.unchanged(AFTER, None)?;
    }
    Ok(())
}

/// Checks an entry that jumps to the entry for the processor's level, which is a set of CPU features. The code may change only registers that pass
/// no values: r11, and r15 if the assembler needs it for the variable's address.
fn dispatch(code: Code<'_>, expected: &ExpectedDispatch) -> Result<(), String> {
    for level in expected.trials() {
        let mut run = Run::new(code, BASE, 0, None);
        run.level = Some((expected.level.clone(), level));
        let end = run.go(0, &mut |_, _| Err("calls something".into()))?;
        let wanted = expected.entry(level).unwrap_or_default();
        if end != End::Left((wanted.to_owned(), 0)) {
            return Err(format!("does not go on to {wanted} at level {level}"));
        }
        run.regs[GOT] = Some(BEFORE + GOT as u64);
        run.unchanged(BEFORE, Some(R11))?;
    }
    Ok(())
}

#[derive(Clone, Copy)]
struct Code<'a> {
    bytes: &'a [u8],
    relocated: &'a dyn Fn(u32) -> Option<Reference>,
}

/// The way in which a run ends. Except after a call that never returns, SP must have its initial value then.
#[derive(Debug, PartialEq, Eq)]
enum End {
    Returned,
    /// The run ended with a jump to this function.
    Left(Reference),
    /// The run ended with a call that never returns.
    Stopped,
}

enum Call {
    Returns,
    NeverReturns,
}

struct Run<'a> {
    code: Code<'a>,
    /// The value of SP at the start.
    sp: u64,
    /// The lowest address of the goroutine's stack.
    lo: u64,
    /// The value of the word at `lo`, if known: the stack limit of the running call.
    limit: Option<u64>,
    regs: [Option<u64>; 16],
    /// The result of the last comparison, as two flags: equal, and below (unsigned).
    flags: Option<(bool, bool)>,
    symbols: Vec<Reference>,
    x87_is_empty: bool,
    /// The values of the words that the code pushed, by address.
    pushed: BTreeMap<u64, u64>,
    /// Words of Go's argument area with known values, by address.
    given: BTreeMap<u64, u64>,
    /// True if called functions preserve the frame pointer.
    keeps_frame: bool,
    /// Offset of the instruction after the last call.
    after: u32,
    /// The name of the variable that holds the processor's level, and the variable's value.
    level: Option<(String, u8)>,
}

impl<'a> Run<'a> {
    fn new(code: Code<'a>, sp: u64, lo: u64, limit: Option<u64>) -> Self {
        let (regs, flags, symbols, pushed, given) = ([None; 16], None, Vec::new(), BTreeMap::new(), BTreeMap::new());
        let mut run = Run {
            code,
            sp,
            lo,
            limit,
            regs,
            flags,
            symbols,
            x87_is_empty: false,
            pushed,
            given,
            keeps_frame: false,
            after: 0,
            level: None,
        };
        run.fill(BEFORE);
        run.regs[RSP] = Some(sp);
        run
    }

    /// Sets every register except SP to a distinct number: `with` plus the register's number.
    fn fill(&mut self, with: u64) {
        for (reg, value) in self.regs.iter_mut().enumerate().filter(|(reg, _)| *reg != RSP) {
            *value = Some(with + reg as u64);
        }
    }

    /// Fails unless all registers except SP and `but` still have the numbers that `fill` gave them.
    fn unchanged(&self, with: u64, but: Option<usize>) -> Result<(), String> {
        let changed = |&(reg, value): &(usize, &Option<u64>)| reg != RSP && Some(reg) != but && *value != Some(with + reg as u64);
        match self.regs.iter().enumerate().find(changed) {
            Some((reg, _)) => Err(format!("changes register {reg}")),
            None => Ok(()),
        }
    }

    fn expect(&self, target: &Reference, expected: &Reference) -> Result<(), String> {
        if target == expected { Ok(()) } else { Err(format!("calls {}+{} instead of {}+{}", target.0, target.1, expected.0, expected.1)) }
    }

    /// Fails unless SP is a multiple of `align` and at least `room` bytes lower than at the start. Fails too if the entry and its call use more stack
    /// than the analysis counts: `room` bytes, plus the stack that an entry needs to align SP and to push `words` words.
    fn aligned(&self, align: u64, words: u64, room: u64) -> Result<(), String> {
        let below = self.regs[RSP].and_then(|sp| self.sp.checked_sub(sp));
        let counted = u64::from(align_stack(align as u32, words as u32)) + room;
        if below.is_none_or(|below| below + 8 > counted) {
            return Err("moves SP by more than its alignment needs".into());
        }
        if below.is_none_or(|below| below < room) {
            return Err(format!("leaves fewer than {room} bytes above the call of the body"));
        }
        if self.regs[RSP].is_none_or(|sp| sp % align != 0) {
            return Err(format!("calls the body with an SP that is not a multiple of {align}"));
        }
        Ok(())
    }

    /// Checks a call of the scheduler, a Go function that preserves the frame pointer. Fails unless the entry has made a frame like Go's own,
    /// with the caller's frame pointer below the return address.
    fn framed(&self) -> Result<Call, String> {
        let at = self.sp - 8;
        if self.regs[BP] != Some(at) || self.regs[RSP] != Some(at) || self.pushed.get(&at) != Some(&(BEFORE + BP as u64)) {
            return Err("calls the scheduler without a frame".into());
        }
        Ok(Call::Returns)
    }

    /// Returns the address of a symbol in this run. Different symbols have different addresses.
    fn symbol(&mut self, reference: Reference) -> u64 {
        let known = self.symbols.iter().position(|symbol| *symbol == reference);
        let index = known.unwrap_or_else(|| {
            self.symbols.push(reference);
            self.symbols.len() - 1
        });
        SYMBOLS + index as u64
    }

    fn go(&mut self, start: u32, call: &mut dyn FnMut(&mut Run<'a>, Reference) -> Result<Call, String>) -> Result<End, String> {
        let mut at = start;
        for _ in 0..STEPS {
            let bytes = self.code.bytes.get(at as usize..).ok_or("leaves its code")?;
            let i = Decoder::with_ip(64, bytes, u64::from(at), DecoderOptions::NONE).decode();
            let next = at + i.len() as u32;
            let leads = next.checked_sub(4).and_then(self.code.relocated);
            let within = || u32::try_from(i.near_branch_target()).map_err(|_| "jumps out of itself");
            at = match i.flow_control() {
                FlowControl::Next => {
                    self.plain(&i, leads).ok_or_else(|| format!("has {:?} at {at:#x}, which entries do not use", i.mnemonic()))?;
                    next
                }
                FlowControl::Call => {
                    self.after = next;
                    match call(self, leads.ok_or("calls something within itself")?)? {
                        Call::NeverReturns => return Ok(End::Stopped),
                        Call::Returns => {
                            let frame = self.regs[BP];
                            self.fill(AFTER);
                            if self.keeps_frame {
                                self.regs[BP] = frame;
                            }
                            self.flags = None;
                            next
                        }
                    }
                }
                FlowControl::Return => return self.value_after_call(End::Returned),
                FlowControl::UnconditionalBranch => match leads {
                    Some(target) => return self.value_after_call(End::Left(target)),
                    None => within()?,
                },
                FlowControl::IndirectBranch => {
                    let to = self.value(&i, 0).and_then(|to| to.checked_sub(SYMBOLS));
                    let to = to.and_then(|to| self.symbols.get(usize::try_from(to).ok()?)).ok_or("jumps to an unknown address")?;
                    return self.value_after_call(End::Left(to.clone()));
                }
                FlowControl::ConditionalBranch => match self.taken(&i).ok_or("branches on an unknown value")? {
                    true => within()?,
                    false => next,
                },
                _ => return Err(format!("has {:?} at {at:#x}", i.mnemonic())),
            };
        }
        Err("does not come to an end".into())
    }

    /// Returns the record of the running call for a panic that unwinds (see `record`), with the distance to its landing pad.
    fn record(&self) -> Option<(Record, i32)> {
        let after = self.code.bytes.get(self.after as usize..)?;
        let (distance, rest) = after.strip_prefix(&record::MARK)?.split_first_chunk::<4>()?;
        Record::read(rest.get(usize::try_from(i32::from_le_bytes(*distance)).ok()?..)?)
    }

    fn value_after_call(&self, end: End) -> Result<End, String> {
        let back = self.regs[RSP] == Some(self.sp);
        if back { Ok(end) } else { Err("leaves with a changed SP".into()) }
    }

    fn taken(&self, i: &Instruction) -> Option<bool> {
        let (equal, below) = self.flags?;
        match i.condition_code() {
            ConditionCode::e => Some(equal),
            ConditionCode::ne => Some(!equal),
            ConditionCode::be => Some(equal || below),
            ConditionCode::a => Some(!equal && !below),
            ConditionCode::b => Some(below),
            ConditionCode::ae => Some(!below),
            _ => None,
        }
    }

    /// Returns the value that an instruction loads from a word in memory. The address of the g structure comes from thread-local storage, at
    /// an offset that some systems keep in memory.
    fn load(&self, i: &Instruction, leads: Option<Reference>) -> Option<u64> {
        if i.is_ip_rel_memory_operand() {
            return leads.map(|_| THREAD);
        }
        let base = match i.memory_base() {
            Register::None => None,
            base => Some(self.regs[number(base)?]?),
        };
        let displaced = |by: u64| i.memory_index() == Register::None && i.memory_displacement64() == by;
        let alone = displaced(0);
        match (i.memory_segment(), base) {
            (Register::FS | Register::GS, None) => Some(G),
            (Register::FS, Some(THREAD)) if alone => Some(G),
            (Register::GS, Some(THREAD)) if alone => Some(SLOT),
            (Register::DS, Some(SLOT)) if alone => Some(G),
            (Register::SS, Some(sp)) if i.memory_index() == Register::None => {
                self.given.get(&sp.wrapping_add(i.memory_displacement64())).copied()
            }
            (Register::DS, Some(G)) if displaced(G_STACK_LO.into()) => Some(self.lo),
            (Register::DS, Some(base)) if displaced(LIMIT.into()) && base == self.lo => self.limit,
            _ => None,
        }
    }

    /// Returns the value of a word on the stack: of a pushed word, or of a word above the return address.
    fn word(&self, at: u64) -> Option<u64> {
        let above = at.checked_sub(self.sp + 8).filter(|above| above % 8 == 0);
        self.pushed.get(&at).copied().or_else(|| above.map(|above| ARGUMENTS + above / 8))
    }

    /// Executes a push of a register, or of a word on the stack.
    fn push(&mut self, i: &Instruction) -> Option<()> {
        let sp = self.regs[RSP]?;
        if i.op0_kind() == OpKind::Register {
            self.pushed.insert(sp - 8, self.value(i, 0)?);
            self.regs[RSP] = Some(sp - 8);
            return Some(());
        }
        let on_sp = i.op0_kind() == OpKind::Memory && i.memory_base() == Register::RSP && i.memory_index() == Register::None;
        if !on_sp || i.memory_size().size() != 8 || i.memory_segment() != Register::SS {
            return None;
        }
        let word = self.word(sp.wrapping_add(i.memory_displacement64()))?;
        self.pushed.insert(sp - 8, word);
        self.regs[RSP] = Some(sp - 8);
        Some(())
    }

    /// Executes a store of a register. Entries store only the stack limit of the call.
    fn store(&mut self, i: &Instruction) -> Option<()> {
        let base = self.regs[number(i.memory_base())?]?;
        let alone = i.memory_index() == Register::None && i.memory_displacement64() == 0 && i.memory_segment() == Register::DS;
        let whole = i.op1_kind() == OpKind::Register && i.op1_register().size() == 8;
        if !alone || !whole || base != self.lo {
            return None;
        }
        self.limit = Some(self.value(i, 1)?);
        Some(())
    }

    fn is_level(&self, leads: &Option<Reference>) -> bool {
        let named = |(symbol, offset): &Reference| self.level.as_ref().is_some_and(|(variable, _)| variable == symbol && *offset == 0);
        leads.as_ref().is_some_and(named)
    }

    /// Returns the value of the byte that holds the processor's level. Either the code names the variable, or the assembler has first loaded the
    /// variable's address into a register.
    fn level(&mut self, i: &Instruction, leads: Option<Reference>) -> Option<u64> {
        let (variable, level) = self.level.clone()?;
        let address = self.symbol((variable.clone(), 0));
        let found = match i.is_ip_rel_memory_operand() {
            true => leads == Some((variable, 0)),
            false => {
                self.regs[number(i.memory_base())?] == Some(address) && i.memory_index() == Register::None && i.memory_displacement64() == 0
            }
        };
        (found && i.memory_size().size() == 1).then_some(level.into())
    }

    /// Returns the value of a register operand, cut to the register's width, or of an immediate operand.
    fn value(&self, i: &Instruction, k: u32) -> Option<u64> {
        match i.op_kind(k) {
            OpKind::Register => {
                let value = self.regs[number(i.op_register(k))?]?;
                match i.op_register(k).size() {
                    8 => Some(value),
                    4 => Some(value & 0xffff_ffff),
                    1 if i.op_register(k) as u32 >= Register::AL as u32 => Some(value & 0xff),
                    _ => None,
                }
            }
            OpKind::Memory => None,
            _ => Some(i.immediate(k)),
        }
    }

    fn plain(&mut self, i: &Instruction, leads: Option<Reference>) -> Option<()> {
        let to = (i.op_count() > 0 && i.op0_kind() == OpKind::Register).then(|| number(i.op0_register())).flatten();
        let wide = to.is_some() && i.op0_register().size() >= 4;
        let compare = |a: u64, b: u64| Some((a == b, a < b));
        match i.mnemonic() {
            Mnemonic::Nop => {}
            Mnemonic::Push => self.push(i)?,
            Mnemonic::Pop => {
                let sp = self.regs[RSP]?;
                self.regs[to?] = Some(*self.pushed.get(&sp)?);
                self.regs[RSP] = Some(sp + 8);
            }
            Mnemonic::Imul if wide && i.op_count() == 3 => {
                self.regs[to?] = Some(self.value(i, 1)?.wrapping_mul(self.value(i, 2)?));
                self.flags = None;
            }
            Mnemonic::Xor if wide && i.op0_register() == i.op1_register() => self.regs[to?] = Some(0),
            Mnemonic::Emms => self.x87_is_empty = true,
            Mnemonic::Movzx if wide && i.op1_kind() == OpKind::Memory => self.regs[to?] = Some(self.level(i, leads)?),
            // A load of a whole word with the name of the byte variable reads the variable's address from the GOT.
            Mnemonic::Mov if wide && i.is_ip_rel_memory_operand() && self.is_level(&leads) => self.regs[to?] = Some(self.symbol(leads?)),
            Mnemonic::Mov if wide && i.op1_kind() == OpKind::Memory => self.regs[to?] = Some(self.load(i, leads)?),
            Mnemonic::Mov if wide => self.regs[to?] = Some(self.value(i, 1)?),
            Mnemonic::Mov if i.op0_kind() == OpKind::Memory => self.store(i)?,
            Mnemonic::Lea if wide && i.is_ip_rel_memory_operand() => self.regs[to?] = Some(self.symbol(leads?)),
            Mnemonic::Lea if wide && i.memory_index() == Register::None => {
                let base = self.regs[number(i.memory_base())?]?;
                self.regs[to?] = Some(base.wrapping_add(i.memory_displacement64()));
            }
            Mnemonic::Cmp => self.flags = compare(self.value(i, 0)?, self.value(i, 1)?),
            Mnemonic::Test => self.flags = compare(self.value(i, 0)? & self.value(i, 1)?, 0),
            Mnemonic::And if wide => {
                let value = self.value(i, 0)? & self.value(i, 1)?;
                self.regs[to?] = Some(value);
                self.flags = compare(value, 0);
            }
            Mnemonic::Add | Mnemonic::Sub if wide => {
                let (a, b) = (self.value(i, 0)?, self.value(i, 1)?);
                self.regs[to?] = Some(if i.mnemonic() == Mnemonic::Add { a.wrapping_add(b) } else { a.wrapping_sub(b) });
                // Entries do not branch on the flags of this instruction, so the interpreter does not compute them.
                self.flags = None;
            }
            _ => return None,
        }
        Some(())
    }
}
