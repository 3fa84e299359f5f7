//! Types for the copies of whole words, and for other reads of registers and frame words. The analysis of jump tables follows the address of a
//! table with them, because lowering moves tables.

use super::Reg;
use crate::ids::DataId;

/// How one instruction uses registers and words of the frame.
#[derive(Clone, Debug, Default)]
pub struct WordUses {
    /// The whole words that the instruction copies, all at once: (from, to).
    pub copies: Vec<(Word, Word)>,
    /// The register that receives the address of a place in a data section, and the place, which a relocation of the instruction names.
    pub address: Option<(Reg, (DataId, i64))>,
    /// Set for a load of a table's entry: the register with the table's address, the register that receives the entry, and the table.
    pub entry: Option<(Reg, Reg, (DataId, i64))>,
    /// Set if the instruction computes the target of a jump through a table: the register that receives the target, the register with the
    /// table's address, the register with the entry, and the table.
    pub target: Option<(Reg, Reg, Reg, (DataId, i64))>,
    /// The table, for a jump through a table.
    pub jump: Option<(DataId, i64)>,
    /// The registers that are read in any other way, each with the number of lowest bytes read.
    pub reads: Vec<(Reg, u8)>,
    /// The registers that are part of the address of a memory access.
    pub based: Vec<Reg>,
    /// The registers that are overwritten, each with the number of lowest bytes written.
    pub writes: Vec<(Reg, u8)>,
    /// The bytes of the frame that are read in any other way: the distance of the first byte from SP on entry, and the size.
    pub frame_read: Option<(i64, i64)>,
    /// The bytes of the frame that are overwritten: the distance of the first byte from SP on entry, and the size.
    pub frame_written: Option<(i64, i64)>,
}

/// A word that can be copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    Reg(Reg),
    /// A word of the frame, at this distance in bytes from SP on entry.
    Slot(i64),
}
