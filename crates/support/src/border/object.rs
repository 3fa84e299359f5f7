//! Types with a name and methods in Go, and objects in Go's memory.

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
    /// An alias of `Self` for generated code. If a type lacks this trait, the alias is unknown, and the compiler reports only the missing trait.
    type It: Declared;

    /// The type's name in Go.
    const GO_NAME: &'static str;

    /// The type's description.
    const DECL: Decl;
}

/// A type whose objects are used by one call at a time. The type must be `Send`, because a goroutine may move between threads.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` cannot be an object: it is not `Send`, and goroutines move between threads",
    label = "is not `Send`",
    note = "have it own what it uses: `Box` or `Arc` instead of `Rc`, no raw pointers"
)]
pub trait Movable {
    /// Generated code refers to this constant and so asserts that the type implements the trait.
    const ASSERTED: () = ();
}
#[diagnostic::do_not_recommend]
impl<T: Send + Declared> Movable for T {}

/// A type of objects whose `&self` methods several goroutines may call at the same time.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` cannot be an object: goroutines move between threads, and call `&self` methods at the same time, and it is not both `Send` and `Sync`",
    label = "is not both `Send` and `Sync`",
    note = "use `Box` or `Arc` instead of `Rc`, a `Mutex` or atomics instead of a `Cell` or `RefCell`, and no raw pointers; if it is `Send`, `#[rustgo::object(exclusive)]` has one call at a time"
)]
pub trait Sharable {
    /// Generated code refers to this constant and so asserts that the type implements the trait.
    const ASSERTED: () = ();
}
#[diagnostic::do_not_recommend]
impl<T: Send + Sync + Declared> Sharable for T {}

/// An iterator whose items any thread may fetch.
#[diagnostic::on_unimplemented(
    message = "the iterator cannot cross the boundary to Go: it is not `Send`, and goroutines move between threads",
    label = "is not `Send`",
    note = "have it own what it uses: `Arc` instead of `Rc`, no raw pointers, and no reference to what is not `Sync`"
)]
pub trait Fetched {}
#[diagnostic::do_not_recommend]
impl<T: Send> Fetched for T {}

/// A type of plain data: the type is `Copy`, and the Go package declares it.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` cannot be a value in Go's memory: it is not `Copy`, and Go copies it as it likes",
    label = "is not `Copy`",
    note = "write `#[derive(Clone, Copy, rustgo::Value)]`, or make the type a `#[rustgo::object]`, which lives in the Rust heap"
)]
pub trait Plain {
    /// Generated code refers to this constant and so asserts that the type implements the trait.
    const ASSERTED: () = ();
}
#[diagnostic::do_not_recommend]
impl<T: Copy + Declared> Plain for T {}

/// A type whose values may be duplicated by copying their bytes.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` cannot be an inline object: it is not `Copy`, and Go copies it as it likes",
    label = "is not `Copy`",
    note = "leave out `inline`: the value lives in the Rust heap; or write `unsafe(inline)` if it owns nothing and changes through `&mut self` only, so that a copy of its bytes is as good as a clone"
)]
pub trait Copied {
    /// Generated code refers to this constant and so asserts that the type implements the trait.
    const ASSERTED: () = ();
}

#[diagnostic::do_not_recommend]
impl<T: Copy + Declared> Copied for T {}

/// A type that is not `Copy` but may be an inline object, because its author wrote `unsafe(inline)`.
///
/// # Safety
/// The type must own nothing and change only through `&mut self`, so that a copy of a value's bytes is as good as a clone.
pub unsafe trait Vouched {}

/// Finds a type's `Default` at compile time: if the type has a default, an inherent constant hides the constant of [`NoZero`].
pub struct Zero<T>(core::marker::PhantomData<T>);

/// The constant `DEFAULT` of [`Zero`] for types without a `Default`.
pub trait NoZero {
    /// `None`, because the type has no `Default`.
    const DEFAULT: Option<fn() -> Self::It> = None;
    /// The type `T` of `Zero<T>`.
    type It;
}

impl<T> NoZero for Zero<T> {
    type It = T;
}

impl<T: Default> Zero<T> {
    /// The function that makes the type's default value.
    pub const DEFAULT: Option<fn() -> T> = Some(T::default);
}

/// The number of words that an inline object takes in Go's memory. The first word is a marker: 0 if there is no value, otherwise 1 plus the
/// number of bytes between the marker and the value. The value, and the room to align it, follow the marker.
#[must_use]
pub const fn words<T>() -> usize {
    let room = if align_of::<T>() > 8 { align_of::<T>() - 8 } else { 0 };
    1 + (size_of::<T>() + room).div_ceil(8)
}

/// Makes the content of Go's struct for an inline object that Rust returns by value.
#[must_use]
#[inline]
pub fn inline<T, const WORDS: usize>(value: T) -> [MaybeUninit<u64>; WORDS] {
    const { assert!(WORDS == words::<T>()) }
    let mut slot = [MaybeUninit::new(0); WORDS];
    slot[0] = MaybeUninit::new(1);
    // SAFETY: the slot has room for the value. A value with an alignment above 8 is moved to an aligned address before the first write.
    unsafe { slot.as_mut_ptr().add(1).cast::<T>().write_unaligned(value) };
    slot
}

/// Returns the number of bytes between the marker word and the aligned value, for an object at the address `at`.
fn offset<T>(at: *mut u8) -> usize {
    (at.addr() + 8).next_multiple_of(align_of::<T>()) - (at.addr() + 8)
}

/// Returns the address of the object's value, aligned or not, or `None` if the object has no value.
///
/// # Safety
/// `at` must be a Go pointer to the words of an inline object.
#[inline]
unsafe fn place<T>(at: *mut u8) -> Option<*mut T> {
    // SAFETY: as promised by the caller.
    unsafe {
        let marker = at.cast::<u64>().read();
        // `min` keeps the value within the slot even if the marker is wrong.
        let offset = if align_of::<T>() > 8 { (marker.wrapping_sub(1) as usize).min(align_of::<T>() - 8) } else { 0 };
        if marker == 0 { None } else { Some(at.add(8 + offset).cast()) }
    }
}

/// Panics if the object has no value and the type has no default.
///
/// If `exclusive` is true, also prepares the object for writing: stores the default if there is no value, and moves a value that is not aligned
/// because Go has copied the struct to another address. If `exclusive` is false, the object does not change, because other goroutines may read it
/// at the same time.
///
/// # Safety
/// `at` must be a Go pointer to the words of an inline object. No other code may write to the object, nor read it if `exclusive` is true.
#[inline]
#[track_caller]
pub unsafe fn check_inline<T: Declared>(at: *mut u8, name: &'static str, exclusive: bool, default: Option<fn() -> T>) {
    // SAFETY: as promised by the caller.
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

/// Writes the type's default to `room` if the object has no value.
///
/// # Safety
/// [`check_inline`] must have returned, and its requirements must still hold.
#[inline]
pub unsafe fn prepare_inline<T>(at: *mut u8, room: &mut MaybeUninit<T>, default: Option<fn() -> T>) {
    // SAFETY: as promised by the caller; an object without a value has a default (checked).
    unsafe {
        if place::<T>(at).is_none() {
            room.write(default.unwrap_unchecked()());
        }
    }
}

/// Returns a reference for reading the object's value. The reference leads to Go's memory, or to a copy of the value or the type's default in `room`.
///
/// # Safety
/// [`check_inline`], and then [`prepare_inline`] with the same room, must have returned. The requirements of `check_inline` must still hold.
#[inline]
pub unsafe fn shared_inline<T>(at: *mut u8, room: &mut MaybeUninit<T>) -> &T {
    // SAFETY: as promised by the caller. For an object without a value, `room` holds the default. A copy of the value's bytes is as good as the
    // value itself, see [`Vouched`].
    unsafe {
        match place::<T>(at) {
            Some(is) if align_of::<T>() <= 8 || is.is_aligned() => &*is,
            Some(is) => room.write(is.read_unaligned()),
            None => room.assume_init_ref(),
        }
    }
}

/// Returns a reference for writing the object's value.
///
/// # Safety
/// [`check_inline`] must have returned, and its requirements must still hold.
#[inline]
pub unsafe fn exclusive_inline<'call, T>(at: *mut u8) -> &'call mut T {
    let offset = if align_of::<T>() > 8 { offset::<T>(at) } else { 0 };
    // SAFETY: as promised by the caller; `check_inline` has stored the value at this offset.
    unsafe { &mut *at.add(8 + offset).cast() }
}

/// Returns a copy of the object's value. If the object has no value, returns the type's default, which lies in `room`.
///
/// # Safety
/// The caller must meet the requirements of [`shared_inline`].
#[inline]
pub unsafe fn copy_inline<T>(at: *mut u8, room: &MaybeUninit<T>) -> T {
    // SAFETY: as promised by the caller. For an object without a value, `room` holds the default.
    unsafe {
        match place::<T>(at) {
            Some(is) => is.read_unaligned(),
            None => room.assume_init_read(),
        }
    }
}

/// Returns the memory that an inline object takes, for overlap checks.
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
