//! A program that uses AES-256-GCM, Ed25519 and X25519 of libsodium once. Its compile time and its size are measured.

fn main() {
    crypto_sodium::init();
    column::minimal(&crypto_sodium::COLUMN);
}
