//! The record of a call through which a panic may unwind. The instruction after the call, its *mark*, has no effect and encodes the distance to the
//! record. `rt` reads the mark and the record to unwind the frame (`go/rt/panic_amd64.s` describes their form).

use crate::code::Reg;
use std::collections::BTreeMap;

/// Size of a record in bytes.
pub const SIZE: usize = 16;
/// The first bytes of the mark, `nop dword ptr [rdx + distance]`. Compilers emit this `nop` only with rax as its base.
pub const MARK: [u8; 3] = [0x0F, 0x1F, 0x82];
/// Size of the mark with its 32-bit distance, in bytes.
pub const MARK_SIZE: usize = 7;
/// The callee-saved registers, in the record's order.
pub const REGISTERS: [Reg; 6] = [3, 5, 12, 13, 14, 15];

/// A record, without the place of its landing pad (the code in this function to which the panic unwinds, if there is such code).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Record {
    /// The distance in bytes from SP after the call up to the return address of the function.
    pub frame: u32,
    /// For each of [`REGISTERS`]: the distance in words from the return address down to the word with the register's value on entry, or 0 if the
    /// register still holds this value at the call.
    pub saved: [u8; 6],
    /// The number of words by which SP at the landing pad is higher than after the call.
    pub raised: u16,
}

impl Record {
    /// Makes the record of a call at which SP is `frame` bytes lower than on entry. `saved` has the words that hold registers' values on entry, as
    /// distances in bytes from SP on entry (negative numbers). `kept` has the registers that still hold their value on entry, one bit each.
    ///
    /// Fails with a reason if the record cannot express the frame.
    pub fn new(frame: u32, saved: &BTreeMap<Reg, i64>, kept: u32) -> Result<Record, &'static str> {
        let mut record = Record { frame, ..Record::default() };
        for (place, register) in record.saved.iter_mut().zip(REGISTERS) {
            *place = match saved.get(&register) {
                _ if kept >> register & 1 != 0 => 0,
                None => return Err("does not keep the registers of its caller at a call that may unwind"),
                Some(at) if at % 8 != 0 => return Err("saves a register at a place that is not a multiple of 8"),
                Some(at) => u8::try_from(-at / 8).map_err(|_| "saves a register too far below its return address")?,
            };
        }
        Ok(record)
    }

    /// Returns a copy of the record for a landing pad at which SP is `raised` bytes higher than after the call.
    pub fn landing(self, raised: u32) -> Result<Record, &'static str> {
        let words = u16::try_from(raised / 8).ok().filter(|_| raised.is_multiple_of(8));
        Ok(Record { raised: words.ok_or("has a landing pad with another stack pointer")?, ..self })
    }

    /// Returns the bytes of the record. `pad` is the distance from the record to the landing pad, or 0 if there is no landing pad.
    pub fn bytes(&self, pad: i32) -> [u8; SIZE] {
        let mut bytes = [0; SIZE];
        bytes[..4].copy_from_slice(&self.frame.to_le_bytes());
        bytes[4..8].copy_from_slice(&pad.to_le_bytes());
        bytes[8..14].copy_from_slice(&self.saved);
        bytes[14..].copy_from_slice(&self.raised.to_le_bytes());
        bytes
    }

    /// Returns the record at the start of `bytes`, and the distance from the record to its landing pad (0 for none).
    pub fn read(bytes: &[u8]) -> Option<(Record, i32)> {
        let bytes: &[u8; SIZE] = bytes.get(..SIZE)?.try_into().ok()?;
        let [a, b, c, d, e, f, g, h, saved @ .., low, high] = *bytes;
        let (frame, pad) = (u32::from_le_bytes([a, b, c, d]), i32::from_le_bytes([e, f, g, h]));
        Some((Record { frame, saved, raised: u16::from_le_bytes([low, high]) }, pad))
    }
}

/// Returns the bytes of the mark of a call. `distance` is the distance from the end of the mark to the record.
pub fn mark(distance: i32) -> Vec<u8> {
    [&MARK[..], &distance.to_le_bytes()].concat()
}

/// Returns the bytes after a call in code whose layout the assembler chooses: the mark, a jump over the record, and the record. The record is for a
/// function that has saved no register and has no landing pad.
pub fn inline(frame: u32) -> Vec<u8> {
    let jump = [0xEB, SIZE as u8];
    let record = Record { frame, ..Record::default() };
    [mark(jump.len() as i32), jump.to_vec(), record.bytes(0).to_vec()].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_read_as_they_are_written() {
        let saved = REGISTERS.into_iter().zip(1..).map(|(register, place): (Reg, i64)| (register, -8 * place)).collect();
        let record = Record::new(88, &saved, 1 << 12).unwrap();
        assert_eq!(record.saved, [1, 2, 0, 4, 5, 6]);
        let landing = record.landing(16).unwrap();
        for (record, pad) in [(record, 0), (landing, -40), (landing, 40)] {
            assert_eq!(Record::read(&record.bytes(pad)), Some((record, pad)));
        }
        assert_eq!(inline(24)[9..], Record { frame: 24, ..Record::default() }.bytes(0));
    }

    #[test]
    fn frames_that_a_record_cannot_express_are_refused() {
        let new = |place: i64| Record::new(8, &REGISTERS.into_iter().map(|register| (register, place)).collect(), 0);
        assert!(new(-2040).is_ok());
        assert_eq!(new(-2048), Err("saves a register too far below its return address"));
        assert_eq!(new(-12), Err("saves a register at a place that is not a multiple of 8"));
        assert_eq!(Record::new(8, &BTreeMap::new(), 0), Err("does not keep the registers of its caller at a call that may unwind"));
        assert!(Record::default().landing(4).is_err() && Record::default().landing(8 << 16).is_err());
    }

    #[test]
    fn the_unwinder_knows_the_mark() {
        let source = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../go/rt/panic_amd64.s")).unwrap();
        let [a, b, c] = MARK;
        assert_eq!(
            source.matches(&format!("$0x{c:02X}{b:02X}{a:02X}\n")).count(),
            2,
            "the unwinder and the list of frames look for the mark"
        );
        assert_eq!(source.matches("$0x821F0F").count(), 2);
    }
}
