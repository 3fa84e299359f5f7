//@ std
//@ idna = "=1.1.0"
//@ input: Bücher.example
//@ input: xn--bcher-kva.xn--p1ai
//@ input: faß.ελλάς.日本。test
//! Converts internationalized host names to ASCII and to Unicode.
use idna::{
    AsciiDenyList,
    uts46::{Hyphens, Uts46},
};

#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let name = String::from_utf8_lossy(input);
    let (unicode, result) = idna::domain_to_unicode(&name);
    let mut text = format!("{:?} {unicode} {result:?}", idna::domain_to_ascii(&name));
    text += &format!("{:?}", Uts46::new().to_ascii(input, AsciiDenyList::URL, Hyphens::CheckFirstLast, idna::uts46::DnsLength::Verify));
    text += &format!("{:?} {:?}", idna::punycode::encode_str(&name), idna::punycode::decode_to_string(&name));
    put(out, text.as_bytes())
}
