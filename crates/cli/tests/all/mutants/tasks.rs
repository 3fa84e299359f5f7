//! Rules of tasks: calls on stacks of their own.

use super::Mutant;

const PROMISE: &[&str] = &["promises::tasks::"];

pub const LIST: &[Mutant] = &[
    Mutant {
        rule: "an export with the option is a task",
        file: "api/function.rs",
        from: "task: described.task.then(||",
        to: "task: (described.task && described.params.len() > 1).then(||",
        tests: PROMISE,
    },
    Mutant {
        rule: "a task has no entry",
        file: "analyze/bounds.rs",
        from: "_ if of_task.is_some() => EntryKind::Task,",
        to: "_ if of_task.is_some() && !fused => EntryKind::Task,",
        tests: PROMISE,
    },
    Mutant {
        rule: "the stack of a task is as large as its body needs",
        file: "analyze/bounds.rs",
        from: "            && needed > stated",
        to: "            && needed / 2 > stated",
        tests: &["refuse::stack::task_too_small"],
    },
    Mutant {
        rule: "a package with several levels has no tasks",
        file: "levels.rs",
        from: "if arches.len() == targets.len() {",
        to: "if arches.len() <= targets.len() {",
        tests: &["refuse::command::task_with_levels"],
    },
    Mutant {
        rule: "a panic that has unwound leaves the task's stack",
        file: "go/rt/panic_amd64.s",
        from: "	MOVQ $const_taskUnwound, AX\n	CALL ·leaveTask(SB)\n",
        to: "",
        tests: PROMISE,
    },
    Mutant {
        rule: "an exhausted stack leaves the task's stack",
        file: "go/rt/panic_amd64.s",
        from: "	MOVQ $const_taskExhausted, AX\n	CALL ·leaveTask(SB)\n",
        to: "",
        tests: PROMISE,
    },
    Mutant {
        rule: "a fault leaves the task's stack",
        file: "go/rt/panic_amd64.s",
        from: "	CMPQ R9, 8(R8)\n	JCC  noTask\n",
        to: "	JMP  noTask\n",
        tests: PROMISE,
    },
    Mutant {
        rule: "a task has thread-local variables of its own",
        file: "go/rt/tasks_amd64.s",
        from: "	TASK(DX, AX, none)\n	RET\n",
        to: "	JMP  none\n	RET\n",
        tests: PROMISE,
    },
    Mutant {
        rule: "thread-local variables are the task's while a message is formatted",
        file: "go/rt/tasks_amd64.s",
        from: "	JNE  bounds\n",
        to: "	JMP  bounds\n",
        tests: PROMISE,
    },
    Mutant {
        rule: "the limit of a call is where its stack ends",
        file: "go/rt/heap_tasks.go",
        from: "= t.high - stack\n",
        to: "= t.high - stack/2\n",
        tests: PROMISE,
    },
    Mutant {
        rule: "stacks without a call go back to the system",
        file: "go/rt/heap_tasks.go",
        from: "return now-t.round >= 2 }",
        to: "return now-t.round >= 1<<30 }",
        tests: PROMISE,
    },
    Mutant {
        rule: "a task's stack is no budget of destructors",
        file: "load/exports.rs",
        from: "!is_added(&found.schema) && !found.schema.task)",
        to: "!is_added(&found.schema))",
        tests: &["promises::callbacks::"],
    },
    Mutant {
        rule: "Rust unwinds when a Go function panics",
        file: "go/rt/heap_tasks.go",
        from: "if calls && t.unwound(call) {",
        to: "if calls && false && t.unwound(call) {",
        tests: &["promises::callbacks::"],
    },
    Mutant {
        rule: "what Rust borrows lives until Rust has returned or unwound",
        file: "go/rt/heap_tasks.go",
        from: "	defer func() {\n		giveTask(t)\n",
        to: "	defer giveTask(t)\n	func() {\n",
        tests: &["promises::callbacks::"],
    },
    Mutant {
        rule: "a panic that Rust has caught is over",
        file: "go/rt/heap_tasks.go",
        from: "			recover()\n",
        to: "			_ = recover\n",
        tests: &["promises::callbacks::"],
    },
    Mutant {
        rule: "memory that Rust borrows while Go runs does not move",
        file: "bind/task.rs",
        from: "if race_marks::keeps(function) || !functions.is_empty() {",
        to: "if race_marks::keeps(function) {",
        tests: &["promises::callbacks::"],
    },
    Mutant {
        rule: "a function with a Go function as a parameter is a task",
        file: "load/exports.rs",
        from: "found.schema.task |= found.schema.params",
        to: "found.schema.task |= !found.schema.owner.is_empty() && found.schema.params",
        tests: &["promises::callbacks::"],
    },
];
