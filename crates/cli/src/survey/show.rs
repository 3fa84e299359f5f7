//! Prints the result of `rustgo survey`.

use super::{Examination, Examined, Outcome};
use crate::diag::Diagnostic;
use crate::diag::render::{self, Style};
use crate::diag::wall::{Wall, needed_by};
use crate::target::show_size;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// The surveyed crate.
#[derive(Debug)]
pub struct Surveyed {
    pub name: String,
    pub version: String,
    /// The target's name: `amd64 (x86-64)`.
    pub target: String,
    /// The enabled features.
    pub features: BTreeSet<String>,
    /// See [`crate::manifest::Subject::brought_by`].
    pub brought_by: BTreeMap<String, BTreeSet<String>>,
    pub links_std: bool,
    /// The number of generic functions.
    pub generic: usize,
    /// The number of items that the crate only re-exports.
    pub foreign: usize,
    /// The paths of functions that the scratch crate cannot name.
    pub unnameable: Vec<String>,
}

/// Maximum number of accepted functions that the text lists.
const LISTED: usize = 400;

impl Examination {
    /// True if every function is accepted.
    pub fn is_accepted(&self) -> bool {
        self.functions.iter().all(|function| matches!(function.outcome, Outcome::Accepted(_)))
    }

    fn accepted(&self) -> usize {
        self.functions.iter().filter(|function| matches!(function.outcome, Outcome::Accepted(_))).count()
    }

    fn recursing(&self) -> Vec<(&str, u32, &str)> {
        self.functions
            .iter()
            .filter_map(|function| match &function.outcome {
                Outcome::Accepted(Some(needs)) => {
                    let (budget, culprit) = needs.recursion.as_ref()?;
                    Some((function.path.as_str(), *budget, culprit.as_str()))
                }
                _ => None,
            })
            .collect()
    }

    /// Returns proposals for the user, one for each line: changes with which rustgo would accept more functions.
    fn helps(&self, surveyed: &Surveyed) -> Vec<String> {
        let mut helps = Vec::new();
        let mut named = BTreeSet::new();
        let crates: BTreeSet<&str> = self.reasons.iter().filter_map(needed_by).collect();
        for krate in crates {
            let Some(features) = surveyed.brought_by.get(krate).filter(|features| !features.is_empty()) else { continue };
            if named.insert(features.clone()) {
                let list: Vec<&str> = features.iter().map(String::as_str).collect();
                helps.push(format!("without the feature {}, which brings {krate}", list.join(" or ")));
            }
        }
        if !self.is_accepted() && surveyed.features.contains("default") {
            helps.push("perhaps --no-default-features, with the --features that are needed".to_owned());
        }
        if self.needs_libm {
            helps.push("the crate libm, for C's mathematics: rustgo adds it by itself".to_owned());
        }
        if self.needs_heap && !surveyed.links_std {
            helps.push("the feature heap of rustgo-support, which the accepted functions need".to_owned());
        }
        let mut recursing = self.recursing();
        recursing.sort_by_key(|(path, budget, _)| (std::cmp::Reverse(*budget), *path));
        if let Some((path, budget, culprit)) = recursing.first() {
            let others = match recursing.len() - 1 {
                0 => String::new(),
                1 => "; 1 other accepted function recurses".to_owned(),
                n => format!("; {n} other accepted functions recurse"),
            };
            helps.push(format!(
                "a stack budget: {path} recurses (in {culprit}) and has {} by default; #[rustgo::export(stack = \"256k\")] states another{others}",
                show_size(u64::from(*budget))
            ));
        }
        helps
    }

    /// Returns the result as text.
    pub fn human(&self, surveyed: &Surveyed, style: Style) -> String {
        let Surveyed { name, version, target, generic, foreign, unnameable, .. } = surveyed;
        let (accepted, all) = (self.accepted(), self.functions.len());
        let mut text = String::new();
        if !self.reasons.is_empty() {
            text.push_str(&render::refusal(&self.reasons, style));
            text.push('\n');
        }
        let mut section = |title: &str, lines: Vec<String>| {
            if !lines.is_empty() {
                let _ = writeln!(text, "{title}:");
                for line in lines {
                    let _ = writeln!(text, "  {line}");
                }
                text.push('\n');
            }
        };
        let paths = self.functions.iter().filter(|function| matches!(function.outcome, Outcome::Accepted(_)));
        let mut lines: Vec<String> = paths.map(|function| function.path.clone()).collect();
        let more = lines.len().saturating_sub(LISTED);
        lines.truncate(LISTED);
        lines.extend((more > 0).then(|| format!("and {more} more")));
        section("goes through", lines);
        let why = |path: &str, kinds: &BTreeSet<Wall>, reason: &Diagnostic| {
            let kinds: Vec<&str> = kinds.iter().map(|kind| kind.title()).collect();
            format!("{path}: {}: {}", kinds.join("; "), reason.message)
        };
        let refused = self.functions.iter().filter_map(|function| match &function.outcome {
            Outcome::Refused(refusal, reason) => Some(why(&function.path, &refusal.kinds, reason)),
            _ => None,
        });
        section("refused", refused.collect());
        let undecided = self.functions.iter().filter_map(|function| match &function.outcome {
            Outcome::Undecided(refusal, reason) => Some(why(&function.path, &refusal.kinds, reason)),
            _ => None,
        });
        section("undecided (a call through a pointer may lead to what is refused; name the function alone to decide)", undecided.collect());
        section("would help or is needed", self.helps(surveyed));
        let mut left_out = Vec::new();
        let functions = |count: usize| if count == 1 { "function" } else { "functions" };
        if *generic > 0 {
            left_out.push(match generic {
                1 => "1 generic function, which is compiled only for the types that use it".to_owned(),
                _ => format!("{generic} generic functions, which are compiled only for the types that use them"),
            });
        }
        if *foreign > 0 {
            left_out.push(format!("{foreign} re-exported {} of other crates", if *foreign == 1 { "item" } else { "items" }));
        }
        if !unnameable.is_empty() {
            left_out.push(format!("{} {} that another crate cannot name", unnameable.len(), functions(unnameable.len())));
        }
        section("not examined", left_out);
        let (bytes, count) = self.size;
        let size = match count {
            0 => String::new(),
            _ => format!(" ({} of machine code in {count} functions)", show_size(bytes as u64)),
        };
        let _ = writeln!(text, "{name} {version} for {target}: {accepted} of {all} public functions go through{size}");
        text
    }

    /// Returns the result as lines of JSON: the reasons, a line for each function, and a summary.
    pub fn json(&self, surveyed: &Surveyed) -> String {
        #[derive(Serialize)]
        struct Line<'a> {
            severity: &'static str,
            function: &'a str,
            result: &'static str,
            kinds: Vec<&'static str>,
            reason: Option<&'a str>,
            stack: Option<u32>,
            budget: Option<u32>,
            panics: Option<bool>,
        }
        #[derive(Serialize)]
        struct Summary<'a> {
            severity: &'static str,
            name: &'a str,
            version: &'a str,
            target: &'a str,
            features: &'a BTreeSet<String>,
            accepted: usize,
            functions: usize,
            generic: usize,
            foreign: usize,
            unnameable: &'a [String],
            code_bytes: usize,
            code_functions: usize,
            helps: Vec<String>,
        }
        let mut text = String::new();
        for reason in &self.reasons {
            let _ = writeln!(text, "{}", render::json(reason));
        }
        for Examined { path, outcome, .. } in &self.functions {
            let (result, needs, refusal) = match outcome {
                Outcome::Accepted(needs) => ("accepted", needs.as_ref(), None),
                Outcome::Refused(refusal, reason) => ("refused", None, Some((refusal, reason))),
                Outcome::Undecided(refusal, reason) => ("undecided", None, Some((refusal, reason))),
            };
            let line = Line {
                severity: "survey",
                function: path,
                result,
                kinds: refusal.iter().flat_map(|(refusal, _)| &refusal.kinds).map(|kind| kind.as_str()).collect(),
                reason: refusal.map(|(_, reason)| reason.message.as_str()),
                stack: needs.map(|needs| needs.stack),
                budget: needs.and_then(|needs| Some(needs.recursion.as_ref()?.0)),
                panics: needs.map(|needs| needs.panics),
            };
            let _ = writeln!(text, "{}", serde_json::to_string(&line).unwrap_or_default());
        }
        let summary = Summary {
            severity: "summary",
            name: &surveyed.name,
            version: &surveyed.version,
            target: &surveyed.target,
            features: &surveyed.features,
            accepted: self.accepted(),
            functions: self.functions.len(),
            generic: surveyed.generic,
            foreign: surveyed.foreign,
            unnameable: &surveyed.unnameable,
            code_bytes: self.size.0,
            code_functions: self.size.1,
            helps: self.helps(surveyed),
        };
        let _ = writeln!(text, "{}", serde_json::to_string(&summary).unwrap_or_default());
        text
    }
}
