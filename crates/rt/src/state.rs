//! The variables of this crate.
//!
//! They are no statics, but lie in one variable of the Go package. A program and the Go plugins that it loads each have a copy of the
//! package's assembly, and with it of every static, but share the variables of Go. So all of them use one heap, and an object that the code
//! of a plugin allocates can be freed by the program.

use crate::memory::Go;
use crate::random::Random;
use crate::thread_local::ThreadLocals;
use core::ffi::c_void;
use core::sync::atomic::AtomicBool;
use rustgo_heap::Heap;

/// All variables. Zeros are the state before [`crate::memory::start`].
#[repr(C)]
pub struct State {
    pub heap: Heap<Go>,
    /// Must memory be committed before it is used?
    pub strict: AtomicBool,
    pub random: Random,
    pub thread_locals: ThreadLocals,
}

/// The alignment of [`State`] and the size of the variable, both in bytes: stateAlign and stateSize of go/rt/heap.go.
const ALIGN: usize = 128;
const SIZE: usize = 8192;

impl State {
    /// The variables at this address.
    ///
    /// # Safety
    ///
    /// `rustgo_heap_state` returns `at`.
    #[inline(always)]
    pub(crate) unsafe fn at(at: *const c_void) -> &'static State {
        // SAFETY: the Go variable has this size and alignment, begins as zeros, and is never freed. Every field may be shared between threads.
        unsafe { &*at.cast::<State>() }
    }
}

const _: () = assert!(align_of::<State>() <= ALIGN && size_of::<State>() <= SIZE);

unsafe extern "C" {
    fn rustgo_heap_state() -> *const c_void;
}

/// The variables of the process.
#[inline(always)]
pub fn state() -> &'static State {
    // SAFETY: it is the address of the variable.
    unsafe { State::at(rustgo_heap_state()) }
}
