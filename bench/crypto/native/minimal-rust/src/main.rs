//! A program that uses AES-256-GCM, Ed25519 and X25519 of the packages' crates once. Its compile time and its size are measured.

fn main() {
    column::minimal(&crypto_crates::COLUMN);
}
