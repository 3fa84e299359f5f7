//! Objects whose value lives in the Rust heap. Go has a small struct that points to the value. The Go side (`go/rt/object.go`) ensures that no
//! call uses a value that another call uses exclusively or that was dropped.

use crate::border::check::Extent;
use crate::border::object::{self, Declared};
use alloc::boxed::Box;
use core::mem::size_of;
use rustgo_schema::describe::Type;
use rustgo_schema::object::EXCLUSIVE;

/// The target of a Go pointer to an object: `rt.Object`.
#[repr(C)]
struct GoObject {
    inner: *mut GoInner,
}

/// The target of a Go pointer to an object that is only read and not exclusive: `rt.Loan` or `rt.SharedUse`, which belong to the call.
#[repr(C)]
struct GoUse {
    object: GoObject,
    /// Not 0 from the start of a call's use until Go has seen the call return.
    begun: u32,
}

/// The part that all copies of a Go object share.
#[repr(C)]
struct GoInner {
    /// Null after the value was dropped or taken.
    value: *mut u8,
    /// Not 0 from the start of a call that may write to the value until Go has seen the call return. After a panic it stays not 0, because the
    /// value may be half-changed.
    entered: u32,
}

/// Gives a value to Go.
#[inline]
pub fn give<T>(value: T) -> *mut u8 {
    // A null pointer would mean that there is no value, and the address of a value of size zero is not unique.
    const { assert!(size_of::<T>() != 0, "an object without a size has no address of its own: give it a field") }
    Box::into_raw(Box::new(value)).cast()
}

/// The memory that stands for the object in overlap checks: a byte that belongs to this object alone.
///
/// # Safety
/// As for `Pointed::extent`.
#[inline]
pub unsafe fn extent(at: *mut u8) -> Extent {
    // SAFETY: as promised by the caller.
    Extent { start: unsafe { &*at.cast::<GoObject>() }.inner.addr(), len: 1 }
}

/// Refuses an object without a value.
///
/// # Safety
/// As for `Pointed::check`.
#[inline]
#[track_caller]
pub unsafe fn check<T: Declared>(at: *mut u8, name: &'static str) {
    // SAFETY: as promised by the caller.
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

/// The value of an object of the described type. An exclusive value may change even through `&`, as a `RefCell` does.
///
/// # Safety
/// As for `Pointed::shared`. If the type is exclusive, nothing else may use the object; otherwise the address must be the address of a `GoUse`.
#[inline]
pub unsafe fn resolve<T>(at: *mut u8, described: &'static Type) -> *mut T {
    // SAFETY: as promised by the caller.
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
/// The object and its value must exist (checked).
unsafe fn value<T>(at: *mut u8) -> *mut T {
    // SAFETY: as promised by the caller.
    unsafe { (*(*at.cast::<GoObject>()).inner).value.cast() }
}

/// The value for writing.
///
/// # Safety
/// As for `Pointed::exclusive`.
#[inline]
pub unsafe fn resolve_exclusive<T>(at: *mut u8) -> *mut T {
    // SAFETY: as promised by the caller; nothing else uses the object.
    unsafe {
        (*(*at.cast::<GoObject>()).inner).entered = 1;
        value(at)
    }
}

/// Takes the value out of the object, which is empty afterwards.
///
/// # Safety
/// As for `resolve`; nothing may use the value afterwards.
pub unsafe fn take_out<T>(at: *mut u8) -> T {
    // SAFETY: as promised by the caller; it comes from `give`.
    unsafe {
        let value = resolve_exclusive::<T>(at);
        (*(*at.cast::<GoObject>()).inner).value = core::ptr::null_mut();
        *Box::from_raw(value)
    }
}

/// Drops a value that Go no longer needs.
///
/// # Safety
/// The argument must be the address of a value from [`give`].
pub unsafe extern "C-unwind" fn drop<T>(args: *const u8, _: *mut u8) {
    // SAFETY: as promised by the caller.
    unsafe { core::mem::drop(Box::from_raw(args.cast::<*mut T>().read())) }
}

#[cold]
#[inline(never)]
#[track_caller]
pub fn closed(go_name: &'static str, parameter: &'static str) -> ! {
    panic!("the {go_name} passed for parameter {parameter} is closed")
}
