//! Names that vet does not read in assembly, and characters in comments that Go's tools refuse or that change how text is displayed.
#![no_std]

/// Adds the sizes 'größe' and 'arg1'.
#[doc = "\u{feff}NUL is \0, this is \u{202e}not turned\u{202c}."]
#[rustgo::export(name = "GrößenSumme")]
pub fn sum(größe: u32, 大小: &[u8], arg1: u64) -> u64 {
    u64::from(größe) + 大小.len() as u64 + arg1
}
