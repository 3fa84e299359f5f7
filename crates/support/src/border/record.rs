//! The record that tells the command line tool of an exported function.

use rustgo_schema::describe::Function;
use rustgo_schema::{Describe, record};

/// A shim: takes the addresses of Go's argument and result area.
///
/// The ABI is that of `extern "C"`; where panics unwind (never in what rustgo builds) they may pass through.
pub type Shim = unsafe extern "C-unwind" fn(*const u8, *mut u8);

/// What lies in the section `rustgo_exports`, once for each export; see [`rustgo_schema`].
#[repr(C, align(8))]
pub struct Record<const N: usize> {
    shim: Option<Shim>,
    len: u32,
    kind: u32,
    payload: [u8; N],
}

impl<const N: usize> Record<N> {
    /// `N` is [`Describe::padded_len`] of what is described, so that the next record begins where this one ends. Only a function has a shim.
    #[must_use]
    pub const fn new(shim: Option<Shim>, what: &Describe<'_>) -> Self {
        assert!(N.is_multiple_of(8), "records follow one another at multiples of 8");
        let kind = match what {
            Describe::Function(_) => record::FUNCTION,
            Describe::Constant(_) => record::CONSTANT,
            Describe::Nothing => record::NOTHING,
        };
        assert!(shim.is_some() == matches!(what, Describe::Function(_)));
        Self { shim, len: what.encoded_len() as u32, kind, payload: what.encode() }
    }

    /// The record of a routine: `code` is called by C's convention, with whatever arguments it takes.
    ///
    /// # Safety
    /// `code` must be the address of a function.
    #[must_use]
    pub const unsafe fn routine(code: *const (), function: &Function) -> Self {
        // SAFETY: the caller's; nobody calls it by this type.
        let code = unsafe { core::mem::transmute::<*const (), Shim>(code) };
        Self { kind: record::ROUTINE, ..Self::new(Some(code), &Describe::Function(function)) }
    }
}

/// Where the result area begins, given the end of the last argument: Go's ABI0 begins it at a multiple of a pointer's
/// size.
#[must_use]
pub const fn results_offset(args_end: usize) -> u32 {
    number(args_end.next_multiple_of(8))
}

/// The N of `$FRAME-N`, given the end of the last argument and the size of the results: where the last result ends or,
/// without one, the last argument. That is what `go vet` (asmdecl) asks for.
#[must_use]
pub const fn frame_size(args_end: usize, results_size: usize) -> u32 {
    if results_size == 0 { number(args_end) } else { number(args_end.next_multiple_of(8) + results_size) }
}

const fn number(bytes: usize) -> u32 {
    assert!(bytes <= i32::MAX as usize, "Go limits arguments and results to 2 GiB");
    bytes as u32
}
