//! Errors of which Go gets the texts.

use super::Owned;
use crate::border::failure::{Failure, Probe};
use alloc::string::ToString;
use alloc::vec::Vec;
use core::error::Error;
use core::fmt::Display;
use core::ops::Deref;
use rustgo_schema::describe::{Member, Type};

macro_rules! failure {
    ($($kind:literal [$($bound:tt)*] |$error:ident| $source:expr;)*) => {$(
        // SAFETY: texts that are to be freed, the first of which is there.
        #[diagnostic::do_not_recommend]
        unsafe impl<E: $($bound)*> Failure<$kind> for E {
            type It = Self;
            type Raw = Owned;
            const TYPE: Type = Type::Failure {};

            #[cold]
            #[inline(never)]
            fn into_raw(self) -> Owned {
                let $error = &self;
                texts($error, $source)
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

/// The text of the error and those of its sources, each as a length, a u32, and so many bytes.
fn texts(error: &dyn Display, mut source: Option<&(dyn Error + 'static)>) -> Owned {
    let mut texts = Vec::new();
    put(&mut texts, error);
    // A chain that leads into itself is cut.
    for _ in 0..64 {
        let Some(next) = source else { break };
        put(&mut texts, next);
        source = next.source();
    }
    Owned::of(texts)
}

fn put(texts: &mut Vec<u8>, text: &dyn Display) {
    let text = text.to_string();
    texts.extend_from_slice(&u32::try_from(text.len()).unwrap_or(u32::MAX).to_le_bytes());
    texts.extend_from_slice(&text.as_bytes()[..text.len().min(u32::MAX as usize)]);
}

/// Where the sources of an error of which Go does not get all fields lie, behind its text: as a failure, which is nothing if there are none.
pub const SOURCES: Member = Member { go_name: "source", doc: "", offset: 32, ty: Type::Failure {} };

impl<E: Error> Probe<E> {
    /// The texts of the error's sources.
    pub fn sources(error: &E) -> Owned {
        error.source().map_or(Owned::NOTHING, |source| texts(&source, source.source()))
    }
}

/// What [`Probe`] says of a type that is no `Error`.
pub trait Sourceless<E> {
    /// Nothing.
    fn sources(_: &E) -> Owned {
        Owned::NOTHING
    }
}

impl<E> Sourceless<E> for Probe<E> {}

/// Drops a field that Go does not get.
///
/// # Safety
/// Nobody may use what lies there afterwards.
pub unsafe fn drop_at<T>(field: *const T) {
    // SAFETY: the caller's.
    drop(unsafe { field.read() });
}

/// The text of an error, for those with fields.
pub fn text_of(error: &dyn Display) -> Owned {
    Owned::of(error.to_string().into_bytes())
}
