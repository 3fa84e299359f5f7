//! Stack of what is not compiled: entries, and what they call.

use crate::exits::Exit;

/// Stack a checked entry needs to find out that there is too little left and to say so, in bytes.
pub const CHECK_STACK: u32 = Exit::Exhausted.row().stack;
/// Stack of the entry that a pointer to a function with an entry alignment leads to, in bytes: padding and return address.
pub const ALIGN_STACK: u32 = 56 + 8;
/// Stack of the entry that such a call goes through, in bytes: padding and return address.
pub const REALIGN_STACK: u32 = 8 + 8;
