// Package blake3 is the hash function BLAKE3, from the official Rust crate. On amd64 it uses the crate's assembly for AVX-512, AVX2, SSE4.1 or
// SSE2, depending on the processor.
//
// [Sum256], [KeyedSum256], [DeriveKey] and [XOF] hash a message in memory. A [Hasher] is a [hash.Hash] and hashes a message in pieces. It is also
// an [io.ReaderFrom], so [io.Copy] to a Hasher reads long pieces. An [OutputReader] is an [io.ReadSeeker] of a Hasher's extended output. None of
// them allocates, except that [Hasher.ReadFrom] allocates buffers, which later calls use again.
//
// A parameter dst must not overlap another parameter.
package blake3

//go:generate rustgo build --crate rust
