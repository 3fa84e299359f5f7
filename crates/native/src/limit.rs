//! How much memory a call may have.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The program's whole memory, in bytes. Random arguments ask for any amount, and a machine that runs tests has other things to do.
pub const LIMIT: usize = 512 << 20;

struct Limited;

static USED: AtomicUsize = AtomicUsize::new(0);
static REFUSED: AtomicBool = AtomicBool::new(false);

/// Was memory refused since this was last asked? Code that goes on without it gives a result that it would not give in Go, which has no such limit.
pub fn was_reached() -> bool {
    REFUSED.swap(false, Ordering::Relaxed)
}

#[global_allocator]
static ALLOCATOR: Limited = Limited;

// SAFETY: the system's allocator, or null, which means that there is no memory.
unsafe impl GlobalAlloc for Limited {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if USED.fetch_add(layout.size(), Ordering::Relaxed).saturating_add(layout.size()) > LIMIT {
            USED.fetch_sub(layout.size(), Ordering::Relaxed);
            REFUSED.store(true, Ordering::Relaxed);
            return std::ptr::null_mut();
        }
        // SAFETY: the caller's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        USED.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's.
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
