//@ std
//@ fst = { version = "=0.4.7", features = ["levenshtein"] }
//! Stores a set and a map as automata, and searches for words at a small edit distance.
use fst::{IntoStreamer, Map, Set, SetBuilder, Streamer, automaton::Levenshtein};

#[rustgo::export(stack = "256k")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let mut words: Vec<Vec<u8>> = input.split(|b| *b == b' ').map(|w| w.to_ascii_lowercase()).collect();
    words.sort();
    words.dedup();
    let map = Map::from_iter(words.iter().zip(1u64..)).unwrap();
    let mut found = vec![];
    let mut stream = map.range().ge("b").lt("r").into_stream();
    while let Some((word, n)) = stream.next() {
        found.extend_from_slice(word);
        found.extend_from_slice(&n.to_le_bytes());
    }
    let set = Set::from_iter(["quick", "quack", "quark", "lazy"].iter().copied().collect::<std::collections::BTreeSet<_>>()).unwrap();
    let near = Levenshtein::new("quack", u32::from(input.len() > 40) + 1).unwrap();
    found.extend_from_slice(format!("{:?}", set.search(near).into_stream().into_strs()).as_bytes());
    // insert returns an error if the words are not sorted.
    let mut builder = SetBuilder::memory();
    let result = input.chunks(5).try_for_each(|word| builder.insert(word));
    found.extend_from_slice(format!("{:?}", result.map_err(|e| e.to_string())).as_bytes());
    found.extend_from_slice(map.as_fst().as_bytes());
    put(out, &found)
}
