//! Stack sizes in bytes: of compiled functions, and of generated entries and checks.

use super::graph::InstanceId;
use crate::exits::Exit;
use cranelift_entity::SecondaryMap;

/// The stack of one function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stack {
    /// Part of a cycle of calls: every call of it checks the stack.
    pub recursive: bool,
    /// Stack below SP-on-entry up to the next checked entry, in bytes.
    pub need: u32,
}

/// By emitted function. Other functions need none.
pub type Stacks = SecondaryMap<InstanceId, Stack>;

/// Stack that a checked entry needs to find too little stack and report it, in bytes.
pub const CHECK_STACK: u32 = Exit::Exhausted.row().stack;
/// Stack of the entry that a pointer to a function with an entry alignment leads to, in bytes: padding and return
/// address.
pub const ALIGN_STACK: u32 = 56 + 8;
/// Stack of the entry that a realigned call goes through, in bytes: padding and return address.
pub const REALIGN_STACK: u32 = 8 + 8;
