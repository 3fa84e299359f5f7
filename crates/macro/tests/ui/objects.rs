//! Types that must be refused as objects.
#![allow(unused)]

use std::cell::Cell;
use std::rc::Rc;

#[rustgo::object]
pub struct NotSend(Rc<u8>);

#[rustgo::object]
pub struct NotSync(Cell<u8>);

#[rustgo::object]
pub type Alias = String;

#[rustgo::object]
pub union Union {
    x: u8,
}

#[rustgo::object]
pub fn function() {}

#[rustgo::object(inline)]
pub struct NotCopy(u64);

#[rustgo::object(inline)]
pub struct Owns(String);

#[rustgo::object(unsafe(inline))]
pub struct Drops(u64);

impl Drop for Drops {
    fn drop(&mut self) {}
}

#[rustgo::object(inline)]
#[derive(Clone, Copy)]
#[repr(align(128))]
pub struct Aligned(u64);

#[rustgo::object]
pub struct Generic<T>(T);

#[rustgo::object]
pub struct Borrows<'a>(&'a str);

#[rustgo::object]
pub struct Nothing;

#[rustgo::object(closed)]
pub struct Unknown(u8);

#[rustgo::object(close, close)]
pub struct Twice(u8);

#[rustgo::object(inline, unsafe(inline))]
pub struct TwiceInline(u8);

#[rustgo::object(inline = true)]
pub struct Valued(u8);

#[rustgo::object(inline, close)]
pub struct ClosedInline(u8);

#[rustgo::object(name = "not a name")]
pub struct Named(u8);

#[rustgo::object(name)]
pub struct Nameless(u8);

#[rustgo::object(implements("io.Writer", "not a type"))]
pub struct Implements(u8);

#[rustgo::object(implements = "io.Writer")]
pub struct ImplementsOne(u8);

#[rustgo::object]
#[derive(Clone, Copy, rustgo::Value)]
#[repr(C)]
pub struct Both {
    pub x: u8,
}

#[rustgo::object]
pub struct Fine(u8);

#[rustgo::export]
pub fn elements(a: &[Fine], b: [Fine; 2], c: Vec<Fine>) {}

#[rustgo::export]
pub fn optional(a: Option<Fine>) {}

#[rustgo::export]
pub fn given(a: &Fine) -> &Fine {
    a
}

mod imported {
    use rustgo::{Error, Value, object};

    #[object]
    #[derive(Clone, Copy, Value)]
    #[repr(C)]
    pub struct Both {
        pub x: u8,
    }

    #[derive(Clone, Copy, Value)]
    #[repr(C)]
    #[object(inline)]
    pub struct Below {
        pub x: u8,
    }

    #[object]
    #[derive(Debug, Error)]
    pub struct Failed(u8);

    // Neither derive macro sees the other, so the compiler reports that both implement the same trait.
    #[derive(Clone, Copy, Debug, Value, Error)]
    #[repr(u8)]
    pub enum ValueAndError {
        A,
    }

    impl std::fmt::Display for ValueAndError {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            Ok(())
        }
    }
}

fn main() {}
