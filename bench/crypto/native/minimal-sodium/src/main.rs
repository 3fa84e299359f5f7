//! libsodium used once.

fn main() {
    crypto_sodium::init();
    column::minimal(&crypto_sodium::COLUMN);
}
