//! The records by which the macro describes exported items to the command line tool. Each exported function or constant has one record in a
//! section of the compiled object file; a function's record includes the types that it names.
//!
//! The macro cannot know the size of a type, but the compiler can. So the macro writes a [`describe::Function`] whose sizes and offsets are
//! constant expressions, and [`Describe::encode`] turns it into bytes while the crate is compiled. The command line tool finds the bytes with
//! `records` and decodes each record with `RawRecord::decode` (both need the feature `decode`). Macro and tool may be built from different
//! versions of this crate. Therefore the payload begins with a version, and every field has a tag and a length:
//!
//! ```text
//! section  = record*                                each at a multiple of 8
//! record   = address: u64 (relocated)  length: u32  kind: u32  payload: [u8; length]  zeros up to a multiple of 8
//! payload  = "rsgo"  version: u16  0: u16  length: u32  field*        (length: of the fields together, in bytes)
//! field    = tag: u16  length: u32  content: [u8; length]
//! type     = number: u8  …  (see the table in the module `types`)
//! ```
//!
//! Numbers are little-endian; nothing inside a payload is aligned. The first eight bytes of a payload never change
//! their meaning. A field whose tag has the bit `OPTIONAL` may be skipped by a reader that does not know it; any other
//! unknown field is refused, and so is a record of an unknown kind. A change that an old reader would misunderstand raises [`VERSION`].

#![no_std]
#![forbid(unsafe_code)]

#[cfg(any(test, feature = "decode"))]
extern crate alloc;

mod declared;
pub mod describe;
mod encode;
pub mod go_keywords;
mod go_type;
mod types;
mod wire;
mod writer;

#[cfg(any(test, feature = "decode"))]
mod decode;
#[cfg(any(test, feature = "decode"))]
mod reader;
#[cfg(any(test, feature = "decode"))]
mod visitor;

#[cfg(any(test, feature = "decode"))]
pub use declared::owned::{Decl, Member, Variant};
#[cfg(any(test, feature = "decode"))]
pub use decode::{Constant, Field, Function, RawRecord, Record, Records, records};
pub use encode::Describe;
pub use go_type::GoType;
#[cfg(any(test, feature = "decode"))]
pub use reader::Error;
#[cfg(any(test, feature = "decode"))]
pub use types::owned::Type;
pub use types::{Basic, Layout};
pub use wire::{object, record, role};

/// The version of the payload's format.
pub const VERSION: u16 = 1;

/// The section of the object file that holds the records.
pub const SECTION: &str = "rustgo_exports";
