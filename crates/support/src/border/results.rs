//! The results of a function, in the form in which Go's result area holds them.

use super::check::Extent;
use super::element::holds_bool;
use super::element::laid_out;
use super::output::{Optional, Output};
use core::mem::{offset_of, size_of};
use rustgo_schema::Basic;
use rustgo_schema::describe::{Field, Type};

/// The largest number of results: eight parts of a tuple, the `bool` of an `Option`, and an error.
const MOST: usize = 10;

/// True if `$is` returns true for the type of one of the results. (The macro contains a loop, because constant evaluation cannot call closures.)
macro_rules! any {
    ($fields:ident, $is:ident) => {{
        let mut i = 0;
        while i < $fields.len && !$is(&$fields.fields[i].ty) {
            i += 1;
        }
        i < $fields.len
    }};
}

/// The results of a function, with their offsets in the result area.
#[derive(Clone, Copy)]
pub struct Fields {
    fields: [Field; MOST],
    len: usize,
}

impl Fields {
    /// The results of a function without results.
    pub const NONE: Self = Self { fields: [Field { name: "", ty: Type::Basic(Basic::Bool), offset: 0 }; MOST], len: 0 };

    /// Appends a result with this type and offset.
    #[must_use]
    pub const fn and(mut self, ty: Type, offset: usize) -> Self {
        self.fields[self.len] = Field { name: "", ty, offset: offset as u32 };
        self.len += 1;
        self
    }

    /// Returns the results with names. The attribute asserts by [`Count<N>`] that the number of names is right.
    #[must_use]
    pub const fn named<const N: usize>(mut self, names: [&'static str; N]) -> Self {
        let mut i = 0;
        while i < N && i < self.len {
            self.fields[i].name = names[i];
            i += 1;
        }
        self
    }

    /// True if a result contains a string or slice that Go gets without a copy, or a list of borrowed texts or lists.
    #[must_use]
    pub const fn refer(&self) -> bool {
        any!(self, refers)
    }

    /// True if a result is or contains a list or slice with elements of size zero. Such a list has no memory that Go could free or keep.
    #[must_use]
    pub const fn vanish(&self) -> bool {
        any!(self, vanishes)
    }

    /// True if a result contains a slice with a `bool` that Go gets without a copy. The slice could lie in an argument without `bool`s.
    #[must_use]
    pub const fn show_bool(&self) -> bool {
        any!(self, shows_bool)
    }

    /// True if a result contains a text or list whose memory Go copies and does not free.
    pub(super) const fn shared(&self) -> bool {
        any!(self, shared)
    }

    /// Returns the description of each result.
    #[must_use]
    pub const fn list(&'static self) -> &'static [Field] {
        self.fields.split_at(self.len).0
    }
}

/// True if the type contains a string or slice that Go gets without a copy. Borrowed texts and lists in a list count too: until Go has copied the
/// list, Go's garbage collector does not see their addresses.
const fn refers(ty: &Type) -> bool {
    match ty {
        Type::Basic(Basic::String) | Type::Slice { .. } => true,
        Type::List { elem, .. } => refers(elem) || shared(elem),
        _ => false,
    }
}

const fn vanishes(ty: &Type) -> bool {
    match ty {
        Type::List { elem, .. } | Type::Slice { elem, .. } => elem.layout().size == 0 || vanishes(elem),
        _ => false,
    }
}

/// True if the type contains a slice with a `bool` that Go gets without a copy. Such a slice lies in memory without `bool`s only if the author's
/// code has converted bytes to `bool`.
const fn shows_bool(ty: &Type) -> bool {
    match ty {
        Type::Slice { elem, .. } => holds_bool(elem),
        Type::List { elem, .. } => shows_bool(elem),
        _ => false,
    }
}

/// True if the type contains a text or list whose memory Go copies and does not free.
const fn shared(ty: &Type) -> bool {
    match ty {
        Type::Text { freed: false } | Type::List { freed: false, .. } => true,
        Type::List { elem, .. } => shared(elem),
        _ => false,
    }
}

/// A type that can be the result of an exported function. `MODE` is a combination of the bits in [`mode`](super::output::mode).
///
/// # Safety
/// `put` and `put_nothing` must write, at the offsets in `FIELDS`, values of the Go types that `FIELDS` describes, and nothing beyond
/// `SIZE` bytes.
#[diagnostic::on_unimplemented(
    message = "results of type `{Self}` cannot cross the boundary to Go",
    label = "cannot be a result",
    note = "derive what Go shall see: `#[derive(rustgo::Value)]` for plain data, `#[rustgo::object]` for a type with methods",
    note = "a result can be a number of up to 64 bits, `bool`, `char`, an array of them, a `Handle<T>`, `String`, `Vec<T>`, `&str`, `&[T]`, an `Option` or tuple of these, a `Result<T, E>` that is written as one, and `impl Iterator<Item = T>`"
)]
pub unsafe trait Results<const MODE: u8>: Sized {
    /// An alias of `Self` for generated code. If a type lacks this trait, the alias is unknown, and the compiler reports only the missing trait.
    type It: Results<MODE>;

    /// The results, with their offsets in the result area.
    const FIELDS: Fields;

    /// The offset of the end of the last result.
    const SIZE: usize;

    /// True if `known` returns true for the memory of every slice that Go gets without a copy.
    fn within(&self, known: &impl Fn(Extent) -> bool) -> bool;

    /// Checks that `known` returns true for the memory of every slice that Go gets without a copy, and returns the results unchanged.
    ///
    /// # Panics
    /// If `known` returns false for a slice.
    #[inline]
    #[track_caller]
    #[must_use]
    fn checked(self, known: impl Fn(Extent) -> bool) -> Self {
        if !self.within(&known) {
            super::check::result_outside_arguments();
        }
        self
    }

    /// Writes the results to the result area.
    ///
    /// # Safety
    /// `area` must be a multiple of 8 and point to `SIZE` writable bytes.
    ///
    /// # Panics
    /// If a Go type cannot represent a value.
    #[track_caller]
    unsafe fn put(self, area: *mut u8);

    /// Writes zeros to the result area for all results.
    ///
    /// # Safety
    /// The caller must meet the requirements of `put`.
    unsafe fn put_nothing(area: *mut u8);
}

/// A type that gives Go `N` results, not counting an error.
#[diagnostic::on_unimplemented(
    message = "`results` names {N}, but a result of type `{Self}` gives Go another number of results",
    label = "names {N}",
    note = "name one for each part of a tuple, one more for the `bool` of an `Option`, and one for the error of a `Result`"
)]
pub trait Count<const N: usize> {
    /// Generated code refers to this constant and so asserts the number of results.
    const NAMED: () = ();
}

/// A type `T` for which `Result<T, E>` gives Go `N` results: `VALUES` results of `T`, and an error.
#[diagnostic::on_unimplemented(
    message = "`results` names {N}, but a `Result` with a value of type `{Self}` gives Go another number of results",
    label = "names {N}",
    note = "name one for each part of a tuple, one more for the `bool` of an `Option`, and one for the error of a `Result`"
)]
pub trait CountAndError<const VALUES: usize, const N: usize> {
    /// Generated code refers to this constant and so asserts the number of results.
    const NAMED: () = ();
}

#[diagnostic::do_not_recommend]
impl<T: Count<VALUES>, const VALUES: usize, const N: usize> CountAndError<VALUES, N> for T {}

#[diagnostic::do_not_recommend]
impl<T: Output<0>> Count<1> for T {}

// SAFETY: the only result is at the start of the area. Zeros are a value of every raw type.
#[diagnostic::do_not_recommend]
unsafe impl<T: Output<MODE>, const MODE: u8> Results<MODE> for T {
    type It = T::It;
    const FIELDS: Fields = Fields::NONE.and(laid_out::<T::Raw>(T::TYPE), 0);
    const SIZE: usize = size_of::<T::Raw>();

    #[inline]
    fn within(&self, known: &impl Fn(Extent) -> bool) -> bool {
        Output::within(self, known)
    }

    #[inline]
    unsafe fn put(self, area: *mut u8) {
        // SAFETY: as promised by the caller; no raw type has an alignment above 8.
        unsafe { area.cast::<T::Raw>().write(self.into_raw()) }
    }

    #[inline]
    unsafe fn put_nothing(area: *mut u8) {
        // SAFETY: as promised by the caller.
        unsafe { area.cast::<T::Raw>().write_bytes(0, 1) }
    }
}

#[diagnostic::do_not_recommend]
impl<T: Optional> Count<2> for Option<T> {}

// SAFETY: the value is at the start of the area and is followed by a bool.
#[diagnostic::do_not_recommend]
unsafe impl<T: Output<MODE> + Optional, const MODE: u8> Results<MODE> for Option<T> {
    type It = Self;
    const FIELDS: Fields = Fields::NONE.and(laid_out::<T::Raw>(T::TYPE), 0).and(Type::Basic(Basic::Bool), size_of::<T::Raw>());
    const SIZE: usize = size_of::<T::Raw>() + size_of::<bool>();

    #[inline]
    fn within(&self, known: &impl Fn(Extent) -> bool) -> bool {
        self.as_ref().is_none_or(|value| Output::within(value, known))
    }

    #[inline]
    unsafe fn put(self, area: *mut u8) {
        // SAFETY: as promised by the caller; `FIELDS` has these two offsets.
        unsafe {
            area.add(size_of::<T::Raw>()).cast::<bool>().write(self.is_some());
            match self {
                Some(value) => value.put(area),
                None => T::put_nothing(area),
            }
        }
    }

    #[inline]
    unsafe fn put_nothing(area: *mut u8) {
        // SAFETY: as promised by the caller.
        unsafe { None::<T>.put(area) }
    }
}

// SAFETY: there are no results, and nothing is written.
#[diagnostic::do_not_recommend]
unsafe impl<const MODE: u8> Results<MODE> for () {
    type It = Self;
    const FIELDS: Fields = Fields::NONE;
    const SIZE: usize = 0;

    #[inline]
    fn within(&self, _: &impl Fn(Extent) -> bool) -> bool {
        true
    }

    #[inline]
    unsafe fn put(self, _: *mut u8) {}

    #[inline]
    unsafe fn put_nothing(_: *mut u8) {}
}

#[diagnostic::do_not_recommend]
impl Count<0> for () {}

macro_rules! tuple {
    ($area:ty: $($ty:ident $index:tt),* ; $last:ident $last_index:tt $present:tt) => {
        const _: () = {
            /// The layout of Go's result area: each result at its natural alignment, in order, and then the bool of an `Option`.
            #[repr(C)]
            struct Area<$($ty,)* $last>($($ty,)* $last, bool);

            #[diagnostic::do_not_recommend]
            impl<$($ty: Output<0>,)* $last: Output<0>> Count<$present> for ($($ty,)* $last,) {}

            #[diagnostic::do_not_recommend]
            impl<$($ty: Output<0>,)* $last: Output<0>> Count<{ $present + 1 }> for Option<($($ty,)* $last,)> {}

            // SAFETY: the fields are written at their offsets in the area.
            #[diagnostic::do_not_recommend]
            unsafe impl<$($ty: Output<MODE>,)* $last: Output<MODE>, const MODE: u8> Results<MODE> for ($($ty,)* $last,) {
                type It = Self;
                const FIELDS: Fields = Fields::NONE
                    $(.and(laid_out::<$ty::Raw>($ty::TYPE), offset_of!($area, $index)))*
                    .and(laid_out::<$last::Raw>($last::TYPE), offset_of!($area, $last_index));
                const SIZE: usize = offset_of!($area, $last_index) + size_of::<$last::Raw>();

                #[inline]
                fn within(&self, known: &impl Fn(Extent) -> bool) -> bool {
                    $(self.$index.within(known) &&)* self.$last_index.within(known)
                }

                #[inline]
                unsafe fn put(self, area: *mut u8) {
                    // The results are written one by one, because the padding between and after them does not belong to the
                    // results.
                    let area = area.cast::<$area>();
                    // All results are converted before one is written: if a later conversion panics, the earlier results are dropped.
                    let converted = ($(Output::<MODE>::convert(self.$index),)* Output::<MODE>::convert(self.$last_index),);
                    // SAFETY: as promised by the caller; no raw type has an alignment above 8.
                    unsafe {
                        $((&raw mut (*area).$index).write(converted.$index.raw());)*
                        (&raw mut (*area).$last_index).write(converted.$last_index.raw());
                    }
                }

                #[inline]
                unsafe fn put_nothing(area: *mut u8) {
                    let area = area.cast::<$area>();
                    // SAFETY: as promised by the caller; zeros are a value of every raw type.
                    unsafe {
                        $((&raw mut (*area).$index).write_bytes(0, 1);)*
                        (&raw mut (*area).$last_index).write_bytes(0, 1);
                    }
                }
            }

            // SAFETY: the fields and the bool are written at their offsets in the area.
            #[diagnostic::do_not_recommend]
            unsafe impl<$($ty: Output<MODE>,)* $last: Output<MODE>, const MODE: u8> Results<MODE> for Option<($($ty,)* $last,)> {
                type It = Self;
                const FIELDS: Fields =
                    <($($ty,)* $last,) as Results<MODE>>::FIELDS.and(Type::Basic(Basic::Bool), offset_of!($area, $present));
                const SIZE: usize = offset_of!($area, $present) + size_of::<bool>();

                #[inline]
                fn within(&self, known: &impl Fn(Extent) -> bool) -> bool {
                    self.as_ref().is_none_or(|value| Results::<MODE>::within(value, known))
                }

                #[inline]
                unsafe fn put(self, area: *mut u8) {
                    // SAFETY: as promised by the caller; the bool lies at the offset that `FIELDS` states.
                    unsafe {
                        (&raw mut (*area.cast::<$area>()).$present).write(self.is_some());
                        match self {
                            Some(value) => Results::<MODE>::put(value, area),
                            None => <($($ty,)* $last,) as Results<MODE>>::put_nothing(area),
                        }
                    }
                }

                #[inline]
                unsafe fn put_nothing(area: *mut u8) {
                    // SAFETY: as promised by the caller.
                    unsafe { Results::<MODE>::put(None::<($($ty,)* $last,)>, area) }
                }
            }
        };
    };
}

tuple!(Area<A::Raw>: ; A 0 1);
tuple!(Area<A::Raw, B::Raw>: A 0; B 1 2);
tuple!(Area<A::Raw, B::Raw, C::Raw>: A 0, B 1; C 2 3);
tuple!(Area<A::Raw, B::Raw, C::Raw, D::Raw>: A 0, B 1, C 2; D 3 4);
tuple!(Area<A::Raw, B::Raw, C::Raw, D::Raw, E::Raw>: A 0, B 1, C 2, D 3; E 4 5);
tuple!(Area<A::Raw, B::Raw, C::Raw, D::Raw, E::Raw, F::Raw>: A 0, B 1, C 2, D 3, E 4; F 5 6);
tuple!(Area<A::Raw, B::Raw, C::Raw, D::Raw, E::Raw, F::Raw, G::Raw>: A 0, B 1, C 2, D 3, E 4, F 5; G 6 7);
tuple!(Area<A::Raw, B::Raw, C::Raw, D::Raw, E::Raw, F::Raw, G::Raw, H::Raw>: A 0, B 1, C 2, D 3, E 4, F 5, G 6; H 7 8);
