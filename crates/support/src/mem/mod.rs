//! The memory functions that the compiler calls implicitly: `memcpy`, `memmove`, `memset`, `memcmp`, `bcmp`, and `strlen`. A freestanding crate
//! must define them, because a Go program has no C library.
//!
//! The compiler replaces a loop that it recognises, such as the body of `memcpy`, by a call of `memcpy`. So the functions are written in assembly
//! on the machines where speed counts; on other machines they are loops of volatile accesses.

#[cfg(target_arch = "aarch64")]
mod aarch64;
#[cfg(any(not(any(target_arch = "x86_64", target_arch = "aarch64")), test))]
mod plain;
#[cfg(target_arch = "x86_64")]
mod x86_64;

#[cfg(test)]
mod tests;
