//! Decodes bytes into instructions with their control flow, for analysis and lowering.

use super::{Code, RSP, number};
use crate::arch::decoding::{Relocs, function_at, linked_destination, refuse_outlined, resolved_destination};
use crate::code::{Callee, Dest, Flow, Inst, Role};
use crate::diag::{Diagnostic, ErrorCode};
use crate::ids::FuncId;
use crate::load::{Function, Object, RelocKind};
use iced_x86::{Code as Opcode, Decoder, DecoderOptions, FlowControl, Instruction, Mnemonic, OpKind, Register};

pub fn decode(object: &Object, id: FuncId) -> Result<Code, Diagnostic> {
    let function = &object.functions[id];
    refuse_outlined(object, function)?;
    let mut insts = Vec::with_capacity(function.code.len() / 4);
    let mut raw = Vec::with_capacity(insts.capacity());
    let mut relocs = Relocs::new(object, function);
    let mut instruction = Instruction::default();
    for (start, bytes) in function.pieces() {
        let mut decoder = Decoder::with_ip(64, bytes, u64::from(start), DecoderOptions::NONE);
        while decoder.can_decode() {
            decoder.decode_out(&mut instruction);
            let (offset, len) = (instruction.ip() as u32, instruction.len() as u8);
            if instruction.is_invalid() {
                return Err(Diagnostic::new(
                    ErrorCode::Decode,
                    format!("{} has bytes at offset {offset:#x} that are not an instruction this tool knows", function.path),
                )
                .at(object.place(function, offset))
                .hint("data inside hand-written code cannot be told from code; move it to a section of its own"));
            }
            let reloc = relocs.within(offset, offset + u32::from(len))?;
            let function_address = if reloc.is_none() { named(object, function, &instruction) } else { None };
            let can_fault = can_fault(&instruction);
            insts.push(Inst { offset, len, flow: Flow::Next, reloc, function_address, role: Role::Plain, can_fault });
            raw.push(instruction);
        }
    }
    let code = Code::new(insts, function.code.len());
    let mut flows = Vec::with_capacity(raw.len());
    for (inst, instruction) in code.insts.iter().zip(&raw) {
        flows.push(flow(object, function, &code, inst, instruction));
    }
    let mut code = code;
    for (inst, flow) in code.insts.iter_mut().zip(flows) {
        inst.flow = flow;
    }
    probe_loops(&mut code, &raw);
    Ok(code)
}

/// Returns the function whose address `lea reg, [rip + f]` makes without a relocation. The function lies in the same section, so the compiler's
/// assembler resolved the address.
fn named(object: &Object, function: &Function, i: &Instruction) -> Option<FuncId> {
    let is_address = i.code() == Opcode::Lea_r64_m && i.memory_base() == Register::RIP;
    if is_address { function_at(object, function, i.ip() as u32, i.ip_rel_memory_address().cast_signed()) } else { None }
}

/// Returns the value of [`Inst::can_fault`] for an instruction.
fn can_fault(i: &Instruction) -> bool {
    let own = matches!(i.memory_base(), Register::RSP | Register::RIP) && i.memory_index() == Register::None;
    match i.mnemonic() {
        Mnemonic::Div | Mnemonic::Idiv => true,
        Mnemonic::Lea | Mnemonic::Nop | Mnemonic::Endbr64 => false,
        _ => i.op_kinds().any(|kind| kind >= OpKind::MemorySegSI && !(kind == OpKind::Memory && own)),
    }
}

fn flow(object: &Object, function: &Function, code: &Code, inst: &Inst, instruction: &Instruction) -> Flow {
    if let Some((reason, what)) = forbidden(instruction) {
        return Flow::Forbidden(reason, what);
    }
    if instruction.flow_control() != FlowControl::Next && has_operand_size_prefix(&function.code[inst.offset as usize..inst.end() as usize])
    {
        let what = "a jump, call or return with an operand-size prefix, which processors of different vendors execute differently";
        return Flow::Forbidden(ErrorCode::Instruction, what);
    }
    let dest = || destination(object, function, code, inst, instruction);
    match instruction.flow_control() {
        FlowControl::Next => Flow::Next,
        FlowControl::Return if instruction.mnemonic() == Mnemonic::Ret && instruction.op_count() == 0 => Flow::Return,
        FlowControl::Return => Flow::Forbidden(ErrorCode::Instruction, "a return that pops its arguments, or a far return"),
        FlowControl::UnconditionalBranch => Flow::Jump(dest()),
        FlowControl::ConditionalBranch => Flow::Branch(dest()),
        FlowControl::Call => Flow::Call(dest()),
        FlowControl::IndirectBranch => match got(function, inst) {
            Some(callee) => Flow::Jump(Dest::Entry(callee)),
            None => Flow::IndirectJump,
        },
        FlowControl::IndirectCall => match got(function, inst) {
            Some(callee) => Flow::Call(Dest::Entry(callee)),
            None => Flow::IndirectCall,
        },
        FlowControl::Interrupt if instruction.mnemonic() == Mnemonic::Int3 => Flow::Trap,
        FlowControl::Exception if matches!(instruction.mnemonic(), Mnemonic::Ud0 | Mnemonic::Ud1 | Mnemonic::Ud2) => Flow::Trap,
        _ => Flow::Forbidden(ErrorCode::Instruction, "an interrupt, transaction or exception instruction"),
    }
}

/// True if the instruction has the prefix 66, except for the call of `__tls_get_addr`. The ABI demands the prefix in this call, so that the linker
/// has room to replace the call (AMD64 supplement, "Thread-Local Storage"). There, the REX.W after the prefix overrides it on every processor.
fn has_operand_size_prefix(bytes: &[u8]) -> bool {
    const PREFIXES: [u8; 11] = [0x66, 0x67, 0xF0, 0xF2, 0xF3, 0x26, 0x2E, 0x36, 0x3E, 0x64, 0x65];
    // The first bytes of the two calls in the ABI: a call by name, and a call through a cell that holds the address.
    const OF_THE_ABI: [&[u8]; 2] = [&[0x66, 0x66, 0x48, 0xE8], &[0x66, 0x48, 0xFF, 0x15]];
    let mut prefixes = bytes.iter().take_while(|byte| PREFIXES.contains(byte) || (0x40..0x50).contains(*byte));
    prefixes.any(|&byte| byte == 0x66) && !OF_THE_ABI.iter().any(|start| bytes.starts_with(start))
}

/// Returns the symbol to which `call [rip + f@GOTPCREL]` or `jmp [rip + f@GOTPCREL]` goes.
fn got(function: &Function, inst: &Inst) -> Option<Callee> {
    let reloc = &function.relocs[inst.reloc? as usize];
    (reloc.kind == RelocKind::GotPc32).then(|| Callee::of(&reloc.target)).flatten()
}

fn destination(object: &Object, function: &Function, code: &Code, inst: &Inst, instruction: &Instruction) -> Dest {
    let Some(index) = inst.reloc else {
        return resolved_destination(object, function, code, inst.offset, instruction.near_branch_target() as i64);
    };
    let reloc = &function.relocs[index as usize];
    match reloc.kind {
        RelocKind::Pc32 => linked_destination(object, function, code, &reloc.target, reloc.addend + i64::from(inst.end() - reloc.offset)),
        _ => Dest::Nowhere,
    }
}

/// Returns why an instruction must not run in a thread of a Go program; `None` if it may run. A list of allowed instructions would have thousands
/// of entries, so this function lists whole classes of forbidden instructions. By the vendors' definition, all other instructions are user-level
/// instructions. They change only general, vector, mask and flag registers or memory.
fn forbidden(i: &Instruction) -> Option<(ErrorCode, &'static str)> {
    use Mnemonic as M;
    match i.mnemonic() {
        M::Syscall | M::Sysenter => return Some((ErrorCode::Syscall, "a system call instruction")),
        M::Int | M::Int1 | M::Into => return Some((ErrorCode::Syscall, "a software interrupt")),
        M::Enter => return Some((ErrorCode::DynamicStack, "`enter`, which moves the stack in a way that is not understood")),
        M::Std => return Some((ErrorCode::Instruction, "`std`, which sets the direction flag that Go relies on")),
        M::Popf | M::Popfd | M::Popfq => return Some((ErrorCode::Instruction, "`popf`, which can change flags that Go relies on")),
        M::Wrfsbase | M::Wrgsbase | M::Swapgs | M::Wrpkru | M::Xrstor | M::Xrstor64 | M::Fxrstor | M::Fxrstor64 => {
            return Some((ErrorCode::Instruction, "an instruction that replaces processor state Go relies on"));
        }
        M::Ldmxcsr | M::Vldmxcsr | M::Fldcw | M::Fninit | M::Fldenv | M::Frstor | M::Fnsave => {
            return Some((ErrorCode::Instruction, "an instruction that changes the floating-point environment"));
        }
        M::Rdfsbase | M::Rdgsbase => return Some((ErrorCode::ThreadLocal, "an access to thread-local storage (the base of a segment)")),
        M::Lds | M::Les | M::Lfs | M::Lgs | M::Lss => return Some((ErrorCode::Instruction, "a write to a segment register")),
        M::Vmcall | M::Vmmcall | M::Vmgexit => return Some((ErrorCode::Instruction, "a call of a hypervisor")),
        _ if i.is_call_far() || i.is_jmp_far() || i.is_call_far_indirect() || i.is_jmp_far_indirect() => {
            return Some((ErrorCode::Instruction, "a jump or call to another segment"));
        }
        _ => {}
    }
    if matches!(i.segment_prefix(), Register::FS | Register::GS) {
        return Some((ErrorCode::ThreadLocal, "an access to thread-local storage (a segment prefix)"));
    }
    if i.is_privileged() {
        return Some((ErrorCode::Instruction, "a privileged instruction"));
    }
    if (0..i.op_count()).any(|k| i.op_kind(k) == OpKind::Register && i.op_register(k).is_segment_register()) {
        return Some((ErrorCode::Instruction, "an access to a segment register"));
    }
    // `step` accepts only writes of SP that it knows, and all of them write the whole register. So a write of a part of SP is refused here.
    if i.op_count() > 0
        && i.op0_kind() == OpKind::Register
        && number(i.op0_register()) == Some(RSP)
        && i.op0_register() != Register::RSP
        && !matches!(i.mnemonic(), M::Cmp | M::Test)
    {
        return Some((ErrorCode::DynamicStack, "a write to a part of the stack pointer"));
    }
    None
}

/// Marks loops that probe the stack of a large frame. LLVM emits `L: sub rsp, 4096; mov qword [rsp], 0; cmp rsp, END; jne L` (X86FrameLowering,
/// emitStackProbeInlineGenericLoop). The register END holds the final SP. Go has already checked the whole stack bound, so lowering replaces the loop
/// by one move of SP. If the analysis does not know the value of END, it refuses the loop.
fn probe_loops(code: &mut Code, raw: &[Instruction]) {
    for i in 0..raw.len().saturating_sub(3) {
        let [sub, mov, cmp, jne] = &raw[i..i + 4] else { continue };
        let is_loop = sub.mnemonic() == Mnemonic::Sub
            && sub.op0_register() == Register::RSP
            && sub.op1_kind() != OpKind::Register
            && sub.op1_kind() != OpKind::Memory
            && sub.immediate(1) == 4096
            && mov.mnemonic() == Mnemonic::Mov
            && mov.op0_kind() == OpKind::Memory
            && mov.memory_base() == Register::RSP
            && mov.memory_index() == Register::None
            && mov.memory_displacement64() == 0
            && mov.op1_kind() != OpKind::Register
            && cmp.mnemonic() == Mnemonic::Cmp
            && cmp.op0_kind() == OpKind::Register
            && cmp.op1_kind() == OpKind::Register
            && cmp.op0_register() == Register::RSP
            && cmp.op1_register().is_gpr64()
            && jne.mnemonic() == Mnemonic::Jne
            && jne.near_branch_target() == sub.ip();
        if let (true, Some(end)) = (is_loop, number(cmp.op1_register())) {
            code.insts[i].role = Role::ProbeLoop { end };
            for inst in &mut code.insts[i + 1..i + 4] {
                inst.role = Role::Dropped;
                inst.flow = Flow::Next;
            }
        }
    }
}
