//! Errors that Go gets as texts.

use super::Owned;
use super::func::Identity;
use crate::border::failure::{Failure, Probe};
use alloc::string::ToString;
use alloc::vec::Vec;
use core::error::Error;
use core::fmt::Display;
use core::ops::Deref;
use rustgo_schema::describe::{Member, Type};

macro_rules! failure {
    ($($kind:literal [$($bound:tt)*] |$error:ident| $source:expr;)*) => {$(
        // SAFETY: the raw result is memory with texts that Go frees. The memory is never empty, because the text of the error itself always
        // exists.
        #[diagnostic::do_not_recommend]
        unsafe impl<E: $($bound)*> Failure<$kind> for E {
            type It = Self;
            type Raw = Owned;
            const TYPE: Type = Type::Failure {};

            #[cold]
            #[inline(never)]
            fn into_raw(self) -> Owned {
                let $error = &self;
                Owned::of(texts(Some($error), $source))
            }
        }
    )*};
}

failure! {
    0 [Display] |error| None;
    1 [Display + Deref<Target = dyn Error + Send + Sync>] |error| error.source();
    2 [Display + Deref<Target = dyn Error>] |error| error.source();
    3 [Error] |error| error.source();
}

/// Encodes the texts of the error and its sources. Each text is its length (u32) and its bytes. A Go error that Rust gives back is encoded as
/// [`GO_ERROR`] in place of a length, and the error's number (u64). It ends the list.
fn texts(error: Option<&dyn Display>, mut source: Option<&(dyn Error + 'static)>) -> Vec<u8> {
    let mut texts = Vec::new();
    let mut last = 0;
    if let Some(error) = error {
        put(&mut texts, error);
    }
    // A chain of sources may contain a cycle, so at most 64 sources are read.
    for _ in 0..64 {
        let Some(next) = source else { break };
        if let Some(identity) = next.downcast_ref::<Identity>() {
            // If the wrapping error has the same text as the Go error, Go gets the Go error itself. (The texts are compared here, because the Go
            // error may return another text when Go asks again, or one that is not UTF-8.)
            let is_same = texts.get(last + 4..).is_some_and(|text| text == identity.text().as_bytes());
            match identity.give_back() {
                Some(number) => {
                    if is_same {
                        texts.truncate(last);
                    }
                    texts.extend_from_slice(&GO_ERROR.to_le_bytes());
                    texts.extend_from_slice(&number.get().to_le_bytes());
                }
                None if is_same => {}
                None => put(&mut texts, identity),
            }
            break;
        }
        last = texts.len();
        put(&mut texts, next);
        source = next.source();
    }
    texts
}

/// Stands in place of a text's length if the source is a Go error; the error's number follows. The package `rt` has the same constant.
const GO_ERROR: u32 = u32::MAX;

fn put(texts: &mut Vec<u8>, text: &dyn Display) {
    let text = text.to_string();
    let len = u32::try_from(text.len()).unwrap_or(u32::MAX).min(GO_ERROR - 1);
    texts.extend_from_slice(&len.to_le_bytes());
    texts.extend_from_slice(&text.as_bytes()[..len as usize]);
}

/// The struct member with the texts of the sources. An error type has this member if Go does not get all fields of the type. The member follows the
/// error's text. It is null if there are no sources.
pub const SOURCES: Member = Member { go_name: "source", doc: "", offset: 32, ty: Type::Failure {} };

impl<E: Error> Probe<E> {
    /// Returns the texts of the error's sources. An error without a source needs no memory.
    pub fn sources(error: &E) -> Vec<u8> {
        error.source().map_or(Vec::new(), |source| texts(None, Some(source)))
    }
}

/// The function `sources` for types that do not implement `Error` (see [`Probe`]).
pub trait Sourceless<E> {
    /// No texts, because the type has no sources.
    fn sources(_: &E) -> Vec<u8> {
        Vec::new()
    }
}

impl<E> Sourceless<E> for Probe<E> {}

/// Drops a field of an error. Go does not get this field.
///
/// # Safety
/// The field must be valid, and nothing may use it afterwards.
pub unsafe fn drop_at<T>(field: *const T) {
    // SAFETY: as promised by the caller.
    drop(unsafe { field.read() });
}

/// Returns the text of an error that derives `rustgo::Error`.
pub fn text_of(error: &dyn Display) -> Vec<u8> {
    error.to_string().into_bytes()
}
