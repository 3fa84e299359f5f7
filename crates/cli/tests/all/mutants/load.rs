//! Where functions begin, what a fragment is, what anything refers to.

use super::Mutant;

pub const LIST: &[Mutant] = &[
    Mutant {
        rule: "a function that is called is no fragment",
        file: "load/fragments.rs",
        from: "is_like(id) && !self.called.contains(id) && !roots.contains(id)",
        to: "is_like(id) && !roots.contains(id)",
        tests: &["load::", "run::cold_parts", "run::aarch64::cold_parts"],
    },
    Mutant {
        rule: "a function whose address is in data is no fragment",
        file: "load/fragments.rs",
        from: "if reloc.kind == RelocKind::Abs64 && reloc.addend == 0 && !is_named(&functions[to].symbol) {",
        to: "if false && !is_named(&functions[to].symbol) {",
        tests: &["load::", "run::cold_parts", "run::aarch64::cold_parts"],
    },
    Mutant {
        rule: "a call without a relocation makes a function, not a fragment",
        file: "load/fragments.rs",
        from: "if kind == Use::Call {",
        to: "if false && kind == Use::Call {",
        tests: &["load::", "run::cold_parts", "run::aarch64::cold_parts"],
    },
    Mutant {
        rule: "a fragment has one parent",
        file: "load/fragments.rs",
        from: "filter(|(_, owners)| owners.len() != 1)",
        to: "filter(|(_, owners)| owners.is_empty())",
        tests: &["lib a_fragment_has_one_parent"],
    },
    Mutant {
        rule: "references to a fragment move with it",
        file: "load/fragments.rs",
        from: "reloc.addend += i64::from(start);",
        to: "",
        tests: &["run::cold_parts", "run::aarch64::cold_parts"],
    },
    Mutant {
        rule: "entries of tables are jumps to a fragment",
        file: "load/fragments.rs",
        from: ".for_each(|&owner| references.jump(owner, to, place));",
        to: ".for_each(|&_owner| _ = place);",
        tests: &["run::cold_parts", "run::aarch64::cold_parts"],
    },
    Mutant {
        rule: "an address that code makes is an anchor",
        file: "load/anchors.rs",
        from: "_ => add(section, place, true),",
        to: "_ => {}",
        tests: &["run::tables_in_one_section"],
    },
    Mutant {
        rule: "a local label that another section refers to begins a function",
        file: "load/split.rs",
        from: "label.kind == Kind::Local && referred.binary_search(&label.offset).is_err()",
        to: "label.kind == Kind::Local",
        tests: &["load::"],
    },
    Mutant {
        rule: "unwind tables refer to no function",
        file: "load/split.rs",
        from: "section.starts_with(b\".eh_frame\") || section.starts_with(b\".gcc_except_table\")",
        to: "section.starts_with(b\".no\")",
        tests: &["load::"],
    },
    Mutant {
        rule: "tentative definitions are aligned as the most aligned of them",
        file: "load/symbols.rs",
        from: "                old.align = new.align;\n",
        to: "",
        tests: &["load::"],
    },
    Mutant {
        rule: "data in a section of code is no function",
        file: "load/walk.rs",
        from: "if let Some(symbol) = self.labels(place.member)?.object_at(member, place.section, meant)? {",
        to: "if let Some(symbol) = self.labels(place.member)?.object_at(member, place.section, meant)?.filter(|_| false) {",
        tests: &["refuse::data_among_code", "refuse::aarch64::data_among_code"],
    },
    Mutant {
        rule: "data among code without a size goes up to the next label",
        file: "load/split.rs",
        from: "0 => !labels.iter().any(|label| (start + 1..=place).contains(&label.offset)),",
        to: "0 => false && labels.is_empty(),",
        tests: &["refuse::data_among_code", "refuse::aarch64::data_among_code"],
    },
    Mutant {
        rule: "a section of variables that is marked as executable has nothing else",
        file: "load/archive.rs",
        from: "variables.retain(|section, _| !others.contains(section));",
        to: "",
        tests: &["run::code_among_data"],
    },
    Mutant {
        rule: "a cell in a relative table holds what a linker's would",
        file: "load/walk.rs",
        from: "addend: sum.wrapping_sub(addend) };",
        to: "addend: sum };",
        tests: &["run::relative_cells"],
    },
];
