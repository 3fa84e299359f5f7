//! Runs an assembled entry step by step: what does it do with SP, the return address and the argument registers?
//!
//! The assembler chooses the instructions of an entry's prologue and epilogue. A small interpreter with a stack of its own
//! runs all of it once with stack enough and once with none, and knows no instruction but those that occur.

use super::insn::{Branch, FP, Form, Insn, Kind, LR, Mode, SP};
use super::word;
use crate::goasm::{Contract, EntryMeant};
use crate::verify::Reference;
use std::collections::BTreeMap;

/// Where the goroutine's structure and its stack are taken to lie, and what the registers of the caller hold.
const G: u64 = 0x1000;
const LIMIT: u64 = 0x10_0000;
const LINK: u64 = 0x7777_0000;
const FRAME_POINTER: u64 = 0x6666_0000;
/// More instructions than any entry has.
const STEPS: usize = 200;

/// Does the code what it must? Checked entries are made of words, which are compared, and frames are aligned to no more than
/// SP is.
pub fn keeps(code: &[u8], relocated: &dyn Fn(u32) -> Option<Reference>, contract: &Contract) -> Result<(), String> {
    match contract {
        Contract::Entry(meant) => entry(code, relocated, meant),
        Contract::Checked(_) | Contract::Aligned(_) => Err("does something that no function of this machine does".into()),
    }
}

/// Is `code` an entry as `meant`?
fn entry(code: &[u8], relocated: &dyn Fn(u32) -> Option<Reference>, meant: &EntryMeant) -> Result<(), String> {
    let enough = LIMIT + u64::from(meant.stack) + 4096;
    for sp in [enough, enough + 16] {
        let mut run = Run::new(sp);
        if !run.run(code, relocated, meant)? {
            return Err(format!("grows a stack that has {} bytes", sp - LIMIT));
        }
    }
    // Go's prologue lets a small frame reach a little below the limit (abi.StackSmall).
    let short = (LIMIT + u64::from(meant.stack)).saturating_sub(256).max(LIMIT - 64) & !15;
    if Run::new(short).run(code, relocated, meant)? {
        return Err(format!("does not grow a stack that lacks {} bytes", (LIMIT + u64::from(meant.stack)).saturating_sub(short)));
    }
    Ok(())
}

struct Run {
    regs: [Option<u64>; 32],
    /// The caller's SP.
    sp: u64,
    memory: BTreeMap<u64, Option<u64>>,
    /// Operands of the last comparison.
    compared: Option<(u64, u64)>,
}

impl Run {
    fn new(sp: u64) -> Run {
        let mut regs = [None; 32];
        (regs[SP], regs[LR], regs[FP], regs[28]) = (Some(sp), Some(LINK), Some(FRAME_POINTER), Some(G));
        // g.stackguard0 is the third word of g; the guard lies StackGuard above the lowest byte, which does not matter here.
        Run { regs, sp, memory: BTreeMap::from([(G + 16, Some(LIMIT)), (G, Some(LIMIT))]), compared: None }
    }

    /// `true`: it called the body and returned; `false`: it made the stack grow.
    fn run(&mut self, code: &[u8], relocated: &dyn Fn(u32) -> Option<Reference>, meant: &EntryMeant) -> Result<bool, String> {
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
                (Kind::Branch(Branch::Call(_)), Some((symbol, _))) if symbol == meant.grow => return Ok(false),
                (Kind::Branch(Branch::Call(_)), Some(target)) => {
                    self.call(&target, meant)?;
                    calls += 1;
                    next
                }
                (Kind::Branch(Branch::Return(LR)), _) => return self.returned(calls).map(|()| true),
                (Kind::Branch(Branch::Jump(by)), None) => jump(by)?,
                (Kind::Branch(Branch::Conditional(by)), None) => {
                    if self.taken(i.word).ok_or("branches on what is not known")? {
                        jump(by)?
                    } else {
                        next
                    }
                }
                (Kind::Branch(_), _) => return Err(format!("branches in an unexpected way at {at:#x}")),
                _ => {
                    self.plain(&i).ok_or_else(|| format!("has an instruction at {at:#x} that no entry needs"))?;
                    next
                }
            };
        }
        Err("does not come to an end".into())
    }

    fn word_at(&self, address: Option<u64>) -> Option<u64> {
        self.memory.get(&address?).copied().flatten()
    }

    fn call(&mut self, target: &Reference, meant: &EntryMeant) -> Result<(), String> {
        if *target != meant.body {
            return Err(format!("calls {}+{} instead of {}+{}", target.0, target.1, meant.body.0, meant.body.1));
        }
        if self.regs[28] != Some(G) {
            return Err("calls the body with another g than its caller's".into());
        }
        let sp = self.regs[SP].ok_or("calls with an SP that is not known")?;
        if !sp.is_multiple_of(u64::from(meant.align)) {
            return Err(format!("calls the body with an SP that is no multiple of {}", meant.align));
        }
        if sp > self.sp - 16 {
            return Err("calls the body with its caller's frame pointer in reach".into());
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
        // The areas lie above the caller's word at SP (Go's ABI0).
        for (reg, offset, what) in [(0, meant.arguments, "arguments"), (1, meant.results, "results")] {
            if let Some(offset) = offset
                && self.regs[reg] != Some(self.sp + 8 + u64::from(offset))
            {
                return Err(format!("hands over another address than that of the {what}"));
            }
        }
        // The callee may change everything but SP and what lies above it.
        let g = self.regs[28];
        self.regs = [None; 32];
        (self.regs[SP], self.regs[28]) = (Some(sp), g);
        self.memory.retain(|&address, _| address >= sp || address <= G + 16);
        self.compared = None;
        Ok(())
    }

    fn returned(&self, calls: usize) -> Result<(), String> {
        if calls != 1 {
            return Err(format!("calls the body {calls} times"));
        }
        if self.regs[SP] != Some(self.sp) || self.regs[LR] != Some(LINK) || self.regs[FP] != Some(FRAME_POINTER) {
            return Err("returns with another SP, return address or frame pointer than it was entered with".into());
        }
        if self.regs[28] != Some(G) {
            return Err("returns with another g than its caller's".into());
        }
        if self.memory.keys().any(|&address| address > G + 16 && address >= self.sp - 8) {
            return Err("writes to its caller's frame".into());
        }
        Ok(())
    }

    /// `b.cond`, of the conditions that prologues have: hi, ls, hs, lo, ne, eq.
    fn taken(&self, word: u32) -> Option<bool> {
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
            Kind::Harmless => {}
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
            // subs rd, rn, rm, with SP for rn or without
            Kind::Plain | Kind::CompareSp { .. } if i.word & 0xffe0_fc00 == 0xeb00_0000 || i.word & 0xffe0_fc00 == 0xeb20_6000 => {
                let (a, b) = (self.regs[field(5)]?, self.regs[field(16)]?);
                self.compared = Some((a, b));
                if field(0) != 31 {
                    self.regs[field(0)] = Some(a.wrapping_sub(b));
                }
            }
            // subs rd, sp, rm or an immediate, where a large frame may wrap around
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
