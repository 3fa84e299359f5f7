//! Lowers calls that pass stack arguments from an aligned frame (see `aligned`). In the compiler's code, the arguments begin at the aligned SP. In
//! lowered code, the callee finds its arguments 16 bytes above the new SP. So before the call, lowered code copies the arguments down, into room at
//! the bottom of the frame:
//!
//! ```text
//!            the aligned frame, which begins with the arguments
//!            the aligned SP, stored in one word, and unused words
//!  SP+16+room ─────────────────────────────
//!            copies of the arguments
//!  SP+16     ─────────────────────────────
//!            return address, an unused word
//!  SP
//! ```
//!
//! Copies suffice, because stack arguments belong to the callee: the function does not read these words after the call. The code may copy more words
//! than the call passes. The additional words are locals in the aligned frame. To copy them is harmless, because the code only reads them.

use super::*;

impl Body<'_, '_, '_> {
    /// Emits code that copies the stack arguments of the call from the aligned frame to the new SP. `depth` is the depth of the compiler's SP.
    ///
    /// # Errors
    /// Refuses a direct call of a function that reads more arguments than the code before the call writes, and a call that passes too much.
    pub(super) fn pass_from_aligned(&mut self, at: usize, depth: u32, is_direct: bool) -> Lowered<()> {
        let bytes = self.context.symbols.facts.aligned_calls.passed(self.context.me, at);
        let callees = self.context.edge(at).filter(|_| is_direct).into_iter().flat_map(|(_, nodes)| nodes);
        let read = callees.filter_map(|node| Some(self.context.symbols.facts.instances[node.instance()?].summary.argument_bytes)).max();
        if read.is_some_and(|read| read > bytes) {
            return Err(self.context.refuse(at, "passes fewer stack arguments from an aligned frame than the called function reads"));
        }
        if bytes == 0 {
            return Ok(());
        }
        if bytes > self.below {
            return Err(self.context.refuse(at, "may pass too many bytes of stack arguments from an aligned frame"));
        }
        let live = self.context.liveness().before(at);
        let free: Vec<Reg> = (0..18).rev().filter(|reg| live >> reg & 1 == 0).collect();
        let &[from, word, ..] = free.as_slice() else {
            return Err(self
                .context
                .refuse(at, "needs two registers to pass stack arguments from an aligned frame, and too many are in use"));
        };
        let place = self.tracked - self.spare - i64::from(depth);
        let far = || self.context.refuse(at, "accesses its frame at a distance over 16 MiB");
        let mut words = vec![load(from, SP, place).ok_or_else(far)?];
        for offset in (0..i64::from(bytes)).step_by(8) {
            words.push(load(word, from, offset).ok_or_else(far)?);
            words.push(store(word, SP, i64::from(LINK) + offset).ok_or_else(far)?);
        }
        self.words(&words);
        self.mark();
        Ok(())
    }
}
