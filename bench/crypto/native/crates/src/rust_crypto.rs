//! The AEADs of RustCrypto.

use chacha20poly1305::aead::inout::InOutBuf;
use chacha20poly1305::{AeadInOut, KeyInit as _};
use column::{Aead, Nonce, OVERHEAD};

/// An AEAD of RustCrypto, for use in a column.
pub struct RustCrypto<A>(pub A);

pub fn chacha(key: &[u8; 32]) -> RustCrypto<chacha20poly1305::ChaCha20Poly1305> {
    RustCrypto(chacha20poly1305::ChaCha20Poly1305::new(key.into()))
}

impl<A: AeadInOut + Send + Sync> Aead for RustCrypto<A> {
    fn seal(&self, out: &mut [u8], nonce: &Nonce, text: &[u8], additional: &[u8]) {
        let (body, tag) = out.split_at_mut(text.len());
        let buffer = InOutBuf::new(text, body).expect("of one length");
        let nonce = nonce.as_slice().try_into().expect("12 bytes");
        tag.copy_from_slice(&self.0.encrypt_inout_detached(nonce, additional, buffer).expect("not too long"));
    }

    fn open(&self, out: &mut [u8], nonce: &Nonce, sealed: &[u8], additional: &[u8]) -> bool {
        let (body, tag) = sealed.split_at(sealed.len() - OVERHEAD);
        let buffer = InOutBuf::new(body, out).expect("of one length");
        let nonce = nonce.as_slice().try_into().expect("12 bytes");
        self.0.decrypt_inout_detached(nonce, additional, buffer, tag.try_into().expect("16 bytes")).is_ok()
    }
}
