//@ manifest: [package.metadata.rustgo]
//@ manifest: panic = "abandon"
//! Readers and writers in a crate that links std and whose panics abandon their frames.

use rustgo::{Reader, Writer};
use std::io::{Error, Read, Write, copy};

/// Double reads all data, and writes the data twice.
#[rustgo::export]
pub fn double(mut w: Writer<'_>, mut r: Reader<'_>) -> Result<u64, Error> {
    let mut data = Vec::new();
    r.read_to_end(&mut data)?;
    w.write_all(&data)?;
    copy(&mut data.as_slice(), &mut w)
}
