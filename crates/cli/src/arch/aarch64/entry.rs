//! Generates entries as Go assembly. An entry is code through which callers reach a compiled function, its *body*. Go calls a body through an
//! exported entry. A function that recurses, or that is called through pointers, has a checked entry, which checks the stack and then jumps to the
//! function.
//!
//! An exported entry loads the addresses of Go's arguments and results into x0 and x1. Exported entries are of two kinds:
//!
//! - *Fused*: the entry contains the body, and the body's `ret` returns to Go. The body fits into the stack that Go keeps free for functions
//!   without a stack check.
//! - *Framed*: Go's own prologue reserves the proven stack bound. The entry moves SP up by a constant and calls the body.
//!
//! A Go caller keeps its frame pointer in the word below its SP, but AAPCS64 lets a callee overwrite this word. So the frame of a fused body begins
//! two words lower. A framed entry keeps a frame record (the caller's frame pointer and the return address) above the SP with which the body runs.

use super::insn::{FP, LR, SP};
use super::layout::{Piece, Records, lay};
use super::liveness::FLAGS;
use super::lower::{BREAK, add, address, load, lower, move_sp, store};
use crate::abi::{G_STACK_LO, LIMIT};
use crate::analyze::{EntryKind, InstanceId};
use crate::api::Blocking;
use crate::code::Set;
use crate::diag::{Diagnostic, ErrorCode};
use crate::goasm::{
    Contract, Expected, ExpectedBlocking, ExpectedChecked, ExpectedDispatch, ExpectedEntry, Op, Operand, RefKind, Text, reference,
};
use crate::ids::ExportId;
use crate::lower::{DataPlan, Glue, Signature, Symbols, dispatch as dispatch_glue, glue_text};

/// Number of bytes in a framed entry between the caller's frame and the body's frame: the return address for Go's unwinder, a frame record of two
/// words, and the word where the caller keeps its frame pointer.
pub const RECORD: u32 = 32;

/// Number of bytes at the top of a fused body's frame that the body does not use: the word where the caller keeps its frame pointer, and padding.
const SPARE: u32 = 16;

/// The registers and flags that a checked entry changes.
pub const CHANGES: Set = 1 << IP0 | 1 << IP1 | FLAGS;

/// A stack bound of this number of bytes or more is refused, because its constants would not fit into the entry's instructions, or verify could not
/// follow the moves of SP.
const TOO_LARGE: u32 = (1 << 24) - (1 << 14);

/// The numbers of the intra-procedure-call registers x16 and x17, which every call may change.
const IP0: usize = 16;
const IP1: usize = 17;

/// Encodes `ldr x16, [x28, #G_STACK_LO]`, which loads g.stack.lo, the lowest address of the goroutine's stack, into x16.
const LOWEST: u32 = 0xf940_0390 | (G_STACK_LO / 8) << 10;
/// Encodes `ldr x16, [x16, #LIMIT]`, which loads the stack limit of the running call.
const LOAD_LIMIT: u32 = 0xf940_0210 | (LIMIT / 8) << 10;

/// Encodes `madd x2, x3, x4, x2`.
const MULTIPLY: u32 = 0x9b04_0862;

fn inst(text: impl Into<String>) -> Op {
    Op::Inst(text.into())
}

/// Generates the entry through which Go calls an export.
pub fn entry(symbols: &Symbols<'_>, plan: &mut DataPlan<'_>, export: ExportId, signature: &Signature) -> Result<Vec<Text>, Diagnostic> {
    let facts = &symbols.facts.exports[export];
    let function = &symbols.object.functions[symbols.facts.instances[facts.shim].function];
    let refuse = |code, message| Err(Diagnostic::new(code, message).at(symbols.object.place(function, 0)));
    if symbols.facts.instances[facts.shim].summary.stack_arguments {
        return refuse(ErrorCode::Unsupported, format!("{} takes stack arguments, which Go callers do not pass", function.path));
    }
    if facts.bound >= TOO_LARGE && facts.entry != EntryKind::Task {
        return refuse(
            ErrorCode::StackLimit,
            format!("{} needs at least 16 MiB of stack, more than an arm64 entry provides", signature.name),
        )
        .map_err(|diagnostic| diagnostic.hint("make the large frames smaller (pass buffers from Go), or state a smaller budget"));
    }
    let text = match facts.entry {
        EntryKind::Fused => fused(symbols, plan, export, signature)?,
        EntryKind::Framed => framed(symbols, export, signature),
        // Entries of routines (functions of `rt` that are written in Rust) have one form on all machines: see lower/glue.rs. Tasks have no entry,
        // because `rt` calls their bodies on a stack of its own.
        EntryKind::Routine | EntryKind::Task => return Ok(Vec::new()),
    };
    Ok(vec![text])
}

/// Returns the lines `MOVD $name+offset(FP), R0` for the arguments and `MOVD $name+offset(FP), R1` for the results, each with its offset and
/// register number.
fn areas(signature: &Signature) -> Vec<(String, u32, usize)> {
    let arguments = signature.first_argument.iter().map(|name| (name, 0, 0));
    let results = signature.first_result.iter().map(|(name, offset)| (name, *offset, 1));
    arguments.chain(results).map(|(name, offset, reg)| (format!("MOVD ${name}+{offset}(FP), R{reg}"), offset, reg)).collect()
}

fn fused(symbols: &Symbols<'_>, plan: &mut DataPlan<'_>, export: ExportId, signature: &Signature) -> Result<Text, Diagnostic> {
    let facts = &symbols.facts.exports[export];
    let shim = facts.shim;
    let mut prefix = Vec::new();
    for (text, offset, reg) in areas(signature) {
        // The arguments and results lie above the word at SP, so their offsets from SP are greater by 8.
        let words = add(reg, SP, i64::from(offset) + 8).filter(|words| words.len() == 1);
        prefix.push(Piece::Depth(0));
        match words {
            Some(words) => prefix.push(Piece::Inst { text, words, reloc: None }),
            None => prefix.extend(add(reg, SP, i64::from(offset) + 8).unwrap_or_default().into_iter().map(Piece::Word)),
        }
    }
    let mut laid = lower(symbols, plan, shim, SPARE, prefix)?;
    let calls = !symbols.facts.instances[shim].summary.edges.is_empty();
    let mut ops = Vec::new();
    if facts.can_panic || calls {
        // If the body panics, deferred functions run on top of this frame, and Go may have to grow the stack for them. To move the stack, Go must
        // know that the frame has no pointers to local variables.
        ops.push(inst("NO_LOCAL_POINTERS"));
    }
    ops.append(&mut laid.ops);
    let need = i64::from((symbols.facts.stacks[shim].need + SPARE).next_multiple_of(16));
    if calls {
        // Go's linker checks the depth of NOSPLIT functions. This move of SP is never executed, but it shows the linker how much stack the body and
        // its callees need.
        ops.extend(move_sp(need).into_iter().chain(move_sp(-need)).map(|(text, ..)| inst(text)));
        ops.push(Op::Words(vec![BREAK]));
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
        "R0 = address of the arguments, R1 = address of the results".into(),
    ]
}

/// Returns the size in bytes of the frame that Go's prologue makes for a stack bound. The size minus 16 is rounded up to a number by which one
/// instruction can move SP.
fn frame(bound: u32) -> u32 {
    let need = bound - RECORD;
    // In one step the assembler moves SP only by a 12-bit number, shifted by 12 or not. For any other number the assembler emits two steps, and
    // between them its table of SP is wrong.
    let need = if need < 4096 { need.next_multiple_of(16).max(16) } else { need.next_multiple_of(4096) };
    need + 16
}

/// Generates the entry of a framed export. Its frame is as large as the stack bound, and contains the words that Go's unwinder and the body need:
///
/// ```text
///  SP + FRAME + 16   the caller's SP
///  SP + FRAME + 8    the word where the caller keeps its frame pointer; the entry does not use it
///  SP + FRAME        return address ┐ frame record
///  SP + FRAME - 8    frame pointer  ┘
///  SP + FRAME - 16   return address; SP points here while the body runs (UP = FRAME - 16 bytes above SP)
/// ```
fn framed(symbols: &Symbols<'_>, export: ExportId, signature: &Signature) -> Text {
    let facts = &symbols.facts.exports[export];
    let body = symbols.entry(facts.shim);
    let frame = frame(facts.bound);
    let up = i64::from(frame) - 16;
    let mut ops = vec![inst("NO_LOCAL_POINTERS")];
    let blocking = signature.blocking.as_ref().map(|blocking| (blocking, symbols.scheduler_calls(blocking)));
    let path = Path { signature, body: &body, up, limit: facts.limited.then_some(facts.bound - RECORD) };
    match &blocking {
        None => ops.extend(path.ops(None)),
        Some((blocking, scheduler_calls)) if blocking.over == 0 => ops.extend(path.ops(Some(scheduler_calls))),
        Some((blocking, scheduler_calls)) => {
            ops.extend(skip_small_calls(blocking));
            ops.extend(path.ops(Some(scheduler_calls)));
            ops.push(Op::Label("plain".into()));
            ops.extend(path.ops(None));
        }
    }
    let limit = path.limit;
    let mut what = match facts.budget {
        Some(budget) => format!("stack budget {budget} bytes, checked where it recurses"),
        None => format!("stack {} bytes", facts.bound),
    };
    what.push_str(if facts.blocking { "; blocking" } else { "" });
    let expected = ExpectedEntry {
        stack: frame,
        limit,
        align: 16,
        room: 0,
        empties_x87: false,
        arguments: signature.first_argument.as_ref().map(|_| 0),
        results: signature.first_result.as_ref().map(|(_, offset)| *offset),
        body,
        grow: "runtime.morestack_noctxt".into(),
        blocking: blocking.map(|(_, scheduler_calls)| scheduler_calls),
    };
    Text {
        comments: comments(symbols, signature, facts.shim, &what),
        name: format!("·{}", signature.name),
        flags: vec![],
        frame,
        args: signature.size,
        ops,
        expected: Expected { contract: Some(Contract::Entry(expected)), ..Expected::default() },
        identity: None,
    }
}

/// Generates the entry that jumps to the entry for the processor's level (a set of CPU features). The entry changes R16, and R27, in which the
/// assembler computes the address of the variable with the level.
pub fn dispatch(expected: &ExpectedDispatch) -> Text {
    let load = format!("MOVBU {}(SB), R16", expected.level);
    dispatch_glue(expected, load, |from, label| [format!("CMP ${from}, R16"), format!("BLO {label}")])
}

/// The parameters of a framed entry's code between the prologue and the return.
struct Path<'a> {
    signature: &'a Signature,
    body: &'a (String, i64),
    /// Number of bytes by which SP moves up for the body.
    up: i64,
    limit: Option<u32>,
}

impl Path<'_> {
    /// Returns the code, with two calls of Go's scheduler if `scheduler_calls` is given. The first call follows the move of SP up: then the return
    /// address is at SP, where Go needs it, and the body runs with the same SP. The second call follows the move of SP back down, because Go may move
    /// the stack during this call, as in any Go function.
    fn ops(&self, scheduler_calls: Option<&ExpectedBlocking>) -> Vec<Op> {
        let near = |word: Option<u32>| word.expect("an offset that fits");
        let far = |reg, by| add(reg, SP, by).expect("a bound of less than 16 MiB");
        let mut ops: Vec<Op> = areas(self.signature).into_iter().map(|(text, ..)| inst(text)).collect();
        let mut words = vec![near(load(IP1, SP, -8))];
        words.extend(far(IP0, self.up));
        words.extend([near(store(LR, IP0, 0)), near(store(IP1, IP0, 8)), near(store(LR, IP0, 16))]);
        ops.push(Op::Comment("the caller's frame pointer, and the return address twice".into()));
        ops.push(Op::Words(words));
        ops.extend(move_sp(-self.up).into_iter().map(|(text, ..)| inst(text)));
        ops.push(Op::Words(add(FP, SP, 8).expect("a small offset")));
        if let Some(scheduler_calls) = scheduler_calls {
            ops.push(inst(format!("CALL {}(SB)", scheduler_calls.enter)));
            let again = areas(self.signature).into_iter().flat_map(|(_, offset, reg)| far(reg, i64::from(RECORD + 8 + offset)));
            let words: Vec<u32> = again.collect();
            if !words.is_empty() {
                ops.push(Op::Comment("the addresses of the areas again: they lie above the caller's word at SP".into()));
                ops.push(Op::Words(words));
            }
        }
        if let Some(limit) = self.limit {
            ops.push(Op::Comment("the limit of this call, at g.stack.lo, for the checked entries below".into()));
            let mut words = vec![LOWEST];
            words.extend(far(IP1, -i64::from(limit)));
            words.push(near(store(IP1, IP0, LIMIT.into())));
            ops.push(Op::Words(words));
        }
        ops.push(inst(format!("CALL {}(SB)", reference(&self.body.0, self.body.1))));
        let mut words = vec![near(load(IP1, SP, 8)), near(load(LR, SP, 0))];
        words.extend(far(IP0, -self.up));
        words.extend([near(store(IP1, IP0, -8)), near(store(LR, IP0, 0))]);
        ops.push(Op::Comment("back to where the epilogue reads them".into()));
        ops.push(Op::Words(words));
        ops.extend(move_sp(self.up).into_iter().map(|(text, ..)| inst(text)));
        if let Some(scheduler_calls) = scheduler_calls {
            ops.push(Op::Words(add(FP, SP, -8).expect("a small offset")));
            ops.push(inst(format!("CALL {}(SB)", scheduler_calls.leave)));
        }
        ops.push(inst("RET"));
        ops
    }
}

/// Emits code that jumps to the label `plain` if the call passes at most `blocking.over` bytes. The code uses R2 to R4.
fn skip_small_calls(blocking: &Blocking) -> Vec<Op> {
    let mut ops = vec![Op::Comment(format!("calls that pass at most {} bytes are ordinary calls", blocking.over))];
    ops.push(Op::Words(constant(2, 0)));
    for length in &blocking.lengths {
        ops.push(inst(format!("MOVD {}+{}(FP), R3", length.word, length.offset)));
        // The products do not overflow, because Go's memory holds less than 2^48 bytes.
        ops.push(Op::Words([constant(4, length.size.min(u32::MAX.into()) as u32), vec![MULTIPLY]].concat()));
    }
    ops.push(Op::Words(constant(3, blocking.over as u32)));
    ops.extend([inst("CMP R3, R2"), inst("BLS plain")]);
    ops
}

/// Encodes `movz rd, #value`, and `movk rd, #value, lsl #16` if the upper half is not zero.
fn constant(rd: usize, value: u32) -> Vec<u32> {
    let (low, high) = (value & 0xffff, value >> 16);
    let mut words = vec![0xd280_0000 | low << 5 | rd as u32];
    if high != 0 {
        words.push(0xf2a0_0000 | high << 5 | rd as u32);
    }
    words
}

/// Generates a checked entry, which jumps to the function only if the running call has enough stack left. A function has a checked entry if its stack
/// need is not part of every caller's bound.
pub fn checked_entry(symbols: &Symbols<'_>, me: InstanceId) -> Text {
    let need = symbols.facts.stacks[me].need;
    let path = &symbols.object.functions[symbols.facts.instances[me].function].path;
    let (name, exhausted) = (symbols.checked[&me].clone(), symbols.exhausted(me));
    let mut ops = vec![
        inst("NO_LOCAL_POINTERS"),
        Op::Comment("R16 = the stack limit of the running call, which its entry stored at g.stack.lo".into()),
    ];
    let words = |words: Vec<u32>| words.into_iter().map(Piece::Word);
    let mut pieces = vec![Piece::Depth(0), Piece::Word(LOWEST)];
    pieces.push(Piece::Word(LOAD_LIMIT));
    pieces.extend(words(constant(IP1, need)));
    // The words are add x16, x16, x17; cmp sp, x16. If SP is lower than x16, the next branch skips the jump to the body.
    pieces.extend(words(vec![0x8b11_0210, 0xeb30_63ff]));
    pieces.push(Piece::Inst { text: "BLO spent".into(), words: vec![0x5400_0043], reloc: None });
    pieces.push(jump(&symbols.names[&me]));
    for (register, (_, operand)) in exhausted.arguments.iter().enumerate() {
        match operand {
            Operand::Address(symbol) => pieces.push(symbol_address(register, symbol, 0)),
            Operand::Number(number) => pieces.extend(words(constant(register, *number))),
        }
    }
    // The entry jumps to the function that reports the exhausted stack. A call would overwrite the return address in x30, and this entry has no frame
    // in which to save x30.
    pieces.push(jump(&exhausted.function));
    let laid = lay(&pieces, &Records::default()).expect("there is no branch to lay out");
    let mut spent = false;
    for op in laid.ops {
        if std::mem::take(&mut spent) {
            ops.push(Op::Label("spent".into()));
        }
        spent = op == inst(format!("JMP {}(SB)", symbols.names[&me]));
        ops.push(op);
    }
    let comment = format!("{path}, if the running call has enough stack for it ({need} bytes)");
    let expected = ExpectedChecked { start: 0, stack: need, body: (symbols.names[&me].clone(), 0), exhausted };
    let expected = Expected { contract: Some(Contract::Checked(expected)), ..laid.expected };
    Text { expected, ..glue_text(&name, comment, &["NOSPLIT", "NOFRAME"], ops) }
}

/// Emits a load of the address of a symbol plus an offset into a register.
fn symbol_address(register: usize, symbol: &str, offset: i64) -> Piece {
    let text = format!("MOVD ${}(SB), R{register}", reference(symbol, offset));
    Piece::Inst { text, words: address(register), reloc: Some((RefKind::Address, symbol.to_owned(), offset)) }
}

/// Emits a jump to another symbol.
fn jump(symbol: &str) -> Piece {
    Piece::Inst { text: format!("JMP {symbol}(SB)"), words: vec![0x1400_0000], reloc: Some((RefKind::Branch, symbol.to_owned(), 0)) }
}

/// Generates the code of a function that only executes `steps`, such as a load of an argument and a jump.
pub fn glue(steps: &[Glue]) -> (Vec<Op>, Expected) {
    let piece = |step: &Glue| match step {
        Glue::Argument(register, symbol, offset) => symbol_address(*register, symbol, *offset),
        // On AArch64 a function's own code begins at its symbol, with no prologue before it.
        Glue::Jump(symbol) | Glue::Enter(symbol, _) => jump(symbol),
        Glue::Trap => Piece::Word(BREAK),
    };
    let mut pieces = vec![Piece::Depth(0)];
    pieces.extend(steps.iter().map(piece));
    let laid = lay(&pieces, &Records::default()).expect("there is no branch to lay out");
    (laid.ops, laid.expected)
}
