//! Generates entries as Go assembly. An entry is code through which callers reach a compiled function, its *body*. Go calls a body through an
//! exported entry. A function that recurses, or that is called through pointers, has a checked entry, which checks the stack and then jumps to the
//! function. An aligning entry aligns SP for its function.
//!
//! An exported entry loads the addresses of Go's arguments and results into the first two argument registers of C (DI, SI). Exported entries are of
//! two kinds:
//!
//! - *Fused*: the entry contains the body, and the body's `ret` returns to Go. The body fits into the stack that Go keeps free for functions
//!   without a stack check.
//! - *Framed*: the entry compares SP with the lowest address of the goroutine's stack plus the proven bound, aligns SP, and calls the body. It has a
//!   separate code path for each remainder of SP. If there is too little stack, the entry jumps to its twin (`·grow`), whose frame is as large as the
//!   bound. Go's own prologue of the twin grows the stack.
//!
//! If the body may reach a checked entry, the exported entry first stores the stack limit of the call in the lowest word of the stack. Checked
//! entries compare SP with this limit.
//!
//! An instruction that tests the alignment of SP must not have SP as its last operand, because the assembler would treat the instruction as a
//! write of SP.

use super::layout::Piece;
use super::liveness::FLAGS;
use super::lower::{adjsp, lower};
use super::record;
use super::{ARGUMENT_NAMES, ARGUMENT_ORDER};
use crate::abi::{G_STACK_LO, LIMIT, NOSPLIT_STACK, WINDOWS_STACK};
use crate::analyze::{EntryKind, InstanceId};
use crate::api::Blocking;
use crate::code::Set;
use crate::diag::Diagnostic;
use crate::goasm::{
    Contract, Expected, ExpectedAligned, ExpectedBlocking, ExpectedChecked, ExpectedDispatch, ExpectedEntry, ExpectedReloc, Op, Operand,
    RefKind, Text, reference,
};
use crate::ids::ExportId;
use crate::lower::{DataPlan, Glue, Signature, Symbols, dispatch as dispatch_glue, glue_text};

/// Offset of the code in a checked or aligning entry, in bytes. The assembler's prologue lies before this code.
pub const START: u32 = 32;

/// The registers and flags that checked entries change. Aligning entries change `ALIGNING_CHANGES` before the function's code runs, and
/// `ALIGNING_CHANGES_AFTER` after the code has returned.
pub const CHECKING_CHANGES: Set = 1 << 11 | FLAGS;
pub const ALIGNING_CHANGES: Set = 1 << 11 | FLAGS;
pub const ALIGNING_CHANGES_AFTER: Set = FLAGS;

/// The largest stack need that a checked entry checks for, in bytes. No Go stack is as large (runtime/proc.go, maxstacksize), so a check for a larger
/// need would fail too. The number fits into a displacement.
const MOST: u32 = 1 << 30;

/// The name of the macro with the number of bytes that the operating system may write below SP.
const SYSTEM: &str = "RUSTGO_STACK_SYSTEM";

/// Returns the `#define` lines that the assembly of entries needs. On Windows, exception handlers run on the interrupted stack, so Go keeps more
/// stack free there. The prologue of a `·grow` twin counts these bytes too.
pub fn prelude() -> Vec<String> {
    [
        "",
        "// Bytes that the operating system may write below SP at a fault: runtime/stack.go, stackSystem.",
        "#ifdef GOOS_windows",
        &format!("#define {SYSTEM} {WINDOWS_STACK}"),
        "#else",
        &format!("#define {SYSTEM} 0"),
        "#endif",
    ]
    .map(str::to_owned)
    .to_vec()
}

const UD2: &[u8] = &[0x0F, 0x0B];

fn inst(text: impl Into<String>) -> Op {
    Op::Inst(text.into())
}

/// Generates the entry through which Go calls an export, and the twin that grows the stack, if the entry has one.
pub fn entry(symbols: &Symbols<'_>, plan: &mut DataPlan<'_>, export: ExportId, signature: &Signature) -> Result<Vec<Text>, Diagnostic> {
    let facts = &symbols.facts.exports[export];
    match facts.entry {
        EntryKind::Fused => Ok(vec![fused(symbols, plan, export, signature)?]),
        EntryKind::Framed => Ok(framed(symbols, export, signature)),
        // Entries of routines (functions of `rt` that are written in Rust) have one form on all machines: see lower/glue.rs. Tasks have no entry,
        // because `rt` calls their bodies on a stack of its own.
        EntryKind::Routine | EntryKind::Task => Ok(Vec::new()),
    }
}

/// Returns the lines `LEAQ name+offset(FP), DI` for the arguments and `LEAQ name+offset(FP), SI` for the results, each with its offset and
/// register number.
fn areas(signature: &Signature) -> Vec<(String, u32, u8)> {
    let arguments = signature.first_argument.iter().map(|name| (name, 0, "DI", 7));
    let results = signature.first_result.iter().map(|(name, offset)| (name, *offset, "SI", 6));
    arguments.chain(results).map(|(name, offset, reg, number)| (format!("LEAQ {name}+{offset}(FP), {reg}"), offset, number)).collect()
}

fn fused(symbols: &Symbols<'_>, plan: &mut DataPlan<'_>, export: ExportId, signature: &Signature) -> Result<Text, Diagnostic> {
    let facts = &symbols.facts.exports[export];
    let shim = facts.shim;
    let mut prefix = Vec::new();
    for (text, offset, reg) in areas(signature) {
        // Encodes lea reg, [rsp + 8 + offset]. A SIB byte is necessary because the base is RSP.
        let modrm = reg << 3 | 4;
        let displacement = offset as i32 + 8;
        let bytes = match i8::try_from(displacement) {
            Ok(short) => vec![0x48, 0x8D, 0x40 | modrm, 0x24, short as u8],
            Err(_) => [&[0x48, 0x8D, 0x80 | modrm, 0x24][..], &displacement.to_le_bytes()].concat(),
        };
        prefix.push(Piece::Depth(0));
        prefix.push(Piece::Inst { text, bytes, reloc: None });
    }
    let mut laid = lower(symbols, plan, shim, 0, prefix)?;
    let mut ops = Vec::new();
    if laid.expected.align > 1 {
        // At the start of a function this directive emits no bytes, but it aligns the function.
        ops.push(inst(format!("PCALIGN ${}", laid.expected.align.max(32))));
        laid.expected.align = laid.expected.align.max(32);
    }
    if facts.can_panic || !symbols.facts.instances[shim].summary.edges.is_empty() {
        // If the body panics, deferred functions run on top of this frame, and Go may have to grow the stack for them. To move the stack, Go must
        // know that the frame has no pointers to local variables.
        ops.insert(0, inst("NO_LOCAL_POINTERS"));
    }
    ops.append(&mut laid.ops);
    let need = symbols.facts.stacks[shim].need as i32;
    // If `need` is 0, control leaves the function only by jumps, with SP as on entry. The assembler rejects `ADJSP $0`.
    if need != 0 && !symbols.facts.instances[shim].summary.edges.is_empty() {
        // Go's linker checks the depth of NOSPLIT functions. This move of SP is never executed, but it shows the linker how much stack the body and
        // its callees need.
        ops.extend([inst(adjsp(need).0), inst(adjsp(-need).0)]);
    }
    Ok(Text {
        comments: comments(symbols, signature, shim, "its body is part of the entry: no call, no stack check"),
        name: format!("·{}", signature.name),
        flags: vec!["NOSPLIT", "NOFRAME"],
        frame: 0,
        args: signature.size,
        ops,
        expected: laid.expected,
        identity: None,
    })
}

fn comments(symbols: &Symbols<'_>, signature: &Signature, shim: InstanceId, what: &str) -> Vec<String> {
    let instance = &symbols.facts.instances[shim];
    vec![
        signature.declaration.clone(),
        format!("{}; {what}", symbols.object.functions[instance.function].path),
        "DI = address of the arguments, SI = address of the results".into(),
    ]
}

/// Generates an exported entry that checks the stack: it compares SP with the lowest address of the goroutine's stack plus the body's proven
/// bound. If the stack is too small, the entry jumps to a twin whose frame is as large as the bound. Go's own prologue of the twin grows the
/// stack, and the twin jumps back to the entry.
fn framed(symbols: &Symbols<'_>, export: ExportId, signature: &Signature) -> Vec<Text> {
    let facts = &symbols.facts.exports[export];
    let body = symbols.entry(facts.shim);
    let call = inst(format!("CALL {}(SB)", reference(&body.0, body.1)));
    let grow = format!("·{}·grow<>", signature.name);
    let expected = ExpectedEntry {
        stack: facts.bound + NOSPLIT_STACK,
        limit: facts.limited.then_some(facts.bound),
        align: facts.align,
        room: facts.room,
        empties_x87: facts.x87,
        arguments: signature.first_argument.as_ref().map(|_| 0),
        results: signature.first_result.as_ref().map(|(_, offset)| *offset),
        body,
        grow: grow.clone(),
        blocking: signature.blocking.as_ref().map(|blocking| symbols.scheduler_calls(blocking)),
    };
    let mut ops = vec![inst("NO_LOCAL_POINTERS")];
    ops.push(Op::Comment("R10 = g.stack.lo, the first word of g: the bound that preemption does not touch".into()));
    ops.extend(lowest("R10"));
    ops.extend([inst(format!("LEAQ ({}+{SYSTEM})(R10), R11", facts.bound + NOSPLIT_STACK)), inst("CMPQ SP, R11"), inst("JLS grow")]);
    if facts.limited {
        ops.push(Op::Comment("the limit of this call, for the checked entries below".into()));
        ops.extend([inst(format!("LEAQ -{}(SP), R11", facts.bound)), inst(format!("MOVQ R11, {LIMIT}(R10)"))]);
    }
    if facts.x87 {
        ops.push(Op::Comment("a fault that was recovered may have left something on the x87 stack of this thread".into()));
        ops.push(inst("EMMS"));
    }
    let areas: Vec<Op> = areas(signature).into_iter().map(|(text, ..)| inst(text)).collect();
    if let (Some(blocking), Some(scheduler_calls)) = (&signature.blocking, &expected.blocking) {
        ops.extend(blocking_call(blocking, scheduler_calls, &areas, (facts.align, facts.room), &call));
    }
    if signature.blocking.as_ref().is_none_or(|blocking| blocking.over > 0) {
        ops.extend(areas);
        ops.extend(aligned_calls((facts.align, facts.room), "sp", &call, &[inst("RET")]));
    }
    ops.extend([Op::Label("grow".into()), inst(format!("JMP {grow}(SB)"))]);
    let mut what = match facts.budget {
        Some(budget) => format!("stack budget {budget} bytes, checked where it recurses"),
        None => format!("stack {} bytes", facts.bound),
    };
    what.push_str(if facts.blocking { "; blocking" } else { "" });
    let entry = Text {
        comments: comments(symbols, signature, facts.shim, &what),
        name: format!("·{}", signature.name),
        flags: vec!["NOSPLIT", "NOFRAME"],
        frame: 0,
        args: signature.size,
        ops,
        expected: Expected { contract: Some(Contract::Entry(expected)), ..Expected::default() },
        identity: None,
    };
    let twin = Text {
        comments: vec![format!("Grows the stack for {}.", signature.name)],
        name: grow,
        flags: vec![],
        // In a function without calls, the assembler emits no stack check if the frame is smaller than 128 bytes (StackSmall). So the frame
        // has at least 256 bytes.
        frame: facts.bound.next_multiple_of(16).max(256),
        args: signature.size,
        ops: vec![
            inst("NO_LOCAL_POINTERS"),
            inst(format!("FUNCDATA $FUNCDATA_ArgsPointerMaps, ·{}·args_stackmap(SB)", signature.name)),
            inst(format!("RET ·{}(SB)", signature.name)),
        ],
        expected: Expected::default(),
        identity: None,
    };
    vec![entry, twin]
}

/// Generates the entry that jumps to the entry for the processor's level (a set of CPU features). The entry changes R11. In a plugin the assembler
/// also uses R15, for the address of the variable with the level.
pub fn dispatch(expected: &ExpectedDispatch) -> Text {
    let load = format!("MOVBLZX {}(SB), R11", expected.level);
    dispatch_glue(expected, load, |from, label| [format!("CMPL R11, ${from}"), format!("JCS {label}")])
}

/// Emits a call of the body with SP aligned, and then the instructions `rest`. There is one path for each remainder that SP can have modulo `align`.
/// Each path moves SP down by its own constant plus `room` bytes.
fn aligned_calls((align, room): (u32, u32), label: &str, call: &Op, rest: &[Op]) -> Vec<Op> {
    let mut ops = Vec::new();
    match align {
        8 => {}
        16 => ops.extend([inst("MOVQ SP, AX"), inst("TESTL $8, AX"), inst(format!("JNE {label}8"))]),
        align => {
            ops.extend([inst("MOVQ SP, AX"), inst(format!("ANDL ${}, AX", align - 1))]);
            for path in (8..align).step_by(8) {
                ops.extend([inst(format!("CMPL AX, ${path}")), inst(format!("JEQ {label}{path}"))]);
            }
        }
    }
    for path in (0..align as i32).step_by(8) {
        ops.extend((path > 0).then(|| Op::Label(format!("{label}{path}"))));
        let by = path + room as i32;
        let moved = |by: i32| (by != 0).then(|| inst(adjsp(by).0));
        ops.extend(moved(by).into_iter().chain([call.clone()]).chain(moved(-by)));
        ops.extend_from_slice(rest);
    }
    ops
}

/// Emits the call of the body between two calls of Go's scheduler. If a Go call passes at most `blocking.over` bytes, it needs no scheduler calls, so
/// the emitted code jumps to the label `plain` after it.
///
/// During a blocking call, Go treats this frame as the goroutine's innermost one. The caller's return address and frame pointer lie where Go expects
/// them in every Go function. The stack does not move until the body has returned.
fn blocking_call(blocking: &Blocking, scheduler_calls: &ExpectedBlocking, areas: &[Op], (align, room): (u32, u32), call: &Op) -> Vec<Op> {
    let mut ops = Vec::new();
    if blocking.over > 0 {
        ops.push(Op::Comment(format!("calls that pass at most {} bytes are ordinary calls", blocking.over)));
        for (index, length) in blocking.lengths.iter().enumerate() {
            let register = if index == 0 { "AX" } else { "CX" };
            ops.push(inst(format!("MOVQ {}+{}(FP), {register}", length.word, length.offset)));
            if length.size > 1 {
                // The products do not overflow, because Go's memory holds less than 2^48 bytes.
                ops.push(inst(format!("IMUL3Q ${}, {register}, {register}", length.size.min(i32::MAX as u64))));
            }
            if index > 0 {
                ops.push(inst("ADDQ CX, AX"));
            }
        }
        if blocking.lengths.is_empty() {
            ops.push(inst("XORL AX, AX"));
        }
        ops.extend([inst(format!("CMPQ AX, ${}", blocking.over)), inst("JLS plain")]);
    }
    ops.extend([inst("PUSHQ BP"), inst("MOVQ SP, BP"), inst(format!("CALL {}(SB)", scheduler_calls.enter))]);
    ops.extend_from_slice(areas);
    // Go's assembler tracks SP in the order of lines, not along paths. So all paths join before the only `POPQ` and `RET`.
    let meet = [inst("JMP back")];
    ops.extend(aligned_calls((align, room), "told", call, if align > 8 { &meet } else { &[] }));
    ops.extend((align > 8).then(|| Op::Label("back".into())));
    ops.extend([inst(format!("CALL {}(SB)", scheduler_calls.leave)), inst("POPQ BP"), inst("RET")]);
    if blocking.over > 0 {
        ops.push(Op::Label("plain".into()));
    }
    ops
}

/// Emits a load of the lowest address of the goroutine's stack into `register`.
fn lowest(register: &str) -> [Op; 3] {
    let load = format!("MOVQ {G_STACK_LO}(@), @");
    ["MOVQ TLS, @", "MOVQ 0(@)(TLS*1), @", load.as_str()].map(|line| inst(line.replace('@', register)))
}

/// Generates a checked entry, which jumps to the function only if the running call has enough stack left. A function has a checked entry if its stack
/// need is not part of every caller's bound.
pub fn checked_entry(symbols: &Symbols<'_>, me: InstanceId) -> Text {
    let need = symbols.facts.stacks[me].need;
    let path = &symbols.object.functions[symbols.facts.instances[me].function].path;
    let (body, start) = symbols.body(me);
    let name = symbols.checked[&me].clone();
    let (stack, exhausted) = (need.min(MOST), symbols.exhausted(me));
    let mut ops = vec![inst("NO_LOCAL_POINTERS"), inst(format!("PCALIGN ${START}"))];
    ops.push(Op::Comment("R11 = the stack limit of the running call, which its entry stored at g.stack.lo".into()));
    ops.extend(lowest("R11"));
    ops.extend([inst(format!("MOVQ {LIMIT}(R11), R11")), inst(format!("LEAQ {stack}(R11), R11")), inst("CMPQ SP, R11"), inst("JCS spent")]);
    ops.extend(jump_to(&body, start));
    ops.push(Op::Label("spent".into()));
    ops.extend(exhausted.arguments.iter().zip(ARGUMENT_NAMES).map(|((_, operand), register)| match operand {
        Operand::Address(symbol) => inst(format!("LEAQ {symbol}(SB), {register}")),
        Operand::Number(number) => inst(format!("MOVQ ${number}, {register}")),
    }));
    ops.extend([inst(format!("CALL {}(SB)", exhausted.function)), Op::Bytes(vec![0xCC])]);
    let expected = ExpectedChecked { start: START, stack, body: (body, start), exhausted };
    let comment = format!("{path}, if the running call has enough stack for it ({need} bytes)");
    let expected = Expected { contract: Some(Contract::Checked(expected)), ..Expected::default() };
    Text { expected, ..glue_text(&name, comment, &["NOFRAME"], ops) }
}

/// Emits a jump to the code at an offset from a symbol. The assembler would drop the offset of `JMP f<>+32(SB)`, so the jump goes through R11. The
/// calling convention passes no value in R11, so entries with this jump may change it. But hand-written code may pass a value in R11. So if a
/// function reads a value passed in R11 and has such an entry, `lower` refuses the function.
fn jump_to(symbol: &str, offset: i64) -> [Op; 2] {
    [inst(format!("LEAQ {}(SB), R11", reference(symbol, offset))), inst("JMP R11")]
}

/// Generates the aligning entry for calls through pointers to a function that depends on the alignment of SP on entry. Before a call through a
/// pointer, SP is a multiple of 16, but the function needs a multiple of 64 or 128. The entry copies stack arguments.
///
/// If SP is aligned already, the entry jumps to the function and copies nothing. So a chain of tail calls through pointers needs constant stack,
/// however long the chain is: its first entry aligns SP, and tail calls leave SP unchanged.
pub fn aligned_entry(symbols: &Symbols<'_>, me: InstanceId) -> Text {
    let function = symbols.facts.instances[me].function;
    let words = symbols.facts.argument_words[me];
    let align = u32::from(symbols.facts.alignment);
    let shape = Aligning { grain: 16, align, words, jumps: true, unwinds: symbols.object.unwinds };
    aligning(symbols, me, symbols.checked_entry(me), &symbols.aligned[&function], shape, "called through a pointer")
}

/// Generates the copying entry: the aligning entry for direct calls that pass stack arguments. Padding between the arguments and the return address
/// would move the arguments, so the entry copies them. The entry always calls the function, because a jump would overwrite R11, in which a direct
/// caller may keep a value.
pub fn copying_entry(symbols: &Symbols<'_>, me: InstanceId) -> Text {
    let (words, align) = (symbols.facts.argument_words[me], u32::from(symbols.facts.alignment));
    let shape = Aligning { grain: 16, align, words, jumps: false, unwinds: symbols.object.unwinds };
    aligning(symbols, me, symbols.entry(me), &symbols.copying[&me], shape, "called with stack arguments")
}

/// Generates the aligning entry for a call on the way to a panic, where SP may be any multiple of 8. This entry always calls the function. A jump
/// would save little, because code does not repeat such calls. It would also overwrite R11, and a direct caller may keep a value in R11.
pub fn realigned_entry(symbols: &Symbols<'_>, me: InstanceId) -> Text {
    let shape = Aligning { grain: 8, align: 16, words: 0, jumps: false, unwinds: symbols.object.unwinds };
    aligning(symbols, me, symbols.entry(me), &symbols.realigned[&me], shape, "called on the way to a panic")
}

/// The parameters of an aligning entry; see [`ExpectedAligned`].
#[derive(Clone, Copy)]
struct Aligning {
    grain: u32,
    align: u32,
    words: u32,
    jumps: bool,
    unwinds: bool,
}

/// Generates an aligning entry. Before a call of the entry, SP is a multiple of `grain`. The entry makes SP a multiple of `align`, pushes copies of
/// the `words` words above its return address, and calls the function. If `jumps` is set and SP is aligned already, the entry jumps to the function
/// instead and copies nothing.
fn aligning(symbols: &Symbols<'_>, me: InstanceId, (symbol, offset): (String, i64), name: &str, shape: Aligning, why: &str) -> Text {
    let Aligning { grain, align, words, jumps, unwinds } = shape;
    let path = &symbols.object.functions[symbols.facts.instances[me].function].path;
    let comment = format!("{path}, {why}: aligns the stack to {align}");
    let mut ops = vec![inst("NO_LOCAL_POINTERS"), inst(format!("PCALIGN ${START}"))];
    let mut bits: Vec<u32> = Vec::new();
    let mut bit = grain;
    while bit < align {
        bits.insert(0, bit);
        bit *= 2;
    }
    // The call of this entry has pushed the return address, so SP is 8 bytes below a multiple of `grain`.
    paths(&mut ops, &bits, 8 % grain, shape, &(&symbol, offset));
    let expected = ExpectedAligned { start: START, grain, align, words, jumps, unwinds, body: (symbol, offset) };
    let expected = Expected { contract: Some(Contract::Aligned(expected)), ..Expected::default() };
    Text { expected, ..glue_text(name, comment, &["NOFRAME"], ops) }
}

/// Emits one path for each combination of `bits` in SP, and tests the highest bit first. `known` has the bits that are set on the current path.
fn paths(ops: &mut Vec<Op>, bits: &[u32], known: u32, shape: Aligning, body: &(&str, i64)) {
    let &(symbol, offset) = body;
    let Some((&bit, rest)) = bits.split_first() else {
        let Aligning { align, words, jumps, unwinds, .. } = shape;
        if jumps && known == align - 8 {
            ops.extend(jump_to(symbol, offset));
            return;
        }
        let copied = 8 * words;
        let by = (known + align - copied % align) % align;
        let moved = |by: u32, sign: i32| (by != 0).then(|| inst(adjsp(sign * by as i32).0));
        ops.extend(moved(by, 1));
        // Pushes the words from last to first. Each push lowers SP by a word, so in the next push the same displacement addresses the
        // preceding word.
        ops.extend((0..words).map(|_| inst(format!("PUSHQ {}(SP)", by + copied))));
        ops.push(inst(format!("CALL {}(SB)", reference(symbol, offset))));
        ops.extend(unwinds.then(|| Op::Bytes(record::inline(by + copied))));
        ops.extend(moved(by + copied, -1).into_iter().chain([inst("RET")]));
        return;
    };
    let label = format!("sp{}", known | bit);
    ops.push(Op::Comment(format!("TESTB ${bit}, SP, which the assembler would take for a write of SP")));
    ops.push(Op::Bytes(vec![0x40, 0xF6, 0xC4, bit as u8]));
    ops.push(inst(format!("JNE {label}")));
    paths(ops, rest, known, shape, body);
    ops.push(Op::Label(label));
    paths(ops, rest, known | bit, shape, body);
}

/// Generates the code of a function that only executes `steps`, such as a load of an argument and a jump.
pub fn glue(steps: &[Glue]) -> (Vec<Op>, Expected) {
    let (mut ops, mut expected) = (Vec::new(), Expected::default());
    for step in steps {
        let at = expected.bytes.len() as u32;
        expected.depths.push((at, 0));
        // The 32-bit field is the last four bytes of the instruction.
        let (op, bytes, refers): (Op, Vec<u8>, _) = match step {
            // The assembler would drop the offset of `JMP f<>+32(SB)`, so the jump goes through r11. In the calling convention, r11 passes no value.
            Glue::Enter(symbol, offset) => {
                ops.push(inst(format!("LEAQ {}(SB), R11", reference(symbol, *offset))));
                expected.bytes.extend([0x4C, 0x8D, 0x1D, 0, 0, 0, 0]);
                expected.relocs.push(ExpectedReloc { offset: at + 3, kind: RefKind::Address, symbol: symbol.clone(), addend: *offset });
                expected.depths.push((at + 7, 0));
                (inst("JMP R11"), vec![0x41, 0xFF, 0xE3], None)
            }
            Glue::Argument(number, symbol, offset) => {
                let op = inst(format!("LEAQ {}(SB), {}", reference(symbol, *offset), ARGUMENT_NAMES[*number]));
                let register = ARGUMENT_ORDER[*number] as u8;
                let bytes = vec![0x48 | (register & 8) >> 1, 0x8D, 0x05 | (register & 7) << 3, 0, 0, 0, 0];
                (op, bytes, Some((RefKind::Address, symbol, *offset)))
            }
            Glue::Jump(symbol) => (inst(format!("JMP {symbol}(SB)")), vec![0xE9, 0, 0, 0, 0], Some((RefKind::Branch, symbol, 0))),
            Glue::Trap => (Op::Bytes(UD2.to_vec()), UD2.to_vec(), None),
        };
        ops.push(op);
        expected.bytes.extend(&bytes);
        expected.relocs.extend(refers.map(|(kind, symbol, addend)| ExpectedReloc {
            offset: at + bytes.len() as u32 - 4,
            kind,
            symbol: symbol.clone(),
            addend,
        }));
    }
    (ops, expected)
}
