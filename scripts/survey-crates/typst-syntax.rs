//@ std
//@ support: libm
//@ typst-syntax = "=0.15.1"
//@ input: = Head <label>\n\nSome *strong* and _emphasized_ text with `code` and $x^2 + sqrt(y_1)/2$.\n\n- one\n+ two\n/ Term: details\n\n#let f(x, ..rest) = { x + 1 }\n#f(2, key: "größe")[content] @label\n
//@ input: #import "a.typ": b, c as d\n#show heading.where(level: 1): it => text(fill: rgb("#ff0000"), it.body)\n#for (k, v) in (a: 1, b: 2.5em).pairs() [#k: #v \\ ]\n#if x and not y == 3 { none } else { context here().page() }\n```rust\nfn x() {}\n```\n// note\n$ sum_(i=0)^n mat(1, 2; 3, 4) cases(a &"if" b) $\n
//! Parses the markup, the code and the mathematics of Typst.
use typst_syntax::{SyntaxNode, parse, parse_code, parse_math};

fn describe(root: &SyntaxNode) -> String {
    let (errors, warnings) = root.errors_and_warnings();
    let messages: Vec<_> = errors.iter().chain(&warnings).map(|e| format!("{} {:?}", e.message, e.hints)).collect();
    format!("{root:?} {messages:?} {}\n", root.full_text())
}

#[rustgo::export(stack = "1m")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let input = String::from_utf8_lossy(input);
    let text = [parse(&input), parse_code(&input), parse_math(&input)].iter().map(describe).collect::<String>();
    put(out, text.as_bytes())
}
