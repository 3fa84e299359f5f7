//! Reads the parts of a WebAssembly module that describe the exports: the imports, and the data, which contains the export records.
//!
//! WebAssembly Core Specification, "Binary Format".

use rustgo_schema::RawRecord;

/// The parts of a module.
#[derive(Debug, Default)]
pub struct Module<'a> {
    /// The name of the module's first import, such as `env.now`. Empty if the module imports nothing.
    pub imports: Vec<String>,
    /// The data segments: address and content.
    segments: Vec<(u64, &'a [u8])>,
}

const HEADER: &[u8] = b"\0asm\x01\0\0\0";
const IMPORTS: u8 = 2;
const DATA: u8 = 11;

/// The opcodes in the constant expression of a segment's address.
const I32_CONST: u8 = 0x41;
const I64_CONST: u8 = 0x42;
const END: u8 = 0x0b;

/// The alignment of an export record in bytes. `RECORD` is the size in bytes of its header: the shim, the payload's length and the kind.
const ALIGN: u64 = 8;
const RECORD: usize = 16;
/// The first bytes of an export record's payload.
const MAGIC: &[u8] = b"rsgo";

impl<'a> Module<'a> {
    pub fn read(bytes: &'a [u8]) -> Result<Module<'a>, String> {
        let mut reader = Reader { bytes };
        if reader.take(HEADER.len())? != HEADER {
            return Err("it is not a module of version 1".into());
        }
        let mut module = Module::default();
        while !reader.bytes.is_empty() {
            let kind = reader.byte()?;
            let length = reader.number()?;
            let mut section = Reader { bytes: reader.take(usize::try_from(length).map_err(|_| TRUNCATED)?)? };
            match kind {
                IMPORTS => module.imports = section.imports()?,
                DATA => module.segments = section.segments()?,
                _ => {}
            }
        }
        Ok(module)
    }

    /// Returns the export records, each with the index of its shim in the table of functions. A record is recognised by the first bytes of its
    /// payload.
    pub fn records(&self) -> Vec<(RawRecord<'a>, u64)> {
        let mut found = Vec::new();
        for &(address, bytes) in &self.segments {
            let first = usize::try_from(address.wrapping_neg() % ALIGN).unwrap_or(0);
            for at in (first..bytes.len().saturating_sub(RECORD)).step_by(ALIGN as usize) {
                let word =
                    |from: usize| bytes[at + from..at + from + 4].iter().rev().fold(0, |number, &byte| number << 8 | u32::from(byte));
                if !bytes[at + RECORD..].starts_with(MAGIC) {
                    continue;
                }
                let Some(payload) = bytes[at + RECORD..].get(..word(8) as usize) else { continue };
                let shim = u64::from(word(0)) | u64::from(word(4)) << 32;
                found.push((RawRecord { address_offset: 0, kind: word(12), payload }, shim));
            }
        }
        found
    }
}

const TRUNCATED: &str = "it ends too early";

struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], String> {
        let (taken, rest) = self.bytes.split_at_checked(count).ok_or(TRUNCATED)?;
        self.bytes = rest;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8, String> {
        Ok(self.take(1)?[0])
    }

    /// Reads a number in LEB128. If `is_signed` is true, the number's sign bit fills the upper bits of the result.
    fn leb128(&mut self, is_signed: bool) -> Result<u64, String> {
        let (mut number, mut shift) = (0, 0);
        loop {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f).checked_shl(shift).unwrap_or(0);
            shift += 7;
            if byte & 0x80 == 0 {
                let is_negative = is_signed && byte & 0x40 != 0 && shift < u64::BITS;
                return Ok(if is_negative { number | u64::MAX << shift } else { number });
            }
            if shift > u64::BITS {
                return Err("a number is too long".into());
            }
        }
    }

    fn number(&mut self) -> Result<u64, String> {
        self.leb128(false)
    }

    fn text(&mut self) -> Result<String, String> {
        let length = self.number()?;
        let bytes = self.take(usize::try_from(length).map_err(|_| TRUNCATED)?)?;
        Ok(String::from_utf8_lossy(bytes).into_owned())
    }

    /// Reads the name of the first import in the section of imports. The other imports do not matter, because one import is enough for a refusal.
    fn imports(&mut self) -> Result<Vec<String>, String> {
        match self.number()? {
            0 => Ok(Vec::new()),
            _ => Ok(vec![format!("{}.{}", self.text()?, self.text()?)]),
        }
    }

    fn segments(&mut self) -> Result<Vec<(u64, &'a [u8])>, String> {
        let mut segments = Vec::new();
        for _ in 0..self.number()? {
            let flags = self.number()?;
            let address = match flags {
                0 => match (self.byte()?, self.leb128(true)?, self.byte()?) {
                    (I32_CONST | I64_CONST, address, END) => address,
                    _ => return Err("the address of a data segment is no constant".into()),
                },
                _ => return Err("a data segment has no address".into()),
            };
            let length = self.number()?;
            segments.push((address, self.take(usize::try_from(length).map_err(|_| TRUNCATED)?)?));
        }
        Ok(segments)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes a module with one section.
    fn with(kind: u8, section: &[u8]) -> Vec<u8> {
        [HEADER, &[kind, section.len() as u8], section].concat()
    }

    #[test]
    fn records_are_found_at_their_alignment() {
        let record = [&7u64.to_le_bytes()[..], &4u32.to_le_bytes(), &0u32.to_le_bytes(), b"rsgo"].concat();
        for (address, padding, is_found) in [(0u8, 0, true), (0, 8, true), (4, 4, true), (0, 4, false), (4, 0, false)] {
            let data = [vec![0; padding], record.clone(), vec![0; 4]].concat();
            let section = [&[1, 0, I64_CONST, address, END, data.len() as u8][..], &data].concat();
            let bytes = with(DATA, &section);
            let records = Module::read(&bytes).unwrap().records();
            assert_eq!(
                records.iter().map(|(record, shim)| (record.payload, *shim)).collect::<Vec<_>>(),
                if is_found { vec![(&b"rsgo"[..], 7)] } else { vec![] }
            );
        }
    }

    #[test]
    fn imports_are_named_and_damage_is_an_error() {
        let bytes = with(IMPORTS, &[1, 3, b'e', b'n', b'v', 1, b'f', 0, 0]);
        assert_eq!(Module::read(&bytes).unwrap().imports, ["env.f"]);
        assert!(Module::read(b"\0asm\x02\0\0\0").is_err());
        assert!(Module::read(&bytes[..bytes.len() - 1]).is_err());
        assert!(Module::read(&with(DATA, &[1, 1, 0])).is_err(), "a passive segment");
    }

    #[test]
    fn numbers_have_signs() {
        let read = |bytes: &[u8], is_signed| Reader { bytes }.leb128(is_signed);
        assert_eq!(read(&[0xe5, 0x8e, 0x26], false), Ok(624_485));
        assert_eq!(read(&[0x7f], true), Ok(u64::MAX));
        assert_eq!(read(&[0x7f], false), Ok(127));
        assert!(read(&[0xff; 12], false).is_err());
    }
}
