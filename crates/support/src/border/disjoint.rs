//! The check that no parameter overlaps the memory of a parameter with exclusive access.

use super::check::{Access, overlap};
use super::parameter::Parameter;

/// Panics if one of the two parameters has exclusive access and their memory has a byte in common: Rust forbids another reference to the memory of a
/// `&mut`. Empty memory never overlaps.
///
/// # Safety
/// Both parameters must meet the requirements of [`Parameter::take`], and `check` must have accepted both.
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
    // SAFETY: as promised by the caller. The memory of an exclusive parameter is contiguous, so `extent` covers it.
    let meet = unsafe { if matches!(P::ACCESS, Access::Exclusive) { Q::meets(q, P::extent(p)) } else { P::meets(p, Q::extent(q)) } };
    if meet {
        overlap(p_name, q_name);
    }
}
