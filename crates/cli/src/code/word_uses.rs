//! Types for the words that one instruction copies, reads or writes. Lowering moves jump tables, so the analysis must know every use of a table's
//! address. The analysis uses these types to follow the address through registers and the frame.

use super::Reg;
use crate::ids::DataId;

/// The registers and frame words that one instruction copies, reads or writes.
#[derive(Clone, Debug, Default)]
pub struct WordUses {
    /// The whole words that the instruction copies, all at once, as (from, to).
    pub copies: Vec<(Word, Word)>,
    /// For an instruction that makes the address of a place in a data section by a relocation: the register that receives the address, and the
    /// place.
    pub address: Option<(Reg, (DataId, i64))>,
    /// For an instruction that loads a jump table's entry: the register with the table's address, the register that receives the entry, and
    /// the table.
    pub entry: Option<(Reg, Reg, (DataId, i64))>,
    /// For an instruction that computes the target of a jump through a jump table: the register that receives the target, the register with
    /// the table's address, the register with the entry, and the table.
    pub target: Option<(Reg, Reg, Reg, (DataId, i64))>,
    /// For a jump through a jump table: the table.
    pub jump: Option<(DataId, i64)>,
    /// The registers that the instruction reads for a purpose that no other field describes, each with the number of lowest bytes read.
    pub reads: Vec<(Reg, u8)>,
    /// The registers from which the instruction computes the address of a memory access.
    pub based: Vec<Reg>,
    /// The registers that the instruction overwrites, each with the number of lowest bytes written.
    pub writes: Vec<(Reg, u8)>,
    /// The bytes of the frame that the instruction reads for a purpose that no other field describes: the distance of the first byte from SP
    /// on entry, and the number of bytes.
    pub frame_read: Option<(i64, i64)>,
    /// The bytes of the frame that the instruction overwrites: the distance of the first byte from SP on entry, and the number of bytes.
    pub frame_written: Option<(i64, i64)>,
}

/// A word that can be copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    Reg(Reg),
    /// A word of the frame, at this distance in bytes from SP on entry.
    Slot(i64),
}
