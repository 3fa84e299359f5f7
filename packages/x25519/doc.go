// Package x25519 is the key agreement X25519 of RFC 7748, from the Rust crates graviola and curve25519-dalek.
//
// [PrivateKey] and [PublicKey] have the methods of those of [crypto/ecdh] but Curve, and are types of their own: what asks for an ecdh.PrivateKey or an
// ecdh.KeyExchanger (crypto/tls, crypto/hpke) does not take them, and [PublicKey.ECDH] makes a public key for it. [Exchange] and [ExchangeBase] are
// the functions themselves, without an allocation.
//
// docs/crypto.md says what is promised for keys.
//
// # Why these crates
//
// graviola's code is the assembly of s2n-bignum, the original of which is proved correct (github.com/awslabs/s2n-bignum); its exchange takes little more than half
// the time of crypto/ecdh's. It needs the instructions ADX and BMI2 (Intel since 2014, AMD since 2017), on arm64 those for
// AES, by which its other parts choose; elsewhere the code is curve25519-dalek's. x25519-dalek takes twice as long, and libcrux-curve25519 took nearly
// that when the crates were chosen. None computes several exchanges at the same time, which IFMA would be good for: [ExchangeAll] is no faster
// than its parts. Figures are in bench/results/crypto.
package x25519

//go:generate rustgo build --crate rust
