// Package mlkem768 is the key encapsulation mechanism ML-KEM-768 of FIPS 203, from the Rust crates graviola and libcrux-ml-kem.
//
// It has the types and methods of [crypto/mlkem], without 768 at the end of names: GenerateKey is mlkem.GenerateKey768. With Go 1.26 a
// [DecapsulationKey] is a crypto.Decapsulator, which crypto/hpke takes as a private key, and an [EncapsulationKey] is a crypto.Encapsulator. But as
// public keys, crypto/hpke takes only keys of crypto/mlkem. docs/crypto.md has the promises about keys.
//
// # Why these crates
//
// graviola's code is written for AVX2, with parts for AVX-512. Much of it is the assembly of s2n-bignum and mlkem-native, whose original is proved correct.
// Decapsulation takes a tenth of the time of crypto/mlkem, and encapsulation a seventh. graviola needs the instructions of the level x86-64-v3+crypto. On older
// processors, and on arm64 (where graviola's code uses a register that Go reserves), libcrux runs. It is verified, has parts for AVX2 and NEON, and takes up to
// three times as long on the processor of bench/results/crypto. RustCrypto's ml-kem took longer when the crates were chosen. README.md has figures.
//
// # Constant time
//
// The time does not depend on secrets. A refused ciphertext gives another shared key, and no other sign.
package mlkem768

//go:generate rustgo build --crate rust
