//! Iterators. They live in the Rust heap, and Go fetches their items in batches.

use crate::border::output::Output;
use alloc::boxed::Box;
use core::mem::ManuallyDrop;

/// The state of an iterator, which Go reads after a panic.
#[repr(u8)]
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// No panic has unwound a call.
    Usable = 0,
    /// A panic has unwound a step. Go may drop the iterator.
    StepUnwound = 1,
    /// A panic has unwound the iterator's destructor. Only the memory is left.
    Dropped = 2,
    /// A step has begun and has not ended. If a panic abandons a step, the state stays `InStep`, and Go must not drop the iterator.
    InStep = 3,
}

/// An iterator in the heap. The additional byte also gives an iterator of size zero an address in the heap, because Go treats the
/// address of an empty allocation as an invalid pointer.
#[repr(C)]
struct Held<I> {
    state: State,
    iterator: ManuallyDrop<I>,
}

/// Moves an iterator to the heap and writes its address to the result area.
///
/// # Safety
/// `results` must point to a writable word.
#[inline]
pub unsafe fn begin<I: Iterator>(iterator: I, results: *mut u8) {
    // SAFETY: as promised by the caller.
    unsafe {
        // The memory is allocated first: if the allocation panics, the iterator is dropped. A `Held` would not drop the iterator.
        let held = Box::<Held<I>>::new_uninit();
        let held = Box::write(held, Held { state: State::Usable, iterator: ManuallyDrop::new(iterator) });
        results.cast::<*mut Held<I>>().write(Box::into_raw(held));
    }
}

/// The items that a step has converted for Go. If the step panics, Go gets none of them, so they are dropped.
struct Fetched<T: Output<MODE>, const MODE: u8> {
    items: *mut T::Raw,
    count: usize,
}

impl<T: Output<MODE>, const MODE: u8> Fetched<T, MODE> {
    /// # Safety
    /// There must be room for one more item.
    #[inline]
    unsafe fn push(&mut self, item: T) {
        // SAFETY: as promised by the caller.
        unsafe { self.items.add(self.count).write(item.into_raw()) }
        self.count += 1;
    }
}

impl<T: Output<MODE>, const MODE: u8> Drop for Fetched<T, MODE> {
    fn drop(&mut self) {
        for i in 0..self.count {
            // SAFETY: `push` has written these items, and nothing reads them later.
            unsafe { T::discard(self.items.add(i).read()) }
        }
    }
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

/// Fetches up to `want` items, and stores their number in the result area. A number below `want` means that the iterator has ended.
///
/// # Safety
/// `args` and `results` must be the areas of a Go call of the function that the export record describes. The iterator must come from [`begin`],
/// and `items` must have room for `want` items.
pub unsafe extern "C-unwind" fn next<I: Iterator<Item: Output<MODE>>, const MODE: u8>(args: *const u8, results: *mut u8) {
    // SAFETY: as promised by the caller.
    crate::__shim_body! {
        @unwound { (*(*args.cast::<Next<I, <I::Item as Output<MODE>>::Raw>>()).iterator).state = State::StepUnwound; }
        let args = &*args.cast::<Next<I, <I::Item as Output<MODE>>::Raw>>();
        (*args.iterator).state = State::InStep;
        let mut items = Fetched::<I::Item, MODE> { items: args.items, count: 0 };
        for item in (*args.iterator).iterator.by_ref().take(args.want) {
            items.push(item);
        }
        (*args.iterator).state = State::Usable;
        results.cast::<usize>().write(ManuallyDrop::new(items).count);
    }
}

/// Fetches up to `want` items that are pairs, as [`next()`] does.
///
/// # Safety
/// The caller must meet the requirements of [`next()`]. `keys` and `values` must each have room for `want` items.
pub unsafe extern "C-unwind" fn next_pair<I: Iterator<Item = (K, V)>, K: Output<MODE>, V: Output<MODE>, const MODE: u8>(
    args: *const u8,
    results: *mut u8,
) {
    // SAFETY: as promised by the caller.
    crate::__shim_body! {
        @unwound { (*(*args.cast::<NextPair<I, K::Raw, V::Raw>>()).iterator).state = State::StepUnwound; }
        let args = &*args.cast::<NextPair<I, K::Raw, V::Raw>>();
        (*args.iterator).state = State::InStep;
        let mut keys = Fetched::<K, MODE> { items: args.keys, count: 0 };
        let mut values = Fetched::<V, MODE> { items: args.values, count: 0 };
        for (key, value) in (*args.iterator).iterator.by_ref().take(args.want) {
            key.fits();
            value.fits();
            keys.push(key);
            values.push(value);
        }
        (*args.iterator).state = State::Usable;
        core::mem::forget(keys);
        results.cast::<usize>().write(ManuallyDrop::new(values).count);
    }
}

/// Drops an iterator. If a panic unwinds the iterator's destructor, a second call must free the memory of the iterator.
///
/// # Safety
/// The argument must be the address of an iterator made by [`begin`], and nothing may use it any more.
pub unsafe extern "C-unwind" fn end<I: Iterator>(args: *const u8, _: *mut u8) {
    // SAFETY: as promised by the caller.
    crate::__shim_body! {
        @unwound { (*args.cast::<*mut Held<I>>().read()).state = State::Dropped; }
        let held = args.cast::<*mut Held<I>>().read();
        if core::mem::replace(&mut (*held).state, State::Usable) != State::Dropped {
            ManuallyDrop::drop(&mut (*held).iterator);
        }
        drop(Box::from_raw(held));
    }
}
