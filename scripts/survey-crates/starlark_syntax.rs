//@ std
//@ support: libm
//@ starlark_syntax = "=0.14.2"
//@ input: load("a.star", "b", c = "d")\n\ndef f(x, *args, y = 1, **kwargs):\n    """Doc."""\n    for i in range(10):\n        if i % 2 == 0 and not x:\n            continue\n        y += i\n    return [a for a in args if a] + [y]\n\nf(1, *[2], **{"größe": 0x1F})\n
//@ input: x = lambda a: a if a else -1.5e3\ny = {k: v for k, v in [("a", 1)]}\nz = x[1:-1:2] // 3 << 2 | ~4\n'it''s' "\\n\\u00e9" r"\\x" # note\n(1,)\n
//! Parses Starlark.
use starlark_syntax::syntax::{AstModule, Dialect};

#[rustgo::export(stack = "1m")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let input = String::from_utf8_lossy(input).into_owned();
    let mut text = String::new();
    for dialect in [Dialect::Standard, Dialect::AllOptionsInternal] {
        match AstModule::parse("a.star", input.clone(), &dialect) {
            Ok(module) => text += &format!("{}\n{:?}\n{:?}\n", module.statement().node, module.stmt_locations(), module.loads()),
            Err(error) => text += &format!("{error}\n"),
        }
    }
    put(out, text.as_bytes())
}
