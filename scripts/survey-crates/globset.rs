//@ std
//@ globset = { version = "=0.4.18", default-features = false }
//@ input: **/*.rs\nsrc/lib.rs
//@ input: {a,b}[0-9]?/x*\na7x/xyz
//! Matches file names against glob patterns.
use globset::{Glob, GlobBuilder, GlobSetBuilder};

#[rustgo::export(stack = "256k")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let input = String::from_utf8_lossy(&input[..input.len().min(200)]);
    let (pattern, path) = input.split_once('\n').unwrap_or(("*o[xv]*", &input));
    let mut text = match GlobBuilder::new(pattern).literal_separator(true).case_insensitive(input.len() % 2 == 0).build() {
        Ok(glob) => format!("{} {}", glob.regex(), glob.compile_matcher().is_match(path)),
        Err(error) => format!("{error} {:?}", error.kind()),
    };
    let mut set = GlobSetBuilder::new();
    for pattern in ["*.rs", "src/**", "**/x*", "a7x/*", "lib"].into_iter().map(Glob::new).chain([Glob::new(pattern)]).flatten() {
        set.add(pattern);
    }
    text += &format!("{:?}", set.build().map(|set| set.matches(path)).map_err(|e| e.to_string()));
    put(out, text.as_bytes())
}
