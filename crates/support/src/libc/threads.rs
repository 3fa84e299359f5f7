//! The functions of a C library that concern threads.

use core::ffi::{c_int, c_uint, c_void};
use core::sync::atomic::{AtomicU32, Ordering};

/// Registers a destructor of a thread-local variable. The destructor never runs, because for Rust code the threads of a Go program never end.
///
/// # Safety
/// The caller needs to meet no requirement, because the function calls nothing.
#[unsafe(no_mangle)]
unsafe extern "C" fn __cxa_thread_atexit_impl(_: unsafe extern "C" fn(*mut c_void), _: *mut c_void, _: *mut c_void) -> c_int {
    0
}

/// Makes a key for thread-local values. std uses keys only for destructors at the end of a thread, which never happens. A value stored under a key
/// is discarded: nothing can read it, because rustgo refuses code that refers to `pthread_getspecific`.
///
/// # Safety
/// `key` must be writable.
#[unsafe(no_mangle)]
unsafe extern "C" fn pthread_key_create(key: *mut c_uint, _: Option<unsafe extern "C" fn(*mut c_void)>) -> c_int {
    // The first key is 1, because std treats the key 0 as no key.
    static LAST: AtomicU32 = AtomicU32::new(0);
    // SAFETY: as promised by the caller.
    unsafe { key.write(LAST.fetch_add(1, Ordering::Relaxed) + 1) };
    0
}

/// Discards the value, because nothing can read the value of a key.
#[unsafe(no_mangle)]
extern "C" fn pthread_setspecific(_key: c_uint, _value: *const c_void) -> c_int {
    0
}

/// Deletes a key, which needs no action.
#[unsafe(no_mangle)]
extern "C" fn pthread_key_delete(_key: c_uint) -> c_int {
    0
}
