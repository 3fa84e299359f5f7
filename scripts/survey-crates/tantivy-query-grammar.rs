//@ std
//@ support: libm
//@ tantivy-query-grammar = "=0.27.0"
//@ serde_json = "1"
//@ input: title:rust AND (body:"memory safety"~2 OR author:fred^2.5) -draft +year:[2010 TO 2020}
//@ input: a NOT b || c && "größe \\"x\\""* field\\:x:y date:>=2024-01-31T00:00:00Z ip: IN [1.2.3.4 "x y"] /re.*x/ *
//! Parses queries for a search engine.
use tantivy_query_grammar::{parse_query, parse_query_lenient};

#[rustgo::export(stack = "1m")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let input = String::from_utf8_lossy(input);
    let input: String = input.chars().take(300).collect();
    let (tree, errors) = parse_query_lenient(&input);
    let mut text = format!("{tree:?} {errors:?} {}\n", serde_json::to_string(&tree).unwrap());
    if let Ok(tree) = parse_query(&input) {
        text += &format!("{tree:?}");
    }
    put(out, text.as_bytes())
}
