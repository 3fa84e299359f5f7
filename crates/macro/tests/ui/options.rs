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

fn main() {}
