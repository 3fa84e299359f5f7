// Package mlkem768 is the key encapsulation mechanism ML-KEM-768 of FIPS 203, from the Rust crates graviola and libcrux-ml-kem.
//
// It has the types and methods of [crypto/mlkem], without 768 at the end of names: GenerateKey is mlkem.GenerateKey768. With Go 1.26 a
// [DecapsulationKey] is a crypto.Decapsulator, which crypto/hpke takes as a private key, and an [EncapsulationKey] is a crypto.Encapsulator. But as
// public keys, crypto/hpke takes only keys of crypto/mlkem. docs/go-packages.md has the promises about keys.
//
// # Why these crates
//
// graviola's code is written for AVX2, with parts for AVX-512. Much of it is a translation of the assembly of s2n-bignum and mlkem-native; the
// originals are proved correct. Decapsulation takes a tenth of the time of crypto/mlkem, and encapsulation a seventh. graviola needs the
// instructions of the level x86-64-v3+crypto. On older processors, and on arm64 (where graviola's code uses a register that Go reserves), libcrux
// runs. libcrux is verified, and has parts for AVX2 and NEON. On the processor of bench/results/crypto it takes up to three times as long as
// graviola. RustCrypto's ml-kem was slower than both when the crates were chosen. README.md has figures.
//
// # Constant time
//
// The time does not depend on secrets. If a ciphertext is wrong, decapsulation returns another shared key, and nothing else shows that the
// ciphertext was wrong.
package mlkem768

//go:generate rustgo build --crate rust
