//@ aes = { version = "=0.8.4", default-features = false }
//! Encrypts and decrypts blocks with AES-128 and AES-256.
use aes::cipher::{BlockDecrypt, BlockEncrypt, KeyInit, generic_array::GenericArray};
use aes::{Aes128, Aes256, Block};

#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let small = Aes128::new(GenericArray::from_slice(&[3; 16]));
    let large = Aes256::new(&[9; 32].into());
    let mut n = 0;
    for part in input.chunks_exact(64).take(20) {
        let mut blocks = [Block::default(); 4];
        for (block, bytes) in blocks.iter_mut().zip(part.chunks_exact(16)) {
            block.copy_from_slice(bytes);
        }
        small.encrypt_blocks(&mut blocks);
        large.decrypt_blocks(&mut blocks[1..]);
        large.encrypt_block(&mut blocks[0]);
        for block in &blocks {
            out[n..n + 16].copy_from_slice(block);
            n += 16;
        }
    }
    n
}
