// Package blake3 is the hash function BLAKE3, from the official Rust crate with its assembly for AVX-512, AVX2, SSE4.1
// and SSE2, which is chosen by the processor at run time.
//
// A parameter dst must not overlap another one.
package blake3

//go:generate rustgo build --crate rust
