//! Objects whose value lives in the Rust heap. Go has a small struct that points to the value. The Go code in `go/rt/object.go` ensures that no
//! call uses a value that another call uses exclusively, or a value that was dropped.

use crate::border::check::Extent;
use crate::border::object::{self, Declared};
use alloc::boxed::Box;
use core::mem::size_of;
use rustgo_schema::describe::Type;
use rustgo_schema::object::{EXCLUSIVE, UNWIND_SAFE};

/// The struct to which a Go pointer to an object points: Go's `rt.Object`.
#[repr(C)]
struct GoObject {
    inner: *mut GoInner,
}

/// The struct to which Go's pointer points if the object is only read and its type is not exclusive: Go's `rt.Loan` or `rt.SharedUse`. Each call
/// has such a struct of its own.
#[repr(C)]
struct GoUse {
    object: GoObject,
    /// Not 0 from the moment at which a call starts to use the object until Go has observed that the call has returned.
    begun: u32,
}

/// The struct that all copies of a Go object share: Go's `objectState`.
#[repr(C)]
struct GoInner {
    /// The address of the value; null after the value was dropped or taken.
    value: *mut u8,
    /// Not 0 from the moment at which a call may start to write to the value until Go has observed that the call has returned. After a panic the
    /// value may be half-changed. If the panic has unwound, this field is then [`UNWOUND`], or 0 if the type is `unwind_safe`. Otherwise it stays 1.
    entered: u32,
}

/// The value of [`GoInner::entered`] after a panic that has unwound a call which could change the value.
const UNWOUND: u32 = 2;

/// Moves a value to the heap, where Go owns it, and returns its address.
#[inline]
pub fn give<T>(value: T) -> *mut u8 {
    // Go treats a null pointer as a missing value, and the address of a value of size zero is not unique. So the value needs a size.
    const { assert!(size_of::<T>() != 0, "an object without a size has no address of its own: give it a field") }
    Box::into_raw(Box::new(value)).cast()
}

/// Takes a value back that Go does not own.
///
/// # Safety
/// The address must come from [`give`] with this type, and nothing may use it afterwards.
#[inline]
pub unsafe fn take_given<T>(at: *mut u8) -> T {
    // SAFETY: as promised by the caller.
    unsafe { *Box::from_raw(at.cast::<T>()) }
}

/// Returns the memory that represents the object in overlap checks: one byte that belongs to this object alone.
///
/// # Safety
/// The caller must meet the requirements of `Pointed::extent`.
#[inline]
pub unsafe fn extent(at: *mut u8) -> Extent {
    // SAFETY: as promised by the caller.
    Extent { start: unsafe { &*at.cast::<GoObject>() }.inner.addr(), len: 1 }
}

/// Panics if the object has no value.
///
/// # Safety
/// The caller must meet the requirements of `Pointed::check`.
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

/// Returns the address of an object's value, where `described` describes the object's type. The value of an exclusive type may change even through
/// `&`, as a `RefCell` does.
///
/// # Safety
/// The caller must meet the requirements of `Pointed::shared`. If the type is exclusive, nothing else may use the object; otherwise `at` must be
/// the address of a `GoUse`.
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

/// Returns the address of the object's value.
///
/// # Safety
/// The object and its value must exist, as `check` ensures.
unsafe fn value<T>(at: *mut u8) -> *mut T {
    // SAFETY: as promised by the caller.
    unsafe { (*(*at.cast::<GoObject>()).inner).value.cast() }
}

/// Returns the address of the object's value for writing.
///
/// # Safety
/// The caller must meet the requirements of `Pointed::exclusive`.
#[inline]
pub unsafe fn resolve_exclusive<T>(at: *mut u8) -> *mut T {
    // SAFETY: as promised by the caller; nothing else uses the object.
    unsafe {
        (*(*at.cast::<GoObject>()).inner).entered = 1;
        value(at)
    }
}

/// Ends the use of an object by a call that a panic has unwound. The destructors have released all locks in the value. If the call could change the
/// value, the value may be half-changed. So the object becomes broken, unless its type is `unwind_safe`, but its value can still be dropped.
///
/// # Safety
/// The caller must meet the requirements of `Pointed::unwound`. If `exclusive` is false and the type is not exclusive, `at` must be the address of a
/// `GoUse`.
#[inline]
pub unsafe fn unwound(at: *mut u8, exclusive: bool, described: &'static Type) {
    let flags = if let Type::Object { flags, .. } = described { *flags } else { 0 };
    // SAFETY: as promised by the caller; nothing else uses the object if the use is exclusive.
    unsafe {
        if exclusive || flags & EXCLUSIVE != 0 {
            let inner = (*at.cast::<GoObject>()).inner;
            if !inner.is_null() && (*inner).entered != 0 {
                (*inner).entered = if flags & UNWIND_SAFE != 0 { 0 } else { UNWOUND };
            }
        } else {
            (*at.cast::<GoUse>()).begun = 0;
        }
    }
}

/// Takes the value out of the object. Afterwards the object is empty.
///
/// # Safety
/// The caller must meet the requirements of [`resolve_exclusive`], and nothing may use the value afterwards.
pub unsafe fn take_out<T>(at: *mut u8) -> T {
    // SAFETY: as promised by the caller; the value comes from `give`.
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
    crate::__shim_body! { core::mem::drop(Box::from_raw(args.cast::<*mut T>().read())) }
}

#[cold]
#[inline(never)]
#[track_caller]
pub fn closed(go_name: &'static str, parameter: &'static str) -> ! {
    panic!("the {go_name} passed for parameter {parameter} is closed")
}
