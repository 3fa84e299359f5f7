//! Generated code compiles even if the author declares items with the names of language items.
#![forbid(unsafe_code)]
#![allow(dead_code, non_camel_case_types, non_upper_case_globals, unused_macros, unused_imports)]

use types::*;

/// Modules with the names of tools and crates.
mod rustfmt {}
mod core {}
mod std {}
mod alloc {}
mod rustgo {}
mod rustgo_support {}

macro_rules! shadowed {
    ($($name:ident)*) => {$(
        macro_rules! $name { ($d:tt) => { compile_error!("the author's macro") }; () => { compile_error!("the author's macro") } }
    )*};
}

shadowed! { matches assert concat line file module_path stringify panic unreachable offset_of format write vec }

/// Types with the names of primitive types.
mod types {
    macro_rules! strange {
        ($($name:ident)*) => {$(
            pub struct $name;
        )*};
    }
    strange! {
        u8 u16 u32 u64 usize i8 i16 i32 i64 isize f32 f64 bool char str
        Option Result Vec String Box Some None Ok Err
        Iterator Send Sync Copy Clone Default Drop Into From ToOwned AsRef drop
        Type Function Field Fields Record Parameter Output Element Slice Str Handle
    }
    /// Constants whose names could turn variable bindings of generated code into patterns.
    macro_rules! constants {
        ($($name:ident)*) => {$(
            pub const $name: () = ();
        )*};
    }
    constants! {
        at raw name room exclusive text value value0 room0 type0 args results extent error number
        MODE N A B BOTH CLONE STRING SHIM WHAT RECORD LAYOUT TYPE
    }

    /// A trait with methods for every value, named like methods that generated code calls.
    pub trait Everything: Sized {
        const TYPE: () = ();
        const ACCESS: () = ();
        const FIELDS: () = ();
        const SIZE: () = ();
        const LAYOUT: () = ();
        fn is_null(&self) -> ::core::primitive::bool {
            false
        }
        fn is_some(self) {}
        fn is_none(self) {}
        fn as_mut_ptr(self) {}
        fn as_bytes(self) {}
        fn padded_len(self) {}
        fn layout(self) {}
        fn len(self) {}
        fn cast(self) {}
        fn vanish(self) {}
        fn refer(self) {}
        fn list(self) {}
        fn named(self) {}
        fn and(self) {}
        fn put(self) {}
        fn checked(self) {}
        fn into_raw(self) {}
        fn displayed(self) {}
        fn assume_init_read(self) {}
        fn clone(self) {}
        fn to_string(self) {}
    }
    impl<T> Everything for T {}
}

/// An enum value whose variants have names that generated code uses.
#[derive(::core::clone::Clone, ::core::marker::Copy, ::rustgo::Value)]
#[repr(u8)]
pub enum Color {
    /// A variant or field with a name that generated code uses too.
    Raw = 1,
    /// A variant or field with a name that generated code uses too.
    It = 200,
}

/// Plain data whose fields have names that generated code uses.
#[derive(::core::clone::Clone, ::core::marker::Copy, ::rustgo::Value)]
#[repr(C)]
pub struct Point {
    /// A field with a name that generated code uses.
    pub at: ::core::primitive::u8,
    /// A field of another value type.
    pub color: Color,
}

impl Point {
    const TYPE: () = ();
    const SIZE: () = ();
    const FIELDS: () = ();
    const INVALID: () = ();
    fn valid() {}
    fn put() {}
    fn take() {}
    fn check() {}
    fn into_raw() {}
}

#[::rustgo::export]
impl Point {
    /// Get has an optional parameter and an optional result.
    pub fn get(&self, maybe: ::core::option::Option<&mut Point>) -> ::core::option::Option<(Point, ::core::primitive::u8)> {
        maybe.map(|point| (*point, self.at))
    }

    /// All returns a list of values.
    pub fn all(&self) -> ::std::vec::Vec<Color> {
        ::std::vec::Vec::new()
    }
}

/// An object whose value lives in the Rust heap.
#[::rustgo::object]
#[derive(::core::clone::Clone)]
pub enum Shape {
    /// A variant or field with a name that generated code uses too.
    Raw(::core::primitive::u64),
    /// A variant or field with a name that generated code uses too.
    Room,
}

impl ::core::fmt::Display for Shape {
    fn fmt(&self, _: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        ::core::result::Result::Ok(())
    }
}

#[::rustgo::export]
impl Shape {
    /// New makes an object.
    pub fn new(a: &::core::primitive::str, b: &[::core::primitive::u8]) -> Self {
        Self::Raw((a.bytes().count() + b.iter().count()) as _)
    }

    /// Each returns an iterator over pairs.
    pub fn each(&mut self) -> impl ::core::iter::Iterator<Item = (::core::primitive::u8, Point)> + use<> {
        ::core::iter::empty()
    }
}

/// An object whose value lives in Go's memory.
#[::rustgo::object(inline)]
#[derive(::core::clone::Clone, ::core::marker::Copy, ::core::default::Default)]
pub struct Small(::core::primitive::u64);

#[::rustgo::export]
impl Small {
    /// Set changes the object and consumes another.
    pub fn set(&mut self, x: ::core::primitive::u64, other: Small) {
        self.0 = x + other.0;
    }
}

/// An error enum without fields.
#[derive(Debug, ::rustgo::Error)]
pub enum Numbered {
    /// A variant or field with a name that generated code uses too.
    Raw,
}

impl ::core::fmt::Display for Numbered {
    fn fmt(&self, _: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        ::core::result::Result::Ok(())
    }
}

/// An error enum with fields.
#[derive(Debug, ::rustgo::Error)]
pub enum WithFields {
    /// A variant or field with a name that generated code uses too.
    Raw {
        /// A variant or field with a name that generated code uses too.
        at: ::core::primitive::u8,
        /// A field that is left out in Go.
        #[rustgo(skip)]
        source: ::core::fmt::Error,
    },
    /// A variant whose field is left out in Go.
    Skipped(#[rustgo(skip)] ::core::fmt::Error),
}

impl ::core::error::Error for WithFields {}

impl ::core::fmt::Display for WithFields {
    fn fmt(&self, _: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        ::core::result::Result::Ok(())
    }
}

/// Fails returns a number or an error without fields.
#[::rustgo::export(results(value, err))]
pub fn fails(both: &mut [Point; 2]) -> ::core::result::Result<::core::primitive::u8, Numbered> {
    ::core::result::Result::Ok(both[0].at)
}

/// FailsWith returns a number or an error with fields.
#[::rustgo::export]
pub fn fails_with(_raw: Color) -> ::core::result::Result<::core::primitive::u8, WithFields> {
    ::core::result::Result::Ok(1)
}

/// Number is exported as a Go constant.
#[::rustgo::export]
pub const NUMBER: ::core::primitive::u8 = 1;

/// Name is exported as a Go variable. Its type has a name that generated code uses.
#[::rustgo::export]
pub static NAME: Text = Point { at: 1, color: Color::Raw };

type Text = Point;

/// Rust's name for a Go type.
#[::rustgo::go_type("net.Conn")]
pub enum Conn {}

fn main() {}
