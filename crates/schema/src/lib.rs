//! The records by which the macro describes exported items to the command line tool. Each exported function or constant has a record in a section
//! of the compiled object file. A function's record includes descriptions of the types in its signature.
//!
//! The macro does not know the size of a type, but the compiler does. So the macro writes a [`describe::Function`] whose sizes and offsets are
//! constant expressions, and [`Describe::encode`] turns this description into bytes during compilation. The command line tool finds the records with
//! `records` and decodes each record with `RawRecord::decode` (both functions need the feature `decode`). Macro and tool may be built from
//! different versions of this crate. Therefore each payload states its version, and every field has a tag and a length:
//!
//! ```text
//! section  = record*                                each at a multiple of 8
//! record   = address: u64 (relocated)  length: u32  kind: u32  payload: [u8; length]  zeros up to a multiple of 8
//! payload  = "rsgo"  version: u16  0: u16  length: u32  field*        (length: of the fields together, in bytes)
//! field    = tag: u16  length: u32  content: [u8; length]
//! type     = number: u8  …  (see the table in the module `types`)
//! ```
//!
//! Numbers are little-endian; nothing inside a payload is aligned. The first eight bytes of a payload never change their meaning. If the tag of a
//! field has the bit `OPTIONAL`, a reader that does not know the tag skips the field. A reader refuses any other field with an unknown tag, and any
//! record of an unknown kind. A change that an older reader would misunderstand needs a higher [`VERSION`].

#![no_std]
#![forbid(unsafe_code)]

#[cfg(any(test, feature = "decode"))]
extern crate alloc;

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
pub use decode::{Constant, Field, Function, RawRecord, Record, Records, records};
pub use encode::Describe;
pub use go_type::GoType;
#[cfg(any(test, feature = "decode"))]
pub use reader::Error;
#[cfg(any(test, feature = "decode"))]
pub use types::owned::{Decl, Member, Method, Type, Variant};
pub use types::{Basic, Layout};
pub use wire::{object, record, role};

/// The version of the payload's format.
pub const VERSION: u16 = 1;

/// The name of the section with the records in an object file.
pub const SECTION: &str = "rustgo_exports";
