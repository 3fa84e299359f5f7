//! The machine AArch64. This folder decodes its instructions, applies them to the analysis state, lowers them, and checks the assembled result.
//! Peculiarities of the machine:
//!
//! - Every instruction is one 32-bit word. The module `insn` reads from the word's fields what the instruction does. The module `insn::encoding`
//!   and a decoder library decide if the word is an instruction, and the library prints it.
//! - A call puts its return address into x30 and nothing on the stack. Go's unwinder reads the return address from x30 while SP has its value on
//!   entry, and otherwise from the word at SP. So lowering builds a new frame for every function that moves SP (see `lower`).
//! - SP is a multiple of 16 at every memory access through SP, so frame sizes are multiples of 16.
//! - x28 holds Go's g, which signal handlers read. x18 belongs to the system on darwin and windows. No instruction may use x18 or x28.
//! - Code computes an address in two steps. `adrp` computes the address of the page (the *upper part*), and a second instruction adds the offset in
//!   the page (the *lower part*). Each instruction has its own relocation.
//! - AAPCS64 defines no red zone, so code does not use the memory below SP.
//!
//! Sources: Arm ARM (DDI 0487) chapter C4, AAPCS64 (Arm IHI 0055), ELF for AArch64 (Arm IHI 0056), Go `cmd/internal/obj/arm64`.

mod aligned;
mod check;
mod contract;
mod decode;
mod entry;
mod insn;
mod layout;
mod liveness;
mod lower;
mod record;
mod step;

use crate::analyze::{Effect, InstanceId, Knowledge, Machine, Refusal, Slots, State, Value, value_after_call};
use crate::code::{Code, Convention, Inst, Reg, Set, Uses};
use crate::decode::Decoder;
use crate::diag::Diagnostic;
use crate::goasm::{Contract, Expected, ExpectedDispatch, Op, RefKind, Text};
use crate::goobj::reloc;
use crate::ids::{ExportId, FuncId};
use crate::load::{Function, Object};
use crate::lower::{DataLowering, DataPlan, Glue, Lowering, Signature, Symbols};
use crate::verify::{Mode, Prover, Reference};
use insn::{Insn, LR, SP};
use std::collections::{BTreeMap, BTreeSet};

/// Implements the traits of the stages for AArch64.
pub struct Aarch64;

/// The register numbers of x19 to x29, which callees preserve (AAPCS64 §6.1.1). x28 is listed for completeness; no instruction may use it.
const CALLEE_SAVED: [Reg; 11] = [19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29];

/// The set of the registers that pass arguments: x0 to x7, and x8 for the address of a large result (AAPCS64 §6.8.2, §6.9).
const ARGUMENTS: u32 = 0x1ff;

/// The register numbers of x0 and x1, which return results (AAPCS64 §6.9).
const RESULTS: [Reg; 2] = [0, 1];

/// The number of bytes that lowering adds at the bottom of each frame: a word for the return address, where Go's unwinder reads it, and a word of
/// padding.
const LINK: u32 = 16;

/// Reads the fields of the instruction `inst` in the function.
fn instruction(function: &Function, inst: &Inst) -> Insn {
    Insn::new(word(&function.code, inst.offset))
}

fn word(code: &[u8], offset: u32) -> u32 {
    code.get(offset as usize..offset as usize + 4).map_or(0, |b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
}

/// Returns the frame size of a lowered function, in bytes. `deepest` is the size of the compiler's frame. `above` is the extra room that lowering
/// adds at the top, if any. The size is 0 if there is neither a compiler's frame nor extra room.
fn frame(deepest: u32, above: Option<u32>) -> u32 {
    match (deepest, above) {
        (0, None) => 0,
        (deepest, above) => deepest.next_multiple_of(16) + LINK + above.unwrap_or(0),
    }
}

impl Decoder for Aarch64 {
    fn decode(&self, object: &Object, id: FuncId) -> Result<Code, Diagnostic> {
        decode::decode(object, id)
    }
}

impl Machine for Aarch64 {
    fn entry(&self) -> State {
        let mut regs: Vec<Value> = (0..32).map(|r| Value::Entry(r as u8)).collect();
        regs[SP] = Value::Sp(0);
        State { regs, slots: Slots::default(), escaped: false, aligned: None, written: 0, is_rust: false }
    }

    fn sp(&self) -> Reg {
        SP
    }

    fn argument_registers(&self) -> u32 {
        ARGUMENTS
    }

    fn callee_saved(&self) -> &'static [Reg] {
        &CALLEE_SAVED
    }

    fn frame_pointer(&self) -> Option<Reg> {
        // Go's frame pointer is x29. A framed entry saves and restores it. A fused entry contains its body, which must restore x29 itself, as AAPCS64
        // demands (see `entry`).
        None
    }

    fn call_size(&self) -> i64 {
        0
    }

    fn link(&self) -> Option<Reg> {
        Some(LR)
    }

    fn lowered_frame(&self, deepest: u32, above: Option<u32>) -> u32 {
        frame(deepest, above)
    }

    fn lowered_call(&self, deepest: u32, above: Option<u32>, depth: u32) -> u32 {
        // If SP has its value on entry at a call, the call is accepted only if it never returns. Before such a call, lowering makes a frame of LINK
        // bytes for the return address.
        if depth == 0 { LINK } else { frame(deepest, above) }
    }

    fn stack_alignment(&self) -> u32 {
        // Go's frames are multiples of 16 bytes, because the processor requires SP to be a multiple of 16 in every access through SP.
        16
    }

    fn entry_stack(&self, _align: u32, _blocking: bool) -> u32 {
        entry::RECORD
    }

    fn step(&self, function: &Function, inst: &Inst, state: &mut State, knowledge: &mut dyn Knowledge) -> Result<Effect, Refusal> {
        step::step(function, inst, state, knowledge)
    }

    fn returned(&self, state: &mut State, clobbered: u32) {
        for reg in 0..SP {
            // The call instruction overwrites the link register with the return address.
            if reg == LR {
                state.regs[reg] = Value::Unknown;
            } else if clobbered >> reg & 1 != 0 {
                // A callee-saved register (usually the frame pointer) may have held a frame address. If the callee may have changed the register,
                // lowering cannot know whether it still points to this frame. So the address is lost: no instruction may read the register.
                let address = CALLEE_SAVED.contains(&reg) && matches!(state.regs[reg], Value::Sp(_));
                // A callee may change the register on some paths only. So if the register held the upper part of an address, it now holds this part
                // or another value.
                let part = state.regs[reg].is_part();
                state.regs[reg] = if address {
                    Value::Lost
                } else if part {
                    Value::Mixed
                } else {
                    value_after_call(RESULTS.contains(&reg), &state.regs[reg])
                };
            }
        }
        // The callee owns its stack arguments and may overwrite them, so the words of the arguments count as not written.
        state.written = 0;
        let sp = state.sp(SP);
        state.slots.forget_below(sp);
        state.forget_memory();
    }

    fn needs_aligned_stack(&self, _function: &Function, _inst: &Inst) -> bool {
        // SP is always aligned to 16.
        false
    }

    fn scratch_stack(&self, _object: &Object, _function: &Function, _inst: &Inst) -> u32 {
        0
    }

    fn uses(&self, function: &Function, code: &Code) -> Vec<Uses> {
        liveness::uses(function, code)
    }

    fn convention(&self) -> Convention {
        liveness::convention()
    }

    fn names(&self, set: Set) -> String {
        liveness::names(set)
    }

    fn features(&self, function: &Function, inst: &Inst, into: &mut BTreeSet<String>) {
        if let Some(feature) = decode::feature(word(&function.code, inst.offset)) {
            into.insert(feature.to_owned());
        }
    }

    fn print(&self, function: &Function, inst: &Inst) -> String {
        decode::print(word(&function.code, inst.offset))
    }
}

impl DataLowering for Aarch64 {
    fn rounds_to(&self, align: u64) -> u64 {
        align
    }

    fn bytes_in_text(&self, mut bytes: Vec<u8>) -> (Vec<u8>, Op) {
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        let words = bytes.as_chunks().0.iter().map(|&word| u32::from_le_bytes(word)).collect();
        (bytes, Op::Words(words))
    }
}

impl Lowering for Aarch64 {
    fn prelude(&self) -> Vec<String> {
        Vec::new()
    }

    fn start(&self, _symbols: &Symbols<'_>, _me: InstanceId) -> u32 {
        self.entry_start()
    }

    fn entry_start(&self) -> u32 {
        // The code begins at its symbol: the assembler adds no prologue to a function that declares no frame.
        0
    }

    fn entry(
        &self,
        symbols: &Symbols<'_>,
        plan: &mut DataPlan<'_>,
        export: ExportId,
        signature: &Signature,
    ) -> Result<Vec<Text>, Diagnostic> {
        entry::entry(symbols, plan, export, signature)
    }

    fn body(&self, symbols: &Symbols<'_>, plan: &mut DataPlan<'_>, me: InstanceId) -> Result<Text, Diagnostic> {
        lower::body(symbols, plan, me)
    }

    fn checked_entry(&self, symbols: &Symbols<'_>, me: InstanceId) -> Text {
        entry::checked_entry(symbols, me)
    }

    fn aligned_entry(&self, _symbols: &Symbols<'_>, _me: InstanceId) -> Text {
        unreachable!("no function depends on its entry alignment")
    }

    fn checking_changes(&self) -> Set {
        entry::CHANGES
    }

    fn aligning_changes(&self) -> [Set; 2] {
        [0, 0]
    }

    fn copying_entry(&self, _symbols: &Symbols<'_>, _me: InstanceId) -> Text {
        unreachable!("no function depends on its entry alignment")
    }

    fn realigned_entry(&self, _symbols: &Symbols<'_>, _me: InstanceId) -> Text {
        unreachable!("SP is aligned at every entry")
    }

    fn arguments(&self) -> &'static [&'static str] {
        &["R0", "R1", "R2", "R3", "R4", "R5", "R6", "R7"]
    }

    fn dispatch(&self, expected: &ExpectedDispatch) -> Text {
        entry::dispatch(expected)
    }

    fn address_of(&self, symbol: &str) -> Op {
        Op::Inst(format!("MOVD ${symbol}(SB), R0"))
    }

    fn glue(&self, steps: &[Glue]) -> (Vec<Op>, Expected) {
        entry::glue(steps)
    }
}

/// True if x30 holds this function's return address. This must be true while SP has its value on entry.
fn link_holds_return_address(state: &State) -> bool {
    state.regs[LR] == Value::Entry(LR as u8)
}

impl Prover for Aarch64 {
    fn modes(&self) -> &'static [Mode] {
        &check::MODES
    }

    fn reference(&self, kind: u16) -> Option<RefKind> {
        match kind {
            reloc::R_CALLARM64 => Some(RefKind::Branch),
            reloc::R_ADDRARM64 => Some(RefKind::Address),
            _ => None,
        }
    }

    fn reference_size(&self, kind: RefKind) -> u8 {
        match kind {
            RefKind::Branch => 4,
            RefKind::Address => 8,
        }
    }

    fn reference_of(&self, line: &str) -> Option<Reference> {
        check::reference_of(line)
    }

    fn locals(&self, text: &Text) -> u32 {
        // If the assembler makes a frame, it adds a word at the frame's top for the frame pointer, and counts this word among the locals (obj7.go).
        if text.frame > 0 { text.frame + 8 } else { 0 }
    }

    fn depths(&self, code: &[u8], relocated: &dyn Fn(u32) -> bool, starts: &[(u32, u32)]) -> Result<BTreeMap<u32, u32>, (u32, String)> {
        check::depths(code, relocated, starts)
    }

    fn keeps(&self, code: &[u8], relocated: &dyn Fn(u32) -> Option<Reference>, contract: &Contract) -> Result<(), String> {
        contract::fulfils(code, relocated, contract)
    }

    fn forbidden(&self, text: &Text, all: &[u8]) -> Option<(u32, String)> {
        // x28 holds g, Go's current goroutine. Code with Go's prologue may read x28. The assembler chooses the bytes of such code, so `bytes` is
        // empty, and this function does not check the code. In all other code, only the first instruction of a checked entry may read x28.
        if text.expected.bytes.is_empty() {
            return None;
        }
        let from = if matches!(text.expected.contract, Some(Contract::Checked(_))) { 4 } else { 0 };
        let code = check::without_records(all);
        if let Some(at) = check::reserved(code.get(from..).unwrap_or_default()) {
            return Some((from as u32 + at, "uses x18 or x28, which belong to the system and to Go".into()));
        }
        let relocated = |at| text.expected.relocs.iter().any(|reloc| reloc.offset == at);
        let undefined = || check::undefined(code).map(|at| (at, "is not a known instruction".into()));
        check::links(all, &relocated).err().or_else(undefined)
    }
}
