//! The method String of objects whose type implements `Display`.

use crate::border::methods::{Methods, receiver};
use crate::border::output::Output;
use crate::border::parameter::Pointed;
use crate::border::record::Shim;
use alloc::string::{String, ToString};
use core::fmt::Display;
use core::mem::MaybeUninit;

/// The code of the method String of an object.
///
/// # Safety
/// `args` and `results` must point to the argument and result areas of a Go call whose only argument is the receiver.
pub unsafe extern "C-unwind" fn string<T: Display + Pointed>(args: *const u8, results: *mut u8) {
    // SAFETY: as promised by the caller.
    crate::__shim_body! {
        @unwound { crate::border::methods::unwound::<T>(args); }
        results
            .cast::<<String as Output<0>>::Raw>()
            .write(Output::<0>::into_raw(receiver::<T>(args, &mut MaybeUninit::uninit()).to_string()))
    }
}

impl<T: Display + Pointed> Methods<T> {
    /// The shim of the method String.
    pub const STRING: Option<Shim> = Some(string::<T>);
}
