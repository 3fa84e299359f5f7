//! Whole-word copies and other reads of registers and frame words. The analysis of jump tables follows a table's
//! address with them, because lowering moves the table.

use super::Reg;
use crate::ids::DataId;

/// How one instruction uses registers and words of the frame.
#[derive(Clone, Debug, Default)]
pub struct WordUses {
    /// Whole words that are copied, all at once: (from, to).
    pub copies: Vec<(Word, Word)>,
    /// The register that receives the address of this place in a data section, which a relocation of the instruction
    /// names.
    pub address: Option<(Reg, (DataId, i64))>,
    /// A load of a table entry: (register with the table's address, register that receives the entry, table).
    pub entry: Option<(Reg, Reg, (DataId, i64))>,
    /// Computes the target of a jump through a table: (register that receives the target, register with the table's
    /// address, register with the entry, table).
    pub target: Option<(Reg, Reg, Reg, (DataId, i64))>,
    /// Jumps through this table.
    pub jump: Option<(DataId, i64)>,
    /// Registers that are read in any other way, with the number of lowest bytes read.
    pub reads: Vec<(Reg, u8)>,
    /// Registers that are part of the address of a memory access.
    pub based: Vec<Reg>,
    /// Registers that are overwritten, with the number of lowest bytes written.
    pub writes: Vec<(Reg, u8)>,
    /// Bytes of the frame that are read in any other way: (distance of the first byte from SP on entry, size).
    pub frame_read: Option<(i64, i64)>,
    /// Bytes of the frame that are overwritten, in the same form.
    pub frame_written: Option<(i64, i64)>,
}

/// A word that can be copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    Reg(Reg),
    /// A word of the frame, at this distance from SP on entry.
    Slot(i64),
}
