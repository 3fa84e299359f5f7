//@ std
//@ pest = { version = "=2.8.4", default-features = false, features = ["std"] }
//@ pest_derive = { version = "=2.8.4", default-features = false, features = ["std"] }
//@ input: {"a": [1, -2.5e3, true], "b": {"c": null}}
//@ input: ["x", [], {}, "größe \\n"]
//! Parses JSON with a grammar.
use pest::Parser;
use pest::iterators::Pair;

#[derive(pest_derive::Parser)]
#[grammar_inline = r##"
WHITESPACE = _{ " " | "\t" | "\r" | "\n" }
object = { "{" ~ (pair ~ ("," ~ pair)*)? ~ "}" }
pair = { string ~ ":" ~ value }
array = { "[" ~ (value ~ ("," ~ value)*)? ~ "]" }
value = _{ object | array | string | number | literal }
string = @{ "\"" ~ ("\\" ~ ANY | !("\"" | "\\") ~ ANY)* ~ "\"" }
number = @{ "-"? ~ ASCII_DIGIT+ ~ ("." ~ ASCII_DIGIT+)? ~ (^"e" ~ ("+" | "-")? ~ ASCII_DIGIT+)? }
literal = { "true" | "false" | "null" }
json = { SOI ~ value ~ EOI }
"##]
struct Json;

fn write(pair: Pair<Rule>, text: &mut String) {
    *text += &format!("({:?} {:?}", pair.as_rule(), pair.line_col());
    let leaf = pair.as_str().to_owned();
    let mut inner = pair.into_inner().peekable();
    if inner.peek().is_none() {
        *text += &leaf;
    }
    inner.for_each(|pair| write(pair, text));
    *text += ")";
}

#[rustgo::export(stack = "900k")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let input = String::from_utf8_lossy(input);
    let mut text = String::new();
    match Json::parse(Rule::json, &input) {
        Ok(pairs) => pairs.for_each(|pair| write(pair, &mut text)),
        Err(error) => text = format!("{error} {:?}", error.variant),
    }
    put(out, text.as_bytes())
}
