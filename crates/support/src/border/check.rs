//! The checks, and what they say when they fail. What is said is out of line: a check costs a comparison and a branch
//! that is never taken.

use super::parameter::Parameter;

/// What a parameter lets Rust do with Go's memory.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Nothing: it is a value.
    None,
    /// Read it.
    Shared,
    /// Write to it, while nobody else does anything with it.
    Exclusive,
}

/// The memory a parameter refers to.
#[derive(Clone, Copy)]
pub struct Extent {
    /// Its address.
    pub start: usize,
    /// In bytes.
    pub len: usize,
}

impl Extent {
    /// What a value refers to.
    pub const NOTHING: Self = Self { start: 0, len: 0 };

    /// Is there a byte in both?
    #[inline]
    #[must_use]
    pub fn meets(self, other: Self) -> bool {
        // No object reaches the end of the address space, so the sums do not overflow.
        let meet = self.start < other.start.wrapping_add(other.len) && other.start < self.start.wrapping_add(self.len);
        meet && self.len != 0 && other.len != 0
    }
}

/// Panics if one of the two parameters is `&mut` and they have a byte in common: such references must not exist.
/// Parameters of no length never overlap.
///
/// # Safety
/// As for [`Parameter::take`]: both have been checked.
#[inline]
#[track_caller]
pub unsafe fn disjoint<'call, P, Q>(p: &P::Raw, q: &Q::Raw, p_name: &'static str, q_name: &'static str)
where
    P: Parameter<'call>,
    Q: Parameter<'call>,
{
    let excluded = const {
        match (P::ACCESS, Q::ACCESS) {
            (Access::None, _) | (_, Access::None) | (Access::Shared, Access::Shared) => false,
            (Access::Exclusive, _) | (_, Access::Exclusive) => true,
        }
    };
    if !excluded {
        return;
    }
    // SAFETY: the caller's. One that is exclusive is one piece of memory.
    let meet = unsafe { if matches!(P::ACCESS, Access::Exclusive) { Q::meets(q, P::extent(p)) } else { P::meets(p, Q::extent(q)) } };
    if meet {
        overlap(p_name, q_name);
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn overlap(one: &'static str, other: &'static str) -> ! {
    panic!("parameters {one} and {other} overlap")
}

/// What a function says of which a result lies where Go could write to what it must not.
#[cold]
#[inline(never)]
#[track_caller]
pub(super) fn elsewhere() -> ! {
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

/// `what` is [`Element::INVALID`](super::element::Element::INVALID).
#[cold]
#[inline(never)]
#[track_caller]
pub fn holds(name: &'static str, what: &'static str) -> ! {
    panic!("parameter {name} holds {what}")
}
