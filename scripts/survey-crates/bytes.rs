//@ support: heap
//@ bytes = { version = "=1.12.2", default-features = false }
//! Writes and reads buffers that share their memory, piece by piece.
extern crate alloc;
use alloc::{format, vec::Vec};
use bytes::{Buf, BufMut, Bytes, BytesMut};

#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let mut buffer = BytesMut::with_capacity(16);
    buffer.put_u16(input.len() as u16);
    buffer.put_slice(input);
    buffer.put_f64_le(1.5);
    buffer.put_int(-3, 5);
    let tail = buffer.split_off(buffer.len() / 2);
    let mut whole: Bytes = buffer.freeze();
    let copy = whole.slice(1..);
    let mut text = format!("{:?} {:?}", whole.get_u16(), copy == whole);
    while whole.remaining() > 20 {
        let part = whole.split_to(usize::from(whole[0] % 19) + 1);
        text += &format!("{part:?}");
        whole.advance(1);
    }
    let mut chain = whole.chain(tail.freeze());
    // get_u64 panics if fewer than 8 bytes are left.
    text += &format!("{:x} {:?}", chain.get_u64(), chain.copy_to_bytes(3));
    let rest: Vec<u8> = chain.into_inner().1.to_vec();
    text += &format!("{rest:?} {copy:?}");
    put(out, text.as_bytes())
}
