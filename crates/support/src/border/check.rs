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
    pub start: usize,
    /// In bytes.
    pub len: usize,
}

impl Extent {
    /// What a value refers to.
    pub const NOTHING: Self = Self { start: 0, len: 0 };
}

/// Panics if one of the two parameters is `&mut` and they have a byte in common: such references must not exist.
/// Parameters of no length never overlap.
#[inline]
#[track_caller]
pub fn disjoint<'call, P, Q>(p: &P::Raw, q: &Q::Raw, p_name: &'static str, q_name: &'static str)
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
    let (p, q) = (P::extent(p), Q::extent(q));
    // No object reaches the end of the address space, so the sums do not overflow.
    let meet = p.start < q.start.wrapping_add(q.len) && q.start < p.start.wrapping_add(p.len);
    if meet && p.len != 0 && q.len != 0 {
        overlap(p_name, q_name);
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn overlap(one: &'static str, other: &'static str) -> ! {
    panic!("parameters {one} and {other} overlap")
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

/// `what` is [`Element::INVALID`](super::element::Element::INVALID).
#[cold]
#[inline(never)]
#[track_caller]
pub fn holds(name: &'static str, what: &'static str) -> ! {
    panic!("parameter {name} holds {what}")
}
