//! Backtraces are empty. Nothing unwinds Rust frames by Rust's tables in a Go program; Go's own tracebacks show them.

use core::ffi::c_int;

/// Reports the end of the stack without any callback. The number is `_URC_END_OF_STACK` (Itanium C++ ABI, exception handling, 1.2).
#[unsafe(no_mangle)]
pub extern "C" fn _Unwind_Backtrace() -> c_int {
    5
}

/// Replaces the function by which std finds names for a backtrace's addresses; it finds none. std's own function reads the program's debug
/// information. The command line tool redirects the call.
#[cfg(rustgo_std)]
#[unsafe(no_mangle)]
extern "C" fn rustgo_no_symbols() {}

/// Functions that only callbacks of [`_Unwind_Backtrace`] call, and so never run.
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
