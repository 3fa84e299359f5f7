//! Names, offsets and stack sizes on which generated code, the support crate and the Go package `rt` must agree.
//!
//! The tool, the support crate and `rt` are compiled separately, so each states these facts itself: the tool in this file, the support crate in
//! `crates/support/src/panic.rs`, `rt` in `go/rt/entry.go` and `panic_*.s`. The tests in `abi/tests.rs` read the sources of the support crate and
//! of `rt`, and docs/abi.md, and fail if one of them disagrees with this file. Facts that only the support crate and `rt` need, such as the layout
//! of a panic's report, are in the tests.
//!
//! The module [`exits`](crate::exits) lists the functions of `rt` that generated code calls, with their arguments and stack. The tests in
//! `abi/tests.rs` compare that list with `rt` too.

/// The support crate's function that formats the text of a panic. `rt` calls it: `extern "C" fn(*const PanicInfo, *mut Report)`.
pub const FORMAT_PANIC: &str = "rustgo_format_panic";
/// The support crate's function that replaces std's functions for reporting a failed allocation.
pub const ALLOC_ERROR: &str = "rustgo_alloc_error";
/// The support crate's function that replaces std's function for looking up symbol names of a backtrace in debug information.
pub const NO_SYMBOLS: &str = "rustgo_no_symbols";
/// The support crate's function that replaces std's function for panics with a payload of any type.
pub const PANIC_PAYLOAD: &str = "rustgo_panic_payload";
/// The support crate's function that replaces std's functions for foreign exceptions (exceptions of other languages). The function exists only if
/// panics unwind.
pub const FOREIGN_EXCEPTION: &str = "rustgo_foreign_exception";

/// The cfg name (`--cfg`) in the build of every crate that the tool compiles.
pub const CFG: &str = "rustgo";
/// The cfg name (`--cfg`) in the build of the author's crate and the support crate if the author's crate or a dependency links std.
pub const CFG_STD: &str = "rustgo_std";
/// The cfg name (`--cfg`) in the build of the support crate if it implements std's traits and so links std. The name is set only if std is linked
/// anyway: because the author's crate links std, or because panics unwind.
pub const CFG_IO: &str = "rustgo_io";
/// The cfg name (`--cfg`) in the build of the support crate if panics unwind.
pub const CFG_UNWIND: &str = "rustgo_unwind";
/// The cfg name (`--cfg`) in the build of every crate if a call that abandons its frames must end the process. A panic that does not unwind abandons
/// frames.
pub const CFG_ENDS_PROCESS: &str = "rustgo_ends_process";
/// The cfg name (`--cfg`) in the build of every crate if Rust code cannot start threads (`threads = "none"`).
pub const CFG_NO_THREADS: &str = "rustgo_no_threads";
/// The cfg name (`--cfg`) whose value identifies the standard library that rustgo has compiled. No source tests this name.
pub const CFG_LIBRARY: &str = "rustgo_library";

/// The feature of the support crate that adds C's mathematics from the crate libm.
pub const LIBM: &str = "libm";

/// The value of the setting `allow` that permits rayon's functions that only queue work, such as `rayon::spawn`, in a crate that cannot start
/// threads. Without threads nothing executes the queued work.
pub const SPAWN: &str = "rayon::spawn";

/// A flag in the word that passes a stack budget to `rt` ([`Argument::Budget`](crate::exits::Argument::Budget)). The flag means that a call that
/// abandons its frames must end the process. Budgets are smaller than the flag, so the flag changes no bit of a budget.
pub const ENDS_PROCESS: u32 = 1 << 31;

/// Offset of the field `g.stack.lo` in Go's structure g. The field contains the address of the lowest byte of the goroutine's stack. While Rust code
/// formats a panic message, `rt` replaces it by the lowest address of the formatter's stack.
pub const G_STACK_LO: u32 = 0;
/// Offset from `g.stack.lo` of the word with the limit of the running Rust call: the lowest address to which the call may use the stack. Entries
/// store the limit in this word, and `rt` stores another limit while Rust code formats a panic message. Checked entries compare SP with the limit.
pub const LIMIT: u32 = 0;

/// Number of bytes above `g.stack.lo` that Go keeps free for chains of NOSPLIT functions (`StackNosplitBase`, internal/abi/stack.go). An entry
/// that checks the stack keeps these bytes free too, because the word with the call's limit is among them.
pub const NOSPLIT_STACK: u32 = 800;
/// Number of bytes below SP that Windows may write when a fault happens (`stackSystem`, runtime/stack.go).
pub const WINDOWS_STACK: u32 = 4096;

/// The name of the variable of `rt` that contains the processor's level, that is, its set of instructions. The variable has one byte (go/rt/cpu.go).
pub const LEVEL: &str = "cpuLevel";

/// The number of bytes of stack that a task (a call on a stack of its own) has if the author states no other number. With the guard below it and the
/// task's data above it, the stack takes 1 MiB of address space.
pub const TASK_STACK: u32 = 896 << 10;
/// Number of bytes above the return address of a task's body that the body may read. `rt` leaves these bytes above each task's stack.
pub const TASK_ABOVE: u32 = 1024;
/// The end of the name of the variable with the address of a task's body. The assembly file defines the variable, and the Go file declares it.
pub const TASK_BODY: &str = "_body";

/// The names of the functions of `rt` that an entry calls before (`ENTER_CALL`) and after (`LEAVE_CALL`) the body of a blocking export.
pub const ENTER_CALL: &str = "enterCall";
pub const LEAVE_CALL: &str = "leaveCall";

/// Minimum default stack budget in bytes of an export that recurses. The default budget is this number or, if larger, the stack of four recursion
/// levels. If only unlikely calls make the export recurse, the budget is smaller: see `analyze::default_budget`.
pub const DEFAULT_BUDGET: u32 = 64 << 10;

/// Size in bytes of the stack on which `rt` calls the formatter of panic messages.
pub const FORMATTER_STACK: u32 = 64 << 10;

/// Number of bytes directly above the formatter's stack that the formatter may read.
pub const FORMATTER_ABOVE: u32 = 1024;

#[cfg(test)]
mod tests;
