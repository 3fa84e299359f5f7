//@ std
//@ support: libm
//@ lightningcss = "=1.0.0-alpha.72"
//@ input: .foo { color: red; } .bar { color: red; } @media (min-width: 400px) { a:hover::before { content: "größe"; margin: 1px 1px 1px 1px; background: url(a.png) no-repeat center / 50% } }
//@ input: .a { width: calc(100% - (2 * 3px)); color: lab(50% 40 -20 / .5); &.b > c + d ~ [e="f" i] { inset: 0; transition: opacity .3s ease-in-out; display: grid; grid-template: "x y" 1fr / auto minmax(10px, 1fr) } } @supports (display: flex) { @keyframes k { from { opacity: 0 } 50% { rotate: 45deg } } }
//@ input: @import "x.css" layer(l) screen; @font-face { font-family: "A B"; src: local(x), url(y.woff2) format("woff2"); unicode-range: U+25-FF } :root { --x: {a: b}; } @layer one, two; p:not(.q, :nth-child(2n+1)) { font: italic 12px/1.5 sans-serif; transform: translate(10px) scale(2); color: light-dark(#fff, oklch(60% .1 200)) !important }
//! Minifies style sheets for old and for new browsers.
use lightningcss::stylesheet::{MinifyOptions, ParserOptions, PrinterOptions, StyleAttribute, StyleSheet};
use lightningcss::targets::{Browsers, Targets};

fn minify(code: &str, minify: bool, targets: Targets) -> Result<String, String> {
    let options = ParserOptions { error_recovery: !minify, filename: "a.css".into(), ..Default::default() };
    let mut sheet = StyleSheet::parse(code, options).map_err(|error| error.to_string())?;
    sheet.minify(MinifyOptions { targets, ..Default::default() }).map_err(|error| error.to_string())?;
    let printer = PrinterOptions { minify, targets, ..Default::default() };
    Ok(sheet.to_css(printer).map_err(|error| error.to_string())?.code)
}

#[rustgo::export(stack = "2m")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let input = String::from_utf8_lossy(input);
    let old = Targets::from(Browsers { safari: Some(9 << 16), firefox: Some(50 << 16), ..Default::default() });
    let mut text = format!("{:?}\n{:?}\n", minify(&input, true, Targets::default()), minify(&input, false, old));
    match StyleAttribute::parse(&input, ParserOptions::default()) {
        Ok(style) => text += &format!("{:?}", style.to_css(PrinterOptions::default()).map(|css| css.code).map_err(|error| error.to_string())),
        Err(error) => text += &error.to_string(),
    }
    put(out, text.as_bytes())
}
