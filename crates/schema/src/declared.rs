//! What a record says of the types that the Go package declares: structs, named numbers, errors, objects.

use crate::encode::Writer;
#[cfg(any(test, feature = "decode"))]
use crate::reader::{Error, Reader};

macro_rules! declared {
    ($($(#[$attribute:meta])* $name:ident { $($(#[$doc:meta])* $field:ident: $content:ident,)* })*) => {
        /// As constants.
        pub mod described {
            use super::super::types::described::Type;

            type Text = &'static str;
            type Members = &'static [Member];

            $($(#[$attribute])*
            #[derive(Clone, Copy, Debug)]
            pub struct $name { $($(#[$doc])* pub $field: $content,)* })*
        }

        /// As the decoder makes them.
        #[cfg(any(test, feature = "decode"))]
        pub mod owned {
            use super::super::types::owned::Type;

            type Text = alloc::string::String;
            type Members = alloc::vec::Vec<Member>;

            $($(#[$attribute])*
            #[derive(Clone, Debug, PartialEq, Eq)]
            pub struct $name { $($(#[$doc])* pub $field: $content,)* })*
        }
    };
}

declared! {
    /// A type that the Go package declares.
    Decl {
        /// Its name in Go.
        go_name: Text,
        /// Crate, modules and type.
        rust_path: Text,
        /// The source file, as the compiler names it.
        file: Text,
        /// The line of the type's name, counted from 1.
        line: u32,
        /// The documentation, lines joined by `\n`, each without its leading space.
        doc: Text,
    }
    /// A field of a struct or variant.
    Member {
        /// Its name in Go.
        go_name: Text,
        /// The documentation.
        doc: Text,
        /// Bytes from the start of the struct; of a variant, of the error.
        offset: u64,
        /// Its type.
        ty: Type,
    }
    /// A variant.
    Variant {
        /// The name in Go of the constant or type that it becomes.
        go_name: Text,
        /// The name in Rust.
        name: Text,
        /// The documentation.
        doc: Text,
        /// The number that it has in Rust, in two's complement.
        value: u64,
        /// Its fields.
        fields: Members,
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
}

/// What a reader was reading when an error in a declaration occurred.
#[cfg(any(test, feature = "decode"))]
const WHAT: &str = "the declaration of a type";

#[cfg(any(test, feature = "decode"))]
impl Reader<'_> {
    pub(crate) fn string(&mut self, what: &'static str) -> Result<alloc::string::String, Error> {
        let len = self.u32(what)? as usize;
        self.part(len, what)?.text()
    }

    /// A count, and so many items. The count is not trusted: every item has bytes.
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
}
