//! Types that the compiler must refuse in Go interfaces, and traits that it must refuse as Go values.
#![allow(unused)]

use rustgo::{Go, GoError, OwnedGo};
use std::io::Error;

pub struct Unknown(u8);

#[rustgo::interface]
pub trait Parameters {
    fn unknown(&self, x: Unknown);
}

#[rustgo::interface]
pub trait Results {
    fn reference(&self) -> Result<u8, Error>;
}

pub trait Plain {
    fn f(&self);
}

#[rustgo::interface]
pub trait Shared: Send + Sync {
    fn f(&self);
}

#[rustgo::export]
pub fn plain(x: Go<'_, dyn Plain>) {}

#[rustgo::export]
pub fn owned(x: OwnedGo<dyn Plain>) {}

#[rustgo::export]
pub fn shared(x: Go<'_, dyn Shared>) {}

#[rustgo::export]
pub fn bare(x: &dyn Shared) {}

#[rustgo::export]
pub fn boxed(x: Box<dyn Shared>) {}

fn main() {}
