//! The allocator of crates without std: the functions of the Rust heap, which std's own allocator calls too.

use core::alloc::{GlobalAlloc, Layout};

/// What malloc aligns to.
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

// SAFETY: that of the heap's functions, which follow C's rules.
unsafe impl GlobalAlloc for Heap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: any size and any power of two will do.
        unsafe { if layout.align() <= ALIGN { malloc(layout.size()) } else { aligned_alloc(layout.align(), layout.size()) } }
    }

    unsafe fn dealloc(&self, at: *mut u8, _: Layout) {
        // SAFETY: the caller has it from here.
        unsafe { free(at) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if layout.align() <= ALIGN {
            // SAFETY: any size will do.
            return unsafe { calloc(1, layout.size()) };
        }
        // SAFETY: the caller's.
        let at = unsafe { self.alloc(layout) };
        if !at.is_null() {
            // SAFETY: it has that size.
            unsafe { at.write_bytes(0, layout.size()) };
        }
        at
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if layout.align() <= ALIGN {
            // SAFETY: the caller has it from here.
            return unsafe { realloc(at, size) };
        }
        // SAFETY: the caller's: the size is not too large.
        let new = unsafe { self.alloc(Layout::from_size_align_unchecked(size, layout.align())) };
        if !new.is_null() {
            // SAFETY: both have as much, and the caller has the old one from here.
            unsafe {
                new.copy_from_nonoverlapping(at, layout.size().min(size));
                free(at);
            }
        }
        new
    }
}
