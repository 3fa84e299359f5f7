//! Nothing that Go passes may be kept.
#![allow(unused)]

type Forever = &'static [u8];
type ForeverText = &'static str;
type ForeverMut = &'static mut [u8; 4];

#[rustgo::export]
pub fn written(x: &'static [u8]) {}

#[rustgo::export]
pub fn hidden(x: Forever) {}

#[rustgo::export]
pub fn hidden_text(x: u8, text: ForeverText) {}

#[rustgo::export]
pub fn hidden_mut(x: ForeverMut) {}

#[rustgo::export]
pub fn undeclared(x: &'a [u8]) {}

#[rustgo::export]
pub fn undeclared_in_path(x: View<'b>, y: &[u8]) {}

pub struct View<'a>(&'a [u8]);

fn main() {}
