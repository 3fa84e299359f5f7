// Package edwards25519 is Curve25519 from the Rust crate curve25519-dalek: the group operations that signatures and key agreements use.
//
// It is a building block for protocols, not a protocol: to sign or to agree on keys, use crypto/ed25519 and crypto/ecdh.
//
// Scalars are 32 bytes, little-endian. Points have the encoding of RFC 8032, u-coordinates the encoding of RFC 7748. A parameter dst must not overlap
// another parameter.
package edwards25519

//go:generate rustgo build --crate rust
