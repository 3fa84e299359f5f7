//! Removes the call sites of the functions that only exports with `panic = "abandon"` reach. Unwinding ends at a call without a call site. So no
//! destructor of these functions runs, and their landing pads are not part of the package.
//!
//! A function that another export reaches too keeps its call sites. Such a function may call, through a stored pointer, a function whose call sites
//! were removed. A panic must end in this callee. If the panic went on to the caller, the caller's landing pads would run although the callee's
//! destructors have not run.

use super::super::{CodeSection, Data, Export, Function, Reloc, Target};
use super::Unwinding;
use crate::ids::{DataId, ExportId, FuncId, SectionId};
use cranelift_entity::{EntitySet, PrimaryMap};

/// Removes the call sites of the functions that only exports with `panic = "abandon"` reach. The functions that `format_panic` reaches keep their
/// call sites, because `rt` calls `format_panic` without an export.
pub fn remove(
    exports: &PrimaryMap<ExportId, Export>,
    format_panic: Option<FuncId>,
    sections: &PrimaryMap<SectionId, CodeSection>,
    functions: &mut PrimaryMap<FuncId, Function>,
    data: &PrimaryMap<DataId, Data>,
) {
    if exports.values().all(|export| !export.schema.abandons) {
        return;
    }
    let unwinding = exports.values().filter(|export| !export.schema.abandons).map(|export| export.shim).chain(format_panic);
    let (mut found, mut found_data) = (EntitySet::new(), EntitySet::new());
    let mut pending: Vec<Target> = unwinding.map(Target::Function).collect();
    while let Some(next) = pending.pop() {
        let targets = |relocs: &[Reloc]| relocs.iter().map(|reloc| reloc.target.clone()).collect::<Vec<_>>();
        match next {
            Target::Function(id) if found.insert(id) => {
                pending.extend(targets(&functions[id].relocs));
                // A branch between two functions of a section may have no relocation.
                pending.extend(sections[functions[id].section].functions.iter().copied().map(Target::Function));
            }
            Target::Data(id) if found_data.insert(id) => pending.extend(targets(&data[id].relocs)),
            _ => {}
        }
    }
    for (_, function) in functions.iter_mut().filter(|(id, _)| !found.contains(*id)) {
        function.unwinding = Some(Ok(Unwinding { sites: Some(Vec::new()), ..Unwinding::default() }));
    }
}
