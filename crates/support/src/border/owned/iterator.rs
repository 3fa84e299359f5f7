//! Iterators: they live in the Rust heap, and Go fetches what they give in batches.

use crate::border::output::Output;
use alloc::boxed::Box;

/// An iterator in the heap. The byte is for iterators without a size: memory of no bytes has an address that Go takes for a broken pointer.
#[repr(C)]
struct Held<I> {
    iterator: I,
    _place: u8,
}

/// Puts an iterator into the heap and writes its address to the result area.
///
/// # Safety
/// `results` must lead to a word that may be written.
#[inline]
pub unsafe fn begin<I: Iterator>(iterator: I, results: *mut u8) {
    // SAFETY: the caller's.
    unsafe { results.cast::<*mut Held<I>>().write(Box::into_raw(Box::new(Held { iterator, _place: 0 }))) }
}

/// The arguments of [`next()`].
#[repr(C)]
struct Next<I, T> {
    iterator: *mut Held<I>,
    want: usize,
    items: *mut T,
}

/// The arguments of [`next_pair`].
#[repr(C)]
struct NextPair<I, K, V> {
    iterator: *mut Held<I>,
    want: usize,
    keys: *mut K,
    values: *mut V,
}

/// Fetches what is wanted, or less if there is no more.
///
/// # Safety
/// The areas must be those of a call of the function that the record describes: of an iterator that [`begin`] made, with room for as many items.
pub unsafe extern "C-unwind" fn next<I: Iterator<Item: Output<MODE>>, const MODE: u8>(args: *const u8, results: *mut u8) {
    // SAFETY: the caller's.
    unsafe {
        let args = &*args.cast::<Next<I, <I::Item as Output<MODE>>::Raw>>();
        let mut count = 0;
        for item in (*args.iterator).iterator.by_ref().take(args.want) {
            args.items.add(count).write(item.into_raw());
            count += 1;
        }
        results.cast::<usize>().write(count);
    }
}

/// The same for pairs.
///
/// # Safety
/// As for [`next()`].
pub unsafe extern "C-unwind" fn next_pair<I: Iterator<Item = (K, V)>, K: Output<MODE>, V: Output<MODE>, const MODE: u8>(
    args: *const u8,
    results: *mut u8,
) {
    // SAFETY: the caller's.
    unsafe {
        let args = &*args.cast::<NextPair<I, K::Raw, V::Raw>>();
        let mut count = 0;
        for (key, value) in (*args.iterator).iterator.by_ref().take(args.want) {
            args.keys.add(count).write(key.into_raw());
            args.values.add(count).write(value.into_raw());
            count += 1;
        }
        results.cast::<usize>().write(count);
    }
}

/// Drops an iterator.
///
/// # Safety
/// The argument must be the address of one that [`begin`] made, which nobody uses any more.
pub unsafe extern "C-unwind" fn end<I: Iterator>(args: *const u8, _: *mut u8) {
    // SAFETY: the caller's.
    unsafe { drop(Box::from_raw(args.cast::<*mut Held<I>>().read())) }
}
