//! Constants that the attribute must refuse.
#![allow(unused)]

use std::sync::atomic::AtomicU8;

pub struct Other(u8);

type Text = &'static str;

#[rustgo::export]
pub static mut CHANGES: u8 = 1;

#[rustgo::export]
pub const OTHER: Other = Other(1);

#[rustgo::export]
pub const REFERENCE: &u8 = &1;

#[rustgo::export]
pub const SLICE: &[u8] = &[1];

#[rustgo::export]
pub const TEXTS: [&str; 2] = ["", ""];

#[rustgo::export]
pub const HIDDEN: Text = "";

#[rustgo::export]
pub const WIDE: u128 = 1;

#[rustgo::export]
pub const PAIR: (u8, u8) = (1, 2);

#[rustgo::export]
pub const OPTION: Option<u8> = None;

#[rustgo::export]
pub const OWNED: String = String::new();

#[rustgo::export]
pub static ATOMIC: AtomicU8 = AtomicU8::new(1);

#[rustgo::export]
const _: u8 = 1;

#[rustgo::export]
pub const _1: u8 = 1;

#[rustgo::export(stack = "4k")]
pub const OPTIONS: u8 = 1;

#[rustgo::export(name = "Not a name")]
pub const NAMED: u8 = 1;

fn main() {}
