//! Refuses labels in code sections if they may mark data: the label's symbol has no type, nothing calls or jumps to the label, and the label's
//! address is stored or computed.
//!
//! Hand-written assembly often gives labels no type, and data bytes often decode as instructions. If a call or jump reaches a label, the label is
//! analysed as a function and must be one in every respect. If the label's address is only stored, nothing shows whether the label is code or data.
//! Native code may read data there, but the Go program does not contain the original bytes.

use super::graph::InstanceId;
use super::world::World;
use crate::code::Flow;
use crate::decode::Program;
use crate::diag::{Diagnostic, ErrorCode};
use crate::ids::{DataId, FuncId};
use crate::load::{Object, RelocKind, Target};
use std::collections::{BTreeMap, BTreeSet};

/// Refuses each function without a symbol type that no call or jump reaches, and whose address is in emitted code, or in data to which emitted code
/// refers.
pub fn refuse(object: &Object, program: &Program, world: &World, emitted: &[InstanceId]) -> Vec<Diagnostic> {
    let entered = entered(world, emitted);
    let is_untyped = |id: &FuncId| !object.functions[*id].is_typed && !entered.contains(id);
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
            if let Some(id) = inst.function_address.filter(&is_untyped) {
                note(id, &function.path);
            }
            let mut stack = Vec::new();
            match inst.reloc.map(|reloc| &function.relocs[reloc as usize].target) {
                Some(Target::Function(id)) if is_untyped(id) => note(*id, &function.path),
                Some(Target::Data(data)) => stack.push(*data),
                _ => {}
            }
            while let Some(data) = stack.pop() {
                if !seen.insert(data) {
                    continue;
                }
                for reloc in &object.data[data].relocs {
                    match &reloc.target {
                        // An address inside a function is not a pointer to a function: only the function's own jumps use it.
                        Target::Function(id) if reloc.kind == RelocKind::Abs64 && reloc.addend == 0 && is_untyped(id) => {
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

/// Returns the functions that entries of exports call, and the functions that calls and jumps reach, also through unresolved pointers.
fn entered(world: &World, emitted: &[InstanceId]) -> BTreeSet<FuncId> {
    let called = world.all_targets(emitted).filter_map(|node| Some(world.instances[node.instance()?].function));
    world.roots.values().map(|&root| world.instances[root].function).chain(called).collect()
}

fn refusal(name: &str, by: &str) -> Diagnostic {
    Diagnostic::new(
        ErrorCode::Unsupported,
        format!("{by} holds the address of {name}, and no symbol type says that a function begins there"),
    )
    .hint(format!(
        "if it is a function, state its type (.type {name}, @function); if it is data, move it to a data section such as .rodata"
    ))
}
