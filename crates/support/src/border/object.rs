//! Types with a name and methods in Go, and objects that live in Go's memory.

use super::check::Extent;
use core::mem::{MaybeUninit, align_of, size_of};
use rustgo_schema::describe::Decl;

/// A type that the Go package declares.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no methods in Go: the package does not declare it",
    label = "is no type of the Go package",
    note = "write `#[rustgo::object]` above its declaration, or `#[derive(rustgo::Value)]` if it is plain data"
)]
pub trait Declared {
    /// The type itself.
    type It: Declared;

    /// Its name in Go.
    const GO_NAME: &'static str;

    /// All that is known of it.
    const DECL: Decl;
}

/// A type of objects of which one call at a time uses each: it can be sent to another thread, since a goroutine runs on any.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` cannot be an object: it is not `Send`, and goroutines move between threads",
    label = "is not `Send`",
    note = "have it own what it uses: `Box` or `Arc` instead of `Rc`, no raw pointers"
)]
pub trait Movable {
    /// Stands for it.
    const ASSERTED: () = ();
}
#[diagnostic::do_not_recommend]
impl<T: Send + Declared> Movable for T {}

/// A type of objects whose `&self` methods goroutines can call at the same time.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` cannot be an object: goroutines move between threads, and call `&self` methods at the same time, and it is not both `Send` and `Sync`",
    label = "is not both `Send` and `Sync`",
    note = "use `Box` or `Arc` instead of `Rc`, a `Mutex` or atomics instead of a `Cell` or `RefCell`, and no raw pointers; if it is `Send`, `#[rustgo::object(exclusive)]` has one call at a time"
)]
pub trait Sharable {
    /// Stands for it.
    const ASSERTED: () = ();
}
#[diagnostic::do_not_recommend]
impl<T: Send + Sync + Declared> Sharable for T {}

/// An iterator that goroutines can fetch from.
#[diagnostic::on_unimplemented(
    message = "the iterator cannot cross the border to Go: it is not `Send`, and goroutines move between threads",
    label = "is not `Send`",
    note = "have it own what it uses: `Arc` instead of `Rc`, no raw pointers, and no reference to what is not `Sync`"
)]
pub trait Fetched {}
#[diagnostic::do_not_recommend]
impl<T: Send> Fetched for T {}

/// Plain data.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` cannot be a value in Go's memory: it is not `Copy`, and Go copies it as it likes",
    label = "is not `Copy`",
    note = "write `#[derive(Clone, Copy, rustgo::Value)]`, or make the type a `#[rustgo::object]`, which lives in the Rust heap"
)]
pub trait Plain {
    /// Stands for it.
    const ASSERTED: () = ();
}
#[diagnostic::do_not_recommend]
impl<T: Copy + Declared> Plain for T {}

/// A type of which a copy of its bytes is another value.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` cannot be an inline object: it is not `Copy`, and Go copies it as it likes",
    label = "is not `Copy`",
    note = "leave out `inline`: the value lives in the Rust heap; or write `unsafe(inline)` if it owns nothing and changes through `&mut self` only, so that a copy of its bytes is as good as a clone"
)]
pub trait Copied {
    /// Stands for it.
    const ASSERTED: () = ();
}

#[diagnostic::do_not_recommend]
impl<T: Copy + Declared> Copied for T {}

/// A type that is not `Copy`, and an inline object all the same.
///
/// # Safety
/// It must own nothing and change through `&mut self` only, so that a copy of its bytes is as good as a clone.
pub unsafe trait Vouched {}

/// The `Default` of a type, if it has one: an inherent constant where it does.
pub struct Zero<T>(core::marker::PhantomData<T>);

/// See [`Zero`].
pub trait NoZero {
    /// There is none.
    const DEFAULT: Option<fn() -> Self::It> = None;
    /// The type.
    type It;
}

impl<T> NoZero for Zero<T> {
    type It = T;
}

impl<T: Default> Zero<T> {
    /// The default.
    pub const DEFAULT: Option<fn() -> T> = Some(T::default);
}

/// Words of an inline object in Go's memory: one that says where the value lies, and the value, with room to align it.
#[must_use]
pub const fn words<T>() -> usize {
    let room = if align_of::<T>() > 8 { align_of::<T>() - 8 } else { 0 };
    1 + (size_of::<T>() + room).div_ceil(8)
}

/// What a call by value of an inline object gives Go.
#[must_use]
#[inline]
pub fn inline<T, const WORDS: usize>(value: T) -> [MaybeUninit<u64>; WORDS] {
    const { assert!(WORDS == words::<T>()) }
    let mut slot = [MaybeUninit::new(0); WORDS];
    slot[0] = MaybeUninit::new(1);
    // SAFETY: there is room; where the value is to be aligned to more than 8, it is put right when it is written to.
    unsafe { slot.as_mut_ptr().add(1).cast::<T>().write_unaligned(value) };
    slot
}

/// Where the value is to lie if the object is at this address: bytes behind the first word.
fn offset<T>(at: *mut u8) -> usize {
    (at.addr() + 8).next_multiple_of(align_of::<T>()) - (at.addr() + 8)
}

/// Where the value lies, aligned or not, if there is one.
///
/// # Safety
/// `at` must be a Go pointer to the words of an inline object.
#[inline]
unsafe fn place<T>(at: *mut u8) -> Option<*mut T> {
    // SAFETY: the caller's.
    unsafe {
        let marker = at.cast::<u64>().read();
        // There is room for no more than that, whatever the marker says.
        let offset = if align_of::<T>() > 8 { (marker.wrapping_sub(1) as usize).min(align_of::<T>() - 8) } else { 0 };
        if marker == 0 { None } else { Some(at.add(8 + offset).cast()) }
    }
}

/// Refuses an object without a value, of a type that has no default. One that is to be written to gets its default, and is moved to where it is aligned if Go has
/// copied it to where it is not. One that others may read meanwhile stays as it is.
///
/// # Safety
/// `at` must be a Go pointer to the words of an inline object, which nobody writes to, and nobody else reads if it is `exclusive`.
#[inline]
#[track_caller]
pub unsafe fn check_inline<T: Declared>(at: *mut u8, name: &'static str, exclusive: bool, default: Option<fn() -> T>) {
    // SAFETY: the caller's.
    unsafe {
        let Some(is) = place::<T>(at) else {
            let Some(default) = default else { not_made(T::GO_NAME, name) };
            if exclusive {
                let value = default();
                at.add(8 + offset::<T>(at)).cast::<T>().write(value);
                at.cast::<u64>().write(offset::<T>(at) as u64 + 1);
            }
            return;
        };
        if align_of::<T>() > 8 && exclusive && !is.is_aligned() {
            core::ptr::copy(is.cast::<u8>(), at.add(8 + offset::<T>(at)), size_of::<T>());
            at.cast::<u64>().write(offset::<T>(at) as u64 + 1);
        }
    }
}

/// Makes the default of an object without a value.
///
/// # Safety
/// As for [`check_inline`], which must have returned.
#[inline]
pub unsafe fn prepare_inline<T>(at: *mut u8, room: &mut MaybeUninit<T>, default: Option<fn() -> T>) {
    // SAFETY: the caller's; without a value there is a default (checked).
    unsafe {
        if place::<T>(at).is_none() {
            room.write(default.unwrap_unchecked()());
        }
    }
}

/// The value, to be read: where it lies, or a copy, or its default.
///
/// # Safety
/// As for [`check_inline`], which must have returned, and then [`prepare_inline`] with the same room.
#[inline]
pub unsafe fn shared_inline<T>(at: *mut u8, room: &mut MaybeUninit<T>) -> &T {
    // SAFETY: the caller's; without a value there is the default, and a copy of the bytes is as good as the value.
    unsafe {
        match place::<T>(at) {
            Some(is) if align_of::<T>() <= 8 || is.is_aligned() => &*is,
            Some(is) => room.write(is.read_unaligned()),
            None => room.assume_init_ref(),
        }
    }
}

/// The value, to be written to.
///
/// # Safety
/// As for [`check_inline`], which must have returned.
#[inline]
pub unsafe fn exclusive_inline<'call, T>(at: *mut u8) -> &'call mut T {
    let offset = if align_of::<T>() > 8 { offset::<T>(at) } else { 0 };
    // SAFETY: the caller's; there it was put (checked).
    unsafe { &mut *at.add(8 + offset).cast() }
}

/// A copy of the value.
///
/// # Safety
/// As for [`shared_inline`].
#[inline]
pub unsafe fn copy_inline<T>(at: *mut u8, room: &MaybeUninit<T>) -> T {
    // SAFETY: as for `shared_inline`.
    unsafe {
        match place::<T>(at) {
            Some(is) => is.read_unaligned(),
            None => room.assume_init_read(),
        }
    }
}

/// The memory of an inline object.
#[inline]
#[must_use]
pub fn extent_of_inline<T>(at: *mut u8) -> Extent {
    Extent { start: at.addr(), len: 8 * words::<T>() }
}

#[cold]
#[inline(never)]
#[track_caller]
pub fn not_made(go_name: &'static str, parameter: &'static str) -> ! {
    panic!("the {go_name} passed for parameter {parameter} was not made by a constructor")
}
