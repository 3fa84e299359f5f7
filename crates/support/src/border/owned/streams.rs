//! Readers, writers and contexts of Go.

use super::func::GoError;
use crate::border::func::{call, numbered, pause};
use crate::border::kept::{KEPT_DONE, release, take_over, word};
use crate::border::parameter::Parameter;
use core::fmt::{Debug, Formatter, Result as Formatted};
use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::num::NonZeroU64;
use core::sync::atomic::Ordering;
use rustgo_schema::describe::Type;

/// The methods of readers and writers. The package `rt` has the same numbers.
#[cfg_attr(all(rustgo, not(rustgo_io)), allow(dead_code, reason = "only the traits of `std::io` use some of them"))]
mod operation {
    pub const READ: u64 = 0;
    pub const WRITE: u64 = 1;
    pub const FLUSH: u64 = 2;
    pub const SEEK: u64 = 3;
    pub const READ_AT: u64 = 4;
}

/// The arguments of a method, as `rt` reads them.
#[repr(C)]
struct Arguments {
    operation: u64,
    data: *mut u8,
    len: usize,
    offset: i64,
    whence: u64,
}

/// Calls a method of a reader or writer. The method reads or writes at most `len` bytes from `data` on.
#[inline]
fn stream(number: NonZeroU64, operation: u64, data: *mut u8, len: usize, offset: i64, whence: u64) -> Result<i64, GoError> {
    // SAFETY: `rt` reads these arguments and accesses no more than `len` bytes. It writes a count and an error.
    unsafe { call(number.get(), Arguments { operation, data, len, offset, whence }) }
}

fn read(number: NonZeroU64, into: &mut [u8]) -> Result<usize, GoError> {
    stream(number, operation::READ, into.as_mut_ptr(), into.len(), 0, 0).map(|n| n as usize)
}

fn write(number: NonZeroU64, from: &[u8]) -> Result<usize, GoError> {
    stream(number, operation::WRITE, from.as_ptr().cast_mut(), from.len(), 0, 0).map(|n| n as usize)
}

fn flush(number: NonZeroU64) -> Result<(), GoError> {
    stream(number, operation::FLUSH, core::ptr::null_mut(), 0, 0, 0).map(drop)
}

fn read_at(number: NonZeroU64, into: &mut [u8], offset: u64) -> Result<usize, GoError> {
    let Ok(offset) = i64::try_from(offset) else { return Ok(0) };
    stream(number, operation::READ_AT, into.as_mut_ptr(), into.len(), offset, 0).map(|n| n as usize)
}

/// Declares two types for values of a Go interface: one for values that Rust uses only during a call, and one for values that Rust keeps.
macro_rules! interfaces {
    ($($(#[$doc:meta])* $name:ident, $owned:ident, $go:literal { $($ability:ident),* };)*) => {$(
        $(#[$doc])*
        ///
        /// An export with such a parameter is a task: it runs on a stack of its own (`#[rustgo::export(task)]`). A nil value causes a panic; a
        /// parameter of the type `Option` may be nil.
        pub struct $name<'call> {
            number: NonZeroU64,
            call: PhantomData<(&'call (), *const ())>,
        }

        #[doc = concat!("A [`", stringify!($name), "`] that Rust may keep: `", $go, "` in Go.")]
        ///
        /// Rust can use the value in every export that runs as a task, on every thread, and in the destructor of an object that is closed. Elsewhere,
        /// and in the destructor of an object that the garbage collector frees, a use returns an error.
        pub struct $owned {
            number: NonZeroU64,
        }

        impl Drop for $owned {
            fn drop(&mut self) {
                // SAFETY: the number comes from Go and is released here only.
                unsafe { release(self.number) }
            }
        }

        impl Debug for $name<'_> {
            fn fmt(&self, f: &mut Formatter<'_>) -> Formatted {
                f.write_str(stringify!($name))
            }
        }

        impl Debug for $owned {
            fn fmt(&self, f: &mut Formatter<'_>) -> Formatted {
                f.write_str(stringify!($owned))
            }
        }

        numbered! { [] $name<'call>, Type::Interface { kept: false, name: $go }, |number| $name { number, call: PhantomData } }
        numbered! {
            [] $owned, Type::Interface { kept: true, name: $go },
            // SAFETY: Go has made the number for this call.
            |number| $owned { number: unsafe { take_over(number) } }
        }
        $(interfaces! { @$ability $name<'_> } interfaces! { @$ability $owned })*
    )*};
    (@read $ty:ty) => {
        impl $ty {
            /// Reads at most 64 KiB, as std's `read` does, but returns the Go error unchanged. Returns 0 only at `io.EOF` or if `into` is empty.
            ///
            /// # Errors
            /// The error of the Go value; `io.ErrNoProgress` if its `Read` has returned 0 bytes without an error a hundred times in a row.
            pub fn try_read(&mut self, into: &mut [u8]) -> Result<usize, GoError> {
                read(self.number, into)
            }
        }

        #[cfg(any(rustgo_io, all(not(rustgo), any(unix, windows))))]
        impl std::io::Read for $ty {
            fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
                Ok(read(self.number, into)?)
            }
        }
    };
    (@write $ty:ty) => {
        impl $ty {
            /// Writes at most 64 KiB, as std's `write` does, but returns the Go error unchanged. Returns the number of bytes written.
            ///
            /// # Errors
            /// The error of the Go value; `io.ErrShortWrite` if its `Write` has written fewer bytes without an error. After a partial write, the next
            /// write, flush or seek returns the error.
            pub fn try_write(&mut self, from: &[u8]) -> Result<usize, GoError> {
                write(self.number, from)
            }

            /// Calls the method `Flush() error` if the Go value has one. Does the same as std's `flush`, but returns the Go error unchanged.
            ///
            /// # Errors
            /// The error of the Go value.
            pub fn try_flush(&mut self) -> Result<(), GoError> {
                flush(self.number)
            }
        }

        #[cfg(any(rustgo_io, all(not(rustgo), any(unix, windows))))]
        impl std::io::Write for $ty {
            fn write(&mut self, from: &[u8]) -> std::io::Result<usize> {
                Ok(write(self.number, from)?)
            }

            fn flush(&mut self) -> std::io::Result<()> {
                Ok(flush(self.number)?)
            }
        }
    };
    (@seek $ty:ty) => {
        #[cfg(any(rustgo_io, all(not(rustgo), any(unix, windows))))]
        impl std::io::Seek for $ty {
            fn seek(&mut self, to: std::io::SeekFrom) -> std::io::Result<u64> {
                let (offset, whence) = match to {
                    std::io::SeekFrom::Start(offset) => match i64::try_from(offset) {
                        Ok(offset) => (offset, 0),
                        Err(_) => return Err(std::io::Error::new(std::io::ErrorKind::InvalidInput, "the offset exceeds Go's int64")),
                    },
                    std::io::SeekFrom::Current(offset) => (offset, 1),
                    std::io::SeekFrom::End(offset) => (offset, 2),
                };
                let position = stream(self.number, operation::SEEK, core::ptr::null_mut(), 0, offset, whence)?;
                u64::try_from(position).map_err(|_| std::io::Error::other("a Go value has returned a negative position"))
            }
        }
    };
    (@read_at $ty:ty) => {
        impl $ty {
            /// Reads up to 64 KiB from this position on. Returns 0 only at the end (`io.EOF`), if `into` is empty, or if `offset` exceeds Go's int64.
            ///
            /// # Errors
            /// The error of the Go value.
            pub fn read_at(&self, into: &mut [u8], offset: u64) -> Result<usize, GoError> {
                read_at(self.number, into, offset)
            }
        }
    };
}

interfaces! {
    /// A Go `io.Reader`. It is a `std::io::Read`.
    Reader, OwnedReader, "io.Reader" { read };
    /// A Go `io.Writer`. It is a `std::io::Write`, whose `flush` calls the method `Flush() error` if the Go value has one.
    Writer, OwnedWriter, "io.Writer" { write };
    /// A Go `io.ReadWriter`. It is a `std::io::Read` and `Write`.
    ReadWriter, OwnedReadWriter, "io.ReadWriter" { read, write };
    /// A Go `io.ReadSeeker`. It is a `std::io::Read` and `Seek`.
    ReadSeeker, OwnedReadSeeker, "io.ReadSeeker" { read, seek };
    /// A Go `io.WriteSeeker`. It is a `std::io::Write` and `Seek`.
    WriteSeeker, OwnedWriteSeeker, "io.WriteSeeker" { write, seek };
    /// A Go `io.ReaderAt`.
    ReaderAt, OwnedReaderAt, "io.ReaderAt" { read_at };
}

/// Makes types usable on every thread.
macro_rules! every_thread {
    ($($ty:ty),*) => {$(
        // SAFETY: Go values can be used on every thread.
        unsafe impl Send for $ty {}
        // SAFETY: only `read_at` takes a shared reference, and Go's io.ReaderAt allows parallel calls.
        unsafe impl Sync for $ty {}
    )*};
}

every_thread! { OwnedReader, OwnedWriter, OwnedReadWriter, OwnedReadSeeker, OwnedWriteSeeker, OwnedReaderAt }

/// A Go `context.Context`.
///
/// An export with such a parameter is a task: it runs on a stack of its own (`#[rustgo::export(task)]`).
#[derive(Clone, Copy)]
pub struct Context<'call> {
    number: NonZeroU64,
    call: PhantomData<(&'call (), *const ())>,
}

impl Context<'_> {
    /// True if the context is done: cancelled, or past its deadline. Costs one load from memory.
    #[inline]
    #[must_use]
    pub fn is_done(&self) -> bool {
        // SAFETY: Go has made the number for the call, and releases it afterwards.
        unsafe { word(self.number) }.load(Ordering::Acquire) == KEPT_DONE
    }

    /// Returns `Ok` until the context is done.
    ///
    /// # Errors
    /// The context's `Err()`.
    #[inline]
    pub fn check(&self) -> Result<(), GoError> {
        if self.is_done() { self.err() } else { Ok(()) }
    }

    #[cold]
    fn err(&self) -> Result<(), GoError> {
        // SAFETY: the function has no arguments and returns an error.
        unsafe { call(self.number.get(), ()) }
    }
}

/// Lets other goroutines run, and returns `Ok` until the context is done. Long loops should call `poll` every few hundred microseconds: between two
/// calls the goroutine cannot be preempted, and a garbage collection has to wait for it.
///
/// # Errors
/// The context's `Err()`.
pub fn poll(context: &Context<'_>) -> Result<(), GoError> {
    context.check()?;
    pause();
    Ok(())
}

impl Debug for Context<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Formatted {
        f.write_str("Context")
    }
}

numbered! {
    [] Context<'call>, Type::Interface { kept: false, name: "context.Context" }, |number| Context { number, call: PhantomData }
}
