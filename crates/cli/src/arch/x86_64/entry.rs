//! What stands between Go and the bodies: exported entries, checked entries of recursive functions, the panic entry.
//!
//! An entry puts the addresses of the argument and result areas into the first two argument registers of C (DI, SI) and
//! goes. *Fused*: the body stands in the entry itself, and its `ret` returns to Go. *Framed*: the frame is the proven
//! stack bound, so that Go's own prologue makes room and knows for how much; then SP is rolled up by the frame, aligned
//! on one of some static paths, and the body is called below it. Nothing reads SP's alignment in an instruction that has
//! SP for its last operand: the assembler would take it for a write.

use super::layout::Piece;
use super::lower::{adjsp, lower};
use crate::analyze::InstanceId;
use crate::diag::Diagnostic;
use crate::goasm::{Meant, Op, Text, reference};
use crate::load::Target;
use crate::lower::{DataPlan, PANIC, Signature, Symbols, UNAVAILABLE};

/// Where a checked entry starts behind the assembler's prologue.
pub const CHECKED_START: i64 = 32;

/// Bytes that a checked entry leaves free above the lowest one of the stack: what Go keeps for chains of NOSPLIT
/// functions (internal/abi.StackNosplitBase).
const MARGIN: u32 = 800;

/// `rt`'s symbols, as the assembler spells an import path.
const RT: &str = "rustgo·dev∕go∕rt";

fn inst(text: impl Into<String>) -> Op {
    Op::Inst(text.into())
}

/// The symbol and offset that stand for the address of something callable.
pub fn function_address(symbols: &Symbols<'_>, target: &Target) -> (String, i64) {
    match target {
        Target::Function(id) => match symbols.addresses.get(id) {
            Some(me) => match symbols.checked.get(me) {
                Some(checked) => (checked.clone(), CHECKED_START),
                None => (symbols.names[me].clone(), i64::from(symbols.starts[me])),
            },
            // Nothing that is reached can call it.
            None => (UNAVAILABLE.to_owned(), 0),
        },
        Target::Panic => (PANIC.to_owned(), 0),
        Target::Data(_) | Target::Undefined(_) => (UNAVAILABLE.to_owned(), 0),
    }
}

/// The exported entry.
pub fn entry(symbols: &Symbols<'_>, plan: &mut DataPlan<'_>, index: usize, signature: &Signature) -> Result<Text, Diagnostic> {
    let facts = &symbols.facts.exports[index];
    if facts.fused { fused(symbols, plan, facts.shim, signature) } else { framed(symbols, index, signature) }
}

fn areas(signature: &Signature) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(name) = &signature.first_argument {
        lines.push(format!("LEAQ {name}+0(FP), DI"));
    }
    if let Some((name, offset)) = &signature.first_result {
        lines.push(format!("LEAQ {name}+{offset}(FP), SI"));
    }
    lines
}

fn fused(symbols: &Symbols<'_>, plan: &mut DataPlan<'_>, shim: InstanceId, signature: &Signature) -> Result<Text, Diagnostic> {
    let mut prefix = Vec::new();
    let areas = areas(signature);
    let offsets = signature.first_argument.iter().map(|_| 0).chain(signature.first_result.iter().map(|r| r.1));
    for (line, offset) in areas.iter().zip(offsets) {
        // lea reg, [rsp + 8 + offset]: SIB form, since the base is RSP.
        let modrm = if line.ends_with("DI") { 7 } else { 6 } << 3 | 4;
        let displacement = offset as i32 + 8;
        let bytes = match i8::try_from(displacement) {
            Ok(short) => vec![0x48, 0x8D, 0x40 | modrm, 0x24, short as u8],
            Err(_) => [&[0x48, 0x8D, 0x80 | modrm, 0x24][..], &displacement.to_le_bytes()].concat(),
        };
        prefix.push(Piece::Depth(0));
        prefix.push(Piece::Inst { text: line.clone(), bytes, reloc: None });
    }
    let mut laid = lower(symbols, plan, shim, 0, prefix)?;
    let mut ops = Vec::new();
    if laid.meant.align > 1 {
        // Emits nothing at the start of a function, and aligns it.
        ops.push(inst(format!("PCALIGN ${}", laid.meant.align.max(32))));
        laid.meant.align = laid.meant.align.max(32);
    }
    ops.append(&mut laid.ops);
    Ok(Text {
        comments: comments(symbols, signature, shim, "its body stands here: no call, no frame check"),
        name: format!("·{}", signature.name),
        flags: vec!["NOSPLIT", "NOFRAME"],
        frame: 0,
        args: signature.size,
        ops,
        meant: laid.meant,
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

fn framed(symbols: &Symbols<'_>, index: usize, signature: &Signature) -> Result<Text, Diagnostic> {
    let facts = &symbols.facts.exports[index];
    let target = match symbols.checked.get(&facts.shim) {
        Some(checked) => reference(checked, CHECKED_START),
        None => reference(&symbols.names[&facts.shim], i64::from(symbols.starts[&facts.shim])),
    };
    let frame = facts.bound.next_multiple_of(16);
    let mut ops = vec![inst("NO_LOCAL_POINTERS")];
    ops.extend(areas(signature).into_iter().map(Op::Inst));
    let up = inst(adjsp(-(frame as i32)).0);
    let down = inst(adjsp(frame as i32).0);
    ops.push(up.clone());
    ops.push(inst("MOVQ SP, AX"));
    let call = inst(format!("CALL {target}(SB)"));
    // One path a possible remainder; each moves SP by a constant. The dead move in front of a label says at what depth
    // its code runs, for the text before it has ended in a return.
    if facts.align64 {
        ops.push(inst("ANDL $63, AX"));
        for path in 1..8 {
            ops.push(inst(format!("CMPL AX, ${}", path * 8)));
            ops.push(inst(format!("JEQ sp{}", path * 8)));
        }
    } else {
        ops.push(inst("TESTL $8, AX"));
        ops.push(inst("JNE sp8"));
    }
    ops.extend([call.clone(), down.clone(), inst("RET")]);
    for path in 1..if facts.align64 { 8 } else { 2 } {
        ops.push(up.clone());
        ops.push(Op::Label(format!("sp{}", path * 8)));
        ops.push(inst(adjsp(path * 8).0));
        ops.push(call.clone());
        ops.push(inst(adjsp(-path * 8).0));
        ops.push(down.clone());
        ops.push(inst("RET"));
    }
    let mut what = format!("stack {} bytes", facts.bound);
    if let Some(budget) = facts.budget {
        what = format!("stack budget {budget} bytes, checked where it recurses");
    }
    Ok(Text {
        comments: comments(symbols, signature, facts.shim, &what),
        name: format!("·{}", signature.name),
        flags: vec![],
        frame,
        args: signature.size,
        ops,
        meant: Meant::default(),
    })
}

/// The entry of a recursive function: is there stack for one more level?
pub fn checked_entry(symbols: &Symbols<'_>, me: InstanceId) -> Text {
    let instance = &symbols.facts.instances[me];
    let path = &symbols.object.functions[instance.function].path;
    let body = reference(&symbols.names[&me], i64::from(symbols.starts[&me]));
    let name = symbols.checked[&me].clone();
    let mut budgets: Vec<u32> = symbols.facts.exports.iter().filter_map(|e| e.budget).collect();
    budgets.dedup();
    let budget = if let [one] = budgets[..] { one } else { 0 };
    let text = symbols.names[&me].trim_end_matches("<>").replace('·', ".");
    let mut ops = vec![
        inst("NO_LOCAL_POINTERS"),
        inst(format!("PCALIGN ${CHECKED_START}")),
        Op::Comment("R11 = g.stack.lo, the first word of g: the limit that preemption does not touch".into()),
        inst("MOVQ TLS, R11"),
        inst("MOVQ 0(R11)(TLS*1), R11"),
        inst("MOVQ 0(R11), R11"),
        inst(format!("LEAQ {}(R11), R11", instance.need + MARGIN)),
        inst("CMPQ SP, R11"),
        inst("JLS spent"),
        inst(format!("LEAQ {body}(SB), R11")),
        inst("JMP R11"),
        Op::Label("spent".into()),
        inst(format!("LEAQ {}(SB), DI", checked_name(&name))),
        inst(format!("MOVQ ${}, SI", text.len())),
        inst(format!("MOVQ ${budget}, DX")),
        inst(format!("CALL {RT}·exhausted(SB)")),
    ];
    ops.push(Op::Bytes(vec![0xCC]));
    Text {
        comments: vec![format!("{path}, if there is stack for one more level ({} bytes)", instance.need)],
        name,
        flags: vec!["NOFRAME"],
        frame: 0,
        args: 0,
        ops,
        meant: Meant::default(),
    }
}

/// The symbol of a checked function's name in messages.
fn checked_name(checked: &str) -> String {
    format!("{}·name<>", checked.trim_end_matches("<>"))
}

/// The data a checked entry refers to.
pub fn checked_names(symbols: &Symbols<'_>) -> Vec<crate::goasm::Data> {
    symbols
        .checked
        .iter()
        .map(|(me, checked)| {
            let text = symbols.names[me].trim_end_matches("<>").replace('·', ".");
            crate::goasm::Data {
                comment: format!("{text:?}"),
                name: checked_name(checked),
                read_only: true,
                size: text.len() as u64,
                bytes: text.into_bytes(),
                pointers: Vec::new(),
            }
        })
        .collect()
}

/// The panic entry of the package: hands the crate's formatter to `rt`.
pub fn panic_glue(symbols: &Symbols<'_>) -> Vec<Text> {
    let format = symbols
        .object
        .format_panic
        .and_then(|id| symbols.addresses.get(&id))
        .map(|me| reference(&symbols.names[me], i64::from(symbols.starts[me])));
    let text = |name: &str, comment: &str, ops| Text {
        comments: vec![comment.to_owned()],
        name: name.to_owned(),
        flags: vec!["NOSPLIT", "NOFRAME"],
        frame: 0,
        args: 0,
        ops,
        meant: Meant::default(),
    };
    let mut panic = vec![inst("NO_LOCAL_POINTERS")];
    if let Some(format) = format {
        panic.push(inst(format!("LEAQ {format}(SB), SI")));
        panic.push(inst(format!("JMP {RT}·enter(SB)")));
    } else {
        panic.push(Op::Bytes(vec![0x0F, 0x0B]));
    }
    vec![
        text(PANIC, "Rust's panic entry: DI = &core::panic::PanicInfo; does not return", panic),
        text(
            UNAVAILABLE,
            "Stands for functions that only the text of a panic could need and that cannot run in Go: ends the formatting",
            vec![inst("NO_LOCAL_POINTERS"), inst(format!("JMP {PANIC}(SB)"))],
        ),
    ]
}

/// Read-only data that needs more alignment than Go gives data: in a function that is never called.
pub fn data_in_text(comment: String, name: String, align: u64, bytes: Vec<u8>) -> Text {
    Text {
        comments: vec![comment],
        name,
        flags: vec!["NOSPLIT", "NOFRAME"],
        frame: 0,
        args: 0,
        ops: vec![inst(format!("PCALIGN ${align}")), Op::Bytes(bytes.clone())],
        meant: Meant { start: 0, align: align as u32, bytes, relocs: Vec::new(), depths: Vec::new() },
    }
}
