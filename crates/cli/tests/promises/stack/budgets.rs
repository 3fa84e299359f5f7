//! Recursive exports that can exhaust their stack budgets.
#![no_std]

use core::hint::black_box;

/// Recurse recurses n levels deep.
#[rustgo::export(stack = "32k")]
pub fn recurse(n: u64) -> u64 {
    level(n)
}

#[inline(never)]
fn level(n: u64) -> u64 {
    if n == 0 {
        return 0;
    }
    let mut local = [n; 8];
    black_box(&mut local);
    level(n - 1) + local[3] / n
}

/// Larger does what Recurse does, with a larger budget.
#[rustgo::export(stack = "60k")]
pub fn larger(n: u64) -> u64 {
    level(n)
}

/// Nested counts how deeply brackets are nested, as a parser would.
#[rustgo::export(stack = "16k")]
pub fn nested(text: &[u8]) -> u64 {
    parse(text).0
}

#[inline(never)]
fn parse(text: &[u8]) -> (u64, &[u8]) {
    match text {
        [b'[', rest @ ..] => {
            let (depth, rest) = parse(rest);
            (depth + 1, rest.get(1..).unwrap_or_default())
        }
        _ => (0, text),
    }
}

/// Slice panics if n is not at a character boundary. The code that formats this panic's message recurses.
#[rustgo::export]
pub fn slice(text: &str, n: u64) -> u64 {
    text[n as usize..].len() as u64
}
