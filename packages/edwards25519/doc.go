// Package edwards25519 has the operations on Curve25519 that signatures and key agreements use, from the Rust crate curve25519-dalek.
//
// This package is a building block for protocols, not a protocol: to sign or to agree on keys, use crypto/ed25519 and crypto/ecdh.
//
// Scalars are 32 bytes, little-endian. Points have the encoding of RFC 8032, u-coordinates the encoding of RFC 7748. A parameter dst must not overlap
// another parameter.
package edwards25519

//go:generate rustgo build --crate rust
