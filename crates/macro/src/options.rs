//! Parses the options of `#[rustgo::export]`: `name = "GoName"`, `results(start, end)`, `int = "usize"`, `stack = "64k"`, `blocking`,
//! `blocking_over = 65536`, `task`, `panic = "abandon"`.

use crate::name;
use proc_macro2::{Ident, TokenStream};
use syn::ext::IdentExt;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Expr, ExprLit, Lit, LitStr, Meta, Token};

/// The largest stack budget in bytes that an author can state. Go's stacks are at most 1 GB and grow by doubling, so the largest stack has 512 MiB.
/// The budget may take half of this stack.
const MAX_STACK: u64 = 256 << 20;

/// The largest value of `blocking_over`, in bytes. A call that passes more bytes takes long, so it should always be blocking.
const MAX_BLOCKING_OVER: u64 = 1 << 30;

pub const ONLY_USIZE: &str = "`int = \"usize\"` makes Go's `int` of `usize`, and there is no other choice";

const UNKNOWN: &str = "unknown option; the options are `name = \"GoName\"`, `results(start, end)`, `int = \"usize\"`, `stack = \"64k\"`, `blocking`, `blocking_over = 65536`, `task` and `panic = \"abandon\"`";

#[derive(Clone, Default)]
pub struct Options {
    /// The function's name in Go, if the attribute states a name.
    pub name: Option<LitStr>,
    /// The names of the results, if the attribute states names.
    pub results: Option<Vec<Ident>>,
    /// True if `usize` becomes Go's `int`.
    pub int: bool,
    /// The stack budget in bytes, if the attribute states a budget.
    pub stack: Option<u64>,
    /// A call is blocking (notifies Go's scheduler) if it passes more than this number of bytes. 0: every call is blocking. `None`: no call is
    /// blocking.
    pub blocking: Option<u64>,
    /// True for `panic = "abandon"`: panics abandon the frames of the function, although panics unwind in the package. False for `panic = "unwind"`.
    /// `None` if the attribute has no option `panic`.
    pub abandons: Option<bool>,
    /// True if each call runs on a separate stack, outside of Go's memory.
    pub task: bool,
}

impl Options {
    /// Combines the options of an `impl` block with the options `own` of one of its functions. The function's options take precedence, but a function
    /// cannot undo `int` or `task`.
    pub fn with(self, own: Self) -> Self {
        Self {
            name: own.name.or(self.name),
            results: own.results.or(self.results),
            int: self.int || own.int,
            stack: own.stack.or(self.stack),
            blocking: own.blocking.or(self.blocking),
            abandons: own.abandons.or(self.abandons),
            task: self.task || own.task,
        }
    }
}

pub fn parse(tokens: TokenStream) -> syn::Result<Options> {
    let mut options = Options::default();
    let mut seen: Vec<String> = Vec::new();
    for option in Punctuated::<Meta, Token![,]>::parse_terminated.parse2(tokens)? {
        let path = option.path();
        let key = path.get_ident().map(ToString::to_string).unwrap_or_default();
        let example = match key.as_str() {
            "name" => "name = \"GoName\"",
            "results" => "results(start, end)",
            "int" => "int = \"usize\"",
            "stack" => "stack = \"64k\"",
            "blocking" => "blocking",
            "blocking_over" => "blocking_over = 65536",
            "task" => "task",
            "panic" => "panic = \"abandon\"",
            _ => return Err(syn::Error::new_spanned(path, UNKNOWN)),
        };
        if seen.contains(&key) {
            return Err(syn::Error::new_spanned(path, format!("`{key}` is given twice")));
        }
        if key.starts_with("blocking") && options.blocking.is_some() {
            return Err(syn::Error::new_spanned(
                path,
                "`blocking` is for all calls, `blocking_over` for those that pass many bytes: give one",
            ));
        }
        let value = match &option {
            Meta::List(list) if key == "results" => {
                options.results = Some(names(list)?);
                seen.push(key);
                continue;
            }
            _ if key == "results" => return Err(syn::Error::new_spanned(&option, format!("expected `{example}`"))),
            Meta::Path(_) => None,
            Meta::NameValue(option) => Some(&option.value),
            Meta::List(_) => return Err(syn::Error::new_spanned(&option, format!("expected `{example}`"))),
        };
        match (key.as_str(), value) {
            ("blocking", None) => options.blocking = Some(0),
            ("blocking", Some(value)) => {
                return Err(syn::Error::new_spanned(value, "`blocking` takes no value; `blocking_over` takes a number of bytes"));
            }
            ("task", None) => options.task = true,
            ("task", Some(value)) => {
                return Err(syn::Error::new_spanned(value, "`task` takes no value; `stack` states how much stack it has"));
            }
            (_, None) => return Err(syn::Error::new_spanned(&option, format!("expected a value, as in `{example}`"))),
            ("blocking_over", Some(value)) => options.blocking = Some(bytes(value)?),
            (_, Some(Expr::Lit(ExprLit { lit: Lit::Str(value), .. }))) if key == "name" => {
                if let Some(why) = name::stated_refusal(&value.value()) {
                    return Err(syn::Error::new_spanned(
                        value,
                        format!("`{}` cannot be the name of a function in Go: {why}", value.value()),
                    ));
                }
                options.name = Some(value.clone());
            }
            ("int", Some(Expr::Lit(ExprLit { lit: Lit::Str(value), .. }))) if value.value() == "usize" => options.int = true,
            ("int", Some(value)) => {
                return Err(syn::Error::new_spanned(value, ONLY_USIZE));
            }
            ("panic", Some(Expr::Lit(ExprLit { lit: Lit::Str(value), .. }))) => {
                options.abandons = match value.value().as_str() {
                    "abandon" => Some(true),
                    "unwind" => Some(false),
                    _ => return Err(syn::Error::new_spanned(value, "`panic` is \"abandon\" or \"unwind\"")),
                };
            }
            (_, Some(Expr::Lit(ExprLit { lit: Lit::Str(value), .. }))) => {
                options.stack = Some(size(&value.value()).map_err(|why| syn::Error::new_spanned(value, why))?);
            }
            (_, Some(value)) => return Err(syn::Error::new_spanned(value, format!("expected a string, as in `{example}`"))),
        }
        seen.push(key);
    }
    Ok(options)
}

/// Returns the names in `results(…)`.
fn names(list: &syn::MetaList) -> syn::Result<Vec<Ident>> {
    let parser = |input: syn::parse::ParseStream<'_>| Punctuated::<Ident, Token![,]>::parse_terminated_with(input, Ident::parse_any);
    let names: Vec<Ident> = list.parse_args_with(parser)?.into_iter().collect();
    match names.iter().find(|name| *name == "_") {
        None if names.is_empty() => Err(syn::Error::new_spanned(list, "`results` names each result, as in `results(start, end)`")),
        Some(blank) => Err(syn::Error::new_spanned(blank, "either all results have names, or none")),
        None => Ok(names),
    }
}

/// Returns the number that `blocking_over = …` states, in bytes.
fn bytes(value: &Expr) -> syn::Result<u64> {
    let number = match value {
        Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) if number.suffix().is_empty() => number.base10_parse::<u64>().ok(),
        _ => None,
    };
    match number {
        Some(0) => Err(syn::Error::new_spanned(value, "`blocking_over = 0` is for all calls that pass a byte: write `blocking`")),
        Some(number) if number <= MAX_BLOCKING_OVER => Ok(number),
        _ => Err(syn::Error::new_spanned(
            value,
            format!("expected a number of bytes from 1 to {MAX_BLOCKING_OVER}, as in `blocking_over = 65536`"),
        )),
    }
}

/// Converts "4096", "64k" or "1m" to bytes.
pub fn size(text: &str) -> Result<u64, String> {
    let (digits, unit) = match text.as_bytes().last() {
        Some(b'k' | b'K') => (&text[..text.len() - 1], 1 << 10),
        Some(b'm' | b'M') => (&text[..text.len() - 1], 1 << 20),
        _ => (text, 1),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(format!("`{text}` is no size: write a number of bytes, as in \"4096\", \"64k\" or \"1m\""));
    }
    let bytes = digits.parse::<u64>().ok().and_then(|number| number.checked_mul(unit));
    match bytes {
        Some(0) => Err("a stack budget of 0 bytes: leave out `stack`, and the tool computes the bound".to_owned()),
        Some(bytes) if bytes <= MAX_STACK => Ok(bytes),
        _ => Err(format!("a stack budget of more than {}m: a goroutine may be unable to provide it", MAX_STACK >> 20)),
    }
}

#[cfg(test)]
mod tests {
    use super::size;

    #[test]
    fn sizes() {
        for (text, bytes) in [("4096", 4096), ("64k", 65536), ("64K", 65536), ("1m", 1 << 20), ("256M", 256 << 20), ("1", 1)] {
            assert_eq!(size(text), Ok(bytes));
        }
        for text in ["", "k", "64 k", "64kb", "-1", "+1", "1.5m", "0x40", "64é"] {
            assert!(size(text).unwrap_err().contains("is no size"), "{text}");
        }
        assert!(size("0k").unwrap_err().contains("0 bytes"));
        for text in ["257m", "268435457", "18446744073709551615k", "99999999999999999999"] {
            assert!(size(text).unwrap_err().contains("more than 256m"), "{text}");
        }
    }
}
