//! Lowers a function's instructions to pieces of Go assembly. The lowered function has a frame with another layout.
//!
//! In a function with a frame, Go's unwinder expects the return address at SP at every instruction, but compilers put it elsewhere. So lowering
//! builds a new frame. If the compiler's SP goes D bytes below SP on entry, the new frame has F = D + 16 bytes (`super::frame`).
//!
//! SP moves down once, by F, at the first move of the compiler's SP, after the return address has been stored at its new place. SP moves up once,
//! where the compiler's SP is back at its value on entry. Words of the frame keep their distance from SP *on entry*, so x29 and other addresses
//! derived from SP keep their meaning. Only operands on SP get other offsets. The caller's arguments, above SP on entry, lie 16 bytes further
//! away, because the caller's frame has its return address below them.
//!
//! | instruction | becomes |
//! |---|---|
//! | moves SP | nothing, or the one move of the frame: `SUB $F, RSP, RSP`, which the assembler tracks |
//! | operand on SP | the instruction with another offset; through a free register if the offset does not fit |
//! | `and sp, rn, #-align` | the `and` into a free register, whose value is stored at the bottom of the frame (see `aligned`) |
//! | operand on an aligned SP | the instruction on a free register that is loaded from the bottom of the frame |
//! | call that passes stack arguments from an aligned SP | copies of the arguments at the new SP, then the call (see `aligned_calls`) |
//! | `cmp sp, rm` | the `cmp` of a free register with the compiler's SP |
//! | `bl`, `b` to another function | `CALL f<>(SB)`, `JMP f<>(SB)` |
//! | call that may unwind | the call, then an instruction without effect that encodes the distance to the call's record after the code |
//! | branch within the function | laid out anew |
//! | `adrp` | nothing, because the completing instruction makes the whole address; `MOVD` and `and` if code reads the upper part as a number |
//! | `add` of the lower part, load from the GOT | `MOVD $sym<>+off(SB), R`: `adrp` and `add` |
//! | `add` of the lower part, for data aligned to more than Go supports | `MOVD`, then `and`, and `add` if there is an offset |
//! | load or store with the lower part | `MOVD`, then the instruction without offset |
//! | call or jump through a pointer that can reach no function | a load from address 0, `brk` |
//! | everything else | its word |

mod aligned_calls;
mod contiguous_args;
mod encode;
mod exclusive;
mod unwind;

pub(super) use encode::{BREAK, add, address, load, move_sp, store};

use super::insn::{Access, Form, Insn, Kind, LR, Mode, SP};
use super::layout::{Label, Laid, Piece, Records, lay};
use super::liveness::FLAGS;
use super::step::PAGE;
use super::{ARGUMENTS, LINK, instruction};
use crate::analyze::{EdgeKind, Instance, InstanceId};
use crate::code::{Dest, Flow, Inst, Reg, Role, Set};
use crate::diag::Diagnostic;
use crate::goasm::{Contract, ExpectedContiguousArgs, RefKind, Text, reference};
use crate::load::{RelocKind, Target};
use crate::lower::{DataPlan, FunctionContext, Symbols};

type Lowered<T> = Result<T, Diagnostic>;

/// Offset of each frame's unused word from SP, in bytes. The return address is at SP, and the compiler's frame begins at SP + 16.
const BESIDE_LINK: i64 = 8;

/// Returns the lowered function as assembly text.
pub fn body(symbols: &Symbols<'_>, plan: &mut DataPlan<'_>, me: InstanceId) -> Lowered<Text> {
    let instance = &symbols.facts.instances[me];
    let function = &symbols.object.functions[instance.function];
    let mut laid = lower(symbols, plan, me, 0, Vec::new())?;
    let name = symbols.names[&me].clone();
    plan.labels(&FunctionContext::new(symbols, me)?, &name, &laid.labels);
    let mut ops = vec![crate::goasm::Op::Inst("NO_LOCAL_POINTERS".into())];
    ops.append(&mut laid.ops);
    let below = symbols.facts.aligned_calls.room(me);
    let frame = super::frame(deepest(instance) + below, symbols.facts.contiguous_args.extra_frame(me));
    let comments = vec![function.path.clone(), format!("frame {frame} bytes, stack {} with its callees", symbols.facts.stacks[me].need)];
    Ok(Text { comments, name, flags: vec!["NOFRAME"], frame: 0, args: 0, ops, expected: laid.expected, identity: None })
}

/// Returns the largest depth of the compiler's SP, in bytes below SP on entry.
fn deepest(instance: &Instance) -> u32 {
    instance.summary.depths.iter().flatten().copied().max().unwrap_or(0)
}

/// Lowers a function and lays it out after the pieces in `prefix`. If the function has a frame, the frame gets `spare` more bytes at its top than
/// the analysis states.
pub(super) fn lower(symbols: &Symbols<'_>, plan: &mut DataPlan<'_>, me: InstanceId, spare: u32, prefix: Vec<Piece>) -> Lowered<Laid> {
    let context = FunctionContext::new(symbols, me)?;
    let deepest = deepest(context.instance);
    let above = symbols.facts.contiguous_args.extra_frame(me);
    let below = symbols.facts.aligned_calls.room(me);
    let (frame, spare) = match super::frame(deepest + below, above) {
        0 => (0, 0),
        frame => (frame + spare, spare + above.unwrap_or(0)),
    };
    let mut body = Body {
        after_copy: context.code.insts.len(),
        next_label: context.code.insts.len() + 1,
        contract: None,
        context,
        plan,
        pieces: prefix,
        calls: unwind::Calls::default(),
        deepest,
        below,
        frame: i64::from(frame),
        spare: i64::from(spare),
        tracked: 0,
        line: None,
        stubs: Vec::new(),
    };
    body.run()?;
    let mut laid = lay(&body.pieces, &body.calls.records).map_err(|far| body.context.refuse(0, far.reason()))?;
    laid.expected.contract =
        body.contract.map(|expected| Contract::ContiguousArgs(ExpectedContiguousArgs { end: laid.labels[&body.after_copy], ..expected }));
    Ok(laid)
}

struct Body<'a, 'p, 'o> {
    context: FunctionContext<'a>,
    plan: &'p mut DataPlan<'o>,
    pieces: Vec<Piece>,
    calls: unwind::Calls,
    /// The largest depth of the compiler's SP, in bytes below SP on entry.
    deepest: u32,
    /// Number of bytes at the bottom of the new frame, below the compiler's frame, for stack arguments that are passed from an aligned frame.
    below: u32,
    /// The size of the new frame, in bytes.
    frame: i64,
    /// The number of bytes that the new frame has above the compiler's frame: room for contiguous arguments, and `spare` of the function `lower`.
    spare: i64,
    /// The depth of SP as the assembler tracks it in text order: the number of bytes by which SP is lower than on entry.
    tracked: i64,
    line: Option<crate::load::Line>,
    /// The stubs for conditional branches out of the function: each stub's label, and the index of the branch.
    stubs: Vec<(Label, usize)>,
    next_label: usize,
    /// The label at the end of the code that copies stack arguments.
    after_copy: Label,
    /// The expected effect of the code that copies stack arguments, for verify.
    contract: Option<ExpectedContiguousArgs>,
}

impl<'a> Body<'a, '_, '_> {
    /// Returns the depth of SP in lowered code at a place where the compiler's SP has the depth `depth`.
    fn lowered(&self, depth: u32) -> i64 {
        if depth == 0 && !self.copies_arguments() { 0 } else { self.frame }
    }

    fn run(&mut self) -> Lowered<()> {
        let depths = &self.context.instance.summary.depths;
        self.refuse_escaping_boundary()?;
        if self.copies_arguments() {
            self.make_frame_and_copy()?;
        }
        let targets = self.context.targets();
        for (at, inst) in self.context.code.insts.iter().enumerate() {
            let Some(depth) = depths[at] else { continue };
            let wanted = self.lowered(depth);
            if self.tracked != wanted {
                if self.context.falls_into(at) {
                    return Err(self
                        .context
                        .refuse(at, "has a stack pointer that the emitted text does not track; this is a bug in rustgo"));
                }
                // This move of SP is never executed. It gives the assembler the right depth of SP for the text after it.
                self.move_sp(wanted - self.tracked);
            }
            if targets.contains(&at) || at == 0 {
                if inst.role == Role::Dropped {
                    return Err(self.context.refuse(at, "jumps into a stack-probe loop"));
                }
                self.pieces.push(Piece::Label(at));
            }
            self.source_line(at);
            self.mark();
            let after = if inst.flow == Flow::Next { self.context.depth_after(at)? } else { depth };
            if depth == 0 && after > 0 && !self.copies_arguments() {
                self.open(at)?;
            }
            self.inst(at, inst, depth)?;
            if depth > 0 && after == 0 && !self.copies_arguments() {
                self.close(at, self.context.liveness().after(at))?;
            }
        }
        for (label, at) in std::mem::take(&mut self.stubs) {
            self.move_sp(self.lowered(0) - self.tracked);
            self.pieces.push(Piece::Label(label));
            self.mark();
            self.tail_jump(at)?;
        }
        // An instruction follows the code, because the return address of a call at the end must lie in the function.
        self.move_sp(-self.tracked);
        self.mark();
        self.pieces.push(Piece::Word(BREAK));
        Ok(())
    }

    fn source_line(&mut self, at: usize) {
        self.pieces.extend(self.context.new_line(at, &mut self.line).map(|(file, line)| Piece::Line(file, line)));
    }

    /// Records that at the next instruction SP has the depth that the assembler tracks.
    fn mark(&mut self) {
        self.pieces.push(Piece::Depth(self.tracked as u32));
    }

    fn word(&mut self, word: u32) {
        self.mark();
        self.pieces.push(Piece::Word(word));
    }

    fn words(&mut self, words: &[u32]) {
        words.iter().for_each(|&word| self.word(word));
    }

    /// Moves SP down by `by` bytes with mnemonics that the assembler tracks.
    fn move_sp(&mut self, by: i64) {
        for (text, word, by) in move_sp(by) {
            self.move_by(text, word, by);
        }
    }

    fn move_by(&mut self, text: String, word: u32, by: i64) {
        self.mark();
        self.pieces.push(Piece::Inst { text, words: vec![word], reloc: None });
        self.tracked += by;
    }

    /// Returns a scratch register: neither this instruction nor later code reads the value that the register holds.
    fn scratch(&self, at: usize) -> Lowered<Reg> {
        let i = instruction(self.context.function, &self.context.code.insts[at]);
        // An exclusive store must not use one register for its status and its address, so leave out the registers that a store writes.
        let status = if i.access().is_some_and(|access| access.stores) { i.writes } else { 0 };
        let live = self.context.liveness().before(at) | Set::from(status);
        [17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]
            .into_iter()
            .find(|r| live >> r & 1 == 0)
            .ok_or_else(|| self.context.refuse(at, "needs a register to reach its frame, and all are in use"))
    }

    /// Returns a scratch register. If no register is free, returns a register that this instruction does not use, as the first and as the second
    /// result. Then the emitted code must save this register in the unused word next to the return address, and restore it.
    fn scratch_or_kept(&self, at: usize) -> Lowered<(Reg, Option<Reg>)> {
        let i = instruction(self.context.function, &self.context.code.insts[at]);
        let unused = (0..18).rev().find(|r| (i.reads | i.writes) >> r & 1 == 0).filter(|_| self.tracked > 0);
        match (self.scratch(at), unused) {
            (Ok(free), _) => Ok((free, None)),
            (Err(refused), Some(_)) if exclusive::between(&self.context).contains(&at) => Err(refused),
            (Err(_), Some(kept)) => Ok((kept, Some(kept))),
            (Err(refused), None) => Err(refused),
        }
    }

    /// Emits code that makes the frame. Before each move of SP, the code stores the return address where SP will point.
    fn open(&mut self, at: usize) -> Lowered<()> {
        let mut moves = move_sp(self.frame);
        if self.scratch(at).is_err() && moves.iter().any(|(_, _, by)| store(LR, SP, -by).is_none()) {
            // No register is free. So first make a frame of LINK bytes, whose unused word can save a register. Then make the rest of the frame.
            moves = move_sp(i64::from(super::LINK));
            moves.extend(move_sp(self.frame - i64::from(super::LINK)));
        }
        for (text, word, by) in moves {
            match store(LR, SP, -by) {
                Some(store) => self.word(store),
                None => {
                    let (scratch, kept) = self.scratch_or_kept(at)?;
                    let below = add(scratch, SP, -by).ok_or_else(|| self.context.refuse(at, "has a frame of over 16 MiB"))?;
                    self.words(kept.and_then(|kept| store(kept, SP, BESIDE_LINK)).as_slice());
                    self.words(&below);
                    self.word(store(LR, scratch, 0).expect("an offset of 0"));
                    self.words(kept.and_then(|kept| load(kept, SP, BESIDE_LINK)).as_slice());
                }
            }
            self.move_by(text, word, by);
        }
        Ok(())
    }

    /// Emits code that removes the frame. x30 already holds the return address again. `live` has the registers in use. If the removal needs
    /// two moves of SP, the code stores the return address where SP points between the moves.
    fn close(&mut self, at: usize, live: Set) -> Lowered<()> {
        let moves = move_sp(-self.tracked);
        if let [(_, _, first), _] = moves[..] {
            match store(LR, SP, -first) {
                Some(store) => self.word(store),
                None => {
                    let scratch = [17, 16, 15, 14, 13, 12, 11, 10, 9].into_iter().find(|r| live >> r & 1 == 0);
                    let scratch =
                        scratch.ok_or_else(|| self.context.refuse(at, "needs a register to leave its frame, and all are in use"))?;
                    let above = add(scratch, SP, -first).ok_or_else(|| self.context.refuse(at, "has a frame of over 16 MiB"))?;
                    self.words(&above);
                    self.word(store(LR, scratch, 0).expect("an offset of 0"));
                }
            }
        }
        for (text, word, by) in moves {
            self.move_by(text, word, by);
        }
        Ok(())
    }

    fn inst(&mut self, at: usize, inst: &Inst, depth: u32) -> Lowered<()> {
        if inst.role != Role::Plain {
            if self.context.liveness().after(at) & FLAGS != 0 {
                return Err(self.context.refuse(at, "reads flags that a stack-probe loop has set"));
            }
            return Ok(());
        }
        let i = instruction(self.context.function, inst);
        if inst.flow == Flow::Return || inst.flow == Flow::IndirectJump && self.context.edge(at).is_some() {
            self.check_vectors(at)?;
        }
        match &inst.flow {
            Flow::Next if inst.reloc.is_some() => self.relocated(at, inst, &i),
            Flow::Next if inst.function_address.is_some() => {
                let (Kind::Adr { rd, .. }, Some(id)) = (i.kind, inst.function_address) else {
                    return Err(self.context.refuse(at, "takes an address in a form that Go's assembler cannot express"));
                };
                let (symbol, offset) = self.context.symbols.address(&Target::Function(id));
                self.address(rd, symbol, offset);
                Ok(())
            }
            Flow::Next => self.plain(at, &i, depth),
            Flow::Return if self.copies_arguments() => self.leave(at, i.word),
            Flow::Trap | Flow::Return => {
                self.word(i.word);
                Ok(())
            }
            Flow::Jump(Dest::Local(to)) | Flow::Branch(Dest::Local(to)) => {
                let to = self.context.code.at(*to).ok_or_else(|| self.context.refuse(at, "jumps into the middle of an instruction"))?;
                self.pieces.push(Piece::Branch { word: i.word, to });
                Ok(())
            }
            Flow::Jump(_) => self.tail_jump(at),
            Flow::Branch(_) => {
                let label = self.next_label;
                self.next_label += 1;
                self.stubs.push((label, at));
                self.pieces.push(Piece::Branch { word: i.word, to: label });
                Ok(())
            }
            Flow::Call(_) => self.call(at, depth, None),
            Flow::IndirectCall | Flow::IndirectJump if self.context.leads_nowhere(at) => {
                // The words are mov x16, #0; ldr x16, [x16]; brk. The load from address 0 faults. If the load does not fault, the brk traps.
                self.words(&[0xd280_0010, 0xf940_0210, BREAK]);
                Ok(())
            }
            Flow::IndirectCall => self.call(at, depth, Some(i.word)),
            Flow::IndirectJump if self.copies_arguments() && self.context.edge(at).is_some() => self.jump_as_call(at, Some(i.word)),
            Flow::IndirectJump => {
                self.word(i.word);
                Ok(())
            }
            Flow::Forbidden(..) => Err(self.context.refuse(at, "contains a forbidden instruction")),
        }
    }

    /// Emits a call, direct or through a register. `indirect` is the word of the `blr`, if the call goes through a register.
    fn call(&mut self, at: usize, depth: u32, indirect: Option<u32>) -> Lowered<()> {
        let returns = self.context.call_returns(at);
        let takes_stack = self.takes_stack(at);
        let is_aligned = self.context.instance.summary.in_aligned_frame.contains_key(&at);
        if takes_stack && !is_aligned && (depth != self.deepest || self.below > 0) {
            return Err(self.context.refuse(at, "passes stack arguments that are not at the lowest address of its frame"));
        }
        // A call without a frame overwrites x30, the only copy of this function's return address. The analysis accepts such a call only if the call
        // never returns. Here the call is refused if it passes stack arguments.
        if depth == 0 && takes_stack {
            return Err(self.context.refuse(at, "calls a function without having saved its own return address"));
        }
        if depth == 0 && !self.copies_arguments() {
            // The call overwrites x30, but the unwinder needs this function's return address to find the caller. So the return address
            // is stored in a small frame.
            self.word(store(LR, SP, -i64::from(LINK)).expect("a small offset"));
            self.move_sp(i64::from(LINK));
            self.mark();
        }
        if takes_stack && is_aligned {
            self.pass_from_aligned(at, depth, indirect.is_none())?;
        }
        self.call_by(at, indirect)?;
        self.mark_call(at)?;
        if !returns {
            // An instruction follows, because the return address of a call must lie in the function, even if the call never returns.
            self.word(BREAK);
        }
        Ok(())
    }

    /// Emits only the call instruction.
    fn call_by(&mut self, at: usize, indirect: Option<u32>) -> Lowered<()> {
        match indirect {
            Some(word) => self.pieces.push(Piece::Word(word)),
            None => {
                let (symbol, offset) = self.context.callee(at)?;
                let text = format!("CALL {}(SB)", reference(&symbol, offset));
                self.pieces.push(Piece::Inst { text, words: vec![0x9400_0000], reloc: Some((RefKind::Branch, symbol, offset)) });
            }
        }
        Ok(())
    }

    /// True if a function that this call or jump may reach takes stack arguments.
    fn takes_stack(&self, at: usize) -> bool {
        let facts = self.context.symbols.facts;
        self.context.edge_index(at).is_some_and(|edge| facts.stack_arguments.taken_at(self.context.instance, edge))
    }

    fn tail_jump(&mut self, at: usize) -> Lowered<()> {
        if self.copies_arguments() {
            return self.jump_as_call(at, None);
        }
        self.check_vectors(at)?;
        debug_assert!(self.context.edge(at).is_none_or(|(edge, _)| edge.kind == EdgeKind::Tail));
        let (symbol, offset) = self.context.callee(at)?;
        let text = format!("JMP {}(SB)", reference(&symbol, offset));
        self.pieces.push(Piece::Inst { text, words: vec![0x1400_0000], reloc: Some((RefKind::Branch, symbol, offset)) });
        Ok(())
    }

    /// Lowers an instruction with a relocation. Such an instruction makes an address, or completes an address with its lower part.
    fn relocated(&mut self, at: usize, inst: &Inst, i: &Insn) -> Lowered<()> {
        let reloc = &self.context.function.relocs[inst.reloc.unwrap_or_default() as usize];
        let mut kept = None;
        let reg = match (reloc.kind, i.kind) {
            (RelocKind::Page | RelocKind::GotPage, Kind::Adrp { .. })
                if !self.context.symbols.address_halves.contains(&self.context.me) =>
            {
                return Ok(());
            }
            (RelocKind::Page | RelocKind::GotPage, Kind::Adrp { rd }) => rd,
            (RelocKind::Adr, Kind::Adr { rd, .. }) | (RelocKind::PageOffset, Kind::AddImmediate { rd, .. }) => rd,
            (RelocKind::GotPageOffset, Kind::Memory(_)) => (i.word & 31) as Reg,
            (RelocKind::PageOffset, Kind::Memory(access)) => {
                let reg;
                (reg, kept) = self.completed_in(at, i, access.base)?;
                reg
            }
            _ => return Err(self.context.refuse(at, "has a relocation that cannot be expressed")),
        };
        self.words(kept.and_then(|kept| store(kept, SP, BESIDE_LINK)).as_slice());
        match &reloc.target {
            Target::Data(id) => {
                let place = self.plan.place(*id, reloc.addend);
                let (offset, rest) = place.steps();
                self.address(reg, place.symbol, offset);
                if let Some(rounded) = place.rounded {
                    self.word(encode::round_down(reg, rounded));
                    let words = add(reg, reg, rest).ok_or_else(|| self.context.refuse(at, "has a relocation that cannot be expressed"))?;
                    self.words(if rest == 0 { &[] } else { &words });
                }
            }
            target => {
                let (symbol, offset) = self.context.symbols.address(target);
                self.address(reg, symbol, offset);
            }
        }
        self.pieces.push(Piece::Depth(self.tracked as u32));
        if let (RelocKind::PageOffset, Kind::Memory(_)) = (reloc.kind, i.kind) {
            let word = i.through(reg, 0).ok_or_else(|| self.context.refuse(at, "has a relocation that cannot be expressed"))?;
            self.word(word);
            self.words(kept.and_then(|kept| load(kept, SP, BESIDE_LINK)).as_slice());
        }
        if let Kind::Adrp { rd } = i.kind {
            if reloc.kind == RelocKind::Page && self.aligned_to_pages(&reloc.target) {
                return Err(self
                    .context
                    .refuse(at, "computes only the upper part of a page-aligned address, which the code may use as the whole address"));
            }
            self.word(encode::round_down(rd, PAGE.unsigned_abs()));
        }
        Ok(())
    }

    /// Returns the register into which lowered code loads the whole address, for an access that adds the lower part of the address. Normally this is
    /// the base register, which held the upper part. If code reads the upper part later, the base register must stay unchanged, and the results are
    /// those of [`Body::scratch_or_kept`].
    fn completed_in(&self, at: usize, i: &Insn, base: Reg) -> Lowered<(Reg, Option<Reg>)> {
        let read_later = (self.context.liveness().after(at) & !Set::from(i.writes)) >> base & 1 != 0;
        if self.context.symbols.address_halves.contains(&self.context.me) && read_later {
            self.scratch_or_kept(at)
        } else {
            Ok((base, None))
        }
    }

    /// True if the target's section is aligned to pages. Then the compiler knows the lower part of the address, so code may use only the upper part.
    fn aligned_to_pages(&self, target: &Target) -> bool {
        let object = self.context.symbols.object;
        let align = match target {
            Target::Data(id) => object.data[*id].align,
            Target::Function(id) => {
                let section = &object.sections[object.functions[*id].section];
                section.functions.first().map_or(1, |&first| object.functions[first].align)
            }
            Target::Exit(_) | Target::Undefined(_) | Target::AmongCode(_) => 1,
        };
        align >= PAGE.unsigned_abs()
    }

    /// Emits `MOVD $symbol+offset(SB), reg`.
    fn address(&mut self, reg: Reg, symbol: String, offset: i64) {
        self.pieces.push(Piece::Inst {
            text: format!("MOVD ${}(SB), {}", reference(&symbol, offset), encode::name(reg)),
            words: encode::address(reg),
            reloc: Some((RefKind::Address, symbol, offset)),
        });
    }

    /// Lowers an instruction without control flow or relocation.
    fn plain(&mut self, at: usize, i: &Insn, depth: u32) -> Lowered<()> {
        // Stack arguments lie further away in lowered code: the caller's return address and the extra room at the top of this frame lie
        // below them.
        let moved = self.context.instance.summary.moved.get(&at).copied().unwrap_or(0).signum() * (i64::from(LINK) + self.spare);
        let moved = if self.copies_arguments() { 0 } else { moved };
        // An offset from the compiler's SP, plus `distance`, is the offset from the new SP. The extra room at the top of the frame does not count,
        // because it lies above the compiler's frame. `distance` is right for addresses computed from SP even before the new frame is made.
        let distance = self.tracked - self.spare - i64::from(depth);
        let far = |body: &Self| body.context.refuse(at, "accesses its frame at a distance over 16 MiB");
        let aligned = &self.context.instance.summary.in_aligned_frame;
        match i.kind {
            Kind::AddImmediate { rd: SP, .. } | Kind::Align { rd: SP, .. }
                if !aligned.contains_key(&at) && aligned.contains_key(&(at + 1)) =>
            {
                self.align(at, i)
            }
            Kind::AddImmediate { rd: SP, .. } | Kind::AddToSp { rd: SP, .. } | Kind::Align { rd: SP, .. } => Ok(()),
            _ if aligned.contains_key(&at) && i.reads >> SP & 1 != 0 => self.on_aligned(at, i, distance),
            Kind::AddImmediate { rd, rn: SP, by } => {
                let words = add(rd, SP, by + distance + moved).ok_or_else(|| far(self))?;
                self.words(&words);
                Ok(())
            }
            Kind::AddImmediate { rd, rn, by } if moved != 0 => {
                let words = add(rd, rn, by + moved).ok_or_else(|| far(self))?;
                self.words(&words);
                Ok(())
            }
            Kind::AddToSp { rd, .. } => {
                self.word(i.word);
                // `moved` differs from 0 only if the result is a known address, not if `rm` is an index.
                if distance + moved != 0 {
                    let words = add(rd, rd, distance + moved).ok_or_else(|| far(self))?;
                    self.words(&words);
                }
                Ok(())
            }
            Kind::CompareSp { rm } if distance != 0 => {
                self.through_scratch(at, |scratch| add(scratch, SP, distance), |scratch| Some(encode::compare(scratch, rm)))
            }
            Kind::Memory(access) if access.base == SP => {
                let offset = if access.mode == Mode::Post { 0 } else { access.offset };
                self.access(at, i, &access, offset + distance + moved)
            }
            Kind::Memory(access) if moved != 0 => self.access(at, i, &access, access.offset + moved),
            _ => {
                self.word(i.word);
                Ok(())
            }
        }
    }

    /// Emits the access with another offset from its base, without write-back.
    fn access(&mut self, at: usize, i: &Insn, access: &Access, offset: i64) -> Lowered<()> {
        let bare = access.form == Form::Bare || access.form == Form::Indexed;
        if access.mode != Mode::Offset && (access.base != SP || bare) {
            return Err(self.context.refuse(at, "changes the base register of a stack access in a form that is not understood"));
        }
        if let Some(word) = i.through(access.base, offset) {
            self.word(word);
            return Ok(());
        }
        self.through_scratch(at, |scratch| add(scratch, access.base, offset), |scratch| i.through(scratch, 0))
    }

    /// Lowers an instruction that aligns the compiler's SP: emits code that computes the aligned address and stores it.
    fn align(&mut self, at: usize, i: &Insn) -> Lowered<()> {
        let place = self.tracked - self.spare - i64::from(self.context.depth_after(at)?);
        let (sp, kept) = match i.kind {
            Kind::Align { .. } => self.scratch_or_kept(at)?,
            Kind::AddImmediate { rn, .. } => (rn, None),
            _ => return Err(self.context.refuse(at, "aligns its frame in a way that is not understood")),
        };
        let stored = store(sp, SP, place).ok_or_else(|| self.context.refuse(at, "aligns its frame too far above its deepest point"))?;
        self.words(kept.and_then(|kept| store(kept, SP, BESIDE_LINK)).as_slice());
        if let Kind::Align { .. } = i.kind {
            self.word(i.word & !31 | sp as u32);
        }
        self.word(stored);
        self.words(kept.and_then(|kept| load(kept, SP, BESIDE_LINK)).as_slice());
        Ok(())
    }

    /// Lowers an instruction with an operand on an aligned SP. The aligned address is stored at the distance `place` from the new SP.
    fn on_aligned(&mut self, at: usize, i: &Insn, place: i64) -> Lowered<()> {
        let kept = |reg| load(reg, SP, place).map(|word| vec![word]);
        match i.kind {
            _ if !i.is_load_exclusive() && exclusive::between(&self.context).contains(&at) => {
                Err(self.context.refuse(at, "accesses an aligned frame between an exclusive load and its store"))
            }
            Kind::AddImmediate { rd, by, .. } => {
                let far = || self.context.refuse(at, "accesses its frame at a distance over 16 MiB");
                let words = kept(rd).ok_or_else(far)?;
                let moved = if by == 0 { Vec::new() } else { add(rd, rd, by).ok_or_else(far)? };
                self.words(&words);
                self.words(&moved);
                Ok(())
            }
            Kind::AddToSp { .. } => self.through_scratch(at, kept, |scratch| Some(i.word & !(31 << 5) | (scratch as u32) << 5)),
            Kind::CompareSp { rm } => self.through_scratch(at, kept, |scratch| Some(encode::compare(scratch, rm))),
            Kind::Memory(access) if access.base == SP && access.mode == Mode::Offset => {
                self.through_scratch(at, kept, |scratch| i.through(scratch, access.offset))
            }
            _ => Err(self.context.refuse(at, "uses an aligned stack pointer in a way that is not understood")),
        }
    }

    /// Emits an instruction that uses a scratch register. `base` encodes the instructions that fill the register, and `word` encodes the
    /// instruction itself.
    fn through_scratch(&mut self, at: usize, base: impl Fn(Reg) -> Option<Vec<u32>>, word: impl Fn(Reg) -> Option<u32>) -> Lowered<()> {
        let (scratch, kept) = self.scratch_or_kept(at)?;
        let base = base(scratch).ok_or_else(|| self.context.refuse(at, "accesses its frame at a distance over 16 MiB"))?;
        let word = word(scratch).ok_or_else(|| self.context.refuse(at, "reaches its frame in a way that is not understood"))?;
        self.words(kept.and_then(|kept| store(kept, SP, BESIDE_LINK)).as_slice());
        self.words(&base);
        self.word(word);
        self.words(kept.and_then(|kept| load(kept, SP, BESIDE_LINK)).as_slice());
        Ok(())
    }
}
