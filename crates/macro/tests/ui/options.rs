#![allow(unused)]

#[rustgo::export(nmae = "Sum")]
pub fn unknown() {}

#[rustgo::export(name)]
pub fn no_value() {}

#[rustgo::export(name = 1)]
pub fn no_text() {}

#[rustgo::export(stack = 65536)]
pub fn number() {}

#[rustgo::export(name = "A", name = "B")]
pub fn twice() {}

#[rustgo::export(stack = "1k", stack = "1k")]
pub fn stack_twice() {}

#[rustgo::export("Sum")]
pub fn bare() {}

#[rustgo::export(stack = "64kb")]
pub fn unit() {}

#[rustgo::export(stack = "")]
pub fn empty() {}

#[rustgo::export(stack = "0k")]
pub fn nothing() {}

#[rustgo::export(stack = "1024m")]
pub fn too_much() {}

#[rustgo::export(blocking = true)]
pub fn blocking_value() {}

#[rustgo::export(blocking, blocking)]
pub fn blocking_twice() {}

#[rustgo::export(blocking, blocking_over = 1)]
pub fn blocking_both(_: &[u8]) {}

#[rustgo::export(blocking_over)]
pub fn over_nothing(_: &[u8]) {}

#[rustgo::export(blocking_over = 0)]
pub fn over_zero(_: &[u8]) {}

#[rustgo::export(blocking_over = "64k")]
pub fn over_text(_: &[u8]) {}

#[rustgo::export(blocking_over = -1)]
pub fn over_negative(_: &[u8]) {}

#[rustgo::export(blocking_over = 4096u32)]
pub fn over_suffix(_: &[u8]) {}

#[rustgo::export(blocking_over = 1073741825)]
pub fn over_too_much(_: &[u8]) {}

#[rustgo::export(blocking_over(64))]
pub fn over_list(_: &[u8]) {}

#[rustgo::export(blocking_over = 64)]
pub fn over_no_parameters() {}

fn main() {}
