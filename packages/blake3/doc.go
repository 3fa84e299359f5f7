// Package blake3 is the hash function BLAKE3, from the official Rust crate with its assembly for AVX-512, AVX2, SSE4.1
// and SSE2, which is chosen by the processor at run time.
//
// [Sum256], [KeyedSum256], [DeriveKey] and [XOF] hash a message that is in memory. A [Hasher], which is a [hash.Hash], hashes what is
// written to it, piece by piece; an [OutputReader], which is an [io.Reader] and an [io.Seeker], reads its extended output. Neither allocates.
//
// A parameter dst must not overlap another one.
package blake3

//go:generate rustgo build --crate rust
