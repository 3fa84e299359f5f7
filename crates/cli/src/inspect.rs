//! The command `rustgo inspect`, which shows the package's functions as a table, a listing or a call graph. All data comes from the results of the
//! analysis.

mod graph;
mod level_sizes;
mod refused;
mod table;

pub use level_sizes::levels;
pub use refused::{Origin, refused};

use crate::analyze::Machine;
use crate::analyze::{Facts, InstanceId, Node};
use crate::api::Package;
use crate::args::{GraphFormat, InspectArgs};
use crate::decode::Program;
use crate::diag::{Diagnostic, ErrorCode, Result};
use crate::load::Object;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Write as _;

/// The results of earlier stages that `rustgo inspect` shows.
pub struct Subject<'a> {
    pub package: &'a Package,
    pub object: &'a Object,
    pub program: &'a Program,
    pub facts: &'a Facts,
    pub machine: &'a dyn Machine,
}

/// Prints the requested view, as text or as one line of JSON, to stdout or a file.
pub fn inspect(subject: &Subject<'_>, args: &InspectArgs, json: bool) -> Result<()> {
    let text = match (&args.asm, args.graph) {
        (Some(name), _) if json => table::listing_json(subject, find(subject, name)?),
        (Some(name), _) => list(subject, find(subject, name)?),
        (None, Some(GraphFormat::Dot)) => graph::dot(subject),
        (None, None) if json => table::json(subject),
        (None, None) => table::human(subject),
    };
    show(&text, args)
}

/// Writes the text to the file that `args` names, or to stdout.
pub fn show(text: &str, args: &InspectArgs) -> Result<()> {
    match &args.output {
        Some(path) => std::fs::write(path, text)
            .map_err(|error| Diagnostic::new(ErrorCode::Output, format!("cannot write {}: {error}", path.display())).into()),
        None => {
            // Ignore an error: the program at the other end of a pipe may close the pipe when it has read enough, which is not a failure.
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
        self.facts.instances[me].targets.iter().flat_map(|&set| &self.facts.sets[set]).collect()
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
            Node::Exit(exit) => exit.to_string(),
            Node::Unavailable(name) => format!("{name} (left out)"),
        }
    }
}

/// Finds the function with this name, or the only function whose path ends with this name.
fn find(subject: &Subject<'_>, name: &str) -> Result<InstanceId> {
    let export = subject.package.find(name).map(|(id, _)| subject.facts.exports[id].shim);
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
        [] => Err(Diagnostic::new(ErrorCode::Request, format!("no function is called {name}"))
            .hint("rustgo inspect without --asm lists the functions; --asm takes a name in Go, or the end of a path in Rust")
            .into()),
        [one] => Ok(one),
        _ => {
            let mut diagnostic = Diagnostic::new(ErrorCode::Request, format!("{} functions are called {name}", matching.len()))
                .hint("give more of the path");
            diagnostic.notes = matching.iter().take(10).map(|&i| subject.path(i)).collect();
            Err(diagnostic.into())
        }
    }
}

/// Lists a function's instructions, with the depth of SP and the Rust lines from which the instructions were compiled.
fn list(subject: &Subject<'_>, me: InstanceId) -> String {
    let instance = &subject.facts.instances[me];
    let function = &subject.object.functions[instance.function];
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{}: {} bytes, frame {}, stack {}",
        subject.path(me),
        function.code.len(),
        instance.summary.deepest,
        subject.facts.stacks[me].need
    );
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
            let names: Vec<String> = subject.facts.sets[instance.targets[index]].iter().map(|n| subject.name_of(n)).collect();
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
