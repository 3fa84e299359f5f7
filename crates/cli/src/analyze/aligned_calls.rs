//! Finds the calls that pass stack arguments from a frame aligned to more than 16 bytes (arm64), and how many bytes each may pass. The caller writes
//! the arguments to the bottom of the aligned frame, but the callee looks for them at SP, which lowered code does not align. So lowering copies the
//! arguments to SP before the call, and gives the frame room for the copies.

use super::contiguous_args::GRAIN;
use super::graph::InstanceId;
use super::summary::{Edge, EdgeKind, Summary};
use super::world::{Instance, World};
use std::collections::BTreeMap;

/// Maximum number of bytes that one call copies.
const MAX_BYTES: u32 = 512;

impl Summary {
    /// Returns an upper bound on the number of bytes of stack arguments at a call from an aligned frame of `size` bytes. The arguments are at the
    /// bottom of this frame.
    fn passes_from_aligned(&self, edge: &Edge, size: u32) -> u32 {
        let bytes = self.passes(edge).min(if self.is_rust { edge.written } else { edge.passable });
        bytes.min(size).next_multiple_of(GRAIN)
    }
}

/// The calls that pass stack arguments from an aligned frame.
#[derive(Debug, Default)]
pub struct AlignedCalls {
    /// For each call, as (caller, index of the instruction), the number of bytes of stack arguments that the call may pass.
    passed: BTreeMap<(InstanceId, usize), u32>,
    room: BTreeMap<InstanceId, u32>,
}

impl AlignedCalls {
    /// Finds the calls in the functions `emitted`. `takes` returns whether a target of the call with this index takes stack arguments.
    pub fn new(world: &World, emitted: &[InstanceId], takes: impl Fn(&Instance, usize) -> bool) -> AlignedCalls {
        let mut found = AlignedCalls::default();
        for &me in emitted {
            let instance = &world.instances[me];
            for (index, edge) in instance.summary.edges.iter().enumerate() {
                let Some(&size) = instance.summary.in_aligned_frame.get(&edge.inst) else { continue };
                if edge.kind != EdgeKind::Call || !takes(instance, index) {
                    continue;
                }
                let bytes = instance.summary.passes_from_aligned(edge, size);
                found.passed.insert((me, edge.inst), bytes);
                let room = found.room.entry(me).or_default();
                *room = (*room).max(bytes.min(MAX_BYTES));
            }
        }
        found
    }

    /// Returns the number of bytes of stack arguments that the call may pass. `inst` is the index of the instruction.
    pub fn passed(&self, me: InstanceId, inst: usize) -> u32 {
        self.passed.get(&(me, inst)).copied().unwrap_or(0)
    }

    /// Returns the size in bytes of the room for copies of stack arguments at the bottom of the function's frame: at most [`MAX_BYTES`], even if a
    /// call passes more.
    pub fn room(&self, me: InstanceId) -> u32 {
        self.room.get(&me).copied().unwrap_or(0)
    }
}
