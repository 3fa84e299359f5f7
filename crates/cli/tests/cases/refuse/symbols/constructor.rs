//! A constructor, as the crates ctor and inventory declare it.
use std::sync::atomic::{AtomicU64, Ordering};

static STATE: AtomicU64 = AtomicU64::new(1);

extern "C" fn begin() {
    STATE.store(42, Ordering::Relaxed);
}

#[used]
#[unsafe(link_section = ".init_array")]
static BEGIN: extern "C" fn() = begin;

#[rustgo::export]
pub fn state() -> u64 {
    STATE.load(Ordering::Relaxed)
}
