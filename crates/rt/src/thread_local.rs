//! Thread-local variables: a block of each package for each thread, made when the thread first asks for it.
//!
//! A thread is known by the address of the runtime's m. A goroutine stays on its thread while Rust runs, so only one thread at a time uses
//! what is kept for an m. If the runtime drops an m and makes another at the same address, that one finds the blocks of the
//! former, as if the thread went on: no destructor of a thread-local runs, and nothing is freed. So there are as many blocks as there have ever
//! been threads at one time.

use crate::memory::{aligned_alloc, malloc};
use crate::state::state;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

unsafe extern "C" {
    fn rustgo_heap_thread() -> usize;
    fn rustgo_heap_corrupt(kind: usize, address: usize) -> !;
}

/// What is reported where there is no memory for a block. Code that asks for a thread-local variable cannot be told that there is none.
const NO_MEMORY: usize = 5;

/// A package's variables as they are when a thread starts. crates/cli/src/load/tls.rs makes it.
#[repr(C)]
pub struct Descriptor {
    image: *const u8,
    size: usize,
    align: usize,
    /// 0: not met yet.
    number: AtomicUsize,
}

/// Which variable is meant, in the place of the `tls_index` of ELF.
#[repr(C)]
pub struct Cell {
    descriptor: *const Descriptor,
    /// Bytes from the start of the block.
    place: usize,
}

/// A variable where the compiler emulates thread-local storage: GCC's `struct __emutls_object` (libgcc/emutls.c).
#[repr(C)]
pub struct Control {
    size: usize,
    align: usize,
    /// 0: not met yet.
    number: AtomicUsize,
    /// Null: zeros.
    image: *const u8,
}

/// What is kept for a thread. Only the thread itself reads and writes its blocks.
struct Thread {
    m: usize,
    next: *mut Thread,
    /// By the number of a descriptor or control, which begins at 1.
    blocks: *mut *mut u8,
    /// How many blocks there is room for.
    room: usize,
}

const BUCKETS: usize = 256;

/// The thread-local variables' part of [`State`](crate::state::State).
pub struct ThreadLocals {
    threads: [AtomicPtr<Thread>; BUCKETS],
    /// Numbers given so far.
    numbers: AtomicUsize,
}

/// # Safety
/// As `__tls_get_addr`: `cell` must be one that rustgo has made.
pub unsafe extern "C" fn thread_local(cell: *const Cell) -> *mut u8 {
    // SAFETY: the caller's.
    let (cell, descriptor) = unsafe { (&*cell, &*(*cell).descriptor) };
    // SAFETY: the image has that size.
    unsafe { block(&descriptor.number, descriptor.size, descriptor.align, descriptor.image).add(cell.place) }
}

/// # Safety
/// As `__emutls_get_address`: `control` must be one that a compiler has made.
pub unsafe extern "C" fn emulated(control: *const Control) -> *mut u8 {
    // SAFETY: the caller's.
    let control = unsafe { &*control };
    // SAFETY: the image, if there is one, has that size.
    unsafe { block(&control.number, control.size, control.align, control.image) }
}

/// The thread's block of this number.
///
/// # Safety
/// `image` must be null or have `size` bytes.
unsafe fn block(number: &AtomicUsize, size: usize, align: usize, image: *const u8) -> *mut u8 {
    let mut index = number.load(Ordering::Relaxed);
    if index == 0 {
        // Two threads may take a number each; the one that loses is never used.
        let fresh = state().thread_locals.numbers.fetch_add(1, Ordering::Relaxed) + 1;
        index = match number.compare_exchange(0, fresh, Ordering::Relaxed, Ordering::Relaxed) {
            Ok(_) => fresh,
            Err(taken) => taken,
        };
    }
    // SAFETY: no other thread has the same m.
    let thread = unsafe { &mut *thread() };
    if index < thread.room {
        // SAFETY: there is room for it.
        let block = unsafe { *thread.blocks.add(index) };
        if !block.is_null() {
            return block;
        }
    }
    // SAFETY: the caller's.
    unsafe { make(thread, index, size, align, image) }
}

/// What is kept for this thread.
fn thread() -> *mut Thread {
    // SAFETY: it only reads the runtime's g.
    let m = unsafe { rustgo_heap_thread() };
    // The runtime allocates m in classes of some 2 KiB.
    let bucket = &state().thread_locals.threads[(m >> 6 ^ m >> 12) % BUCKETS];
    let first = bucket.load(Ordering::Acquire);
    let mut at = first;
    while !at.is_null() {
        // SAFETY: nothing is ever freed.
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
        // SAFETY: there is room for it, and nobody else knows it. No other thread adds the same m meanwhile.
        unsafe { new.write(Thread { m, next: first, blocks: null_mut(), room: 0 }) };
        match bucket.compare_exchange(first, new, Ordering::Release, Ordering::Acquire) {
            Ok(_) => return new,
            Err(other) => first = other,
        }
    }
}

/// # Safety
/// As [`block`].
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
        // SAFETY: both have that size. The former one stays: a signal handler may be looking at it.
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
    // SAFETY: it has that size, and so has the image.
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
    // SAFETY: it ends the process.
    unsafe { rustgo_heap_corrupt(NO_MEMORY, 0) }
}

rustgo::__routine!(thread_local as "threadLocal");
rustgo::__routine!(emulated as "emulatedThreadLocal");
