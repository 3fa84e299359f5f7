//! The variables of this crate.
//!
//! The variables are not statics; they lie in one variable of the Go package. A program and its Go plugins each have a copy of the package's
//! assembly, and so of every static, but they share the Go variables. So the program and its plugins use one heap, and the program can free an
//! object that a plugin allocated.

use core::ffi::c_void;
use core::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize};
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

/// The host of the heap. The module `memory` implements [`System`](rustgo_heap::System) for it.
pub struct Go;

/// The variables of the random generator, which is in the module `random`.
pub struct Random {
    pub(crate) key: [AtomicU32; 8],
    pub(crate) has_key: AtomicBool,
    /// The nonce of the next call. No process makes 2⁶⁴ calls, so no nonce repeats.
    pub(crate) nonce: AtomicU64,
}

/// The number of lists in [`ThreadLocals`].
pub(crate) const BUCKETS: usize = 256;

/// The variables of the module `thread_local`.
pub struct ThreadLocals {
    /// The threads that have used a thread-local variable, in lists. The address of a thread's m selects its list.
    pub(crate) threads: [AtomicPtr<Thread>; BUCKETS],
    /// The highest number that was assigned to a [`Descriptor`](crate::thread_local::Descriptor) or [`Control`](crate::thread_local::Control).
    pub(crate) numbers: AtomicUsize,
}

/// A thread (or task) and its blocks of thread-local variables. Only the thread itself accesses the blocks.
pub(crate) struct Thread {
    pub(crate) m: usize,
    /// The next thread in the list.
    pub(crate) next: *mut Thread,
    /// The addresses of the thread's blocks. The index is the number of a [`Descriptor`](crate::thread_local::Descriptor) or
    /// [`Control`](crate::thread_local::Control), at least 1. The address is null until the block is used.
    pub(crate) blocks: *mut *mut u8,
    /// The length of the array `blocks`.
    pub(crate) room: usize,
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
