//! Reads the blocks of an object file (`cmd/internal/goobj/objfile.go`), and follows the references between their records.

use super::{FuncInfo, GoObject, Reloc, Symbol, abi, builtin, pcln};
use std::collections::HashMap;

/// The magic number of the object format since Go 1.20.
const MAGIC: &[u8] = b"\x00go120ld";
/// Number of bytes before the table of offsets: magic number, fingerprint, flags.
const HEADER: usize = MAGIC.len() + 8 + 4;

// Numbers of the blocks, in the order of the table of offsets. Each block ends where the next block begins.
const PKG_INDEX: usize = 1;
const FILE: usize = 2;
const SYMBOL_DEFS: usize = 3;
const HASHED64_DEFS: usize = 4;
const HASHED_DEFS: usize = 5;
const NON_PKG_DEFS: usize = 6;
const NON_PKG_REFS: usize = 7;
const RELOC_INDEX: usize = 11;
const AUX_INDEX: usize = 12;
const DATA_INDEX: usize = 13;
const RELOCS: usize = 14;
const AUX: usize = 15;
const DATA: usize = 16;
const REF_NAMES: usize = 17;
const BLOCKS: usize = 19;

// Sizes of the records in bytes.
const STRING_REF: usize = 8;
const SYMBOL: usize = STRING_REF + 2 + 1 + 1 + 1 + 4 + 4;
const RELOC: usize = 4 + 1 + 2 + 8 + 8;
const AUX_SYMBOL: usize = 1 + 8;
const REF_NAME: usize = 8 + STRING_REF;

// Package indices with a special meaning.
const PKG_NONE: u32 = 0x7fff_ffff;
const PKG_HASHED64: u32 = PKG_NONE - 1;
const PKG_HASHED: u32 = PKG_NONE - 2;
const PKG_BUILTIN: u32 = PKG_NONE - 3;
const PKG_SELF: u32 = PKG_NONE - 4;

// Kinds of auxiliary symbols.
const AUX_FUNC_INFO: u8 = 1;
const AUX_PCSP: u8 = 7;
const AUX_PCFILE: u8 = 8;
const AUX_PCLINE: u8 = 9;

/// Maximum number of bytes of names and tables that the reader copies. Many records can refer to one name or table, and the reader copies it for each
/// record. Without a limit, a damaged file could make the reader allocate far more memory than the file's size.
const MAX_SHARED: usize = 256 << 20;

pub(super) fn read(file: &[u8]) -> Result<GoObject, String> {
    let (header, bytes) = split_header(file)?;
    let mut words = header.strip_prefix("go object ").ok_or("not a Go object file: its first line does not say so")?.split(' ');
    let mut word = || words.next().filter(|word| !word.is_empty()).ok_or("the first line of the object file is cut short");
    let (goos, goarch, version) = (word()?.to_owned(), word()?.to_owned(), word()?.to_owned());
    let version = if version == "devel" { format!("devel {}", word()?) } else { version };

    let mut reader = Reader::new(bytes)?;
    let files = (0..reader.count(FILE, STRING_REF)?)
        .map(|index| {
            let name = reader.string(reader.record(FILE, STRING_REF, index)?)?;
            Ok(name.strip_prefix("gofile..").unwrap_or(name).to_owned())
        })
        .collect::<Result<_, String>>()?;
    let symbols = reader.symbols(&version, quantum(&goarch))?;
    Ok(GoObject { goos, goarch, version, files, symbols })
}

/// Returns the unit of pc values in tables: the size of the architecture's shortest instruction (`sys.Arch.MinLC`).
fn quantum(goarch: &str) -> u32 {
    match goarch {
        "386" | "amd64" | "wasm" => 1,
        "s390x" => 2,
        _ => 4,
    }
}

/// Returns the first line of the file, and the bytes after the line `!`.
fn split_header(file: &[u8]) -> Result<(&str, &[u8]), String> {
    const END: &[u8] = b"\n!\n";
    if !file.starts_with(b"go object ") {
        return Err("not a Go object file: its first line does not say so".into());
    }
    let end = file.windows(END.len()).position(|window| window == END).ok_or("the head of the object file has no end")?;
    let head = std::str::from_utf8(&file[..end]).map_err(|_| "the head of the object file is not UTF-8")?;
    Ok((head.lines().next().unwrap_or(head), &file[end + END.len()..]))
}

struct Reader<'a> {
    bytes: &'a [u8],
    offsets: [usize; BLOCKS],
    /// The number of symbol definitions of each of the four kinds.
    definitions: [usize; 4],
    /// Number of bytes of names and tables copied so far.
    shared: usize,
}

/// The fixed part of a symbol's definition or reference.
struct Head<'a> {
    name: &'a str,
    abi: u16,
    kind: u8,
    flags: u8,
    size: u32,
    align: u32,
}

/// The target of a reference to a symbol.
enum Meaning {
    Nothing,
    /// A symbol that this file defines, by its index among the definitions of all four kinds.
    Defined(usize),
    /// A symbol of another package, by its index in the list of referenced names.
    ByName(usize),
    Builtin(u32),
    /// A symbol of an imported package, by its package index and symbol index. [`imported_names`](Reader::imported_names) maps this pair to the
    /// symbol's name.
    Imported(u32, u32),
}

impl<'a> Reader<'a> {
    fn new(bytes: &'a [u8]) -> Result<Self, String> {
        if !bytes.starts_with(MAGIC) {
            let magic = String::from_utf8_lossy(bytes.get(1..MAGIC.len()).unwrap_or_default()).into_owned();
            return Err(format!("unknown version of the Go object format: {magic:?}, where go120ld (Go 1.20 to 1.27) was expected"));
        }
        let mut offsets = [0; BLOCKS];
        let mut last = HEADER + 4 * BLOCKS;
        for (index, offset) in offsets.iter_mut().enumerate() {
            *offset = u32_at(bytes, HEADER + 4 * index)? as usize;
            if *offset < last || *offset > bytes.len() {
                return Err(format!("block {index} of the object file lies outside of it or before its predecessor"));
            }
            last = *offset;
        }
        let mut reader = Reader { bytes, offsets, definitions: [0; 4], shared: 0 };
        for (index, block) in [SYMBOL_DEFS, HASHED64_DEFS, HASHED_DEFS, NON_PKG_DEFS].into_iter().enumerate() {
            reader.definitions[index] = reader.count(block, SYMBOL)?;
        }
        Ok(reader)
    }

    fn block(&self, block: usize) -> &'a [u8] {
        &self.bytes[self.offsets[block]..self.offsets[block + 1]]
    }

    fn count(&self, block: usize, size: usize) -> Result<usize, String> {
        let length = self.block(block).len();
        if length.is_multiple_of(size) {
            Ok(length / size)
        } else {
            Err(format!("block {block} of the object file holds a part of a record"))
        }
    }

    fn record(&self, block: usize, size: usize, index: usize) -> Result<&'a [u8], String> {
        index
            .checked_mul(size)
            .and_then(|start| self.block(block).get(start..start.checked_add(size)?))
            .ok_or_else(|| format!("block {block} of the object file has no record {index}"))
    }

    /// Returns the string whose length and offset are at the start of the record.
    fn string(&self, record: &'a [u8]) -> Result<&'a str, String> {
        let (length, start) = (u32_at(record, 0)? as usize, u32_at(record, 4)? as usize);
        let bytes =
            start.checked_add(length).and_then(|end| self.bytes.get(start..end)).ok_or("a string lies outside of the object file")?;
        std::str::from_utf8(bytes).map_err(|_| "a name in the object file is not UTF-8".into())
    }

    fn charge(&mut self, length: usize) -> Result<(), String> {
        self.shared += length;
        if self.shared > MAX_SHARED { Err("the names and tables in the object file exceed 256 MiB".into()) } else { Ok(()) }
    }

    fn owned(&mut self, name: &str) -> Result<String, String> {
        self.charge(name.len())?;
        Ok(name.to_owned())
    }

    fn head(&self, block: usize, index: usize) -> Result<Head<'a>, String> {
        let record = self.record(block, SYMBOL, index)?;
        Ok(Head {
            name: self.string(record)?,
            abi: u16::from_le_bytes([record[8], record[9]]),
            kind: record[10],
            flags: record[11],
            size: u32_at(record, 13)?,
            align: u32_at(record, 17)?,
        })
    }

    /// Returns the definition with this index among the definitions of all four kinds.
    fn definition(&self, mut index: usize) -> Result<Head<'a>, String> {
        for (kind, block) in [SYMBOL_DEFS, HASHED64_DEFS, HASHED_DEFS, NON_PKG_DEFS].into_iter().enumerate() {
            match index.checked_sub(self.definitions[kind]) {
                None => return self.head(block, index),
                Some(rest) => index = rest,
            }
        }
        Err("a symbol index lies outside of the object file".into())
    }

    /// Returns the records of `size` bytes in `block` that belong to entry `index` of the index block.
    fn part(&self, index_block: usize, block: usize, size: usize, index: usize) -> Result<&'a [u8], String> {
        let start = u32_at(self.record(index_block, 4, index)?, 0)? as usize;
        let end = u32_at(self.record(index_block, 4, index + 1)?, 0)? as usize;
        let range = start.checked_mul(size).zip(end.checked_mul(size));
        range
            .and_then(|(start, end)| self.block(block).get(start..end))
            .ok_or_else(|| format!("the records of symbol {index} lie outside block {block} of the object file"))
    }

    fn meaning(&self, record: &[u8]) -> Result<Meaning, String> {
        let (package, index) = (u32_at(record, 0)?, u32_at(record, 4)?);
        let [defs, hashed64, hashed, non_pkg] = self.definitions;
        let bounded = |base: usize, count: usize| {
            if (index as usize) < count {
                Ok(Meaning::Defined(base + index as usize))
            } else {
                Err("a symbol index lies outside of the object file".to_owned())
            }
        };
        match package {
            0 if index == 0 => Ok(Meaning::Nothing),
            0 => Err("a symbol refers to package 0".into()),
            PKG_SELF => bounded(0, defs),
            PKG_HASHED64 => bounded(defs, hashed64),
            PKG_HASHED => bounded(defs + hashed64, hashed),
            PKG_NONE => match (index as usize).checked_sub(non_pkg) {
                None => bounded(defs + hashed64 + hashed, non_pkg),
                Some(reference) => Ok(Meaning::ByName(reference)),
            },
            PKG_BUILTIN => Ok(Meaning::Builtin(index)),
            package if package < PKG_SELF => Ok(Meaning::Imported(package, index)),
            _ => Err("a symbol refers to an unknown kind of package".into()),
        }
    }

    fn symbols(&mut self, version: &str, quantum: u32) -> Result<Vec<Symbol>, String> {
        let imported = self.imported_names()?;
        let count: usize = self.definitions.iter().sum();
        (0..count)
            .map(|index| {
                let head = self.definition(index)?;
                let data = self.part(DATA_INDEX, DATA, 1, index)?;
                let in_symbol = |problem: String| format!("symbol {:?}: {problem}", head.name);
                if data.len() > head.size as usize {
                    return Err(in_symbol("its content exceeds its size".into()));
                }
                let relocs = self.relocs(index, &head, version, &imported).map_err(in_symbol)?;
                let func = self.func_info(index, &head, quantum).map_err(in_symbol)?;
                Ok(Symbol {
                    name: self.owned(head.name)?,
                    abi: head.abi,
                    kind: head.kind,
                    flags: head.flags,
                    align: head.align,
                    size: head.size,
                    data: data.to_vec(),
                    relocs,
                    func,
                })
            })
            .collect()
    }

    /// Returns the names of symbols from imported packages, by package index and symbol index. References to these symbols contain only the two
    /// indices.
    fn imported_names(&self) -> Result<HashMap<(u32, u32), &'a str>, String> {
        let packages = self.count(PKG_INDEX, STRING_REF)?;
        (0..self.count(REF_NAMES, REF_NAME)?)
            .map(|index| {
                let record = self.record(REF_NAMES, REF_NAME, index)?;
                let key = (u32_at(record, 0)?, u32_at(record, 4)?);
                if key.0 as usize >= packages {
                    return Err("a name belongs to a package the object file does not list".into());
                }
                Ok((key, self.string(&record[8..])?))
            })
            .collect()
    }

    fn relocs(
        &mut self,
        index: usize,
        head: &Head<'a>,
        version: &str,
        imported: &HashMap<(u32, u32), &'a str>,
    ) -> Result<Vec<Reloc>, String> {
        let records = self.part(RELOC_INDEX, RELOCS, RELOC, index)?;
        let mut relocs = Vec::with_capacity(records.len() / RELOC);
        for record in records.chunks_exact(RELOC) {
            let (offset, size) = (u32_at(record, 0)?, record[4]);
            if u64::from(offset) + u64::from(size) > u64::from(head.size) {
                return Err(format!("a relocation at {offset:#x} lies outside of it"));
            }
            let (target, target_abi, target_index) = match self.meaning(&record[15..])? {
                Meaning::Nothing => (String::new(), abi::ABI0, None),
                Meaning::Defined(index) => {
                    let head = self.definition(index)?;
                    (self.owned(head.name)?, head.abi, Some(index))
                }
                Meaning::ByName(index) => {
                    let head = self.head(NON_PKG_REFS, index)?;
                    (self.owned(head.name)?, head.abi, None)
                }
                Meaning::Builtin(index) => (builtin::name(version, index), abi::ABI0, None),
                Meaning::Imported(package, symbol) => {
                    let name = *imported.get(&(package, symbol)).ok_or("a relocation refers to an imported symbol without a name")?;
                    (self.owned(name)?, abi::ABI0, None)
                }
            };
            let kind = u16::from_le_bytes([record[5], record[6]]);
            let addend = i64::from_le_bytes(record[7..15].try_into().expect("a record has 8 bytes of addend"));
            relocs.push(Reloc { offset, size, kind, addend, target, target_abi, target_index });
        }
        // The assembler writes relocations by ascending offset. Sort them anyway, so that the order does not depend on the assembler.
        relocs.sort_by_key(|reloc| reloc.offset);
        Ok(relocs)
    }

    fn func_info(&mut self, index: usize, head: &Head<'a>, quantum: u32) -> Result<Option<FuncInfo>, String> {
        let mut info = None;
        let (mut pcsp, mut pcfile, mut pcline) = (Vec::new(), Vec::new(), Vec::new());
        for record in self.part(AUX_INDEX, AUX, AUX_SYMBOL, index)?.chunks_exact(AUX_SYMBOL) {
            let table = match record[0] {
                AUX_FUNC_INFO => {
                    info = Some(self.aux_data(record)?);
                    continue;
                }
                AUX_PCSP => &mut pcsp,
                AUX_PCFILE => &mut pcfile,
                AUX_PCLINE => &mut pcline,
                _ => continue,
            };
            let bytes = self.aux_data(record)?;
            self.charge(bytes.len())?;
            let (entries, end) = pcln::table(bytes, quantum)?;
            if !entries.is_empty() && end != head.size {
                return Err(format!("a pc table ends at {end:#x}, the function at {:#x}", head.size));
            }
            *table = entries;
        }
        let Some(info) = info else { return Ok(None) };
        let flags = *info.get(9).ok_or("its function information is cut short")?;
        Ok(Some(FuncInfo { args: u32_at(info, 0)?, locals: u32_at(info, 4)?, flags, pcsp, pcfile, pcline }))
    }

    /// Returns the content of the symbol to which an auxiliary record refers.
    fn aux_data(&self, record: &[u8]) -> Result<&'a [u8], String> {
        match self.meaning(&record[1..])? {
            Meaning::Defined(index) => self.part(DATA_INDEX, DATA, 1, index),
            _ => Err("its function information is not in the object file".into()),
        }
    }
}

fn u32_at(bytes: &[u8], offset: usize) -> Result<u32, String> {
    match bytes.get(offset..).and_then(|rest| rest.first_chunk()) {
        Some(word) => Ok(u32::from_le_bytes(*word)),
        None => Err("the object file is cut short".into()),
    }
}
