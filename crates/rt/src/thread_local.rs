//! Thread-local variables: a block for each package and thread, allocated when the thread first accesses it.
//!
//! A thread is identified by the address of the runtime's m. A goroutine stays on its thread while Rust code runs, so one thread at a time uses
//! the blocks of an m. If the runtime frees an m and allocates another at the same address, the new thread finds the old thread's blocks, as if
//! that thread went on. No destructor of a thread-local variable runs, and no block is freed. So there are as many sets of blocks as the highest
//! number of threads at one time.

use crate::memory::{aligned_alloc, malloc};
use crate::state::state;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

unsafe extern "C" {
    fn rustgo_heap_thread() -> usize;
    fn rustgo_heap_corrupt(kind: usize, address: usize) -> !;
}

/// Reported if there is no memory for a block: an access to a thread-local variable cannot return an error.
const NO_MEMORY: usize = 5;

/// A package's thread-local variables, as they are when a thread starts. crates/cli/src/load/tls.rs creates it.
#[repr(C)]
pub struct Descriptor {
    image: *const u8,
    size: usize,
    align: usize,
    /// The index of the package's block in `Thread::blocks`, assigned on first use; 0 before.
    number: AtomicUsize,
}

/// Selects a variable, in place of ELF's `tls_index`.
#[repr(C)]
pub struct Cell {
    descriptor: *const Descriptor,
    /// The variable's offset in the block, in bytes.
    place: usize,
}

/// A variable whose thread-local storage the compiler emulates: GCC's `struct __emutls_object` (libgcc/emutls.c).
#[repr(C)]
pub struct Control {
    size: usize,
    align: usize,
    /// The index of the variable's block in `Thread::blocks`, assigned on first use; 0 before.
    number: AtomicUsize,
    /// The initial value; null for zeros.
    image: *const u8,
}

/// The blocks of a thread. Only the thread itself accesses them.
struct Thread {
    m: usize,
    next: *mut Thread,
    /// The thread's blocks. The index is the number of a descriptor or control, which begins at 1; a block is null until it is used.
    blocks: *mut *mut u8,
    /// Length of `blocks`.
    room: usize,
}

const BUCKETS: usize = 256;

/// The thread-local variables' part of [`State`](crate::state::State).
pub struct ThreadLocals {
    threads: [AtomicPtr<Thread>; BUCKETS],
    /// The highest number that was assigned to a descriptor or control.
    numbers: AtomicUsize,
}

/// # Safety
/// As for `__tls_get_addr`: rustgo has created `cell`.
pub unsafe extern "C" fn thread_local(cell: *const Cell) -> *mut u8 {
    // SAFETY: the caller's promise.
    let (cell, descriptor) = unsafe { (&*cell, &*(*cell).descriptor) };
    // SAFETY: the image has `descriptor.size` bytes.
    unsafe { block(&descriptor.number, descriptor.size, descriptor.align, descriptor.image).add(cell.place) }
}

/// # Safety
/// As for `__emutls_get_address`: a compiler has created `control`.
pub unsafe extern "C" fn emulated(control: *const Control) -> *mut u8 {
    // SAFETY: the caller's promise.
    let control = unsafe { &*control };
    // SAFETY: an image that is not null has `control.size` bytes.
    unsafe { block(&control.number, control.size, control.align, control.image) }
}

/// The thread's block with this number, allocated on first use.
///
/// # Safety
/// `image` must be null or have `size` bytes.
unsafe fn block(number: &AtomicUsize, size: usize, align: usize, image: *const u8) -> *mut u8 {
    let mut index = number.load(Ordering::Relaxed);
    if index == 0 {
        // Two threads may each take a number. Only one of the numbers is stored; the other is never used.
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

/// The blocks of this thread.
fn thread() -> *mut Thread {
    // SAFETY: the function only reads the runtime's g.
    let m = unsafe { rustgo_heap_thread() };
    // The runtime allocates an m in a size class of some 2 KiB.
    let bucket = &state().thread_locals.threads[(m >> 6 ^ m >> 12) % BUCKETS];
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
    // SAFETY: an ordinary allocation.
    let new = unsafe { malloc(size_of::<Thread>()) }.cast::<Thread>();
    if new.is_null() {
        no_memory();
    }
    loop {
        // SAFETY: the allocation is large enough, and no other thread knows it. No other thread adds the same m meanwhile.
        unsafe { new.write(Thread { m, next: first, blocks: null_mut(), room: 0 }) };
        match bucket.compare_exchange(first, new, Ordering::Release, Ordering::Acquire) {
            Ok(_) => return new,
            Err(other) => first = other,
        }
    }
}

/// # Safety
/// As for [`block`].
#[cold]
#[inline(never)]
unsafe fn make(thread: &mut Thread, index: usize, size: usize, align: usize, image: *const u8) -> *mut u8 {
    if index >= thread.room {
        let room = (index + 1).next_power_of_two();
        // SAFETY: an ordinary allocation.
        let blocks = unsafe { malloc(room * size_of::<*mut u8>()) }.cast::<*mut u8>();
        if blocks.is_null() {
            no_memory();
        }
        // SAFETY: both arrays have that size. The old one is not freed, because a signal handler may be reading it.
        unsafe {
            blocks.write_bytes(0, room);
            if thread.room > 0 {
                blocks.copy_from_nonoverlapping(thread.blocks, thread.room);
            }
        }
        (thread.blocks, thread.room) = (blocks, room);
    }
    // SAFETY: an ordinary allocation.
    let block = unsafe { aligned_alloc(align.max(16), size) };
    if block.is_null() {
        no_memory();
    }
    // SAFETY: the block and the image have that size.
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
