//@ std
//@ encoding_rs = "=0.8.35"
//@ input: \x93\xfa\x96\x7b \x82\xa0 \xc4\xfa\xba\xc3 \xe9
//! Converts texts from and to encodings other than UTF-8.
use encoding_rs::{BIG5, EUC_JP, GB18030, ISO_2022_JP, SHIFT_JIS, UTF_16LE, WINDOWS_1252};

#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let mut found = vec![];
    for encoding in [SHIFT_JIS, EUC_JP, ISO_2022_JP, BIG5, GB18030, WINDOWS_1252, UTF_16LE] {
        let (text, used, wrong) = encoding.decode(input);
        found.extend_from_slice(text.as_bytes());
        let (bytes, to, unmappable) = encoding.encode(&text);
        found.extend_from_slice(&bytes);
        found.extend_from_slice(format!("{} {} {wrong} {unmappable}", used.name(), to.name()).as_bytes());
    }
    put(out, &found)
}
