//! The variables of this crate.
//!
//! The variables are not statics; they lie in one variable of the Go package. A program and its Go plugins each have a copy of the package's
//! assembly, and so of every static, but they share the Go variables. So the program and its plugins use one heap, and the program can free an
//! object that a plugin allocated.

use crate::memory::Go;
use crate::random::Random;
use crate::thread_local::ThreadLocals;
use core::ffi::c_void;
use core::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32};
use rustgo_heap::Heap;

/// All variables of this crate. They begin as zeros, which are valid for every field.
#[repr(C)]
pub struct State {
    pub heap: Heap<Go>,
    /// True if memory must be committed before it is used.
    pub strict: AtomicBool,
    /// The address of a word that is not 0 while Rust code creates a panic.
    pub panicking: AtomicPtr<AtomicU32>,
    pub random: Random,
    pub thread_locals: ThreadLocals,
}

/// The alignment of [`State`] and the size of the Go variable, in bytes: stateAlign and stateSize of go/rt/heap.go.
const ALIGN: usize = 128;
const SIZE: usize = 8192;

impl State {
    /// Returns the variables at this address.
    ///
    /// # Safety
    ///
    /// `at` must be the address that `rustgo_heap_state` returns.
    #[inline(always)]
    pub(crate) unsafe fn at(at: *const c_void) -> &'static State {
        // SAFETY: the Go variable has at least the size and alignment of `State`, begins as zeros, and is never freed. Threads may share every field.
        unsafe { &*at.cast::<State>() }
    }
}

const _: () = assert!(align_of::<State>() <= ALIGN && size_of::<State>() <= SIZE);

unsafe extern "C" {
    fn rustgo_heap_state() -> *const c_void;
}

/// Returns this crate's variables, which exist once in the process.
#[inline(always)]
pub fn state() -> &'static State {
    // SAFETY: `rustgo_heap_state` returns the address that `at` requires.
    unsafe { State::at(rustgo_heap_state()) }
}
