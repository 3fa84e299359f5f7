#![allow(unused)]

use std::rc::Rc;

#[rustgo::export]
pub fn owned(a: Vec<u8>, b: String, c: Box<u8>, d: Rc<u8>, e: Option<u8>, f: std::vec::Vec<[u8; 4]>) {}

#[rustgo::export]
pub fn wide(a: u128, b: i128) {}

#[rustgo::export]
pub fn references(a: &u64, b: &mut u64, c: &Vec<u8>, d: &mut Vec<u32>, e: &String) {}

#[rustgo::export]
pub fn more_references(f: &&str, g: &mut str, h: &Box<[u8]>, i: &(u8, u8)) {}

#[rustgo::export]
pub fn opaque(a: impl Fn(), b: &dyn Fn(), c: fn(u8), d: *const u8, e: *mut [u8; 4], f: &impl Copy) {}

#[rustgo::export]
pub fn by_value(a: [u8; 4], b: (u8, u8), d: ()) {}

#[rustgo::export]
pub fn elements(a: &[Vec<u8>], b: &[&[u8]], c: &mut [[String; 2]], d: &[u128; 2], e: &[(u8, u8)]) {}

#[rustgo::export]
pub fn paths(a: std::string::String, b: ::std::option::Option<u8>, c: &alloc::vec::Vec<u8>, d: core::primitive::u128) {}

#[rustgo::export]
pub fn results(a: Result<u8, ()>, b: std::io::Result<u8>, c: std::borrow::Cow<str>) {}

#[rustgo::export]
pub fn optional(a: Option<&[u8; 4]>, b: Option<&str>) {}

fn main() {}
