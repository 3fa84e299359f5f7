//@ std
//@ support: libm
//@ comrak = { version = "=0.59.0", default-features = false }
//@ input: Hello, **世界**!\n\n# Head {#id}\n\n1. one\n2. two\n   - [x] nested\n\n> quote\n\n```rust\nfn x() {}\n```\n\nSee <http://x.y> and www.example.org, ~~gone~~ H~2~O x^2^.\n
//@ input: | a | b |\n|---|:-:|\n| 1 | **2** \\| 3 |\n\n[link][r] ![i](a.png "t")[^1]\n\n[r]: http://x.y 'title'\n[^1]: A note.\n\n<b>html</b> &amp; &copy; $x^2$ :smile: "quoted" -- it's...\n
//@ input: ---\nfront: matter\n---\n\nTerm\n\n: Details\n\n> [!NOTE]\n> An alert with ||spoiler|| and __under__.\n\n* a\n\n\n* b\n\tcode\n\nHead\n====\n***\n<div>\n*raw*\n</div>\n
//! Converts GitHub's Markdown to HTML, to CommonMark and to XML.
use comrak::{Arena, Options, format_commonmark, format_xml, markdown_to_html, parse_document};

fn options() -> Options<'static> {
    let mut options = Options::default();
    let extension = &mut options.extension;
    extension.strikethrough = true;
    extension.table = true;
    extension.autolink = true;
    extension.tasklist = true;
    extension.superscript = true;
    extension.subscript = true;
    extension.footnotes = true;
    extension.description_lists = true;
    extension.alerts = true;
    extension.math_dollars = true;
    extension.underline = true;
    extension.spoiler = true;
    extension.front_matter_delimiter = Some("---".into());
    options.parse.smart = true;
    options.render.r#unsafe = true;
    options
}

#[rustgo::export(stack = "1m")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let input = String::from_utf8_lossy(input);
    let options = options();
    let mut text = markdown_to_html(&input, &options);
    let arena = Arena::new();
    let root = parse_document(&arena, &input, &options);
    format_commonmark(root, &options, &mut text).unwrap();
    format_xml(root, &options, &mut text).unwrap();
    put(out, text.as_bytes())
}
