//! AES-GCM with 96-bit nonces and 128-bit tags.
//!
//! Processors with AES instructions run graviola, and on x86-64 `short` for short messages. At the lowest level RustCrypto's aes-gcm runs, which looks for
//! AES instructions at run time, and has constant-time code without them.

mod keys;
#[cfg(all(target_feature = "aes", target_arch = "x86_64"))]
mod short;

use aes_gcm::aead::inout::InOutBuf;
use burn_secrets::burn;

/// An AEAD is AES-GCM with a key: a [`cipher.AEAD`] with nonces of 12 bytes and tags of 16. Goroutines may use one at the same time.
///
/// The key and what is computed from it lie in Rust's memory. They are wiped when the AEAD is dropped: some time after the last reference to it is
/// gone, or by Close.
#[rustgo::object(close)]
pub struct AEAD(Box<keys::Keys>);

/// Returns a box: a value that is moved would leave a copy in its old place.
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

    /// seal encrypts text to sealed, and adds the tag, for which sealed has 16 bytes more.
    #[rustgo::export(name = "seal", blocking_over = 524288)]
    pub fn seal(&self, sealed: &mut [u8], text: &[u8], nonce: &[u8; 12], additional: &[u8]) {
        let (dst, tag) = sealed.split_last_chunk_mut().expect("room for the tag");
        self.0.seal(both(dst, text), tag, nonce, additional);
    }

    /// sealInPlace encrypts the text in sealed, and sets the last 16 bytes of sealed to the tag.
    #[rustgo::export(name = "sealInPlace", blocking_over = 262144)]
    pub fn seal_in_place(&self, sealed: &mut [u8], nonce: &[u8; 12], additional: &[u8]) {
        let (text, tag) = sealed.split_last_chunk_mut().expect("room for the tag");
        self.0.seal(text.into(), tag, nonce, additional);
    }

    /// open decrypts sealed, which ends in the tag, to dst if the tag is right, and fills dst with zeros otherwise.
    #[rustgo::export(name = "open", blocking_over = 524288)]
    pub fn open(&self, dst: &mut [u8], sealed: &[u8], nonce: &[u8; 12], additional: &[u8]) -> bool {
        let (text, tag) = sealed.split_last_chunk().expect("a tag");
        self.0.open(both(dst, text), tag, nonce, additional)
    }

    /// openInPlace decrypts text if the tag is right, and fills it with zeros otherwise.
    #[rustgo::export(name = "openInPlace", blocking_over = 262144)]
    pub fn open_in_place(&self, text: &mut [u8], tag: &[u8; 16], nonce: &[u8; 12], additional: &[u8]) -> bool {
        self.0.open(text.into(), tag, nonce, additional)
    }
}

/// Panics if the slices differ in length.
fn both<'text, 'dst>(dst: &'dst mut [u8], text: &'text [u8]) -> InOutBuf<'text, 'dst, u8> {
    InOutBuf::new(text, dst).expect("the slices are equally long")
}
