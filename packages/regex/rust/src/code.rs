//! Decodes the patterns that Go passes to Rust. Go's own parser parses a pattern, and `code.go` encodes the syntax tree, operands before operators.
//!
//! Each word has an operator in its low 8 bits and a number in its upper 24 bits. Some operators are followed by further words. `code.go` has the
//! same list of operators.

use regex_syntax::hir::{Capture, Class, ClassUnicode, ClassUnicodeRange, Hir, Look, Repetition};
use regex_syntax::utf8::Utf8Sequences;

pub const EMPTY: u32 = 0;
/// Operator: never matches, not even the empty string.
pub const FAIL: u32 = 1;
/// Operator: a literal. The word's upper 24 bits are the number of words that follow; each of these is a code point.
pub const LITERAL: u32 = 2;
/// Operator: a class of characters. The word's upper 24 bits are the number of ranges that follow, each as two words: first and last code point.
pub const CLASS: u32 = 3;
/// Operator: an assertion. The word's upper 24 bits are an index into [`LOOKS`].
pub const LOOK: u32 = 4;
/// Operator: a repetition. The word's upper 24 bits are 1 if it is greedy, else 0. Two words follow: least and largest count, or [`NO_LIMIT`].
pub const REPEAT: u32 = 5;
/// Operator: a group. The word's upper 24 bits are the group's number.
pub const CAPTURE: u32 = 6;
/// Operator: a concatenation. The word's upper 24 bits are the number of operands.
pub const CONCAT: u32 = 7;
/// Operator: an alternation. The word's upper 24 bits are the number of operands.
pub const ALTERNATE: u32 = 8;
/// Operator: the end of a pattern.
pub const END: u32 = 9;

pub const NO_LIMIT: u32 = u32::MAX;

pub const LOOKS: [Look; 6] = [Look::Start, Look::End, Look::StartLF, Look::EndLF, Look::WordAscii, Look::WordAsciiNegate];

/// The decoded patterns.
pub struct Patterns {
    pub hirs: Vec<Hir>,
    /// The largest of the patterns' values of `Empty`.
    pub empty: Empty,
    /// True if Go's engine and these engines may find different matches in text that is not UTF-8. Go reads each invalid byte as U+FFFD, with a
    /// character boundary on both sides. These engines match no invalid byte. So the matches may differ if a pattern can match U+FFFD, or the empty
    /// string between two bytes that are not ASCII.
    pub lossy: bool,
    /// An upper bound of the size in bytes of the automaton (NFA) of all patterns.
    pub size: u64,
}

/// The places at which a pattern may match the empty string. A concatenation has the smallest value of its parts, an alternation the largest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Empty {
    /// At most the two ends of the text, and places beside an ASCII byte. All these places are character boundaries, also for Go, which reads each
    /// invalid byte as a character.
    AtBoundaries,
    /// At most the places at which `\B` matches. Some of these places are inside characters.
    NoWordBoundary,
    /// Any place.
    Everywhere,
}

const REPLACEMENT: u32 = 0xfffd;

/// A decoded part of a pattern. `hir` is `None` if the part never matches.
///
/// A part that never matches does not become a part of a larger [`Hir`]. Such a part has no minimum length, and `regex_syntax` gives no minimum
/// length to an alternation that contains it. The crate's engines would then conclude that the alternation cannot match the empty string.
struct Operand {
    hir: Option<Hir>,
    empty: Empty,
    /// An upper bound of the size in bytes of the part's automaton.
    size: u64,
}

impl Operand {
    /// Makes an operand without operands of its own. `bytes` is at least the length of a literal, or the total length of a class's UTF-8 sequences.
    fn leaf(hir: Option<Hir>, empty: Empty, bytes: usize) -> Operand {
        Operand { hir, empty, size: OPERATOR_SIZE + bytes as u64 * BYTE_SIZE }
    }
}

/// An upper bound of the bytes that the builder of the automaton (NFA) needs for an operator or for the link to an operand: some states of 32 bytes.
const OPERATOR_SIZE: u64 = 256;

/// An upper bound of the bytes that the builder needs for a byte of a literal, or for a byte of a class's UTF-8 sequences: a state and a transition
/// of 8 bytes.
const BYTE_SIZE: u64 = 64;

/// Decodes patterns; returns `None` if the code is damaged.
pub fn decode(mut code: &[u32]) -> Option<Patterns> {
    let (mut hirs, mut operands) = (Vec::new(), Vec::<Operand>::new());
    let (mut empty, mut lossy, mut size) = (Empty::AtBoundaries, false, 0_u64);
    while let Some((&word, rest)) = code.split_first() {
        code = rest;
        let number = word >> 8;
        let operand = match word & 0xff {
            EMPTY => Operand::leaf(Some(Hir::empty()), Empty::Everywhere, 0),
            FAIL => Operand::leaf(None, Empty::AtBoundaries, 0),
            LITERAL => {
                let points = take(&mut code, number as usize)?;
                lossy |= points.contains(&REPLACEMENT);
                // No text contains a surrogate, so a literal with one never matches.
                let text: Option<String> = points.iter().map(|&c| char::from_u32(c)).collect();
                let empty = if points.is_empty() { Empty::Everywhere } else { Empty::AtBoundaries };
                Operand::leaf(text.map(|text| Hir::literal(text.into_bytes())), empty, 4 * points.len())
            }
            CLASS => {
                let pairs = take(&mut code, 2 * number as usize)?.chunks_exact(2);
                lossy |= pairs.clone().any(|pair| (pair[0]..=pair[1]).contains(&REPLACEMENT));
                let class = ClassUnicode::new(pairs.filter_map(|pair| range(pair[0], pair[1])));
                let sequences = class.ranges().iter().flat_map(|range| Utf8Sequences::new(range.start(), range.end()));
                let bytes = sequences.map(|sequence| sequence.len()).sum();
                Operand::leaf((bytes > 0).then(|| Hir::class(Class::Unicode(class))), Empty::AtBoundaries, bytes)
            }
            LOOK => {
                let look = *LOOKS.get(number as usize)?;
                let empty = if look == Look::WordAsciiNegate { Empty::NoWordBoundary } else { Empty::AtBoundaries };
                Operand::leaf(Some(Hir::look(look)), empty, 0)
            }
            REPEAT => {
                let (min, max) = (take(&mut code, 1)?[0], take(&mut code, 1)?[0]);
                let max = (max != NO_LIMIT).then_some(max);
                let Operand { hir, empty, size } = operands.pop()?;
                let hir = match hir {
                    Some(sub) => Some(Hir::repetition(Repetition { min, max, greedy: number == 1, sub: Box::new(sub) })),
                    None => (min == 0).then(Hir::empty),
                };
                let copies = u64::from(max.unwrap_or(min).max(min)) + 1;
                let size = copies.saturating_mul(size.saturating_add(OPERATOR_SIZE));
                Operand { hir, empty: if min == 0 { Empty::Everywhere } else { empty }, size }
            }
            CAPTURE => {
                let Operand { hir, empty, size } = operands.pop()?;
                let hir = hir.map(|sub| Hir::capture(Capture { index: number, name: None, sub: Box::new(sub) }));
                Operand { hir, empty, size: size.saturating_add(OPERATOR_SIZE) }
            }
            CONCAT => {
                let parts = operands.split_off(operands.len().checked_sub(number as usize)?);
                let empty = parts.iter().map(|part| part.empty).min().unwrap_or(Empty::Everywhere);
                let size = sum(&parts);
                let hirs: Option<Vec<Hir>> = parts.into_iter().map(|part| part.hir).collect();
                Operand { hir: hirs.map(Hir::concat), empty, size }
            }
            ALTERNATE => {
                let mut parts = operands.split_off(operands.len().checked_sub(number as usize)?);
                parts.retain(|part| part.hir.is_some());
                let empty = parts.iter().map(|part| part.empty).max().unwrap_or(Empty::AtBoundaries);
                let size = sum(&parts);
                let hirs: Vec<Hir> = parts.into_iter().filter_map(|part| part.hir).collect();
                Operand { hir: (!hirs.is_empty()).then(|| Hir::alternation(hirs)), empty, size }
            }
            END => {
                let pattern = operands.pop()?;
                if pattern.hir.is_some() {
                    empty = empty.max(pattern.empty);
                }
                size = size.saturating_add(pattern.size).saturating_add(OPERATOR_SIZE);
                hirs.push(pattern.hir.unwrap_or_else(Hir::fail));
                continue;
            }
            _ => return None,
        };
        operands.push(operand);
    }
    operands.is_empty().then_some(Patterns { hirs, empty, lossy: lossy || empty > Empty::AtBoundaries, size })
}

/// Returns an upper bound of the size in bytes of the automaton of a concatenation or alternation.
fn sum(parts: &[Operand]) -> u64 {
    parts.iter().fold(OPERATOR_SIZE, |sum, part| sum.saturating_add(part.size))
}

fn take<'a>(code: &mut &'a [u32], number: usize) -> Option<&'a [u32]> {
    let (words, rest) = code.split_at_checked(number)?;
    *code = rest;
    Some(words)
}

/// Returns the range without a surrogate at either end; `None` if only surrogates are left. No text contains surrogates.
fn range(first: u32, last: u32) -> Option<ClassUnicodeRange> {
    let first = char::from_u32(first).or((first < 0xe000).then_some('\u{e000}'))?;
    let last = char::from_u32(last.min(0x10_ffff)).unwrap_or('\u{d7ff}');
    (first <= last).then(|| ClassUnicodeRange::new(first, last))
}
