//! Listings of what the stages find, for people to read and for golden files.

use super::common::machine;
use rustgo_cli::analyze::{EdgeKind, Facts, InstanceId, Node};
use rustgo_cli::arch::Role;
use rustgo_cli::decode::Program;
use rustgo_cli::load::Object;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Takes a line; a string never refuses one.
macro_rules! line {
    ($out:expr, $($arg:tt)*) => { writeln!($out, $($arg)*).expect("a string takes everything") };
}

/// Every instruction with where control goes after it.
pub fn decoded(object: &Object, program: &Program) -> String {
    let mut out = String::new();
    for (id, function) in &object.functions {
        line!(out, "{}", function.path);
        match &program.codes[id] {
            Ok(code) => {
                for inst in &code.insts {
                    let role = if inst.role == Role::Plain { String::new() } else { format!("  {:?}", inst.role) };
                    let reloc = inst.reloc.map(|r| &function.relocs[r as usize]);
                    let reloc = reloc.map(|r| format!("  ({:?} {:?}{:+})", r.kind, r.target, r.addend)).unwrap_or_default();
                    line!(out, "{:6x}  {:<44} {:?}{role}{reloc}", inst.offset, machine().print(function, inst), inst.flow);
                }
            }
            Err(diagnostic) => line!(out, "  error[{}]: {}", diagnostic.code, diagnostic.message),
        }
        out.push('\n');
    }
    out
}

/// Every function: the stack before each instruction, where calls lead, and what the exports need.
pub fn analyzed(object: &Object, program: &Program, facts: &Facts) -> String {
    let mut out = String::new();
    for (export, facts) in object.exports.iter().zip(&facts.exports) {
        let budget = facts.budget.map(|budget| format!(", budget {budget}")).unwrap_or_default();
        line!(
            out,
            "export {}: {}, stack {}{budget}{}{}, features {:?}",
            export.schema.go_name,
            if facts.fused { "fused" } else { "framed" },
            facts.bound,
            if facts.align > 16 { format!(", aligned to {}", facts.align) } else { String::new() },
            if facts.can_panic { ", can panic" } else { "" },
            facts.features
        );
    }
    for (symbol, why) in &facts.unavailable {
        line!(out, "not carried: {symbol}: {why}");
    }
    for &me in &facts.emitted {
        function(&mut out, object, program, facts, me);
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
        Node::Panic => "panic".into(),
        Node::Unavailable(symbol) => format!("{symbol} (not carried)"),
    }
}

fn function(out: &mut String, object: &Object, program: &Program, facts: &Facts, me: InstanceId) {
    let instance = &facts.instances[me];
    let summary = &instance.summary;
    let function = &object.functions[instance.function];
    let marks = [
        (instance.recursive, ", recursive"),
        (!instance.hot, ", for a panic's text only"),
        (summary.red_zone, ", red zone"),
        (!summary.returns, ", never returns"),
        (summary.uses_alignment, ", depends on its entry alignment"),
    ];
    let marks: String = marks.iter().filter(|(on, _)| *on).map(|(_, text)| *text).collect();
    let clobbers: Vec<String> = (0..16).filter(|r| summary.clobbers >> r & 1 != 0).map(|r| format!(" r{r}")).collect();
    let clobbers = if clobbers.is_empty() { String::new() } else { format!(", clobbers{}", clobbers.concat()) };
    line!(out, "\n{}: frame {}, need {}{marks}{clobbers}", name(object, facts, &Node::Instance(me)), summary.deepest, instance.need);
    let Ok(code) = &program.codes[instance.function] else { return };
    for (at, inst) in code.insts.iter().enumerate() {
        let depth = summary.depths[at].map_or("-".to_owned(), |depth| depth.to_string());
        let mut notes = String::new();
        if let Ok(edge) = summary.edges.binary_search_by_key(&at, |edge| edge.inst) {
            let targets: BTreeSet<String> = instance.targets[edge].iter().map(|node| name(object, facts, node)).collect();
            let how = if summary.edges[edge].kind == EdgeKind::Tail { "jumps to" } else { "calls" };
            notes = format!("  {how} {}", targets.into_iter().collect::<Vec<_>>().join(" | "));
        }
        if let Some(table) = summary.tables.get(&at) {
            let targets: Vec<String> = table.targets.iter().map(|to| format!("{to:x}")).collect();
            notes = format!("  one of {}", targets.join(" "));
        }
        line!(out, "{:6x} {depth:>6}  {}{notes}", inst.offset, machine().print(function, inst));
    }
}
