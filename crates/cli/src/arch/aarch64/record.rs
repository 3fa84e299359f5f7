//! The record of a call through which a panic may unwind. The instruction after the call, its *mark*, has no effect and encodes the distance to the
//! record. `rt` reads the mark and the record to unwind the frame (`go/rt/panic_arm64.s` describes their form).

use crate::code::Reg;

/// Size of a record in bytes.
pub const SIZE: usize = 28;
/// The number of registers in a record.
pub const COUNT: usize = GENERAL.len() + VECTORS.len();
/// The general registers in a record, in the record's order: the callee-saved registers except x28, which no code uses.
pub const GENERAL: [Reg; 10] = [19, 20, 21, 22, 23, 24, 25, 26, 27, 29];
/// The vector registers in a record, after the general registers, in the record's order. Callees preserve their lower halves, d8 to d15 (AAPCS64
/// §6.1.2).
pub const VECTORS: [usize; 8] = [8, 9, 10, 11, 12, 13, 14, 15];
/// Encodes `adr xzr, .`, the mark with the distance 0. The instruction has no effect, and the decoder refuses it in compiled code.
const MARK: u32 = 0x1000_001f;
/// The bits of [`MARK`] that do not depend on the distance.
const FIXED: u32 = 0x9f00_001f;
/// The distance in a mark is a signed number with this number of bits.
const DISTANCE: u32 = 21;

/// A record, without the place of its landing pad (the code in this function to which the panic unwinds, if there is such code).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Record {
    /// The distance in bytes from SP at the call up to SP on entry.
    pub frame: u32,
    /// For each of [`GENERAL`], then for each of [`VECTORS`]: the distance in words from SP on entry down to the word with the register's value on
    /// entry, or 0 if the register still holds this value at the call.
    pub saved: [u8; COUNT],
}

impl Record {
    /// Makes the record of a call at which SP is `frame` bytes lower than on entry. For each register of a record, `saved` has the place of its value
    /// on entry: `Some(0)` for the register itself, the distance in bytes from SP on entry down to a word of the frame, or `None` for no place.
    ///
    /// Fails with a reason if the record cannot express the frame.
    pub fn new(frame: u32, saved: [Option<i64>; COUNT]) -> Result<Record, &'static str> {
        let mut record = Record { frame, ..Record::default() };
        for (place, saved) in record.saved.iter_mut().zip(saved) {
            *place = match saved {
                None => return Err("does not keep the registers of its caller at a call that may unwind"),
                Some(at) if at % 8 != 0 => return Err("saves a register at a place that is not a multiple of 8"),
                Some(at) => u8::try_from(at / 8).map_err(|_| "saves a register too far below its return address")?,
            };
        }
        Ok(record)
    }

    /// Returns the bytes of the record. `pad` is the distance from the record to the landing pad, or 0 if there is no landing pad.
    pub fn bytes(&self, pad: i32) -> [u8; SIZE] {
        let mut bytes = [0; SIZE];
        bytes[..4].copy_from_slice(&self.frame.to_le_bytes());
        bytes[4..8].copy_from_slice(&pad.to_le_bytes());
        bytes[8..8 + COUNT].copy_from_slice(&self.saved);
        bytes
    }

    /// Returns the record at the start of `bytes`, and the distance from the record to its landing pad (0 for none).
    pub fn read(bytes: &[u8]) -> Option<(Record, i32)> {
        let (frame, rest) = bytes.split_first_chunk()?;
        let (pad, rest) = rest.split_first_chunk()?;
        let (&saved, rest) = rest.split_first_chunk()?;
        // The last two bytes make the size a multiple of 4.
        let record = Record { frame: u32::from_le_bytes(*frame), saved };
        (rest.first_chunk() == Some(&[0, 0])).then_some((record, i32::from_le_bytes(*pad)))
    }
}

/// Encodes the mark of a call. `distance` is the distance from the mark to the record. Returns `None` if the record is too far away.
pub fn mark(distance: i64) -> Option<u32> {
    let limit = 1 << (DISTANCE - 1);
    let bits = distance as u32;
    (-limit..limit).contains(&distance).then_some(MARK | (bits & 3) << 29 | (bits >> 2 & 0x7_ffff) << 5)
}

/// Returns the distance from a mark to its record; `None` if the word is not a mark.
pub fn distance(word: u32) -> Option<i32> {
    let bits = (word >> 5 & 0x7_ffff) << 2 | word >> 29 & 3;
    (word & FIXED == MARK).then_some((bits << (32 - DISTANCE)).cast_signed() >> (32 - DISTANCE))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arch::aarch64::insn::{Insn, Kind};

    #[test]
    fn records_are_read_as_they_are_written() {
        let saved = std::array::from_fn(|index| Some(if index == 2 { 0 } else { 8 * index as i64 + 8 }));
        let record = Record::new(96, saved).unwrap();
        assert_eq!(record.saved[..4], [1, 2, 0, 4]);
        for pad in [0, -40, 40] {
            assert_eq!(Record::read(&record.bytes(pad)), Some((record, pad)));
            let mut other = record.bytes(pad);
            other[26] = 1;
            assert_eq!(Record::read(&other), None);
            assert_eq!(Record::read(&other[..27]), None);
        }
    }

    #[test]
    fn frames_that_a_record_cannot_express_are_refused() {
        let new = |place: Option<i64>| Record::new(16, [place; COUNT]);
        assert!(new(Some(2040)).is_ok());
        assert_eq!(new(Some(2048)), Err("saves a register too far below its return address"));
        assert_eq!(new(Some(-8)), Err("saves a register too far below its return address"));
        assert_eq!(new(Some(12)), Err("saves a register at a place that is not a multiple of 8"));
        assert_eq!(new(None), Err("does not keep the registers of its caller at a call that may unwind"));
    }

    #[test]
    fn marks_encode_distances() {
        for to in [0, 4, -4, 28, 0xf_fffc, -0x10_0000, 1, 2, 3] {
            let word = mark(to).unwrap();
            assert_eq!(distance(word), i32::try_from(to).ok());
            assert_eq!(Insn::new(word).kind, Kind::Unknown);
        }
        assert_eq!((mark(0x10_0000), mark(-0x10_0004)), (None, None));
        for other in [0x1000_001e, 0x9000_001f, 0xd503_201f] {
            assert_eq!(distance(other), None);
        }
    }

    #[test]
    fn the_unwinder_knows_the_mark_and_the_record() {
        let source = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../go/rt/panic_arm64.s")).unwrap();
        let words: String = source.split_whitespace().collect::<Vec<_>>().join(" ");
        for text in [format!("MOVD $0x{FIXED:X}, R6"), format!("EORW $0x{:X}, R6, R6 \\ CMPW ${}, R6", MARK & !31, MARK & 31)] {
            assert!(words.contains(&text), "{text}");
        }
        for (index, register) in GENERAL
            .map(|reg| format!("MOVD, {{}}, R{reg}, r{reg}"))
            .into_iter()
            .chain(VECTORS.map(|reg| format!("FMOVD, {{}}, F{reg}, f{reg}")))
            .enumerate()
        {
            let text = format!("RESTORE({})", register.replace("{}", &(8 + index).to_string()));
            assert!(words.contains(&text), "{text}");
        }
    }
}
