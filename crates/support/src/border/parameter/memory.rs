//! Slices and strings.

use super::{Parameter, check_elements};
use crate::border::check::{self, Access, Extent};
use crate::border::element::Element;
#[cfg(any(not(rustgo), rustgo_std, feature = "heap"))]
use crate::border::element::all_valid;
use core::mem::{MaybeUninit, size_of};
use core::ptr::NonNull;
use rustgo_schema::Basic;
use rustgo_schema::describe::Type;

/// The representation of a Go slice.
#[repr(C)]
pub struct Slice<T> {
    data: *mut T,
    len: usize,
    cap: usize,
}

// SAFETY: the struct consists of three numbers. A reference made from it has its own bounds for `Send` and `Sync`.
unsafe impl<T: Sync> Send for Slice<T> {}
// SAFETY: the struct consists of three numbers. A reference made from it has its own bounds for `Send` and `Sync`.
unsafe impl<T: Sync> Sync for Slice<T> {}

impl<T> Slice<T> {
    /// Converts a Rust slice to a Go slice. An empty slice gets a nil pointer, because an empty Rust slice may have any address.
    #[inline]
    pub(in crate::border) fn of(slice: &[T]) -> Self {
        let data = if slice.is_empty() { core::ptr::null_mut() } else { slice.as_ptr().cast_mut() };
        Self { data, len: slice.len(), cap: slice.len() }
    }

    /// Returns the elements of Go's slice for reading.
    ///
    /// # Safety
    /// The caller must meet the requirements of [`Parameter::take`].
    #[inline]
    pub(in crate::border) unsafe fn elements<'call>(&self) -> &'call [T] {
        // SAFETY: the slice is empty, or points to `len` initialised elements of one Go object.
        unsafe { core::slice::from_raw_parts(self.start(), self.len) }
    }

    /// Returns the elements of Go's slice for writing.
    ///
    /// # Safety
    /// The caller must meet the requirements of [`Parameter::take`].
    #[inline]
    pub(in crate::border) unsafe fn elements_mut<'call>(&self) -> &'call mut [T] {
        // SAFETY: the slice is empty, or points to `len` initialised elements of one Go object, and no other code uses the elements.
        unsafe { core::slice::from_raw_parts_mut(self.start(), self.len) }
    }

    #[inline]
    pub(in crate::border) fn extent(&self) -> Extent {
        // The product cannot overflow, because Go's allocator keeps every object below isize::MAX bytes.
        Extent { start: self.data.addr(), len: self.len.wrapping_mul(size_of::<T>()) }
    }

    /// Returns the address of the first element. The address is never null, even for an empty slice.
    #[inline]
    fn start(&self) -> *mut T {
        if self.data.is_null() { NonNull::dangling().as_ptr() } else { self.data }
    }

    /// True if all elements are valid.
    ///
    /// # Safety
    /// The caller must meet the requirements of [`Parameter::take`].
    #[cfg(any(not(rustgo), rustgo_std, feature = "heap"))]
    #[inline]
    pub(in crate::border) unsafe fn is_valid(&self) -> bool
    where
        T: Element,
    {
        // SAFETY: a Go slice holds `len` initialised values.
        T::INVALID.is_none() || unsafe { all_valid(self.data, self.len) }
    }

    /// Panics with the parameter's name if an element is not valid.
    ///
    /// # Safety
    /// The caller must meet the requirements of [`Parameter::take`].
    #[inline]
    #[track_caller]
    pub(in crate::border) unsafe fn check(&self, name: &'static str)
    where
        T: Element,
    {
        // SAFETY: a Go slice holds `len` initialised values.
        unsafe { check_elements(self.data, self.len, name) }
    }
}

// SAFETY: `Slice` has the three words of a Go slice. Address and length bound the memory that Rust uses.
unsafe impl<'call, T: Element + 'call> Parameter<'call> for &'call [T] {
    type It = &'call [T::It];
    type Raw = Slice<T>;
    type Room = ();
    const TYPE: Type = Type::Slice { mutable: false, elem: &T::TYPE };
    const ACCESS: Access = Access::Shared;
    const CHANGEABLE: bool = true;

    #[inline]
    unsafe fn extent(raw: &Self::Raw) -> Extent {
        raw.extent()
    }

    #[inline]
    #[track_caller]
    unsafe fn check(raw: &Self::Raw, name: &'static str) {
        // SAFETY: as promised by the caller.
        unsafe { raw.check(name) }
    }

    #[inline]
    unsafe fn take(raw: &Self::Raw, _: &mut MaybeUninit<()>) -> Self {
        // SAFETY: the slice is nil and empty (`start` handles this case), or points to `len` elements of one Go object. The elements are
        // initialised, aligned (Go's alignment of an element type equals Rust's), and valid (checked). The caller promises the lifetime
        // 'call.
        unsafe { core::slice::from_raw_parts(raw.start(), raw.len) }
    }
}

// SAFETY: `Slice` has the three words of a Go slice. Address and length bound the memory that Rust uses.
unsafe impl<'call, T: Element + 'call> Parameter<'call> for &'call mut [T] {
    type It = &'call mut [T::It];
    type Raw = Slice<T>;
    type Room = ();
    const TYPE: Type = Type::Slice { mutable: true, elem: &T::TYPE };
    const ACCESS: Access = Access::Exclusive;
    const CHANGEABLE: bool = true;

    #[inline]
    unsafe fn extent(raw: &Self::Raw) -> Extent {
        raw.extent()
    }

    #[inline]
    #[track_caller]
    unsafe fn check(raw: &Self::Raw, name: &'static str) {
        // SAFETY: as promised by the caller.
        unsafe { raw.check(name) }
    }

    #[inline]
    unsafe fn take(raw: &Self::Raw, _: &mut MaybeUninit<()>) -> Self {
        // SAFETY: the elements are initialised, aligned and valid (checked). No other parameter overlaps them (checked by `disjoint`).
        unsafe { core::slice::from_raw_parts_mut(raw.start(), raw.len) }
    }
}

/// True if all bytes are ASCII, as in most texts. This check takes half the time of a UTF-8 check. std's function checks blocks of 32 bytes and
/// then single bytes. This function instead lets the last block overlap the preceding block.
#[inline]
fn is_ascii(bytes: &[u8]) -> bool {
    match bytes.last_chunk::<32>() {
        Some(last) => bytes[..bytes.len() & !31].is_ascii() && last.is_ascii(),
        None => bytes.is_ascii(),
    }
}

/// The representation of a Go string.
#[repr(C)]
pub struct Str {
    data: *const u8,
    len: usize,
}

// SAFETY: the struct consists of two numbers; a reference made from it points to bytes that nothing writes to.
unsafe impl Send for Str {}
// SAFETY: the struct consists of two numbers; a reference made from it points to bytes that nothing writes to.
unsafe impl Sync for Str {}

impl Str {
    /// Converts a Rust text to a Go string. An empty string gets a nil pointer.
    #[inline]
    pub(in crate::border) fn of(bytes: &[u8]) -> Self {
        Self { data: if bytes.is_empty() { core::ptr::null() } else { bytes.as_ptr() }, len: bytes.len() }
    }

    pub(in crate::border) fn extent(&self) -> Extent {
        Extent { start: self.data.addr(), len: self.len }
    }

    /// Panics with the parameter's name if the string is not UTF-8.
    ///
    /// # Safety
    /// The caller must meet the requirements of [`Parameter::take`].
    #[inline]
    #[track_caller]
    pub(in crate::border) unsafe fn check(&self, name: &'static str) {
        // SAFETY: as promised by the caller.
        if let Some(index) = unsafe { self.first_wrong() } {
            check::not_utf8(name, index);
        }
    }

    /// Returns the index of the first byte that is not UTF-8; `None` if the string is UTF-8.
    ///
    /// # Safety
    /// The caller must meet the requirements of [`Parameter::take`].
    #[inline]
    pub(in crate::border) unsafe fn first_wrong(&self) -> Option<usize> {
        // SAFETY: as promised by the caller.
        let bytes = unsafe { self.bytes() };
        if is_ascii(bytes) { None } else { core::str::from_utf8(bytes).err().map(|error| error.valid_up_to()) }
    }

    /// Returns the string as a Rust text.
    ///
    /// # Safety
    /// The caller must meet the requirements of [`Parameter::take`], and `check` must have returned.
    #[inline]
    pub(in crate::border) unsafe fn text<'call>(&self) -> &'call str {
        // SAFETY: as promised by the caller.
        unsafe { core::str::from_utf8_unchecked(self.bytes()) }
    }

    /// Returns the bytes of the string.
    ///
    /// # Safety
    /// The caller must meet the requirements of [`Parameter::take`].
    #[inline]
    pub(in crate::border) unsafe fn bytes<'call>(&self) -> &'call [u8] {
        let start = if self.data.is_null() { NonNull::<u8>::dangling().as_ptr().cast_const() } else { self.data };
        // SAFETY: a Go string is empty, or points to `len` bytes that nothing writes to.
        unsafe { core::slice::from_raw_parts(start, self.len) }
    }
}

// SAFETY: `Str` has the two words of a Go string.
#[diagnostic::do_not_recommend]
unsafe impl<'call> Parameter<'call> for &'call str {
    type It = Self;
    type Raw = Str;
    type Room = ();
    const TYPE: Type = Type::Basic(Basic::String);
    const ACCESS: Access = Access::Shared;

    #[inline]
    unsafe fn extent(raw: &Self::Raw) -> Extent {
        raw.extent()
    }

    #[inline]
    #[track_caller]
    unsafe fn check(raw: &Self::Raw, name: &'static str) {
        // SAFETY: as promised by the caller.
        unsafe { raw.check(name) }
    }

    #[inline]
    unsafe fn take(raw: &Self::Raw, _: &mut MaybeUninit<()>) -> Self {
        // SAFETY: as promised by the caller; `check` has refused bytes that are not UTF-8.
        unsafe { raw.text() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests every kind of valid and invalid character at every position in texts of every length up to 100. A text of that length has several
    /// blocks.
    #[test]
    fn wrong_bytes_are_found_everywhere() {
        let plain = [b'a'; 100];
        for length in 0..=plain.len() {
            for insert in [&b""[..], b"\x7f", b"\x80", b"\xff", b"\xc3", "\u{80}".as_bytes(), "\u{10ffff}".as_bytes(), b"\xed\xa0\x80"] {
                for at in 0..(length + 1).saturating_sub(insert.len()) {
                    let mut text = plain;
                    text[at..at + insert.len()].copy_from_slice(insert);
                    let text = &text[..length];
                    // SAFETY: the text outlives the `Str`.
                    let found = unsafe { Str::of(text).first_wrong() };
                    assert_eq!(found, core::str::from_utf8(text).err().map(|error| error.valid_up_to()), "{text:x?}");
                }
            }
        }
    }
}
