//! Names that vet does not read in assembly, and characters that Go does not read in comments, or that make them read otherwise.
#![no_std]

/// Adds the sizes 'größe' and 'arg1'.
#[doc = "\u{feff}NUL is \0, this is \u{202e}not turned\u{202c}."]
#[rustgo::export(name = "GrößenSumme")]
pub fn sum(größe: u32, 大小: &[u8], arg1: u64) -> u64 {
    u64::from(größe) + 大小.len() as u64 + arg1
}
