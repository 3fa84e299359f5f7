// Package aesgcm is AES-GCM from the Rust crate aes-gcm of RustCrypto, as a [cipher.AEAD].
//
// [New] takes the place of [aes.NewCipher] and [cipher.NewGCM], and [NewWithRandomNonce] that of [cipher.NewGCMWithRandomNonce]. What they return
// behaves as theirs: the same lengths, the same rules for slices that overlap, the same bytes.
//
// # Why this crate
//
// The package has code for three levels of the processor on amd64 and two on arm64, and rustgo takes the best. With AES and PCLMULQDQ known to be
// there the crate encrypts short messages without one branch for what the processor can do: 64 bytes in a third of the time of crypto/aes. On
// processors with AVX-512 and VAES long messages take half of crypto/aes' time; with AVX2 alone the same time. Of the other crates, graviola
// is slower below 1 KiB and without VAES, and libcrux-aesgcm has no code for wide registers. The figures are in bench/results/crypto.
//
// # Constant time
//
// Nothing depends on the key or the text but their length: with AES instructions, and without them (the crate's bitsliced code).
// Tags are compared in constant time.
package aesgcm

//go:generate rustgo build --crate rust
