//! Reads which vector registers an instruction writes, and which of them a load or store moves as a doubleword. Only the unwinding of panics needs
//! this: callees preserve the lower halves of v8 to v15 (AAPCS64 §6.1.2).

use super::{Fields, Form, Insn, Kind};

/// A set of vector registers, one bit each.
pub(in super::super) type VectorSet = u32;

impl Insn {
    /// Returns the vector registers that the instruction may write.
    pub(in super::super) fn vector_writes(&self) -> VectorSet {
        let f = Fields { w: self.word };
        match f.at(25, 4) {
            // Comparisons (`fcmp`, `fccmp`) write only flags. The instructions that write a general register write no vector register.
            0b0111 | 0b1111 if f.is(0xff20_fc07, 0x1e20_2000) || f.is(0xff20_0c00, 0x1e20_0400) || self.writes != 0 => 0,
            0b0111 | 0b1111 => 1 << f.rd(),
            0b0110 | 0b1110 => self.loaded(&f),
            _ => 0,
        }
    }

    /// Returns the vector registers that a load or store of vector registers loads.
    fn loaded(&self, f: &Fields) -> VectorSet {
        let count = match self.kind {
            Kind::Literal => 1,
            Kind::Memory(access) if !access.loads => 0,
            Kind::Memory(access) if access.form == Form::Pair => return 1 << f.rd() | 1 << f.at(10, 5),
            // The one to four registers of a vector structure have consecutive numbers; the number after 31 is 0.
            Kind::Memory(access) if f.is(0xbe00_0000, 0x0c00_0000) => u32::from(access.size / access.unit),
            Kind::Memory(_) => 1,
            _ => 4,
        };
        (0..count).fold(0, |set, next| set | 1 << ((f.rd() + next) % 32))
    }

    /// Returns the vector registers that a load or store moves as doublewords (the lower 64 bits and no others), in the order of memory.
    pub(in super::super) fn doublewords(&self) -> [Option<usize>; 2] {
        let f = Fields { w: self.word };
        match self.kind {
            Kind::Memory(access) if f.bit(26) && access.unit == 8 => match access.form {
                Form::Pair => [Some(f.rd() as usize), Some(f.at(10, 5) as usize)],
                Form::Single => [Some(f.rd() as usize), None],
                _ => [None; 2],
            },
            _ => [None; 2],
        }
    }
}
