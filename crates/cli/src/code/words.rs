//! Which words an instruction copies and which it reads otherwise: how the address of a jump table is followed, of which lowering makes
//! a copy.

use super::Reg;
use crate::ids::DataId;

/// What one instruction does with registers and the frame.
#[derive(Clone, Debug, Default)]
pub struct Words {
    /// Whole words that are copied, all at once: from, to.
    pub copies: Vec<(Word, Word)>,
    /// The register gets the address of this place of data, which a relocation of the instruction names.
    pub address: Option<(Reg, (DataId, i64))>,
    /// An entry of this table is loaded into the second register; the first holds the table's address.
    pub entry: Option<(Reg, Reg, (DataId, i64))>,
    /// The first register becomes the target of a jump through this table; the second holds the table's address, the third the entry.
    pub target: Option<(Reg, Reg, Reg, (DataId, i64))>,
    /// Jumps through this table.
    pub jump: Option<(DataId, i64)>,
    /// Registers that are read for anything else, and how many of their lowest bytes.
    pub reads: Vec<(Reg, u8)>,
    /// Registers that are part of an address at which memory is read or written.
    pub based: Vec<Reg>,
    /// Registers that are replaced, and how many of their lowest bytes.
    pub writes: Vec<(Reg, u8)>,
    /// Bytes of the frame that are read for anything else: the distance of the first from SP on entry, and their number.
    pub frame_read: Option<(i64, i64)>,
    /// The same of those that are replaced.
    pub frame_written: Option<(i64, i64)>,
}

/// A word that can be copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    Reg(Reg),
    /// In the frame, at this distance from SP on entry.
    Slot(i64),
}
