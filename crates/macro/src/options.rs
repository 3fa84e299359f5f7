//! The options of the attribute: `name = "GoName"`, `stack = "64k"`.

use crate::name;
use proc_macro2::TokenStream;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Expr, ExprLit, Lit, LitStr, MetaNameValue, Token};

/// More than this no goroutine has: Go's stacks end at 1 GB, and grow by doubling.
const MAX_STACK: u64 = 256 << 20;

#[derive(Default)]
pub struct Options {
    /// The name in Go.
    pub name: Option<LitStr>,
    /// The stack budget in bytes.
    pub stack: Option<u64>,
}

pub fn parse(tokens: TokenStream) -> syn::Result<Options> {
    let mut options = Options::default();
    let mut seen_stack = false;
    for option in Punctuated::<MetaNameValue, Token![,]>::parse_terminated.parse2(tokens)? {
        let key = option.path.get_ident().map(ToString::to_string).unwrap_or_default();
        let twice = match key.as_str() {
            "name" => options.name.is_some(),
            "stack" => std::mem::replace(&mut seen_stack, true),
            _ => {
                return Err(syn::Error::new_spanned(
                    &option.path,
                    "unknown option; the options are `name = \"GoName\"` and `stack = \"64k\"`",
                ));
            }
        };
        if twice {
            return Err(syn::Error::new_spanned(&option.path, format!("`{key}` is given twice")));
        }
        let Expr::Lit(ExprLit { lit: Lit::Str(value), .. }) = &option.value else {
            let example = if key == "name" { "GoName" } else { "64k" };
            return Err(syn::Error::new_spanned(&option.value, format!("expected a string, as in `{key} = \"{example}\"`")));
        };
        if key == "name" {
            if let Some(why) = name::stated_refusal(&value.value()) {
                return Err(syn::Error::new_spanned(value, format!("`{}` cannot be the name of a function in Go: {why}", value.value())));
            }
            options.name = Some(value.clone());
        } else {
            options.stack = Some(size(&value.value()).map_err(|why| syn::Error::new_spanned(value, why))?);
        }
    }
    Ok(options)
}

/// "4096", "64k", "1m" in bytes.
fn size(text: &str) -> Result<u64, String> {
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
        Some(0) => Err("a stack budget of nothing: leave `stack` out to have the bound computed".to_owned()),
        Some(bytes) if bytes <= MAX_STACK => Ok(bytes),
        _ => Err(format!("a stack budget of more than {}m: no goroutine could provide it", MAX_STACK >> 20)),
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
        assert!(size("0k").unwrap_err().contains("nothing"));
        for text in ["257m", "268435457", "18446744073709551615k", "99999999999999999999"] {
            assert!(size(text).unwrap_err().contains("more than 256m"), "{text}");
        }
    }
}
