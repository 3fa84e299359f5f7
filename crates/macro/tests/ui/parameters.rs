#![allow(unused)]

use std::rc::Rc;

#[rustgo::export]
pub fn owned(c: Box<u8>, d: Rc<u8>, e: Option<u8>, f: Option<String>, g: Option<Vec<u8>>) {}

#[rustgo::export]
pub fn wide(a: u128, b: i128) {}

#[rustgo::export]
pub fn references(c: &Vec<u8>, d: &mut Vec<u32>, e: &String) {}

#[rustgo::export]
pub fn more_references(f: &&str, g: &mut str, h: &Box<[u8]>, i: &(u8, u8)) {}

#[rustgo::export]
pub fn opaque(a: impl Fn(), b: &dyn Fn(), c: fn(u8), d: *const u8, e: *mut [u8; 4], f: &impl Copy) {}

#[rustgo::export]
pub fn by_value(b: (u8, u8), d: ()) {}

#[rustgo::export]
pub fn elements(a: &[Vec<u8>], b: &[&[u8]], c: &mut [[String; 2]], d: &[u128; 2], e: &[(u8, u8)]) {}

#[rustgo::export]
pub fn paths(b: ::std::option::Option<u8>, c: &alloc::vec::Vec<u8>, d: core::primitive::u128) {}

#[rustgo::export]
pub fn results(a: Result<u8, ()>, b: std::io::Result<u8>, c: std::borrow::Cow<str>) {}

#[rustgo::export]
pub fn optional(a: Option<&String>, b: Option<&str>, c: Option<&[u8]>, d: Option<&mut Vec<u8>>) {}

#[rustgo::export]
pub fn lists(a: &[String], b: &[&str], c: &[Option<u8>], d: Vec<Vec<u8>>, h: Vec<[String; 2]>, e: Vec<&str>, f: Vec<(u8, u8)>, g: Vec<Option<u8>>) {}

#[rustgo::export]
pub fn maps(a: std::collections::HashMap<u8, u8>, b: &std::collections::BTreeSet<u8>) {}

#[rustgo::export]
pub fn appends(a: &mut rustgo::Append<u8>, b: u8, c: &mut rustgo::Append<u16>) {}

#[rustgo::export]
pub fn append_by_value(a: rustgo::Append<u8>, b: &rustgo::Append<u8>) {}

#[rustgo::export]
pub fn views(a: &rustgo::Strs<'_>, d: Option<rustgo::Strs<'_>>) {}

#[rustgo::export]
pub fn grown(a: &mut String, b: &mut Vec<String>) {}

#[rustgo::export]
pub fn callbacks(a: impl FnMut(u8) -> bool, b: &mut dyn FnMut(), c: Box<dyn Fn(&str) + Send>, d: Option<fn()>) {}

#[rustgo::export]
pub fn generic_callbacks<F: Fn(u8), G>(a: F, b: G)
where
    G: FnOnce(),
{
}

#[rustgo::export]
pub fn more_traits(a: impl Iterator<Item = u8>, b: impl IntoIterator<Item = u8>, c: impl AsRef<str>) {}

#[rustgo::export]
pub fn objects(a: &[&Regex], b: Vec<&Regex>) {}

pub struct Regex;

fn main() {}
