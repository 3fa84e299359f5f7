//! The functions of C libraries that concern threads.

use core::ffi::{c_int, c_uint, c_void};
use core::sync::atomic::{AtomicU32, Ordering};

/// Registers a destructor of a thread-local variable. It never runs, because threads of a Go program never end from Rust's point of view.
///
/// # Safety
/// No requirement: nothing is called.
#[unsafe(no_mangle)]
unsafe extern "C" fn __cxa_thread_atexit_impl(_: unsafe extern "C" fn(*mut c_void), _: *mut c_void, _: *mut c_void) -> c_int {
    0
}

/// Makes a key. std uses keys only for their destructors, which run at the end of a thread and therefore never. A value stored under a key is
/// discarded, because code that refers to `pthread_getspecific` is refused, so that nothing can read it.
///
/// # Safety
/// `key` must be writable.
#[unsafe(no_mangle)]
unsafe extern "C" fn pthread_key_create(key: *mut c_uint, _: Option<unsafe extern "C" fn(*mut c_void)>) -> c_int {
    // std treats the key 0 as none.
    static LAST: AtomicU32 = AtomicU32::new(0);
    // SAFETY: as promised by the caller.
    unsafe { key.write(LAST.fetch_add(1, Ordering::Relaxed) + 1) };
    0
}

/// Stores a value that nothing can read.
#[unsafe(no_mangle)]
extern "C" fn pthread_setspecific(_key: c_uint, _value: *const c_void) -> c_int {
    0
}

/// Forgets a key.
#[unsafe(no_mangle)]
extern "C" fn pthread_key_delete(_key: c_uint) -> c_int {
    0
}
