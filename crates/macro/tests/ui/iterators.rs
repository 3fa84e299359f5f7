//! Functions with iterators as results that the attribute must refuse.
#![allow(unused)]

use rustgo::{Append, Slices, Strs};
use std::rc::Rc;

pub struct Other;

#[derive(Clone, Copy, rustgo::Value)]
#[repr(C)]
pub struct Point {
    pub x: u8,
}

#[rustgo::export]
pub fn other() -> impl Iterator<Item = Other> {
    std::iter::empty()
}

#[rustgo::export]
pub fn pair() -> impl Iterator<Item = (u8, Other)> {
    std::iter::empty()
}

#[rustgo::export]
pub fn triple() -> impl Iterator<Item = (u8, u8, u8)> {
    std::iter::empty()
}

#[rustgo::export]
pub fn optional() -> impl Iterator<Item = Option<u8>> {
    std::iter::empty()
}

#[rustgo::export]
pub fn references(x: &str) -> impl Iterator<Item = &u8> {
    x.as_bytes().iter()
}

#[rustgo::export]
pub fn nothing() -> impl Iterator {
    std::iter::empty::<u8>()
}

#[rustgo::export]
pub fn dynamic() -> Box<dyn Iterator<Item = u8>> {
    Box::new(std::iter::empty())
}

#[rustgo::export]
pub fn not_send() -> impl Iterator<Item = u8> {
    let shared = Rc::new(1);
    std::iter::from_fn(move || Some(*shared))
}

#[rustgo::export]
pub fn fallible() -> Result<impl Iterator<Item = u8>, std::fmt::Error> {
    Ok(std::iter::empty())
}

#[rustgo::export]
pub fn optional_iterator() -> Option<impl Iterator<Item = u8>> {
    Some(std::iter::empty())
}

#[rustgo::export]
pub fn results() -> impl Iterator<Item = Result<u8, std::fmt::Error>> {
    std::iter::empty()
}

#[rustgo::export]
pub fn pairs_of_results() -> impl Iterator<Item = (u8, Result<u8, std::fmt::Error>)> {
    std::iter::empty()
}

#[rustgo::export]
pub fn dynamic_pairs<'a>() -> Box<dyn Iterator<Item = (u8, &'a str)> + Send + 'a> {
    Box::new(std::iter::empty())
}

// Refused, because Go can change the borrowed memory while the iterator lives.
#[rustgo::export]
pub fn slice(xs: &[u8]) -> impl Iterator<Item = u8> {
    xs.iter().copied()
}

#[rustgo::export]
pub fn changed<'a>(xs: &'a mut [u8]) -> impl Iterator<Item = u8> + use<'a> {
    xs.iter().copied()
}

#[rustgo::export]
pub fn pointer(number: u8, point: &Point) -> impl Iterator<Item = u8> {
    std::iter::once(point.x)
}

#[rustgo::export]
pub fn texts(texts: Strs<'_>) -> impl Iterator<Item = &str> {
    texts.iter()
}

#[rustgo::export]
pub fn slices(slices: Slices<'_, char>) -> impl Iterator<Item = char> {
    slices.iter().flatten().copied()
}

#[rustgo::export]
pub fn appended(dst: &mut Append<u8>) -> impl Iterator<Item = u8> {
    std::iter::empty()
}

#[rustgo::export(results(one, two))]
pub fn named(x: &str) -> impl Iterator<Item = u8> {
    std::iter::empty()
}

mod my {
    pub trait Iterator {
        type Item;
    }
}

pub struct Both;

impl my::Iterator for Both {
    type Item = u8;
}

impl Iterator for Both {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        None
    }
}

#[rustgo::export]
pub fn two_item_types() -> impl my::Iterator<Item = u8> + Iterator<Item = u64> {
    Both
}

fn main() {}
