//! Rust backtraces, which are empty. Go's own tracebacks show the frames of Rust functions.

use core::ffi::c_int;

/// Reports the end of the stack without calling the callback. The returned number is `_URC_END_OF_STACK` (Itanium C++ ABI, exception handling,
/// 1.2).
#[unsafe(no_mangle)]
pub extern "C" fn _Unwind_Backtrace() -> c_int {
    5
}

/// Replaces the function by which std finds names for the addresses of a backtrace, because std's function would read the program's debug
/// information. `rustgo_no_symbols` finds no names. The command line tool redirects std's call.
#[cfg(rustgo_std)]
#[unsafe(no_mangle)]
extern "C" fn rustgo_no_symbols() {}

/// Defines functions that only callbacks of [`_Unwind_Backtrace`] call. `_Unwind_Backtrace` calls no callback, so these functions never run.
macro_rules! never {
    ($($name:ident)*) => {
        $(
            /// Panics. Nothing calls this function.
            #[unsafe(no_mangle)]
            pub extern "C" fn $name() -> ! {
                panic!("Rust code has no backtraces")
            }
        )*
    };
}

never! { _Unwind_GetIP _Unwind_GetIPInfo _Unwind_GetCFA _Unwind_FindEnclosingFunction }
