//@ support: heap
//@ bitvec = { version = "=1.0.1", default-features = false, features = ["alloc"] }
//! Uses vectors of bits, and stores integers in ranges of bits.
extern crate alloc;
use alloc::format;
use bitvec::prelude::*;

#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let bits = input.view_bits::<Msb0>();
    let mut some: BitVec<u16, Lsb0> = bits.iter().by_vals().skip(3).take(900).collect();
    some.extend_from_bitslice(&bitvec![u16, Lsb0; 1, 0, 1, 1]);
    // The range panics if there are too few bits.
    some[2..15].store_be(input.len() as u16 & 0x1fff);
    let turn = input.len() % some.len();
    some.rotate_left(turn);
    let mut other = some.clone();
    other.reverse();
    other ^= &some;
    let text = format!(
        "{} {:?} {:?} {:x}",
        some.count_ones(),
        other.first_zero(),
        other.iter_ones().take(20).last(),
        some[1..14].load_le::<u16>()
    );
    let n = put(out, text.as_bytes());
    n + put(&mut out[n..], bytemuck(other.as_raw_slice()).as_ref())
}

fn bytemuck(words: &[u16]) -> alloc::vec::Vec<u8> {
    words.iter().flat_map(|w| w.to_le_bytes()).collect()
}
