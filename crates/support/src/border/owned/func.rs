//! Go functions and Go errors that Rust keeps.

use crate::border::answer::{Answer, One, Types, Values};
use crate::border::element::Element;
use crate::border::func::{Signature, callee, numbered};
use crate::border::kept::{RELEASED, RETURNED, release, take_over, word};
use crate::border::parameter::{Parameter, Slice, Str};
use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::error::Error;
use core::fmt::{Debug, Display, Formatter, Result as Formatted};
use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::num::NonZeroU64;
use core::ops::Deref;
use core::sync::atomic::Ordering;
use rustgo_schema::Basic;
use rustgo_schema::describe::Type;

/// A Go function that Rust may keep: in an object, in a closure without a lifetime, in a static.
///
/// `F` and the methods `call` and `as_fn` are the same as for [`Func`](crate::Func). Rust can call the function in every export that runs
/// as a task (`#[rustgo::export(task)]`, or an export with a parameter that makes it one), on every thread. The destructor of an object can call it
/// when the object is closed. Elsewhere a call returns an error if its result is a `Result`, and panics otherwise.
///
/// Go's collector keeps the function, and everything that the function refers to, until the `OwnedFunc` is dropped. If the function refers to a Go
/// object that owns the `OwnedFunc`, neither is ever freed, unless the object is closed.
pub struct OwnedFunc<F> {
    number: NonZeroU64,
    signature: PhantomData<F>,
}

// SAFETY: Go functions can be called on every thread. The signature is the type of a function.
unsafe impl<F> Send for OwnedFunc<F> {}
// SAFETY: as above. Several threads can call a Go function at one time.
unsafe impl<F> Sync for OwnedFunc<F> {}

impl<F> Drop for OwnedFunc<F> {
    fn drop(&mut self) {
        // SAFETY: the number comes from Go and is released here only.
        unsafe { release(self.number) }
    }
}

impl<F> Debug for OwnedFunc<F> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Formatted {
        f.write_str("OwnedFunc")
    }
}

impl<F: Signature> Deref for OwnedFunc<F> {
    type Target = F::Callee;

    #[inline]
    fn deref(&self) -> &F::Callee {
        callee::<F>(&self.number)
    }
}

numbered! {
    [F: Signature] OwnedFunc<F>,
    Type::Func { kept: true, params: F::PARAMS, results: F::Result::TYPES.list() },
    // SAFETY: Go has made the number for this call.
    |number| OwnedFunc { number: unsafe { take_over(number) }, signature: PhantomData }
}

// SAFETY: `Raw` is a Go string.
#[diagnostic::do_not_recommend]
unsafe impl One for String {
    type Raw = Str;
    const TYPE: Type = Type::Basic(Basic::String);

    #[inline]
    #[track_caller]
    unsafe fn take(raw: &MaybeUninit<Str>) -> Self {
        // SAFETY: Go has written a string, whose bytes exist while they are copied.
        unsafe {
            let raw = raw.assume_init_ref();
            if let Some(index) = raw.first_wrong() {
                not_utf8(index);
            }
            raw.text().to_owned()
        }
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn not_utf8(index: usize) -> ! {
    panic!("a Go function has returned a text that is not valid UTF-8 (byte {index})")
}

#[cold]
#[inline(never)]
#[track_caller]
fn invalid_slice(what: Option<&'static str>) -> ! {
    panic!("a Go function has returned a slice that holds {}", what.unwrap_or("an invalid value"))
}

// SAFETY: `Raw` is a Go slice.
#[diagnostic::do_not_recommend]
unsafe impl<T: Element> One for Vec<T> {
    type Raw = Slice<T>;
    const TYPE: Type = Type::Slice { mutable: false, elem: &T::TYPE };

    #[inline]
    #[track_caller]
    unsafe fn take(raw: &MaybeUninit<Slice<T>>) -> Self {
        // SAFETY: Go has written a slice, whose elements exist while they are copied.
        unsafe {
            let raw = raw.assume_init_ref();
            if !raw.is_valid() {
                invalid_slice(T::INVALID);
            }
            super::copy(raw.elements())
        }
    }
}

/// The kinds of Go errors for which `std::io::Error` has a kind. The package `rt` has the same numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
enum Kind {
    Other = 0,
    NotFound = 1,
    PermissionDenied = 2,
    AlreadyExists = 3,
    TimedOut = 4,
    UnexpectedEof = 5,
    WriteZero = 6,
    BrokenPipe = 7,
}

impl Kind {
    fn of(number: u64) -> Self {
        match number {
            1 => Self::NotFound,
            2 => Self::PermissionDenied,
            3 => Self::AlreadyExists,
            4 => Self::TimedOut,
            5 => Self::UnexpectedEof,
            6 => Self::WriteZero,
            7 => Self::BrokenPipe,
            _ => Self::Other,
        }
    }
}

/// An error that a Go function has returned to Rust.
///
/// If an export returns a `GoError`, Go gets the same error value again, so `==`, `errors.Is` and `errors.As` work as before. If an export returns an
/// error whose source is a `GoError`, `errors.Unwrap` returns the Go error. The same applies to a `GoError` that was converted to `std::io::Error`.
/// The kind of the `std::io::Error` distinguishes errors such as `fs.ErrNotExist` and `io.ErrUnexpectedEOF`.
///
/// `Display` writes the text of the Go error. Go's collector keeps the Go error until the `GoError` is dropped.
pub struct GoError(Box<Identity>);

/// The Go error itself, the source of a [`GoError`]. An error type that wraps a `GoError` may return this source as its own; Go then gets the error.
pub(super) struct Identity {
    /// `None` if the error does not come from Go: the Go function could not be called.
    number: Option<NonZeroU64>,
    #[cfg_attr(all(rustgo, not(rustgo_io)), allow(dead_code, reason = "only `std::io::Error` reads it"))]
    kind: Kind,
    text: Box<str>,
}

impl Identity {
    /// Returns the number of the Go error, to be passed to Go. Go keeps the error until it receives the number, even if `self` is dropped first.
    pub(super) fn give_back(&self) -> Option<NonZeroU64> {
        let number = self.number?;
        // SAFETY: the number comes from Go and is released only when this value is dropped.
        unsafe { word(number) }.fetch_add(RETURNED, Ordering::Relaxed);
        Some(number)
    }

    /// Revokes one [`give_back`](Self::give_back): Go does not receive the number. The `Identity` may already have been dropped.
    pub(super) fn take_back(number: NonZeroU64) {
        // SAFETY: the number was given back, and Go keeps the error and its word until it receives the number.
        unsafe { word(number) }.fetch_sub(RETURNED, Ordering::Release);
    }

    /// Returns the text of the Go error.
    pub(super) fn text(&self) -> &str {
        &self.text
    }
}

impl Drop for Identity {
    fn drop(&mut self) {
        if let Some(number) = self.number {
            // SAFETY: the number comes from Go and is released here only.
            unsafe { word(number) }.fetch_or(RELEASED, Ordering::Release);
        }
    }
}

impl Display for Identity {
    fn fmt(&self, f: &mut Formatter<'_>) -> Formatted {
        f.write_str(&self.text)
    }
}

impl Debug for Identity {
    fn fmt(&self, f: &mut Formatter<'_>) -> Formatted {
        write!(f, "Go error {:?}", self.text)
    }
}

impl Error for Identity {}

impl Display for GoError {
    fn fmt(&self, f: &mut Formatter<'_>) -> Formatted {
        Display::fmt(&self.0, f)
    }
}

impl Debug for GoError {
    fn fmt(&self, f: &mut Formatter<'_>) -> Formatted {
        f.debug_tuple("GoError").field(&self.0.text).finish()
    }
}

impl Error for GoError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&*self.0)
    }
}

#[cfg(any(rustgo_io, all(not(rustgo), any(unix, windows))))]
impl From<GoError> for std::io::Error {
    fn from(error: GoError) -> Self {
        use std::io::ErrorKind;
        let kind = match error.0.kind {
            Kind::Other => ErrorKind::Other,
            Kind::NotFound => ErrorKind::NotFound,
            Kind::PermissionDenied => ErrorKind::PermissionDenied,
            Kind::AlreadyExists => ErrorKind::AlreadyExists,
            Kind::TimedOut => ErrorKind::TimedOut,
            Kind::UnexpectedEof => ErrorKind::UnexpectedEof,
            Kind::WriteZero => ErrorKind::WriteZero,
            Kind::BrokenPipe => ErrorKind::BrokenPipe,
        };
        Self::new(kind, error)
    }
}

/// The memory to which Go writes an error: the number of the error, or 0 if there is no error; its kind; its text.
#[repr(C)]
pub struct RawError {
    number: u64,
    kind: u64,
    text: Str,
}

impl RawError {
    /// Makes a `GoError` from the memory, or returns `None` if the number is 0. Rust owns the Go error from then on.
    ///
    /// # Safety
    /// The caller must meet the requirements of [`Answer::take`].
    pub(super) unsafe fn take(&self) -> Option<GoError> {
        // The identity is made first: if there is no memory for the text or the box, its destructor releases the Go error.
        let mut identity = Identity { number: Some(NonZeroU64::new(self.number)?), kind: Kind::of(self.kind), text: Box::default() };
        // SAFETY: as promised by the caller.
        let text = unsafe { self.text.bytes() };
        identity.text = String::from_utf8_lossy(text).into_owned().into_boxed_str();
        Some(GoError(Box::new(identity)))
    }
}

/// Results and an error.
#[repr(C)]
pub struct Failing<V>(MaybeUninit<V>, RawError);

// SAFETY: the memory has the values, and then the error.
#[diagnostic::do_not_recommend]
unsafe impl<V: Values> Answer for Result<V, GoError> {
    type Raw = Failing<V::Raw>;
    const TYPES: Types = V::TYPES.and(Type::Failure {});

    #[inline]
    #[track_caller]
    unsafe fn take(raw: &MaybeUninit<Self::Raw>) -> Self {
        // SAFETY: Go has written an error or the values.
        unsafe {
            let raw = raw.assume_init_ref();
            match raw.1.take() {
                None => Ok(V::take(&raw.0)),
                Some(error) => Err(error),
            }
        }
    }

    fn refused(why: &'static str) -> Option<Self> {
        Some(Err(GoError(Box::new(Identity { number: None, kind: Kind::Other, text: why.into() }))))
    }
}
