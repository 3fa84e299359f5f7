//! Error types, which become Go's `error`.

use super::check::Extent;
use super::element::laid_out;
use super::results::{Fields, Results};
use core::error::Error;
use core::fmt::Display;
use core::marker::PhantomData;
use core::mem::{align_of, size_of};
use core::ops::Deref;
use rustgo_schema::Basic;
use rustgo_schema::describe::Type;

/// Implemented only by the standard library's `Result`. Through this trait the attribute names the types in `Ok` and `Err`, even if the author
/// uses an alias of `Result`.
#[diagnostic::on_unimplemented(
    message = "results of type `{Self}` cannot cross the boundary to Go: it is no `Result` of the standard library",
    label = "is no `Result<T, E>`",
    note = "give a type of your own another name, and derive what Go shall see of it"
)]
pub trait Fallible {
    /// The type in `Ok`.
    type Value;
    /// The type in `Err`.
    type Error;
}

#[diagnostic::do_not_recommend]
impl<T, E> Fallible for Result<T, E> {
    type Value = T;
    type Error = E;
}

/// An error that implements `Display`.
#[diagnostic::on_unimplemented(
    message = "errors of type `{Self}` cannot cross the boundary to Go: they have no text",
    label = "is not `Display`",
    note = "implement `std::fmt::Display` for it, by hand or by a derive macro: Go's `Error()` gives that text; with `#[derive(rustgo::Error)]` Go gets a type for it, too"
)]
pub trait Displayed {
    /// Generated code refers to this constant and so asserts that the type implements the trait.
    const ASSERTED: () = ();

    /// The error as a `Display`, which gives the error's text.
    fn displayed(&self) -> &dyn Display;
}

#[diagnostic::do_not_recommend]
impl<E: Display> Displayed for E {
    fn displayed(&self) -> &dyn Display {
        self
    }
}

/// Tells at compile time which traits an error type implements. If the type has a trait, an inherent constant hides the constant of [`Unknown`].
pub struct Probe<E>(PhantomData<E>);

/// The constants of [`Probe`] for types that lack the traits.
pub trait Unknown {
    /// True if the type derives `rustgo::Error`.
    const STRUCTURED: bool = false;
    /// True if the type implements `Display`.
    const DISPLAYED: bool = false;
    /// True if the type implements `std::error::Error`.
    const ERROR: bool = false;
    /// True if the type dereferences to `dyn Error`, as `Box<dyn Error>` does.
    const BOXED: bool = false;
    /// True if the type dereferences to `dyn Error + Send + Sync`, as a box of such an error does.
    const SHARED: bool = false;
    /// True if the type implements `Drop`.
    const DROPS: bool = false;
    /// True if the type is `Copy`.
    const COPIED: bool = false;
}

impl<E> Unknown for Probe<E> {}

impl<E: Structured> Probe<E> {
    /// True because the type derives `rustgo::Error`.
    pub const STRUCTURED: bool = true;
}

impl<E: Display> Probe<E> {
    /// True because the type implements `Display`.
    pub const DISPLAYED: bool = true;
}

impl<E: Error> Probe<E> {
    /// True because the type implements `std::error::Error`.
    pub const ERROR: bool = true;
}

impl<E: Deref<Target = dyn Error>> Probe<E> {
    /// True because the type dereferences to `dyn Error`, as `Box<dyn Error>` does.
    pub const BOXED: bool = true;
}

impl<E: Deref<Target = dyn Error + Send + Sync>> Probe<E> {
    /// True because the type dereferences to `dyn Error + Send + Sync`, as a box of such an error does.
    pub const SHARED: bool = true;
}

// The bound `Drop` selects types that implement `Drop` themselves, not types that only have fields to drop.
#[allow(drop_bounds)]
impl<E: Drop> Probe<E> {
    /// True because the type implements `Drop`.
    pub const DROPS: bool = true;
}

impl<E: Copy> Probe<E> {
    /// True because the type is `Copy`.
    pub const COPIED: bool = true;
}

/// Selects the conversion of an error, the parameter `KIND` of [`Failure`]. 0 to 3: Go gets texts. 4: Go has a type for the error. 5: the error
/// has no text.
#[must_use]
pub const fn kind(structured: bool, displayed: bool, error: bool, boxed: bool, shared: bool) -> u8 {
    match (structured, error, boxed, shared) {
        (true, ..) => 4,
        _ if !displayed => 5,
        (_, true, ..) => 3,
        (_, _, true, _) => 2,
        (.., true) => 1,
        _ => 0,
    }
}

/// An error type that derives `rustgo::Error`, so that Go has a type for it.
///
/// # Safety
/// `Raw` must meet the requirements of [`Output`](super::Output). A `Raw` of all zeros must mean that there is no error.
pub unsafe trait Structured: Sized {
    /// The error's representation in the result area.
    type Raw;
    /// The corresponding Go type.
    const TYPE: Type;
    /// Converts the error to its representation in the result area.
    fn into_raw(self) -> Self::Raw;
}

/// A type that can be an error. [`kind`] selects the conversion.
///
/// # Safety
/// `Raw` must meet the requirements of [`Output`](super::Output). A `Raw` of all zeros must mean that there is no error.
#[diagnostic::on_unimplemented(
    message = "errors of type `{Self}` cannot cross the boundary to Go",
    label = "cannot be an error",
    note = "without std the texts of errors need the feature `heap` of rustgo-support; an enum without fields that derives `rustgo::Error` does not"
)]
pub unsafe trait Failure<const KIND: u8>: Sized {
    /// An alias of `Self` for generated code. If a type lacks this trait, the alias is unknown, and the compiler reports only the missing trait.
    type It: Failure<KIND>;
    /// The error's representation in the result area.
    type Raw;
    /// The corresponding Go type.
    const TYPE: Type;
    /// Converts the error to its representation in the result area.
    fn into_raw(self) -> Self::Raw;
}

// SAFETY: [`Structured`] has the same requirements.
#[diagnostic::do_not_recommend]
unsafe impl<E: Structured> Failure<4> for E {
    type It = Self;
    type Raw = E::Raw;
    const TYPE: Type = E::TYPE;

    #[inline]
    fn into_raw(self) -> E::Raw {
        Structured::into_raw(self)
    }
}

// SAFETY: nothing is written. This implementation is for error types without a text. The compiler already reports such a type by [`Displayed`].
// Without this implementation, the compiler would report the type twice.
#[diagnostic::do_not_recommend]
unsafe impl<E> Failure<5> for E {
    type It = Self;
    type Raw = ();
    const TYPE: Type = Type::Array { len: 0, elem: &Type::Basic(Basic::Uint8) };

    fn into_raw(self) {}
}

/// The result of a fallible function, to be written to Go's result area.
pub struct Outcome<T, E, const KIND: u8>(pub Result<T, E>);

impl<T: Results<MODE>, E: Failure<KIND>, const KIND: u8, const MODE: u8> Layout<MODE> for Outcome<T, E, KIND> {
    const ERROR: usize = T::SIZE.next_multiple_of(align_of::<E::Raw>());
}

/// Computes the offset of the error in the result area.
trait Layout<const MODE: u8> {
    const ERROR: usize;
}

// SAFETY: the result area holds the results of `T`, followed by the error at the next aligned offset.
#[diagnostic::do_not_recommend]
unsafe impl<T: Results<MODE>, E: Failure<KIND>, const KIND: u8, const MODE: u8> Results<MODE> for Outcome<T, E, KIND> {
    type It = Self;
    const FIELDS: Fields = T::FIELDS.and(laid_out::<E::Raw>(E::TYPE), <Self as Layout<MODE>>::ERROR);
    const SIZE: usize = <Self as Layout<MODE>>::ERROR + size_of::<E::Raw>();

    #[inline]
    fn within(&self, known: &impl Fn(Extent) -> bool) -> bool {
        self.0.as_ref().map_or(true, |value| value.within(known))
    }

    #[inline]
    unsafe fn put(self, area: *mut u8) {
        // SAFETY: as promised by the caller. Zeros mean that there is no error.
        unsafe {
            let error = area.add(<Self as Layout<MODE>>::ERROR).cast::<E::Raw>();
            match self.0 {
                Ok(value) => {
                    value.put(area);
                    error.write_bytes(0, 1);
                }
                Err(failure) => {
                    T::put_nothing(area);
                    error.write(failure.into_raw());
                }
            }
        }
    }

    #[inline]
    unsafe fn put_nothing(area: *mut u8) {
        // SAFETY: as promised by the caller.
        unsafe {
            T::put_nothing(area);
            area.add(<Self as Layout<MODE>>::ERROR).cast::<E::Raw>().write_bytes(0, 1);
        }
    }
}
