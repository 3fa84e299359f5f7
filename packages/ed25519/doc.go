// Package ed25519 is the signature scheme Ed25519 of RFC 8032, from the Rust crates graviola and ed25519-dalek.
//
// Public keys and signatures are those of [crypto/ed25519], and the functions are named as there. A [PrivateKey] is a [crypto.Signer] whose key is expanded once, and
// lies in memory that is wiped. docs/crypto.md says what is promised for keys. For PKCS #8, make a key of crypto/ed25519 from [PrivateKey.Seed]; [NewPrivateKey] is the way back.
//
// # Which signatures are valid
//
// [Verify] accepts what crypto/ed25519 accepts: S must be below the order of the group, public keys need not be canonical, and the equation is without
// the cofactor. So it refuses signatures that ZIP 215 accepts: those in which A or R has a part of small order that does not cancel out. [VerifyBatch]
// accepts each batch of signatures that Verify accepts. A signer who builds a signature around points of small order can have a batch accept it that
// Verify refuses: where all have to agree on each signature, as in a blockchain, use Verify.
//
// # Why these crates
//
// graviola signs in little more than a third of the time of crypto/ed25519: its code is the assembly of s2n-bignum, the original of which is proved correct
// (github.com/awslabs/s2n-bignum), and needs the level x86-64-v3+crypto or armv8-a+lse+crypto; ed25519-dalek signs elsewhere. Its verification takes
// half of the time of crypto/ed25519's with AVX-512 IFMA (level x86-64-v4+crypto), which no other crate has, and more with AVX2 alone. A signature in a batch
// of 64 takes less than a third. libcrux-ed25519 was slower than crypto/ed25519 when the crates were chosen. Figures are in bench/results/crypto.
package ed25519

//go:generate rustgo build --crate rust
