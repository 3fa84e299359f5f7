//! Objects whose value lives in the Rust heap. Go has a small struct that leads to it, and sees to it that nobody uses a value that another call
//! has for itself or that is dropped (`go/rt/object.go`).

use crate::border::check::Extent;
use crate::border::object::{self, Declared};
use alloc::boxed::Box;
use core::mem::size_of;
use rustgo_schema::describe::Type;
use rustgo_schema::object::EXCLUSIVE;

/// What a Go pointer to an object leads to: the package `rt`'s `Object`.
#[repr(C)]
struct GoObject {
    inner: *mut GoInner,
}

/// What a Go pointer to an object leads to that is only read and not exclusive: `Loan` or `SharedUse`, which belong to the call.
#[repr(C)]
struct GoUse {
    object: GoObject,
    /// Not 0 from when a call has the value until Go sees that the call came back.
    begun: u32,
}

/// The part that all copies of a Go object share.
#[repr(C)]
struct GoInner {
    /// Null if there is no value any more.
    value: *mut u8,
    /// Not 0 from when a call has the value to write to it until Go sees that the call came back. A panic leaves it so, and then the value may be
    /// half-changed.
    entered: u32,
}

/// Gives a value to Go.
#[inline]
pub fn give<T>(value: T) -> *mut u8 {
    // A null pointer means that there is none, and the address of a value without a size is not its own.
    const { assert!(size_of::<T>() != 0, "an object without a size has no address of its own: give it a field") }
    Box::into_raw(Box::new(value)).cast()
}

/// The memory that stands for the object where parameters are compared: a byte that no two have in common.
///
/// # Safety
/// As for `Pointed::extent`.
#[inline]
pub unsafe fn extent(at: *mut u8) -> Extent {
    // SAFETY: the caller's.
    Extent { start: unsafe { &*at.cast::<GoObject>() }.inner.addr(), len: 1 }
}

/// Refuses an object without a value.
///
/// # Safety
/// As for `Pointed::check`.
#[inline]
#[track_caller]
pub unsafe fn check<T: Declared>(at: *mut u8, name: &'static str) {
    // SAFETY: the caller's.
    unsafe {
        let inner = (*at.cast::<GoObject>()).inner;
        if inner.is_null() {
            object::not_made(T::GO_NAME, name);
        }
        if (*inner).value.is_null() {
            closed(T::GO_NAME, name);
        }
    }
}

/// The value, of an object of the type that is described. What is exclusive may change even where it is only read, as a `RefCell` does.
///
/// # Safety
/// As for `Pointed::shared`; if the type is exclusive, nobody else uses the object, and else the address is that of a `GoUse`.
#[inline]
pub unsafe fn resolve<T>(at: *mut u8, described: &'static Type) -> *mut T {
    // SAFETY: the caller's.
    unsafe {
        match described {
            Type::Object { flags, .. } if flags & EXCLUSIVE != 0 => resolve_exclusive(at),
            _ => {
                (*at.cast::<GoUse>()).begun = 1;
                value(at)
            }
        }
    }
}

/// # Safety
/// Both must be there (checked).
unsafe fn value<T>(at: *mut u8) -> *mut T {
    // SAFETY: the caller's.
    unsafe { (*(*at.cast::<GoObject>()).inner).value.cast() }
}

/// The value, to be written to.
///
/// # Safety
/// As for `Pointed::exclusive`.
#[inline]
pub unsafe fn resolve_exclusive<T>(at: *mut u8) -> *mut T {
    // SAFETY: the caller's; nobody else uses the object.
    unsafe {
        (*(*at.cast::<GoObject>()).inner).entered = 1;
        value(at)
    }
}

/// Takes the value out. Go sees that there is none any more.
///
/// # Safety
/// As for `resolve`; nobody may use the value after that.
pub unsafe fn take_out<T>(at: *mut u8) -> T {
    // SAFETY: the caller's; it comes from `give`.
    unsafe {
        let value = resolve_exclusive::<T>(at);
        (*(*at.cast::<GoObject>()).inner).value = core::ptr::null_mut();
        *Box::from_raw(value)
    }
}

/// Drops a value that Go has no use for any more.
///
/// # Safety
/// The argument must be the address of a value from [`give`].
pub unsafe extern "C-unwind" fn drop<T>(args: *const u8, _: *mut u8) {
    // SAFETY: the caller's.
    unsafe { core::mem::drop(Box::from_raw(args.cast::<*mut T>().read())) }
}

#[cold]
#[inline(never)]
#[track_caller]
pub fn closed(go_name: &'static str, parameter: &'static str) -> ! {
    panic!("the {go_name} passed for parameter {parameter} is closed")
}
