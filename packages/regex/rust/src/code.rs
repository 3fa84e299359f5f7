//! Decodes the patterns that Go passes: Go's own parser parses them, and `code.go` encodes the tree, operands before operators.
//!
//! A word holds an operator in its low 8 bits and a number in the other bits. `code.go` has the same list of operators.

use regex_syntax::hir::{Capture, Class, ClassUnicode, ClassUnicodeRange, Hir, Look, Repetition};

pub const EMPTY: u32 = 0;
/// Matches nothing.
pub const FAIL: u32 = 1;
/// The number of words that follow: code points.
pub const LITERAL: u32 = 2;
/// The number of pairs of words that follow: the first and the last code point of a range.
pub const CLASS: u32 = 3;
/// The index into [`LOOKS`].
pub const LOOK: u32 = 4;
/// 1 if the repetition is greedy, else 0. Two words follow: the least and the largest count, [`NO_LIMIT`] if there is no largest one.
pub const REPEAT: u32 = 5;
/// The number of the group.
pub const CAPTURE: u32 = 6;
/// The number of operands.
pub const CONCAT: u32 = 7;
/// The number of operands.
pub const ALTERNATE: u32 = 8;
/// The end of a pattern.
pub const END: u32 = 9;

pub const NO_LIMIT: u32 = u32::MAX;

pub const LOOKS: [Look; 6] = [Look::Start, Look::End, Look::StartLF, Look::EndLF, Look::WordAscii, Look::WordAsciiNegate];

/// What a code says.
pub struct Patterns {
    pub hirs: Vec<Hir>,
    /// Where the patterns match the empty string: the largest value of any of them.
    pub empty: Empty,
    /// Whether Go's engine and these engines may find different matches in text that is not UTF-8. Go reads each invalid byte as U+FFFD, with a
    /// character boundary on both sides; these engines match no invalid byte. The matches may differ if a pattern can match U+FFFD, or the
    /// empty string between two bytes that are not ASCII.
    pub lossy: bool,
}

/// Where a pattern matches the empty string. Of two parts in sequence the smaller value counts, of two alternatives the larger.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Empty {
    /// Nowhere, or only at an end of the text or beside an ASCII byte. Each of these places is a character boundary, for Go too.
    AtBoundaries,
    /// Where `\B` matches, which includes places inside characters.
    NoWordBoundary,
    /// Everywhere.
    Everywhere,
}

const REPLACEMENT: u32 = 0xfffd;

/// An operand; `None` is a pattern that matches nothing.
///
/// No such pattern is part of a larger [`Hir`]: `regex_syntax` gives an alternation no minimum length if one of the alternatives has none, and
/// then the alternation looks as if it could not match the empty string.
type Operand = (Option<Hir>, Empty);

/// Decodes patterns; returns `None` if the code is damaged.
pub fn decode(mut code: &[u32]) -> Option<Patterns> {
    let (mut hirs, mut operands) = (Vec::new(), Vec::<Operand>::new());
    let (mut empty, mut lossy) = (Empty::AtBoundaries, false);
    while let Some((&word, rest)) = code.split_first() {
        code = rest;
        let number = word >> 8;
        let operand = match word & 0xff {
            EMPTY => (Some(Hir::empty()), Empty::Everywhere),
            FAIL => (None, Empty::AtBoundaries),
            LITERAL => {
                let points = take(&mut code, number as usize)?;
                lossy |= points.contains(&REPLACEMENT);
                // A surrogate is in no text, so the literal matches nothing.
                let text: Option<String> = points.iter().map(|&c| char::from_u32(c)).collect();
                let empty = if points.is_empty() { Empty::Everywhere } else { Empty::AtBoundaries };
                (text.map(|text| Hir::literal(text.into_bytes())), empty)
            }
            CLASS => {
                let pairs = take(&mut code, 2 * number as usize)?.chunks_exact(2);
                lossy |= pairs.clone().any(|pair| (pair[0]..=pair[1]).contains(&REPLACEMENT));
                let class = ClassUnicode::new(pairs.filter_map(|pair| range(pair[0], pair[1])));
                ((!class.ranges().is_empty()).then(|| Hir::class(Class::Unicode(class))), Empty::AtBoundaries)
            }
            LOOK => {
                let look = *LOOKS.get(number as usize)?;
                (Some(Hir::look(look)), if look == Look::WordAsciiNegate { Empty::NoWordBoundary } else { Empty::AtBoundaries })
            }
            REPEAT => {
                let (min, max) = (take(&mut code, 1)?[0], take(&mut code, 1)?[0]);
                let (sub, empty) = operands.pop()?;
                let max = (max != NO_LIMIT).then_some(max);
                match sub {
                    None if min == 0 => (Some(Hir::empty()), Empty::Everywhere),
                    None => (None, empty),
                    Some(sub) => {
                        let repetition = Repetition { min, max, greedy: number == 1, sub: Box::new(sub) };
                        (Some(Hir::repetition(repetition)), if min == 0 { Empty::Everywhere } else { empty })
                    }
                }
            }
            CAPTURE => {
                let (sub, empty) = operands.pop()?;
                (sub.map(|sub| Hir::capture(Capture { index: number, name: None, sub: Box::new(sub) })), empty)
            }
            CONCAT => {
                let parts = operands.split_off(operands.len().checked_sub(number as usize)?);
                let empty = parts.iter().map(|part| part.1).min().unwrap_or(Empty::Everywhere);
                let hirs: Option<Vec<Hir>> = parts.into_iter().map(|part| part.0).collect();
                (hirs.map(Hir::concat), empty)
            }
            ALTERNATE => {
                let parts = operands.split_off(operands.len().checked_sub(number as usize)?);
                let empty = parts.iter().filter(|part| part.0.is_some()).map(|part| part.1).max().unwrap_or(Empty::AtBoundaries);
                let hirs: Vec<Hir> = parts.into_iter().filter_map(|part| part.0).collect();
                ((!hirs.is_empty()).then(|| Hir::alternation(hirs)), empty)
            }
            END => {
                let (hir, end) = operands.pop()?;
                if hir.is_some() {
                    empty = empty.max(end);
                }
                hirs.push(hir.unwrap_or_else(Hir::fail));
                continue;
            }
            _ => return None,
        };
        operands.push(operand);
    }
    operands.is_empty().then_some(Patterns { hirs, empty, lossy: lossy || empty > Empty::AtBoundaries })
}

fn take<'a>(code: &mut &'a [u32], number: usize) -> Option<&'a [u32]> {
    let (words, rest) = code.split_at_checked(number)?;
    *code = rest;
    Some(words)
}

/// The range without the surrogates: no text contains them.
fn range(first: u32, last: u32) -> Option<ClassUnicodeRange> {
    let first = char::from_u32(first).or((first < 0xe000).then_some('\u{e000}'))?;
    let last = char::from_u32(last.min(0x10_ffff)).unwrap_or('\u{d7ff}');
    (first <= last).then(|| ClassUnicodeRange::new(first, last))
}
