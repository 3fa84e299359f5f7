//@ std
//@ syn = { version = "=2.0.119", default-features = false, features = ["full", "parsing", "printing", "extra-traits"] }
//@ proc-macro2 = { version = "1", default-features = false }
//@ quote = { version = "1", default-features = false }
//@ input: pub fn f<'a, T: Copy + 'a>(x: &'a [T; 3]) -> Option<T> where T: Ord { let y = x[0]; if y > x[1] { return Some(y) } None }
//@ input: #[derive(Debug)] enum E { A(u8), B { x: i64 } = 3 } impl E { const N: usize = 1 + 2 * 3; } match x { 1..=9 | -1 if a => b"x", _ => r#"y"# }
//! Parses Rust source into a tree, and formats it as tokens.
use quote::ToTokens;

#[rustgo::export(stack = "900k")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let input = String::from_utf8_lossy(&input[..input.len().min(400)]);
    let text = match syn::parse_file(&input) {
        Ok(file) => format!("{} {:?}", file.to_token_stream(), file.items.len()),
        Err(error) => error.to_string(),
    };
    let more = match syn::parse_str::<syn::Expr>(&input) {
        Ok(expression) => format!("{expression:?}"),
        Err(error) => error.to_string(),
    };
    put(out, (text + &more).as_bytes())
}
