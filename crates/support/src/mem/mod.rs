//! The memory functions that the compiler calls implicitly: `memcpy`, `memmove`, `memset`, `memcmp`, `bcmp`, and `strlen`. A freestanding crate
//! must define them, because a Go program has no C library.
//!
//! The compiler may replace a loop in the body of `memcpy` by a call of `memcpy` itself. So the functions for x86-64 and arm64 are written in
//! assembly, and the functions for other machines are loops of volatile accesses.

#[cfg(target_arch = "aarch64")]
mod aarch64;
#[cfg(any(not(any(target_arch = "x86_64", target_arch = "aarch64")), test))]
mod plain;
#[cfg(target_arch = "x86_64")]
mod x86_64;

#[cfg(test)]
mod tests;
