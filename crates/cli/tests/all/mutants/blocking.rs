//! Rules of blocking calls: the entry, and the exits from such a call.

use super::Mutant;

const PROMISE: &[&str] = &["promises::blocking::"];

pub const LIST: &[Mutant] = &[
    Mutant {
        rule: "a blocking export is described as blocking",
        file: "api/function.rs",
        from: "described.blocking.map(|over|",
        to: "described.blocking.filter(|&over| over > 0).map(|over|",
        tests: PROMISE,
    },
    Mutant {
        rule: "a blocking export is never fused",
        file: "analyze/bounds.rs",
        from: "&& !x87 && !blocking && keeps_frame_pointer;",
        to: "&& !x87 && keeps_frame_pointer;",
        tests: PROMISE,
    },
    Mutant {
        rule: "the bytes of all slices and strings count (amd64)",
        file: "arch/x86_64/entry.rs",
        from: "            if index > 0 {\n                ops.push(inst(\"ADDQ",
        to: "            if index > 1 {\n                ops.push(inst(\"ADDQ",
        tests: PROMISE,
    },
    Mutant {
        rule: "a call with exactly the stated number of bytes is ordinary",
        file: "arch/x86_64/entry.rs",
        from: "inst(\"JLS plain\")]);",
        to: "inst(\"JCS plain\")]);",
        tests: PROMISE,
    },
    Mutant {
        rule: "the entry has a frame that Go recognises (amd64)",
        file: "arch/x86_64/entry.rs",
        from: "inst(\"PUSHQ BP\"), inst(\"MOVQ SP, BP\")",
        to: "inst(\"PUSHQ BP\")",
        tests: PROMISE,
    },
    Mutant {
        rule: "a blocking export's body is not shared with another export",
        file: "lower/mod.rs",
        from: "                && !framed.contains(&e.shim)\n",
        to: "",
        tests: &["promises::blocking::arm64"],
    },
    Mutant {
        rule: "after the call the frame pointer is Go's again (arm64)",
        file: "arch/aarch64/entry.rs",
        from: "add(FP, SP, -8)",
        to: "add(FP, SP, 8)",
        tests: &["promises::blocking::arm64"],
    },
    Mutant {
        rule: "the argument areas are found again after the call to the scheduler (arm64)",
        file: "arch/aarch64/entry.rs",
        from: "i64::from(RECORD + 8 + offset)",
        to: "i64::from(RECORD + offset)",
        tests: &["promises::blocking::arm64"],
    },
    Mutant {
        rule: "an export is blocking on all machines or on none",
        file: "api/agree.rs",
        from: "f.size, f.blocking.clone(), f.task, f.nilable)",
        to: "f.size, f.doc.is_empty() || !f.doc.is_empty(), f.task, f.nilable)",
        tests: &["lib api::agree"],
    },
    Mutant {
        rule: "a parameter may be nil on all machines or on none",
        file: "api/agree.rs",
        from: "f.task, f.nilable)",
        to: "f.task, f.doc.is_empty() || !f.doc.is_empty())",
        tests: &["lib api::agree"],
    },
    Mutant {
        rule: "a panic leaves the state of a system call",
        file: "go/rt/panic_amd64.s",
        from: "\tCALL ·leaveCall(SB)\n\tMOVQ 0(SP), DI",
        to: "\tMOVQ 0(SP), DI",
        tests: PROMISE,
    },
    Mutant {
        rule: "an exhausted budget leaves the state of a system call",
        file: "go/rt/panic_amd64.s",
        from: "\tCALL ·leaveCall(SB)\n\tCALL ·raiseExhausted(SB)",
        to: "\tCALL ·raiseExhausted(SB)",
        tests: PROMISE,
    },
    Mutant {
        rule: "a fault in a blocking call may become a panic",
        file: "go/rt/panic_amd64.s",
        from: "\tMOVB  $0, (R8)(R9*1)\n",
        to: "",
        tests: PROMISE,
    },
    Mutant {
        rule: "a fault leaves the state of a system call",
        file: "go/rt/panic_amd64.s",
        from: "\tLEAQ leaveFault<>(SB), AX\n\tMOVQ AX, 168(DX)\n",
        to: "",
        tests: PROMISE,
    },
    Mutant {
        rule: "without a P no per-P shard of the heap is used",
        file: "go/rt/heap_amd64.s",
        from: "\tJNE     none // m may have lost the P to another thread\n",
        to: "",
        tests: &["rt TestBlockingCallHasNoProcessor"],
    },
    Mutant {
        rule: "without the runtime's fields the scheduler is not notified",
        file: "go/rt/blocking_amd64.s",
        from: "\tJEQ  ordinary\n\tJMP  ·enterState(SB)",
        to: "\tJMP  ordinary\n\tJMP  ·enterState(SB)",
        tests: PROMISE,
    },
];
