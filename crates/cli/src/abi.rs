//! What generated code, the support crate and the Go package `rt` agree on: names, offsets, sizes of stacks, the report of a panic.
//!
//! None of the three is compiled with another, so each states these facts itself: the tool in this file, the support crate in
//! `crates/support/src/panic.rs`, `rt` in `go/rt/entry.go` and `panic_*.s`. Neither side can change alone: the tests in `abi/tests.rs`
//! read the sources of the other two, and docs/abi.md, and fail where they disagree with this file. What only the other two need, such
//! as the report of a panic, is stated in the tests.
//!
//! The functions of `rt` that generated code calls, their arguments and the stack that they need are in the table of
//! [`exits`](crate::exits), which the same tests compare.

/// The support crate's formatter, which `rt` calls for the text of a panic: `extern "C" fn(*const PanicInfo, *mut Report)`.
pub const FORMAT_PANIC: &str = "rustgo_format_panic";
/// Takes the place of the functions in which std reports that an allocator has no memory left.
pub const ALLOC_ERROR: &str = "rustgo_alloc_error";
/// Takes the place of the function in which std reads debug information, to put names to the addresses of a backtrace.
pub const NO_SYMBOLS: &str = "rustgo_no_symbols";
/// Takes the place of the function in which std panics with a payload that need not be text.
pub const PANIC_PAYLOAD: &str = "rustgo_panic_payload";

/// `--cfg` for all that the tool builds.
pub const CFG: &str = "rustgo";
/// `--cfg` for the crate and the support crate where the crate links std.
pub const CFG_STD: &str = "rustgo_std";

/// Offset of `g.stack.lo` in g: the address of the lowest byte of the goroutine's stack. `rt` sets it while a message is formatted.
pub const G_STACK_LO: u32 = 0;
/// Offset of the limit of the call that is running, counted from `g.stack.lo`. Entries store it there, and so does `rt` for the formatter;
/// checked entries compare SP with it.
pub const LIMIT: u32 = 0;

/// Bytes above `g.stack.lo` that Go keeps free for chains of NOSPLIT functions (`StackNosplitBase`, internal/abi/stack.go). A framed entry
/// leaves them free, too: the limit of the call is one of them.
pub const NOSPLIT_STACK: u32 = 800;
/// Bytes that Windows may write below SP when a fault happens (`stackSystem`, runtime/stack.go).
pub const WINDOWS_STACK: u32 = 4096;

/// The variable of `rt` with the number of the processor's level, a byte: go/rt/cpu.go.
pub const LEVEL: &str = "cpuLevel";

/// The functions of `rt` that an entry calls before and after a call that the scheduler is told of.
pub const ENTER_CALL: &str = "enterCall";
pub const LEAVE_CALL: &str = "leaveCall";

/// The budget of an export that recurses and states none, in bytes: this, or what four levels of the recursion need. (Where only unlikely calls
/// make it recurse, less: `analyze::likely`, and a level.)
pub const DEFAULT_BUDGET: u32 = 64 << 10;

/// Bytes of the stack on which `rt` calls the formatter.
pub const FORMATTER_STACK: u32 = 64 << 10;

/// Bytes above it that may be read.
pub const FORMATTER_ABOVE: u32 = 1024;

#[cfg(test)]
mod tests;
