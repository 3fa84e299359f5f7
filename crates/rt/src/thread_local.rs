//! Thread-local variables. A thread has a block of memory for each package, and for each emulated variable. The first access allocates the block.
//!
//! A thread is identified by the address of the runtime's m (Go's structure for a thread), or by the address of a task, which has a stack of its own
//! (`go/rt/tasks.go`). A goroutine stays on its thread while Rust code runs, so only one thread at a time uses the blocks of an m. If the runtime
//! frees an m and allocates another m at the same address, the new thread continues with the blocks of the old thread. No destructor of a
//! thread-local variable runs, and no block is freed. So the blocks of an m or a task remain after its end.

use crate::memory::{aligned_alloc, malloc};
use crate::state::{BUCKETS, Thread, state};
use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

unsafe extern "C" {
    fn rustgo_heap_thread() -> usize;
    fn rustgo_heap_corrupt(kind: usize, address: usize) -> !;
}

/// The argument `kind` of `rustgo_heap_corrupt` if there is no memory for a block. (An access to a thread-local variable cannot return an error.)
const NO_MEMORY: usize = 5;

/// The descriptor of a package's thread-local variables: their initial values, size and alignment. crates/cli/src/load/tls.rs creates it.
#[repr(C)]
pub struct Descriptor {
    image: *const u8,
    size: usize,
    align: usize,
    /// The index of the package's block in `Thread::blocks`, assigned on first use and 0 before.
    number: AtomicUsize,
}

/// The cell that selects a variable, in place of ELF's `tls_index`.
#[repr(C)]
pub struct Cell {
    descriptor: *const Descriptor,
    /// The variable's offset in the block, in bytes.
    place: usize,
}

/// The control structure of a variable whose thread-local storage the compiler emulates: GCC's `struct __emutls_object` (libgcc/emutls.c).
#[repr(C)]
pub struct Control {
    size: usize,
    align: usize,
    /// The index of the variable's block in `Thread::blocks`, assigned on first use and 0 before.
    number: AtomicUsize,
    /// The address of the initial value; null for zeros.
    image: *const u8,
}

/// # Safety
/// `cell` must be a cell that rustgo has created. Compiled code passes such a cell to `__tls_get_addr`, which this function replaces.
pub unsafe extern "C" fn thread_local(cell: *const Cell) -> *mut u8 {
    // SAFETY: the caller's promise.
    let (cell, descriptor) = unsafe { (&*cell, &*(*cell).descriptor) };
    // SAFETY: the image has `descriptor.size` bytes.
    unsafe { block(&descriptor.number, descriptor.size, descriptor.align, descriptor.image).add(cell.place) }
}

/// # Safety
/// `control` must be a control structure that a compiler has created. This function replaces `__emutls_get_address`.
pub unsafe extern "C" fn emulated(control: *const Control) -> *mut u8 {
    // SAFETY: the caller's promise.
    let control = unsafe { &*control };
    // SAFETY: an image that is not null has `control.size` bytes.
    unsafe { block(&control.number, control.size, control.align, control.image) }
}

/// Returns the thread's block with this number. The first use takes a number if `number` is 0, and allocates the block.
///
/// # Safety
/// `image` must be null or have `size` bytes.
unsafe fn block(number: &AtomicUsize, size: usize, align: usize, image: *const u8) -> *mut u8 {
    let mut index = number.load(Ordering::Relaxed);
    if index == 0 {
        // Two threads may each take a number. Only one of the two numbers is stored; the other is never used.
        let fresh = state().thread_locals.numbers.fetch_add(1, Ordering::Relaxed) + 1;
        index = match number.compare_exchange(0, fresh, Ordering::Relaxed, Ordering::Relaxed) {
            Ok(_) => fresh,
            Err(taken) => taken,
        };
    }
    // SAFETY: no other thread has the same m.
    let thread = unsafe { &mut *thread() };
    if index < thread.room {
        // SAFETY: the index is within `blocks`.
        let block = unsafe { *thread.blocks.add(index) };
        if !block.is_null() {
            return block;
        }
    }
    // SAFETY: the caller's promise.
    unsafe { make(thread, index, size, align, image) }
}

/// Returns the record of this thread. The thread's first call makes the record.
fn thread() -> *mut Thread {
    // SAFETY: the function only reads memory.
    let m = unsafe { rustgo_heap_thread() };
    // Addresses of m's are about 2 KiB or more apart, addresses of tasks 1 MiB or more. The highest bits of the product depend on all address bits.
    let bucket = &state().thread_locals.threads[m.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (usize::BITS - BUCKETS.ilog2())];
    let first = bucket.load(Ordering::Acquire);
    let mut at = first;
    while !at.is_null() {
        // SAFETY: no `Thread` is ever freed.
        let thread = unsafe { &*at };
        if thread.m == m {
            return at;
        }
        at = thread.next;
    }
    add(bucket, first, m)
}

#[cold]
#[inline(never)]
fn add(bucket: &AtomicPtr<Thread>, mut first: *mut Thread, m: usize) -> *mut Thread {
    // SAFETY: this is an ordinary allocation.
    let new = unsafe { malloc(size_of::<Thread>()) }.cast::<Thread>();
    if new.is_null() {
        no_memory();
    }
    loop {
        // SAFETY: the allocation is large enough, and no other thread knows it. No other thread has the same m.
        unsafe { new.write(Thread { m, next: first, blocks: null_mut(), room: 0 }) };
        match bucket.compare_exchange(first, new, Ordering::Release, Ordering::Acquire) {
            Ok(_) => return new,
            Err(other) => first = other,
        }
    }
}

/// # Safety
/// The caller must meet the requirements of [`block`].
#[cold]
#[inline(never)]
unsafe fn make(thread: &mut Thread, index: usize, size: usize, align: usize, image: *const u8) -> *mut u8 {
    if index >= thread.room {
        let room = (index + 1).next_power_of_two();
        // SAFETY: this is an ordinary allocation.
        let blocks = unsafe { malloc(room * size_of::<*mut u8>()) }.cast::<*mut u8>();
        if blocks.is_null() {
            no_memory();
        }
        // SAFETY: both arrays have at least this length. The old array is not freed, because a signal handler may be reading it.
        unsafe {
            blocks.write_bytes(0, room);
            if thread.room > 0 {
                blocks.copy_from_nonoverlapping(thread.blocks, thread.room);
            }
        }
        (thread.blocks, thread.room) = (blocks, room);
    }
    // SAFETY: this is an ordinary allocation.
    let block = unsafe { aligned_alloc(align.max(16), size) };
    if block.is_null() {
        no_memory();
    }
    // SAFETY: the block, and an image that is not null, have `size` bytes.
    unsafe {
        if image.is_null() {
            block.write_bytes(0, size);
        } else {
            block.copy_from_nonoverlapping(image, size);
        }
        *thread.blocks.add(index) = block;
    }
    block
}

fn no_memory() -> ! {
    // SAFETY: the function ends the process.
    unsafe { rustgo_heap_corrupt(NO_MEMORY, 0) }
}

rustgo::__routine!(thread_local as "threadLocal");
rustgo::__routine!(emulated as "emulatedThreadLocal");
