//! Handles: numbers that stand for Go values.

use core::fmt;
use core::hash::{Hash, Hasher};
use core::marker::PhantomData;
use core::num::NonZeroU64;

/// A Rust name for a Go type: the `T` of a [`Handle<T>`]. The attribute [`go_type`](macro@crate::go_type) makes such a name.
#[diagnostic::on_unimplemented(
    message = "`{Self}` names no Go type that a handle could stand for",
    label = "names no Go type",
    note = "name one in Rust: `#[rustgo::go_type(\"net.Conn\")] pub enum Conn {{}}`, and take a `Handle<Conn>`"
)]
pub trait GoType {
    /// An alias of `Self` for generated code. If a type lacks this trait, the alias is unknown, and the compiler reports only the missing trait.
    #[doc(hidden)]
    type It: GoType + ?Sized;

    /// The Go type's name, as [`rustgo_schema::GoType`] reads it; empty for [`Any`].
    #[doc(hidden)]
    const NAME: &'static str;
}

/// Any Go value: a `Handle<Any>` is Go's `handle.Handle`, which does not state the type of its value.
#[derive(Debug)]
pub enum Any {}

#[diagnostic::do_not_recommend]
impl GoType for Any {
    type It = Self;
    const NAME: &'static str = "";
}

/// A number that stands for a Go value: Go's `handle.Of[T]` of the package `rustgo.dev/go/handle`, or its `handle.Handle`.
///
/// Rust can store a handle wherever it can store a number (in a static too), compare handles, and return them to Go. Rust cannot access the Go
/// value or keep it alive: the value lives until Go deletes the handle. Rust cannot tell whether a handle is still valid. Go can, and never
/// returns another value for a deleted handle.
///
/// A handle is never zero, so an `Option<Handle<T>>` has the same size; `None` is Go's zero handle, which refers to no value. In the Go
/// declaration the handle's type states the Go type that `T` names, so Go's compiler accepts only handles of that type.
///
/// ```
/// use rustgo::Handle;
///
/// /// A network connection of Go.
/// #[rustgo::go_type("net.Conn")]
/// pub enum Conn {}
///
/// /// Next returns the connection after last, or the first one.
/// #[rustgo::export]
/// pub fn next(all: &[Option<Handle<Conn>>], last: Option<Handle<Conn>>) -> Option<Handle<Conn>> {
///     let after = all.iter().position(|conn| last.is_some() && *conn == last).map_or(0, |at| at + 1);
///     *all.get(after).or(all.first())?
/// }
/// # fn main() {}
/// ```
///
/// ```go
/// func Next(all []handle.Of[net.Conn], last handle.Of[net.Conn]) handle.Of[net.Conn]
/// ```
#[repr(transparent)]
pub struct Handle<T: ?Sized = Any> {
    number: NonZeroU64,
    // A handle neither owns nor borrows a T, so any thread may use it.
    of: PhantomData<fn(&T)>,
}

impl<T: GoType + ?Sized> Handle<T> {
    /// Makes a handle from its number. Returns `None` for zero.
    #[must_use]
    pub const fn from_bits(number: u64) -> Option<Self> {
        match NonZeroU64::new(number) {
            Some(number) => Some(Self { number, of: PhantomData }),
            None => None,
        }
    }

    /// Returns the handle's number, which is not zero.
    #[must_use]
    pub const fn to_bits(self) -> u64 {
        self.number.get()
    }

    /// Converts the handle to a handle of another type with the same number. Nothing is checked, as in a Go conversion. Go's `Value` panics if
    /// the handle refers to a value of another type.
    #[must_use]
    pub const fn cast<U: GoType + ?Sized>(self) -> Handle<U> {
        Handle { number: self.number, of: PhantomData }
    }
}

// These traits are implemented by hand, because derived implementations would require that T implements Clone, Eq, and so on.

impl<T: ?Sized> Clone for Handle<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: ?Sized> Copy for Handle<T> {}

impl<T: ?Sized> PartialEq for Handle<T> {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

impl<T: ?Sized> Eq for Handle<T> {}

impl<T: ?Sized> Hash for Handle<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.number.hash(state);
    }
}

impl<T: ?Sized> fmt::Debug for Handle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Handle({:#x})", self.number)
    }
}

impl<T: GoType + ?Sized> From<Handle<T>> for u64 {
    fn from(handle: Handle<T>) -> Self {
        handle.to_bits()
    }
}

#[cfg(test)]
mod tests {
    use super::{Any, GoType, Handle};
    use core::num::NonZeroU64;
    use std::collections::HashSet;
    use std::format;

    /// A type that implements no other trait, so a `Handle` must not require any.
    enum Conn {}
    impl GoType for Conn {
        type It = Self;
        const NAME: &'static str = "net.Conn";
    }

    enum Task {}
    impl GoType for Task {
        type It = Self;
        const NAME: &'static str = "Task";
    }

    #[test]
    fn handles_are_nonzero_numbers() {
        assert_eq!(Handle::<Conn>::from_bits(0), None);
        for number in [1, 1 << 32, u64::MAX] {
            let handle = Handle::<Conn>::from_bits(number).unwrap();
            assert_eq!((handle.to_bits(), u64::from(handle)), (number, number));
            assert_eq!(handle.cast::<Task>().to_bits(), number);
            // SAFETY: this tests that the `Option` has the size of the number, and that `Some` is the handle's number.
            assert_eq!(unsafe { core::mem::transmute::<Option<Handle<Conn>>, u64>(Some(handle)) }, number);
        }
        // SAFETY: this tests that `None` has the size of the number and is zero.
        assert_eq!(unsafe { core::mem::transmute::<Option<Handle<Conn>>, u64>(None) }, 0);
        assert_eq!(align_of::<Handle<Conn>>(), align_of::<NonZeroU64>());
    }

    #[test]
    fn equal_handles_have_equal_numbers() {
        let [a, b] = [1, 2].map(|number| Handle::<Conn>::from_bits(number).unwrap());
        assert!(a == Clone::clone(&a) && a != b);
        assert_eq!(HashSet::from([a, b, a]).len(), 2);
        assert_eq!(format!("{:?}", Handle::<Any>::from_bits(0x1_0000_00ff).unwrap()), "Handle(0x1000000ff)");
    }

    #[test]
    fn any_thread_may_have_one() {
        fn all<T: Copy + Send + Sync + Unpin + core::panic::UnwindSafe + core::panic::RefUnwindSafe + 'static>() {}
        all::<Handle<Conn>>();
    }
}
