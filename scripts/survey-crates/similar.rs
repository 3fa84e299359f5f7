//@ std
//@ similar = { version = "=2.7.0", features = ["inline"] }
//@ input: one\ntwo\nthree\nfour\none\nTWO\nthree\nfour and more\n
//! Computes the differences between the two halves of a text.
use similar::{Algorithm, ChangeTag, TextDiff, capture_diff_slices, get_diff_ratio};

#[rustgo::export(stack = "256k")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let input = String::from_utf8_lossy(&input[..input.len().min(1500)]);
    let lines: Vec<&str> = input.split_inclusive('\n').collect();
    let (a, b) = lines.split_at(lines.len() / 2);
    let algorithm = [Algorithm::Myers, Algorithm::Patience, Algorithm::Lcs][input.len() % 3];
    let diff = TextDiff::configure().algorithm(algorithm).diff_slices(a, b);
    let mut text = diff.unified_diff().context_radius(2).header("a", "b").to_string();
    for op in diff.ops() {
        for change in diff.iter_inline_changes(op).filter(|c| c.tag() != ChangeTag::Equal) {
            text += &format!("{:?}", change.iter_strings_lossy().collect::<Vec<_>>());
        }
    }
    let chars: Vec<char> = input.chars().take(300).collect();
    let (a, b) = chars.split_at(chars.len() / 2);
    let ops = capture_diff_slices(algorithm, a, b);
    text += &format!("{} {ops:?}", get_diff_ratio(&ops, a.len(), b.len()));
    put(out, text.as_bytes())
}
