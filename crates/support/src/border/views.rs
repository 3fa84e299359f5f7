//! Views of Go's memory: slices of strings and slices of slices, whose elements have another layout in Rust, and Go strings that need not be
//! UTF-8.

use super::check::{self, Access, Extent};
use super::element::Element;
use super::parameter::{Parameter, Slice, Str};
use core::fmt;
use core::mem::MaybeUninit;
use core::ops::{Deref, Index};
use rustgo_schema::Basic;
use rustgo_schema::describe::Type;

/// Go's `[]string`, borrowed during the call.
///
/// ```
/// use rustgo::Strs;
///
/// /// Longest returns the index of the longest word.
/// #[rustgo::export]
/// pub fn longest(words: Strs<'_>) -> Option<usize> {
///     (0..words.len()).max_by_key(|&i| words[i].len())
/// }
/// # fn main() {}
/// ```
#[derive(Clone, Copy)]
pub struct Strs<'a>(&'a [Str]);

impl<'a> Strs<'a> {
    /// Returns the number of strings.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.len()
    }

    /// True if the slice has no strings.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// Returns the string at this index; `None` if the index is out of range.
    #[must_use]
    pub fn get(self, index: usize) -> Option<&'a str> {
        // SAFETY: `check` has accepted all strings before the call.
        self.0.get(index).map(|text| unsafe { text.text() })
    }

    /// Iterates over the strings, in order.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = &'a str> + ExactSizeIterator + Clone {
        // SAFETY: `check` has accepted all strings before the call.
        self.0.iter().map(|text| unsafe { text.text() })
    }
}

impl Index<usize> for Strs<'_> {
    type Output = str;

    fn index(&self, index: usize) -> &str {
        // SAFETY: `check` has accepted all strings before the call.
        unsafe { self.0[index].text() }
    }
}

impl fmt::Debug for Strs<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

// SAFETY: `Raw` has the three words of a Go slice, whose elements (Go strings) have two words each.
#[diagnostic::do_not_recommend]
unsafe impl<'call> Parameter<'call> for Strs<'call> {
    type It = Self;
    type Raw = Slice<Str>;
    type Room = ();
    const TYPE: Type = Type::Slice { mutable: false, elem: &Type::Basic(Basic::String) };
    const ACCESS: Access = Access::Shared;
    const CHANGEABLE: bool = true;

    #[inline]
    unsafe fn extent(raw: &Self::Raw) -> Extent {
        raw.extent()
    }

    unsafe fn meets(raw: &Self::Raw, other: Extent) -> bool {
        // SAFETY: as promised by the caller.
        raw.extent().meets(other) || unsafe { raw.elements() }.iter().any(|text| text.extent().meets(other))
    }

    #[track_caller]
    unsafe fn check(raw: &Self::Raw, name: &'static str) {
        // SAFETY: as promised by the caller.
        for (index, text) in unsafe { raw.elements() }.iter().enumerate() {
            // SAFETY: as promised by the caller.
            if let Some(wrong) = unsafe { text.first_wrong() } {
                check::not_utf8_in(name, index, wrong);
            }
        }
    }

    #[inline]
    unsafe fn take(raw: &Self::Raw, _: &mut MaybeUninit<()>) -> Self {
        // SAFETY: as promised by the caller.
        Self(unsafe { raw.elements() })
    }
}

/// Go's `[][]T`, borrowed during the call.
///
/// ```
/// use rustgo::Slices;
///
/// /// Total returns the number of bytes in all parts.
/// #[rustgo::export]
/// pub fn total(parts: Slices<'_, u8>) -> usize {
///     parts.iter().map(<[u8]>::len).sum()
/// }
/// # fn main() {}
/// ```
pub struct Slices<'a, T>(&'a [Slice<T>]);

impl<T> Clone for Slices<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Slices<'_, T> {}

impl<'a, T: Element> Slices<'a, T> {
    /// Returns the number of slices.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.len()
    }

    /// True if the outer slice has no elements.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// Returns the slice at this index; `None` if the index is out of range.
    #[must_use]
    pub fn get(self, index: usize) -> Option<&'a [T]> {
        // SAFETY: `check` has accepted all slices before the call.
        self.0.get(index).map(|slice| unsafe { slice.elements() })
    }

    /// Iterates over the slices, in order.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = &'a [T]> + ExactSizeIterator + Clone {
        // SAFETY: `check` has accepted all slices before the call.
        self.0.iter().map(|slice| unsafe { slice.elements() })
    }
}

impl<T: Element> Index<usize> for Slices<'_, T> {
    type Output = [T];

    fn index(&self, index: usize) -> &[T] {
        // SAFETY: `check` has accepted all slices before the call.
        unsafe { self.0[index].elements() }
    }
}

impl<T: Element + fmt::Debug> fmt::Debug for Slices<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

// SAFETY: `Raw` has the three words of a Go slice, whose elements (Go slices) have three words each. Address and length bound the memory that Rust
// may read.
#[diagnostic::do_not_recommend]
unsafe impl<'call, T: Element + 'call> Parameter<'call> for Slices<'call, T> {
    type It = Slices<'call, T::It>;
    type Raw = Slice<Slice<T>>;
    type Room = ();
    const TYPE: Type = Type::Slice { mutable: false, elem: &Type::Slice { mutable: false, elem: &<T as Element>::TYPE } };
    const ACCESS: Access = Access::Shared;
    const CHANGEABLE: bool = true;

    #[inline]
    unsafe fn extent(raw: &Self::Raw) -> Extent {
        raw.extent()
    }

    unsafe fn meets(raw: &Self::Raw, other: Extent) -> bool {
        // SAFETY: as promised by the caller.
        raw.extent().meets(other) || unsafe { raw.elements() }.iter().any(|slice| slice.extent().meets(other))
    }

    #[track_caller]
    unsafe fn check(raw: &Self::Raw, name: &'static str) {
        if T::INVALID.is_some() {
            // SAFETY: as promised by the caller.
            for slice in unsafe { raw.elements() } {
                // SAFETY: as promised by the caller.
                unsafe { slice.check(name) }
            }
        }
    }

    #[inline]
    unsafe fn take(raw: &Self::Raw, _: &mut MaybeUninit<()>) -> Self {
        // SAFETY: as promised by the caller.
        Self(unsafe { raw.elements() })
    }
}

/// A Go `string` whose bytes are not checked and need not be UTF-8.
///
/// ```
/// use rustgo::GoStr;
///
/// /// Spaces counts the spaces in s.
/// #[rustgo::export]
/// pub fn spaces(s: GoStr<'_>) -> usize {
///     s.iter().filter(|&&byte| byte == b' ').count()
/// }
/// # fn main() {}
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GoStr<'a>(pub &'a [u8]);

impl Deref for GoStr<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.0
    }
}

// SAFETY: `Raw` has the two words of a Go string.
#[diagnostic::do_not_recommend]
unsafe impl<'call> Parameter<'call> for GoStr<'call> {
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
    unsafe fn take(raw: &Self::Raw, _: &mut MaybeUninit<()>) -> Self {
        // SAFETY: as promised by the caller.
        Self(unsafe { raw.bytes() })
    }
}

// SAFETY: `Raw` has the two words of a Go string, whose bytes may have any value. An empty string gets a nil pointer.
#[diagnostic::do_not_recommend]
unsafe impl<const MODE: u8> super::output::Output<MODE> for GoStr<'_> {
    type It = Self;
    type Raw = Str;
    const TYPE: Type = <&str as super::output::Output<MODE>>::TYPE;

    #[inline]
    fn into_raw(self) -> Str {
        Str::of(self.0)
    }
}

#[diagnostic::do_not_recommend]
impl super::output::Optional for GoStr<'_> {}
