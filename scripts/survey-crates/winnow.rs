//@ std
//@ winnow = { version = "=0.7.15", default-features = false, features = ["std"] }
//@ input: 1 + 2*(3 - 4)*-5 / 7
//@ input: ((((1))))*99999999999 - 3 %
//! Parses and evaluates arithmetic expressions.
use winnow::ascii::{dec_int, multispace0};
use winnow::combinator::{alt, cut_err, delimited, preceded, repeat};
use winnow::error::{ContextError, StrContext};
use winnow::token::one_of;
use winnow::{ModalResult, Parser};

fn factor(input: &mut &str) -> ModalResult<i64> {
    let nested = delimited('(', cut_err(sum), cut_err(')').context(StrContext::Label("bracket")));
    delimited(multispace0, alt((dec_int, nested, preceded('-', factor).map(i64::wrapping_neg))), multispace0).parse_next(input)
}

fn product(input: &mut &str) -> ModalResult<i64> {
    let first = factor(input)?;
    repeat(0.., (one_of(['*', '/']), factor))
        .fold(move || first, |a, (op, b): (char, i64)| if op == '*' { a.wrapping_mul(b) } else { a.checked_div(b).unwrap_or(7) })
        .parse_next(input)
}

fn sum(input: &mut &str) -> ModalResult<i64> {
    let first = product(input)?;
    repeat(0.., (one_of(['+', '-']), product))
        .fold(move || first, |a, (op, b): (char, i64)| if op == '+' { a.wrapping_add(b) } else { a.wrapping_sub(b) })
        .parse_next(input)
}

#[rustgo::export(stack = "900k")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let input = String::from_utf8_lossy(input);
    let text = match sum.parse(&input[..]) {
        Ok(n) => n.to_string(),
        Err(error) => format!("{error} {:?}", error.inner() as &ContextError),
    };
    put(out, text.as_bytes())
}
