//! The method String of objects.

use crate::border::methods::{Methods, receiver};
use crate::border::output::Output;
use crate::border::parameter::Pointed;
use crate::border::record::Shim;
use alloc::string::{String, ToString};
use core::fmt::Display;
use core::mem::MaybeUninit;

/// The method String of an object.
///
/// # Safety
/// The addresses must point to the areas of a Go call with the receiver as its argument.
pub unsafe extern "C-unwind" fn string<T: Display + Pointed>(args: *const u8, results: *mut u8) {
    // SAFETY: as above.
    unsafe {
        results
            .cast::<<String as Output<0>>::Raw>()
            .write(Output::<0>::into_raw(receiver::<T>(args, &mut MaybeUninit::uninit()).to_string()))
    }
}

impl<T: Display + Pointed> Methods<T> {
    /// The method String.
    pub const STRING: Option<Shim> = Some(string::<T>);
}
