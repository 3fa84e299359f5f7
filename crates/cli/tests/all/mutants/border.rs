//! Objects, wrappers, and what of a crate becomes functions.

use super::Mutant;

const ROWS: &[&str] = &["promises::rows::"];
const OBJECTS: &[&str] = &["rt TestObject"];

pub const LIST: &[Mutant] = &[
    Mutant {
        rule: "a call that was refused is no use of the object",
        file: "go/rt/object.go",
        from: "\t\to.p.state.Add(^uint32(0))\n\t}\n\to.refuse(call, typ)",
        to: "\t}\n\to.refuse(call, typ)",
        tests: OBJECTS,
    },
    Mutant {
        rule: "an exclusive use is alone",
        file: "go/rt/object.go",
        from: "!o.p.state.CompareAndSwap(0, exclusive)",
        to: "o.p.state.Add(exclusive)&^(exclusive-1) != exclusive",
        tests: OBJECTS,
    },
    Mutant {
        rule: "a panic in the middle of a change breaks the object",
        file: "go/rt/object.go",
        from: "if u.p.entered != 0 || u.p.value == nil {",
        to: "if u.p.value == nil {",
        tests: &["rt TestWhatBreaksAnObject", "promises::rows::"],
    },
    Mutant {
        rule: "an object whose value Rust took is closed",
        file: "go/rt/object.go",
        from: "if u.p.entered != 0 || u.p.value == nil {",
        to: "if u.p.entered != 0 {",
        tests: ROWS,
    },
    Mutant {
        rule: "nobody drops the value of a broken object",
        file: "go/rt/object.go",
        from: "\tu.p.breaker = u.call\n\tu.p.keep()\n",
        to: "\tu.p.breaker = u.call\n",
        tests: &["rt TestOneEndOfMany", "rt TestUnreachableObjectsAreDropped"],
    },
    Mutant {
        rule: "what Close has dropped the collector does not drop",
        file: "go/rt/object.go",
        from: "\t\tp.keep()\n\t\tp.drop(value)",
        to: "\t\tp.drop(value)",
        tests: &["rt TestOneEndOfMany", "rt TestClose"],
    },
    Mutant {
        rule: "who takes an object has it for itself",
        file: "bind/wrapper.rs",
        from: "let is_exclusive = is_taken || mutable",
        to: "let is_exclusive = mutable",
        tests: &["lib bind::", "promises::rows::"],
    },
    Mutant {
        rule: "every call of an exclusive type has the object for itself",
        file: "bind/wrapper.rs",
        from: " || flags & bits::EXCLUSIVE != 0;",
        to: ";",
        tests: &["lib bind::", "promises::rows::"],
    },
    Mutant {
        rule: "an object lives until what it lends is copied",
        file: "bind/wrapper.rs",
        from: "filter(move |param| lends && param",
        to: "filter(move |param| !lends && param",
        tests: &["lib bind::", "promises::rows::"],
    },
    Mutant {
        rule: "what an iterator's step left in a panic does not run again",
        file: "bind/iterator.rs",
        from: "format!(\"\\tif !{inside} {{\")",
        to: "format!(\"\\tif !{inside} || true {{\")",
        tests: &["promises::panics::", "promises::rows::", "lib bind::"],
    },
    Mutant {
        rule: "what an iterator refers to lives as long as the loop",
        file: "bind/iterator.rs",
        from: "inner.extend(kept(function)",
        to: "inner.extend(kept(function).take(0)",
        tests: &["lib bind::", "promises::rows::"],
    },
    Mutant {
        rule: "the race detector is told what is written",
        file: "bind/marks.rs",
        from: "if mutable { \"RaceWrite\" } else { \"RaceRead\" }",
        to: "if mutable { \"RaceRead\" } else { \"RaceRead\" }",
        tests: &["with_tests::races_are_reported"],
    },
    Mutant {
        rule: "the race detector is told what elements refer to",
        file: "bind/marks.rs",
        from: "    if !refers(elem) {",
        to: "    if elem.layout().size > 0 {",
        tests: &["with_tests::races_are_reported", "lib bind::"],
    },
    Mutant {
        rule: "the race detector is told what was appended",
        file: "bind/marks.rs",
        from: "lines.extend(elements(\"RaceWrite\", elem, &written));",
        to: "",
        tests: &["with_tests::races_are_reported"],
    },
    Mutant {
        rule: "nil pointers are not marked",
        file: "bind/marks.rs",
        from: "lines.push(format!(\"if {expression} != nil {{\"));",
        to: "lines.push(\"{\".into());",
        tests: &["with_tests::races_are_reported", "promises::rows::"],
    },
    Mutant {
        rule: "programs without the race detector have no marks",
        file: "bind/marks.rs",
        from: "format!(\"if {RT}.RaceEnabled {{\")",
        to: "format!(\"{{ // {RT}.RaceEnabled\")",
        tests: &["with_tests::without_the_detector_there_are_no_marks", "lib bind::"],
    },
    Mutant {
        rule: "what is never freed brings no heap into a package",
        file: "load/exports.rs",
        from: "role::RELEASE => frees,",
        to: "role::RELEASE => true,",
        tests: &["lib load::", "load::", "refuse::", "live::"],
    },
    Mutant {
        rule: "results of the Rust heap are freed",
        file: "load/exports.rs",
        from: "role::RELEASE => frees,",
        to: "role::RELEASE => false,",
        tests: ROWS,
    },
    Mutant {
        rule: "the author's method stands for the one that is added",
        file: "load/exports.rs",
        from: "!found.schema.is_added() || !written.contains(&name(&found.schema))",
        to: "!written.contains(&name(&found.schema)) || true",
        tests: ROWS,
    },
];
