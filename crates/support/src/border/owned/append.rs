//! Appending to Go slices.

use crate::border::check::{Access, Extent};
use crate::border::element::Element;
use crate::border::parameter::Parameter;
use alloc::vec::Vec;
use core::fmt;
use core::mem::{ManuallyDrop, MaybeUninit, size_of};
use rustgo_schema::describe::Type;

/// A Go slice to which a function appends. Go passes `dst []T` and gets the longer slice as the first result, as from Go's own `append`.
///
/// Elements that fit are written to the slice's spare capacity. The other elements are collected in a `Vec`; after the function has returned, Go
/// appends them. The existing elements of dst are neither read nor written.
///
/// ```
/// use rustgo::Append;
///
/// /// AppendHex appends the digits of x to dst.
/// #[rustgo::export]
/// pub fn append_hex(dst: &mut Append<u8>, x: u64) {
///     use std::fmt::Write;
///     write!(dst, "{x:x}").unwrap();
/// }
/// # fn main() {}
/// ```
///
/// ```go
/// func AppendHex(dst []byte, x uint64) []byte
/// ```
#[repr(C)]
pub struct Append<T> {
    data: *mut T,
    len: usize,
    cap: usize,
    /// The pointer of the `Vec` with the elements that do not fit; null if there is no such `Vec`. The next fields are its length and
    /// capacity.
    spill: *mut T,
    spill_len: usize,
    spill_cap: usize,
}

impl<T: Element + Copy> Append<T> {
    /// Returns the number of elements: the existing elements of dst and the appended elements.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len + self.spill_len
    }

    /// True if dst has neither existing nor appended elements.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Appends an element.
    #[inline]
    pub fn push(&mut self, value: T) {
        if self.len < self.cap && self.spill.is_null() {
            // SAFETY: the index is within the capacity.
            unsafe { self.data.add(self.len).write(value) };
            self.len += 1;
        } else {
            self.spill(&[value]);
        }
    }

    /// Appends all elements of the slice.
    #[inline]
    pub fn extend_from_slice(&mut self, values: &[T]) {
        let fits = if self.spill.is_null() { values.len().min(self.cap - self.len) } else { 0 };
        if fits > 0 {
            // SAFETY: the elements fit into the spare capacity. No other parameter overlaps the spare capacity (checked), so `values`
            // lies elsewhere.
            unsafe { self.data.add(self.len).copy_from_nonoverlapping(values.as_ptr(), fits) };
            self.len += fits;
        }
        if fits < values.len() {
            self.spill(&values[fits..]);
        }
    }

    #[cold]
    fn spill(&mut self, values: &[T]) {
        let mut vec = ManuallyDrop::new(if self.spill.is_null() {
            Vec::new()
        } else {
            // SAFETY: the three fields are the parts of a `Vec` that was put into a `ManuallyDrop`, so it was not dropped.
            unsafe { Vec::from_raw_parts(self.spill, self.spill_len, self.spill_cap) }
        });
        // If there is no memory for more elements, `reserve` panics and leaves the `Vec` unchanged. So the three fields stay valid.
        vec.reserve(values.len());
        vec.extend_from_slice(values);
        (self.spill, self.spill_len, self.spill_cap) = (vec.as_mut_ptr(), vec.len(), vec.capacity());
    }
}

impl<T: Element + Copy> Extend<T> for Append<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, values: I) {
        values.into_iter().for_each(|value| self.push(value));
    }
}

impl fmt::Write for Append<u8> {
    #[inline]
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.extend_from_slice(text.as_bytes());
        Ok(())
    }
}

impl<T> fmt::Debug for Append<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Append").field("len", &(self.len + self.spill_len)).finish_non_exhaustive()
    }
}

// SAFETY: the pointer leads to a Go slice's header, followed by three zero words. Rust writes only to these six words and to the spare capacity. The
// six words belong to the Go wrapper, and no other code knows their address.
#[diagnostic::do_not_recommend]
unsafe impl<'call, T: Element + Copy + 'call> Parameter<'call> for &'call mut Append<T> {
    type It = Self;
    type Raw = *mut Append<T>;
    type Room = ();
    const TYPE: Type = {
        assert!(size_of::<T>() != 0, "elements of size zero cannot be appended: return the number of elements");
        Type::Append { elem: &<T as Element>::TYPE }
    };
    const ACCESS: Access = Access::Exclusive;
    const CHANGEABLE: bool = true;

    #[inline]
    unsafe fn extent(raw: &Self::Raw) -> Extent {
        // SAFETY: as promised by the caller.
        let append = unsafe { &**raw };
        Extent { start: append.data.wrapping_add(append.len).addr(), len: (append.cap - append.len) * size_of::<T>() }
    }

    #[inline]
    unsafe fn unwound(raw: &Self::Raw) {
        // SAFETY: as promised by the caller. The fields are the parts of a `Vec`, or the pointer is null.
        unsafe {
            let Append { spill, spill_len, spill_cap, .. } = &mut **raw;
            let spill = core::mem::replace(spill, core::ptr::null_mut());
            if !spill.is_null() {
                drop(Vec::from_raw_parts(spill, *spill_len, *spill_cap));
            }
        }
    }

    #[inline]
    unsafe fn take(raw: &Self::Raw, _: &mut MaybeUninit<()>) -> Self {
        // SAFETY: as promised by the caller.
        unsafe { &mut **raw }
    }
}
