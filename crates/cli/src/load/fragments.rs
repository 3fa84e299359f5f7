//! Merges fragments into their functions, so that later stages see whole functions. A fragment is code that a compiler moved out of a function
//! into another section because the code rarely runs.
//!
//! gcc splits most functions this way: it moves code of `foo` to a fragment `foo.cold` in the section `.text.unlikely`. The symbol `foo.cold` has the
//! type of a function's symbol. But a fragment is not a function. It runs with the frame of its *parent*, the function that it was moved out of. The
//! parent jumps to any place in the fragment, and the fragment jumps back into the middle of the parent. This module appends the fragment's code to
//! the parent's code, which makes all these jumps local.
//!
//! The references to code decide if the code is a fragment. Nothing calls a fragment or takes its address. All jumps to a fragment, direct or through
//! tables, come from its parent and from other fragments of the parent. If jumps in one function are the only references to another function, merging
//! the two functions is correct, whatever their names are. Functions are merged only if this is necessary: the name marks a fragment (`.cold`), or
//! one of the functions jumps into the middle of the other. If control reaches a fragment that was not merged, the fragment is refused.

use super::relocations::{Machine, Use};
use super::{CodeSection, Data, Function, Inlined, Line, Merged, Part, Reloc, RelocKind, Target};
use crate::ids::{DataId, FuncId, SectionId};
use cranelift_entity::PrimaryMap;
use std::collections::{BTreeMap, BTreeSet};

type Functions = PrimaryMap<FuncId, Function>;
type AllData = PrimaryMap<DataId, Data>;

/// Merges fragments into their parents. The functions in `roots` are called from outside the object, so they are not fragments.
pub(super) fn merge(
    machine: &Machine,
    sections: &PrimaryMap<SectionId, CodeSection>,
    mut functions: Functions,
    mut data: AllData,
    roots: &BTreeSet<FuncId>,
) -> (Functions, AllData) {
    let references = References::find(machine, sections, &functions, &data);
    let named = functions.iter().filter(|(_, function)| is_named(&function.symbol)).map(|(id, _)| id).collect();
    let parents = parents(references.candidates(&named, roots), &named, &references.jumps);
    let mut starts: BTreeMap<FuncId, (FuncId, u32)> = BTreeMap::new();
    for (&fragment, &parent) in &parents {
        let start = append(&mut functions, machine, parent, fragment);
        starts.insert(fragment, (parent, start));
    }
    let moved = |reloc: &mut Reloc| {
        if let Target::Function(id) = reloc.target
            && let Some(&(parent, start)) = starts.get(&id)
        {
            reloc.target = Target::Function(parent);
            reloc.addend += i64::from(start);
        }
    };
    functions.values_mut().flat_map(|function| &mut function.relocs).for_each(moved);
    let absolute = data.values_mut().flat_map(|data| &mut data.relocs).filter(|reloc| reloc.kind == RelocKind::Abs64);
    absolute.for_each(moved);
    (functions, data)
}

/// True if the symbol has a name that gcc or clang gives to fragments.
fn is_named(symbol: &str) -> bool {
    symbol.ends_with(".cold") || symbol.contains(".cold.")
}

/// Appends a fragment's code to its parent. Returns the offset of the fragment's first byte in the parent.
fn append(functions: &mut Functions, machine: &Machine, parent: FuncId, fragment: FuncId) -> u32 {
    let Function { code, relocs, lines, inlined, section, offset, unwinding, .. } = &mut functions[fragment];
    let (code, relocs) = (std::mem::take(code), std::mem::take(relocs));
    let (lines, inlined) = (std::mem::take(lines), std::mem::take(inlined));
    let unwinding = unwinding.take();
    let (section, offset, size) = (*section, *offset, code.len() as u32);
    let function = &mut functions[parent];
    // Trailing bytes that do not make a whole instruction are padding.
    let start = function.code.len() - function.code.len() % machine.unit;
    function.code.truncate(start);
    function.code.extend(code);
    let start = start as u32;
    function.relocs.retain(|reloc| reloc.offset < start);
    function.relocs.extend(relocs.into_iter().map(|reloc| Reloc { offset: reloc.offset + start, ..reloc }));
    for line in lines {
        let line = Line { offset: line.offset + start, ..line };
        if function.lines.last().is_none_or(|last| (last.file, last.line) != (line.file, line.line)) {
            function.lines.push(line);
        }
    }
    function.inlined.extend(inlined.into_iter().map(|call| Inlined { start: call.start + start, end: call.end + start, ..call }));
    function.unwinding = match (function.unwinding.take(), unwinding) {
        (None, None) => None,
        (Some(reason @ Err(_)), _) | (_, Some(reason @ Err(_))) => Some(reason),
        // A function without unwind tables counts as `Unwinding::default()`: it has no description of its frame and no table of call sites.
        (own, fragment) => {
            let [mut own, fragment] = [own, fragment].map(|tables| tables.and_then(Result::ok).unwrap_or_default());
            own.append(fragment, start, size);
            Some(Ok(own))
        }
    };
    function.parts.push(Part { start, section, offset });
    functions[fragment].merged = Some(Merged { into: parent, start, size });
    start
}

/// The references between functions, by kind of reference.
#[derive(Default)]
struct References {
    /// For each function, the other functions that jump to it, directly or through a jump table.
    jumps: BTreeMap<FuncId, BTreeSet<FuncId>>,
    /// Functions with a jump from another function into their middle, and the functions that make such a jump.
    entwined: BTreeSet<FuncId>,
    /// Functions that code calls, or whose address occurs in code or data.
    called: BTreeSet<FuncId>,
    /// Functions to whose first byte another function of the same section may jump without a relocation.
    neighbours: BTreeSet<FuncId>,
}

impl References {
    fn find(machine: &Machine, sections: &PrimaryMap<SectionId, CodeSection>, functions: &Functions, data: &AllData) -> References {
        let mut references = References::default();
        let mut makers: BTreeMap<(DataId, i64), BTreeSet<FuncId>> = BTreeMap::new();
        for (from, function) in functions {
            for reloc in &function.relocs {
                let place = reloc.addend + machine.to_target(reloc.kind);
                match (&reloc.target, machine.use_of(&function.code, u64::from(reloc.offset))) {
                    (&Target::Function(to), Use::Jump) if to == from => {}
                    (&Target::Function(to), Use::Jump) => references.jump(from, to, place),
                    (&Target::Function(to), _) => drop(references.called.insert(to)),
                    (&Target::Data(to), Use::Address) => drop(makers.entry((to, place)).or_default().insert(from)),
                    _ => {}
                }
            }
            references.without_relocations(machine, sections, functions, from);
        }
        for (id, data) in data {
            for reloc in &data.relocs {
                let Target::Function(to) = reloc.target else { continue };
                // A function whose address occurs in data may be called through a pointer. But if the name marks a fragment, the address occurs in
                // data only as an entry of a table of labels.
                if reloc.kind == RelocKind::Abs64 && reloc.addend == 0 && !is_named(&functions[to].symbol) {
                    references.called.insert(to);
                    continue;
                }
                // The field is an entry of a jump table. Code computes the address of the table's first byte. Of all offsets whose address code
                // computes, the last one at or before the field is the start of the table.
                let before = makers.range((id, i64::MIN)..=(id, i64::from(reloc.offset))).next_back();
                let Some((&(_, start), owners)) = before else { continue };
                let by = match reloc.kind {
                    RelocKind::Pc32 => reloc.addend - (i64::from(reloc.offset) - start),
                    _ => reloc.addend,
                };
                if let Some((to, place)) = around(sections, functions, to, by) {
                    owners.iter().filter(|owner| **owner != to).for_each(|&owner| references.jump(owner, to, place));
                }
            }
        }
        references
    }

    /// Finds branches without a relocation whose target is the first byte of another function in the section. Instruction boundaries are not known
    /// yet, so every byte may start a branch.
    fn without_relocations(
        &mut self,
        machine: &Machine,
        sections: &PrimaryMap<SectionId, CodeSection>,
        functions: &Functions,
        from: FuncId,
    ) {
        let function = &functions[from];
        for at in (0..function.code.len()).step_by(machine.unit) {
            let Some((kind, to)) = machine.branch_at(&function.code, at) else { continue };
            let inside = |reloc: &Reloc| (at as u32..at as u32 + 6).contains(&reloc.offset);
            let first = function.relocs.partition_point(|reloc| (reloc.offset as usize) < at);
            if (0..function.code.len() as i64).contains(&to) || function.relocs.get(first).is_some_and(inside) {
                continue;
            }
            if let Some((to, 0)) = around(sections, functions, from, to) {
                if kind == Use::Call {
                    self.called.insert(to)
                } else {
                    self.neighbours.insert(to)
                };
            }
        }
    }

    fn jump(&mut self, from: FuncId, to: FuncId, place: i64) {
        self.jumps.entry(to).or_default().insert(from);
        if place != 0 {
            self.entwined.extend([from, to]);
        }
    }

    /// Functions that may be fragments.
    fn candidates(&self, named: &BTreeSet<FuncId>, roots: &BTreeSet<FuncId>) -> BTreeSet<FuncId> {
        let is_like = |id: &FuncId| named.contains(id) || self.entwined.contains(id) && !self.neighbours.contains(id);
        self.jumps.keys().copied().filter(|id| is_like(id) && !self.called.contains(id) && !roots.contains(id)).collect()
    }
}

/// Finds the byte that lies `by` bytes after the first byte of `function`, in the same section. Returns the function that contains this byte, and the
/// byte's offset in that function.
fn around(sections: &PrimaryMap<SectionId, CodeSection>, functions: &Functions, function: FuncId, by: i64) -> Option<(FuncId, i64)> {
    let function = &functions[function];
    let offset = function.offset.checked_add_signed(by)?;
    let all = &sections[function.section].functions;
    let id = all[all.partition_point(|&id| functions[id].offset <= offset).checked_sub(1)?];
    Some((id, (offset - functions[id].offset).cast_signed()))
}

/// Finds the parent of each candidate that has exactly one parent. Candidates with no parent or with several parents stay functions.
fn parents(
    mut candidates: BTreeSet<FuncId>,
    named: &BTreeSet<FuncId>,
    jumps: &BTreeMap<FuncId, BTreeSet<FuncId>>,
) -> BTreeMap<FuncId, FuncId> {
    loop {
        let mut owners: BTreeMap<FuncId, BTreeSet<FuncId>> = BTreeMap::new();
        loop {
            let mut grown = false;
            for &id in &candidates {
                let mut all = BTreeSet::new();
                for from in &jumps[&id] {
                    match candidates.contains(from) {
                        true => all.extend(owners.get(from).into_iter().flatten().copied()),
                        false => drop(all.insert(*from)),
                    }
                }
                grown |= owners.get(&id) != Some(&all);
                owners.insert(id, all);
            }
            if !grown {
                break;
            }
        }
        // A candidate with several parents, or with none, is *shared* and stays a function. Other candidates may be fragments of a shared function.
        let shared: BTreeSet<FuncId> = owners.iter().filter(|(_, owners)| owners.len() != 1).map(|(&id, _)| id).collect();
        if shared.is_empty() {
            return owners.into_iter().filter_map(|(id, owners)| Some((id, *owners.first()?))).collect();
        }
        // Remove shared candidates from the candidates, so that they count as functions from now on. Remove the shared candidates to which a function
        // outside of the candidates jumps. If no such candidate exists, remove the shared candidates whose names mark no fragment. If every name
        // marks a fragment, remove all shared candidates.
        let entered = shared.iter().copied().filter(|id| jumps[id].iter().any(|from| !candidates.contains(from))).collect();
        let unnamed = &shared - named;
        let removed: BTreeSet<FuncId> =
            [entered, unnamed, shared].into_iter().find(|set: &BTreeSet<FuncId>| !set.is_empty()).unwrap_or_default();
        candidates.retain(|id| !removed.contains(id));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cranelift_entity::EntityRef;

    fn ids(numbers: &[usize]) -> BTreeSet<FuncId> {
        numbers.iter().map(|&number| FuncId::new(number)).collect()
    }

    #[test]
    fn a_fragment_has_one_parent() {
        // A case consists of the candidates, the jumps as (target, sources), and the expected parents as (candidate, parent). Candidate 1
        // has a fragment's name.
        type Case<'a> = (&'a [usize], &'a [(usize, &'a [usize])], &'a [(usize, usize)]);
        let cases: [Case<'_>; 6] = [
            (&[1], &[(1, &[0])], &[(1, 0)]),
            (&[1], &[(1, &[0, 2])], &[]),
            // A fragment of a fragment; then two fragments that jump to each other.
            (&[1, 2], &[(1, &[0]), (2, &[1])], &[(1, 0), (2, 0)]),
            (&[1, 2], &[(1, &[0, 2]), (2, &[1])], &[(1, 0), (2, 0)]),
            // A function that seems to be entered only from its own fragment, because calls of the function have no relocation.
            (&[1, 2], &[(1, &[2]), (2, &[1])], &[(1, 2)]),
            // A fragment of a shared function belongs to that function.
            (&[1, 2], &[(1, &[0, 3]), (2, &[1])], &[(2, 1)]),
        ];
        for (candidates, jumps, expected) in cases {
            let jumps = jumps.iter().map(|(to, from)| (FuncId::new(*to), ids(from))).collect();
            let expected = expected.iter().map(|&(id, parent)| (FuncId::new(id), FuncId::new(parent))).collect();
            assert_eq!(parents(ids(candidates), &ids(&[1]), &jumps), expected, "{candidates:?}");
        }
    }
}
