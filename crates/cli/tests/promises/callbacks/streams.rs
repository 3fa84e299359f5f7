//! Readers, writers and contexts of Go.

use rustgo::{Context, GoError, OwnedReader, OwnedWriter, ReadSeeker, ReadWriter, Reader, ReaderAt, WriteSeeker, Writer};
use std::io::{BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};

/// Copy copies from r to w through a buffer of this size, and returns the number of bytes.
#[rustgo::export(int = "usize")]
pub fn copy(mut w: Writer<'_>, mut r: Reader<'_>, size: usize) -> Result<u64, std::io::Error> {
    let mut buffer = vec![0; size];
    let mut sum = 0;
    loop {
        let n = r.read(&mut buffer)?;
        if n == 0 {
            w.flush()?;
            return Ok(sum);
        }
        w.write_all(&buffer[..n])?;
        sum += n as u64;
    }
}

/// Exactly reads this number of bytes.
#[rustgo::export(int = "usize")]
pub fn exactly(mut r: Reader<'_>, n: usize) -> Result<Vec<u8>, std::io::Error> {
    let mut bytes = vec![0; n];
    r.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// Part reads n bytes at an offset from the start, the current position, or the end.
#[rustgo::export(int = "usize")]
pub fn part(mut r: ReadSeeker<'_>, whence: u8, offset: i64, n: u64) -> Result<String, std::io::Error> {
    let to = [SeekFrom::Start(offset.cast_unsigned()), SeekFrom::Current(offset), SeekFrom::End(offset)][whence as usize];
    r.seek(to)?;
    let mut text = String::new();
    r.take(n).read_to_string(&mut text)?;
    Ok(text)
}

/// Told reads up to 4 bytes, asks for the position, and reads again.
#[rustgo::export]
pub fn told(mut r: ReadSeeker<'_>) -> Result<u64, std::io::Error> {
    let n = r.read(&mut [0; 4])?;
    let at = r.stream_position()?;
    Ok(at + n as u64 + r.read(&mut [0; 4])? as u64)
}

/// Patch writes at a position.
#[rustgo::export]
pub fn patch(mut w: WriteSeeker<'_>, at: u64, text: &str) -> Result<u64, std::io::Error> {
    w.seek(SeekFrom::Start(at))?;
    w.write_all(text.as_bytes())?;
    w.stream_position()
}

/// Echo writes back each byte that it reads.
#[rustgo::export]
pub fn echo(mut rw: ReadWriter<'_>) -> Result<u64, GoError> {
    let mut byte = [0];
    let mut n = 0;
    while rw.try_read(&mut byte)? != 0 {
        n += rw.try_write(&byte)? as u64;
    }
    Ok(n)
}

/// At reads up to 4 bytes at each of two positions.
#[rustgo::export]
pub fn at(r: ReaderAt<'_>, one: u64, other: u64) -> Result<Vec<u8>, GoError> {
    let mut bytes = vec![0; 8];
    let n = r.read_at(&mut bytes[..4], one)?;
    let m = r.read_at(&mut bytes[n..n + 4], other)?;
    bytes.truncate(n + m);
    Ok(bytes)
}

/// None reports whether it gets no reader, and no context that is done.
#[rustgo::export]
pub fn none(r: Option<Reader<'_>>, c: Option<Context<'_>>) -> bool {
    r.is_none() && c.is_none_or(|c| !c.is_done())
}

/// Lines reads lines and writes them in capitals.
#[rustgo::object(close)]
pub struct Lines(BufReader<OwnedReader>, OwnedWriter);

#[rustgo::export(task)]
impl Lines {
    /// NewLines keeps the reader and the writer.
    pub fn new(r: OwnedReader, w: OwnedWriter) -> Lines {
        Lines(BufReader::new(r), w)
    }

    /// Step handles a line, and returns false at the end.
    pub fn step(&mut self) -> Result<bool, std::io::Error> {
        let mut line = String::new();
        let n = self.0.read_line(&mut line)?;
        self.1.write_all(line.to_uppercase().as_bytes())?;
        Ok(n > 0)
    }
}

/// Spin loops until the context is done. If `polls` is true, it lets other goroutines run meanwhile.
#[rustgo::export]
pub fn spin(context: Context<'_>, polls: bool) -> Result<(), GoError> {
    loop {
        if polls { rustgo::poll(&context)? } else { context.check()? }
    }
}

/// Done tells whether the context is done.
#[rustgo::export]
pub fn done(context: Context<'_>) -> bool {
    context.is_done()
}

/// Buffered writes through a buffer. After an error the buffer's destructor tries again to write the buffer's content.
#[rustgo::export]
pub fn buffered(w: Writer<'_>, text: &str) -> Result<(), std::io::Error> {
    let mut buffer = BufWriter::with_capacity(16, w);
    buffer.write_all(text.as_bytes())?;
    buffer.flush()
}
