//! Lays out a function, given as a list of pieces, for the assembly file. Computes the distances of branches. Emits the function's words, and then
//! the records of its calls that may unwind.
//!
//! Lowering changes distances, because it gives the function another frame and other instructions for addresses. A branch keeps its form if it
//! reaches its target. Otherwise a conditional branch becomes the opposite branch over an unconditional one.

use super::insn::Insn;
use super::record::{self, Record};
use crate::goasm::{Expected, ExpectedReloc, Op, RefKind};
use std::collections::{BTreeMap, HashMap};

/// The number of a place in the function, as the target of branches.
pub type Label = usize;

/// One element of the function that is laid out.
#[derive(Clone, Debug)]
pub enum Piece {
    /// The start of a basic block, a possible target of branches.
    Label(Label),
    /// An instruction word that does not depend on its place.
    Word(u32),
    /// An instruction in Go's assembly language, and the words that the assembler must make of it. `reloc` has the kind, symbol and addend of
    /// the relocation at the first word.
    Inst { text: String, words: Vec<u32>, reloc: Option<(RefKind, String, i64)> },
    /// A branch to a label. The layout fills in the distance.
    Branch { word: u32, to: Label },
    /// The mark of a call that may unwind: an instruction without effect that encodes the distance to the call's record. The layout fills in the
    /// distance.
    Mark(RecordRef),
    /// A change of SP's depth in text order: from here on, SP is lower than on entry by this number of bytes. Verify checks the depths.
    Depth(u32),
    /// A source file and line, for the code from here on.
    Line(String, u32),
}

/// The number of a record after the function's code.
#[derive(Clone, Copy, Debug)]
pub struct RecordRef(usize);

/// The records after the function's code. If two calls have equal records, and the same landing pad or none, the two calls share one record.
#[derive(Debug, Default)]
pub struct Records {
    entries: Vec<(Record, Option<Label>)>,
    known: HashMap<(Record, Option<Label>), usize>,
}

impl Records {
    /// Adds the record of a call, with its landing pad.
    pub fn add(&mut self, record: Record, pad: Option<Label>) -> RecordRef {
        let next = self.entries.len();
        let at = *self.known.entry((record, pad)).or_insert(next);
        if at == next {
            self.entries.push((record, pad));
        }
        RecordRef(at)
    }
}

/// The error for a distance that is too large for the instruction that encodes it. The variant says what lies at this distance.
#[derive(Debug)]
pub enum TooFar {
    /// The target of a branch.
    Branch,
    /// The record of a call that may unwind.
    Record,
}

impl TooFar {
    /// Returns the reason to refuse the function. It continues a sentence that begins with the function's name.
    pub fn reason(self) -> &'static str {
        match self {
            TooFar::Branch => "has a branch whose target would be out of reach",
            TooFar::Record => "is larger than 1 MiB and makes a call that may unwind",
        }
    }
}

/// A function with its final layout.
pub struct Laid {
    pub ops: Vec<Op>,
    pub expected: Expected,
    /// The offset of each label, in bytes from the function's first byte.
    pub labels: BTreeMap<Label, u32>,
}

/// Encodes `b` with the distance 0.
const JUMP: u32 = 0x1400_0000;

/// Lays out `pieces` in order, and `records` after them. Offset 0 is the function's first byte.
///
/// Fails if a branch does not reach its target and has no replacement: an unconditional branch over more than 128 MiB, or a branch without an
/// opposite. Fails too if a record is 1 MiB or more away from its call.
pub fn lay(pieces: &[Piece], records: &Records) -> Result<Laid, TooFar> {
    let mut long = vec![false; pieces.len()];
    // Branches start short and never shrink, so the loop ends.
    let (offsets, labels) = loop {
        let offsets = offsets(pieces, &long);
        let labels: BTreeMap<Label, u32> =
            pieces.iter().zip(&offsets).filter_map(|(p, &o)| if let Piece::Label(l) = p { Some((*l, o)) } else { None }).collect();
        let mut grown = false;
        for (at, piece) in pieces.iter().enumerate() {
            if let Piece::Branch { word, to } = piece
                && !long[at]
                && Insn::new(*word).branch_to(i64::from(labels[to]) - i64::from(offsets[at])).is_none()
            {
                Insn::new(*word).inverted().ok_or(TooFar::Branch)?;
                long[at] = true;
                grown = true;
            }
        }
        if !grown {
            break (offsets, labels);
        }
    };
    let mut out = Emitter::default();
    for (at, piece) in pieces.iter().enumerate() {
        let offset = offsets[at];
        match piece {
            Piece::Label(_) => {}
            Piece::Word(word) => out.word(*word),
            Piece::Inst { text, words, reloc } => {
                out.flush();
                out.ops.push(Op::Inst(text.clone()));
                out.expected.relocs.extend(reloc.iter().map(|(kind, symbol, addend)| ExpectedReloc {
                    offset,
                    kind: *kind,
                    symbol: symbol.clone(),
                    addend: *addend,
                }));
                out.expected.bytes.extend(words.iter().flat_map(|w| w.to_le_bytes()));
            }
            Piece::Branch { word, to } => {
                let distance = i64::from(labels[to]) - i64::from(offset);
                if long[at] {
                    let around = Insn::new(*word).inverted().and_then(|w| Insn::new(w).branch_to(8)).ok_or(TooFar::Branch)?;
                    out.word(around);
                    out.word(Insn::new(JUMP).branch_to(distance - 4).ok_or(TooFar::Branch)?);
                } else {
                    out.word(Insn::new(*word).branch_to(distance).ok_or(TooFar::Branch)?);
                }
            }
            Piece::Mark(record) => {
                let place = offsets[pieces.len()] as usize + record.0 * record::SIZE;
                out.word(record::mark(place as i64 - i64::from(offset)).ok_or(TooFar::Record)?);
            }
            Piece::Depth(depth) => {
                if out.expected.depths.last().map(|d| d.0) == Some(offset) {
                    out.expected.depths.pop();
                }
                out.expected.depths.push((offset, *depth));
            }
            Piece::Line(file, line) => {
                out.flush();
                out.ops.push(Op::Line(file.clone(), *line));
            }
        }
    }
    out.flush();
    if !records.entries.is_empty() {
        out.ops.push(Op::Comment("records of calls that may unwind".into()));
    }
    for (record, pad) in &records.entries {
        let place = out.expected.bytes.len() as u32;
        let distance = pad.map_or(0, |pad| labels[&pad].wrapping_sub(place).cast_signed());
        record.bytes(distance).as_chunks().0.iter().for_each(|&word| out.word(u32::from_le_bytes(word)));
    }
    out.flush();
    Ok(Laid { ops: out.ops, expected: out.expected, labels })
}

/// Returns the offset of each piece in the function, and the offset of the function's end.
fn offsets(pieces: &[Piece], long: &[bool]) -> Vec<u32> {
    let mut at = 0;
    let mut offsets = Vec::with_capacity(pieces.len() + 1);
    for (piece, &long) in pieces.iter().zip(long) {
        offsets.push(at);
        at += match piece {
            Piece::Word(_) | Piece::Mark(_) => 4,
            Piece::Inst { words, .. } => words.len() as u32 * 4,
            Piece::Branch { .. } => {
                if long {
                    8
                } else {
                    4
                }
            }
            Piece::Label(_) | Piece::Depth(_) | Piece::Line(..) => 0,
        };
    }
    offsets.push(at);
    offsets
}

#[derive(Default)]
struct Emitter {
    ops: Vec<Op>,
    run: Vec<u32>,
    expected: Expected,
}

impl Emitter {
    fn word(&mut self, word: u32) {
        self.run.push(word);
        self.expected.bytes.extend(word.to_le_bytes());
    }
    fn flush(&mut self) {
        if !self.run.is_empty() {
            self.ops.push(Op::Words(std::mem::take(&mut self.run)));
        }
    }
}
