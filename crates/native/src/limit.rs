//! Limits the memory that the program can allocate.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The largest number of bytes that the whole program can allocate. A call with random arguments may ask for any number of bytes, and other
/// programs need memory too.
pub const LIMIT: usize = 512 << 20;

struct Limited;

static USED: AtomicUsize = AtomicUsize::new(0);
static REFUSED: AtomicBool = AtomicBool::new(false);

/// True if an allocation was refused since the last call of this function. After a refusal the result of a call may differ from the result in the Go
/// package, which has no such limit.
pub fn was_reached() -> bool {
    REFUSED.swap(false, Ordering::Relaxed)
}

#[global_allocator]
static ALLOCATOR: Limited = Limited;

// SAFETY: the allocator returns memory of the system allocator, or null if an allocation would exceed the limit.
unsafe impl GlobalAlloc for Limited {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if USED.fetch_add(layout.size(), Ordering::Relaxed).saturating_add(layout.size()) > LIMIT {
            USED.fetch_sub(layout.size(), Ordering::Relaxed);
            REFUSED.store(true, Ordering::Relaxed);
            return std::ptr::null_mut();
        }
        // SAFETY: the caller promises that the layout's size is not 0.
        let at = unsafe { System.alloc(layout) };
        if at.is_null() {
            USED.fetch_sub(layout.size(), Ordering::Relaxed);
        }
        at
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        USED.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller promises that `at` was allocated with this layout.
        unsafe { System.dealloc(at, layout) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_that_goes_on_without_memory_is_found() {
        assert!(std::hint::black_box(Vec::<u8>::new()).try_reserve(LIMIT / 2).is_ok() && !was_reached());
        assert!(std::hint::black_box(Vec::<u8>::new()).try_reserve(LIMIT + 1).is_err() && was_reached());
        assert!(!was_reached());
    }
}
