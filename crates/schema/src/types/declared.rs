//! Descriptions of the types that a generated Go package declares: structs, number types with named values, errors, objects and interfaces.
//!
//! A description contains the types of its fields or methods, and a type may contain descriptions. So this module belongs to `types`.

#[cfg(any(test, feature = "decode"))]
use crate::reader::{Error, Reader};
use crate::writer::Writer;

macro_rules! declared {
    ($($(#[$attribute:meta])* $name:ident { $($(#[$doc:meta])* $field:ident: $content:ident,)* })*) => {
        /// The descriptions in the form that the macro writes: constants.
        pub mod described {
            use crate::types::described::Type;

            type Text = &'static str;
            type Members = &'static [Member];
            type Types = &'static [Type];

            $($(#[$attribute])*
            #[derive(Clone, Copy, Debug)]
            pub struct $name { $($(#[$doc])* pub $field: $content,)* })*
        }

        /// The descriptions in the form that the decoder returns: owned values.
        #[cfg(any(test, feature = "decode"))]
        pub mod owned {
            use crate::types::owned::Type;

            type Text = alloc::string::String;
            type Members = alloc::vec::Vec<Member>;
            type Types = alloc::vec::Vec<Type>;

            $($(#[$attribute])*
            #[derive(Clone, Debug, PartialEq, Eq)]
            pub struct $name { $($(#[$doc])* pub $field: $content,)* })*
        }
    };
}

declared! {
    /// The declaration of a type in the generated Go package.
    Decl {
        /// The type's name in Go.
        go_name: Text,
        /// The type's path in Rust: crate, modules and type.
        rust_path: Text,
        /// The name of the source file, as the compiler states it.
        file: Text,
        /// The line of the type's name, counted from 1.
        line: u32,
        /// The documentation: lines joined by `\n`, each without its leading space.
        doc: Text,
    }
    /// A field of a struct or variant.
    Member {
        /// The field's name in Go.
        go_name: Text,
        /// The field's documentation.
        doc: Text,
        /// The field's offset in bytes from the start of the struct. The offset of a variant's field counts from the start of the error's raw struct,
        /// which has the fields of all variants (`rust_T` in docs/abi.md). Variants of enums have no fields.
        offset: u64,
        /// The field's type.
        ty: Type,
    }
    /// A variant of an enum, or of an error type. For an error type that is a struct, the struct itself.
    Variant {
        /// The name of the Go constant or type that the variant becomes.
        go_name: Text,
        /// The variant's name in Rust.
        name: Text,
        /// The variant's documentation.
        doc: Text,
        /// For an enum, the variant's discriminant in Rust, in two's complement. For an error type, the variant's index plus 1.
        value: u64,
        /// The variant's fields.
        fields: Members,
    }
    /// A method of an interface that Go implements and Rust calls.
    Method {
        /// The method's name in Go.
        go_name: Text,
        /// The method's name in Rust.
        name: Text,
        /// The method's documentation.
        doc: Text,
        /// The names of the parameters in Rust, one per line, without the receiver.
        names: Text,
        /// The types of the parameters.
        params: Types,
        /// The types of the results. If there is an error, it is the last result.
        results: Types,
    }
}

impl<const N: usize> Writer<N> {
    pub(crate) const fn string(&mut self, text: &str) {
        assert!(text.len() <= u32::MAX as usize, "a text in an export's description is longer than 4 GiB");
        self.u32(text.len() as u32);
        self.raw(text.as_bytes());
    }

    pub(crate) const fn decl(&mut self, decl: &described::Decl) {
        self.string(decl.go_name);
        self.string(decl.rust_path);
        self.string(decl.file);
        self.u32(decl.line);
        self.string(decl.doc);
    }

    pub(crate) const fn members(&mut self, members: &[described::Member]) {
        self.u32(members.len() as u32);
        let mut i = 0;
        while i < members.len() {
            self.string(members[i].go_name);
            self.string(members[i].doc);
            self.raw(&members[i].offset.to_le_bytes());
            self.ty(&members[i].ty);
            i += 1;
        }
    }

    pub(crate) const fn variant(&mut self, variant: &described::Variant) {
        self.string(variant.go_name);
        self.string(variant.name);
        self.string(variant.doc);
        self.raw(&variant.value.to_le_bytes());
        self.members(variant.fields);
    }

    pub(crate) const fn method(&mut self, method: &described::Method) {
        self.string(method.go_name);
        self.string(method.name);
        self.string(method.doc);
        self.string(method.names);
        self.types(method.params);
        self.types(method.results);
    }
}

/// The name of the construct being read, for error messages of this module.
#[cfg(any(test, feature = "decode"))]
const WHAT: &str = "the declaration of a type";

#[cfg(any(test, feature = "decode"))]
impl Reader<'_> {
    pub(crate) fn string(&mut self, what: &'static str) -> Result<alloc::string::String, Error> {
        let len = self.u32(what)? as usize;
        self.part(len, what)?.text()
    }

    /// Reads a count, and then this number of items. A damaged count cannot exhaust memory: reading stops at the end of the bytes, and every item
    /// has at least one byte.
    pub(crate) fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Result<T, Error>) -> Result<alloc::vec::Vec<T>, Error> {
        (0..self.u32(WHAT)?).map(|_| item(self)).collect()
    }

    pub(crate) fn decl(&mut self) -> Result<owned::Decl, Error> {
        Ok(owned::Decl {
            go_name: self.string(WHAT)?,
            rust_path: self.string(WHAT)?,
            file: self.string(WHAT)?,
            line: self.u32(WHAT)?,
            doc: self.string(WHAT)?,
        })
    }

    pub(crate) fn members(&mut self, depth: usize) -> Result<alloc::vec::Vec<owned::Member>, Error> {
        self.list(|reader| {
            Ok(owned::Member { go_name: reader.string(WHAT)?, doc: reader.string(WHAT)?, offset: reader.u64(WHAT)?, ty: reader.ty(depth)? })
        })
    }

    pub(crate) fn variant(&mut self, depth: usize) -> Result<owned::Variant, Error> {
        Ok(owned::Variant {
            go_name: self.string(WHAT)?,
            name: self.string(WHAT)?,
            doc: self.string(WHAT)?,
            value: self.u64(WHAT)?,
            fields: self.members(depth)?,
        })
    }

    pub(crate) fn method(&mut self, depth: usize) -> Result<owned::Method, Error> {
        Ok(owned::Method {
            go_name: self.string(WHAT)?,
            name: self.string(WHAT)?,
            doc: self.string(WHAT)?,
            names: self.string(WHAT)?,
            params: self.list(|reader| reader.ty(depth))?,
            results: self.list(|reader| reader.ty(depth))?,
        })
    }
}
