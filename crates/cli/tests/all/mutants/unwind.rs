//! Rules about unwinding: the compiler's tables, and where control goes when a call unwinds.

use super::Mutant;

pub const LIST: &[Mutant] = &[
    Mutant {
        rule: "SP at a landing pad is higher by the arguments that the call took on the stack",
        file: "analyze/flow/landing.rs",
        from: "let top = state.sp(sp) + i64::from(arguments);",
        to: "let top = state.sp(sp);",
        tests: &["unwind::frames_are_those_of_the_analysis", "unwind::edges"],
    },
    Mutant {
        rule: "a register that a callee has changed and not saved is not kept when the call unwinds",
        file: "analyze/flow/landing.rs",
        from: "state.regs[**reg] == Value::Entry(**reg as u8) && lost >> **reg & 1 == 0",
        to: "state.regs[**reg] == Value::Entry(**reg as u8)",
        tests: &["unwind::edges"],
    },
    Mutant {
        rule: "a register that is neither kept nor saved is lost to the callers",
        file: "analyze/flow/landing.rs",
        from: "kept >> **reg & 1 == 0 && !saved.contains_key(*reg)",
        to: "kept >> **reg & 1 == 0 && !saved.contains_key(*reg) && false",
        tests: &["unwind::edges"],
    },
    Mutant {
        rule: "the call site of a call contains the call's last byte, not its return address",
        file: "analyze/flow/landing.rs",
        from: "let last = inst.end() - 1;",
        to: "let last = inst.end();",
        tests: &["unwind::edges"],
    },
    Mutant {
        rule: "a call without a call site in a function with call sites ends the unwinding",
        file: "analyze/flow/landing.rs",
        from: "None => Way::Ends,",
        to: "None => Way::Leaves,",
        tests: &["unwind::edges"],
    },
    Mutant {
        rule: "a function whose callee begins to unwind is analysed again",
        file: "analyze/world/mod.rs",
        from: "(summary.returns, summary.clobbers, summary.changes, summary.unwinds, summary.lost)",
        to: "(summary.returns, summary.clobbers, summary.changes)",
        tests: &["unwind::edges", "unwind::saved_registers_are_those_of_the_analysis"],
    },
    Mutant {
        rule: "a landing pad that selects exceptions by a type is refused",
        file: "load/unwind/lsda.rs",
        from: "if is_known { Ok(Action::Catch) } else { Err(Refusal::Types) }",
        to: "if is_known { Ok(Action::Catch) } else { Ok(Action::Catch) }",
        tests: &["lib load::unwind", "unwind::refused"],
    },
    Mutant {
        rule: "a landing pad lies in its function",
        file: "load/unwind/lsda.rs",
        from: "pad if pad >= size => return Err(Refusal::PadOutside(pad)),",
        to: "pad if pad > size => return Err(Refusal::PadOutside(pad)),",
        tests: &["lib load::unwind"],
    },
    Mutant {
        rule: "call sites do not overlap",
        file: "load/unwind/lsda.rs",
        from: "found.last().is_some_and(|last| start < u64::from(last.end))",
        to: "found.last().is_some_and(|last| start < u64::from(last.start))",
        tests: &["lib load::unwind", "unwind::refused"],
    },
];
