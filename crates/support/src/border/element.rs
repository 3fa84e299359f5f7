//! The types that slices and arrays may hold.

use crate::handle::{GoType, Handle};
use core::marker::PhantomData;
use core::mem::{align_of, size_of};
use rustgo_schema::Basic;
use rustgo_schema::describe::Type;

/// A type that Go and Rust lay out alike, so that Rust can use Go's memory in place.
///
/// # Safety
/// The type must have the size, alignment and meaning of the Go type that `TYPE` describes. Every value that Go can store there and for which
/// `valid` returns true must be a value of the Rust type.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` cannot lie in memory that Go and Rust share",
    label = "cannot lie in Go's memory",
    note = "derive what Go shall see of it: `#[derive(Clone, Copy, rustgo::Value)] #[repr(C)]`; Go's slices of strings are `rustgo::Strs`, those of slices `rustgo::Slices<T>`",
    note = "slices, arrays, structs and pointers of Go's can hold or lead to numbers of up to 64 bits, `bool`, `char`, handles, types that derive `rustgo::Value`, and arrays of them",
    note = "an object is passed by itself, as `&T` or `&mut T`, and not in a slice: give the type that holds several of them a method that takes one"
)]
pub unsafe trait Element: Sized {
    /// An alias of `Self` for generated code. If a type lacks this trait, the alias is unknown, and the compiler reports only the missing trait.
    type It: Element;

    /// The corresponding Go type.
    const TYPE: Type;

    /// For the panic message: describes the bytes that Go can store but that are not a value of the Rust type. `None` if there are no such
    /// bytes.
    const INVALID: Option<&'static str> = None;

    /// True if the bytes at this address are a value of the Rust type.
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
        // SAFETY: the type has the same size, alignment and representation in Go, on every 64-bit machine. For bool: Go stores 0 or 1.
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

// SAFETY: a rune is an int32, as wide as a char; `valid` refuses numbers that are not Unicode scalar values.
#[diagnostic::do_not_recommend]
unsafe impl Element for char {
    type It = Self;
    const TYPE: Type = laid_out::<Self>(Type::Basic(Basic::Rune));
    const INVALID: Option<&'static str> = Some("an invalid rune");

    unsafe fn valid(at: *const Self) -> bool {
        // SAFETY: as promised by the caller; a u32 has no invalid values.
        char::from_u32(unsafe { at.cast::<u32>().read() }).is_some()
    }
}

// SAFETY: a handle is a uint64 in Go and a NonZero number in Rust; `valid` refuses zero.
unsafe impl<T: GoType + ?Sized> Element for Handle<T> {
    type It = Handle<T::It>;
    const TYPE: Type = laid_out::<Self>(Type::Handle { of: T::NAME });
    const INVALID: Option<&'static str> = Some("a zero handle");

    unsafe fn valid(at: *const Self) -> bool {
        // SAFETY: as promised by the caller; a u64 has no invalid values.
        unsafe { at.cast::<u64>().read() != 0 }
    }
}

// SAFETY: as std's documentation of Option states ("Representation"), an Option of a transparent struct of a NonZero number has the number's size,
// and None is zero.
unsafe impl<T: GoType + ?Sized> Element for Option<Handle<T>> {
    type It = Option<Handle<T::It>>;
    const TYPE: Type = laid_out::<Self>(Type::Handle { of: T::NAME });
}

// SAFETY: in both languages an array consists of its elements, one after another.
unsafe impl<T: Element, const N: usize> Element for [T; N] {
    type It = [T::It; N];
    const TYPE: Type = laid_out::<Self>(Type::Array { len: N as u64, elem: &T::TYPE });
    const INVALID: Option<&'static str> = T::INVALID;

    unsafe fn valid(at: *const Self) -> bool {
        // SAFETY: as promised by the caller, for each element.
        unsafe { all_valid(at.cast::<T>(), N) }
    }
}

/// The Go type of values of size zero: `[0]byte`.
const NOTHING: Type = Type::Array { len: 0, elem: &Type::Basic(Basic::Uint8) };

// SAFETY: in both languages the type has no bytes, alignment 1, and a single value.
#[diagnostic::do_not_recommend]
unsafe impl Element for () {
    type It = Self;
    const TYPE: Type = laid_out::<Self>(NOTHING);
}

// SAFETY: in both languages the type has no bytes, alignment 1, and a single value.
#[diagnostic::do_not_recommend]
unsafe impl<T: ?Sized> Element for PhantomData<T> {
    type It = Self;
    const TYPE: Type = laid_out::<Self>(NOTHING);
}

/// True if all elements are values of the Rust type. For types without invalid values the check costs nothing.
///
/// # Safety
/// The caller must meet the requirements of [`Element::valid`] for `len` elements from `at` on.
#[inline]
pub unsafe fn all_valid<T: Element>(at: *const T, len: usize) -> bool {
    // SAFETY: as promised by the caller for each element.
    T::INVALID.is_none() || (0..len).all(|i| unsafe { T::valid(at.add(i)) })
}

/// True if the type may contain a `bool`.
pub const fn holds_bool(ty: &Type) -> bool {
    match ty {
        Type::Basic(basic) => matches!(basic, Basic::Bool),
        Type::Array { elem, .. } | Type::Slice { elem, .. } => holds_bool(elem),
        Type::Struct { fields, .. } => {
            let mut i = 0;
            while i < fields.len() {
                if holds_bool(&fields[i].ty) {
                    return true;
                }
                i += 1;
            }
            false
        }
        _ => false,
    }
}

/// Returns the Go type, after checking that it has the size and alignment of the Rust type.
pub const fn laid_out<T>(ty: Type) -> Type {
    let layout = ty.layout();
    assert!(layout.size == size_of::<T>() as u64 && layout.align == align_of::<T>() as u64, "Go lays out the type otherwise");
    ty
}

/// Returns the bytes of a value as they lie in Go's memory, with zeros in place of padding. `N` is the value's size.
#[must_use]
pub const fn bytes_of<T: Element, const N: usize>(value: &T) -> [u8; N] {
    const { assert!(N == size_of::<T>()) }
    let mut bytes = [0; N];
    // SAFETY: `T::TYPE` describes the value.
    unsafe { copy(&T::TYPE, (&raw const *value).cast(), &mut bytes, 0) };
    bytes
}

/// Copies a value of the type `ty`, without its padding, from `from + at` to `into[at..]`.
///
/// # Safety
/// A value of the described type must lie `at` bytes after `from`.
const unsafe fn copy(ty: &Type, from: *const u8, into: &mut [u8], at: usize) {
    let mut i = 0;
    match ty {
        Type::Struct { fields, .. } => {
            while i < fields.len() {
                // SAFETY: as promised by the caller; the field is at this offset.
                unsafe { copy(&fields[i].ty, from, into, at + fields[i].offset as usize) };
                i += 1;
            }
        }
        Type::Array { len, elem } => {
            let size = elem.layout().size as usize;
            while size != 0 && i < *len as usize {
                // SAFETY: as promised by the caller; the element is at this offset.
                unsafe { copy(elem, from, into, at + i * size) };
                i += 1;
            }
        }
        _ => {
            while i < ty.layout().size as usize {
                // SAFETY: as promised by the caller; a number has no padding.
                into[at + i] = unsafe { from.add(at + i).read() };
                i += 1;
            }
        }
    }
}

/// True if a Go struct with the fields `fields` has the same layout as the Rust struct, whose size and alignment are `size` and `align`.
#[must_use]
pub const fn fits_value(size: usize, align: usize, fields: &[rustgo_schema::describe::Member]) -> bool {
    let (mut end, mut most, mut i) = (0_u64, 1_u64, 0);
    while i < fields.len() {
        let layout = fields[i].ty.layout();
        // A field of size zero takes no bytes in Go.
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
