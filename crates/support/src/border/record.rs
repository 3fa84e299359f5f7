//! The record that describes an exported function to the command line tool.

use rustgo_schema::describe::Function;
use rustgo_schema::{Describe, record};

/// A shim: the function that Go calls for an exported Rust function. Its arguments are the addresses of Go's argument and result areas.
///
/// The ABI is `extern "C-unwind"`, because a panic leaves the shim in a native program, such as the crate's tests. In a build by rustgo, no panic
/// leaves the shim.
pub type Shim = unsafe extern "C-unwind" fn(*const u8, *mut u8);

/// An entry of the section `rustgo_exports`. Each export has an entry; see [`rustgo_schema`].
#[repr(C, align(8))]
pub struct Record<const N: usize> {
    shim: Option<Shim>,
    len: u32,
    kind: u32,
    payload: [u8; N],
}

impl<const N: usize> Record<N> {
    /// Makes a record. `N` must be the description's [`Describe::padded_len`], so that the next record follows without a gap. Only functions
    /// have a shim.
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

    /// Makes the record of a routine: a function `code` with any arguments, which generated code calls by C's calling convention.
    ///
    /// # Safety
    /// `code` must be the address of a function.
    #[must_use]
    pub const unsafe fn routine(code: *const (), function: &Function) -> Self {
        // SAFETY: as promised by the caller; the address is never called as a function of type `Shim`.
        let code = unsafe { core::mem::transmute::<*const (), Shim>(code) };
        Self { kind: record::ROUTINE, ..Self::new(Some(code), &Describe::Function(function)) }
    }
}

/// Computes the offset of the result area from the offset of the end of the last argument. In Go's ABI0 the offset is a multiple of a pointer's
/// size.
#[must_use]
pub const fn results_offset(args_end: usize) -> u32 {
    number(args_end.next_multiple_of(8))
}

/// Computes the number N in the `$FRAME-N` of an assembly function, as `go vet` (asmdecl) expects it. N is the offset of the end of the last
/// result, or of the last argument if there are no results.
#[must_use]
pub const fn frame_size(args_end: usize, results_size: usize) -> u32 {
    if results_size == 0 { number(args_end) } else { number(args_end.next_multiple_of(8) + results_size) }
}

const fn number(bytes: usize) -> u32 {
    assert!(bytes <= i32::MAX as usize, "Go limits arguments and results to 2 GiB");
    bytes as u32
}
