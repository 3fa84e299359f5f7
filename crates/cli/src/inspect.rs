//! What the crate compiles to, for people: the table of functions, a listing, the call graph.

use crate::analyze::Machine;
use crate::analyze::{Facts, InstanceId, Node};
use crate::args::{GraphFormat, InspectArgs};
use crate::decode::Program;
use crate::diag::{Code, Diagnostic, Result};
use crate::load::Object;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Write as _;

/// What is looked at.
pub struct Subject<'a> {
    pub object: &'a Object,
    pub program: &'a Program,
    pub facts: &'a Facts,
    pub machine: &'a dyn Machine,
}

/// Print what is asked for, to the standard output or to a file.
pub fn inspect(subject: &Subject<'_>, args: &InspectArgs) -> Result<()> {
    let text = match (&args.asm, args.graph) {
        (Some(name), _) => listing(subject, name)?,
        (None, Some(GraphFormat::Dot)) => dot(subject),
        (None, Some(GraphFormat::Svg)) => svg(subject),
        (None, None) => table(subject),
    };
    match &args.output {
        Some(path) => std::fs::write(path, text)
            .map_err(|error| Diagnostic::new(Code::Output, format!("cannot write {}: {error}", path.display())).into()),
        None => {
            // A reader that has seen enough closes the pipe; that is no failure.
            let _ = std::io::stdout().lock().write_all(text.as_bytes());
            Ok(())
        }
    }
}

impl Subject<'_> {
    fn path(&self, me: InstanceId) -> String {
        let instance = &self.facts.instances[me];
        let path = &self.object.functions[instance.function].path;
        match instance.alignment {
            Some(alignment) => format!("{path} (sp {alignment})"),
            None => path.clone(),
        }
    }

    fn hot(&self) -> impl Iterator<Item = InstanceId> + '_ {
        self.facts.emitted.iter().copied().filter(|&i| self.facts.instances[i].hot)
    }

    fn callees(&self, me: InstanceId) -> BTreeSet<&Node> {
        self.facts.instances[me].targets.iter().flatten().collect()
    }

    fn features(&self, me: InstanceId) -> BTreeSet<String> {
        let instance = &self.facts.instances[me];
        let mut features = BTreeSet::new();
        if let Ok(code) = &self.program.codes[instance.function] {
            for (inst, depth) in code.insts.iter().zip(&instance.summary.depths) {
                if depth.is_some() {
                    self.machine.features(&self.object.functions[instance.function], inst, &mut features);
                }
            }
        }
        features
    }

    fn name_of(&self, node: &Node) -> String {
        match node {
            Node::Instance(to) => self.path(*to),
            Node::Panic => "panic".into(),
            Node::Unavailable(name) => format!("{name} (not carried)"),
        }
    }
}

/// The table: exports, then functions that run without a panic, then what only panics need, in one line.
fn table(subject: &Subject<'_>) -> String {
    let mut rows = vec![["export", "entry", "stack", "panics", "features"].map(str::to_owned).to_vec()];
    for (export, facts) in subject.object.exports.iter().zip(&subject.facts.exports) {
        let stack = match facts.budget {
            Some(budget) => format!("{budget} (budget)"),
            None => facts.bound.to_string(),
        };
        rows.push(vec![
            export.schema.go_name.clone(),
            if facts.fused { "fused" } else { "framed" }.into(),
            stack,
            if facts.can_panic { "yes" } else { "no" }.into(),
            join(&facts.features),
        ]);
    }
    let mut out = columns(&rows, &[2]);
    let mut rows = vec![["function", "code", "frame", "stack", "calls", "features"].map(str::to_owned).to_vec()];
    for me in subject.hot() {
        let instance = &subject.facts.instances[me];
        let mark = if instance.recursive { " (recursive)" } else { "" };
        rows.push(vec![
            format!("{}{mark}", subject.path(me)),
            subject.object.functions[instance.function].code.len().to_string(),
            instance.summary.deepest.to_string(),
            instance.need.to_string(),
            subject.callees(me).len().to_string(),
            join(&subject.features(me)),
        ]);
    }
    out.push('\n');
    out.push_str(&columns(&rows, &[1, 2, 3, 4]));
    let cold: Vec<InstanceId> = subject.facts.emitted.iter().copied().filter(|&i| !subject.facts.instances[i].hot).collect();
    if !cold.is_empty() {
        let bytes: usize = cold.iter().map(|&i| subject.object.functions[subject.facts.instances[i].function].code.len()).sum();
        let _ = writeln!(out, "\n{} functions ({bytes} bytes) format the message of a panic", cold.len());
    }
    out
}

fn join(features: &BTreeSet<String>) -> String {
    if features.is_empty() { "-".into() } else { features.iter().map(String::as_str).collect::<Vec<_>>().join(" ") }
}

/// Columns two spaces apart; those in `right` are numbers.
fn columns(rows: &[Vec<String>], right: &[usize]) -> String {
    let count = rows.first().map_or(0, Vec::len);
    let widths: Vec<usize> = (0..count).map(|c| rows.iter().map(|r| r[c].chars().count()).max().unwrap_or(0)).collect();
    let mut out = String::new();
    for row in rows {
        let mut line = String::new();
        for (c, cell) in row.iter().enumerate() {
            let pad = widths[c] - cell.chars().count();
            let (before, after) = if right.contains(&c) { (pad, 0) } else { (0, pad) };
            let _ = write!(line, "{}{cell}{}{}", " ".repeat(before), " ".repeat(after), if c + 1 < count { "  " } else { "" });
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// One function's instructions with SP, and the Rust lines they come from.
fn listing(subject: &Subject<'_>, name: &str) -> Result<String> {
    let export = subject.object.exports.iter().position(|e| e.schema.go_name == name).map(|i| subject.facts.exports[i].shim);
    let matching: Vec<InstanceId> = match export {
        Some(shim) => vec![shim],
        None => {
            let exact: Vec<InstanceId> = subject.facts.emitted.iter().copied().filter(|&i| subject.path(i) == name).collect();
            if exact.is_empty() {
                let bare = |i: InstanceId| &subject.object.functions[subject.facts.instances[i].function].path;
                subject.facts.emitted.iter().copied().filter(|&i| subject.path(i).ends_with(name) || bare(i).ends_with(name)).collect()
            } else {
                exact
            }
        }
    };
    match matching[..] {
        [] => Err(Diagnostic::new(Code::Request, format!("no function is called {name}"))
            .hint("rustgo inspect without --asm lists the functions; the end of a path is enough")
            .into()),
        [one] => Ok(list(subject, one)),
        _ => {
            let mut diagnostic =
                Diagnostic::new(Code::Request, format!("{} functions are called {name}", matching.len())).hint("give more of the path");
            diagnostic.notes = matching.iter().take(10).map(|&i| subject.path(i)).collect();
            Err(diagnostic.into())
        }
    }
}

fn list(subject: &Subject<'_>, me: InstanceId) -> String {
    let instance = &subject.facts.instances[me];
    let function = &subject.object.functions[instance.function];
    let mut out = String::new();
    let _ =
        writeln!(out, "{}: {} bytes, frame {}, stack {}", subject.path(me), function.code.len(), instance.summary.deepest, instance.need);
    let _ = writeln!(out, "  offset  depth  instruction");
    let Ok(code) = &subject.program.codes[instance.function] else { return out };
    let mut line = None;
    for (at, inst) in code.insts.iter().enumerate() {
        let new = function.line_at(inst.offset);
        if new.map(|l| (l.file, l.line)) != line.map(|l: crate::load::Line| (l.file, l.line)) {
            line = new;
            if let Some(l) = new {
                let _ = writeln!(out, "{}:{}", subject.object.files[l.file], l.line);
            }
        }
        let depth = instance.summary.depths[at].map_or("-".to_owned(), |d| d.to_string());
        let mut text = subject.machine.print(function, inst);
        if let Ok(index) = instance.summary.edges.binary_search_by_key(&at, |e| e.inst) {
            let names: Vec<String> = instance.targets[index].iter().map(|n| subject.name_of(n)).collect();
            let _ = write!(text, "  ; {}", names.join(" or "));
        } else if let Some(reloc) = inst.reloc.map(|r| &function.relocs[r as usize])
            && let crate::load::Target::Data(id) = reloc.target
        {
            let _ = write!(text, "  ; {}", subject.object.data[id].name);
        }
        let _ = writeln!(out, "  {:6x}  {depth:>5}  {text}", inst.offset);
    }
    out
}

/// The call graph for Graphviz.
fn dot(subject: &Subject<'_>) -> String {
    let mut out = String::from("digraph calls {\n\trankdir=LR;\n\tnode [shape=box, fontname=\"monospace\"];\n");
    for (export, facts) in subject.object.exports.iter().zip(&subject.facts.exports) {
        let _ = writeln!(out, "\t\"go:{0}\" [label=\"{0}\\nstack {1}\", style=bold];", export.schema.go_name, facts.bound);
        let _ = writeln!(out, "\t\"go:{}\" -> \"{}\";", export.schema.go_name, quote(&subject.path(facts.shim)));
    }
    for me in subject.hot() {
        let instance = &subject.facts.instances[me];
        let name = quote(&subject.path(me));
        let _ = writeln!(out, "\t\"{name}\" [label=\"{name}\\nframe {}, stack {}\"];", instance.summary.deepest, instance.need);
        for node in subject.callees(me) {
            let _ = writeln!(out, "\t\"{name}\" -> \"{}\";", quote(&subject.name_of(node)));
        }
    }
    out.push_str("}\n");
    out
}

fn quote(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

/// The call graph as a picture: exports on the left, each function one column to the right of its furthest caller.
fn svg(subject: &Subject<'_>) -> String {
    let hot: Vec<InstanceId> = subject.hot().collect();
    let mut column = std::collections::BTreeMap::new();
    // Longest distance from an export; a cycle stops growing after as many rounds as there are functions.
    for facts in &subject.facts.exports {
        column.insert(facts.shim, 0usize);
    }
    for _ in 0..hot.len().min(64) {
        let mut grown = false;
        for &me in &hot {
            let Some(&at) = column.get(&me) else { continue };
            for node in subject.callees(me) {
                if let Node::Instance(to) = node
                    && *to != me
                    && column.get(to).is_none_or(|&c| c < at + 1)
                    && at < hot.len()
                {
                    column.insert(*to, at + 1);
                    grown = true;
                }
            }
        }
        if !grown {
            break;
        }
    }
    let mut rows: Vec<usize> = Vec::new();
    let mut places = std::collections::BTreeMap::new();
    let short = |me: InstanceId| {
        let path = subject.path(me);
        let pieces: Vec<&str> = path.rsplit("::").take(2).collect();
        let text: String = pieces.into_iter().rev().collect::<Vec<_>>().join("::");
        text.chars().take(40).collect::<String>()
    };
    for &me in &hot {
        let c = column.get(&me).copied().unwrap_or(0);
        if rows.len() <= c {
            rows.resize(c + 1, 0);
        }
        places.insert(me, (20 + c * 360, 20 + rows[c] * 56));
        rows[c] += 1;
    }
    let width = 40 + rows.len() * 360;
    let height = 40 + rows.iter().max().copied().unwrap_or(1) * 56;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" font-family=\"monospace\" font-size=\"11\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for (&me, &(x, y)) in &places {
        for node in subject.callees(me) {
            if let Node::Instance(to) = node
                && let Some(&(tx, ty)) = places.get(to)
            {
                let _ = writeln!(
                    out,
                    "<path d=\"M{} {}C{} {} {} {} {tx} {}\" fill=\"none\" stroke=\"#888\"/>",
                    x + 300,
                    y + 20,
                    x + 330,
                    y + 20,
                    tx.saturating_sub(30),
                    ty + 20,
                    ty + 20
                );
            }
        }
    }
    for (&me, &(x, y)) in &places {
        let instance = &subject.facts.instances[me];
        let escape = |t: &str| t.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let _ = writeln!(
            out,
            "<g><title>{}</title><rect x=\"{x}\" y=\"{y}\" width=\"300\" height=\"40\" rx=\"4\" fill=\"#eef3fa\" stroke=\"#345\"/><text x=\"{}\" y=\"{}\">{}</text><text x=\"{}\" y=\"{}\" fill=\"#567\">frame {}, stack {}</text></g>",
            escape(&subject.path(me)),
            x + 8,
            y + 16,
            escape(&short(me)),
            x + 8,
            y + 32,
            instance.summary.deepest,
            instance.need
        );
    }
    out.push_str("</svg>\n");
    out
}
