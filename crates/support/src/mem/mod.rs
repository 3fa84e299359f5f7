//! The memory functions the compiler calls on its own account: `memcpy`, `memmove`, `memset`, `memcmp`, `bcmp`, and
//! `strlen`. A freestanding crate has nobody else to bring them, and there is no C library in a Go program.
//!
//! They must not be written in a way that the compiler recognises, for it would replace the body of `memcpy` by a call of
//! `memcpy`. So they are assembly where speed counts, and loops of volatile accesses elsewhere.

#[cfg(target_arch = "aarch64")]
mod aarch64;
#[cfg(any(not(any(target_arch = "x86_64", target_arch = "aarch64")), test))]
mod plain;
#[cfg(target_arch = "x86_64")]
mod x86_64;

#[cfg(test)]
mod tests;
