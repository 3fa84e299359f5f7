//! The machine x86-64. This folder decodes its instructions, applies them to the analysis state, lowers them, and checks the assembled result.
//! Peculiarities of the machine:
//!
//! - An instruction has 1 to 15 bytes, and nothing marks its start. So a function is decoded from its first byte on, and a branch must go to the
//!   start of a decoded instruction.
//! - A RIP-relative displacement counts from the *end* of the instruction, but its relocation counts from the displacement field. An immediate
//!   after the displacement adds to the difference.
//! - `push` and `call` move SP and store in one step. The System V psABI demands SP ≡ 8 (mod 16) at the entry of every function. It also lets a leaf
//!   function use 128 bytes below SP (the red zone). These bytes count as part of the function's stack.
//! - rbp is a general register in most functions, and a frame pointer in some.
//! - Go's assembler tracks SP in text order, and only through the mnemonics `PUSHQ`, `POPQ` and `ADJSP`. For any other write of SP, the assembler
//!   sets a flag in the function's metadata, and Go's unwinder stops at functions with this flag.
//!
//! Sources: Intel SDM vol. 2; System V psABI for AMD64 §3.2, §4.4; Go `cmd/internal/obj/x86`.

mod address;
mod check;
mod contract;
mod decode;
mod entry;
mod layout;
mod liveness;
mod lower;
mod reach;
mod record;
mod step;
mod table;
mod visible;
mod word_uses;

use crate::analyze::{Effect, InstanceId, Knowledge, Machine, Refusal, Slots, State, Value, value_after_call};
use crate::code::{Code, Convention, Inst, Reg, Set, StackUse, Uses, WordUses};

use crate::diag::Diagnostic;
use crate::goasm::{Contract, Expected, ExpectedDispatch, Op, RefKind, Text};
use crate::goobj::reloc;
use crate::ids::{ExportId, FuncId};
use crate::load::{Function, Object, Target};
use crate::lower::{DataLowering, DataPlan, Glue, Lowering, Signature, Symbols};
use crate::verify::{Mode, Prover, Reference};
use iced_x86::{Decoder, DecoderOptions, Instruction, Register};
use std::collections::{BTreeMap, BTreeSet};

/// Implements the traits of the stages for x86-64.
pub struct X86_64;

pub(super) const RSP: Reg = 4;
pub(super) const RBP: Reg = 5;
/// The register numbers of rbx, rbp and r12–r15, which callees preserve (psABI §3.2.1).
const CALLEE_SAVED: [Reg; 6] = [3, 5, 12, 13, 14, 15];

/// The set of rcx, rdx, rsi, rdi, r8 and r9, which pass arguments (psABI §3.2.3).
const ARGUMENTS: u32 = 0b11_1100_0110;
/// The numbers of the argument registers, in the order of arguments.
const ARGUMENT_ORDER: [Reg; 6] = [7, 6, 2, 1, 8, 9];
const ARGUMENT_NAMES: [&str; 6] = ["DI", "SI", "DX", "CX", "R8", "R9"];

/// The register numbers of rax and rdx, which return results (psABI §3.2.3).
const RESULTS: [Reg; 2] = [0, 2];

/// Go's names of the general registers, in the order of their numbers.
pub(super) const GO_NAMES: [&str; 16] =
    ["AX", "CX", "DX", "BX", "SP", "BP", "SI", "DI", "R8", "R9", "R10", "R11", "R12", "R13", "R14", "R15"];

/// Returns the number of the general register that is, or contains, `register`.
pub(super) fn number(register: Register) -> Option<Reg> {
    let full = register.full_register();
    full.is_gpr64().then(|| full as usize - Register::RAX as usize)
}

/// Decodes the instruction `inst` of the function into the decoder library's form.
pub(super) fn instruction(function: &Function, inst: &Inst) -> Instruction {
    let bytes = &function.code[inst.offset as usize..inst.end() as usize];
    Decoder::with_ip(64, bytes, u64::from(inst.offset), DecoderOptions::NONE).decode()
}

/// Returns the offset of the 32-bit displacement in the instruction, if it has one.
pub(super) fn displacement_offset(function: &Function, inst: &Inst) -> Option<u32> {
    let bytes = &function.code[inst.offset as usize..inst.end() as usize];
    let mut decoder = Decoder::with_ip(64, bytes, u64::from(inst.offset), DecoderOptions::NONE);
    let offsets = decoder.decode();
    let offsets = decoder.get_constant_offsets(&offsets);
    (offsets.displacement_size() == 4).then(|| offsets.displacement_offset() as u32)
}

impl crate::decode::Decoder for X86_64 {
    fn decode(&self, object: &Object, id: FuncId) -> Result<Code, Diagnostic> {
        decode::decode(object, id)
    }
}

impl Machine for X86_64 {
    fn entry(&self) -> State {
        let mut regs: Vec<Value> = (0..16).map(|r| Value::Entry(r as u8)).collect();
        regs[RSP] = Value::Sp(0);
        State { regs, slots: Slots::default(), escaped: false, aligned: None, written: 0, is_rust: false }
    }

    fn sp(&self) -> Reg {
        RSP
    }

    fn argument_registers(&self) -> u32 {
        ARGUMENTS
    }

    fn callee_saved(&self) -> &'static [Reg] {
        &CALLEE_SAVED
    }

    fn frame_pointer(&self) -> Option<Reg> {
        Some(RBP)
    }

    fn call_size(&self) -> i64 {
        8
    }

    fn red_zone(&self) -> u32 {
        step::RED_ZONE as u32
    }

    fn lowered_frame(&self, deepest: u32, _above: Option<u32>) -> u32 {
        lower::lowered(deepest)
    }

    fn lowered_call(&self, _deepest: u32, _above: Option<u32>, depth: u32) -> u32 {
        depth
    }

    fn stack_alignment(&self) -> u32 {
        8
    }

    fn entry_stack(&self, align: u32, blocking: bool) -> u32 {
        // An entry needs stack for the return address of its call, for at most `align` - 8 bytes of padding, and in a blocking export for the frame
        // pointer.
        8 + align - 8 + if blocking { 8 } else { 0 }
    }

    fn step(&self, function: &Function, inst: &Inst, state: &mut State, knowledge: &mut dyn Knowledge) -> Result<Effect, Refusal> {
        step::step(function, inst, state, knowledge)
    }

    fn returned(&self, state: &mut State, clobbered: u32) {
        for reg in 0..16 {
            if reg != RSP && clobbered >> reg & 1 != 0 {
                state.regs[reg] = value_after_call(RESULTS.contains(&reg), &state.regs[reg]);
            }
        }
        let sp = state.sp(RSP);
        state.slots.forget_below(sp);
        state.forget_memory();
    }

    fn table_bound(&self, function: &Function, code: &Code, block: usize, at: usize) -> Option<u64> {
        table::bound(function, code, block, at)
    }

    fn word_uses(&self, function: &Function, inst: &Inst, state: &State) -> WordUses {
        word_uses::word_uses(function, inst, state)
    }

    fn needs_aligned_stack(&self, function: &Function, inst: &Inst) -> bool {
        step::needs_aligned_stack(&instruction(function, inst))
    }

    fn scratch_stack(&self, object: &Object, function: &Function, inst: &Inst) -> u32 {
        // Lowering copies read-only data without pointers after the function's code. It accesses other static data through a register. If no register
        // is free, lowering first pushes one.
        let Some(reloc) = inst.reloc.map(|r| &function.relocs[r as usize]) else { return 0 };
        let i = instruction(function, inst);
        let copied = matches!(reloc.target, Target::Data(id) if !object.data[id].writable && object.data[id].relocs.is_empty());
        let reached_through = i.is_ip_rel_memory_operand() && i.mnemonic() != iced_x86::Mnemonic::Lea && !copied;
        if reached_through { 8 } else { 0 }
    }

    fn uses(&self, function: &Function, code: &Code) -> Vec<Uses> {
        liveness::uses(function, code)
    }

    fn stack_use(&self, function: &Function, inst: &Inst) -> StackUse {
        liveness::stack_use(function, inst)
    }

    fn convention(&self) -> Convention {
        liveness::convention()
    }

    fn names(&self, set: Set) -> String {
        liveness::names(set)
    }

    fn uses_x87(&self, function: &Function, inst: &Inst) -> bool {
        use iced_x86::{CpuidFeature as F, OpKind};
        let i = instruction(function, inst);
        let is_stack = |k: u32| i.op_kind(k) == OpKind::Register && (i.op_register(k).is_mm() || i.op_register(k).is_st());
        let x87 = [F::FPU, F::FPU287, F::FPU287XL_ONLY, F::FPU387, F::FPU387SL_ONLY, F::MMX];
        (0..i.op_count()).any(is_stack) || i.cpuid_features().iter().any(|feature| x87.contains(feature))
    }

    fn features(&self, function: &Function, inst: &Inst, into: &mut BTreeSet<String>) {
        for feature in instruction(function, inst).cpuid_features() {
            use iced_x86::CpuidFeature as F;
            if !matches!(
                feature,
                F::INTEL8086
                    | F::INTEL186
                    | F::INTEL286
                    | F::INTEL386
                    | F::INTEL486
                    | F::X64
                    | F::CMOV
                    | F::SSE
                    | F::SSE2
                    | F::FPU
                    | F::CPUID
                    | F::CX8
                    | F::FXSR
                    | F::MULTIBYTENOP
                    | F::PAUSE
                    | F::TSC
                    | F::MMX
            ) {
                into.insert(format!("{feature:?}"));
            }
        }
    }

    fn print(&self, function: &Function, inst: &Inst) -> String {
        use iced_x86::{Formatter, IntelFormatter};
        let mut text = String::new();
        let mut formatter = IntelFormatter::new();
        formatter.options_mut().set_space_after_operand_separator(true);
        formatter.options_mut().set_hex_prefix("0x");
        formatter.options_mut().set_hex_suffix("");
        formatter.format(&instruction(function, inst), &mut text);
        text
    }
}

impl DataLowering for X86_64 {
    fn rounds_to(&self, align: u64) -> u64 {
        lower::rounds_to(align)
    }

    fn bytes_in_text(&self, bytes: Vec<u8>) -> (Vec<u8>, Op) {
        let op = Op::Bytes(bytes.clone());
        (bytes, op)
    }
}

impl Lowering for X86_64 {
    fn prelude(&self) -> Vec<String> {
        entry::prelude()
    }

    fn start(&self, symbols: &Symbols<'_>, me: InstanceId) -> u32 {
        lower::start(symbols, me)
    }

    fn entry_start(&self) -> u32 {
        entry::START
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

    fn aligned_entry(&self, symbols: &Symbols<'_>, me: InstanceId) -> Text {
        entry::aligned_entry(symbols, me)
    }

    fn checking_changes(&self) -> Set {
        entry::CHECKING_CHANGES
    }

    fn aligning_changes(&self) -> [Set; 2] {
        [entry::ALIGNING_CHANGES, entry::ALIGNING_CHANGES_AFTER]
    }

    fn copying_entry(&self, symbols: &Symbols<'_>, me: InstanceId) -> Text {
        entry::copying_entry(symbols, me)
    }

    fn realigned_entry(&self, symbols: &Symbols<'_>, me: InstanceId) -> Text {
        entry::realigned_entry(symbols, me)
    }

    fn arguments(&self) -> &'static [&'static str] {
        &ARGUMENT_NAMES
    }

    fn dispatch(&self, expected: &ExpectedDispatch) -> Text {
        entry::dispatch(expected)
    }

    fn address_of(&self, symbol: &str) -> Op {
        Op::Inst(format!("LEAQ {symbol}(SB), AX"))
    }

    fn glue(&self, steps: &[Glue]) -> (Vec<Op>, Expected) {
        entry::glue(steps)
    }
}

impl Prover for X86_64 {
    fn modes(&self) -> &'static [Mode] {
        &check::MODES
    }

    fn reference(&self, kind: u16) -> Option<RefKind> {
        match kind {
            reloc::R_CALL => Some(RefKind::Branch),
            reloc::R_PCREL => Some(RefKind::Address),
            _ => None,
        }
    }

    fn reference_size(&self, _kind: RefKind) -> u8 {
        4
    }

    fn names_symbol(&self, kind: u16) -> bool {
        // In a plugin, code refers to other packages through the GOT.
        self.reference(kind).is_some() || kind == reloc::R_GOTPCREL
    }

    fn reference_of(&self, line: &str) -> Option<Reference> {
        check::reference_of(line)
    }

    fn locals(&self, text: &Text) -> u32 {
        // If the assembler makes a frame, it adds a word for the saved frame pointer.
        if text.frame > 0 { text.frame + 8 } else { 0 }
    }

    fn depths(&self, code: &[u8], relocated: &dyn Fn(u32) -> bool, starts: &[(u32, u32)]) -> Result<BTreeMap<u32, u32>, (u32, String)> {
        check::depths(code, relocated, starts)
    }

    fn keeps(&self, code: &[u8], relocated: &dyn Fn(u32) -> Option<Reference>, contract: &Contract) -> Result<(), String> {
        contract::fulfils(code, relocated, contract)
    }
}
