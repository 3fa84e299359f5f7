//! Guesses whether the author's crate or one of its dependencies links std. std defines a panic handler. So if std is linked, the support crate must
//! not define one.
//!
//! cargo does not tell which crates link std, so this module reads the sources. A library links std unless its root file says `#![no_std]`, and
//! even then if the root file says `extern crate std`. Attributes under `cfg` are evaluated with the library's features. If the guess is wrong,
//! the compiler reports an error, and the build runs again with the opposite guess.

use super::wrapper::hex;
use crate::manifest::{Manifest, Package};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A file in cargo's target folder that records, after a wrong guess, whether the crate links std. The next build reads it.
pub struct Memory {
    path: PathBuf,
}

impl Memory {
    pub fn new(manifest: &Manifest, packages: &[Package]) -> Memory {
        let packages: Vec<String> = packages.iter().map(|package| format!("{package:?}")).collect();
        let key = hex(&Sha256::digest(packages.join("\n")));
        Memory { path: manifest.target_dir.join("rustgo").join(format!("std-{}-{}", manifest.name, &key[..16])) }
    }

    pub fn recall(&self) -> Option<bool> {
        match std::fs::read_to_string(&self.path).ok()?.as_str() {
            "linked" => Some(true),
            "not linked" => Some(false),
            _ => None,
        }
    }

    /// Stores whether the crate links std. If this fails, the next build guesses wrong again.
    pub fn keep(&self, links_std: bool) {
        let _ = std::fs::write(&self.path, if links_std { "linked" } else { "not linked" });
    }
}

/// True if any of the packages links std.
pub fn links_std(packages: &[Package]) -> bool {
    packages.iter().any(|package| {
        let Some(source) = &package.lib_source else { return false };
        // A file that cannot be read or parsed does not compile either; the compiler then reports the reason.
        std::fs::read_to_string(source).is_ok_and(|text| root_links_std(&text, &package.features))
    })
}

/// True if the archive contains std's panic machinery. The symbols of this code contain the module's name in both of rustc's mangling schemes.
pub fn holds_std(archive: &Path) -> bool {
    const MODULE: &[u8] = b"3std9panicking";
    // If the archive cannot be read, the stage `load` reports the reason.
    std::fs::read(archive).is_ok_and(|bytes| bytes.windows(MODULE.len()).any(|window| window == MODULE))
}

fn root_links_std(text: &str, features: &[String]) -> bool {
    let Ok(tokens) = text.trim_start_matches('\u{feff}').parse::<TokenStream>() else { return false };
    let cfg = Cfg { features: features.iter().map(String::as_str).collect() };
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut no_std = false;
    let mut item_is_there = true;
    let mut at = 0;
    while at < tokens.len() {
        if is_punct(&tokens[at], '#') {
            let inner = tokens.get(at + 1).is_some_and(|token| is_punct(token, '!'));
            if let Some(attribute) = tokens.get(at + 1 + usize::from(inner)).and_then(brackets) {
                if inner {
                    no_std |= attribute_says(&attribute, "no_std", &cfg);
                } else if let Some(condition) = argument(&attribute, "cfg") {
                    item_is_there &= cfg.is_true(&condition);
                }
                at += 2 + usize::from(inner);
                continue;
            }
        }
        let words = |offset: usize| tokens.get(at + offset).and_then(word).unwrap_or_default();
        if words(0) == "extern" && words(1) == "crate" && words(2) == "std" && item_is_there {
            return true;
        }
        // An item ends at its semicolon or braces. The attributes before the item apply only to this item.
        let ends = is_punct(&tokens[at], ';') || matches!(&tokens[at], TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
        item_is_there |= ends;
        at += 1;
    }
    !no_std
}

/// True for the attribute `name`, and for `cfg_attr(condition, …, name, …)` if the condition is true.
fn attribute_says(attribute: &[TokenTree], name: &str, cfg: &Cfg<'_>) -> bool {
    match attribute {
        [token] => word(token).as_deref() == Some(name),
        _ => {
            let Some(inside) = argument(attribute, "cfg_attr") else { return false };
            let mut parts = split_at_commas(&inside).into_iter();
            parts.next().is_some_and(|condition| cfg.is_true(&condition)) && parts.any(|part| attribute_says(&part, name, cfg))
        }
    }
}

/// The part of a library's configuration that decides if the library links std.
struct Cfg<'a> {
    features: BTreeSet<&'a str>,
}

impl Cfg<'_> {
    fn is_true(&self, condition: &[TokenTree]) -> bool {
        let Some(name) = condition.first().and_then(word) else { return false };
        if let Some(TokenTree::Group(group)) = condition.get(1) {
            let parts: Vec<TokenTree> = group.stream().into_iter().collect();
            let mut parts = split_at_commas(&parts).into_iter();
            return match name.as_str() {
                "all" => parts.all(|part| self.is_true(&part)),
                "any" => parts.any(|part| self.is_true(&part)),
                "not" => parts.next().is_some_and(|part| !self.is_true(&part)),
                _ => false,
            };
        }
        let value = condition.get(2).map(|token| token.to_string().trim_matches('"').to_owned());
        match (name.as_str(), value.as_deref()) {
            ("feature", Some(feature)) => self.features.contains(feature),
            // Linux represents all operating systems, because no crate is known that links std on one system only.
            ("target_os", Some(value)) => value == "linux",
            ("target_family", Some(value)) => value == "unix",
            ("target_pointer_width", Some(value)) => value == "64",
            ("target_endian", Some(value)) => value == "little",
            // Assume that panics abort: by default they unwind only if std is linked, which is not known yet.
            ("panic", Some(value)) => value == "abort",
            ("unix" | "rustgo" | "true", None) => true,
            // Assume false for test, doc, miri, debug_assertions, and settings of build scripts.
            _ => false,
        }
    }
}

/// Returns the tokens between the parentheses of `name(…)`; `None` if the tokens have another form.
fn argument(tokens: &[TokenTree], name: &str) -> Option<Vec<TokenTree>> {
    match tokens {
        [first, TokenTree::Group(group)] if word(first).as_deref() == Some(name) => Some(group.stream().into_iter().collect()),
        _ => None,
    }
}

fn brackets(token: &TokenTree) -> Option<Vec<TokenTree>> {
    match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket => Some(group.stream().into_iter().collect()),
        _ => None,
    }
}

fn split_at_commas(tokens: &[TokenTree]) -> Vec<Vec<TokenTree>> {
    tokens.split(|token| is_punct(token, ',')).filter(|part| !part.is_empty()).map(<[TokenTree]>::to_vec).collect()
}

fn is_punct(token: &TokenTree, mark: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == mark)
}

fn word(token: &TokenTree) -> Option<String> {
    match token {
        TokenTree::Ident(ident) => Some(ident.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots() {
        for (text, features, expected) in [
            ("pub fn f() {}", vec![], true),
            ("//! Doc with #![no_std] in it.\npub fn f() {}", vec![], true),
            ("#![no_std]\npub fn f() {}", vec![], false),
            ("//! Doc.\n#![doc = \"x\"]\n/* #![x] */ #![no_std]", vec![], false),
            ("#![cfg_attr(not(feature = \"std\"), no_std)]", vec![], false),
            ("#![cfg_attr(not(feature = \"std\"), no_std)]", vec!["std"], true),
            ("#![cfg_attr(all(not(test), not(feature = \"std\")), no_std, allow(x))]", vec!["alloc"], false),
            ("#![cfg_attr(docsrs, feature(doc_cfg))]\n#![no_std]", vec![], false),
            ("#![no_std]\n#[cfg(feature = \"std\")]\nextern crate std;", vec!["std"], true),
            ("#![no_std]\n#[cfg(feature = \"std\")]\nextern crate std;", vec![], false),
            ("#![no_std]\n#[cfg(any(test, feature = \"std\"))]\n#[macro_use]\nextern crate std;", vec!["std"], true),
            ("#![no_std]\n#[cfg(test)] mod tests { fn f() {} }\nextern crate std;", vec![], true),
            ("#![no_std]\n#[cfg(test)]\nextern crate std;\nextern crate alloc;", vec![], false),
            ("#![no_std]\nmod m { const S: &str = \"extern crate std;\"; }", vec![], false),
            ("#![cfg_attr(true, no_std)]", vec![], false),
            ("this is not ' Rust", vec![], false),
        ] {
            let features: Vec<String> = features.into_iter().map(str::to_owned).collect();
            assert_eq!(root_links_std(text, &features), expected, "{text:?} with {features:?}");
        }
    }
}
