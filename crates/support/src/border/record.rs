//! The record that tells the command line tool of an exported function.

use rustgo_schema::describe::{Field, Function, Type};
use rustgo_schema::{Basic, encode, encoded_len, record};

/// A shim: takes the addresses of Go's argument and result area.
///
/// The ABI is that of `extern "C"`; where panics unwind (never in what rustgo builds) they may pass through.
pub type Shim = unsafe extern "C-unwind" fn(*const u8, *mut u8);

/// What lies in the section `rustgo_exports`, once for each export; see [`rustgo_schema`].
#[repr(C, align(8))]
pub struct Record<const N: usize> {
    shim: Shim,
    len: u32,
    kind: u32,
    payload: [u8; N],
}

impl<const N: usize> Record<N> {
    /// `N` is [`rustgo_schema::padded_len`] of the function, so that the next record begins where this one ends.
    #[must_use]
    pub const fn new(shim: Shim, function: &Function) -> Self {
        assert!(N.is_multiple_of(8), "records follow one another at multiples of 8");
        Self { shim, len: encoded_len(function) as u32, kind: record::FUNCTION, payload: encode(function) }
    }

    /// The record of a routine: `code` is called by C's convention, with whatever arguments it takes.
    ///
    /// # Safety
    /// `code` must be the address of a function.
    #[must_use]
    pub const unsafe fn routine(code: *const (), function: &Function) -> Self {
        // SAFETY: the caller's; nobody calls it by this type.
        let code = unsafe { core::mem::transmute::<*const (), Shim>(code) };
        Self { kind: record::ROUTINE, ..Self::new(code, function) }
    }
}

/// The results with these names. There are as many: that the type is a [`Count<N>`](super::Count) is asserted beside it.
#[must_use]
pub const fn named<const N: usize>(fields: &'static [Field], names: [&'static str; N]) -> [Field; N] {
    let mut named = [Field { name: "", ty: Type::Basic(Basic::Bool), offset: 0 }; N];
    let mut i = 0;
    while i < N && i < fields.len() {
        named[i] = Field { name: names[i], ..fields[i] };
        i += 1;
    }
    named
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
