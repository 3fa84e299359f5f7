//! The functions of a C library that concern threads, and the place of a thread's stack.
//!
//! Rust code runs on the stack of a goroutine. When the stack grows, Go moves it to other memory, so C's functions for the place of a thread's stack
//! fail: the place is not known. std and the crate stacker call these functions, and both can handle the failure.

#[cfg(rustgo_no_threads)]
use super::error::ESRCH;
use super::error::{EINVAL, ENOSYS};
use super::system::rustgo_heap_thread;
use core::ffi::{c_int, c_uint, c_void};
use core::sync::atomic::{AtomicU32, Ordering};

/// Accepts the destructor of a thread-local variable, and returns 0. The destructor never runs, because for Rust code the threads of a Go program
/// never end.
///
/// # Safety
/// The caller needs to meet no requirement, because the function ignores its arguments.
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

/// Discards the value and returns 0, because nothing can read the value of a key.
#[unsafe(no_mangle)]
extern "C" fn pthread_setspecific(_key: c_uint, _value: *const c_void) -> c_int {
    0
}

/// Returns 0: a key owns nothing.
#[unsafe(no_mangle)]
extern "C" fn pthread_key_delete(_key: c_uint) -> c_int {
    0
}

/// C's `pthread_attr_t`: the attributes of a thread. Source of the size: bits/pthreadtypes-arch.h of glibc.
type Attributes = [u64; if cfg!(target_arch = "x86_64") { 7 } else { 8 }];

/// Fails, because nothing can start threads for Rust code. std then returns an error of the kind `Unsupported`, and rayon uses the calling thread
/// instead. Source: rayon-core 1.13.0, `default_global_registry`.
///
/// Code that calls this function is refused unless the crate states `threads = "none"`.
#[cfg(rustgo_no_threads)]
#[unsafe(no_mangle)]
extern "C" fn pthread_create(
    _thread: *mut usize,
    _attributes: *const Attributes,
    _start: unsafe extern "C" fn(*mut c_void) -> *mut c_void,
    _argument: *mut c_void,
) -> c_int {
    ENOSYS
}

/// Accepts any size: no thread is started with the attributes.
#[cfg(rustgo_no_threads)]
#[unsafe(no_mangle)]
extern "C" fn pthread_attr_setstacksize(_attributes: *mut Attributes, _size: usize) -> c_int {
    0
}

/// Fails, because no thread was started.
#[cfg(rustgo_no_threads)]
#[unsafe(no_mangle)]
extern "C" fn pthread_join(_thread: usize, _result: *mut *mut c_void) -> c_int {
    ESRCH
}

/// Fails, because no thread was started.
#[cfg(rustgo_no_threads)]
#[unsafe(no_mangle)]
extern "C" fn pthread_detach(_thread: usize) -> c_int {
    ESRCH
}

/// Returns the identity of the running thread: the address of the task, or, if no task runs, the address of Go's data about the operating system's
/// thread (the runtime's m). The identity stays the same during a call. The goroutine's next call may have another identity.
#[unsafe(no_mangle)]
extern "C" fn pthread_self() -> usize {
    rustgo_heap_thread()
}

/// True if two identities belong to the same thread.
#[unsafe(no_mangle)]
extern "C" fn pthread_equal(a: usize, b: usize) -> c_int {
    c_int::from(a == b)
}

/// Makes attributes whose words are all 0.
///
/// # Safety
/// `attributes` must be writable.
#[unsafe(no_mangle)]
unsafe extern "C" fn pthread_attr_init(attributes: *mut Attributes) -> c_int {
    // SAFETY: as promised by the caller.
    unsafe { attributes.write([0; _]) };
    0
}

/// Returns 0: attributes own nothing.
#[unsafe(no_mangle)]
extern "C" fn pthread_attr_destroy(_attributes: *mut Attributes) -> c_int {
    0
}

/// Fails: the attributes of a running thread, among them the place of its stack, are not known.
#[unsafe(no_mangle)]
extern "C" fn pthread_getattr_np(_thread: usize, _attributes: *mut Attributes) -> c_int {
    ENOSYS
}

/// Fails, because no attributes state a stack.
#[unsafe(no_mangle)]
extern "C" fn pthread_attr_getstack(_attributes: *const Attributes, _lowest: *mut *mut c_void, _size: *mut usize) -> c_int {
    EINVAL
}

/// Fails, because no attributes state the size of a guard below the stack.
#[unsafe(no_mangle)]
extern "C" fn pthread_attr_getguardsize(_attributes: *const Attributes, _size: *mut usize) -> c_int {
    EINVAL
}
