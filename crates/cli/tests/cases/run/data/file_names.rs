//! Source files with names that mean something in a string.
//@ file rust/src/quo"te.rs: #[inline(never)]\npub fn quote(x: u64) -> u64 {\n    x.rotate_left(7) ^ 3\n}\n
//@ file rust/src/back\slash.rs: #[inline(never)]\npub fn slash(x: u64) -> u64 {\n    x.rotate_left(9) ^ 5\n}\n
#![no_std]

#[path = "quo\"te.rs"]
mod quote;
#[path = "back\\slash.rs"]
mod slash;

#[rustgo::export]
pub fn file_names(x: u64) -> u64 {
    quote::quote(x) ^ slash::slash(x)
}
