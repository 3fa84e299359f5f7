//! The functions of fixtures/bordercost, written by hand for cgo. Only numbers and pointers are passed, and memory that Rust has allocated is
//! freed by another call.

use std::ffi::{CString, c_char};
use std::ops::Range;

#[unsafe(no_mangle)]
pub extern "C" fn border_increment(x: u64) -> u64 {
    x.wrapping_add(1)
}

/// # Safety
///
/// `xs` points to `len` numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn border_slice(x: u64, xs: *const u64, len: usize) -> u64 {
    // SAFETY: the caller promises that `xs` points to `len` numbers.
    x.wrapping_add(unsafe { slice(xs, len) }.len() as u64)
}

/// Returns the `len` elements at `data` as a slice. `data` may be null if `len` is 0.
unsafe fn slice<'a, T>(data: *const T, len: usize) -> &'a [T] {
    if len == 0 {
        return &[];
    }
    // SAFETY: the caller promises that `data` points to `len` elements.
    unsafe { std::slice::from_raw_parts(data, len) }
}

/// # Safety
///
/// `text` points to `len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn border_bytes(x: u64, text: *const u8, len: usize) -> u64 {
    // SAFETY: the caller promises that `text` points to `len` bytes.
    x.wrapping_add(unsafe { slice(text, len) }.len() as u64)
}

/// # Safety
///
/// `text` points to `len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn border_text(x: u64, text: *const u8, len: usize) -> u64 {
    // SAFETY: the caller promises that `text` points to `len` bytes.
    let text = std::str::from_utf8(unsafe { slice(text, len) }).expect("not UTF-8");
    x.wrapping_add(text.len() as u64)
}

/// # Safety
///
/// `text` points to `len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn border_owned(x: u64, text: *const u8, len: usize) -> u64 {
    // SAFETY: the caller promises that `text` points to `len` bytes.
    let text = std::str::from_utf8(unsafe { slice(text, len) }).expect("not UTF-8").to_owned();
    x.wrapping_add(std::hint::black_box(text).len() as u64)
}

#[repr(C)]
pub struct Point {
    x: u64,
    y: u64,
    z: u64,
}

#[unsafe(no_mangle)]
pub extern "C" fn border_turn(point: Point) -> Point {
    Point { x: point.y, y: point.z, z: point.x.wrapping_add(1) }
}

#[unsafe(no_mangle)]
pub extern "C" fn border_move(point: &mut Point) {
    point.x = point.x.wrapping_add(1);
}

/// Stores half of an even number in `half` and returns 0; returns 1 for an odd number.
#[unsafe(no_mangle)]
pub extern "C" fn border_half(x: u64, half: &mut u64) -> i32 {
    *half = x / 2;
    i32::from(!x.is_multiple_of(2))
}

/// Stores half of an even number in `half` and returns null. For an odd number it returns a text, which [`border_free_text`] must free.
#[unsafe(no_mangle)]
pub extern "C" fn border_half_or_text(x: u64, half: &mut u64) -> *mut c_char {
    *half = x / 2;
    if x.is_multiple_of(2) { std::ptr::null_mut() } else { CString::from(c"an odd number").into_raw() }
}

/// # Safety
///
/// `text` is from [`border_half_or_text`] and not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn border_free_text(text: *mut c_char) {
    // SAFETY: the caller promises that `border_half_or_text` has made the text.
    drop(unsafe { CString::from_raw(text) });
}

/// Returns sixteen numbers, which [`border_free_list`] must free.
#[unsafe(no_mangle)]
pub extern "C" fn border_list(x: u64, len: &mut usize) -> *mut u64 {
    let list = vec![x.wrapping_add(1); 16].into_boxed_slice();
    *len = list.len();
    Box::into_raw(list).cast()
}

/// # Safety
///
/// The list is from [`border_list`] and not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn border_free_list(list: *mut u64, len: usize) {
    // SAFETY: the caller promises that `border_list` has made the list.
    drop(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(list, len)) });
}

/// Returns sixteen bytes, which [`border_free_bytes`] must free.
#[unsafe(no_mangle)]
pub extern "C" fn border_message(x: u64, len: &mut usize) -> *mut u8 {
    let text = String::from_utf8_lossy(&[b'a' + (x % 26) as u8; 16]).into_owned().into_boxed_str();
    *len = text.len();
    Box::into_raw(text).cast()
}

/// # Safety
///
/// The bytes are from [`border_message`] and not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn border_free_bytes(bytes: *mut u8, len: usize) {
    // SAFETY: the caller promises that `border_message` has made the bytes.
    drop(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(bytes, len)) });
}

/// Writes sixteen numbers to `dst` if there is room for them.
///
/// # Safety
///
/// There is room for `room` numbers at `dst`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn border_append_list(dst: *mut u64, room: usize, x: u64) -> usize {
    if room >= 16 {
        // SAFETY: the caller promises that there is room for the numbers.
        unsafe { dst.cast::<[u64; 16]>().write([x.wrapping_add(1); 16]) };
    }
    16
}

pub struct Counter(u64);

#[unsafe(no_mangle)]
pub extern "C" fn border_new_counter(value: u64) -> Box<Counter> {
    Box::new(Counter(value))
}

#[unsafe(no_mangle)]
pub extern "C" fn border_counter_plus(counter: &Counter, x: u64) -> u64 {
    x.wrapping_add(counter.0)
}

#[unsafe(no_mangle)]
pub extern "C" fn border_counter_add(counter: &mut Counter, x: u64) {
    counter.0 = counter.0.wrapping_add(x);
}

#[unsafe(no_mangle)]
pub extern "C" fn border_free_counter(counter: Box<Counter>) {
    drop(counter);
}

pub struct Count(Range<u64>);

#[unsafe(no_mangle)]
pub extern "C" fn border_count(n: u64) -> Box<Count> {
    Box::new(Count(0..n))
}

/// Stores the next number in `item`, or returns false.
#[unsafe(no_mangle)]
pub extern "C" fn border_count_next(count: &mut Count, item: &mut u64) -> bool {
    count.0.next().is_some_and(|next| {
        *item = next;
        true
    })
}

/// Stores the next numbers in `items`, at most 64, and returns how many numbers it has stored.
#[unsafe(no_mangle)]
pub extern "C" fn border_count_next64(count: &mut Count, items: &mut [u64; 64]) -> usize {
    let mut n = 0;
    for (item, next) in items.iter_mut().zip(&mut count.0) {
        *item = next;
        n += 1;
    }
    n
}

#[unsafe(no_mangle)]
pub extern "C" fn border_free_count(count: Box<Count>) {
    drop(count);
}
