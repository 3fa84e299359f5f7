// Package xxh3 computes the hash function XXH3, with 64 and 128 bits. XXH3 is not a cryptographic hash: an adversary can make collisions.
//
// [Sum64] and [Sum128] hash data in memory. [Hasher], a [hash.Hash64], and [Hasher128], a [hash.Hash], hash data that is written in pieces, without
// allocation. Their sums have the C library's canonical form: the most significant byte first.
//
// The code is the Rust crate twox-hash. It uses AVX2 where the processor has it, and SSE2 or NEON elsewhere.
//
// # Speed
//
// github.com/zeebo/xxh3 computes the same sums and is faster for most lengths. Up to 240 bytes it is Go code, whose arguments are in registers; a
// call of an assembly function, as in this package, takes 1 ns longer. From 1 KiB on it has assembly for AVX-512. Package xxh3 is for programs that
// want the same implementation as a Rust program, or no hand-written assembly. README.md has figures.
package xxh3

//go:generate rustgo build --crate rust
