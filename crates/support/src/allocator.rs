//! The global allocator of crates without std. It calls the Rust heap's functions, as std's allocator does.

use core::alloc::{GlobalAlloc, Layout};

/// The alignment of memory from malloc.
const ALIGN: usize = 16;

unsafe extern "C" {
    fn malloc(size: usize) -> *mut u8;
    fn calloc(count: usize, size: usize) -> *mut u8;
    fn realloc(at: *mut u8, size: usize) -> *mut u8;
    fn aligned_alloc(align: usize, size: usize) -> *mut u8;
    fn free(at: *mut u8);
}

struct Heap;

#[global_allocator]
static HEAP: Heap = Heap;

// SAFETY: the heap's functions follow C's rules for malloc and free.
unsafe impl GlobalAlloc for Heap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the heap's functions accept every size and every power of two as alignment.
        unsafe { if layout.align() <= ALIGN { malloc(layout.size()) } else { aligned_alloc(layout.align(), layout.size()) } }
    }

    unsafe fn dealloc(&self, at: *mut u8, _: Layout) {
        // SAFETY: the caller passes memory that `alloc` or `realloc` returned.
        unsafe { free(at) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if layout.align() <= ALIGN {
            // SAFETY: `calloc` accepts every size.
            return unsafe { calloc(1, layout.size()) };
        }
        // SAFETY: as promised by the caller.
        let at = unsafe { self.alloc(layout) };
        if !at.is_null() {
            // SAFETY: `at` is the start of `layout.size()` bytes.
            unsafe { at.write_bytes(0, layout.size()) };
        }
        at
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if layout.align() <= ALIGN {
            // SAFETY: the caller passes memory that `alloc` or `realloc` returned.
            return unsafe { realloc(at, size) };
        }
        // SAFETY: the caller promises that `size`, rounded up to the alignment, does not overflow an `isize`.
        let new = unsafe { self.alloc(Layout::from_size_align_unchecked(size, layout.align())) };
        if !new.is_null() {
            // SAFETY: both blocks have at least as many bytes as are copied, and the caller gives up the old block.
            unsafe {
                new.copy_from_nonoverlapping(at, layout.size().min(size));
                free(at);
            }
        }
        new
    }
}
