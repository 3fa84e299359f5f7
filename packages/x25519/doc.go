// Package x25519 is the key agreement X25519 of RFC 7748, from the Rust crates graviola and curve25519-dalek.
//
// [PrivateKey] and [PublicKey] have the methods of the types of [crypto/ecdh], except Curve. They are different types: code that needs an
// ecdh.PrivateKey or an ecdh.KeyExchanger (crypto/tls, crypto/hpke) does not accept them. [PublicKey.ECDH] returns the public key as an
// [ecdh.PublicKey]. [Exchange] and [ExchangeBase] are the functions of RFC 7748, without an allocation.
//
// docs/go-packages.md has the promises about keys.
//
// # Why these crates
//
// graviola contains a translation of the assembly of s2n-bignum; the original is proved correct (github.com/awslabs/s2n-bignum). An exchange by
// graviola takes little more than half the time of crypto/ecdh. graviola needs the instructions ADX and BMI2 (Intel since 2014, AMD since 2017); on
// arm64 it is used at the level with AES instructions. curve25519-dalek is used at the other levels, and takes twice as long as graviola.
// libcrux-curve25519 took nearly twice as long as graviola when the crates were chosen. No crate computes several exchanges at the same time with
// IFMA, so [ExchangeAll] is no faster than single calls. README.md has figures.
package x25519

//go:generate rustgo build --crate rust
