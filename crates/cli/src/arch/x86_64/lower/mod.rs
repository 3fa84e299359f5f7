//! Lowers a function's instructions to pieces of Go assembly.
//!
//! | instruction | becomes |
//! |---|---|
//! | moves SP | `PUSHQ`, `POPQ`, `ADJSP`, which the assembler tracks |
//! | direct call | `CALL f<>+32(SB)`: the target starts after the unused prologue |
//! | direct jump to another function | `LEAQ f<>+32(SB), R11; JMP R11` (or another free register), because `JMP` drops the offset |
//! | branch within the function | laid out anew |
//! | `lea` of data | `LEAQ sym<>+off(SB)` |
//! | operand in read-only data | a copy in the pool after the code |
//! | operand in writable data, or in data with pointers | `LEAQ` into a scratch register, then the instruction through it |
//! | address of data aligned to more than Go supports | `LEAQ`, then a `mov` of 0 to the lowest one or two bytes of the address |
//! | operand on an SP that is not a multiple of 8 | the instruction with a larger displacement from the lowered SP |
//! | call that may unwind | the call, then an instruction without effect that encodes the distance to the call's record after the code |
//! | call or jump through a pointer that can reach no function | a load from address 0, `ud2` |
//! | everything else | its bytes |

mod encode;
mod flags;
mod operand;
mod unaligned_frame;

pub(super) use encode::adjsp;
pub(super) use operand::rounds_to;
pub(super) use unaligned_frame::lowered;

use super::layout::{Label, Laid, Piece, Pool, lay};
use super::record::{self, Record};
use super::{GO_NAMES, RSP, instruction, number, step};
use crate::analyze::{InstanceId, Way};
use crate::code::{Dest, Flow, Inst, Role};
use crate::diag::Diagnostic;
use crate::goasm::{Op, RefKind, Text, reference};
use crate::lower::{DataPlan, FunctionContext, Symbols};
use encode::push_pop;
use iced_x86::{Instruction, Mnemonic, OpKind};
use std::collections::{BTreeMap, BTreeSet};

type Lowered<T> = Result<T, Diagnostic>;

/// Returns the offset of the function's own code, which begins after the assembler's prologue with the stack check. On every system the prologue fits
/// into 32 bytes. A larger offset is necessary only if the function has constants of 64 bytes, which need this alignment.
pub fn start(symbols: &Symbols<'_>, me: InstanceId) -> u32 {
    let instance = &symbols.facts.instances[me];
    let function = &symbols.object.functions[instance.function];
    let Ok(code) = &symbols.program.codes[instance.function] else { return 32 };
    let wide = code.insts.iter().zip(&instance.summary.depths).any(|(inst, depth)| {
        depth.is_some() && inst.reloc.is_some() && {
            let i = instruction(function, inst);
            i.is_ip_rel_memory_operand() && i.memory_size().size() > 32
        }
    });
    if wide { 64 } else { 32 }
}

/// Returns the lowered function as assembly text.
pub fn body(symbols: &Symbols<'_>, plan: &mut DataPlan<'_>, me: InstanceId) -> Lowered<Text> {
    let instance = &symbols.facts.instances[me];
    let function = &symbols.object.functions[instance.function];
    let start = symbols.starts[&me];
    let mut laid = lower(symbols, plan, me, start, Vec::new())?;
    let name = symbols.names[&me].clone();
    plan.labels(&FunctionContext::new(symbols, me)?, &name, &laid.labels);
    let mut ops = vec![Op::Inst("NO_LOCAL_POINTERS".into()), Op::Inst(format!("PCALIGN ${start}"))];
    ops.append(&mut laid.ops);
    // This call is never executed. Without a call, the assembler would treat the function as a leaf and emit no prologue.
    ops.push(Op::Inst(format!("CALL {}(SB)", reference(&name, i64::from(start)))));
    laid.expected.start = start;
    laid.expected.align = start;
    let mut comments = vec![function.path.clone()];
    comments.push(format!("stack {} bytes, {} with its callees", instance.summary.deepest, symbols.facts.stacks[me].need));
    Ok(Text { comments, name, flags: vec!["NOFRAME"], frame: 0, args: 0, ops, expected: laid.expected, identity: None })
}

/// Lowers a function and lays out its code after the pieces in `prefix`. `start` is the offset of the first of all pieces in the emitted function.
pub(super) fn lower(symbols: &Symbols<'_>, plan: &mut DataPlan<'_>, me: InstanceId, start: u32, prefix: Vec<Piece>) -> Lowered<Laid> {
    let context = FunctionContext::new(symbols, me)?;
    unaligned_frame::check(&context)?;
    let mut body = Body {
        next_label: context.code.insts.len(),
        context,
        plan,
        pieces: prefix,
        pool: Pool::default(),
        tracked: 0,
        line: None,
        stubs: Vec::new(),
        tables: BTreeMap::new(),
    };
    body.run()?;
    lay(&body.pieces, &body.pool, start)
        .map_err(|_| body.context.refuse(0, "has a branch without a long form whose target would be out of reach"))
}

struct Body<'a, 'p, 'o> {
    context: FunctionContext<'a>,
    plan: &'p mut DataPlan<'o>,
    pieces: Vec<Piece>,
    pool: Pool,
    /// The depth of SP as the assembler tracks it in text order: the number of bytes by which SP is lower than on entry.
    tracked: u32,
    line: Option<crate::load::Line>,
    /// The stubs for conditional branches out of the function: each stub's label, and the index of the branch.
    stubs: Vec<(Label, usize)>,
    next_label: usize,
    /// The copies of jump tables after the code, by the place of the original table (section, offset).
    tables: BTreeMap<(crate::ids::DataId, u32), super::layout::PoolRef>,
}

impl<'a> Body<'a, '_, '_> {
    fn run(&mut self) -> Lowered<()> {
        let depths = &self.context.instance.summary.depths;
        let targets = self.context.targets();
        let padding = self.alignments(&targets);
        for (at, inst) in self.context.code.insts.iter().enumerate() {
            let Some(depth) = depths[at].map(lowered) else { continue };
            if padding.skip.contains(&at) {
                continue;
            }
            if self.tracked != depth {
                if self.context.falls_into(at) {
                    return Err(self
                        .context
                        .refuse(at, "has a stack pointer that the emitted text does not track; this is a bug in rustgo"));
                }
                self.adjust(i64::from(depth) - i64::from(self.tracked));
            }
            if padding.align.contains(&at) {
                self.pieces.push(Piece::Align(16));
            }
            if targets.contains(&at) || at == 0 {
                if inst.role == Role::Dropped {
                    return Err(self.context.refuse(at, "jumps into a stack-probe loop"));
                }
                self.pieces.push(Piece::Label(at));
            }
            self.source_line(at);
            self.pieces.push(Piece::Depth(depth));
            self.inst(at, inst)?;
        }
        for (label, at) in std::mem::take(&mut self.stubs) {
            let depth = lowered(depths[at].unwrap_or(0));
            self.adjust(i64::from(depth) - i64::from(self.tracked));
            self.pieces.push(Piece::Label(label));
            self.pieces.push(Piece::Depth(depth));
            self.tail_jump(at)?;
        }
        // After the text the assembler appends its call of runtime.morestack, which needs SP as on entry.
        self.adjust(-i64::from(self.tracked));
        Ok(())
    }

    /// Finds padding before branch targets whose offset is a multiple of 16. The compiler has aligned such a target, usually a loop, so lowering
    /// aligns the target too.
    fn alignments(&self, targets: &BTreeSet<usize>) -> Padding {
        let mut padding = Padding::default();
        for &at in targets {
            let inst = &self.context.code.insts[at];
            if !inst.offset.is_multiple_of(16) || self.context.function.align < 16 {
                continue;
            }
            let mut first = at;
            while first > 0
                && !targets.contains(&(first - 1))
                && step::is_padding(&instruction(self.context.function, &self.context.code.insts[first - 1]))
                && self.context.code.insts[first - 1].flow == Flow::Next
            {
                first -= 1;
            }
            if first < at {
                padding.skip.extend(first..at);
                padding.align.insert(at);
            }
        }
        padding
    }

    fn source_line(&mut self, at: usize) {
        self.pieces.extend(self.context.new_line(at, &mut self.line).map(|(file, line)| Piece::Line(file, line)));
    }

    fn raw(&mut self, bytes: &[u8]) {
        self.pieces.push(Piece::Raw { bytes: bytes.to_vec(), field: None });
    }

    fn mnemonic(&mut self, text: impl Into<String>, bytes: Vec<u8>, moves: i32) {
        self.tracked = self.tracked.wrapping_add_signed(moves);
        self.pieces.push(Piece::Inst { text: text.into(), bytes, reloc: None });
    }

    /// Moves SP down by `by` bytes with a mnemonic that the assembler tracks.
    fn adjust(&mut self, by: i64) {
        if by != 0 {
            let (text, bytes) = adjsp(by as i32);
            self.mnemonic(text, bytes, by as i32);
        }
    }

    fn bytes(&self, inst: &Inst) -> &'a [u8] {
        &self.context.function.code[inst.offset as usize..inst.end() as usize]
    }

    fn inst(&mut self, at: usize, inst: &Inst) -> Lowered<()> {
        match inst.role {
            Role::Dropped => return Ok(()),
            Role::ProbeLoop { .. } => {
                if flags::live(self.context.liveness().after(at)) != 0 {
                    return Err(self.context.refuse(at, "reads flags that a stack-probe loop has set"));
                }
                self.adjust(i64::from(lowered(self.context.depth_after(at)?)) - i64::from(self.tracked));
                return Ok(());
            }
            Role::Plain => {}
        }
        let i = instruction(self.context.function, inst);
        if self.context.symbols.object.unwinds && self.bytes(inst).starts_with(&record::MARK) {
            return Err(self.context.refuse(at, "contains the instruction by which rustgo marks calls that may unwind"));
        }
        let further = self.tracked - self.context.depth(at).unwrap_or(self.tracked);
        if further != 0 && self.shifted(at, inst, &i, further)? {
            return Ok(());
        }
        match &inst.flow {
            Flow::Next => self.plain(at, inst, &i),
            Flow::Trap | Flow::Return => {
                self.raw(self.bytes(inst));
                Ok(())
            }
            Flow::Jump(Dest::Local(_)) | Flow::Branch(Dest::Local(_)) => self.branch(at, inst, &i),
            Flow::Jump(_) => self.tail_jump(at),
            Flow::Branch(_) => {
                let label = self.next_label;
                self.next_label += 1;
                self.stubs.push((label, at));
                self.push_branch(at, &i, self.bytes(inst), label)
            }
            Flow::Call(_) => self.call(at),
            Flow::IndirectCall | Flow::IndirectJump if self.context.leads_nowhere(at) => {
                // Encodes mov eax, [0]; ud2. The load from address 0 faults. If the load does not fault, the ud2 traps.
                self.raw(&[0x8B, 0x04, 0x25, 0, 0, 0, 0]);
                self.pieces.push(Piece::Depth(self.tracked));
                self.raw(&[0x0F, 0x0B]);
                Ok(())
            }
            Flow::IndirectCall => {
                self.operand(at, inst, &i)?;
                self.after_call(at)
            }
            Flow::IndirectJump => self.operand(at, inst, &i),
            Flow::Forbidden(..) => Err(self.context.refuse(at, "contains a forbidden instruction")),
        }
    }

    fn branch(&mut self, at: usize, inst: &Inst, i: &Instruction) -> Lowered<()> {
        let (Flow::Jump(Dest::Local(to)) | Flow::Branch(Dest::Local(to))) = inst.flow else { unreachable!("a local branch") };
        let to = self.context.code.at(to).ok_or_else(|| self.context.refuse(at, "jumps into the middle of an instruction"))?;
        self.push_branch(at, i, self.bytes(inst), to)
    }

    fn push_branch(&mut self, at: usize, i: &Instruction, bytes: &[u8], to: Label) -> Lowered<()> {
        let (opcode, prefix) = if i.is_jmp_short_or_near() {
            (0xEB, Vec::new())
        } else if i.is_jcc_short_or_near() {
            // In both the short and the long form, the lowest four bits of the opcode are the condition (SDM vol. 2, Jcc).
            let condition = match i.code().op_code().op_code() {
                short @ 0x70..=0x7F => short as u8 & 0xF,
                long => long as u8 & 0xF,
            };
            (0x70 | condition, Vec::new())
        } else if bytes.len() >= 2 && (i.is_jcx_short() || i.is_loop() || i.is_loopcc()) {
            (0, bytes[..bytes.len() - 1].to_vec())
        } else {
            return Err(self.context.refuse(at, "has a branch of an unknown form"));
        };
        self.pieces.push(Piece::Branch { opcode, prefix, to });
        Ok(())
    }

    fn call(&mut self, at: usize) -> Lowered<()> {
        let (symbol, offset) = self.context.callee(at)?;
        let pad = self.context.edge_index(at).map_or(0, |index| self.context.instance.pads[index]);
        if pad > 0 {
            // Callee and caller may pass flags to each other, so this move of SP must not change live flags.
            match flags::live(self.context.liveness().before(at)) {
                0 => self.adjust(i64::from(pad)),
                _ => self.adjust_by_words(at, i64::from(pad))?,
            }
            self.pieces.push(Piece::Depth(self.tracked));
        }
        self.pieces.push(Piece::Inst {
            text: format!("CALL {}(SB)", reference(&symbol, offset)),
            bytes: vec![0xE8, 0, 0, 0, 0],
            reloc: Some((1, RefKind::Branch, symbol, offset)),
        });
        self.after_call(at)?;
        if pad > 0 && self.context.call_returns(at) {
            self.pieces.push(Piece::Depth(self.tracked));
            match flags::live(self.context.liveness().after(at)) {
                0 => self.adjust(-i64::from(pad)),
                _ => self.adjust_by_words(at, -i64::from(pad))?,
            }
        }
        Ok(())
    }

    /// Emits the code after a call. If the call may unwind, emits its mark and adds its record. If the call never returns, emits one more
    /// instruction, because the call's return address must lie in the function, at the call's depth of SP.
    fn after_call(&mut self, at: usize) -> Lowered<()> {
        if let Some((record, pad)) = self.record(at)? {
            let place = self.pool.record(record, pad);
            self.pieces.push(Piece::Depth(self.tracked));
            self.pieces.push(Piece::Raw { bytes: record::mark(0), field: Some((record::MARK.len(), place)) });
        }
        if !self.context.call_returns(at) {
            self.pieces.push(Piece::Depth(self.tracked));
            self.raw(&[0xCC]);
        }
        Ok(())
    }

    /// Returns the record of a call, and its landing pad. `None` if the call does not unwind.
    fn record(&self, at: usize) -> Lowered<Option<(Record, Option<Label>)>> {
        let Some(unwound) = self.context.edge(at).and_then(|(edge, _)| edge.unwound.as_ref()) else { return Ok(None) };
        let refuse = |what| self.context.refuse(at, what);
        let record = || Record::new(self.tracked, &unwound.saved, unwound.kept).map_err(refuse);
        Ok(match unwound.way {
            Way::Ends => None,
            Way::Leaves => Some((record()?, None)),
            Way::Lands { pad, .. } => {
                let there = lowered(self.context.depth(pad).unwrap_or(0));
                let raised = self.tracked.checked_sub(there).ok_or_else(|| refuse("has a landing pad with another stack pointer"))?;
                // The landing pad runs in this frame, so the unwinder must not restore any register for it: `saved` is 0.
                let record = Record { frame: self.tracked, ..Record::default() };
                Some((record.landing(raised).map_err(refuse)?, Some(pad)))
            }
        })
    }

    fn tail_jump(&mut self, at: usize) -> Lowered<()> {
        let (symbol, offset) = self.context.callee(at)?;
        if offset == 0 {
            self.pieces.push(Piece::Inst {
                text: format!("JMP {symbol}(SB)"),
                bytes: vec![0xE9, 0, 0, 0, 0],
                reloc: Some((1, RefKind::Branch, symbol, 0)),
            });
            return Ok(());
        }
        let live = self.context.liveness().before(at);
        let scratch = [11, 10, 0, 1, 2, 6, 7, 8, 9].into_iter().find(|r| live >> r & 1 == 0);
        let Some(scratch) = scratch else {
            return Err(self.context.refuse(at, "jumps to another function with every scratch register in use"));
        };
        self.lea(&symbol, offset, scratch);
        self.pieces.push(Piece::Depth(self.tracked));
        let mut jump = if scratch >= 8 { vec![0x41] } else { Vec::new() };
        jump.extend([0xFF, 0xE0 | (scratch as u8 & 7)]);
        self.raw(&jump);
        Ok(())
    }

    /// Emits `LEAQ symbol+offset(SB), reg`.
    fn lea(&mut self, symbol: &str, offset: i64, reg: usize) {
        let rex = 0x48 | if reg >= 8 { 4 } else { 0 };
        self.pieces.push(Piece::Inst {
            text: format!("LEAQ {}(SB), {}", reference(symbol, offset), GO_NAMES[reg]),
            bytes: vec![rex, 0x8D, 0x05 | (reg as u8 & 7) << 3, 0, 0, 0, 0],
            reloc: Some((3, RefKind::Address, symbol.to_owned(), offset)),
        });
    }

    /// Lowers an instruction without control flow.
    fn plain(&mut self, at: usize, inst: &Inst, i: &Instruction) -> Lowered<()> {
        let reg = |k: u32| (i.op_kind(k) == OpKind::Register && i.op_register(k).is_gpr64()).then(|| number(i.op_register(k))).flatten();
        match i.mnemonic() {
            Mnemonic::Push => match (i.op0_kind(), reg(0)) {
                (_, Some(r)) => {
                    self.mnemonic(format!("PUSHQ {}", GO_NAMES[r]), push_pop(0x50, r), 8);
                    Ok(())
                }
                (OpKind::Memory, _) => self.push_memory(at, inst, i),
                _ => {
                    let value = i.immediate(0) as i64 as i32;
                    let bytes = match i8::try_from(value) {
                        Ok(short) => vec![0x6A, short as u8],
                        Err(_) => [&[0x68][..], &value.to_le_bytes()].concat(),
                    };
                    self.mnemonic(format!("PUSHQ ${value}"), bytes, 8);
                    Ok(())
                }
            },
            Mnemonic::Pop => match reg(0) {
                Some(r) => {
                    self.mnemonic(format!("POPQ {}", GO_NAMES[r]), push_pop(0x58, r), -8);
                    Ok(())
                }
                None => Err(self.context.refuse(at, "pops into memory")),
            },
            Mnemonic::Pushfq => {
                self.mnemonic("PUSHFQ", vec![0x9C], 8);
                Ok(())
            }
            Mnemonic::Leave => {
                self.move_to(at, self.context.depth_after(at)? + 8, i)?;
                self.pieces.push(Piece::Depth(self.tracked));
                self.mnemonic("POPQ BP", push_pop(0x58, 5), -8);
                Ok(())
            }
            _ if reg(0) == Some(RSP)
                && matches!(i.mnemonic(), Mnemonic::Mov | Mnemonic::Lea | Mnemonic::Add | Mnemonic::Sub | Mnemonic::And) =>
            {
                self.move_to(at, self.context.depth_after(at)?, i)
            }
            _ => self.operand(at, inst, i),
        }
    }

    /// Emits a move of SP to `depth`. The mnemonic `ADJSP` changes the flags. If later code may read the flags, `ADJSP` is used only if it
    /// assembles to the bytes of the original instruction.
    fn move_to(&mut self, at: usize, depth: u32, original: &Instruction) -> Lowered<()> {
        let by = i64::from(lowered(depth)) - i64::from(self.tracked);
        let live = flags::live(self.context.liveness().after(at));
        if live != 0 && adjsp(by as i32).1 != self.bytes(&self.context.code.insts[at]) {
            if original.rflags_modified() != 0 {
                return Err(self.context.refuse(at, "sets flags by a move of the stack pointer"));
            }
            return self.adjust_keeping_flags(at, by, live);
        }
        self.adjust(by);
        Ok(())
    }
}

#[derive(Default)]
struct Padding {
    /// The padding instructions to drop. The layout adds padding of its own.
    skip: BTreeSet<usize>,
    /// The instructions that the layout must align.
    align: BTreeSet<usize>,
}
