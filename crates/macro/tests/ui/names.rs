#![allow(unused)]

#[rustgo::export]
pub fn _1() {}

#[rustgo::export]
pub fn 数() {}

#[rustgo::export(name = "_sum")]
pub fn underscore() {}

#[rustgo::export(name = "")]
pub fn empty() {}

#[rustgo::export(name = "Sum Up")]
pub fn not_an_identifier() {}

#[rustgo::export(name = "9Lives")]
pub fn digit() {}

fn main() {}
