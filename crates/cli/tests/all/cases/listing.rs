//! Listings of the stages' results, for golden files and for readers.

use cranelift_entity::EntityRef;
use rustgo_cli::testing::analyze::{EdgeKind, Facts, InstanceId, Machine, Node};
use rustgo_cli::testing::code::{Flow, Inst, Role};
use rustgo_cli::testing::decode::Program;
use rustgo_cli::testing::goasm::{File, Item, Op, Text};
use rustgo_cli::testing::ids::SectionId;
use rustgo_cli::testing::load::{Function, Object};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Appends a line; writing to a string never fails.
macro_rules! line {
    ($out:expr, $($arg:tt)*) => { writeln!($out, $($arg)*).expect("a string takes everything") };
}

/// The listing of decode: every instruction with its successors.
pub fn decoded(machine: &dyn Machine, object: &Object, program: &Program) -> String {
    let mut out = String::new();
    for (id, function) in &object.functions {
        line!(out, "{}", function.path);
        match &program.codes[id] {
            Ok(code) => {
                for inst in &code.insts {
                    let role = if inst.role == Role::Plain { String::new() } else { format!("  {:?}", inst.role) };
                    let reloc = inst.reloc.map(|r| &function.relocs[r as usize]);
                    let reloc = reloc.map(|r| format!("  ({:?} {:?}{:+})", r.kind, r.target, r.addend)).unwrap_or_default();
                    line!(out, "{:6x}  {:<44} {:?}{role}{reloc}", inst.offset, machine.print(function, inst), inst.flow);
                }
            }
            Err(diagnostic) => line!(out, "  error[{}]: {}", diagnostic.code, diagnostic.message),
        }
        out.push('\n');
    }
    out
}

/// The listing of analyze. Each function has the stack depth before each instruction, and the targets of its calls. Each export has the stack that it
/// needs.
pub fn analyzed(machine: &dyn Machine, object: &Object, program: &Program, facts: &Facts) -> String {
    let mut out = String::new();
    for (id, export) in &object.exports {
        let facts = &facts.exports[id];
        let budget = facts.budget.map(|budget| format!(", budget {budget}")).unwrap_or_default();
        line!(
            out,
            "export {}: {}, stack {}{budget}{}{}{}, features {:?}",
            export.schema.go_name,
            facts.entry,
            facts.bound,
            if facts.align > 16 { format!(", aligned to {}", facts.align) } else { String::new() },
            if facts.limited { ", limited" } else { "" },
            if facts.can_panic { ", can panic" } else { "" },
            facts.features
        );
    }
    for (symbol, why) in &facts.unavailable {
        line!(out, "not carried: {symbol}: {why}");
    }
    for &me in &facts.emitted {
        function(&mut out, machine, object, program, facts, me);
    }
    out
}

fn name(object: &Object, facts: &Facts, node: &Node) -> String {
    match node {
        Node::Instance(id) => {
            let instance = &facts.instances[*id];
            let path = &object.functions[instance.function].path;
            instance.alignment.map_or_else(|| path.clone(), |alignment| format!("{path}@{alignment}"))
        }
        Node::Exit(exit) => exit.to_string(),
        Node::Unavailable(symbol) => format!("{symbol} (not carried)"),
    }
}

fn function(out: &mut String, machine: &dyn Machine, object: &Object, program: &Program, facts: &Facts, me: InstanceId) {
    let instance = &facts.instances[me];
    let summary = &instance.summary;
    let function = &object.functions[instance.function];
    let marks = [
        (facts.stacks[me].recursive, ", recursive"),
        (facts.guarded.contains(instance.function), ", guarded"),
        (!instance.hot, ", for a panic's text only"),
        (summary.red_zone, ", red zone"),
        (!summary.returns, ", never returns"),
        (summary.uses_alignment, ", depends on its entry alignment"),
        (summary.observes_alignment, ", sees SP"),
    ];
    let marks: String = marks.iter().filter(|(on, _)| *on).map(|(_, text)| *text).collect();
    let clobbers: Vec<String> = (0..32).filter(|r| summary.clobbers >> r & 1 != 0).map(|r| format!(" r{r}")).collect();
    let clobbers = if clobbers.is_empty() { String::new() } else { format!(", clobbers{}", clobbers.concat()) };
    line!(
        out,
        "\n{}: frame {}, need {}{marks}{clobbers}",
        name(object, facts, &Node::Instance(me)),
        summary.deepest,
        facts.stacks[me].need
    );
    let Ok(code) = &program.codes[instance.function] else { return };
    for (at, inst) in code.insts.iter().enumerate() {
        let depth = summary.depths[at].map_or("-".to_owned(), |depth| depth.to_string());
        let mut notes = String::new();
        if let Ok(edge) = summary.edges.binary_search_by_key(&at, |edge| edge.inst) {
            let targets: BTreeSet<String> = facts.sets[instance.targets[edge]].iter().map(|node| name(object, facts, node)).collect();
            let how = if summary.edges[edge].kind == EdgeKind::Tail { "jumps to" } else { "calls" };
            let aligned = if facts.realigned.contains(&(me, edge)) { ", aligned to 16" } else { "" };
            notes = format!("  {how} {}{aligned}", targets.into_iter().collect::<Vec<_>>().join(" | "));
        }
        if let Some(table) = summary.tables.get(&at) {
            let targets: Vec<String> = table.targets.iter().map(|to| format!("{to:x}")).collect();
            notes = format!("  one of {}", targets.join(" "));
        }
        line!(out, "{:6x} {depth:>6}  {}{notes}", inst.offset, machine.print(function, inst));
    }
}

/// The listing of lower, for a machine with fixed-size instructions. Instructions that the file contains as numbers are disassembled. Each line of a
/// body begins with the instruction's offset, and with the number of bytes by which SP is below its value on entry.
pub fn lowered(machine: &dyn Machine, file: &File) -> String {
    let printed = file.print();
    let mut out = String::new();
    for item in &file.items {
        match item {
            Item::Text(text) => lowered_text(&mut out, machine, text),
            Item::Data(data) => {
                let end = format!("GLOBL {}(SB)", data.name);
                line!(out, "{}", printed.split("\n\n").find(|item| item.contains(&end)).expect("it is printed").trim_end());
            }
        }
        out.push('\n');
    }
    out
}

fn lowered_text(out: &mut String, machine: &dyn Machine, text: &Text) {
    text.comments.iter().for_each(|comment| line!(out, "// {comment}"));
    let flags = if text.flags.is_empty() { "0".to_owned() } else { text.flags.join("|") };
    line!(out, "TEXT {}(SB), {flags}, ${}-{}", text.name, text.frame, text.args);
    let (mut at, mut lines) = (0, Vec::new());
    let mut add = |offset: u32, size: u32, what: &str| {
        let depth = text.expected.depths.iter().rev().find(|depth| depth.0 <= offset).map(|depth| depth.1);
        let (place, depth) = match depth {
            Some(depth) if size > 0 && (offset as usize) < text.expected.bytes.len() => (format!("{offset:6x}"), depth.to_string()),
            _ => (String::new(), String::new()),
        };
        lines.push((place, format!("{depth:>6}  {what}")));
    };
    for op in &text.ops {
        match op {
            Op::Inst(what) => {
                let size = match what.as_str() {
                    "NO_LOCAL_POINTERS" => 0,
                    what if what.starts_with("PCALIGN") => 0,
                    what if what.starts_with("MOVD $") && what.contains("(SB)") => 8,
                    _ => 4,
                };
                add(at, size, what);
                at += size;
            }
            Op::Words(words) => {
                for &word in words {
                    add(at, 4, &disassembled(machine, word));
                    at += 4;
                }
            }
            Op::Bytes(_) | Op::Line(..) => add(at, 0, &format!("{op:?}")),
            Op::Label(name) => add(at, 0, &format!("{name}:")),
            Op::Comment(comment) => add(at, 0, &format!("// {comment}")),
        }
    }
    for run in lines.chunk_by(|a, b| a.1 == b.1) {
        let shown = if run.len() > 8 { 1 } else { run.len() };
        run[..shown].iter().for_each(|(place, what)| line!(out, "{place:>6} {what}"));
        if shown < run.len() {
            line!(out, "{:13}  … {} times more", "", run.len() - shown);
        }
    }
    // The listing must cover all bytes of the body.
    assert!(text.expected.bytes.len() <= at as usize, "{}: {at} bytes are listed", text.name);
}

fn disassembled(machine: &dyn Machine, word: u32) -> String {
    let function = Function {
        symbol: String::new(),
        path: String::new(),
        is_typed: true,
        member: String::new(),
        is_llvm: false,
        section: SectionId::new(0),
        offset: 0,
        code: word.to_le_bytes().to_vec(),
        align: 4,
        relocs: Vec::new(),
        is_rust: false,
        is_gcc: false,
        lines: Vec::new(),
        inlined: Vec::new(),
        parts: Vec::new(),
        merged: None,
        unwinding: None,
    };
    machine.print(
        &function,
        &Inst { offset: 0, len: 4, flow: Flow::Next, reloc: None, function_address: None, role: Role::Plain, can_fault: false },
    )
}
