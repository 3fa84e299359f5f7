//@ std
//@ regex = "=1.13.2"
//@ input: (\\w+)\\s+fox|l(a+)zy\nthe quick brown fox jumps over the laazy dog
//@ input: ^(?P<year>\\d{4})-(?P<month>\\d\\d)$\n2024-05
//@ input: [a-c]{2,5}?x*(?i:ABC)\\b\nabcabcxx ABc
//@ input: \\p{Greek}+|é|日本\nαβγ und 日本 é
//! Searches by a regular expression, the first line of the input, in the other lines.
use std::fmt::Write;

#[rustgo::export(stack = "256k")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let input = String::from_utf8_lossy(&input[..input.len().min(600)]);
    let (expression, text) = input.split_once('\n').unwrap_or(("o[xv]|q", &input));
    let mut found = String::new();
    match regex::RegexBuilder::new(expression).size_limit(1 << 18).build() {
        Ok(regex) => {
            for captures in regex.captures_iter(text) {
                let _ = write!(found, "{captures:?};");
            }
            found += &regex.replace_all(text, "<$1>");
            let _ = write!(found, "{:?}", regex.split(text).collect::<Vec<_>>());
        }
        Err(error) => found = error.to_string(),
    }
    put(out, found.as_bytes())
}
