//! Names, offsets and stack sizes that generated code, the support crate and the Go package `rt` share.
//!
//! None of the three is compiled together with another, so each states these facts itself: the tool in this file, the support crate in
//! `crates/support/src/panic.rs`, `rt` in `go/rt/entry.go` and `panic_*.s`. The tests in `abi/tests.rs` read the sources of the other two and
//! docs/abi.md, and fail if one disagrees with this file. Facts that only the support crate and `rt` share, such as the report of a panic, are
//! stated in the tests.
//!
//! [`exits`](crate::exits) has the functions of `rt` that generated code calls, with their arguments and stack. The same tests compare them.

/// The support crate's formatter, which `rt` calls for the text of a panic: `extern "C" fn(*const PanicInfo, *mut Report)`.
pub const FORMAT_PANIC: &str = "rustgo_format_panic";
/// Replaces the functions with which std reports that an allocator has no memory left.
pub const ALLOC_ERROR: &str = "rustgo_alloc_error";
/// Replaces the function with which std reads debug information to name the addresses of a backtrace.
pub const NO_SYMBOLS: &str = "rustgo_no_symbols";
/// Replaces the function with which std panics with a payload that need not be text.
pub const PANIC_PAYLOAD: &str = "rustgo_panic_payload";

/// `--cfg` of every crate that the tool builds.
pub const CFG: &str = "rustgo";
/// `--cfg` of the crate and the support crate, if the crate links std.
pub const CFG_STD: &str = "rustgo_std";

/// Offset of `g.stack.lo` in g: the address of the lowest byte of the goroutine's stack. `rt` changes this field while a message is formatted.
pub const G_STACK_LO: u32 = 0;
/// Offset of the limit of the running call from `g.stack.lo`. Entries store the limit there, and `rt` stores one for the formatter. Checked
/// entries compare SP with it.
pub const LIMIT: u32 = 0;

/// Bytes above `g.stack.lo` that Go keeps free for chains of NOSPLIT functions (`StackNosplitBase`, internal/abi/stack.go). A framed entry keeps
/// them free too: the limit of the call is in them.
pub const NOSPLIT_STACK: u32 = 800;
/// Bytes below SP that Windows may write when a fault happens (`stackSystem`, runtime/stack.go).
pub const WINDOWS_STACK: u32 = 4096;

/// The variable of `rt` with the CPU's level, one byte (go/rt/cpu.go).
pub const LEVEL: &str = "cpuLevel";

/// The functions of `rt` that an entry calls before and after a blocking call.
pub const ENTER_CALL: &str = "enterCall";
pub const LEAVE_CALL: &str = "leaveCall";

/// The least default budget of an export that recurses, in bytes. The default budget is this or the stack of four levels of the recursion. If only
/// unlikely calls make the export recurse, it is smaller: see `analyze::default_budget`.
pub const DEFAULT_BUDGET: u32 = 64 << 10;

/// Size of the stack on which `rt` calls the formatter, in bytes.
pub const FORMATTER_STACK: u32 = 64 << 10;

/// Bytes above that stack that may be read.
pub const FORMATTER_ABOVE: u32 = 1024;

#[cfg(test)]
mod tests;
