//! One table of all types that can cross the boundary to Go.
//!
//! The table is at the end of this file. The table generates the two forms of a type (constants for the macro, [`crate::describe::Type`]; owned
//! values for the tool, `crate::Type`), their encoder and decoder, the names in Go, and the layout in Go's memory. `docs/abi.md` repeats the table
//! for readers; a test compares the two tables.

mod declared;

#[cfg(any(test, feature = "decode"))]
use crate::reader::{Error, Reader};
use crate::writer::Writer;

/// The size and the alignment of a value in Go's memory, in bytes, on a 64-bit machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The size, including padding at the end.
    pub size: u64,
    /// The alignment, a power of two.
    pub align: u64,
}

impl Layout {
    /// The layout of a value that consists of `count` 8-byte words, such as addresses, lengths and handles.
    const fn words(count: u64) -> Self {
        Self { size: 8 * count, align: 8 }
    }

    /// The layout of a number or `bool`, whose alignment is its size.
    const fn scalar(size: u64) -> Self {
        Self { size, align: size }
    }
}

/// The largest number of levels of a nested type. Without a limit, damaged bytes could exhaust the stack.
#[cfg(any(test, feature = "decode"))]
pub const MAX_DEPTH: usize = 64;

/// The name of the construct being read, for error messages of this module.
#[cfg(any(test, feature = "decode"))]
const WHAT: &str = "a type";

/// Writes one field of a composite type. The last argument is the kind of the field's content.
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
    ($writer:ident, $value:ident: Elems) => {
        $writer.types($value)
    };
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
    ($writer:ident, $value:ident: Methods) => {{
        $writer.u32($value.len() as u32);
        let mut i = 0;
        while i < $value.len() {
            $writer.method(&$value[i]);
            i += 1;
        }
    }};
}

/// Reads one field of a composite type. The last argument is the kind of the field's content.
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
    ($reader:ident, $depth:ident, Methods) => {
        $reader.list(|reader| reader.method($depth))?
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
            /// All basic types, in the order of their numbers.
            pub const ALL: &'static [Self] = &[$(Self::$basic),*];

            /// The type's name in Go.
            #[must_use]
            pub const fn go_name(self) -> &'static str {
                match self {
                    $(Self::$basic => $go,)*
                }
            }

            /// The type's layout in Go's memory.
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

        /// The types in the form that the macro writes: constants.
        pub mod described {
            use super::{Basic, Layout};

            type Elem = &'static Type;
            type Elems = &'static [Type];
            type Text = &'static str;
            type Declared = Decl;
            type Members = &'static [Member];
            type Variants = &'static [Variant];
            type Methods = &'static [Method];

            pub use super::declared::described::*;

            /// A Go type.
            #[derive(Clone, Copy, Debug)]
            pub enum Type {
                /// A basic type, such as a number.
                Basic(Basic),
                $($(#[$doc])* $composite { $($(#[$field_doc])* $field: $content,)* },)*
            }

            impl Type {
                /// The type's layout in Go's memory.
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

        /// The types in the form that the decoder returns: owned values.
        #[cfg(any(test, feature = "decode"))]
        pub mod owned {
            use super::Basic;

            type Elem = alloc::boxed::Box<Type>;
            type Elems = alloc::vec::Vec<Type>;
            type Text = alloc::string::String;
            type Declared = Decl;
            type Members = alloc::vec::Vec<Member>;
            type Variants = alloc::vec::Vec<Variant>;
            type Methods = alloc::vec::Vec<Method>;

            pub use super::declared::owned::*;
            use super::Layout;

            /// A Go type: the owned form of [`crate::describe::Type`]. The Go type of a handle stays a text, which [`crate::GoType`]
            /// can parse.
            #[derive(Clone, Debug, PartialEq, Eq)]
            pub enum Type {
                /// A basic type, such as a number.
                Basic(Basic),
                $($(#[$doc])* $composite { $($(#[$field_doc])* $field: $content,)* },)*
            }

            impl Type {
                /// The type's layout in Go's memory, as [`crate::describe::Type::layout`] gives it.
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
            pub(crate) const fn types(&mut self, types: &[described::Type]) {
                self.u32(types.len() as u32);
                let mut i = 0;
                while i < types.len() {
                    self.ty(&types[i]);
                    i += 1;
                }
            }

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
            /// Reads a type that has at most `depth` levels. The type itself is the first level.
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

        /// The number and the name of each row of the table.
        #[cfg(test)]
        const ROWS: &[(u8, &str)] = &[$(($number, $go),)* $(($kind, $name),)*];
    };
}

// The number in a row is the first byte of an encoded type and never changes its meaning. The fields of a composite type are encoded in the order
// of this table.
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
        /// A Go array, `[len]elem`.
        16 Array "array" {
            /// The number of elements.
            len: u64,
            /// The type of the elements.
            elem: Elem,
        } Layout { size: len.saturating_mul(elem.layout().size), align: elem.layout().align };
        /// A Go pointer, `*elem`.
        17 Pointer "pointer" {
            /// True if Rust may write through the pointer.
            mutable: bool,
            /// The type of the value to which the pointer points.
            elem: Elem,
        } Layout::words(1);
        /// A Go slice, `[]elem`.
        18 Slice "slice" {
            /// True if Rust may write to the elements.
            mutable: bool,
            /// The type of the elements.
            elem: Elem,
        } Layout::words(3);
        /// A handle, the number of a Go value: `handle.Of[of]` or `handle.Handle` of the Go module `rustgo.dev/go`.
        19 Handle "handle" {
            /// The Go type of the value that the handle identifies, in the form that [`crate::GoType`] parses. Empty if the author
            /// states no type.
            of: Text,
        } Layout::words(1);
        /// A struct that the package declares (`#[derive(rustgo::Value)]`). It has the same layout in Rust and Go.
        20 Struct "struct" {
            /// The struct's declaration.
            decl: Declared,
            /// The struct's size in Rust, in bytes.
            size: u64,
            /// The struct's alignment in Rust, in bytes.
            align: u64,
            /// The fields, in order. A field of size zero is left out in Go.
            fields: Members,
        } Layout { size: *size, align: *align };
        /// A number type with named values, declared in the Go package (`#[derive(rustgo::Value)]`).
        21 Enum "enum" {
            /// The declaration of the number type.
            decl: Declared,
            /// The type of the numbers.
            base: Elem,
            /// The values, in order. They have no fields.
            variants: Variants,
        } base.layout();
        /// A type with methods that the package declares (`#[rustgo::object]`). As a parameter, it is a pointer to Go's struct for the
        /// object. As a result, it is the address of a Rust value that Go now owns, or null. If the object is inline (the value lives in
        /// Go's memory), the result is the content of Go's struct.
        22 Object "object" {
            /// The declaration of the object type.
            decl: Declared,
            /// The number of words that an inline object takes in Go's memory; 0 if the value lives in the Rust heap.
            words: u64,
            /// A combination of the bits in [`crate::object`].
            flags: u64,
            /// The interfaces that the type implements, one per line, in the form that [`crate::GoType`] parses.
            implements: Text,
        } Layout::words(if *words == 0 { 1 } else { *words });
        /// A `string` that Go copies from Rust's memory. Rust returns address and length, and the capacity if Go must free the memory. The
        /// address may be null if nothing must be freed.
        23 Text "text" {
            /// True if Go must free the memory after the copy.
            freed: bool,
        } Layout::words(if *freed { 3 } else { 2 });
        /// A slice `[]elem` that Go copies from Rust's memory. Rust returns address and length, and the capacity if Go must free the
        /// memory, both as numbers of elements.
        24 List "list" {
            /// True if Go must free the memory after the copy.
            freed: bool,
            /// The type of the elements.
            elem: Elem,
        } Layout::words(if *freed { 3 } else { 2 });
        /// An `error` for which Go has no type of its own: the address, length and capacity of memory with texts, which Go must free. The
        /// address is null if there is no error. The texts are the messages of the error and its sources. Before each text is its length in
        /// bytes, as a u32. The last entry may be a Go error: four bytes 0xff, then the error's number, as a u64.
        25 Failure "failure" {
        } Layout::words(3);
        /// An `error` of a type that the package declares (`#[derive(rustgo::Error)]`). At offset 0 is a u32: 0 if there is no error,
        /// otherwise the index of the variant plus 1.
        26 Error "error" {
            /// The declaration of the error type.
            decl: Declared,
            /// True if the error type is a struct, false if it is an enum.
            single: bool,
            /// The error's size in memory, in bytes. If it is 4, the error is only the number, and Go fetches the text by the function
            /// with the role [`crate::wire::role::TEXT`]. Otherwise a text that Go must free is at offset 8. The sources are at offset
            /// 32 if a variant has a field of type `failure`. Then come the fields.
            size: u64,
            /// The variants of an enum. For a struct, the struct as the only variant.
            cases: Variants,
        } Layout { size: *size, align: if *size == 4 { 4 } else { 8 } };
        /// A slice `[]elem` to which a function appends. The parameter points to a Go slice header. After it lies the header of a list with the
        /// elements that did not fit into the slice. Go must free the list's memory.
        27 Append "append" {
            /// The type of the elements.
            elem: Elem,
        } Layout::words(1);
        /// An iterator, `iter.Seq[item]` or `iter.Seq2[key, value]` in Go. Rust returns the address of the iterator in the Rust heap.
        28 Iterator "iterator" {
            /// The type of the items. For pairs, the types of key and value.
            items: Elems,
        } Layout::words(1);
        /// An address in Rust's memory, `unsafe.Pointer`.
        29 Address "address" {
        } Layout::words(1);
        /// A Go function that Rust may call, `func(params) result`. The export gets the Go function as a number, 0 for nil. When Rust calls the
        /// function, the arguments lie one after another in memory, each at its natural alignment, and so do the results.
        30 Func "func" {
            /// True if Rust keeps the function after the call.
            kept: bool,
            /// The types of the function's parameters.
            params: Elems,
            /// The types of the function's results. If there is an error, it is the last result.
            results: Elems,
        } Layout::words(1);
        /// A value of an interface of Go's standard library whose methods Rust may call, such as `io.Reader`. The parameter is the value's number, 0
        /// for nil.
        31 Interface "interface" {
            /// True if Rust keeps the value after the call.
            kept: bool,
            /// The interface's name, with the last part of the package's path.
            name: Text,
        } Layout::words(1);
        /// A value of an interface that the package declares (`#[rustgo::interface]`). The parameter is the value's number, 0 for nil. For a call,
        /// Rust passes the index of the method, as a u64, and then the arguments, as for a function.
        32 Trait "trait" {
            /// The declaration of the interface.
            decl: Declared,
            /// True if Rust keeps the value after the call.
            kept: bool,
            /// The methods, in the order of their indices.
            methods: Methods,
        } Layout::words(1);
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::{Basic, ROWS};
    use alloc::string::String;
    use alloc::vec::Vec;

    /// Returns the rows of all tables in a document, each row as a list of its cells.
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
        // The numbers of a table increase, so a smaller number belongs to the next table of the document.
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
