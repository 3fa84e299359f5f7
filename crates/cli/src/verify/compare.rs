//! Compares a file of Go assembly (goasm::File) with the object that Go's assembler made from the file, symbol by symbol.

use super::{PACKAGE, Prover, Reference};
use crate::goasm::{Contract, Data, File, Item, Op, Text};
use crate::goobj::{self, GoObject, Symbol, func_flag};
use std::collections::{BTreeMap, BTreeSet};

/// Converts a symbol's name in printed assembly to its name in the object file.
fn object_name(printed: &str) -> String {
    let name = printed.trim_end_matches("<>").replace('·', ".").replace('∕', "/");
    if name.starts_with('.') { format!("{PACKAGE}{name}") } else { name }
}

/// Lists all differences between the object and the expected file.
///
/// `system` is the number of bytes of stack that entries (the code that Go calls) leave free for the operating system.
pub fn compare(file: &File, object: &GoObject, prover: &dyn Prover, system: u32) -> Vec<String> {
    let symbols: BTreeMap<&str, &Symbol> = object.symbols.iter().map(|s| (s.name.as_str(), s)).collect();
    let mut wrong = Vec::new();
    let mut known = BTreeSet::new();
    for item in &file.items {
        let (Item::Text(Text { name, .. }) | Item::Data(Data { name, .. })) = item;
        let name = object_name(name);
        match symbols.get(name.as_str()) {
            None => wrong.push(format!("{name}: is not in the object")),
            Some(symbol) => match item {
                Item::Text(text) => compare_text(text, symbol, prover, system, &mut |what| wrong.push(format!("{name}: {what}"))),
                Item::Data(data) => compare_data(data, symbol, &mut |what| wrong.push(format!("{name}: {what}"))),
            },
        }
        known.insert(name);
    }
    for item in &file.items {
        for symbol in file_local(item, prover) {
            if !known.contains(&object_name(&symbol)) {
                wrong.push(format!("{}: is referred to and not defined", object_name(&symbol)));
            }
        }
    }
    // The assembler also adds tables without names, debug information (symbols of other kinds), and pointer maps. Do not compare these symbols.
    let programs =
        |s: &&Symbol| !s.name.is_empty() && !s.name.starts_with("gclocals·") && matches!(s.kind, goobj::kind::STEXT..=goobj::kind::STLSBSS);
    for symbol in object.symbols.iter().filter(programs) {
        if !known.contains(&symbol.name) {
            wrong.push(format!("{}: was not expected to exist", symbol.name));
        }
    }
    wrong
}

/// Lists the file-local symbols that an item refers to, by their names in printed assembly.
fn file_local(item: &Item, prover: &dyn Prover) -> Vec<String> {
    let mut symbols: Vec<String> = item.references().into_iter().map(str::to_owned).collect();
    if let Item::Text(text) = item {
        symbols.extend(named(text, prover).map(|(symbol, _)| symbol));
    }
    symbols.retain(|symbol| symbol.ends_with("<>"));
    symbols
}

/// Lists the symbols that the lines of assembly name, in order, each with the offset that is added to the symbol.
fn named(text: &Text, prover: &dyn Prover) -> impl Iterator<Item = (String, i64)> {
    text.ops.iter().filter_map(|op| if let Op::Inst(line) = op { prover.reference_of(line) } else { None })
}

fn compare_text(text: &Text, symbol: &Symbol, prover: &dyn Prover, system: u32, report: &mut dyn FnMut(String)) {
    let Some(func) = &symbol.func else { return report("is not a function".into()) };
    if func.flags & func_flag::SP_WRITE != 0 {
        report("writes SP in a way that stops the unwinder".into());
    }
    if symbol.nosplit() != text.flags.contains(&"NOSPLIT") {
        report(format!("has {} stack check", if symbol.nosplit() { "no" } else { "a" }));
    }
    let frame = prover.locals(text);
    if (func.locals, func.args) != (frame, text.args) {
        report(format!("has a frame of ${}-{} instead of ${frame}-{}", func.locals, func.args, text.args));
    }
    let expected = &text.expected;
    if expected.align > 1 && symbol.align < expected.align {
        report(format!("is aligned to {} bytes instead of {}", symbol.align, expected.align));
    }
    if !expected.bytes.is_empty() {
        let start = expected.start as usize;
        let end = start + expected.bytes.len();
        match symbol.data.get(start..end) {
            None => report(format!("has {} bytes; {end} were expected", symbol.data.len())),
            Some(made) => {
                if let Some(at) = (0..made.len()).find(|&at| made[at] != expected.bytes[at]) {
                    report(format!("byte {at:#x} of the body is {:#04x} instead of {:#04x}", made[at], expected.bytes[at]));
                }
            }
        }
        let mut found = symbol
            .relocs
            .iter()
            .filter(|r| (start..end).contains(&(r.offset as usize)))
            .map(|r| (r.offset as usize - start, r.size, prover.reference(r.kind), r.target.clone(), r.addend));
        let mut wanted = expected
            .relocs
            .iter()
            .map(|r| (r.offset as usize, prover.reference_size(r.kind), Some(r.kind), object_name(&r.symbol), r.addend));
        loop {
            match (found.next(), wanted.next()) {
                (None, None) => break,
                (a, b) if a == b => {}
                (a, b) => {
                    report(format!("has the relocation {a:?} where {b:?} was expected"));
                    break;
                }
            }
        }
    }
    if expected.bytes.is_empty() {
        compare_references(text, symbol, prover, report);
    }
    let mut relocs: BTreeMap<u32, &goobj::Reloc> = BTreeMap::new();
    for reloc in symbol.relocs.iter().filter(|reloc| reloc.size > 0) {
        relocs.entry(reloc.offset).or_insert(reloc);
    }
    if let Some(contract) = &expected.contract {
        let relocated = |at: u32| relocs.get(&at).map(|r| (r.target.clone(), r.addend));
        if let Err(what) = prover.keeps(&symbol.data, &relocated, &contract.named(object_name, system)) {
            report(what);
        }
    }
    for &(offset, depth) in &expected.depths {
        let pc = expected.start + offset;
        let table = func.sp_delta(pc);
        if table != i32::try_from(depth).ok() {
            report(format!("the SP table says {} at {pc:#x}, where SP lies {depth} bytes below its value on entry", shown(table)));
            return;
        }
    }
    // A text symbol that contains only data has no SP table.
    if expected.depths.is_empty() && !expected.bytes.is_empty() {
        return;
    }
    if let Some((at, what)) = prover.forbidden(text, &symbol.data) {
        report(format!("at {at:#x}: {what}"));
    }
    let mut starts = vec![(0, 0)];
    let start = expected.start.max(expected.contract.as_ref().map_or(0, Contract::start));
    if start > 0 {
        starts.push((start, 0));
    }
    let relocated = |at: u32| relocs.contains_key(&at);
    match prover.depths(&symbol.data, &relocated, &starts) {
        Err((at, what)) => report(format!("at {at:#x}: {what}")),
        Ok(depths) => {
            for (pc, depth) in depths {
                let table = func.sp_delta(pc);
                if table != i32::try_from(depth).ok() {
                    report(format!(
                        "the SP table says {} at {pc:#x}, where the code has SP {depth} bytes below its value on entry",
                        shown(table)
                    ));
                    return;
                }
            }
        }
    }
}

/// Returns a depth of the SP table as text.
fn shown(depth: Option<i32>) -> String {
    depth.map_or_else(|| "nothing".to_owned(), |depth| format!("{depth} bytes"))
}

/// Compares the references of code for which the assembler chose the bytes. The lines of assembly must have the same references, in the same order
/// and with the same offsets.
fn compare_references(text: &Text, symbol: &Symbol, prover: &dyn Prover, report: &mut dyn FnMut(String)) {
    let wanted: Vec<Reference> = named(text, prover).map(|(symbol, offset)| (object_name(&symbol), offset)).collect();
    // Leave out references to the variable with the processor's level. The variable is in another package, so the instructions that read the variable
    // depend on the build mode. The check of the contract proves that the code reads the variable.
    let variable =
        if let Some(Contract::Dispatch(expected)) = &text.expected.contract { object_name(&expected.level) } else { String::new() };
    let found: Vec<Reference> = symbol
        .relocs
        .iter()
        .filter(|r| prover.names_symbol(r.kind))
        // Leave out the references that the assembler's prologue adds and that, on Windows, accesses to thread-local storage add.
        .filter(|r| !r.target.starts_with("runtime.morestack") && r.target != "runtime.tls_g" && r.target != variable)
        .map(|r| (r.target.clone(), r.addend))
        .collect();
    if found != wanted {
        report(format!("refers to {found:?} where {wanted:?} were expected"));
    }
}

fn compare_data(data: &Data, symbol: &Symbol, report: &mut dyn FnMut(String)) {
    if u64::from(symbol.size) != data.size {
        report(format!("has {} bytes instead of {}", symbol.size, data.size));
    }
    let read_only = symbol.kind == goobj::kind::SRODATA;
    let without_pointers = read_only || matches!(symbol.kind, goobj::kind::SNOPTRDATA | goobj::kind::SNOPTRBSS);
    if read_only != data.read_only || !without_pointers {
        report(format!("is data of another kind than was expected ({})", symbol.kind));
    }
    let mut expected = data.bytes.clone();
    for &(offset, ..) in &data.pointers {
        expected[offset as usize..offset as usize + 8].fill(0);
    }
    let made = &symbol.data;
    let same = expected.iter().enumerate().all(|(at, &byte)| made.get(at).copied().unwrap_or(0) == byte);
    if !same || made.iter().skip(expected.len()).any(|&b| b != 0) {
        report("has other content than was expected".into());
    }
    let found: Vec<_> = symbol.relocs.iter().map(|r| (r.offset, r.size, r.kind, r.target.clone(), r.addend)).collect();
    let wanted: Vec<_> =
        data.pointers.iter().map(|(at, symbol, addend)| (*at, 8, goobj::reloc::R_ADDR, object_name(symbol), *addend)).collect();
    if found != wanted {
        report(format!("has the pointers {found:?} where {wanted:?} were expected"));
    }
}
