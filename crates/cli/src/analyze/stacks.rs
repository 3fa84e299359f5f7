//! Defines the stack sizes of compiled functions, and of generated entries, in bytes. A *checked entry* compares SP with the stack limit of the
//! running call before it continues in its function; an *aligning entry* aligns SP first.

use super::graph::InstanceId;
use crate::exits::Exit;
use cranelift_entity::SecondaryMap;

/// The stack that one function needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stack {
    /// True if the function is part of a cycle of calls. Then each call of the function checks the stack.
    pub recursive: bool,
    /// The number of bytes of stack below SP on entry that the function and its callees need, up to the next checked entry.
    pub need: u32,
}

/// The stack that each emitted function needs. Functions that are not emitted need none.
pub type Stacks = SecondaryMap<InstanceId, Stack>;

/// The number of bytes of stack that a checked entry needs to report that the stack is too small.
pub const CHECK_STACK: u32 = Exit::Exhausted.row().stack;

/// Returns the maximum number of bytes of stack that an aligning entry uses: for padding to a multiple of `alignment`, for copies of `words` stack
/// arguments, and for the return address of its call of the function.
pub fn align_stack(alignment: u32, words: u32) -> u32 {
    alignment - 8 + 8 * words + 8
}

/// The number of bytes of stack that an entry uses to align SP to 16 for a call on the way to a panic: padding and return address.
pub const REALIGN_STACK: u32 = 8 + 8;
