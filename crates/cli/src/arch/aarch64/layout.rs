//! Lays out a function, given as a list of pieces, for the assembly file. Computes the distances of branches, and emits the function's words.
//!
//! Lowering changes distances, because it gives the function another frame and other instructions for addresses. A branch keeps its form if it
//! reaches its target. Otherwise a conditional branch becomes the opposite branch over an unconditional one.

use super::insn::Insn;
use crate::goasm::{Expected, ExpectedReloc, Op, RefKind};
use std::collections::BTreeMap;

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
    /// A change of SP's depth in text order: from here on, SP is lower than on entry by this number of bytes. Recorded for verify.
    Depth(u32),
    /// A source file and line, for the code from here on.
    Line(String, u32),
}

/// The error for a branch that cannot reach its target.
#[derive(Debug)]
pub struct TooFar;

/// A function with its final layout.
pub struct Laid {
    pub ops: Vec<Op>,
    pub expected: Expected,
    /// The offset of each label, in bytes from the function's first byte.
    pub labels: BTreeMap<Label, u32>,
}

/// Encodes `b` with the distance 0.
const JUMP: u32 = 0x1400_0000;

/// Lays out `pieces` in order. Offset 0 is the function's first byte.
///
/// Fails if a branch does not reach its target and cannot be replaced: an unconditional branch over 128 MiB, or a branch without an opposite.
pub fn lay(pieces: &[Piece]) -> Result<Laid, TooFar> {
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
                Insn::new(*word).inverted().ok_or(TooFar)?;
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
                    let around = Insn::new(*word).inverted().and_then(|w| Insn::new(w).branch_to(8)).ok_or(TooFar)?;
                    out.word(around);
                    out.word(Insn::new(JUMP).branch_to(distance - 4).ok_or(TooFar)?);
                } else {
                    out.word(Insn::new(*word).branch_to(distance).ok_or(TooFar)?);
                }
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
    Ok(Laid { ops: out.ops, expected: out.expected, labels })
}

/// Returns the offset of each piece in the function, and the offset of the function's end.
fn offsets(pieces: &[Piece], long: &[bool]) -> Vec<u32> {
    let mut at = 0;
    let mut offsets = Vec::with_capacity(pieces.len() + 1);
    for (piece, &long) in pieces.iter().zip(long) {
        offsets.push(at);
        at += match piece {
            Piece::Word(_) => 4,
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
