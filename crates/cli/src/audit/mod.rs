//! `rustgo audit`: lists the Rust crates in packages made by rustgo, and the security advisories about them.
//!
//! ```text
//!  find       finds the packages in a folder, a module or a program
//!  database   reads the advisories
//!  show       prints the result
//!  cyclonedx  writes a bill of materials
//! ```

pub mod cyclonedx;
pub mod database;
pub mod find;
pub mod show;

use crate::args::AuditArgs;
use crate::diag::{Diagnostic, ErrorCode, Result};
use crate::write;
use database::{Advisory, Database};
use find::{Found, Linked};
use semver::Version;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The result of an audit.
#[derive(Debug)]
pub struct Audit {
    pub packages: Vec<Found>,
    /// The database, if the user named one.
    pub database: Option<Database>,
    pub hits: Vec<Hit>,
}

/// An advisory about a crate in a package.
#[derive(Debug)]
pub struct Hit {
    pub advisory: Advisory,
    pub version: String,
    /// The names of the packages with the crate.
    pub packages: Vec<String>,
    /// For the path of each affected function, the exports that reach the function. `None` if no package was examined.
    pub reached: Option<BTreeMap<String, Vec<String>>>,
    /// The packages that were not examined. Empty if no package was examined.
    pub unexamined: Vec<String>,
}

impl Audit {
    /// Returns true if all advisories are informational. An informational advisory is a warning, not a vulnerability.
    pub fn is_well(&self) -> bool {
        self.hits.iter().all(|hit| hit.advisory.informational.is_some())
    }

    /// Returns true if every package of this name has a level that was built from the inputs with this digest.
    fn is_of(&self, name: &str, digest: &str) -> bool {
        self.packages.iter().filter(|package| package.name == name).all(|package| package.digests.iter().any(|other| other == digest))
    }

    /// Examines the packages that were built from the inputs with the digest `source`: records which exports reach each affected function. `reach`
    /// returns the exports that reach the function with a given path.
    pub fn set_reached(&mut self, source: &str, reach: impl Fn(&str) -> Vec<String>) {
        for at in 0..self.hits.len() {
            let (examined, unexamined): (Vec<String>, Vec<String>) =
                self.hits[at].packages.clone().into_iter().partition(|package| self.is_of(package, source));
            let hit = &mut self.hits[at];
            if examined.is_empty() {
                continue;
            }
            let reached = hit.advisory.functions(&hit.version).into_iter().map(|function| (function.to_owned(), reach(function)));
            hit.reached = Some(reached.filter(|(_, by)| !by.is_empty()).collect());
            hit.unexamined = unexamined;
        }
    }
}

/// Returns true if `path`, a function's path in the call graph, and `named`, the path in an advisory, may mean the same function. A crate can define
/// a function in one module and export it from another. So the modules are ignored: only the crate, the function's name, and the type if `named` has
/// one, must be equal.
pub fn may_be(path: &str, named: &str) -> bool {
    let path = plain_path(path);
    let parts = |path: &str| path.split("::").filter(|part| !part.starts_with('{')).map(str::to_owned).collect::<Vec<_>>();
    let (path, named) = (parts(&path), parts(named));
    let [krate, .., _] = named.as_slice() else { return path == named };
    let has_type = named.len() > 2 && named[named.len() - 2].starts_with(|c: char| c.is_ascii_uppercase());
    let count = if has_type { 2 } else { 1 };
    path.len() > count && path[0] == krate.replace('-', "_") && path[path.len() - count..] == named[named.len() - count..]
}

/// Returns a function's path without generic arguments, in the form that advisories use: `smallvec::SmallVec<A>::grow` as `smallvec::SmallVec::grow`.
fn plain_path(path: &str) -> String {
    let (mut plain, mut depth) = (String::new(), 0_u32);
    let mut rest = path;
    // `<T>::f` and `<T as Trait>::f` name the type T.
    if let Some(inner) = path.strip_prefix('<') {
        let end = closing(inner);
        let of = inner[..end].split(" as ").next().unwrap_or_default();
        plain.push_str(&plain_path(of));
        rest = inner.get(end + 1..).unwrap_or_default();
    }
    for c in rest.chars() {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            c if depth == 0 => plain.push(c),
            _ => {}
        }
    }
    // A turbofish (`::<…>::`) leaves two adjacent separators when its arguments are removed.
    plain.replace("::::", "::").trim_end_matches("::").to_owned()
}

/// Returns the offset of the `>` that closes a list of generic arguments. The list's `<` precedes the text.
fn closing(text: &str) -> usize {
    let mut depth = 1_u32;
    for (at, c) in text.char_indices() {
        match c {
            '<' => depth += 1,
            '>' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    text.len()
}

/// Finds the packages and the advisories, and writes the bill of materials if `--cyclonedx` names a file.
///
/// # Errors
/// [`ErrorCode::Request`] if there is no package or a file is not understood, [`ErrorCode::Output`] if the bill cannot be written.
pub fn audit(args: &AuditArgs) -> Result<Audit> {
    let mut packages = find::find(&args.path, &args.go)?;
    let registry = registry();
    for krate in packages.iter_mut().flat_map(|package| &mut package.crates).filter(|krate| krate.license.is_none()) {
        krate.license = registry.iter().find_map(|source| license(source, krate));
    }
    let database = args.db.as_deref().map(Database::read).transpose()?;
    let hits = match &database {
        Some(database) => hits(&packages, database)?,
        None => Vec::new(),
    };
    if let Some(file) = &args.cyclonedx {
        let subject = Path::new(&args.path).canonicalize().ok();
        let subject = subject.as_deref().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
        let bill = cyclonedx::bill(subject.as_deref().unwrap_or(&args.path), &packages);
        let text = serde_json::to_string_pretty(&bill).unwrap_or_default() + "\n";
        let dir = file.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        write::replace_texts(dir, &[(name, text)])?;
    }
    Ok(Audit { packages, database, hits })
}

/// Lists the advisories about the packages' crates, ordered by id.
fn hits(packages: &[Found], database: &Database) -> Result<Vec<Hit>> {
    let mut hits: BTreeMap<(String, String, String), Hit> = BTreeMap::new();
    let mut add = |advisory: &Advisory, version: &str, package: &str| -> Result<()> {
        let parsed = Version::parse(version).map_err(|error| {
            Diagnostic::new(
                ErrorCode::Request,
                format!("{package}: the version {version} of {} is not understood: {error}", advisory.krate),
            )
        })?;
        if advisory.versions.contain(&parsed) {
            let key = (advisory.id.clone(), advisory.krate.clone(), version.to_owned());
            let hit = hits.entry(key).or_insert_with(|| Hit {
                advisory: advisory.clone(),
                version: version.to_owned(),
                packages: Vec::new(),
                reached: None,
                unexamined: Vec::new(),
            });
            if !hit.packages.iter().any(|known| known == package) {
                hit.packages.push(package.to_owned());
            }
        }
        Ok(())
    };
    for package in packages {
        for advisory in &database.advisories {
            if advisory.is_of_rust {
                package.rustc_versions().into_iter().try_for_each(|version| add(advisory, version, &package.name))?;
                continue;
            }
            // Crates from all sources count, because a crate from a folder, a repository or another registry may be a copy of the crate on crates.io.
            let linked = package.crates.iter().filter(|krate| krate.name == advisory.krate);
            linked.map(|krate| krate.version.as_str()).try_for_each(|version| add(advisory, version, &package.name))?;
        }
    }
    Ok(hits.into_values().collect())
}

/// Lists the folders with cargo's downloaded sources.
fn registry() -> Vec<PathBuf> {
    let home = std::env::var_os("CARGO_HOME").filter(|home| !home.is_empty()).map(PathBuf::from);
    let home = home.or_else(|| std::env::home_dir().map(|home| home.join(".cargo")));
    let sources = home.map(|home| home.join("registry/src"));
    let entries = sources.and_then(|dir| std::fs::read_dir(dir).ok()).into_iter().flatten().flatten();
    let mut dirs: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    dirs.sort();
    dirs
}

/// Reads a crate's licence from its downloaded sources.
fn license(source: &Path, krate: &Linked) -> Option<String> {
    let text = std::fs::read_to_string(source.join(format!("{}-{}", krate.name, krate.version)).join("Cargo.toml")).ok()?;
    let manifest: toml::Table = toml::from_str(&text).ok()?;
    Some(manifest.get("package")?.get("license")?.as_str()?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::{may_be, plain_path};

    #[test]
    fn functions_are_found_under_other_modules() {
        for (path, named, expected) in [
            ("victim::text::Text<A>::parse", "victim::Text::parse", true),
            ("<victim::text::Text<A> as core::ops::Drop>::drop", "victim::Text::drop", true),
            ("victim::inner::spare::{closure#0}", "victim::spare", true),
            ("my_victim::a::spare", "my-victim::b::spare", true),
            ("victim::Other::parse", "victim::Text::parse", false),
            ("other::Text::parse", "victim::Text::parse", false),
            ("victim::spares", "victim::spare", false),
            ("victim", "victim::spare", false),
        ] {
            assert_eq!(may_be(path, named), expected, "{path} {named}");
        }
    }

    #[test]
    fn paths_lose_their_generic_arguments() {
        for (path, expected) in [
            ("smallvec::SmallVec<A>::grow", "smallvec::SmallVec::grow"),
            ("<smallvec::SmallVec<[u8; 4]>>::grow", "smallvec::SmallVec::grow"),
            ("<a::B<T> as core::ops::Drop>::drop", "a::B::drop"),
            ("a::f::<u8>", "a::f"),
            ("a::f::<u8>::{closure#0}", "a::f::{closure#0}"),
            ("a::b", "a::b"),
        ] {
            assert_eq!(plain_path(path), expected, "{path}");
        }
    }
}
