//! Patterns as Go hands them over: Go's own parser has read them, and a Go function has written the tree down, operands before operators.
//!
//! A word is an operator in its low 8 bits and a number in the others. The list of operators is the same in `code.go`.

use regex_syntax::hir::{Capture, Class, ClassUnicode, ClassUnicodeRange, Hir, Look, Repetition};

pub const EMPTY: u32 = 0;
/// Matches nothing.
pub const FAIL: u32 = 1;
/// So many words follow: code points.
pub const LITERAL: u32 = 2;
/// So many pairs of words follow: the first and the last code point of a range.
pub const CLASS: u32 = 3;
/// The number says which: [`LOOKS`].
pub const LOOK: u32 = 4;
/// The number is 1 if it prefers more; two words follow: the least and the most, [`NO_LIMIT`] if there is none.
pub const REPEAT: u32 = 5;
/// The number is that of the group.
pub const CAPTURE: u32 = 6;
/// So many operands.
pub const CONCAT: u32 = 7;
/// So many operands.
pub const ALTERNATE: u32 = 8;
/// The end of a pattern.
pub const END: u32 = 9;

pub const NO_LIMIT: u32 = u32::MAX;

pub const LOOKS: [Look; 6] = [Look::Start, Look::End, Look::StartLF, Look::EndLF, Look::WordAscii, Look::WordAsciiNegate];

pub struct Patterns {
    pub hirs: Vec<Hir>,
    /// Whether a byte that is not UTF-8 can make a difference, which Go takes for U+FFFD and the engines for nothing: if U+FFFD
    /// can be matched, or the empty string, which is behind such a byte too.
    pub lossy: bool,
}

const REPLACEMENT: u32 = 0xfffd;

/// The patterns of a code; `None` if it is none.
pub fn decode(mut code: &[u32]) -> Option<Patterns> {
    let (mut hirs, mut operands) = (Vec::new(), Vec::<Hir>::new());
    let mut lossy = false;
    while let Some((&word, rest)) = code.split_first() {
        code = rest;
        let number = word >> 8;
        let hir = match word & 0xff {
            EMPTY => Hir::empty(),
            FAIL => Hir::fail(),
            LITERAL => {
                let points = take(&mut code, number as usize)?;
                lossy |= points.contains(&REPLACEMENT);
                let text: Option<String> = points.iter().map(|&c| char::from_u32(c)).collect();
                // A surrogate is in no text.
                text.map_or(Hir::fail(), |text| Hir::literal(text.into_bytes()))
            }
            CLASS => {
                let pairs = take(&mut code, 2 * number as usize)?.chunks_exact(2);
                lossy |= pairs.clone().any(|pair| (pair[0]..=pair[1]).contains(&REPLACEMENT));
                Hir::class(Class::Unicode(ClassUnicode::new(pairs.filter_map(|pair| range(pair[0], pair[1])))))
            }
            LOOK => Hir::look(*LOOKS.get(number as usize)?),
            REPEAT => {
                let (min, max) = (take(&mut code, 1)?[0], take(&mut code, 1)?[0]);
                let max = (max != NO_LIMIT).then_some(max);
                Hir::repetition(Repetition { min, max, greedy: number == 1, sub: Box::new(operands.pop()?) })
            }
            CAPTURE => Hir::capture(Capture { index: number, name: None, sub: Box::new(operands.pop()?) }),
            CONCAT => Hir::concat(operands.split_off(operands.len().checked_sub(number as usize)?)),
            ALTERNATE => Hir::alternation(operands.split_off(operands.len().checked_sub(number as usize)?)),
            END => {
                let hir = operands.pop()?;
                lossy |= hir.properties().minimum_len() == Some(0);
                hirs.push(hir);
                continue;
            }
            _ => return None,
        };
        operands.push(hir);
    }
    operands.is_empty().then_some(Patterns { hirs, lossy })
}

fn take<'a>(code: &mut &'a [u32], number: usize) -> Option<&'a [u32]> {
    let (words, rest) = code.split_at_checked(number)?;
    *code = rest;
    Some(words)
}

/// The range without the surrogates, which are in no text.
fn range(first: u32, last: u32) -> Option<ClassUnicodeRange> {
    let first = char::from_u32(first).or((first < 0xe000).then_some('\u{e000}'))?;
    let last = char::from_u32(last.min(0x10_ffff)).unwrap_or('\u{d7ff}');
    (first <= last).then(|| ClassUnicodeRange::new(first, last))
}
