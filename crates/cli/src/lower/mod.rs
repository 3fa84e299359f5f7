//! Facts → goasm::File.
//!
//! What is the same for every machine is here: which symbols there are and what they are called, which data is carried
//! and how it is laid out, and the glue around the panic entry. Instructions and entries are the machine's
//! (`arch::x86_64::lower`).

mod data;
mod names;

pub use data::{DataPlan, Place as DataPlace};

use crate::analyze::{Facts, InstanceId};
use crate::arch::x86_64;
use crate::decode::Program;
use crate::diag::{Failure, Result};
use crate::goasm::{File, Item};
use crate::load::Object;
use names::Names;
use std::collections::{BTreeMap, BTreeSet};

/// The panic entry of the package, reached from Rust by a call.
pub const PANIC: &str = "rustgo·panic<>";
/// Stands for functions that only a panic's message could call and that cannot be carried.
pub const UNAVAILABLE: &str = "rustgo·unavailable<>";

/// What the Go declaration of an export says, as far as its entry in assembly must agree with it.
#[derive(Clone, Debug)]
pub struct Signature {
    pub name: String,
    /// The declaration, for the comment above the entry.
    pub declaration: String,
    /// The Go name of the first word of the arguments, as `go vet` knows it (`dst`, `msg_base`).
    pub first_argument: Option<String>,
    /// The Go name of the first result and its offset from the arguments.
    pub first_result: Option<(String, u32)>,
    /// Size of arguments and results, in bytes.
    pub size: u32,
}

/// What a machine's lowering needs to know of the others' symbols.
pub struct Symbols<'a> {
    pub object: &'a Object,
    pub program: &'a Program,
    pub facts: &'a Facts,
    /// By instance: its name (with `<>`).
    pub names: BTreeMap<InstanceId, String>,
    /// By instance: where its body starts behind the assembler's prologue.
    pub starts: BTreeMap<InstanceId, u32>,
    /// By recursive instance: the name of its checked entry.
    pub checked: BTreeMap<InstanceId, String>,
    /// For addresses of functions: the one instance that stands for each.
    pub addresses: BTreeMap<crate::ids::FuncId, InstanceId>,
}

/// Lower everything that is emitted.
pub fn lower(object: &Object, program: &Program, facts: &Facts, signatures: &[Signature], header: Vec<String>) -> Result<File> {
    let mut names = Names::default();
    // A fused shim stands in its entry and has no text of its own, unless something else reaches it.
    let reached = reached_otherwise(facts, object);
    let fused: BTreeSet<InstanceId> =
        facts.exports.iter().filter(|e| e.fused && !reached.contains(&e.shim)).map(|e| e.shim).collect();
    let mut symbols = Symbols {
        object,
        program,
        facts,
        names: BTreeMap::new(),
        starts: BTreeMap::new(),
        checked: BTreeMap::new(),
        addresses: BTreeMap::new(),
    };
    for &me in &facts.emitted {
        let instance = &facts.instances[me];
        let function = &object.functions[instance.function];
        let path = match instance.alignment {
            Some(alignment) => format!("{}::sp{alignment}", function.path),
            None => function.path.clone(),
        };
        symbols.names.insert(me, names.fresh(&path));
        symbols.starts.insert(me, x86_64::start(&symbols, me));
        if instance.recursive {
            symbols.checked.insert(me, names.fresh(&format!("{path}::checked")));
        }
        symbols.addresses.entry(instance.function).or_insert(me);
    }
    let mut plan = DataPlan::new(object);
    let mut errors = Vec::new();
    let mut items = Vec::new();
    let mut bodies = Vec::new();
    for (index, signature) in signatures.iter().enumerate() {
        match x86_64::entry(&symbols, &mut plan, index, signature) {
            Ok(text) => items.push(Item::Text(text)),
            Err(diagnostic) => errors.push(diagnostic),
        }
    }
    for &me in facts.emitted.iter().filter(|me| !fused.contains(me)) {
        if facts.instances[me.to_owned()].recursive {
            bodies.push(Item::Text(x86_64::checked_entry(&symbols, me)));
        }
        match x86_64::body(&symbols, &mut plan, me) {
            Ok(text) => bodies.push(Item::Text(text)),
            Err(diagnostic) => errors.push(diagnostic),
        }
    }
    let needs_panic = facts.emitted.iter().any(|&me| {
        facts.instances[me].targets.iter().flatten().any(|n| matches!(n, crate::analyze::Node::Panic | crate::analyze::Node::Unavailable(_)))
    });
    let data = match plan.finish(&symbols) {
        Ok(data) => data,
        Err(mut more) => {
            errors.append(&mut more);
            Vec::new()
        }
    };
    let needs_stub = facts.can_panic || !facts.unavailable.is_empty();
    if !errors.is_empty() {
        return Err(Failure::Refused(errors));
    }
    items.extend(bodies);
    if needs_panic || needs_stub {
        items.extend(x86_64::panic_glue(&symbols).into_iter().map(Item::Text));
    }
    items.extend(x86_64::checked_names(&symbols).into_iter().map(Item::Data));
    items.extend(data);
    Ok(File { header, constraint: "amd64".into(), name: "rustgo_amd64.s".into(), items })
}

/// Instances that are called, jumped to, or whose address is taken.
fn reached_otherwise(facts: &Facts, object: &Object) -> BTreeSet<InstanceId> {
    let addressed: BTreeSet<crate::ids::FuncId> = object
        .data
        .values()
        .flat_map(|d| &d.relocs)
        .chain(object.functions.values().flat_map(|f| &f.relocs))
        .filter_map(|r| match r.target {
            crate::load::Target::Function(id) => Some(id),
            _ => None,
        })
        .collect();
    facts.emitted.iter().copied().filter(|&me| addressed.contains(&facts.instances[me].function)).collect()
}
