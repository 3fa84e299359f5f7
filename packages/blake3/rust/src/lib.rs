//! The hash function BLAKE3, from the official crate with its assembly. The crate chooses the assembly at run time.
//!
//! The crate divides the message in two, recursively. rustgo cannot compute a bound for the depth of recursion, so the exports state a stack budget.
#![no_std]

use core::mem::ManuallyDrop;

/// Sum256 sets dst to the BLAKE3 hash of msg.
#[rustgo::export(stack = "64k")]
pub fn sum256(dst: &mut [u8; 32], msg: &[u8]) {
    *dst = *blake3::hash(msg).as_bytes();
}

/// KeyedSum256 sets dst to the BLAKE3 keyed hash of msg, which is a message authentication code and a pseudo-random function.
#[rustgo::export(stack = "64k")]
pub fn keyed_sum256(dst: &mut [u8; 32], key: &[u8; 32], msg: &[u8]) {
    *dst = *blake3::keyed_hash(key, msg).as_bytes();
}

/// DeriveKey sets dst to a key derived from the key material for a context. The context should be a constant that describes the purpose of the key
/// and is unique in the world, such as "example.com 2019-12-25 16:18:03 session tokens v1".
#[rustgo::export(stack = "64k")]
pub fn derive_key(dst: &mut [u8; 32], context: &str, material: &[u8]) {
    *dst = blake3::derive_key(context, material);
}

/// XOF fills dst with the extended output of the BLAKE3 hash of msg. dst may have any length. The first 32 bytes of the output are the hash.
#[rustgo::export(name = "XOF", stack = "64k")]
pub fn xof(dst: &mut [u8], msg: &[u8]) {
    let mut hasher = blake3::Hasher::new();
    hasher.update(msg);
    hasher.finalize_xof().fill(dst);
}

/// A Hasher computes the hash of the message that is written to it. A Hasher is a plain value: a copy is independent of the original. The zero Hasher
/// is ready for use and computes the same hash as [`sum256`].
// SAFETY: the hasher contains numbers and arrays of numbers. The only field with a destructor is an array of numbers with a varying length, and
// dropping it frees nothing.
#[rustgo::object(unsafe(inline), implements("hash.Hash"))]
pub struct Hasher(ManuallyDrop<blake3::Hasher>);

impl Default for Hasher {
    fn default() -> Self {
        Self::of(blake3::Hasher::new())
    }
}

impl Hasher {
    const fn of(hasher: blake3::Hasher) -> Self {
        Self(ManuallyDrop::new(hasher))
    }
}

#[rustgo::export(stack = "64k")]
impl Hasher {
    /// New returns a Hasher that computes the same hash as [`sum256`].
    #[rustgo::export(name = "New")]
    pub fn new() -> Self {
        Self::default()
    }

    /// NewKeyed returns a Hasher that computes the same hash as [`keyed_sum256`].
    #[rustgo::export(name = "NewKeyed")]
    pub fn keyed(key: &[u8; 32]) -> Self {
        Self::of(blake3::Hasher::new_keyed(key))
    }

    /// NewDeriveKey returns a Hasher that computes the same key as [`crate::derive_key`]. Write the key material to the Hasher.
    #[rustgo::export(name = "NewDeriveKey")]
    pub fn derive_key(context: &str) -> Self {
        Self::of(blake3::Hasher::new_derive_key(context))
    }

    /// write appends data to the message.
    #[rustgo::export(name = "write", blocking_over = 65536)]
    pub fn write(&mut self, message: &[u8]) {
        self.0.update(message);
    }

    /// sum sets dst to the hash of the message.
    #[rustgo::export(name = "sum")]
    pub fn sum(&self, dst: &mut [u8; 32]) {
        *dst = *self.0.finalize().as_bytes();
    }

    /// XOF returns a reader of the extended output for the message. The first 32 bytes of the output are the hash that Sum appends.
    #[rustgo::export(name = "XOF")]
    pub fn xof(&self) -> OutputReader {
        OutputReader(self.0.finalize_xof())
    }

    /// Reset begins a new message. The key or context stays.
    pub fn reset(&mut self) {
        self.0.reset();
    }
}

/// An OutputReader reads the extended output of a [`Hasher`]. The output has 2⁶⁴-1 bytes; in practice Read never reaches its end. An OutputReader is
/// a plain value: a copy is independent of the original.
// SAFETY: it contains numbers and arrays of numbers.
#[rustgo::object(unsafe(inline), implements("io.ReadSeeker"))]
pub struct OutputReader(blake3::OutputReader);

#[rustgo::export(stack = "64k")]
impl OutputReader {
    /// fill fills dst with the next bytes of the output.
    #[rustgo::export(name = "fill", blocking_over = 65536)]
    pub fn fill(&mut self, dst: &mut [u8]) {
        self.0.fill(dst);
    }

    /// position returns the offset in bytes of the next byte of the output.
    #[rustgo::export(name = "position")]
    pub fn position(&self) -> u64 {
        self.0.position()
    }

    /// setPosition sets the offset in bytes of the next byte of the output.
    #[rustgo::export(name = "setPosition")]
    pub fn set_position(&mut self, position: u64) {
        self.0.set_position(position);
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use hex_literal::hex;
    use std::vec::Vec;

    /// Returns the input of the official test vectors (test_vectors.json).
    fn input(len: usize) -> Vec<u8> {
        (0..251u8).cycle().take(len).collect()
    }

    #[test]
    fn official_hashes() {
        for (len, expected) in [
            (0, hex!("af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262")),
            (1, hex!("2d3adedff11b61f14c886e35afa036736dcd87a74d27b5c1510225d0f592e213")),
            (1023, hex!("10108970eeda3eb932baac1428c7a2163b0e924c9a9e25b35bba72b28f70bd11")),
            (1024, hex!("42214739f095a406f3fc83deb889744ac00df831c10daa55189b5d121c855af7")),
            (1025, hex!("d00278ae47eb27b34faecf67b4fe263f82d5412916c1ffd97c8cb7fb814b8444")),
            (4097, hex!("9b4052b38f1c5fc8b1f9ff7ac7b27cd242487b3d890d15c96a1c25b8aa0fb995")),
            (7169, hex!("a003fc7a51754a9b3c7fae0367ab3d782dccf28855a03d435f8cfe74605e7817")),
        ] {
            let mut dst = [0; 32];
            sum256(&mut dst, &input(len));
            assert_eq!(dst, expected, "length {len}");
        }
    }

    #[test]
    fn official_keyed_hash() {
        let mut dst = [0; 32];
        keyed_sum256(&mut dst, b"whats the Elvish word for friend", &input(1025));
        assert_eq!(dst, hex!("357dc55de0c7e382c900fd6e320acc04146be01db6a8ce7210b7189bd664ea69"));
    }

    #[test]
    fn official_derived_key() {
        let mut dst = [0; 32];
        derive_key(&mut dst, "BLAKE3 2019-12-27 16:29:52 test vectors context", &input(1025));
        assert_eq!(dst, hex!("effaa245f065fbf82ac186839a249707c3bddf6d3fdda22d1b95a3c970379bcb"));
    }

    #[test]
    fn official_extended_output() {
        let mut dst = [0; 131];
        xof(&mut dst, &input(1025));
        assert_eq!(
            dst,
            hex!(
                "d00278ae47eb27b34faecf67b4fe263f82d5412916c1ffd97c8cb7fb814b8444f4c4a22b4b399155358a994e52bf255de60035742ec71bd08ac275a1b51cc6bf"
                "e332b0ef84b409108cda080e6269ed4b3e2c3f7d722aa4cdc98d16deb554e5627be8f955c98e1d5f9565a9194cad0c4285f93700062d9595adb992ae68ff1280"
                "0ab67a"
            )
        );
    }

    #[test]
    fn pieces() {
        let input = input(7169);
        let key = b"whats the Elvish word for friend";
        let context = "BLAKE3 2019-12-27 16:29:52 test vectors context";
        let (mut keyed, mut derived) = ([0; 32], [0; 32]);
        keyed_sum256(&mut keyed, key, &input);
        derive_key(&mut derived, context, &input);
        for (mut hasher, expected) in [(Hasher::keyed(key), keyed), (Hasher::derive_key(context), derived)] {
            for _ in 0..2 {
                input.chunks(333).for_each(|piece| hasher.write(piece));
                let mut sum = [0; 32];
                hasher.sum(&mut sum);
                assert_eq!(sum, expected);
                let (mut reader, mut output) = (hasher.xof(), [0; 64]);
                reader.set_position(16);
                reader.fill(&mut output);
                assert_eq!((&output[..16], reader.position()), (&expected[16..], 80));
                hasher.reset();
            }
        }
    }
}
