//! Prints the result of `rustgo audit`.

use super::find::{Found, Linked};
use super::{Audit, Hit};
use crate::audit::database;
use crate::diag::render::{Role, Style};
use serde::Serialize;
use std::fmt::Write as _;

const UNKNOWN: &str = "unknown";

impl Audit {
    /// Returns the result as text.
    pub fn human(&self, style: Style) -> String {
        let mut text = String::new();
        for package in &self.packages {
            describe(package, &mut text);
        }
        for hit in &self.hits {
            self.describe_hit(hit, style, &mut text);
        }
        let crates: std::collections::BTreeSet<_> =
            self.packages.iter().flat_map(|package| &package.crates).map(|krate| (&krate.name, &krate.version)).collect();
        let (packages, crates) = (count(self.packages.len(), "package"), count(crates.len(), "crate"));
        match &self.database {
            None => {
                let _ = writeln!(text, "{crates} in {packages}; no advisories were read: --db DIR names a database, such as the result of");
                let _ = writeln!(text, "  {}", database::GET);
            }
            Some(database) => {
                let warnings = self.hits.iter().filter(|hit| hit.advisory.informational.is_some()).count();
                let _ = writeln!(text, "database: {}", database.age());
                let vulnerabilities = match self.hits.len() - warnings {
                    1 => "1 vulnerability".to_owned(),
                    n => format!("{n} vulnerabilities"),
                };
                let _ = writeln!(text, "{crates} in {packages}: {vulnerabilities}, {}", count(warnings, "warning"));
            }
        }
        text
    }

    fn describe_hit(&self, hit: &Hit, style: Style, text: &mut String) {
        let Hit { advisory, version, packages, .. } = hit;
        let head = match &advisory.informational {
            None => style.paint(Role::Error, "vulnerability"),
            Some(kind) => format!("{} ({kind})", style.paint(Role::Note, "warning")),
        };
        let _ = writeln!(text, "{head}: {}: {}", advisory.id, advisory.title);
        let mut line = |key: &str, value: &str| {
            let _ = writeln!(text, "  {key}: {value}");
        };
        let what =
            if advisory.is_of_rust { format!("{} of rustc {version}", advisory.krate) } else { format!("{} {version}", advisory.krate) };
        line("crate", &what);
        line("in", &packages.join(", "));
        let patched = advisory.versions.patched();
        line("patched", if patched.is_empty() { "no version" } else { &patched });
        if !advisory.systems.is_empty() {
            line("only on", &advisory.systems.join(", "));
        }
        let functions = advisory.functions(version);
        if !functions.is_empty() {
            line("affected functions", &functions.join(", "));
            match &hit.reached {
                None => line("reached by the package's exports", "not known"),
                Some(reached) if reached.is_empty() => {
                    line(
                        "reached by the package's exports",
                        "no call was found on amd64; the compiler may have inlined one, or the crate names it otherwise",
                    );
                }
                Some(reached) => reached.iter().for_each(|(function, by)| line("reached", &format!("{function} by {}", by.join(", ")))),
            }
            if !hit.unexamined.is_empty() {
                line("reached by the exports of packages made from other sources", &format!("not known ({})", hit.unexamined.join(", ")));
            }
        }
        line("date", &advisory.date);
        if let Some(url) = &advisory.url {
            line("url", url);
        }
        text.push('\n');
    }

    /// Returns the result as lines of JSON: one for each package, one for each advisory, and a summary.
    pub fn json(&self) -> String {
        #[derive(Serialize)]
        struct Package<'a> {
            severity: &'static str,
            package: &'a str,
            rustgo: &'a str,
            rustc: Vec<Compiler<'a>>,
            crates: Vec<Crate<'a>>,
        }
        #[derive(Serialize)]
        struct Compiler<'a> {
            arch: &'a str,
            version: &'a str,
        }
        #[derive(Serialize)]
        struct Crate<'a> {
            name: &'a str,
            version: &'a str,
            license: Option<&'a str>,
            source: Option<&'static str>,
            checksum: Option<&'a str>,
        }
        #[derive(Serialize)]
        struct Line<'a> {
            severity: &'static str,
            id: &'a str,
            title: &'a str,
            #[serde(rename = "crate")]
            krate: &'a str,
            version: &'a str,
            packages: &'a [String],
            informational: Option<&'a str>,
            patched: String,
            systems: &'a [String],
            functions: Vec<&'a str>,
            reached: Option<&'a std::collections::BTreeMap<String, Vec<String>>>,
            not_examined: &'a [String],
            date: &'a str,
            url: Option<&'a str>,
        }
        #[derive(Serialize)]
        struct Summary<'a> {
            severity: &'static str,
            packages: usize,
            vulnerabilities: usize,
            warnings: usize,
            database: Option<Base<'a>>,
        }
        #[derive(Serialize)]
        struct Base<'a> {
            advisories: usize,
            newest: &'a str,
            written: Option<&'a str>,
            unread: usize,
        }
        let mut lines = Vec::new();
        for Found { name, rustgo, compilers, crates, .. } in &self.packages {
            lines.push(line(&Package {
                severity: "audit",
                package: name,
                rustgo,
                rustc: compilers.iter().map(|(arch, version)| Compiler { arch, version }).collect(),
                crates: crates
                    .iter()
                    .map(|Linked { name, version, source, license, checksum }| Crate {
                        name,
                        version,
                        license: license.as_deref(),
                        source: source.map(crate::marker::Source::name),
                        checksum: checksum.as_deref(),
                    })
                    .collect(),
            }));
        }
        for Hit { advisory, version, packages, reached, unexamined } in &self.hits {
            lines.push(line(&Line {
                severity: if advisory.informational.is_some() { "warning" } else { "vulnerability" },
                id: &advisory.id,
                title: &advisory.title,
                krate: &advisory.krate,
                version,
                packages,
                informational: advisory.informational.as_deref(),
                patched: advisory.versions.patched(),
                systems: &advisory.systems,
                functions: advisory.functions(version),
                reached: reached.as_ref(),
                not_examined: unexamined,
                date: &advisory.date,
                url: advisory.url.as_deref(),
            }));
        }
        let warnings = self.hits.iter().filter(|hit| hit.advisory.informational.is_some()).count();
        lines.push(line(&Summary {
            severity: "summary",
            packages: self.packages.len(),
            vulnerabilities: self.hits.len() - warnings,
            warnings,
            database: self.database.as_ref().map(|database| Base {
                advisories: database.advisories.len(),
                newest: &database.newest,
                written: database.written.as_deref(),
                unread: database.unread,
            }),
        }));
        lines.concat()
    }
}

fn line(value: &impl Serialize) -> String {
    // The values consist of strings, numbers and lists, so serialization cannot fail.
    serde_json::to_string(value).unwrap_or_default() + "\n"
}

fn count(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

/// Prints a package with its compilers and a table of its crates.
fn describe(package: &Found, text: &mut String) {
    let _ = writeln!(text, "{}: rustgo {}", package.name, package.rustgo);
    for (arch, rustc) in &package.compilers {
        let of = if arch.is_empty() { String::new() } else { format!("{arch}: ") };
        let _ = writeln!(text, "  {of}{rustc}");
    }
    let rows: Vec<[String; 3]> = package.crates.iter().map(row).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let (first, second) = (width(0), width(1));
    for [krate, license, source] in &rows {
        let _ = writeln!(text, "  {krate:first$}  {license:second$}  {source}");
    }
    text.push('\n');
}

fn row(krate: &Linked) -> [String; 3] {
    let license = krate.license.as_deref().unwrap_or(UNKNOWN);
    let source = krate.source.map_or(UNKNOWN, |source| source.name());
    [format!("{} {}", krate.name, krate.version), license.to_owned(), source.to_owned()]
}
