// Package aesgcm is AES-GCM from the Rust crates graviola and aes-gcm, as a [cipher.AEAD].
//
// [New] takes the place of [aes.NewCipher] and [cipher.NewGCM], and [NewWithRandomNonce] that of [cipher.NewGCMWithRandomNonce]. What they return
// behaves as theirs: the same rules for slices that overlap, the same bytes. Keys have 16 or 32 bytes: there is no AES-192. docs/crypto.md says what is
// promised for keys.
//
// # Why these crates
//
// graviola's code works on AES and GHASH at the same time, with VAES and AVX-512 where the processor has them; it is that of the levels
// x86-64-v3+crypto and armv8-a+lse+crypto. Elsewhere the code is that of RustCrypto's aes-gcm, which looks for AES instructions by itself. Where VAES is
// known to be there when it is compiled, aes-gcm is faster for messages of less than 256 bytes, but leaves more on the stack: to overwrite that
// takes the time that it saves.
//
// In relation to crypto/cipher with crypto/aes, on a Zen 4: 16 KiB 1.4 times as fast, 1 MiB 1.3 times, 64 bytes 1.2 times; 16 bytes and 256 bytes
// 0.8 times, since each call checks more and wipes what it leaves of the key. All figures are in bench/results/crypto.
//
// # Constant time
//
// Nothing depends on the key or the text but their length: with AES instructions, and without them (the bitsliced code of the crate aes).
// Tags are compared in constant time.
package aesgcm

//go:generate rustgo build --crate rust
