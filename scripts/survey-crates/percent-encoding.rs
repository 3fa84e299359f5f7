//@ support: heap
//@ percent-encoding = { version = "=2.3.2", default-features = false, features = ["alloc"] }
//@ input: a%20b%C3%A9%zz%F%
//! Percent-encodes and decodes bytes.
extern crate alloc;
use alloc::{format, string::String};
use percent_encoding::{AsciiSet, CONTROLS, NON_ALPHANUMERIC, percent_decode, percent_encode};

const SOME: &AsciiSet = &CONTROLS.add(b' ').add(b'"').add(b'%').remove(b'\n');

#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let mut text: String = percent_encode(input, NON_ALPHANUMERIC).collect();
    text.extend(percent_encode(input, SOME));
    text += &percent_decode(input).decode_utf8_lossy();
    text += &format!("{:?}", percent_decode(input).decode_utf8());
    put(out, text.as_bytes())
}
