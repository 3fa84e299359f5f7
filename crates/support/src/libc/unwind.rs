//! Backtraces: they are empty. Nothing unwinds Rust frames by Rust's tables in a Go program; Go's own tracebacks show them.

use core::ffi::c_int;

/// Calls nobody back: the end of the stack is reached at once. The number is `_URC_END_OF_STACK` (Itanium C++ ABI, exception handling,
/// 1.2).
#[unsafe(no_mangle)]
pub extern "C" fn _Unwind_Backtrace() -> c_int {
    5
}

/// Where std goes to put names to the addresses of a backtrace; it finds none. std's own way reads the program's debug information; the
/// command line tool leads it here.
#[cfg(rustgo_std)]
#[unsafe(no_mangle)]
extern "C" fn rustgo_no_symbols() {}

/// What only code calls that [`_Unwind_Backtrace`] has called back.
macro_rules! never {
    ($($name:ident)*) => {
        $(
            /// Panics.
            #[unsafe(no_mangle)]
            pub extern "C" fn $name() -> ! {
                panic!("a backtrace of Rust code is looked at, and there is none")
            }
        )*
    };
}

never! { _Unwind_GetIP _Unwind_GetIPInfo _Unwind_GetCFA _Unwind_FindEnclosingFunction }
