//@ std
//@ pulldown-cmark = "=0.13.6"
//@ input: # Head\n\nSome *text* with `code`, a [link](http://x.y "t") and ![image](a.png).\n\n1. one\n2. two\n   - nested\n\n> quote\n\n```rust\nfn x() {}\n```\n
//@ input: | a | b |\n|---|:-:|\n| 1 | **2** |\n\n- [x] done\n- [ ] not[^1]\n\n[^1]: A note.\n\n~~gone~~ <b>html</b> &amp; &copy; \\* "quoted" -- it's\n
//! Converts Markdown to HTML.
use pulldown_cmark::{Options, Parser, html};

#[rustgo::export(stack = "256k")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let text = String::from_utf8_lossy(input);
    let mut page = String::new();
    html::push_html(&mut page, Parser::new_ext(&text, Options::all()));
    page += &format!("{:?}", Parser::new(&text).take(50).collect::<Vec<_>>());
    put(out, page.as_bytes())
}
