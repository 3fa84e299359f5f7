// Package aesgcm is AES-GCM from the Rust crates graviola and aes-gcm, as a [cipher.AEAD].
//
// [New] takes the place of [aes.NewCipher] and [cipher.NewGCM], and [NewWithRandomNonce] that of [cipher.NewGCMWithRandomNonce]. What they return
// behaves as theirs: the same lengths, the same rules for slices that overlap, the same bytes. docs/crypto.md says what is promised for keys.
//
// # Why these crates
//
// graviola's code works on AES and GHASH at the same time, with VAES and AVX-512 where the processor has them: 16 KiB take seven tenths of the time of
// crypto/aes. That is what ring's and BoringSSL's assembly take, too. On processors with AVX2 alone long messages take a tenth more time than with
// crypto/aes. Where VAES is known to be there when it is compiled, RustCrypto's aes-gcm is faster for messages of less than 256 bytes, and takes
// those: level x86-64-v4+crypto. The levels x86-64-v3+crypto and armv8-a+lse+crypto have graviola's code alone. Elsewhere the code is that of
// aes-gcm, which looks for AES instructions by itself and takes twice as long as graviola from 1 KiB on. The figures are in bench/results/crypto.
//
// # Constant time
//
// Nothing depends on the key or the text but their length: with AES instructions, and without them (the bitsliced code of the crate aes).
// Tags are compared in constant time.
package aesgcm

//go:generate rustgo build --crate rust
