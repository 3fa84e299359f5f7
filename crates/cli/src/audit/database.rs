//! Reads a database of security advisories: a checkout of RustSec's advisory-db, or the JSON files of OSV's export.

use crate::diag::{Diagnostic, ErrorCode, Failure, Result};
use semver::{Version, VersionReq};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// The command that downloads a database.
pub const GET: &str = "git clone --depth 1 https://github.com/RustSec/advisory-db";

/// The crates of the standard library.
const LIBRARY: [&str; 3] = ["std", "core", "alloc"];

/// An advisory that has not been withdrawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advisory {
    pub id: String,
    /// The name of the crate. For an advisory about the standard library: `std`, `core` or `alloc`.
    pub krate: String,
    /// True if the advisory is about a part of Rust itself. The versions of such an advisory are versions of rustc.
    pub is_of_rust: bool,
    pub title: String,
    /// The day of publication: `2021-08-24`.
    pub date: String,
    pub url: Option<String>,
    /// The kind of an advisory that is not a vulnerability: `unmaintained`, `notice`, `unsound`.
    pub informational: Option<String>,
    /// The affected functions, by their paths, each with its affected versions. An empty list means all versions.
    functions: Vec<(String, Vec<VersionReq>)>,
    /// The affected operating systems. Empty if all are affected.
    pub systems: Vec<String>,
    pub versions: Versions,
}

impl Advisory {
    /// Lists the functions that are affected in a version. Empty if the advisory names none.
    pub fn functions(&self, version: &str) -> Vec<&str> {
        let version = Version::parse(version).ok();
        let is_affected = |reqs: &[VersionReq]| {
            reqs.is_empty() || version.as_ref().is_none_or(|version| reqs.iter().any(|req| matches(req, version, true)))
        };
        self.functions.iter().filter(|(_, reqs)| is_affected(reqs)).map(|(function, _)| function.as_str()).collect()
    }
}

/// The versions that an advisory affects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Versions {
    /// All versions except those that match a requirement.
    AllBut { patched: Vec<VersionReq>, unaffected: Vec<VersionReq> },
    /// Ranges of versions, and single versions. A range contains its first version, and ends before its second version. A range without a second
    /// version has no end.
    Ranges { ranges: Vec<(Version, Option<Version>)>, listed: Vec<Version> },
}

impl Versions {
    /// Returns true if the version is affected.
    pub fn contain(&self, version: &Version) -> bool {
        match self {
            Versions::AllBut { patched, unaffected } => !patched.iter().chain(unaffected).any(|req| matches(req, version, false)),
            Versions::Ranges { ranges, listed } => {
                listed.contains(version) || ranges.iter().any(|(from, to)| version >= from && to.as_ref().is_none_or(|to| version < to))
            }
        }
    }

    /// Describes the versions in which the problem is corrected. Empty if there is no such version.
    pub fn patched(&self) -> String {
        let texts: Vec<String> = match self {
            Versions::AllBut { patched, .. } => patched.iter().map(ToString::to_string).collect(),
            Versions::Ranges { ranges, .. } => ranges.iter().filter_map(|(_, to)| Some(format!(">={}", to.as_ref()?))).collect(),
        };
        texts.join(" or ")
    }
}

/// Returns true if the version meets the requirement. By Cargo's rules, only a requirement that names a pre-release accepts pre-releases. For this
/// function, a pre-release meets every requirement that its release meets, unless the release is a lower bound of the requirement: `2.0.0-rc.1` meets
/// `>=1.2`, but not `>=2.0.0`. If the release is an upper bound, as of `<2.0.0`, the pre-release lies below the bound, but may have the release's code. So
/// `below` decides: it is true if `req` describes affected versions.
fn matches(req: &VersionReq, version: &Version, below: bool) -> bool {
    use semver::Op;
    if version.pre.is_empty() || req.matches(version) {
        return req.matches(version);
    }
    let release = Version { pre: semver::Prerelease::EMPTY, ..version.clone() };
    let met = |comparator: &semver::Comparator| {
        let bound = (comparator.major, comparator.minor.unwrap_or(0), comparator.patch.unwrap_or(0));
        // A pre-release lies below its release.
        match comparator.op {
            Op::GreaterEq | Op::Exact | Op::Caret | Op::Tilde if bound == (release.major, release.minor, release.patch) => false,
            Op::Less if bound == (release.major, release.minor, release.patch) => below,
            _ => VersionReq { comparators: vec![comparator.clone()] }.matches(&release),
        }
    };
    req.comparators.iter().all(met)
}

/// The advisories of a database.
#[derive(Debug)]
pub struct Database {
    pub dir: PathBuf,
    pub advisories: Vec<Advisory>,
    /// The day on which the newest advisory was published.
    pub newest: String,
    /// The day of the newest modification time of the database's files on this machine.
    pub written: Option<String>,
    /// The number of JSON files that were not read, because their names do not begin with `RUSTSEC-`.
    pub unread: usize,
}

impl Database {
    /// Reads the database in a folder.
    ///
    /// # Errors
    /// [`ErrorCode::Request`] for a folder without advisories, and for each advisory that is not understood.
    pub fn read(dir: &Path) -> Result<Database> {
        let mut files = Vec::new();
        list(dir, 3, &mut files).map_err(|error| refuse(format!("{}: {error}", dir.display())))?;
        files.sort();
        let (mut advisories, mut refused, mut found) = (Vec::new(), Vec::new(), 0);
        let (mut newest, mut written, mut unread) = (String::new(), None, 0);
        for path in files {
            let below = path.strip_prefix(dir).unwrap_or(&path);
            let is_of_rust = below.starts_with("rust");
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let is_json = path.extension().is_some_and(|extension| extension == "json") && name.starts_with("RUSTSEC-");
            let is_markdown = path.extension().is_some_and(|extension| extension == "md")
                && (below.starts_with("crates") || is_of_rust)
                && name != "README.md";
            if !is_json && !is_markdown {
                unread += usize::from(name.ends_with(".json"));
                continue;
            }
            found += 1;
            let read = std::fs::read_to_string(&path).map_err(|error| error.to_string());
            let parsed = read.and_then(|text| if is_json { osv(&text) } else { markdown(&text, is_of_rust) });
            written = written.max(std::fs::metadata(&path).and_then(|data| data.modified()).ok());
            match parsed {
                Ok(parsed) => {
                    newest = newest.max(parsed.date);
                    advisories.extend(parsed.advisories);
                }
                Err(problem) => refused.push(refuse(format!("{}: {problem}", path.display()))),
            }
        }
        if !refused.is_empty() {
            return Err(Failure::Refused(refused));
        }
        if found == 0 {
            return Err(refuse(format!("{} holds no advisories", dir.display()))
                .hint(format!("name a checkout of RustSec's advisory-db ({GET}), or a folder with OSV's RUSTSEC-*.json"))
                .into());
        }
        Ok(Database { dir: dir.to_owned(), advisories, newest, written: written.map(day), unread })
    }

    /// Describes the database and its age.
    pub fn age(&self) -> String {
        let written = self.written.as_ref().map_or_else(String::new, |day| format!("; its newest file was written on {day}"));
        let count = self.advisories.len();
        let unread = match self.unread {
            0 => String::new(),
            1 => "; 1 other JSON file was not read".to_owned(),
            n => format!("; {n} other JSON files were not read"),
        };
        format!("{count} {} in force in {}, the newest of {}{written}{unread}", advisories(count), self.dir.display(), self.newest)
    }
}

/// Returns the word for a number of advisories.
pub fn advisories(count: usize) -> &'static str {
    if count == 1 { "advisory" } else { "advisories" }
}

fn refuse(message: String) -> Diagnostic {
    Diagnostic::new(ErrorCode::Request, message)
}

/// Lists the files in a folder and in folders below it, down to `depth` levels.
fn list(dir: &Path, depth: usize, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(dir)? {
        let path = entry?.path();
        if path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.')) {
            continue;
        }
        if !path.is_dir() {
            files.push(path);
        } else if depth > 0 {
            list(&path, depth - 1, files)?;
        }
    }
    Ok(())
}

/// Returns the date of a point in time, in UTC: `2021-08-24`.
fn day(time: SystemTime) -> String {
    let days = time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() / 86400) as i64;
    // The algorithm is from H. Hinnant, chrono-Compatible Low-Level Date Algorithms. Its years begin in March, so that the leap day is the last day
    // of a year.
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

/// The advisories of a file. The list is empty if the file's advisory is withdrawn.
struct Parsed {
    date: String,
    advisories: Vec<Advisory>,
}

/// Parses an advisory in RustSec's format: a front matter in TOML, and a text with a title.
fn markdown(text: &str, is_of_rust: bool) -> std::result::Result<Parsed, String> {
    #[derive(Deserialize)]
    struct FrontMatter {
        advisory: Head,
        #[serde(default)]
        affected: Affected,
        #[serde(default)]
        versions: Requirements,
    }
    #[derive(Deserialize)]
    struct Head {
        id: String,
        package: String,
        date: String,
        url: Option<String>,
        title: Option<String>,
        informational: Option<String>,
        withdrawn: Option<String>,
    }
    #[derive(Default, Deserialize)]
    struct Affected {
        #[serde(default)]
        functions: BTreeMap<String, Vec<VersionReq>>,
        #[serde(default)]
        os: Vec<String>,
    }
    #[derive(Default, Deserialize)]
    struct Requirements {
        #[serde(default)]
        patched: Vec<VersionReq>,
        #[serde(default)]
        unaffected: Vec<VersionReq>,
    }
    let text = text.replace("\r\n", "\n");
    let rest = text.trim_start().strip_prefix("```toml\n").ok_or("the front matter is missing: the file does not begin with ```toml")?;
    let (toml, text) = rest.split_once("\n```").ok_or("the front matter has no end: ```")?;
    let FrontMatter { advisory, affected, versions } = toml::from_str(toml).map_err(|error| error.message().to_owned())?;
    let title = advisory.title.or_else(|| text.lines().find_map(|line| line.strip_prefix("# ")).map(|title| title.trim().to_owned()));
    let parsed = Advisory {
        id: advisory.id,
        krate: advisory.package,
        is_of_rust,
        title: title.ok_or("the title is missing: no line begins with `# `")?,
        date: advisory.date.clone(),
        url: advisory.url,
        informational: advisory.informational,
        functions: affected.functions.into_iter().collect(),
        systems: affected.os,
        versions: Versions::AllBut { patched: versions.patched, unaffected: versions.unaffected },
    };
    // Advisories about cargo and rustdoc do not concern compiled code.
    let counts = advisory.withdrawn.is_none() && (!is_of_rust || LIBRARY.contains(&parsed.krate.as_str()));
    Ok(Parsed { date: advisory.date, advisories: if counts { vec![parsed] } else { Vec::new() } })
}

/// Parses an advisory in OSV's format.
fn osv(text: &str) -> std::result::Result<Parsed, String> {
    #[derive(Deserialize)]
    struct Entry {
        id: String,
        summary: String,
        published: String,
        withdrawn: Option<String>,
        affected: Vec<Affected>,
        #[serde(default)]
        references: Vec<Reference>,
    }
    #[derive(Deserialize)]
    struct Reference {
        #[serde(rename = "type")]
        kind: String,
        url: String,
    }
    #[derive(Deserialize)]
    struct Affected {
        package: Package,
        #[serde(default)]
        ranges: Vec<Range>,
        #[serde(default)]
        versions: Vec<String>,
        #[serde(default)]
        ecosystem_specific: Option<Ecosystem>,
        #[serde(default)]
        database_specific: Option<Specific>,
    }
    #[derive(Deserialize)]
    struct Package {
        ecosystem: String,
        name: String,
    }
    #[derive(Deserialize)]
    struct Range {
        #[serde(rename = "type")]
        kind: String,
        events: Vec<Event>,
    }
    #[derive(Deserialize)]
    struct Event {
        introduced: Option<String>,
        fixed: Option<String>,
    }
    #[derive(Deserialize)]
    struct Ecosystem {
        affects: Option<Affects>,
    }
    #[derive(Default, Deserialize)]
    struct Affects {
        #[serde(default)]
        functions: Vec<String>,
        #[serde(default)]
        os: Vec<String>,
    }
    #[derive(Deserialize)]
    struct Specific {
        informational: Option<String>,
    }
    let entry: Entry = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let date = entry.published.split('T').next().unwrap_or_default().to_owned();
    let mut advisories = Vec::new();
    for affected in entry.affected.into_iter().filter(|affected| affected.package.ecosystem == "crates.io") {
        let mut ranges: Vec<(Version, Option<Version>)> = Vec::new();
        for range in affected.ranges {
            if range.kind != "SEMVER" {
                return Err(format!("versions of the kind {} are not understood", range.kind));
            }
            for event in range.events {
                let version = |text: String| match text.as_str() {
                    "0" => Ok(Version::new(0, 0, 0)),
                    text => Version::parse(text).map_err(|error| format!("{text}: {error}")),
                };
                match (event.introduced, event.fixed) {
                    (Some(from), None) => ranges.push((version(from)?, None)),
                    (None, Some(to)) => match ranges.last_mut() {
                        Some(open @ (_, None)) => open.1 = Some(version(to)?),
                        _ => return Err("a range ends that has not begun".into()),
                    },
                    _ => return Err("a range has an event that is not understood".into()),
                }
            }
        }
        let listed = affected.versions.iter().map(|text| Version::parse(text).map_err(|error| format!("{text}: {error}")));
        let listed = listed.collect::<std::result::Result<Vec<_>, _>>()?;
        if ranges.is_empty() && listed.is_empty() {
            return Err(format!("it names no versions of {}", affected.package.name));
        }
        let affects = affected.ecosystem_specific.and_then(|specific| specific.affects).unwrap_or_default();
        let url = entry.references.iter().find(|reference| reference.kind == "ADVISORY").or(entry.references.first());
        advisories.push(Advisory {
            id: entry.id.clone(),
            is_of_rust: LIBRARY.contains(&affected.package.name.as_str()),
            krate: affected.package.name,
            title: entry.summary.clone(),
            date: date.clone(),
            url: url.map(|reference| reference.url.clone()),
            informational: affected.database_specific.and_then(|specific| specific.informational),
            functions: affects.functions.into_iter().map(|function| (function, Vec::new())).collect(),
            systems: affects.os,
            versions: Versions::Ranges { ranges, listed },
        });
    }
    Ok(Parsed { date, advisories: if entry.withdrawn.is_some() { Vec::new() } else { advisories } })
}

#[cfg(test)]
mod tests {
    use super::*;

    const MARKDOWN: &str = "```toml\n[advisory]\nid = \"RUSTSEC-2024-0001\"\npackage = \"a\"\ndate = \"2024-02-03\"\n\
        url = \"https://example.com/1\"\n\n[affected]\nos = [\"windows\"]\nfunctions = { \"a::f\" = [\"< 1.2.0\"] }\n\n\
        [versions]\npatched = [\">= 1.2.0\", \"^0.9.3\"]\nunaffected = [\"< 0.5.0\"]\n```\n\n# f forgets\n\nText.\n";

    fn version(text: &str) -> Version {
        Version::parse(text).unwrap()
    }

    #[test]
    fn versions_are_matched() {
        let parsed = markdown(MARKDOWN, false).unwrap();
        let advisory = &parsed.advisories[0];
        assert_eq!((advisory.id.as_str(), advisory.title.as_str(), advisory.krate.as_str()), ("RUSTSEC-2024-0001", "f forgets", "a"));
        assert_eq!(advisory.systems, ["windows"]);
        assert_eq!((advisory.functions("1.1.9"), parsed.date.as_str()), (vec!["a::f"], "2024-02-03"));
        assert!(advisory.functions("1.2.0").is_empty());
        assert_eq!(advisory.functions("1.2.0-rc.1"), vec!["a::f"]);
        assert_eq!(advisory.versions.patched(), ">=1.2.0 or ^0.9.3");
        for (text, expected) in [
            ("0.4.9", false),
            ("0.5.0", true),
            ("0.5.0-rc.1", true),
            ("0.9.2", true),
            ("0.9.3", false),
            ("0.10.0", true),
            ("1.1.9", true),
            ("1.2.0-rc.1", true),
            ("1.2.0", false),
            ("2.0.0-rc.1", false),
            ("1.3.0+x", false),
        ] {
            assert_eq!(advisory.versions.contain(&version(text)), expected, "{text}");
        }
    }

    #[test]
    fn of_rust_only_the_libraries_count() {
        let of = |name: &str| markdown(&MARKDOWN.replace("\"a\"", &format!("{name:?}")), true).unwrap().advisories.len();
        assert_eq!([of("std"), of("alloc"), of("cargo"), of("rustdoc")], [1, 1, 0, 0]);
    }

    #[test]
    fn osv_is_read() {
        let text = r#"{"id":"RUSTSEC-2024-0002","summary":"g leaks","published":"2024-03-04T12:00:00Z","affected":[
            {"package":{"ecosystem":"crates.io","name":"b","purl":"pkg:cargo/b"},
             "ranges":[{"type":"SEMVER","events":[{"introduced":"0.0.0-0"},{"fixed":"1.0.1"},{"introduced":"2.0.0-0"}]}],
             "ecosystem_specific":{"affects":{"arch":[],"functions":["b::g"],"os":[]},"affected_functions":null},
             "database_specific":{"categories":[],"informational":null}}],
            "references":[{"type":"PACKAGE","url":"https://crates.io/crates/b"},{"type":"ADVISORY","url":"https://rustsec.org/2"}]}"#;
        let parsed = osv(text).unwrap();
        let advisory = &parsed.advisories[0];
        assert_eq!((advisory.url.as_deref(), advisory.date.as_str()), (Some("https://rustsec.org/2"), "2024-03-04"));
        let affected = ["0.1.0", "1.0.0", "1.0.1", "1.9.0", "2.0.0", "3.0.0"].map(|text| advisory.versions.contain(&version(text)));
        assert_eq!(affected, [true, true, false, false, true, true]);
        assert_eq!(advisory.versions.patched(), ">=1.0.1");
        let withdrawn = text.replacen('{', r#"{"withdrawn":"2024-05-05T00:00:00Z","#, 1);
        assert!(osv(&withdrawn).unwrap().advisories.is_empty());
        let range = text.split("\"ranges\":").nth(1).and_then(|rest| rest.split(",\n").next()).unwrap();
        let listed = osv(&text.replace(&format!("\"ranges\":{range}"), r#""versions":["1.0.1","1.2.0-rc.1"]"#)).unwrap();
        let affected = ["1.0.0", "1.0.1", "1.2.0-rc.1", "1.2.0"].map(|text| listed.advisories[0].versions.contain(&version(text)));
        assert_eq!(affected, [false, true, true, false]);
        let none = text.replace(&format!("\"ranges\":{range}"), r#""versions":[]"#);
        assert_eq!(osv(&none).err().as_deref(), Some("it names no versions of b"));
        let git = text.replace("SEMVER", "GIT");
        assert_eq!(osv(&git).err().as_deref(), Some("versions of the kind GIT are not understood"));
    }

    #[test]
    fn damaged_advisories_are_refused() {
        for (old, new, problem) in [
            ("```toml\n[", "[", "the front matter is missing: the file does not begin with ```toml"),
            ("\n```\n", "\n", "the front matter has no end: ```"),
            ("id = ", "name = ", "missing field `id`"),
            ("# f forgets", "f forgets", "the title is missing: no line begins with `# `"),
        ] {
            assert_eq!(markdown(&MARKDOWN.replace(old, new), false).err().as_deref(), Some(problem));
        }
    }

    #[test]
    fn days_are_counted() {
        let of = |seconds| day(UNIX_EPOCH + std::time::Duration::from_secs(seconds));
        assert_eq!(
            [0, 951_782_400, 951_868_800, 1_735_689_599, 1_735_689_600].map(of),
            ["1970-01-01", "2000-02-29", "2000-03-01", "2024-12-31", "2025-01-01"]
        );
    }
}
