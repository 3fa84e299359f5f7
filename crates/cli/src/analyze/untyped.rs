//! Code of which nothing says that it is code.
//!
//! A label without a type, in a section of code, may stand before a function or before data: hand-written assembly says neither, and bytes
//! that are data are often instructions too. Where a call or a jump may lead there it is taken for a function, and must be one in every
//! respect. An address that is only kept says nothing, and whoever reads memory there natively would find the bytes.

use super::graph::InstanceId;
use super::world::World;
use crate::code::Flow;
use crate::decode::Program;
use crate::diag::{Diagnostic, ErrorCode};
use crate::ids::{DataId, FuncId};
use crate::load::{Object, RelocKind, Target};
use std::collections::{BTreeMap, BTreeSet};

/// What has no type, is called or jumped to by nothing, and has its address in emitted code, or in data that this refers to.
pub fn refuse(object: &Object, program: &Program, world: &World, emitted: &[InstanceId]) -> Vec<Diagnostic> {
    let entered = entered(world, emitted);
    let is_open = |id: &FuncId| !object.functions[*id].is_typed && !entered.contains(id);
    let mut found: BTreeMap<FuncId, Diagnostic> = BTreeMap::new();
    let mut seen: BTreeSet<DataId> = BTreeSet::new();
    for &me in emitted {
        let instance = &world.instances[me];
        let function = &object.functions[instance.function];
        let Ok(code) = &program.codes[instance.function] else { continue };
        for (inst, depth) in code.insts.iter().zip(&instance.summary.depths) {
            if depth.is_none() || matches!(inst.flow, Flow::Call(_) | Flow::Jump(_) | Flow::Branch(_)) {
                continue;
            }
            let mut note = |id: FuncId, by: &str| {
                found.entry(id).or_insert_with(|| refusal(&object.functions[id].path, by).at(object.place(function, inst.offset)));
            };
            if let Some(id) = inst.names.filter(&is_open) {
                note(id, &function.path);
            }
            let mut stack = Vec::new();
            match inst.reloc.map(|reloc| &function.relocs[reloc as usize].target) {
                Some(Target::Function(id)) if is_open(id) => note(*id, &function.path),
                Some(Target::Data(data)) => stack.push(*data),
                _ => {}
            }
            while let Some(data) = stack.pop() {
                if !seen.insert(data) {
                    continue;
                }
                for reloc in &object.data[data].relocs {
                    match &reloc.target {
                        // Other places of a function are those of its own jumps.
                        Target::Function(id) if reloc.kind == RelocKind::Abs64 && reloc.addend == 0 && is_open(id) => {
                            note(*id, &format!("the data {}", object.data[data].name));
                        }
                        Target::Data(next) => stack.push(*next),
                        _ => {}
                    }
                }
            }
        }
    }
    found.into_values().collect()
}

/// The functions that calls and jumps lead to, also those through pointers that may lead to any function, and the exports.
fn entered(world: &World, emitted: &[InstanceId]) -> BTreeSet<FuncId> {
    let nodes = emitted.iter().flat_map(|&me| &world.instances[me].targets).flatten();
    let called = nodes.filter_map(|node| Some(world.instances[node.instance()?].function));
    world.roots.values().map(|&root| world.instances[root].function).chain(called).collect()
}

fn refusal(name: &str, by: &str) -> Diagnostic {
    Diagnostic::new(ErrorCode::Unsupported, format!("{by} holds the address of {name}, and nothing says that a function begins there"))
        .hint(format!("say so in the assembly (.type {name}, @function); if it is data, put it into a section of data, such as .rodata"))
}
