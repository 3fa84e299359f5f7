//! The entry of an export does what it must: found by running the assembled bytes, one step after another.
//!
//! The assembler chooses an entry's instructions, so there are no bytes to compare it with. But it is short and has no
//! loops, so it can be tried out: for every remainder that SP can have, with just enough stack and with a little less.
//! An instruction that this small machine does not know is an error.

use super::{RSP, number};
use crate::goasm::EntryMeant;
use crate::verify::Reference;
use iced_x86::{ConditionCode, Decoder, DecoderOptions, FlowControl, Instruction, Mnemonic, OpKind};

/// SP is somewhere here when the entry is called, far from zero and from what 32 bits hold.
const BASE: u64 = 1 << 40;
/// An entry's longest path has about forty instructions.
const STEPS: usize = 200;
const DI: usize = 7;
const SI: usize = 6;

/// Try the entry out. `relocated` gives what the relocation of the 32-bit field at an offset leads to.
pub fn entry(code: &[u8], relocated: &dyn Fn(u32) -> Option<Reference>, meant: &EntryMeant) -> Result<(), String> {
    for remainder in (0..u64::from(meant.align.max(8))).step_by(8) {
        let sp = BASE + remainder;
        let enough = Run::new(code, relocated, sp, sp - u64::from(meant.stack) - 8).go(meant)?;
        if enough.calls != 1 || enough.grows {
            return Err(format!("calls the body {} times where there is enough stack", enough.calls));
        }
        let spent = Run::new(code, relocated, sp, sp - u64::from(meant.stack)).go(meant)?;
        if spent.calls != 0 || !spent.grows {
            return Err("does not grow the stack where it is 8 bytes short".into());
        }
    }
    Ok(())
}

struct Run<'a> {
    code: &'a [u8],
    relocated: &'a dyn Fn(u32) -> Option<Reference>,
    /// SP when the entry is called.
    sp: u64,
    /// What every load gives: the only memory an entry reads leads to the goroutine's lowest address.
    lo: u64,
    regs: [Option<u64>; 16],
    /// Of the last comparison: equal; below, unsigned.
    flags: Option<(bool, bool)>,
}

#[derive(Default)]
struct Outcome {
    calls: u32,
    grows: bool,
}

impl<'a> Run<'a> {
    fn new(code: &'a [u8], relocated: &'a dyn Fn(u32) -> Option<Reference>, sp: u64, lo: u64) -> Self {
        let mut regs = [None; 16];
        regs[RSP] = Some(sp);
        Run { code, relocated, sp, lo, regs, flags: None }
    }

    fn go(mut self, meant: &EntryMeant) -> Result<Outcome, String> {
        let mut outcome = Outcome::default();
        let mut at = 0u32;
        for _ in 0..STEPS {
            let bytes = self.code.get(at as usize..).ok_or("leaves its code")?;
            let i = Decoder::with_ip(64, bytes, u64::from(at), DecoderOptions::NONE).decode();
            let next = at + i.len() as u32;
            let leads = next.checked_sub(4).and_then(self.relocated);
            at = match i.flow_control() {
                FlowControl::Next => {
                    self.plain(&i).ok_or_else(|| format!("has {:?} at {at:#x}, which no entry needs", i.mnemonic()))?;
                    next
                }
                FlowControl::Call => {
                    self.call(leads, meant)?;
                    outcome.calls += 1;
                    next
                }
                FlowControl::Return if self.regs[RSP] == Some(self.sp) => return Ok(outcome),
                FlowControl::Return => return Err("returns with another SP than it was entered with".into()),
                FlowControl::UnconditionalBranch => match leads {
                    Some(target) if target == (meant.grow.clone(), 0) && self.regs[RSP] == Some(self.sp) => {
                        outcome.grows = true;
                        return Ok(outcome);
                    }
                    Some((symbol, _)) => return Err(format!("jumps to {symbol}")),
                    None => u32::try_from(i.near_branch_target()).map_err(|_| "jumps out of itself")?,
                },
                FlowControl::ConditionalBranch => match self.taken(&i).ok_or("branches on what is not known")? {
                    true => u32::try_from(i.near_branch_target()).map_err(|_| "jumps out of itself")?,
                    false => next,
                },
                _ => return Err(format!("has {:?} at {at:#x}", i.mnemonic())),
            };
        }
        Err("does not come to an end".into())
    }

    fn call(&mut self, leads: Option<Reference>, meant: &EntryMeant) -> Result<(), String> {
        let (symbol, offset) = leads.ok_or("calls something within itself")?;
        if (&symbol, offset) != (&meant.body.0, meant.body.1) {
            return Err(format!("calls {symbol}+{offset} instead of {}+{}", meant.body.0, meant.body.1));
        }
        let below = self.regs[RSP].and_then(|sp| self.sp.checked_sub(sp));
        if below.is_none_or(|below| below >= u64::from(meant.align.max(8))) {
            return Err("moves SP by more than its alignment needs".into());
        }
        if self.regs[RSP].is_none_or(|sp| sp % u64::from(meant.align.max(8)) != 0) {
            return Err(format!("calls the body with an SP that is no multiple of {}", meant.align));
        }
        // The areas lie above the return address (Go's ABI0).
        for (reg, offset, what) in [(DI, meant.arguments, "arguments"), (SI, meant.results, "results")] {
            if let Some(offset) = offset
                && self.regs[reg] != Some(self.sp + 8 + u64::from(offset))
            {
                return Err(format!("hands over another address than that of the {what}"));
            }
        }
        for (reg, value) in self.regs.iter_mut().enumerate() {
            if reg != RSP {
                *value = None;
            }
        }
        self.flags = None;
        Ok(())
    }

    fn taken(&self, i: &Instruction) -> Option<bool> {
        let (equal, below) = self.flags?;
        match i.condition_code() {
            ConditionCode::e => Some(equal),
            ConditionCode::ne => Some(!equal),
            ConditionCode::be => Some(equal || below),
            ConditionCode::a => Some(!equal && !below),
            _ => None,
        }
    }

    /// The value of an operand, cut to its width.
    fn value(&self, i: &Instruction, k: u32) -> Option<u64> {
        match i.op_kind(k) {
            OpKind::Register => {
                let value = self.regs[number(i.op_register(k))?]?;
                match i.op_register(k).size() {
                    8 => Some(value),
                    4 => Some(value & 0xffff_ffff),
                    1 if i.op_register(k) as u32 >= iced_x86::Register::AL as u32 => Some(value & 0xff),
                    _ => None,
                }
            }
            OpKind::Memory => Some(self.lo),
            _ => Some(i.immediate(k)),
        }
    }

    fn plain(&mut self, i: &Instruction) -> Option<()> {
        let to = (i.op_count() > 0 && i.op0_kind() == OpKind::Register).then(|| number(i.op0_register())).flatten();
        let wide = i.op_count() > 0 && i.op0_kind() == OpKind::Register && i.op0_register().size() >= 4;
        let compare = |a: u64, b: u64| Some((a == b, a < b));
        match i.mnemonic() {
            Mnemonic::Nop => {}
            Mnemonic::Mov if wide => self.regs[to?] = Some(self.value(i, 1)?),
            Mnemonic::Lea if wide => {
                let base = self.regs[number(i.memory_base())?]?;
                self.regs[to?] = (i.memory_index() == iced_x86::Register::None).then(|| base.wrapping_add(i.memory_displacement64()));
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
                // Nothing branches on it.
                self.flags = None;
            }
            _ => return None,
        }
        Some(())
    }
}
