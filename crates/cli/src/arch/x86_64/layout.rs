//! Lays out a function, given as a list of pieces, for the assembly file. Computes branch sizes, alignment, displacements, and the places of the
//! constants after the code, and emits the function's bytes.
//!
//! The layout differs from the compiler's, because lowering inserts moves of SP that are never executed. Go's assembler tracks SP in text order. So
//! if a block starts at another depth of SP than the preceding text ends with, the assembler needs such a move before the block. All instructions
//! keep their bytes, except for branches and RIP-relative displacements.

use super::record::{self, Record};
use crate::goasm::{Expected, ExpectedReloc, Op, RefKind};
use std::collections::{BTreeMap, HashMap};

/// The number of a place in the function, as the target of branches and jump tables.
pub type Label = usize;

/// One element of the function that is laid out.
#[derive(Clone, Debug)]
pub enum Piece {
    /// The start of a basic block, a possible target of branches and jump tables.
    Label(Label),
    /// Fixed instruction bytes. If `field` is set, a 32-bit displacement at this offset refers to an entry of the pool after the code. The
    /// displacement counts from the end of the bytes.
    Raw { bytes: Vec<u8>, field: Option<(usize, PoolRef)> },
    /// An instruction in Go's assembly language, and the bytes that the assembler must make of it. `reloc` has the offset of the relocated
    /// field, the kind, the symbol and the addend.
    Inst { text: String, bytes: Vec<u8>, reloc: Option<(usize, RefKind, String, i64)> },
    /// A branch to a label. `opcode` is the opcode of the short form (`0xEB`, `0x70..=0x7F`). For a branch without a long form, `opcode` is unused,
    /// and `prefix` has the bytes before the displacement.
    Branch { opcode: u8, prefix: Vec<u8>, to: Label },
    /// Padding up to a multiple of this number of bytes.
    Align(u32),
    /// A change of SP's depth in text order: from here on, SP is lower than on entry by this number of bytes. Verify checks the depths.
    Depth(u32),
    /// A source file and line, for the code from here on.
    Line(String, u32),
}

/// The number of an entry of the [`Pool`]. RIP-relative operands refer to the entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolRef(pub usize);

/// The constants, jump tables and unwind records that follow the function's code.
#[derive(Debug, Default)]
pub struct Pool {
    entries: Vec<Entry>,
    known: HashMap<(Vec<u8>, u32), usize>,
    records: HashMap<(Record, Option<Label>), usize>,
}

#[derive(Debug)]
enum Entry {
    Bytes {
        bytes: Vec<u8>,
        align: u32,
    },
    /// A jump table of 32-bit distances from the table's start to labels.
    Table(Vec<Label>),
    /// The record of a call that may unwind, and its landing pad.
    Record(Record, Option<Label>),
}

impl Pool {
    pub fn constant(&mut self, bytes: Vec<u8>, align: u32) -> PoolRef {
        let next = self.entries.len();
        let at = *self.known.entry((bytes.clone(), align)).or_insert(next);
        if at == next {
            self.entries.push(Entry::Bytes { bytes, align });
        }
        PoolRef(at)
    }
    pub fn table(&mut self, labels: Vec<Label>) -> PoolRef {
        self.entries.push(Entry::Table(labels));
        PoolRef(self.entries.len() - 1)
    }
    pub fn record(&mut self, record: Record, pad: Option<Label>) -> PoolRef {
        let next = self.entries.len();
        let at = *self.records.entry((record, pad)).or_insert(next);
        if at == next {
            self.entries.push(Entry::Record(record, pad));
        }
        PoolRef(at)
    }
    pub fn align(&self) -> u32 {
        self.entries.iter().map(|e| if let Entry::Bytes { align, .. } = e { *align } else { 4 }).max().unwrap_or(1)
    }
}

/// The `nop` instructions of one to nine bytes that Intel recommends (SDM vol. 2B, NOP).
const NOPS: [&[u8]; 9] = [
    &[0x90],
    &[0x66, 0x90],
    &[0x0F, 0x1F, 0x00],
    &[0x0F, 0x1F, 0x40, 0x00],
    &[0x0F, 0x1F, 0x44, 0x00, 0x00],
    &[0x66, 0x0F, 0x1F, 0x44, 0x00, 0x00],
    &[0x0F, 0x1F, 0x80, 0x00, 0x00, 0x00, 0x00],
    &[0x0F, 0x1F, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00],
    &[0x66, 0x0F, 0x1F, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00],
];

fn nops(mut count: usize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(count);
    while count > 0 {
        let size = count.min(NOPS.len());
        bytes.extend_from_slice(NOPS[size - 1]);
        count -= size;
    }
    bytes
}

/// The error for a branch without a long form that cannot reach its target.
#[derive(Debug)]
pub struct TooFar;

/// A function with its final layout.
pub struct Laid {
    pub ops: Vec<Op>,
    pub expected: Expected,
    /// The offset of each label, in bytes from the function's first byte.
    pub labels: BTreeMap<Label, u32>,
}

/// Lays out `pieces` in order. `start` is the offset of the first piece in the function: a multiple of the alignment of the constants, or 0 in a
/// fused entry.
///
/// Fails if a branch without a long form (`jrcxz`, `loop`) does not reach its target.
pub fn lay(pieces: &[Piece], pool: &Pool, start: u32) -> Result<Laid, TooFar> {
    let mut long = vec![false; pieces.len()];
    // Branches start in their short form and never shrink, so the loop ends.
    let offsets = loop {
        let offsets = offsets(pieces, &long, start);
        let labels = label_offsets(pieces, &offsets);
        let mut grown = false;
        for (at, piece) in pieces.iter().enumerate() {
            if let Piece::Branch { prefix, to, .. } = piece
                && !long[at]
            {
                let end = offsets[at] + size(piece, false, offsets[at]);
                if i8::try_from(i64::from(labels[to]) - i64::from(end)).is_err() {
                    if !prefix.is_empty() {
                        return Err(TooFar);
                    }
                    long[at] = true;
                    grown = true;
                }
            }
        }
        if !grown {
            break offsets;
        }
    };
    Ok(emit(pieces, pool, &long, &offsets, start))
}

fn size(piece: &Piece, long: bool, offset: u32) -> u32 {
    match piece {
        Piece::Raw { bytes, .. } | Piece::Inst { bytes, .. } => bytes.len() as u32,
        Piece::Branch { prefix, opcode, .. } => match (prefix.is_empty(), long, *opcode) {
            (false, ..) => prefix.len() as u32 + 1,
            (true, false, _) => 2,
            (true, true, 0xEB) => 5,
            (true, true, _) => 6,
        },
        Piece::Align(to) => offset.next_multiple_of(*to) - offset,
        Piece::Label(_) | Piece::Depth(_) | Piece::Line(..) => 0,
    }
}

/// Returns the offset of each piece in the function, and the offset of the function's end.
fn offsets(pieces: &[Piece], long: &[bool], start: u32) -> Vec<u32> {
    let mut at = start;
    let mut offsets = Vec::with_capacity(pieces.len() + 1);
    for (piece, &long) in pieces.iter().zip(long) {
        offsets.push(at);
        at += size(piece, long, at);
    }
    offsets.push(at);
    offsets
}

fn label_offsets(pieces: &[Piece], offsets: &[u32]) -> BTreeMap<Label, u32> {
    pieces.iter().zip(offsets).filter_map(|(p, &o)| if let Piece::Label(l) = p { Some((*l, o)) } else { None }).collect()
}

fn emit(pieces: &[Piece], pool: &Pool, long: &[bool], offsets: &[u32], start: u32) -> Laid {
    let labels = label_offsets(pieces, offsets);
    let code_end = offsets[pieces.len()];
    let mut places = Vec::new();
    let mut at = code_end;
    for entry in &pool.entries {
        let (align, size) = match entry {
            Entry::Bytes { bytes, align } => (*align, bytes.len() as u32),
            Entry::Table(labels) => (4, labels.len() as u32 * 4),
            Entry::Record(..) => (4, record::SIZE as u32),
        };
        at = at.next_multiple_of(align);
        places.push(at);
        at += size;
    }
    let mut out = Emitter {
        ops: Vec::new(),
        run: Vec::new(),
        expected: Expected { start: 0, align: pool.align().max(16), ..Expected::default() },
        start,
    };
    for (index, piece) in pieces.iter().enumerate() {
        let offset = offsets[index];
        match piece {
            Piece::Label(_) => {}
            Piece::Raw { bytes, field } => {
                let mut bytes = bytes.clone();
                if let Some((field, pool)) = field {
                    let end = offset + bytes.len() as u32;
                    let distance = places[pool.0].wrapping_sub(end);
                    bytes[*field..*field + 4].copy_from_slice(&distance.to_le_bytes());
                }
                out.bytes(&bytes);
            }
            Piece::Inst { text, bytes, reloc } => {
                let reloc = reloc.as_ref().map(|(field, kind, symbol, addend)| ExpectedReloc {
                    offset: offset + *field as u32 - start,
                    kind: *kind,
                    symbol: symbol.clone(),
                    addend: *addend,
                });
                out.inst(text, bytes, reloc);
            }
            Piece::Branch { opcode, prefix, to } => {
                let end = offset + size(piece, long[index], offset);
                let distance = i64::from(labels[to]) - i64::from(end);
                let mut bytes = prefix.clone();
                match (prefix.is_empty(), long[index]) {
                    (false, _) => bytes.push(distance as i8 as u8),
                    (true, false) => bytes.extend([*opcode, distance as i8 as u8]),
                    (true, true) => {
                        if *opcode == 0xEB {
                            bytes.push(0xE9);
                        } else {
                            bytes.extend([0x0F, opcode + 0x10]);
                        }
                        bytes.extend((distance as i32).to_le_bytes());
                    }
                }
                out.bytes(&bytes);
            }
            Piece::Align(_) => out.bytes(&nops((offsets[index + 1] - offset) as usize)),
            Piece::Depth(depth) => {
                if out.expected.depths.last().map(|d| d.0) == Some(offset - start) {
                    out.expected.depths.pop();
                }
                out.expected.depths.push((offset - start, *depth));
            }
            Piece::Line(file, line) => {
                out.flush();
                out.ops.push(Op::Line(file.clone(), *line));
            }
        }
    }
    let mut at = code_end;
    if !pool.entries.is_empty() {
        out.flush();
        out.ops.push(Op::Comment("constants".into()));
    }
    for (entry, &place) in pool.entries.iter().zip(&places) {
        out.bytes(&vec![0xCC; (place - at) as usize]);
        match entry {
            Entry::Bytes { bytes, .. } => {
                out.bytes(bytes);
                at = place + bytes.len() as u32;
            }
            Entry::Table(targets) => {
                for to in targets {
                    out.bytes(&labels[to].wrapping_sub(place).to_le_bytes());
                }
                at = place + targets.len() as u32 * 4;
            }
            Entry::Record(record, pad) => {
                let distance = pad.map_or(0, |pad| labels[&pad].wrapping_sub(place).cast_signed());
                out.bytes(&record.bytes(distance));
                at = place + record::SIZE as u32;
            }
        }
    }
    out.flush();
    Laid { ops: out.ops, expected: out.expected, labels }
}

struct Emitter {
    ops: Vec<Op>,
    run: Vec<u8>,
    expected: Expected,
    start: u32,
}

impl Emitter {
    fn bytes(&mut self, bytes: &[u8]) {
        self.run.extend_from_slice(bytes);
        self.expected.bytes.extend_from_slice(bytes);
    }
    fn inst(&mut self, text: &str, bytes: &[u8], reloc: Option<ExpectedReloc>) {
        self.flush();
        self.ops.push(Op::Inst(text.to_owned()));
        self.expected.bytes.extend_from_slice(bytes);
        self.expected.relocs.extend(reloc);
    }
    fn flush(&mut self) {
        if !self.run.is_empty() {
            self.ops.push(Op::Bytes(std::mem::take(&mut self.run)));
        }
        debug_assert!(self.start < 1 << 16);
    }
}
