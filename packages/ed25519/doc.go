// Package ed25519 is the signature scheme Ed25519 of RFC 8032, from the Rust crates graviola and ed25519-dalek.
//
// Public keys and signatures have the types of [crypto/ed25519], and functions have the names of that package. A [PrivateKey] is a [crypto.Signer].
// Its key is expanded once, in memory that is wiped. docs/go-packages.md has the promises about keys. For PKCS #8, make a key of crypto/ed25519 from
// [PrivateKey.Seed]; [NewPrivateKey] converts a key of crypto/ed25519 to a PrivateKey.
//
// # Which signatures are valid
//
// [Verify] accepts the signatures that crypto/ed25519 accepts: S must be below the order of the group, public keys need not be canonical, and the
// equation has no cofactor. So it refuses a signature that ZIP 215 accepts, if A or R has a part of small order that does not cancel out.
// [VerifyBatch] accepts each batch of signatures that Verify accepts. But a signer can build a signature around points of small order that Verify
// refuses and a batch accepts. Where all must agree on each signature, as in a blockchain, use Verify.
//
// # Why these crates
//
// graviola signs in little more than a third of the time of crypto/ed25519. Its code is a translation of the assembly of s2n-bignum; the original
// is proved correct (github.com/awslabs/s2n-bignum). graviola needs the level x86-64-v3+crypto or armv8-a+lse+crypto; ed25519-dalek signs at other
// levels. ed25519-dalek verifies in half the time of crypto/ed25519 with AVX-512 IFMA (level x86-64-v4+crypto), which no other crate uses, and in
// more than half the time with AVX2 alone. In a batch of 64, with AVX-512 IFMA, a signature takes less than a third of the time of crypto/ed25519.
// libcrux-ed25519 was slower than crypto/ed25519 when the crates were chosen. README.md has figures.
package ed25519

//go:generate rustgo build --crate rust
