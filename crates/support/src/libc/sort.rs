//! `qsort` and `bsearch`.

use core::ffi::c_void;
use core::ptr::{copy_nonoverlapping, null_mut};

/// Compares two elements. The result is negative, zero or positive.
type Compare = unsafe extern "C" fn(*const c_void, *const c_void) -> i32;

/// Sorts `count` elements of `size` bytes. Equal elements keep their order, as in glibc. Without memory for a copy, the sort takes quadratic time.
///
/// # Safety
/// `from` must be writable for `count` elements, and `compare` must order them.
#[cfg_attr(rustgo, unsafe(no_mangle))]
pub unsafe extern "C" fn qsort(from: *mut u8, count: usize, size: usize, compare: Compare) {
    unsafe extern "C" {
        fn malloc(size: usize) -> *mut u8;
        fn free(address: *mut u8);
    }
    if count < 2 || size == 0 {
        return;
    }
    // SAFETY: every size is allowed. The elements lie in memory, so their total size fits into a `usize`.
    let room = unsafe { malloc(count * size) };
    // SAFETY: as promised by the caller; `room` is null or has room for `count` elements.
    unsafe {
        if room.is_null() {
            insert(from, count, size, compare);
        } else {
            merge(from, count, size, compare, room);
            free(room);
        }
    }
}

/// Sorts by merging ever longer sorted runs.
///
/// # Safety
/// The caller must meet the requirements of [`qsort`]. `room` must be writable for `count` elements.
unsafe fn merge(from: *mut u8, count: usize, size: usize, compare: Compare, room: *mut u8) {
    let element = |index: usize| from.wrapping_add(index * size);
    let mut run = 1;
    while run < count {
        let mut start = 0;
        while start + run < count {
            let (middle, end) = (start + run, (start + 2 * run).min(count));
            let (mut left, mut right) = (start, middle);
            for to in start..end {
                // SAFETY: as promised by the caller; both indices are below `count` where they are used.
                let takes_right = left == middle || right < end && unsafe { compare(element(left).cast(), element(right).cast()) } > 0;
                let taken = if takes_right { &mut right } else { &mut left };
                // SAFETY: as promised by the caller.
                unsafe { copy_nonoverlapping(element(*taken), room.wrapping_add(to * size), size) };
                *taken += 1;
            }
            // SAFETY: as promised by the caller.
            unsafe { copy_nonoverlapping(room.wrapping_add(start * size), element(start), (end - start) * size) };
            start = end;
        }
        run *= 2;
    }
}

/// Sorts by insertion, for lack of memory: moves each element to its place among the elements before it, by swaps of single bytes.
///
/// # Safety
/// The caller must meet the requirements of [`qsort`].
pub(super) unsafe fn insert(from: *mut u8, count: usize, size: usize, compare: Compare) {
    for unsorted in 1..count {
        let mut at = unsorted;
        while at > 0 {
            let (a, b) = (from.wrapping_add((at - 1) * size), from.wrapping_add(at * size));
            // SAFETY: as promised by the caller.
            if unsafe { compare(a.cast(), b.cast()) } <= 0 {
                break;
            }
            for byte in 0..size {
                // SAFETY: as promised by the caller.
                unsafe { core::ptr::swap(a.wrapping_add(byte), b.wrapping_add(byte)) };
            }
            at -= 1;
        }
    }
}

/// Searches `count` sorted elements of `size` bytes. Returns the address of an element that equals `key`, or null.
///
/// # Safety
/// `from` must be readable for `count` elements, which `compare` orders.
#[cfg_attr(rustgo, unsafe(no_mangle))]
pub unsafe extern "C" fn bsearch(key: *const c_void, from: *const u8, count: usize, size: usize, compare: Compare) -> *mut c_void {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low + (high - low) / 2;
        let element = from.wrapping_add(middle * size);
        // SAFETY: as promised by the caller.
        match unsafe { compare(key, element.cast()) } {
            0 => return element.cast_mut().cast(),
            ..0 => high = middle,
            1.. => low = middle + 1,
        }
    }
    null_mut()
}
