//! What slices and arrays may hold.

use crate::handle::{GoType, Handle};
use core::marker::PhantomData;
use core::mem::{align_of, size_of};
use rustgo_schema::Basic;
use rustgo_schema::describe::Type;

/// A type that Go and Rust lay out alike, so that Rust can use Go's memory in place.
///
/// # Safety
/// Size, alignment and meaning of the type must be those of the Go type that `TYPE` describes, and every value that Go
/// can store there must be a value of the Rust type if `valid` says so.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` cannot lie in memory that Go and Rust share",
    label = "cannot lie in Go's memory",
    note = "derive what Go shall see of it: `#[derive(Clone, Copy, rustgo::Value)] #[repr(C)]`; Go's slices of strings are `rustgo::Strs`, those of slices `rustgo::Slices<T>`",
    note = "slices, arrays, structs and pointers of Go's can hold or lead to numbers of up to 64 bits, `bool`, `char`, handles, types that derive `rustgo::Value`, and arrays of them",
    note = "an object is passed by itself, as `&T` or `&mut T`, and not in a slice: give what holds several of them a method that takes one"
)]
pub unsafe trait Element: Sized {
    /// The type itself.
    type It: Element;

    /// The type in Go.
    const TYPE: Type;

    /// Can Go store something there that is not a value of the Rust type? Then what that is.
    const INVALID: Option<&'static str> = None;

    /// Is what lies there a value of the Rust type?
    ///
    /// # Safety
    /// `at` must be aligned and point to memory that Go has initialised.
    unsafe fn valid(at: *const Self) -> bool {
        let _ = at;
        true
    }
}

macro_rules! element {
    ($($rust:ty => $go:ident,)*) => {$(
        // SAFETY: the same size, alignment and representation in Go, on every 64-bit machine. For bool: Go stores 0 or 1.
        #[diagnostic::do_not_recommend]
        unsafe impl Element for $rust {
            type It = Self;
            const TYPE: Type = laid_out::<Self>(Type::Basic(Basic::$go));
        }
    )*};
}

element! {
    u8 => Uint8, u16 => Uint16, u32 => Uint32, u64 => Uint64, usize => Uint,
    i8 => Int8, i16 => Int16, i32 => Int32, i64 => Int64, isize => Int,
    f32 => Float32, f64 => Float64, bool => Bool,
}

// SAFETY: a rune is an int32, as wide as a char; `valid` refuses those that are no Unicode scalar values.
#[diagnostic::do_not_recommend]
unsafe impl Element for char {
    type It = Self;
    const TYPE: Type = laid_out::<Self>(Type::Basic(Basic::Rune));
    const INVALID: Option<&'static str> = Some("an invalid rune");

    unsafe fn valid(at: *const Self) -> bool {
        // SAFETY: the caller's; a u32 has no invalid values.
        char::from_u32(unsafe { at.cast::<u32>().read() }).is_some()
    }
}

// SAFETY: a handle is a uint64 in Go, and any but zero in Rust; `valid` refuses zero.
unsafe impl<T: GoType + ?Sized> Element for Handle<T> {
    type It = Handle<T::It>;
    const TYPE: Type = laid_out::<Self>(Type::Handle { of: T::NAME });
    const INVALID: Option<&'static str> = Some("a zero handle");

    unsafe fn valid(at: *const Self) -> bool {
        // SAFETY: the caller's; a u64 has no invalid values.
        unsafe { at.cast::<u64>().read() != 0 }
    }
}

// SAFETY: std's documentation of Option ("Representation"): it is as wide as a transparent struct of a NonZero number, and zero is None.
unsafe impl<T: GoType + ?Sized> Element for Option<Handle<T>> {
    type It = Option<Handle<T::It>>;
    const TYPE: Type = laid_out::<Self>(Type::Handle { of: T::NAME });
}

// SAFETY: arrays are their elements, one after another, in both languages.
unsafe impl<T: Element, const N: usize> Element for [T; N] {
    type It = [T::It; N];
    const TYPE: Type = laid_out::<Self>(Type::Array { len: N as u64, elem: &T::TYPE });
    const INVALID: Option<&'static str> = T::INVALID;

    unsafe fn valid(at: *const Self) -> bool {
        // SAFETY: the caller's, for each element.
        unsafe { all_valid(at.cast::<T>(), N) }
    }
}

/// What has no size, in Go: `[0]byte`.
const NOTHING: Type = Type::Array { len: 0, elem: &Type::Basic(Basic::Uint8) };

// SAFETY: no bytes in either language, aligned to 1; there is one value of it.
#[diagnostic::do_not_recommend]
unsafe impl Element for () {
    type It = Self;
    const TYPE: Type = laid_out::<Self>(NOTHING);
}

// SAFETY: as above.
#[diagnostic::do_not_recommend]
unsafe impl<T: ?Sized> Element for PhantomData<T> {
    type It = Self;
    const TYPE: Type = laid_out::<Self>(NOTHING);
}

/// Are all of them values of the Rust type? Costs nothing for the types of which that is always true.
///
/// # Safety
/// As for [`Element::valid`], for `len` elements from `at` on.
#[inline]
pub unsafe fn all_valid<T: Element>(at: *const T, len: usize) -> bool {
    // SAFETY: the caller's.
    T::INVALID.is_none() || (0..len).all(|i| unsafe { T::valid(at.add(i)) })
}

/// The Go type itself, after a check that its size and alignment in the table of types are those of the Rust type.
pub const fn laid_out<T>(ty: Type) -> Type {
    let layout = ty.layout();
    assert!(layout.size == size_of::<T>() as u64 && layout.align == align_of::<T>() as u64, "Go lays out the type otherwise");
    ty
}

/// The bytes of a value as Go's memory has them, with zeros where there is padding. `N` is its size.
#[must_use]
pub const fn bytes_of<T: Element, const N: usize>(value: &T) -> [u8; N] {
    const { assert!(N == size_of::<T>()) }
    let mut bytes = [0; N];
    // SAFETY: the type is that of the value.
    unsafe { copy(&T::TYPE, (&raw const *value).cast(), &mut bytes, 0) };
    bytes
}

/// # Safety
/// `at` bytes behind `from` must lie a value of this type.
const unsafe fn copy(ty: &Type, from: *const u8, into: &mut [u8], at: usize) {
    let mut i = 0;
    match ty {
        Type::Struct { fields, .. } => {
            while i < fields.len() {
                // SAFETY: the caller's; there the field lies.
                unsafe { copy(&fields[i].ty, from, into, at + fields[i].offset as usize) };
                i += 1;
            }
        }
        Type::Array { len, elem } => {
            let size = elem.layout().size as usize;
            while size != 0 && i < *len as usize {
                // SAFETY: the caller's; there the element lies.
                unsafe { copy(elem, from, into, at + i * size) };
                i += 1;
            }
        }
        _ => {
            while i < ty.layout().size as usize {
                // SAFETY: the caller's; a number has no padding.
                into[at + i] = unsafe { from.add(at + i).read() };
                i += 1;
            }
        }
    }
}

/// Is a struct laid out in Go as it is in Rust, where these are its fields?
#[must_use]
pub const fn fits_value(size: usize, align: usize, fields: &[rustgo_schema::describe::Member]) -> bool {
    let (mut end, mut most, mut i) = (0_u64, 1_u64, 0);
    while i < fields.len() {
        let layout = fields[i].ty.layout();
        // What has no size has no place in Go.
        if layout.size != 0 {
            if end.next_multiple_of(layout.align) != fields[i].offset {
                return false;
            }
            end = fields[i].offset + layout.size;
            most = if layout.align > most { layout.align } else { most };
        }
        i += 1;
    }
    end.next_multiple_of(most) == size as u64 && most == align as u64
}
