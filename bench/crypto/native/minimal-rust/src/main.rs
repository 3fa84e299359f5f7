//! Each of the crates used once.

fn main() {
    column::minimal(&crypto_crates::COLUMN);
}
