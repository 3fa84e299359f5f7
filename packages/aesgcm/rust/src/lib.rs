//! AES-GCM with 96-bit nonces and 128-bit tags.
//!
//! At levels with AES instructions the code is graviola's, except that on x86-64 the module `short` handles short messages. At the lowest level the
//! code is the crate aes-gcm of RustCrypto. aes-gcm looks for AES instructions at run time, and has constant-time code for processors without them.

mod keys;
#[cfg(all(target_feature = "aes", target_arch = "x86_64"))]
mod short;

use aes_gcm::aead::inout::InOutBuf;
use burn_secrets::burn;

/// An AEAD is AES-GCM with a key: a [crypto/cipher.AEAD] with nonces of 12 bytes and tags of 16 bytes. Several goroutines may use one AEAD at the
/// same time.
///
/// The key and the values computed from the key are in the Rust heap. Close wipes them. Without Close they are wiped some time after the last
/// reference to the AEAD is gone.
#[rustgo::object(close)]
pub struct AEAD(Box<keys::Keys>);

/// Expands the key in a box, because moving a value leaves a copy in its old place.
#[inline(never)]
fn expand(key: &[u8]) -> Box<keys::Keys> {
    Box::new(keys::Keys::new(key))
}

/// The number of eight-byte words of stack to overwrite after a key is expanded. The expansion uses fewer.
const BURNT: usize = 2048;

#[rustgo::export]
impl AEAD {
    /// newAEAD returns the AEAD for a key of 16 or 32 bytes. It returns nil and false for a key of another length.
    #[rustgo::export(name = "newAEAD")]
    pub fn new(key: &[u8]) -> Option<Self> {
        if !matches!(key.len(), 16 | 32) {
            return None;
        }
        let keys = expand(key);
        burn::<BURNT>();
        Some(Self(keys))
    }

    /// seal encrypts text to sealed, and writes the tag after the ciphertext. It panics unless sealed is 16 bytes longer than text.
    #[rustgo::export(name = "seal", blocking_over = 524288)]
    pub fn seal(&self, sealed: &mut [u8], text: &[u8], nonce: &[u8; 12], additional: &[u8]) {
        let (dst, tag) = sealed.split_last_chunk_mut().expect("room for the tag");
        self.0.seal(both(dst, text), tag, nonce, additional);
    }

    /// sealInPlace encrypts the text in sealed, and writes the tag to the last 16 bytes of sealed. It panics if sealed is shorter than 16 bytes.
    #[rustgo::export(name = "sealInPlace", blocking_over = 262144)]
    pub fn seal_in_place(&self, sealed: &mut [u8], nonce: &[u8; 12], additional: &[u8]) {
        let (text, tag) = sealed.split_last_chunk_mut().expect("room for the tag");
        self.0.seal(text.into(), tag, nonce, additional);
    }

    /// open decrypts sealed, which ends with the tag, to dst. It returns false and fills dst with zeros if the tag is wrong. It panics unless sealed
    /// is 16 bytes longer than dst.
    #[rustgo::export(name = "open", blocking_over = 524288)]
    pub fn open(&self, dst: &mut [u8], sealed: &[u8], nonce: &[u8; 12], additional: &[u8]) -> bool {
        let (text, tag) = sealed.split_last_chunk().expect("a tag");
        self.0.open(both(dst, text), tag, nonce, additional)
    }

    /// openInPlace decrypts text. It returns false and fills text with zeros if the tag is wrong.
    #[rustgo::export(name = "openInPlace", blocking_over = 262144)]
    pub fn open_in_place(&self, text: &mut [u8], tag: &[u8; 16], nonce: &[u8; 12], additional: &[u8]) -> bool {
        self.0.open(text.into(), tag, nonce, additional)
    }
}

/// Combines the input and the output of a cipher. Panics if the slices differ in length.
fn both<'text, 'dst>(dst: &'dst mut [u8], text: &'text [u8]) -> InOutBuf<'text, 'dst, u8> {
    InOutBuf::new(text, dst).expect("the slices are equally long")
}
