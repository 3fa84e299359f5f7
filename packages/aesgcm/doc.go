// Package aesgcm is AES-GCM from the Rust crates graviola and aes-gcm, as a [cipher.AEAD].
//
// [New] replaces [aes.NewCipher] and [cipher.NewGCM], and [NewWithRandomNonce] replaces [cipher.NewGCMWithRandomNonce]. The values returned behave
// like the values of those functions: they have the same rules for slices that overlap, and produce the same bytes. Keys have 16 or 32 bytes: there
// is no AES-192. docs/go-packages.md has the promises about keys.
//
// # Whose code
//
// graviola's code computes AES and GHASH at the same time, with VAES and AVX-512 where the processor has them. graviola runs at the levels
// x86-64-v3+crypto and armv8-a+lse+crypto. At other levels RustCrypto's aes-gcm runs, which looks for AES instructions at run time.
//
// Both crates leave round keys in stack frames of several KiB. Overwriting these frames takes longer than encrypting a short message. So at the level
// x86-64-v3+crypto messages below 1 KiB use code of this package, rust/src/short.rs, whose frames need 1 KiB.
//
// # Speed
//
// Relative to crypto/cipher, on a Zen 4: 16 bytes 1.1 to 1.3 times as fast, 64 bytes 1.3 to 1.8 times, 256 bytes 1.0 times, 4 KiB 1.4 to 1.7 times.
// A message without text takes 1.2 to 1.3 times as long as in crypto/cipher, because each call wipes the keys that it leaves. README.md has more
// figures.
//
// # Constant time
//
// The time depends on lengths, not on the key or the text. This holds with AES instructions, and without them (the bitsliced code of the crate
// aes). Tags are compared in constant time.
package aesgcm

//go:generate rustgo build --crate rust
