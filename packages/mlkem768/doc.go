// Package mlkem768 is the key encapsulation mechanism ML-KEM-768 of FIPS 203, from the Rust crates graviola and libcrux-ml-kem.
//
// It has the types and methods of [crypto/mlkem], which names them with 768 at the end: GenerateKey is mlkem.GenerateKey768. With Go 1.26 the keys are a
// crypto.Decapsulator, which crypto/hpke takes as a private key, and a crypto.Encapsulator; as a public key hpke takes those of crypto/mlkem alone.
// docs/crypto.md says what is promised for keys.
//
// # Why these crates
//
// graviola's code is written for AVX2, with parts for AVX-512; much of it is the assembly of s2n-bignum and mlkem-native, the
// original of which is proved correct. Decapsulation takes a tenth of the time of crypto/mlkem's and encapsulation a seventh. It needs the instructions of the level
// x86-64-v3+crypto; on older processors and on arm64 (where graviola's code uses a register that is Go's) the code is libcrux', which is verified, has
// parts for AVX2 and NEON, and takes up to three times as long on the processor of bench/results/crypto, which has all figures. RustCrypto's ml-kem took
// more when the crates were chosen.
//
// # Constant time
//
// Nothing depends on the secrets but what they say themselves. That a ciphertext is refused shows in the shared secret alone.
package mlkem768

//go:generate rustgo build --crate rust
