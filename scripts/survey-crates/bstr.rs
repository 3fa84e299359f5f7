//@ std
//@ bstr = "=1.13.1"
//! Searches and splits texts that need not be UTF-8.
use bstr::ByteSlice;

#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let mut text = format!("{:?}", input.as_bstr());
    text += &input.to_str_lossy();
    text += &format!("{:?}", input.words().take(30).collect::<Vec<_>>());
    text += &format!("{} {} {:?}", input.graphemes().count(), input.chars().count(), input.find_iter("qu").collect::<Vec<_>>());
    text += &format!("{:?} {:?}", input.rfind("e"), input.fields().map(|f| f.len()).collect::<Vec<_>>());
    let mut changed = input.replacen("the", b"\xff\xfe", 3);
    changed.extend_from_slice(&input.to_uppercase());
    changed.extend_from_slice(input.trim());
    changed.extend_from_slice(text.as_bytes());
    put(out, &changed)
}
