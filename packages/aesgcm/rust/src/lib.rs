//! AES-GCM with 96-bit nonces and 128-bit tags.
//!
//! The code for processors with AES instructions is graviola's. At the lowest level it is that of RustCrypto's crate aes-gcm, which looks for AES
//! instructions at run time and has constant-time code without any.

mod keys;

use burn_secrets::burn;

/// An AEAD is AES-GCM with a key: a [`cipher.AEAD`] with nonces of 12 bytes and tags of 16. Goroutines may use one at the same time.
///
/// The key and what is computed from it lie in Rust's memory. They are wiped when the AEAD is dropped: some time after the last reference to it is
/// gone, or by Close.
#[rustgo::object(close)]
pub struct AEAD(Box<keys::Keys>);

/// In a box, so that no copy is left where a value is moved from.
#[inline(never)]
fn expand(key: &[u8]) -> Box<keys::Keys> {
    Box::new(keys::Keys::new(key))
}

/// More than the expansion of a key needs of the stack, in words of eight bytes.
const BURNT: usize = 2048;

#[rustgo::export]
impl AEAD {
    /// newAEAD returns the AEAD for a key, if that has 16 or 32 bytes.
    #[rustgo::export(name = "newAEAD")]
    pub fn new(key: &[u8]) -> Option<Self> {
        if !matches!(key.len(), 16 | 32) {
            return None;
        }
        let keys = expand(key);
        burn::<BURNT>();
        Some(Self(keys))
    }

    /// seal encrypts text to dst, which is as long, and sets tag.
    #[rustgo::export(name = "seal", blocking_over = 524288)]
    pub fn seal(&self, dst: &mut [u8], text: &[u8], tag: &mut [u8; 16], nonce: &[u8; 12], additional: &[u8]) {
        dst.copy_from_slice(text);
        self.0.seal(dst, tag, nonce, additional);
    }

    /// sealInPlace encrypts text, and sets tag.
    #[rustgo::export(name = "sealInPlace", blocking_over = 262144)]
    pub fn seal_in_place(&self, text: &mut [u8], tag: &mut [u8; 16], nonce: &[u8; 12], additional: &[u8]) {
        self.0.seal(text, tag, nonce, additional);
    }

    /// open decrypts text to dst, which is as long, if the tag is right, and fills dst with zeros otherwise.
    #[rustgo::export(name = "open", blocking_over = 524288)]
    pub fn open(&self, dst: &mut [u8], text: &[u8], tag: &[u8; 16], nonce: &[u8; 12], additional: &[u8]) -> bool {
        dst.copy_from_slice(text);
        self.0.open(dst, tag, nonce, additional)
    }

    /// openInPlace decrypts text if the tag is right, and fills it with zeros otherwise.
    #[rustgo::export(name = "openInPlace", blocking_over = 262144)]
    pub fn open_in_place(&self, text: &mut [u8], tag: &[u8; 16], nonce: &[u8; 12], additional: &[u8]) -> bool {
        self.0.open(text, tag, nonce, additional)
    }
}
