//! Compares CPU levels (sets of CPU features): how much of the code and data differs between levels. Only a benchmark can show whether a level makes
//! code faster.

use crate::levels::LevelShare;
use crate::target::show_size;
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Minimum share, in percent, of a level's code that lower levels do not have. If the share is smaller, a benchmark of the level is not worthwhile.
const LEAST: usize = 5;
/// Maximum number of functions that the text names for each CPU level.
const NAMED: usize = 8;

#[derive(Serialize)]
struct Line<'a> {
    level: &'static str,
    functions: usize,
    own_functions: usize,
    /// Size of the level's code in bytes.
    code: usize,
    own_code: usize,
    own_data: u64,
    /// Instruction set extensions that the exports use at this level.
    features: &'a BTreeSet<String>,
    own_exports: &'a [String],
    worth_measuring: bool,
}

/// Returns a table, or one line of JSON. For each level, the table or line shows the code that lower levels do not have, and the instruction set
/// extensions that the code uses.
pub fn levels(levels: &[(LevelShare, BTreeSet<String>)], json: bool) -> String {
    if json {
        let lines: Vec<Line<'_>> = levels.iter().enumerate().map(|(at, (own, features))| line(own, features, at == 0)).collect();
        return serde_json::to_string(&lines).unwrap_or_default() + "\n";
    }
    let mut out = format!("{:<20}{:>10}{:>7}{:>12}{:>12}{:>7}{:>12}\n", "level", "functions", "own", "code", "own", "%", "own data");
    for (at, (own, _)) in levels.iter().enumerate() {
        let (code, data) = (show_size(own.code_of as u64), show_size(own.data));
        let _ = match at {
            0 => writeln!(out, "{:<20}{:>10}{:>7}{:>12}", own.level.name(), own.of, "", code),
            _ => writeln!(
                out,
                "{:<20}{:>10}{:>7}{:>12}{:>12}{:>7}{:>12}",
                own.level.name(),
                own.of,
                own.functions,
                code,
                show_size(own.code as u64),
                percent(own),
                data
            ),
        };
    }
    out.push_str("\nown: what no level below has; %: its share of the code's size, which says nothing of speed\n");
    let mut below: &BTreeSet<String> = &BTreeSet::new();
    for (at, (own, features)) in levels.iter().enumerate() {
        if at > 0 {
            out.push('\n');
            describe(&mut out, own, features, below);
        }
        below = features;
    }
    out
}

fn line<'a>(own: &'a LevelShare, features: &'a BTreeSet<String>, is_lowest: bool) -> Line<'a> {
    Line {
        level: own.level.name(),
        functions: own.of,
        own_functions: own.functions,
        code: own.code_of,
        own_code: own.code,
        own_data: own.data,
        features,
        own_exports: &own.exports,
        worth_measuring: is_lowest || percent(own) >= LEAST,
    }
}

fn percent(own: &LevelShare) -> usize {
    (own.code * 100).div_ceil(own.code_of.max(1))
}

fn describe(out: &mut String, own: &LevelShare, features: &BTreeSet<String>, below: &BTreeSet<String>) {
    let new: Vec<&str> = features.difference(below).map(String::as_str).collect();
    let uses = if new.is_empty() {
        "no instructions that the level below has not".to_owned()
    } else {
        format!("instructions of {}", new.join(", "))
    };
    let _ = writeln!(out, "{}: exports use {uses}", own.level);
    let advice = match percent(own) {
        0 => "leave it out: all of its code is that of levels below".to_owned(),
        percent if percent < LEAST => format!("leave it out, or show with a benchmark that it pays: {percent} % of its code differs"),
        percent => format!(
            "{percent} % of its code differs: go test -bench with RUSTGO_CPU={} beside the level below shows what that brings",
            own.level
        ),
    };
    let _ = writeln!(out, "  {advice}");
    for (name, size) in own.names.iter().take(NAMED) {
        let _ = writeln!(out, "  {:>10}  {name}", show_size(*size as u64));
    }
    if own.names.len() > NAMED {
        let _ = writeln!(out, "  {:>10}  and {} more", "", own.names.len() - NAMED);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::target::Level;

    fn own(level: Level, functions: usize, code: usize) -> LevelShare {
        let names = (0..functions).map(|at| (format!("f{at}"), code / functions.max(1))).collect();
        LevelShare { level, functions, of: 20, code, code_of: 10_000, data: 8, exports: vec![], names }
    }

    #[test]
    fn useless_levels_are_reported() {
        let of = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<BTreeSet<String>>();
        let brought = [
            (own(Level::X86_64, 20, 10_000), of(&["SSE2"])),
            (own(Level::X86_64V2, 1, 490), of(&["SSE2", "POPCNT"])),
            (own(Level::X86_64V3, 10, 500), of(&["SSE2", "POPCNT", "AVX2"])),
            (own(Level::X86_64V4, 0, 0), of(&["SSE2", "POPCNT", "AVX2"])),
        ];
        let text = levels(&brought, false);
        for part in [
            "x86-64                      20            9.8 KiB\n",
            "x86-64-v2                   20      1     9.8 KiB       490 B      5         8 B\n",
            "x86-64-v2: exports use instructions of POPCNT\n  5 % of its code differs: go test -bench with RUSTGO_CPU=x86-64-v2",
            "x86-64-v3: exports use instructions of AVX2\n",
            "        50 B  f7\n              and 2 more\n",
            "x86-64-v4: exports use no instructions that the level below has not\n  leave it out: all of its code",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
        let mut little = brought.clone();
        little[1].0.code = 400;
        assert!(levels(&little, false).contains("leave it out, or show with a benchmark that it pays: 4 % of its code differs"));
        let lines: Vec<serde_json::Value> = serde_json::from_str(&levels(&little, true)).unwrap();
        let worth: Vec<Option<bool>> = lines.iter().map(|line| line["worth_measuring"].as_bool()).collect();
        assert_eq!(worth, [true, false, true, false].map(Some));
        assert_eq!((lines[2]["level"].as_str(), lines[2]["own_code"].as_u64()), (Some("x86-64-v3"), Some(500)));
    }
}
