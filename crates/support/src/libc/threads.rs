//! What C libraries have for threads.

use core::ffi::{c_int, c_uint, c_void};
use core::sync::atomic::{AtomicU32, Ordering};

/// Registers a destructor of a thread-local variable. Threads of a Go program do not end for Rust, so it never runs.
///
/// # Safety
/// None is needed: nothing is called.
#[unsafe(no_mangle)]
unsafe extern "C" fn __cxa_thread_atexit_impl(_: unsafe extern "C" fn(*mut c_void), _: *mut c_void, _: *mut c_void) -> c_int {
    0
}

/// Makes a key, of which std wants nothing but that its destructor runs when a thread ends. It never runs, as above. What is stored under a
/// key is dropped: nothing can read it, since code that refers to `pthread_getspecific` is refused.
///
/// # Safety
/// `key` must be writable.
#[unsafe(no_mangle)]
unsafe extern "C" fn pthread_key_create(key: *mut c_uint, _: Option<unsafe extern "C" fn(*mut c_void)>) -> c_int {
    // std takes the key 0 for none.
    static LAST: AtomicU32 = AtomicU32::new(0);
    // SAFETY: the caller's.
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
