//! Errors that Go gets as texts.

use super::Owned;
use super::func::Identity;
use crate::border::failure::{Failure, Probe};
use alloc::string::ToString;
use alloc::vec::Vec;
use core::error::Error;
use core::fmt::Display;
use core::num::NonZeroU64;
use core::ops::Deref;
use rustgo_schema::describe::{Member, Type};

macro_rules! failure {
    ($($kind:literal [$($bound:tt)*] |$error:ident| $source:expr;)*) => {$(
        // SAFETY: the raw result is memory with texts that Go frees. The memory is never empty, because it holds the error's text, or the number of
        // the Go error with the same text.
        #[diagnostic::do_not_recommend]
        unsafe impl<E: $($bound)*> Failure<$kind> for E {
            type It = Self;
            type Raw = Owned;
            const TYPE: Type = Type::Failure {};

            #[cold]
            #[inline(never)]
            fn into_raw(self) -> Owned {
                let texts = {
                    let $error = &self;
                    texts(Some($error), $source)
                };
                // The error is dropped while the texts still have a destructor, because the error's destructor may panic.
                drop(self);
                texts.into_raw()
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
/// [`GO_ERROR`] in place of a length, and the error's number (u64). A Go error ends the list. All numbers are little-endian.
fn texts(error: Option<&dyn Display>, mut source: Option<&(dyn Error + 'static)>) -> Texts {
    let mut result = Texts { bytes: Vec::new(), returned: None };
    let texts = &mut result.bytes;
    let mut last = 0;
    if let Some(error) = error {
        put(texts, error);
    }
    // A chain of sources may contain a cycle, so at most 64 sources are read.
    for _ in 0..64 {
        let Some(next) = source else { break };
        if let Some(identity) = next.downcast_ref::<Identity>() {
            // If the wrapping error has the same text as the Go error, Go gets the Go error itself. (The texts are compared here, because the Go
            // error may return another text when Go asks again, or one that is not UTF-8.)
            let is_same = texts.get(last + 4..).is_some_and(|text| text == identity.text().as_bytes());
            result.returned = identity.give_back();
            match result.returned {
                Some(number) => {
                    if is_same {
                        texts.truncate(last);
                    }
                    texts.extend_from_slice(&GO_ERROR.to_le_bytes());
                    texts.extend_from_slice(&number.get().to_le_bytes());
                }
                None if is_same => {}
                None => put(texts, identity),
            }
            break;
        }
        last = texts.len();
        put(texts, next);
        source = next.source();
    }
    result
}

/// The encoded texts of an error and its sources.
#[derive(Default)]
pub struct Texts {
    bytes: Vec<u8>,
    /// The number of the Go error at the end of the list.
    returned: Option<NonZeroU64>,
}

impl Texts {
    /// Transfers the ownership of the texts to Go.
    #[must_use]
    pub fn into_raw(mut self) -> Owned {
        self.returned = None;
        Owned::of(core::mem::take(&mut self.bytes))
    }
}

impl Drop for Texts {
    fn drop(&mut self) {
        if let Some(number) = self.returned {
            Identity::take_back(number);
        }
    }
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
/// error's text. The member is null if there are no sources.
pub const SOURCES: Member = Member { go_name: "source", doc: "", offset: 32, ty: Type::Failure {} };

impl<E: Error> Probe<E> {
    /// Returns the texts of the error's sources. An error without a source needs no memory.
    pub fn sources(error: &E) -> Texts {
        error.source().map_or_else(Texts::default, |source| texts(None, Some(source)))
    }
}

/// The function `sources` for types that do not implement `Error` (see [`Probe`]).
pub trait Sourceless<E> {
    /// Returns no texts, because the type has no sources.
    fn sources(_: &E) -> Texts {
        Texts::default()
    }
}

impl<E> Sourceless<E> for Probe<E> {}

/// Returns the text of an error that derives `rustgo::Error`.
pub fn text_of(error: &dyn Display) -> Vec<u8> {
    error.to_string().into_bytes()
}
