//! `impl` blocks and methods that the attribute must refuse.
#![allow(unused)]

use std::fmt;
use std::rc::Rc;

pub struct Undeclared(u8);

#[rustgo::export]
impl Undeclared {
    pub fn new() -> Self {
        Undeclared(1)
    }

    pub fn get(&self, other: &Self) -> Self {
        Undeclared(self.0)
    }

    pub fn set(&mut self, all: Vec<Self>) -> Option<Self> {
        None
    }
}

#[rustgo::object]
pub struct Object(u8);

#[rustgo::export]
impl fmt::Display for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}

pub struct List<T>(T);

#[rustgo::export]
impl<T> List<T> {
    pub fn new(x: T) -> Self {
        List(x)
    }
}

#[rustgo::export]
impl List<u8> {
    pub fn get(&self) -> u8 {
        self.0
    }
}

#[rustgo::export]
impl Object {
    fn private(&self) {}
}

#[rustgo::export(name = "Other")]
impl Object {
    pub fn named(&self) {}
}

#[rustgo::export]
impl Object {
    pub fn shared(self: Rc<Self>) {}

    pub fn boxed(self: Box<Self>) {}

    pub fn pinned(self: std::pin::Pin<&mut Self>) {}

    pub fn generic<T>(&self, x: T) {}

    pub unsafe fn unsafety(&self) {}

    pub async fn later(&self) {}

    #[rustgo::export(name = "1")]
    pub fn badly_named(&self) {}

    #[export(skip)]
    pub fn skipped<T>(&self) {}

    pub fn wrong(&self, x: u128, y: Undeclared) -> u128 {
        x
    }

    pub fn reference(&self) -> &u8 {
        &self.0
    }
}

#[derive(Clone, Copy, Debug, rustgo::Error)]
pub enum Failed {
    A,
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}

#[rustgo::export]
impl Failed {
    pub fn code(&self) -> u8 {
        1
    }
}

#[rustgo::object(inline)]
#[derive(Clone, Copy)]
pub struct Inline([u8; 4]);

#[rustgo::export]
impl Inline {
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    pub fn each(&self) -> impl Iterator<Item = u8> {
        self.0.iter().copied()
    }
}

#[rustgo::object(exclusive)]
pub struct NotSync(std::cell::Cell<u8>);

#[rustgo::export]
impl NotSync {
    pub fn each(&self) -> impl Iterator<Item = u8> {
        std::iter::from_fn(|| Some(self.0.get()))
    }
}

fn main() {}
