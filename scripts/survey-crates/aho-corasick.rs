//@ std
//@ aho-corasick = "=1.1.5"
//! Searches for several strings at once, with each kind of automaton.
use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let mut patterns: Vec<&[u8]> = vec![b"lazy", b"the", b"quick ", b"x", b"12", b"laz"];
    patterns.extend(input.chunks(7).take(20));
    let mut text = String::new();
    for (kind, leftmost) in [
        (AhoCorasickKind::NoncontiguousNFA, MatchKind::Standard),
        (AhoCorasickKind::ContiguousNFA, MatchKind::LeftmostFirst),
        (AhoCorasickKind::DFA, MatchKind::LeftmostLongest),
    ] {
        let search = AhoCorasick::builder().kind(Some(kind)).match_kind(leftmost).ascii_case_insensitive(true).build(&patterns);
        match search {
            Ok(search) => {
                text += &format!("{:?}", search.find_iter(input).map(|m| (m.pattern().as_usize(), m.start(), m.end())).collect::<Vec<_>>());
                if leftmost == MatchKind::LeftmostFirst {
                    text += &format!("{:?}", search.replace_all_bytes(input, &vec![b"-"; patterns.len()]).len());
                }
            }
            Err(error) => text += &error.to_string(),
        }
    }
    put(out, text.as_bytes())
}
