//@ std
//@ logos = "=0.15.1"
//@ input: fn main() { let größe_1 = 0x1F + 2.5e-3 * "str \\n"; } // note\n
//@ input: if a <= b && c != d { return -1; } /* x * / y */
//! Splits text into tokens with a lexer that is generated at compile time.
use logos::Logos;

#[derive(Logos, Debug, PartialEq)]
#[logos(skip r"[ \t\r\n]+|//[^\n]*")]
enum Token {
    #[regex(r"[\p{XID_Start}_]\p{XID_Continue}*", |lex| lex.slice().to_owned())]
    Name(String),
    #[regex(r"[0-9]+", |lex| lex.slice().parse().ok())]
    Integer(u32),
    #[regex(r"0x[0-9a-fA-F]+", |lex| u32::from_str_radix(&lex.slice()[2..], 16).ok())]
    Hex(u32),
    #[regex(r"[0-9]+\.[0-9]+([eE][+-]?[0-9]+)?", |lex| lex.slice().parse().ok())]
    Float(f64),
    #[regex(r#""([^"\\]|\\.)*""#)]
    Text,
    #[token("fn")]
    Fn,
    #[token("let")]
    Let,
    #[token("<=")]
    AtMost,
    #[regex(r"[-+*/=<>!&|;(){}]")]
    Sign,
}

#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let input = String::from_utf8_lossy(input);
    let text: String = Token::lexer(&input).spanned().map(|token| format!("{token:?}")).collect();
    put(out, text.as_bytes())
}
