//! One table of all types that can cross the Go boundary.
//!
//! The table is at the end of this file. It generates the two forms of a type (constants for the macro,
//! [`crate::describe::Type`]; owned values for the tool, `crate::Type`), the encoder and the decoder of both, the names in
//! Go, and the layout in Go's memory. `docs/abi.md` repeats the table for readers; a test compares them.

#[cfg(any(test, feature = "decode"))]
use crate::reader::{Error, Reader};
use crate::writer::Writer;

/// Size and alignment of a value in Go's memory, in bytes, on a 64-bit machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The size, including padding at the end.
    pub size: u64,
    /// A power of two.
    pub align: u64,
}

impl Layout {
    /// A value of `count` 8-byte words: addresses, lengths, handles.
    const fn words(count: u64) -> Self {
        Self { size: 8 * count, align: 8 }
    }

    /// A number or `bool`, which is aligned to its size.
    const fn scalar(size: u64) -> Self {
        Self { size, align: size }
    }
}

/// The deepest nesting of types. A limit keeps damaged bytes from exhausting the stack.
#[cfg(any(test, feature = "decode"))]
pub const MAX_DEPTH: usize = 64;

/// Names the construct in error messages of this module.
#[cfg(any(test, feature = "decode"))]
const WHAT: &str = "a type";

/// Writes a field of a composite type.
macro_rules! put {
    ($writer:ident, $value:ident: u64) => {
        $writer.raw(&$value.to_le_bytes())
    };
    ($writer:ident, $value:ident: bool) => {
        $writer.raw(&[*$value as u8])
    };
    ($writer:ident, $value:ident: Elem) => {
        $writer.ty($value)
    };
    ($writer:ident, $value:ident: Elems) => {{
        $writer.u32($value.len() as u32);
        let mut i = 0;
        while i < $value.len() {
            $writer.ty(&$value[i]);
            i += 1;
        }
    }};
    ($writer:ident, $value:ident: Text) => {
        $writer.string($value)
    };
    ($writer:ident, $value:ident: Declared) => {
        $writer.decl($value)
    };
    ($writer:ident, $value:ident: Members) => {
        $writer.members($value)
    };
    ($writer:ident, $value:ident: Variants) => {{
        $writer.u32($value.len() as u32);
        let mut i = 0;
        while i < $value.len() {
            $writer.variant(&$value[i]);
            i += 1;
        }
    }};
}

/// Reads a field of a composite type.
#[cfg(any(test, feature = "decode"))]
macro_rules! take {
    ($reader:ident, $depth:ident, u64) => {
        $reader.u64(WHAT)?
    };
    ($reader:ident, $depth:ident, bool) => {
        $reader.flag(WHAT)?
    };
    ($reader:ident, $depth:ident, Elem) => {
        alloc::boxed::Box::new($reader.ty($depth)?)
    };
    ($reader:ident, $depth:ident, Elems) => {
        $reader.list(|reader| reader.ty($depth))?
    };
    ($reader:ident, $depth:ident, Text) => {
        $reader.string(WHAT)?
    };
    ($reader:ident, $depth:ident, Declared) => {
        $reader.decl()?
    };
    ($reader:ident, $depth:ident, Members) => {
        $reader.members($depth)?
    };
    ($reader:ident, $depth:ident, Variants) => {
        $reader.list(|reader| reader.variant($depth))?
    };
}

macro_rules! types {
    (
        basic {
            $($number:literal $basic:ident $go:literal $basic_layout:expr;)*
        }
        composite {
            $($(#[$doc:meta])* $kind:literal $composite:ident $name:literal {
                $($(#[$field_doc:meta])* $field:ident: $content:ident,)*
            } $layout:expr;)*
        }
    ) => {
        /// A basic type of Go: a number, `bool`, `rune` or `string`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Basic {
            $(#[doc = concat!("`", $go, "`")] $basic,)*
        }

        impl Basic {
            /// Every basic type, in the order of their numbers.
            pub const ALL: &'static [Self] = &[$(Self::$basic),*];

            /// The name in Go.
            #[must_use]
            pub const fn go_name(self) -> &'static str {
                match self {
                    $(Self::$basic => $go,)*
                }
            }

            /// The layout in Go's memory.
            #[must_use]
            pub const fn layout(self) -> Layout {
                match self {
                    $(Self::$basic => $basic_layout,)*
                }
            }

            const fn number(self) -> u8 {
                match self {
                    $(Self::$basic => $number,)*
                }
            }
        }

        /// The form that the macro writes: constants.
        pub mod described {
            use super::{Basic, Layout};

            type Elem = &'static Type;
            type Elems = &'static [Type];
            type Text = &'static str;
            type Declared = Decl;
            type Members = &'static [Member];
            type Variants = &'static [Variant];

            pub use crate::declared::described::*;

            /// A Go type.
            #[derive(Clone, Copy, Debug)]
            pub enum Type {
                /// A type without parts.
                Basic(Basic),
                $($(#[$doc])* $composite { $($(#[$field_doc])* $field: $content,)* },)*
            }

            impl Type {
                /// The layout in Go's memory.
                #[must_use]
                #[allow(unused_variables, reason = "the layout of most types does not depend on their parts")]
                pub const fn layout(&self) -> Layout {
                    match self {
                        Self::Basic(basic) => basic.layout(),
                        $(Self::$composite { $($field),* } => $layout,)*
                    }
                }
            }
        }

        /// The form that the decoder returns: owned values.
        #[cfg(any(test, feature = "decode"))]
        pub mod owned {
            use super::Basic;

            type Elem = alloc::boxed::Box<Type>;
            type Elems = alloc::vec::Vec<Type>;
            type Text = alloc::string::String;
            type Declared = Decl;
            type Members = alloc::vec::Vec<Member>;
            type Variants = alloc::vec::Vec<Variant>;

            pub use crate::declared::owned::*;
            use super::Layout;

            /// A Go type: [`crate::describe::Type`], owned. The name of a handle's Go type is kept as text; [`crate::GoType`] parses
            /// it.
            #[derive(Clone, Debug, PartialEq, Eq)]
            pub enum Type {
                /// A type without parts.
                Basic(Basic),
                $($(#[$doc])* $composite { $($(#[$field_doc])* $field: $content,)* },)*
            }

            impl Type {
                /// The layout in memory, as [`crate::describe::Type::layout`] gives it.
                #[must_use]
                #[allow(unused_variables, reason = "the layout of most types does not depend on their parts")]
                pub fn layout(&self) -> Layout {
                    match self {
                        Self::Basic(basic) => basic.layout(),
                        $(Self::$composite { $($field),* } => $layout,)*
                    }
                }
            }
        }

        impl<const N: usize> Writer<N> {
            pub(crate) const fn ty(&mut self, ty: &described::Type) {
                match ty {
                    described::Type::Basic(basic) => self.raw(&[basic.number()]),
                    $(described::Type::$composite { $($field),* } => {
                        self.raw(&[$kind]);
                        $(put!(self, $field: $content);)*
                    })*
                }
            }
        }

        #[cfg(any(test, feature = "decode"))]
        impl Reader<'_> {
            /// Reads a type that nests at most `depth` levels.
            pub(crate) fn ty(&mut self, depth: usize) -> Result<owned::Type, Error> {
                let Some(depth) = depth.checked_sub(1) else {
                    return Err(Error::Invalid { what: "a type that is nested too deeply" });
                };
                Ok(match self.u8(WHAT)? {
                    $($number => owned::Type::Basic(Basic::$basic),)*
                    $($kind => owned::Type::$composite { $($field: take!(self, depth, $content),)* },)*
                    number => return Err(Error::Tag { what: WHAT, tag: number.into() }),
                })
            }
        }

        /// Numbers and names of all rows.
        #[cfg(test)]
        const ROWS: &[(u8, &str)] = &[$(($number, $go),)* $(($kind, $name),)*];
    };
}

// The number is the first byte of an encoded type and never changes its meaning. The fields of a composite type follow in the order of this table.
types! {
    basic {
        1 Bool "bool" Layout::scalar(1);
        2 Int8 "int8" Layout::scalar(1);
        3 Int16 "int16" Layout::scalar(2);
        4 Int32 "int32" Layout::scalar(4);
        5 Int64 "int64" Layout::scalar(8);
        6 Int "int" Layout::scalar(8);
        7 Uint8 "uint8" Layout::scalar(1);
        8 Uint16 "uint16" Layout::scalar(2);
        9 Uint32 "uint32" Layout::scalar(4);
        10 Uint64 "uint64" Layout::scalar(8);
        11 Uint "uint" Layout::scalar(8);
        12 Float32 "float32" Layout::scalar(4);
        13 Float64 "float64" Layout::scalar(8);
        14 Rune "rune" Layout::scalar(4);
        15 String "string" Layout::words(2);
    }
    composite {
        /// `[len]elem`
        16 Array "array" {
            /// Number of elements.
            len: u64,
            /// The elements' type.
            elem: Elem,
        } Layout { size: len.saturating_mul(elem.layout().size), align: elem.layout().align };
        /// `*elem`
        17 Pointer "pointer" {
            /// Rust may write through the pointer.
            mutable: bool,
            /// The type of the value pointed to.
            elem: Elem,
        } Layout::words(1);
        /// `[]elem`
        18 Slice "slice" {
            /// Rust may write to the elements.
            mutable: bool,
            /// The elements' type.
            elem: Elem,
        } Layout::words(3);
        /// `handle.Of[of]`, or `handle.Handle`, of the Go module `rustgo.dev/go`
        19 Handle "handle" {
            /// The Go type that the handle stands for, as [`crate::GoType`] reads it; empty if the author does not state it.
            of: Text,
        } Layout::words(1);
        /// A struct that the package declares (`#[derive(rustgo::Value)]`). Rust's and Go's layout are equal.
        20 Struct "struct" {
            /// The declaration.
            decl: Declared,
            /// Its size in Rust, in bytes.
            size: u64,
            /// Its alignment in Rust, in bytes.
            align: u64,
            /// The fields, in order. Fields of size zero have no place in Go.
            fields: Members,
        } Layout { size: *size, align: *align };
        /// A number with named values that the package declares (`#[derive(rustgo::Value)]`).
        21 Enum "enum" {
            /// The declaration.
            decl: Declared,
            /// The type of the numbers.
            base: Elem,
            /// The values, in order. They have no fields.
            variants: Variants,
        } base.layout();
        /// A type with methods that the package declares (`#[rustgo::object]`). A parameter is a pointer to the object. A result is the
        /// address of a Rust value that Go owns from then on, or null; the result of an inline object is the content of Go's struct.
        22 Object "object" {
            /// The declaration.
            decl: Declared,
            /// Words of an inline object in Go's memory; 0 if the value lives in the Rust heap.
            words: u64,
            /// The bits in [`crate::object`].
            flags: u64,
            /// The interfaces that the type implements, as [`crate::GoType`] reads them, one per line.
            implements: Text,
        } Layout::words(if *words == 0 { 1 } else { *words });
        /// `string`, which Go copies from Rust's memory: address and length, and the capacity if Go must free the memory. The address may
        /// be null if nothing must be freed.
        23 Text "text" {
            /// Go must free the memory after the copy.
            freed: bool,
        } Layout::words(if *freed { 3 } else { 2 });
        /// `[]elem`, which Go copies from Rust's memory: like a text, counted in elements.
        24 List "list" {
            /// Go must free the memory after the copy.
            freed: bool,
            /// The elements' type.
            elem: Elem,
        } Layout::words(if *freed { 3 } else { 2 });
        /// `error` without a Go type of its own: a text that Go must free, or null for no error. The text holds the messages of the error
        /// and its sources, each as a u32 length followed by that many bytes.
        25 Failure "failure" {
        } Layout::words(3);
        /// `error` of a type that the package declares (`#[derive(rustgo::Error)]`). Offset 0 holds a u32: 0 for no error, otherwise the
        /// index of the variant plus 1.
        26 Error "error" {
            /// The declaration.
            decl: Declared,
            /// True for a single struct, false for an enum.
            single: bool,
            /// Size in memory, in bytes. With size 4 there is only the number, and Go fetches the text by the function of
            /// [`crate::wire::role::TEXT`]. Otherwise a text that Go must free lies at offset 8. At offset 32 follow the sources, if a
            /// variant has a field of type `failure`, and then the fields.
            size: u64,
            /// The variants, or the single struct.
            cases: Variants,
        } Layout { size: *size, align: if *size == 4 { 4 } else { 8 } };
        /// `[]elem` to append to: a pointer to a Go slice header and the header of a list of the elements that did not fit, which Go must
        /// free.
        27 Append "append" {
            /// The elements' type.
            elem: Elem,
        } Layout::words(1);
        /// `iter.Seq[item]` or `iter.Seq2[key, value]`: the address of an iterator in the Rust heap.
        28 Iterator "iterator" {
            /// One type, or two for key and value.
            items: Elems,
        } Layout::words(1);
        /// `unsafe.Pointer`: an address in Rust's memory.
        29 Address "address" {
        } Layout::words(1);
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::{Basic, ROWS};
    use alloc::string::String;
    use alloc::vec::Vec;

    /// The rows of all tables of a document, as cells.
    fn rows(document: &str) -> Vec<Vec<String>> {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(document);
        let text = std::fs::read_to_string(path).unwrap();
        let row = |line: &str| {
            let cells = line.strip_prefix("| ")?.split('|').map(str::trim);
            Some(cells.map(String::from).collect())
        };
        text.lines().filter_map(row).collect()
    }

    #[test]
    fn the_document_numbers_every_type() {
        let rows = rows("docs/abi.md");
        let documented = rows.iter().skip_while(|row| row[..2] != ["byte", "type"]).skip(1).flat_map(|row| {
            let numbers = row[0].split(", ").map_while(|number| number.parse::<u8>().ok());
            numbers.zip(row[1].split(", ")).collect::<Vec<_>>()
        });
        // The first table ends where the numbers start again.
        let mut last = 0;
        let documented: Vec<(u8, &str)> = documented.take_while(|(number, _)| core::mem::replace(&mut last, *number) < *number).collect();
        assert_eq!(documented, ROWS);
    }

    #[test]
    fn the_document_gives_every_size() {
        let rows = rows("docs/abi.md");
        for basic in Basic::ALL {
            let name = std::format!("`{}`", basic.go_name());
            let row = rows.iter().find(|row| row.len() > 3 && row[1].split(' ').any(|go| go == name));
            let row = row.unwrap_or_else(|| panic!("{name} has no size in docs/abi.md"));
            let size = row[1].split(' ').zip(row[2].split(' ')).find(|(go, _)| *go == name).map(|(_, size)| size);
            assert_eq!(size, Some(std::format!("{}", basic.layout().size).as_str()), "{name}");
        }
    }

    #[test]
    fn the_readme_names_every_basic_type() {
        let rows = rows("README.md");
        for basic in Basic::ALL {
            let name = std::format!("`{}`", basic.go_name());
            assert!(rows.iter().any(|row| row.len() > 2 && row[1].split(' ').any(|go| go == name)), "{name} is not in the table");
        }
    }
}
