//@ std
//@ fancy-regex = { version = "=0.14.0", default-features = false, features = ["std"] }
//@ input: (\\w)\\1|(?<=b)c(?!d)\nabbcd bcc noon xx
//@ input: (?<q>['"]).*?\\k<q>\nsay 'hello "x"' and "bye"
//@ input: (?>a+)b|^(?=.*\\d)[a-z\\d]+$\naaab abc1
//! Regular expressions with backreferences and lookaround.
#[rustgo::export(stack = "256k")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let input = String::from_utf8_lossy(&input[..input.len().min(250)]);
    let (expression, text) = input.split_once('\n').unwrap_or(("o[xv]|q", &input));
    let expression = &expression[..expression.char_indices().nth(60).map_or(expression.len(), |c| c.0)];
    let mut found = String::new();
    match fancy_regex::RegexBuilder::new(expression).backtrack_limit(20_000).delegate_size_limit(1 << 18).build() {
        Ok(regex) => {
            for captures in regex.captures_iter(text) {
                match captures {
                    Ok(captures) => found += &format!("{:?};", captures.iter().map(|m| m.map(|m| m.range())).collect::<Vec<_>>()),
                    Err(error) => {
                        found += &error.to_string();
                        break;
                    }
                }
            }
        }
        Err(error) => found = error.to_string(),
    }
    put(out, found.as_bytes())
}
