//! Traits that must be refused as Go interfaces.
#![allow(unused)]

use rustgo::{Go, GoError, OwnedGo};
use std::fmt::Display;

#[rustgo::interface]
pub struct NoTrait;

#[rustgo::interface]
pub fn function() {}

#[rustgo::interface]
pub trait Empty {}

#[rustgo::interface]
pub trait OnlyBodies {
    fn body(&self) {}
}

#[rustgo::interface]
pub unsafe trait Unsafe {
    fn f(&self);
}

#[rustgo::interface]
pub trait Generic<T> {
    fn f(&self) -> u8;
}

#[rustgo::interface]
pub trait Borrows<'a> {
    fn f(&self) -> u8;
}

#[rustgo::interface]
pub trait Clauses
where
    Self: Sized,
{
    fn f(&self);
}

#[rustgo::interface]
pub trait Super: Send + Display {
    fn f(&self);
}

#[rustgo::interface]
pub trait Items {
    const N: u8;
    type Item;
    fn f(&self);
}

#[rustgo::interface]
pub trait Receivers {
    fn mutable(&mut self);
    fn consumed(self);
    fn boxed(self: Box<Self>);
    fn typed(self: &Self);
    fn named(&'static self);
    fn none(x: u8);
}

#[rustgo::interface]
pub trait Functions {
    async fn asynchronous(&self);
    unsafe fn not_safe(&self);
    extern "C" fn foreign(&self);
    fn generic<T>(&self, x: T);
    fn constant<const N: usize>(&self, x: [u8; N]);
    fn lifetime<'a>(&'a self, x: &'a str);
    fn clause(&self)
    where
        Self: Sized;
    fn opaque(&self, x: impl Display);
    fn returns_opaque(&self) -> impl Display;
    fn this(&self, other: &Self) -> Self;
    fn five(&self, a: u8, b: u8, c: u8, d: u8, e: u8);
    fn text(&self) -> &str;
    fn list(&self) -> Option<&'static [u8]>;
    #[cfg(unix)]
    fn conditional(&self);
    fn argument(&self, #[cfg(unix)] x: u8);
}

#[rustgo::interface]
pub trait Names {
    fn load_it(&self);
    fn loadIt(&self);
    #[rustgo(name = "LoadIt")]
    fn another(&self);
    #[rustgo(name = "a b")]
    fn odd(&self);
    #[rustgo(int = "usize")]
    fn option(&self);
    fn _1(&self);
    #[rustgo(name = "Body")]
    fn body(&self) {}
}

#[rustgo::interface(name = "9")]
pub trait Digit {
    fn f(&self);
}

#[rustgo::interface(task)]
pub trait UnknownOption {
    fn f(&self);
}

#[rustgo::interface(name = "A", name = "B")]
pub trait NamedTwice {
    fn f(&self);
}

fn main() {}
