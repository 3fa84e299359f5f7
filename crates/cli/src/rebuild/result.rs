//! The results of `rustgo verify`, and their texts.

use crate::diag::render::{Role, Style};
use serde::Serialize;
use std::fmt;
use std::fmt::Write as _;

/// Maximum number of differing files that the text lists for a package.
const LISTED: usize = 8;

/// The results for all packages of a module.
#[derive(Debug)]
pub struct Verification {
    pub packages: Vec<Package>,
    /// The files outside of these packages from which Go or a C compiler makes machine code, as paths relative to the module.
    pub elsewhere: Vec<String>,
}

/// The result for one package.
#[derive(Debug, Default)]
pub struct Package {
    /// The import path.
    pub name: String,
    /// The crate and its features.
    pub source: Option<String>,
    pub needs: Vec<Need>,
    /// The architectures that `--arch` excludes.
    pub unchecked: Vec<String>,
    /// The generated files that cannot be compared without the excluded architectures.
    pub skipped: Vec<String>,
    /// The hand-written files that Go builds.
    pub foreign: Vec<String>,
    pub outcome: Outcome,
}

/// A compiler that is needed to build the package again.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Need {
    pub arch: String,
    pub rustc: String,
    /// The compiler of this machine that was tried last, if any.
    pub here: Option<String>,
    pub is_here: bool,
}

#[derive(Debug)]
pub enum Outcome {
    /// The files, each with its first difference.
    Compared(Vec<FileResult>),
    Impossible(String),
}

impl Default for Outcome {
    fn default() -> Self {
        Outcome::Compared(Vec::new())
    }
}

#[derive(Debug, Serialize)]
pub struct FileResult {
    pub name: String,
    pub difference: Option<String>,
}

impl fmt::Display for Need {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Need { arch, rustc, here, .. } = self;
        let here = here.as_ref().map_or_else(|| "there is none here".to_owned(), |here| format!("this is {here}"));
        write!(f, "its code for {arch} needs {rustc}, and {here}: ")?;
        // rustup offers only published releases. The version line of a compiler that was built from sources has a second parenthesis.
        let is_published = rustc.matches('(').count() <= 1;
        let version = rustc.split(' ').nth(1).filter(|version| version.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.'));
        let version = version.filter(|_| is_published);
        match version {
            Some(version) => write!(f, "rustup toolchain install {version}, or name a toolchain with --toolchain {arch}=DIR"),
            None => write!(f, "name a toolchain with --toolchain {arch}=DIR"),
        }
    }
}

impl Package {
    /// Returns true if all generated files equal the files that the source gives.
    pub fn is_identical(&self) -> bool {
        matches!(&self.outcome, Outcome::Compared(files) if !files.is_empty() && files.iter().all(|file| file.difference.is_none()))
    }

    fn differing(&self) -> Vec<&FileResult> {
        match &self.outcome {
            Outcome::Compared(files) => files.iter().filter(|file| file.difference.is_some()).collect(),
            Outcome::Impossible(_) => Vec::new(),
        }
    }
}

impl Verification {
    pub fn is_well(&self) -> bool {
        self.packages.iter().all(Package::is_identical)
    }

    /// Returns the result as text.
    pub fn human(&self, style: Style) -> String {
        let mut text = String::new();
        for package in &self.packages {
            for need in package.needs.iter().filter(|need| need.is_here) {
                let _ = writeln!(text, "{}: {} for {} is here", package.name, need.rustc, need.arch);
            }
            if let Some(source) = &package.source {
                let _ = writeln!(text, "{}: made from {source}", package.name);
            }
            let _ = match &package.outcome {
                Outcome::Impossible(reason) => {
                    writeln!(text, "{}: {}: {reason}", package.name, style.paint(Role::Error, "cannot be rebuilt"))
                }
                Outcome::Compared(files) if package.is_identical() => {
                    writeln!(text, "{}: {} ({} files)", package.name, style.paint(Role::Good, "identical"), files.len())
                }
                Outcome::Compared(_) => writeln!(text, "{}: {}", package.name, style.paint(Role::Error, "differs")),
            };
            let differing = package.differing();
            for file in differing.iter().take(LISTED) {
                let _ = writeln!(text, "  {}: {}", file.name, file.difference.as_deref().unwrap_or_default());
            }
            if differing.len() > LISTED {
                let _ = writeln!(text, "  and {} more files", differing.len() - LISTED);
            }
            if !package.unchecked.is_empty() {
                let skipped: String = package.skipped.iter().map(|name| format!(", {name}")).collect();
                let _ = writeln!(
                    text,
                    "  not checked: the code for {}{skipped}, and the comments above package clauses",
                    package.unchecked.join(", ")
                );
            }
            if !package.foreign.is_empty() {
                let _ = writeln!(text, "  not made by rustgo: {}", package.foreign.join(", "));
            }
        }
        let identical = self.packages.iter().filter(|package| package.is_identical()).count();
        let all = self.packages.len();
        if !self.elsewhere.is_empty() {
            let _ = writeln!(
                text,
                "machine code and headers in other packages of the module, not made by rustgo: {}",
                self.elsewhere.join(", ")
            );
        }
        let _ = writeln!(text, "{identical} of {all} {} identical", if all == 1 { "package is" } else { "packages are" });
        text
    }

    /// Returns the result as lines of JSON: one for each package, and a summary.
    pub fn json(&self) -> String {
        #[derive(Serialize)]
        struct Line<'a> {
            severity: &'static str,
            package: &'a str,
            result: &'static str,
            reason: Option<&'a str>,
            source: Option<&'a str>,
            needs: &'a [Need],
            files: &'a [FileResult],
            unchecked: &'a [String],
            skipped: &'a [String],
            not_generated: &'a [String],
        }
        #[derive(Serialize)]
        struct Summary<'a> {
            severity: &'static str,
            packages: usize,
            identical: usize,
            not_generated: &'a [String],
        }
        let mut text = String::new();
        for package in &self.packages {
            let (result, reason, files): (_, _, &[FileResult]) = match &package.outcome {
                Outcome::Impossible(reason) => ("cannot-be-rebuilt", Some(reason.as_str()), &[]),
                Outcome::Compared(files) => (if package.is_identical() { "identical" } else { "differs" }, None, files),
            };
            let line = Line {
                severity: "verify",
                package: &package.name,
                result,
                reason,
                source: package.source.as_deref(),
                needs: &package.needs,
                files,
                unchecked: &package.unchecked,
                skipped: &package.skipped,
                not_generated: &package.foreign,
            };
            let _ = writeln!(text, "{}", serde_json::to_string(&line).unwrap_or_default());
        }
        let identical = self.packages.iter().filter(|package| package.is_identical()).count();
        let summary = Summary { severity: "summary", packages: self.packages.len(), identical, not_generated: &self.elsewhere };
        let _ = writeln!(text, "{}", serde_json::to_string(&summary).unwrap_or_default());
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn need(rustc: &str, here: Option<&str>) -> Need {
        Need { arch: "amd64".into(), rustc: rustc.into(), here: here.map(str::to_owned), is_here: false }
    }

    #[test]
    fn missing_compilers_have_a_way_out() {
        assert_eq!(
            need("rustc 1.95.0 (598 2026-04-14)", Some("rustc 1.96.0 (ac6 2026-05-25)")).to_string(),
            "its code for amd64 needs rustc 1.95.0 (598 2026-04-14), and this is rustc 1.96.0 (ac6 2026-05-25): \
             rustup toolchain install 1.95.0, or name a toolchain with --toolchain amd64=DIR"
        );
        assert!(
            need("rustc 1.96.0 (ac6 2026-05-25) (built from a source tarball)", None)
                .to_string()
                .ends_with("here: name a toolchain with --toolchain amd64=DIR")
        );
        assert_eq!(
            need("rustc 1.97.0-nightly (0 2026-05-30)", None).to_string(),
            "its code for amd64 needs rustc 1.97.0-nightly (0 2026-05-30), and there is none here: \
             name a toolchain with --toolchain amd64=DIR"
        );
    }

    #[test]
    fn texts_name_what_was_not_checked() {
        let file = |name: &str, difference: Option<&str>| FileResult { name: name.into(), difference: difference.map(str::to_owned) };
        let package = |name: &str, outcome| Package { name: name.into(), outcome, ..Package::default() };
        let same = Package {
            source: Some("hash 0.1.0 in rust, features a b".into()),
            unchecked: vec!["arm64".into()],
            skipped: vec!["rustgo.provenance.json".into()],
            foreign: vec!["doc.go".into()],
            ..package("m/a", Outcome::Compared(vec![file("rustgo.go", None)]))
        };
        let differs = package("m/b", Outcome::Compared(vec![file("rustgo.go", None), file("rustgo_amd64.s", Some("is missing"))]));
        let all = Verification {
            packages: vec![same, differs, package("m/c", Outcome::Impossible("why".into()))],
            elsewhere: vec!["d/x.s".into()],
        };
        assert!(!all.is_well());
        assert_eq!(
            all.human(Style::Plain),
            "m/a: made from hash 0.1.0 in rust, features a b\nm/a: identical (1 files)\n  \
             not checked: the code for arm64, rustgo.provenance.json, and the comments above package clauses\n  \
             not made by rustgo: doc.go\nm/b: differs\n  rustgo_amd64.s: is missing\nm/c: cannot be rebuilt: why\n\
             machine code and headers in other packages of the module, not made by rustgo: d/x.s\n1 of 3 packages are identical\n"
        );
        let json = all.json();
        assert_eq!(json.lines().count(), 4);
        assert!(json.contains(r#""package":"m/c","result":"cannot-be-rebuilt","reason":"why""#), "{json}");
        assert!(json.ends_with("{\"severity\":\"summary\",\"packages\":3,\"identical\":1,\"not_generated\":[\"d/x.s\"]}\n"), "{json}");
    }
}
