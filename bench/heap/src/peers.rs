//! The compared allocators, behind one interface.

use std::alloc::{GlobalAlloc, Layout};
use std::cell::Cell;
use std::sync::{LazyLock, Mutex};

use rustgo_heap::{Corruption, Heap, NONE, System};

thread_local! {
    static PLACE: Cell<usize> = const { Cell::new(NONE) };
}

/// Assigns a heap shard of rustgo's heap to this thread. The other allocators need no such call.
pub fn run_on(place: usize) {
    PLACE.set(place);
}

/// An allocator.
pub trait Peer: Sync {
    const NAME: &'static str;

    /// # Safety
    ///
    /// As for C's malloc.
    unsafe fn malloc(size: usize) -> *mut u8;

    /// # Safety
    ///
    /// As for C's free. `size` is the size with which the object was allocated.
    unsafe fn free(at: *mut u8, size: usize);
}

/// Reserves address space. The system provides memory for a page when the page is first touched.
fn reserve(size: usize) -> *mut u8 {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    // SAFETY: the system chooses the address.
    let base = unsafe { libc::mmap(std::ptr::null_mut(), size, libc::PROT_READ | libc::PROT_WRITE, flags, -1, 0) };
    assert_ne!(base, libc::MAP_FAILED);
    base.cast()
}

fn layout(size: usize) -> Layout {
    // SAFETY: sizes are small.
    unsafe { Layout::from_size_align_unchecked(size, 16) }
}

pub struct Rustgo;

static HEAP: Heap<Host> = Heap::new();

struct Host;

impl System for Host {
    #[inline(always)]
    fn place() -> usize {
        PLACE.get()
    }

    fn commit(_: usize, _: usize) -> bool {
        true
    }

    fn release(at: usize, len: usize) {
        // SAFETY: the heap does not use this memory.
        unsafe { libc::madvise(at as *mut libc::c_void, len, libc::MADV_DONTNEED) };
    }

    fn relax(_: u32) {
        std::thread::yield_now();
    }

    fn corrupt(kind: Corruption, at: usize) -> ! {
        panic!("{kind:?} at {at:#x}")
    }
}

impl Rustgo {
    /// Gives the heap its address space.
    pub fn start() {
        let size = 1 << 40;
        // SAFETY: the memory is new.
        assert!(unsafe { HEAP.start(reserve(size), size, false) });
    }

    /// Returns free memory to the system, as a Go program does after a collection.
    pub fn trim() {
        // SAFETY: this thread uses the heap shard 0.
        unsafe { HEAP.trim(0) };
    }
}

impl Peer for Rustgo {
    const NAME: &'static str = "rustgo-heap";

    unsafe fn malloc(size: usize) -> *mut u8 {
        // SAFETY: each thread has its own shard.
        unsafe { HEAP.malloc(size) }
    }

    unsafe fn free(at: *mut u8, _: usize) {
        // SAFETY: the caller promises that this allocator has allocated the object with this size.
        unsafe { HEAP.free(at) }
    }
}

pub struct Glibc;

impl Peer for Glibc {
    const NAME: &'static str = "glibc";

    unsafe fn malloc(size: usize) -> *mut u8 {
        // SAFETY: malloc of C accepts any size.
        unsafe { libc::malloc(size) }.cast()
    }

    unsafe fn free(at: *mut u8, _: usize) {
        // SAFETY: the caller promises that this allocator has allocated the object with this size.
        unsafe { libc::free(at.cast()) }
    }
}

pub struct Mimalloc;

impl Peer for Mimalloc {
    const NAME: &'static str = "mimalloc";

    unsafe fn malloc(size: usize) -> *mut u8 {
        // SAFETY: like malloc of C, mi_malloc accepts any size.
        unsafe { libmimalloc_sys::mi_malloc(size) }.cast()
    }

    unsafe fn free(at: *mut u8, _: usize) {
        // SAFETY: the caller promises that this allocator has allocated the object with this size.
        unsafe { libmimalloc_sys::mi_free(at.cast()) }
    }
}

pub struct Rlsf;

static RLSF: rlsf::GlobalTlsf = rlsf::GlobalTlsf::new();

impl Peer for Rlsf {
    const NAME: &'static str = "rlsf";

    unsafe fn malloc(size: usize) -> *mut u8 {
        // SAFETY: the size is not 0.
        unsafe { RLSF.alloc(layout(size)) }
    }

    unsafe fn free(at: *mut u8, size: usize) {
        // SAFETY: the caller promises that this allocator has allocated the object with this size.
        unsafe { RLSF.dealloc(at, layout(size)) }
    }
}

pub struct Dlmalloc;

impl Peer for Dlmalloc {
    const NAME: &'static str = "dlmalloc";

    unsafe fn malloc(size: usize) -> *mut u8 {
        // SAFETY: the size is not 0.
        unsafe { dlmalloc::GlobalDlmalloc.alloc(layout(size)) }
    }

    unsafe fn free(at: *mut u8, size: usize) {
        // SAFETY: the caller promises that this allocator has allocated the object with this size.
        unsafe { dlmalloc::GlobalDlmalloc.dealloc(at, layout(size)) }
    }
}

pub struct Talc;

type TalcHeap = talc::base::Talc<talc::source::Manual, talc::DefaultBinning>;

struct TalcState(TalcHeap);

// SAFETY: the lock of TALC is held during each use.
unsafe impl Send for TalcState {}

/// Talc has no lock of its own. std's lock suits runs with more threads than processors: a waiting thread lets the holder of the lock run.
static TALC: LazyLock<Mutex<TalcState>> = LazyLock::new(|| {
    let mut talc = TalcHeap::new(talc::source::Manual);
    let size = 16 << 30;
    // SAFETY: the memory is new.
    unsafe { talc.claim(reserve(size), size) }.expect("talc takes the memory");
    Mutex::new(TalcState(talc))
});

impl Peer for Talc {
    const NAME: &'static str = "talc";

    unsafe fn malloc(size: usize) -> *mut u8 {
        // SAFETY: the size is not 0.
        unsafe { TALC.lock().unwrap().0.allocate(layout(size)) }.map_or(std::ptr::null_mut(), |at| at.as_ptr())
    }

    unsafe fn free(at: *mut u8, size: usize) {
        // SAFETY: the caller promises that this allocator has allocated the object with this size.
        unsafe { TALC.lock().unwrap().0.deallocate(at, layout(size)) }
    }
}
