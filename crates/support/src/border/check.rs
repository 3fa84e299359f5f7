//! The checks of arguments, and their panics. Each panic is in a function of its own, so that a successful check costs only a comparison and a
//! branch.

/// The access to Go's memory that a parameter gives to Rust.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// No access: the parameter is a value.
    None,
    /// Rust reads the memory.
    Shared,
    /// Rust writes to the memory, and no other code may access it during the call.
    Exclusive,
}

/// The contiguous memory that a parameter refers to.
#[derive(Clone, Copy)]
pub struct Extent {
    /// The address of the first byte.
    pub start: usize,
    /// The number of bytes.
    pub len: usize,
}

impl Extent {
    /// The extent of a parameter that refers to no memory.
    pub const NOTHING: Self = Self { start: 0, len: 0 };

    /// True if the two pieces of memory have a byte in common.
    #[inline]
    #[must_use]
    pub fn meets(self, other: Self) -> bool {
        // No object reaches the end of the address space, so the sums cannot overflow.
        let meet = self.start < other.start.wrapping_add(other.len) && other.start < self.start.wrapping_add(self.len);
        meet && self.len != 0 && other.len != 0
    }
}

#[cold]
#[inline(never)]
#[track_caller]
pub fn overlap(one: &'static str, other: &'static str) -> ! {
    panic!("parameters {one} and {other} overlap")
}

/// Panics because a returned slice lies outside the argument slices.
#[cold]
#[inline(never)]
#[track_caller]
pub(super) fn result_outside_arguments() -> ! {
    panic!("a slice among the results lies in none of the slices passed: return a Vec")
}

#[cold]
#[inline(never)]
#[track_caller]
pub fn nil(name: &'static str) -> ! {
    panic!("nil pointer passed for parameter {name}")
}

#[cold]
#[inline(never)]
#[track_caller]
pub fn not_utf8(name: &'static str, valid_up_to: usize) -> ! {
    panic!("parameter {name} is not valid UTF-8 (byte {valid_up_to})")
}

#[cold]
#[inline(never)]
#[track_caller]
pub fn not_a_char(name: &'static str, rune: u32) -> ! {
    panic!("parameter {name} is not a valid rune ({rune:#x})")
}

#[cold]
#[inline(never)]
#[track_caller]
pub fn zero_handle(name: &'static str) -> ! {
    panic!("zero handle passed for parameter {name}")
}

#[cold]
#[inline(never)]
#[track_caller]
pub fn negative(name: &'static str, value: isize) -> ! {
    panic!("parameter {name} is negative ({value})")
}

#[cold]
#[inline(never)]
#[track_caller]
pub fn too_large(value: usize) -> ! {
    panic!("a result is too large for Go's int ({value})")
}

#[cold]
#[inline(never)]
#[track_caller]
pub fn not_utf8_in(name: &'static str, index: usize, valid_up_to: usize) -> ! {
    panic!("element {index} of parameter {name} is not valid UTF-8 (byte {valid_up_to})")
}

/// Panics because the parameter holds a value that its Rust type does not allow. `what` is the type's
/// [`Element::INVALID`](super::element::Element::INVALID), the description of such values.
#[cold]
#[inline(never)]
#[track_caller]
pub fn invalid_value(name: &'static str, what: &'static str) -> ! {
    panic!("parameter {name} holds {what}")
}
