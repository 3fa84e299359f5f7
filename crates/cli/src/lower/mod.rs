//! Facts → goasm::File: generates the assembly file of one target from the analysed functions. [`crate::verify`] checks the file later.
//!
//! This folder contains the parts of lowering that all machines share: symbols and their names, the choice and layout of data, and the stubs of
//! exits (functions of the Go package `rt` that Rust code calls). Each machine lowers its instructions and generates its entries ([`Lowering`]).

mod address_halves;
mod callees;
mod data;
mod function_context;
mod glue;
mod live;
mod lowering;
mod names;
mod saved_scratch;
mod symbols;
mod tables;

pub use data::{DataLowering, DataPlan, Place as DataPlace};
pub use function_context::FunctionContext;
pub use glue::{dispatch, text as glue_text};
pub use live::Live;
use live::Reader;
pub use lowering::{Glue, Lowering};
pub use symbols::{Signature, Symbols};

use crate::activity;
use crate::analyze::{EntryKind, Facts, InstanceId, Node, SetId, at_root, complete_hint, explain};
use crate::api::Package;
use crate::code::Set;
use crate::decode::Program;
use crate::diag::gather::{by_importance, gather};
use crate::diag::{Diagnostic, ErrorCode, Failure, Result};
use crate::exits::Exit;
use crate::goasm::{File, Item};
use crate::ids::FuncId;
use crate::load::{Object, Target};
use names::Names;
use std::collections::{BTreeMap, BTreeSet};

/// Generates all functions and data of the package. `rt` is the prefix of symbols of the package rt, in the assembler's spelling.
pub fn lower(
    object: &Object,
    program: &Program,
    facts: &Facts,
    machine: &dyn Lowering,
    package: &Package,
    rt: &str,
    header: Vec<String>,
) -> Result<File> {
    if !facts.refused.is_empty() {
        return Err(Failure::Refused(by_importance(gather(reasons(object, program, facts, machine, rt)))));
    }
    // An export's shim is the function that the macro generates around the author's function. A fused entry contains the shim's code. Then the shim
    // needs no symbol of its own, unless other code reaches the shim.
    let sets: BTreeSet<SetId> = facts.emitted.iter().flat_map(|&me| facts.instances[me].targets.iter().copied()).collect();
    let called: BTreeSet<&Node> = sets.iter().flat_map(|&set| &facts.sets[set]).collect();
    // Compilers merge equal functions, so a blocking export and a plain export may share a shim. Such a shim needs a symbol.
    let framed: BTreeSet<InstanceId> =
        facts.exports.values().filter(|e| matches!(e.entry, EntryKind::Framed | EntryKind::Task)).map(|e| e.shim).collect();
    let fused: BTreeSet<InstanceId> = facts
        .exports
        .values()
        .filter(|e| {
            e.entry == EntryKind::Fused
                && !framed.contains(&e.shim)
                && !called.contains(&Node::Instance(e.shim))
                && !facts.pointers.addressed.contains(&facts.instances[e.shim].function)
        })
        .map(|e| e.shim)
        .collect();
    let symbols = symbols(object, program, facts, machine, rt);
    let mut errors = refused_handovers(&symbols, machine);
    let mut plan = DataPlan::new(object, machine);
    let mut items = Vec::new();
    let mut bodies = Vec::new();
    for (export, function) in &package.functions {
        let described = &facts.exports[export];
        if described.entry == EntryKind::Routine {
            items.push(Item::Text(glue::routine(&symbols, machine, described.shim, &Signature::of(function))));
        }
        if described.entry == EntryKind::Task {
            items.push(Item::Data(glue::task_body(&symbols, described, &function.symbol)));
        }
        match Lowering::entry(machine, &symbols, &mut plan, export, &Signature::of(function)) {
            Ok(texts) => items.extend(texts.into_iter().map(Item::Text)),
            Err(diagnostic) => errors.push(diagnostic),
        }
    }
    for (done, &me) in facts.emitted.iter().filter(|me| !fused.contains(me)).enumerate() {
        activity::report(done, facts.emitted.len(), "functions", &object.functions[facts.instances[me].function].path);
        if symbols.checked.contains_key(&me) {
            bodies.push(Item::Text(machine.checked_entry(&symbols, me)));
        }
        if symbols.aligned.contains_key(&facts.instances[me].function) && symbols.addresses.get(&facts.instances[me].function) == Some(&me)
        {
            bodies.push(Item::Text(machine.aligned_entry(&symbols, me)));
        }
        if symbols.realigned.contains_key(&me) {
            bodies.push(Item::Text(machine.realigned_entry(&symbols, me)));
        }
        if symbols.copying.contains_key(&me) {
            bodies.push(Item::Text(machine.copying_entry(&symbols, me)));
        }
        match machine.body(&symbols, &mut plan, me) {
            Ok(text) => bodies.push(Item::Text(text)),
            Err(diagnostic) => errors.push(diagnostic),
        }
    }
    let mut exits: BTreeSet<Exit> = called.iter().filter_map(|node| node.exit()).collect();
    let data = match plan.finish(&symbols) {
        Ok(data) => data,
        Err(mut more) => {
            errors.append(&mut more);
            Vec::new()
        }
    };
    if !errors.is_empty() {
        return Err(Failure::Refused(by_importance(gather(explain(object, program, facts, errors)))));
    }
    items.extend(bodies);
    if !symbols.unreached.is_empty() {
        let referenced: BTreeSet<String> = items.iter().chain(&data).flat_map(|item| item.references()).map(str::to_owned).collect();
        let used = symbols.unreached.iter().filter(|(_, name)| referenced.contains(*name));
        items.extend(used.map(|(&id, name)| Item::Text(glue::unreached(&symbols, machine, id, name))));
    }
    // Code that formats a panic message may panic again, and may call functions that the package does not include, so add the exits for both cases.
    if facts.can_panic || !facts.unavailable.is_empty() || exits.iter().any(|exit| exit.formats()) || exits.contains(&Exit::Missing) {
        exits.extend([if object.unwinds { Exit::Throw } else { Exit::Panic }, Exit::Missing]);
    }
    let missing = symbols.exit(Exit::Missing);
    if !exits.contains(&Exit::Missing) && items.iter().chain(&data).any(|item| item.references().contains(&missing.as_str())) {
        items.push(Item::Text(glue::never_called(&symbols, machine)));
    }
    for exit in Exit::ALL.into_iter().filter(|exit| exit.row().stub.is_none()) {
        let address = symbols::address_of(exit);
        if items.iter().chain(&data).any(|item| item.references().contains(&address.as_str())) {
            items.push(Item::Text(glue::address(&symbols, machine, exit)));
        }
    }
    items.extend(exits.iter().filter_map(|&exit| glue::stub(&symbols, machine, exit)).map(Item::Text));
    items.extend(glue::checked_names(&symbols).into_iter().map(Item::Data));
    items.extend(data);
    identify(&mut items, &symbols);
    Ok(File { header, target: object.target, has_fallback: false, prelude: machine.prelude(), items })
}

/// Returns the reasons to refuse the code: those that the loader and the analysis found, and those that lowering finds in the functions to emit.
/// Leaves out the reasons that lowering finds in functions that call a stub. (A stub replaces a function that cannot be included.)
pub fn reasons(object: &Object, program: &Program, facts: &Facts, machine: &dyn Lowering, rt: &str) -> Vec<Diagnostic> {
    let symbols = symbols(object, program, facts, machine, rt);
    let mut errors = refused_handovers(&symbols, machine);
    let mut plan = DataPlan::new(object, machine);
    errors.extend(facts.emitted.iter().filter_map(|&me| machine.body(&symbols, &mut plan, me).err()));
    errors.extend(plan.finish(&symbols).err().unwrap_or_default());
    // Drop the reasons in functions that call a stub, because the stub itself may be the cause of these reasons.
    let is_stub = |node: &Node| matches!(node, Node::Unavailable(_));
    let stubs: BTreeSet<SetId> = facts.sets.iter().filter(|(_, nodes)| nodes.iter().any(is_stub)).map(|(set, _)| set).collect();
    let calls_a_stub = |me: &&InstanceId| facts.instances[**me].targets.iter().any(|set| stubs.contains(set));
    let doubtful: BTreeSet<&str> =
        facts.emitted.iter().filter(calls_a_stub).map(|&me| object.functions[facts.instances[me].function].path.as_str()).collect();
    errors.retain(|error| error.place.as_ref().is_none_or(|place| !doubtful.contains(place.function.as_str())));
    [facts.refused.clone(), explain(object, program, facts, errors)].concat()
}

/// Returns the reasons to refuse values that one function leaves in registers for another.
fn refused_handovers(symbols: &Symbols<'_>, machine: &dyn Lowering) -> Vec<Diagnostic> {
    let mut errors = refuse_overwritten_registers(symbols, machine);
    errors.extend(tables::refuse(symbols, machine));
    errors
}

/// Names the functions to emit, and decides which of them get a checked, an aligning, a realigning or a copying entry.
fn symbols<'a>(object: &'a Object, program: &'a Program, facts: &'a Facts, machine: &dyn Lowering, rt: &'a str) -> Symbols<'a> {
    let mut names = Names::default();
    let addressed = &facts.pointers.addressed;
    let mut symbols = Symbols {
        object,
        program,
        facts,
        rt,
        names: BTreeMap::new(),
        starts: BTreeMap::new(),
        checked: BTreeMap::new(),
        addresses: BTreeMap::new(),
        unreached: BTreeMap::new(),
        aligned: BTreeMap::new(),
        address_halves: BTreeSet::new(),
        live: Live::new(object, program, facts, machine),
        realigned: BTreeMap::new(),
        copying: BTreeMap::new(),
        entry_start: machine.entry_start(),
    };
    symbols.address_halves = address_halves::find(facts, &symbols.live);
    for &me in &facts.emitted {
        let instance = &facts.instances[me];
        let function = &object.functions[instance.function];
        let path = match instance.alignment {
            Some(alignment) => format!("{}::sp{alignment}", function.path),
            None => function.path.clone(),
        };
        symbols.names.insert(me, names.fresh(&path));
        symbols.starts.insert(me, machine.start(&symbols, me));
        if facts.stacks[me].recursive {
            symbols.checked.insert(me, names.fresh(&format!("{path}::checked")));
        }
        match instance.alignment {
            None => {
                symbols.addresses.entry(instance.function).or_insert(me);
            }
            Some(alignment) if alignment == at_root(facts.alignment) && addressed.contains(&instance.function) => {
                symbols.addresses.insert(instance.function, me);
                symbols.aligned.insert(instance.function, names.fresh(&format!("{}::aligned", function.path)));
            }
            Some(_) => {}
        }
    }
    for &id in addressed.iter().filter(|&&id| !object.functions[id].is_rust && !symbols.addresses.contains_key(&id)) {
        symbols.unreached.insert(id, names.fresh(&format!("{}::unreached", object.functions[id].path)));
    }
    for function in facts.guarded.iter() {
        if let Some(&me) = symbols.addresses.get(&function) {
            symbols.checked.entry(me).or_insert_with(|| names.fresh(&format!("{}::checked", object.functions[function].path)));
        }
    }
    for &me in &facts.emitted {
        for (edge, &set) in facts.instances[me].targets.iter().enumerate() {
            let (entries, suffix) = match (facts.realigned.contains(&(me, edge)), facts.copied.contains(&(me, edge))) {
                (true, _) => (&mut symbols.realigned, "aligned16"),
                (false, true) => (&mut symbols.copying, "copying"),
                (false, false) => continue,
            };
            for to in facts.sets[set].iter().filter_map(Node::instance) {
                let path = &object.functions[facts.instances[to].function].path;
                entries.entry(to).or_insert_with(|| names.fresh(&format!("{path}::{suffix}")));
            }
        }
    }
    symbols
}

/// Gives each function whose address is taken an identity, because two functions with equal code must keep different addresses.
fn identify(items: &mut [Item], symbols: &Symbols<'_>) {
    let has_address = |id: &&FuncId| symbols.addresses.contains_key(id) || symbols.unreached.contains_key(id);
    let kept = symbols.facts.pointers.addressed.iter().filter(has_address);
    let known: BTreeMap<String, &String> =
        kept.map(|&id| (symbols.address(&Target::Function(id)).0, &symbols.object.functions[id].symbol)).collect();
    for item in items {
        if let Item::Text(text) = item
            && let Some(&symbol) = known.get(&text.name)
        {
            text.identity = Some(symbol.clone());
        }
    }
}

/// Maximum number of functions for which a refusal names the instruction that reads a register.
const EXPLAINED: usize = 8;

/// Refuses functions with an entry that would overwrite a live register. An entry that checks the stack or aligns SP uses scratch registers. But in
/// hand-written code, a caller may pass a value to a function in such a register.
///
/// At a call with a relocation, a linker may insert a veneer: code between caller and callee, which may change some registers. So no code passes
/// values in these registers at such a call, and the stack check may overwrite them too. A call whose relocation the assembler has resolved gets no
/// veneer. So if such a call goes to a function, the function's stack check must not overwrite any live register.
fn refuse_overwritten_registers(symbols: &Symbols<'_>, machine: &dyn Lowering) -> Vec<Diagnostic> {
    let resolved = called_without_relocation(symbols);
    let routines: BTreeSet<InstanceId> =
        symbols.facts.exports.values().filter(|export| export.entry == EntryKind::Routine).map(|export| export.shim).collect();
    let mut lost = Vec::new();
    for &me in &symbols.facts.emitted {
        let function = &symbols.object.functions[symbols.facts.instances[me].function];
        let is_address = symbols.addresses.get(&symbols.facts.instances[me].function) == Some(&me);
        let aligned = is_address && symbols.aligned.contains_key(&symbols.facts.instances[me].function);
        let realigned = symbols.realigned.contains_key(&me) || symbols.copying.contains_key(&me);
        if routines.contains(&me) && symbols.live.entry(me) & machine.checking_changes() != 0 {
            lost.push(
                Diagnostic::new(ErrorCode::Unsupported, format!("{} is entered while a scratch register is live", function.path))
                    .at(symbols.object.place(function, 0)),
            );
        }
        let kept = if resolved.contains(&me) { Set::MAX } else { !symbols.live.veneers() };
        let checking = symbols.live.entry(me) & machine.checking_changes() & kept;
        let [before, after] = machine.aligning_changes();
        // An entry for direct calls changes the same registers before the function's code and after it.
        let before = if aligned { before } else { after };
        let aligning = symbols.live.entry(me) & before | symbols.live.exit(me) & after;
        let what = match (symbols.checked.contains_key(&me), aligned || realigned) {
            (true, _) if checking != 0 => {
                format!("is called with a live value in {}, which its stack check overwrites", machine.names(checking))
            }
            (_, true) if aligning != 0 => {
                format!("is called with a live value in {}, which its aligning entry overwrites", machine.names(aligning))
            }
            _ => continue,
        };
        let reader = || {
            symbols
                .live
                .reader(me, if aligned || realigned { checking | aligning } else { checking })
                .filter(|reader| reader.function != me)
        };
        // Limit the number of searches, because a search takes long and many functions have the same reader.
        let reader = if lost.len() < EXPLAINED { reader() } else { None };
        let reader = reader.map_or_else(String::new, |Reader { function, at, is_after_call }| {
            let function = symbols.facts.instances[function].function;
            let printed = symbols.program.codes[function].as_ref();
            let function = &symbols.object.functions[function];
            let printed = printed.map_or_else(|_| String::new(), |code| format!(": `{}`", machine.print(function, &code.insts[at])));
            let when = if is_after_call { "after the call" } else { "before writing it" };
            format!("; {} reads it {when}{printed}", function.path)
        });
        let error = Diagnostic::of(ErrorCode::Unsupported, symbols.object.place(function, 0), format!("{what}{reader}"));
        lost.push(complete_hint(error, function));
    }
    lost
}

/// Returns the functions that a direct call or jump without a relocation goes to.
fn called_without_relocation(symbols: &Symbols<'_>) -> BTreeSet<InstanceId> {
    let mut called = BTreeSet::new();
    for &me in &symbols.facts.emitted {
        let instance = &symbols.facts.instances[me];
        let Ok(code) = &symbols.program.codes[instance.function] else { continue };
        for (edge, &nodes) in instance.summary.edges.iter().zip(&instance.targets) {
            if !edge.indirect && code.insts[edge.inst].reloc.is_none() {
                called.extend(
                    symbols.facts.sets[nodes].iter().filter_map(|node| if let Node::Instance(to) = node { Some(*to) } else { None }),
                );
            }
        }
    }
    called
}
