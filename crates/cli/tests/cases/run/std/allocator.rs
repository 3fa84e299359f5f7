//! std with an allocator of the crate's own. If that allocator has no memory, std prints and aborts, which needs an operating system. Here std
//! panics instead, so the tool accepts the crate.
use std::alloc::{GlobalAlloc, Layout};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Pages that are handed out in rotation and never freed.
pub struct Pages;

const PAGE: usize = 4096;
const COUNT: usize = 256;

#[repr(align(16))]
struct Heap([u8; PAGE * COUNT]);

static mut HEAP: Heap = Heap([0; PAGE * COUNT]);
static NEXT: AtomicUsize = AtomicUsize::new(0);

// SAFETY: a page is handed out again only after all others.
unsafe impl GlobalAlloc for Pages {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.size() > PAGE || layout.align() > 16 {
            return std::ptr::null_mut();
        }
        let page = NEXT.fetch_add(1, Ordering::Relaxed) % COUNT;
        unsafe { (&raw mut HEAP).cast::<u8>().add(page * PAGE) }
    }
    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}

// Only Rust code in Go uses this allocator. The native program allocates more than `run` does, so it keeps the system's allocator.
#[cfg_attr(rustgo, global_allocator)]
pub static PAGES: Pages = Pages;

#[rustgo::export]
pub fn run(x: u64) -> u64 {
    let mut values = Vec::new();
    for at in 0..x % 40 {
        values.push(x.rotate_left(at as u32).to_string());
    }
    values.iter().flat_map(|text| text.bytes()).fold(x, |sum, byte| sum.rotate_left(5) ^ u64::from(byte))
}
