//! Lowers functions that may access their frame and their stack arguments through one address. In such a function, the arguments must lie right above
//! the frame. So the function gets a larger frame, with a copy of the arguments at the top.
//!
//! ```text
//!            caller's arguments; `bytes` of them are copied
//!  SP+F+16   ─────────────────────────────────────
//!            the caller's return address, an unused word
//!  SP+F      ─────────────────────────────── SP on entry
//!            room for callees (`above` - `bytes`)
//!            copy of the arguments
//!  SP+F-above ───────────────────────────── SP on entry in the compiler's view
//!            the compiler's frame
//!  SP+16     ───────────────────────────────
//!            return address, an unused word
//!  SP
//! ```
//!
//! The lowered function makes the frame on entry and removes it at each return, no matter how the compiler's code moves SP. So a distance from SP on
//! entry means the same place everywhere in the function. A jump to another function becomes a call, so that the copy still exists while the other
//! function runs.

use super::*;
use crate::analyze::Node;

/// The registers that a callee may change, except for argument registers and the link register.
const TEMPORARY: Set = 0x3_fe00;

impl Body<'_, '_, '_> {
    pub(super) fn copies_arguments(&self) -> bool {
        self.copied_bytes().is_some()
    }

    /// Returns the number of bytes of stack arguments that the function copies; `None` if the function copies none.
    fn copied_bytes(&self) -> Option<u32> {
        self.context.symbols.facts.contiguous_args.copied_bytes(self.context.me)
    }

    /// Emits code that makes the frame and copies the arguments into it.
    pub(super) fn make_frame_and_copy(&mut self) -> Lowered<()> {
        self.mark();
        self.open(0)?;
        let bytes = self.copied_bytes().unwrap_or(0);
        let live = self.context.liveness().before(0);
        let free: Vec<Reg> = (0..18).rev().filter(|reg| live >> reg & 1 == 0).collect();
        if bytes > 0 {
            let &[to, count, word, ..] = free.as_slice() else {
                return Err(self.context.refuse(0, "needs free registers to copy its stack arguments, and all are in use"));
            };
            let refuse = |body: &Self| body.context.refuse(0, "has a frame of over 16 MiB");
            let start = add(to, SP, self.frame - self.spare).ok_or_else(|| refuse(self))?;
            let from = load(word, to, self.spare + i64::from(LINK)).ok_or_else(|| refuse(self))?;
            self.words(&start);
            self.words(&encode::copy(count, bytes / 8, from, encode::store_post_increment(word, to)));
        }
        self.contract = Some(ExpectedContiguousArgs {
            frame: self.frame as u32,
            above: self.spare as u32,
            bytes,
            // `lower` fills in this offset after the layout.
            end: 0,
            free: free.iter().fold(0, |set, reg| set | 1 << reg),
        });
        self.pieces.push(Piece::Label(self.after_copy));
        Ok(())
    }

    /// Emits code that removes the frame, and then the return instruction `word`.
    pub(super) fn leave(&mut self, at: usize, word: u32) -> Lowered<()> {
        self.close(at, self.context.liveness().after(at))?;
        self.word(word);
        Ok(())
    }

    /// Emits a jump to another function as a call and a return. `indirect` is the word of the `br`, if the jump goes through a register.
    pub(super) fn jump_as_call(&mut self, at: usize, indirect: Option<u32>) -> Lowered<()> {
        if self.takes_stack(at) {
            return Err(self
                .context
                .refuse(at, "passes on the address of its stack arguments and jumps to a function with stack arguments"));
        }
        // This bit turns a br into a blr.
        self.call_by(at, indirect.map(|word| word | 1 << 21))?;
        self.mark_jump(at)?;
        self.word(load(LR, SP, 0).expect("a small offset"));
        self.close(at, self.context.symbols.live.exit(self.context.me))?;
        self.word(0xd65f_03c0);
        Ok(())
    }

    /// Refuses a function that does not copy its arguments but passes the *boundary* (the address where its frame ends and its arguments begin) to
    /// another function. The other function might access arguments through this address, but in lowered code the arguments lie further away.
    pub(super) fn refuse_escaping_boundary(&self) -> Lowered<()> {
        let summary = &self.context.instance.summary;
        if self.copies_arguments() || !summary.may_take_arguments() {
            return Ok(());
        }
        let facts = self.context.symbols.facts;
        for (index, edge) in summary.edges.iter().enumerate() {
            let between = summary.escaping_values.get(&edge.inst).map_or(0, |escaping| escaping.entry_sp);
            let handed = match edge.kind {
                // At calls, the analysis has already checked the argument registers, so only the temporaries are left to check.
                EdgeKind::Call => TEMPORARY,
                EdgeKind::Tail => TEMPORARY | Set::from(ARGUMENTS),
            };
            let passed = Set::from(between) & handed;
            let reads = |node: &Node| node.instance().map_or(0, |to| self.context.symbols.live.reads(to));
            if passed != 0 && facts.reach(self.context.me, index).any(|node| passed & reads(node) != 0) {
                return Err(self
                    .context
                    .refuse(edge.inst, "passes on the address between its frame and its arguments, which may refer to either"));
            }
        }
        Ok(())
    }
}
