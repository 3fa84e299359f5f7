//@ manifest: [package.metadata.rustgo]
//@ manifest: panic = "abandon"
//! Objects whose destructors call Go, in a crate whose panics abandon their frames.

use rustgo::OwnedWriter;
use std::io::{BufWriter, Error, Write};

/// A Log writes to a buffer. Its destructor flushes the buffer.
#[rustgo::object(close)]
pub struct Log(BufWriter<OwnedWriter>);

#[rustgo::export(task)]
impl Log {
    /// NewLog returns a log that writes to w.
    pub fn new(w: OwnedWriter) -> Log {
        Log(BufWriter::new(w))
    }

    /// Add adds a line.
    pub fn add(&mut self, line: &str) -> Result<(), Error> {
        writeln!(self.0, "{line}")
    }
}
