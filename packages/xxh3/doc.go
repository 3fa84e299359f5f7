// Package xxh3 computes the hash function XXH3, with 64 and 128 bits. It is one of the fastest there are, and not meant to resist an adversary.
//
// [Sum64] and [Sum128] hash what is in memory. [Hasher], a [hash.Hash64], and [Hasher128], a [hash.Hash], hash what is written to them piece
// by piece, and allocate nothing. Their sums are written as in the C library's canonical form: the most significant byte first.
//
// The code is that of the Rust crate twox-hash. It uses AVX2 where the processor has it, and SSE2 or NEON elsewhere.
package xxh3

//go:generate rustgo build --crate rust
