//! Converts the documentation comments of an item to the text in the item's record.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// Generates an expression of type `&'static str`: the lines of the documentation, joined by `\n`, each without its leading space. The expression
/// joins the lines at compile time, because only the compiler can evaluate `#[doc = include_str!("…")]`.
pub fn text(attributes: &[Attribute]) -> TokenStream {
    let mut parts = Vec::new();
    for attribute in attributes {
        let Meta::NameValue(pair) = &attribute.meta else { continue };
        if !pair.path.is_ident("doc") {
            continue;
        }
        if !parts.is_empty() {
            parts.push(quote!("\n"));
        }
        match &pair.value {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => {
                let text = tidy(&text.value());
                parts.push(quote!(#text));
            }
            other => parts.push(quote!(#other)),
        }
    }
    quote!(::core::concat!(#(#parts),*))
}

/// Returns the text of one documentation comment. Removes the leading space of each line and the stars of a block comment.
fn tidy(comment: &str) -> String {
    if !comment.contains('\n') {
        return comment.strip_prefix(' ').unwrap_or(comment).to_owned();
    }
    // In a block comment the first and last line may be empty, and the lines between them may begin with stars.
    let mut lines: Vec<&str> = comment.lines().collect();
    if lines.first().is_some_and(|line| line.trim().is_empty()) {
        lines.remove(0);
    }
    if lines.last().is_some_and(|line| line.trim().is_empty()) {
        lines.pop();
    }
    let starred = lines.iter().skip(1).all(|line| line.trim_start().starts_with('*')) && lines.len() > 1;
    let strip = |line: &str| {
        let line = if starred { line.trim_start().strip_prefix('*').unwrap_or(line) } else { line };
        line.strip_prefix(' ').unwrap_or(line).trim_end().to_owned()
    };
    lines.into_iter().map(strip).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::tidy;

    #[test]
    fn only_the_marks_of_the_comment_go() {
        for (comment, text) in [
            (" Sum adds.", "Sum adds."),
            ("Sum adds.", "Sum adds."),
            ("     let x = 1;", "    let x = 1;"),
            ("", ""),
            ("\n * Sum adds.\n *\n *     code\n ", "Sum adds.\n\n    code"),
            (" Sum adds.\n It does.", "Sum adds.\nIt does."),
            (" Sum\n * adds.\n * It does. ", "Sum\nadds.\nIt does."),
        ] {
            assert_eq!(tidy(comment), text, "{comment:?}");
        }
    }
}
