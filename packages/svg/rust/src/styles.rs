//! The cost of style sheets. The crate simplecss parses them in a time that is quadratic in their length, copies the declarations of a rule for each of
//! its selectors, and matches selectors recursively, in a time that is exponential in the number of combinators.

use crate::error::{Failure, Reason};
use simplecss::StyleSheet;

/// The numbers of simplecss's steps, so that they take about a second.
const MOST_COPIES: u64 = 20_000_000;
const MOST_MATCHES: f64 = 1e9;
/// The most `+` in a selector: each is a level of recursion.
const MOST_SIBLINGS: usize = 256;

/// Parses style sheets. The second result is an estimate of the time for parsing each of them twice, which must not exceed `most`.
pub fn parse<'a>(sheets: impl Iterator<Item = &'a str>, most: u64) -> Result<(StyleSheet<'a>, u64), Failure> {
    let mut styles = StyleSheet::new();
    let mut nanoseconds = 0u64;
    for sheet in sheets {
        let count = |byte| memchr(byte, sheet);
        let (selectors, declarations) = (count(b'{') + count(b','), count(b':'));
        let sorted = styles.rules.len() as u64;
        nanoseconds = nanoseconds.saturating_add(3 * selectors * sheet.len() as u64 + 50 * sorted);
        if nanoseconds > most || selectors.saturating_mul(declarations) > MOST_COPIES {
            return Err(Failure::new(Reason::TooLarge, "the style sheets are too long"));
        }
        styles.parse_more(sheet);
    }
    Ok((styles, nanoseconds))
}

fn memchr(byte: u8, text: &str) -> u64 {
    text.bytes().filter(|other| *other == byte).count() as u64
}

/// Returns an error if matching all selectors with elements at a depth would take too long.
pub fn check(styles: &StyleSheet<'_>, elements: usize, depth: u64) -> Result<(), Failure> {
    let mut steps = 0.0;
    for rule in &styles.rules {
        let text = rule.selector.to_string();
        let siblings = text.matches(" + ").count();
        let children = text.matches(" > ").count();
        let descendants = text.matches(' ').count().saturating_sub(2 * (siblings + children));
        // The number of ways to choose that many of an element's ancestors.
        let choose = |ways: f64, i: usize| (ways * depth.saturating_sub(i as u64) as f64 / (i + 1) as f64).max(1.0);
        steps += elements as f64 * (0..descendants.min(64)).fold(1.0, choose);
        if siblings > MOST_SIBLINGS || steps > MOST_MATCHES {
            return Err(Failure::new(Reason::TooLarge, "the selectors of the style sheets are too many or too long"));
        }
    }
    Ok(())
}
