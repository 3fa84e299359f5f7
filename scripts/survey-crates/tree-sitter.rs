//@ std
//@ support: libm
//@ tree-sitter = "=0.27.1"
//@ tree-sitter-json = "=0.24.8"
//@ input: {"a": [1, -2.5e3, true], "b": {"c": null}}
//@ input: ["x", [], {}, "größe \\n"] // note\n[1 2
//! Parses JSON with a grammar in C, parses it again after a change, and asks for parts of the tree.
use tree_sitter::{InputEdit, Parser, Point, Query, QueryCursor, StreamingIterator};

fn point(code: &[u8], at: usize) -> Point {
    let row = code[..at].iter().filter(|b| **b == b'\n').count();
    let column = code[..at].iter().rev().take_while(|b| **b != b'\n').count();
    Point { row, column }
}

#[rustgo::export(stack = "256k")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let language = tree_sitter_json::LANGUAGE.into();
    let mut parser = Parser::new();
    parser.set_language(&language).unwrap();
    let mut tree = parser.parse(input, None).unwrap();
    let mut text = format!("{} {}\n", tree.root_node().has_error(), tree.root_node().to_sexp());
    let at = input.len() / 2;
    let mut changed = input.to_vec();
    changed.splice(at..at, *b", [7]");
    let (from, to) = (point(input, at), point(&changed, at + 5));
    tree.edit(&InputEdit { start_byte: at, old_end_byte: at, new_end_byte: at + 5, start_position: from, old_end_position: from, new_end_position: to });
    let next = parser.parse(&changed, Some(&tree)).unwrap();
    text += &format!("{} {:?}\n", next.root_node().to_sexp(), tree.changed_ranges(&next).collect::<Vec<_>>());
    let query = Query::new(&language, r#"(pair key: (string) @key value: (_) @value) ((number) @n (#match? @n "^[0-9]+$"))"#).unwrap();
    let mut cursor = QueryCursor::new();
    let mut matches = cursor.matches(&query, next.root_node(), &changed[..]);
    while let Some(found) = matches.next() {
        for capture in found.captures() {
            text += &format!("{} {} {:?}\n", found.pattern_index, capture.node, capture.node.utf8_text(&changed));
        }
    }
    text += &format!("{:?}", Query::new(&language, &String::from_utf8_lossy(input)).map(|query| query.pattern_count()));
    put(out, text.as_bytes())
}
