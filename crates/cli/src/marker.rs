//! The marker: a line of text in the data of a generated package that names the crates in its code. A program that links an export of the package
//! contains the marker, so `rustgo audit` can list the crates of a program without its sources.
//!
//! ```text
//! rustgo-package/1 name=xxh3 for=amd64 levels=x86-64 rustgo=0.1.0 rustc=1.95.0 commit=59807616e source=sha256:… crates=twox-hash@2.1.5,mine@0.1.0(path)
//! ```
//!
//! A line feed precedes and ends the line, so that `strings PROGRAM | grep '^rustgo-package/'` prints it. docs/trust.md describes the format.
//!
//! Go's linker drops data to which no reachable symbol refers. So every exported symbol of the assembly file refers to the marker. A function
//! contains, after its code, an instruction that loads the marker's address and is never executed. The data that describes a task contains a pointer
//! to the marker. `rt` does not read this pointer.

use crate::goasm::{Data, File, Item, Op};
use crate::manifest::{OF_BUILD, OF_STD, Package};
use crate::origin::Inputs;
use crate::target::Level;
use std::collections::BTreeSet;
use std::fmt;

/// The marker's symbol in an assembly file.
const SYMBOL: &str = "rust·rodata·origin<>";
/// The beginning of the line, without the number of the format.
const START: &str = "rustgo-package/";
/// The number of the format. A reader refuses other numbers.
pub const FORMAT: u32 = 1;
/// Maximum length of a line in bytes.
const LONGEST: usize = 1 << 20;
/// The value of a field for data that the compiler did not state.
const UNKNOWN: &str = "unknown";

/// The two names that cargo has for the registry crates.io.
const CRATES_IO: [&str; 2] = ["registry+https://github.com/rust-lang/crates.io-index", "sparse+https://index.crates.io/"];

/// The kind of place from which cargo got a crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    CratesIo,
    /// A registry other than crates.io.
    Registry,
    Git,
    /// A folder.
    Path,
    /// The crate is a part of the standard library.
    Std,
    /// A build dependency of a package that links a native library.
    Build,
}

impl Source {
    /// Returns the kind of a source that cargo names.
    pub fn of(source: Option<&str>) -> Source {
        match source {
            None => Source::Path,
            Some(OF_STD) => Source::Std,
            Some(OF_BUILD) => Source::Build,
            Some(name) if CRATES_IO.contains(&name) => Source::CratesIo,
            Some(name) if name.starts_with("git+") => Source::Git,
            Some(_) => Source::Registry,
        }
    }

    /// Returns the name of the kind in messages.
    pub fn name(self) -> &'static str {
        match self {
            Source::CratesIo => "crates.io",
            Source::Registry => "registry",
            Source::Git => "git",
            Source::Path => "path",
            Source::Std => OF_STD,
            Source::Build => OF_BUILD,
        }
    }
}

/// A linked crate.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Crate {
    pub name: String,
    pub version: String,
    pub source: Source,
}

/// The contents of a marker.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Marker {
    /// The Go package's name.
    pub package: String,
    /// The architecture, or `other` for code that is translated to Go.
    pub target: String,
    /// The CPU levels. Empty for translated code.
    pub levels: Vec<String>,
    pub rustgo: String,
    /// The compiler's version, and the beginning of its commit.
    pub rustc: String,
    pub commit: Option<String>,
    /// The digests of the builds' inputs, one for each level.
    pub digests: Vec<String>,
    pub crates: Vec<Crate>,
}

impl Marker {
    /// Returns the marker of code that was made from these builds: the levels of one architecture.
    pub fn new(package: &str, target: &str, levels: &[Level], inputs: &[&Inputs]) -> Marker {
        let (rustc, commit) = inputs.first().map_or((String::new(), None), |inputs| version(&inputs.rustc));
        let mut digests: Vec<String> = Vec::new();
        for inputs in inputs {
            if !digests.contains(&inputs.digest) {
                digests.push(inputs.digest.clone());
            }
        }
        Marker {
            package: package.to_owned(),
            target: target.to_owned(),
            levels: levels.iter().map(ToString::to_string).collect(),
            rustgo: env!("CARGO_PKG_VERSION").to_owned(),
            rustc,
            commit,
            digests,
            crates: crates(inputs.iter().flat_map(|inputs| &inputs.packages)),
        }
    }

    /// Returns the text in the data: a line feed, the line, and another line feed.
    pub fn text(&self) -> String {
        format!("\n{self}\n")
    }

    /// Puts the marker into an assembly file. `reference` makes an instruction that loads the address of a symbol.
    pub fn attach(&self, file: &mut File, reference: impl Fn(&str) -> Op) {
        let is_exported = |item: &&mut Item| !item.name().ends_with("<>");
        let mut count = 0;
        for item in file.items.iter_mut().filter(is_exported) {
            count += 1;
            match item {
                Item::Text(text) => text.ops.push(reference(SYMBOL)),
                Item::Data(data) => {
                    let at = data.size.next_multiple_of(8);
                    data.size = at + 8;
                    data.bytes.resize(data.size as usize, 0);
                    data.pointers.push((at as u32, SYMBOL.to_owned(), 0));
                }
            }
        }
        if count == 0 {
            return;
        }
        let bytes = self.text().into_bytes();
        file.items.push(Item::Data(Data {
            comment: "The crates in this code, for rustgo audit: docs/trust.md. No code reads it.".to_owned(),
            identity: None,
            name: SYMBOL.to_owned(),
            read_only: true,
            size: bytes.len() as u64,
            bytes,
            pointers: Vec::new(),
        }));
    }
}

/// Returns the version and the beginning of the commit in the first line of `rustc -vV`.
fn version(line: &str) -> (String, Option<String>) {
    let mut words = line.split(' ').skip(1);
    let version = words.next().unwrap_or(UNKNOWN).to_owned();
    let commit = words.next().and_then(|word| word.strip_prefix('('));
    (version, commit.filter(|word| word.bytes().all(|byte| byte.is_ascii_hexdigit())).map(str::to_owned))
}

/// Lists each package once, the author's crate first, the others by name and version.
fn crates<'a>(packages: impl Iterator<Item = &'a Package>) -> Vec<Crate> {
    let all: Vec<Crate> = packages
        .map(|package| Crate {
            name: package.name.clone(),
            version: package.version.clone(),
            source: Source::of(package.source.as_deref()),
        })
        .collect();
    let own = all.first().cloned();
    let others: BTreeSet<Crate> = all.into_iter().filter(|krate| Some(krate) != own.as_ref()).collect();
    own.into_iter().chain(others).collect()
}

impl fmt::Display for Crate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.name, self.version)?;
        if self.source == Source::CratesIo { Ok(()) } else { write!(f, "({})", self.source.name()) }
    }
}

impl fmt::Display for Marker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Marker { package, target, levels, rustgo, rustc, commit, digests, crates } = self;
        let crates: Vec<String> = crates.iter().map(ToString::to_string).collect();
        write!(f, "{START}{FORMAT} name={package} for={target}")?;
        if !levels.is_empty() {
            write!(f, " levels={}", levels.join(","))?;
        }
        let commit = commit.as_deref().unwrap_or(UNKNOWN);
        write!(f, " rustgo={rustgo} rustc={rustc} commit={commit} source={} crates={}", digests.join(","), crates.join(","))
    }
}

/// A line that begins like a marker but cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unread {
    /// The format has this number.
    Format(u32),
    /// The fields of the line are not understood.
    Line(String),
}

/// Finds the markers in the bytes of a program. Returns each marker once.
///
/// # Errors
/// Returns the first marker line that cannot be read. Without an error, the crates in this line would be missing in an audit.
pub fn find(bytes: &[u8]) -> Result<Vec<Marker>, Unread> {
    let start = format!("\n{START}").into_bytes();
    let mut found = BTreeSet::new();
    for at in occurrences(bytes, &start) {
        let line = &bytes[at + 1..bytes.len().min(at + 1 + LONGEST)];
        let Some(line) = line.iter().position(|&byte| byte == b'\n').and_then(|end| std::str::from_utf8(&line[..end]).ok()) else {
            continue;
        };
        // Skip a text that only begins like a marker. A program may contain such a text for other reasons: rustgo itself contains [`START`].
        let Some((number, fields)) = line[START.len()..].split_once(' ') else { continue };
        match number.parse::<u32>() {
            Ok(number) if fields.starts_with("name=") => {
                if number != FORMAT {
                    return Err(Unread::Format(number));
                }
                found.insert(parse(fields).ok_or_else(|| Unread::Line(line.to_owned()))?);
            }
            _ => {}
        }
    }
    Ok(found.into_iter().collect())
}

/// Returns the places of `wanted`, which begins with a line feed.
fn occurrences<'a>(bytes: &'a [u8], wanted: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
    let feeds = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at);
    feeds.filter(move |&at| bytes[at..].starts_with(wanted))
}

/// Parses the fields of a line. `None` if the line is no marker.
fn parse(fields: &str) -> Option<Marker> {
    let mut values = std::collections::BTreeMap::new();
    for field in fields.split(' ') {
        let (key, value) = field.split_once('=')?;
        if value.is_empty() || values.insert(key, value).is_some() {
            return None;
        }
    }
    let text = |key: &str| values.get(key).map(|value| (*value).to_owned());
    let list = |key: &str| values.get(key).map_or_else(Vec::new, |value| value.split(',').map(str::to_owned).collect::<Vec<_>>());
    let crates: Option<Vec<Crate>> = list("crates").iter().map(|text| parse_crate(text)).collect();
    Some(Marker {
        package: text("name")?,
        target: text("for")?,
        levels: list("levels"),
        rustgo: text("rustgo")?,
        rustc: text("rustc")?,
        commit: text("commit").filter(|commit| commit != UNKNOWN),
        digests: list("source"),
        crates: crates.filter(|crates| !crates.is_empty())?,
    })
}

fn parse_crate(text: &str) -> Option<Crate> {
    let (name, rest) = text.split_once('@')?;
    let (version, source) = match rest.split_once('(') {
        None => (rest, Source::CratesIo),
        Some((version, kind)) => {
            let kind = kind.strip_suffix(')')?;
            (
                version,
                [Source::Registry, Source::Git, Source::Path, Source::Std, Source::Build]
                    .into_iter()
                    .find(|source| source.name() == kind)?,
            )
        }
    };
    let is_plain = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.+".contains(&byte));
    (is_plain(name) && is_plain(version)).then(|| Crate { name: name.to_owned(), version: version.to_owned(), source })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = "rustgo-package/1 name=hash for=amd64 levels=x86-64,x86-64-v3 rustgo=0.1.0 rustc=1.95.0 commit=59807616e \
                        source=sha256:aa,sha256:bb crates=mine@0.1.0(path),a@1.0.0-rc.1+x,b@2.0.0(git),c@3.0.0(registry),d@4.0.0(std),e@5.0.0(build)";

    fn package(name: &str, version: &str, source: Option<&str>) -> Package {
        Package {
            name: name.into(),
            version: version.into(),
            license: None,
            dir: "/".into(),
            source: source.map(str::to_owned),
            checksum: None,
            features: Vec::new(),
            lib_source: None,
        }
    }

    fn inputs(digest: &str) -> Inputs {
        Inputs {
            rustc: "rustc 1.95.0 (59807616e 2026-04-14)".into(),
            digest: digest.into(),
            packages: vec![
                package("mine", "0.1.0", None),
                package("e", "5.0.0", Some(OF_BUILD)),
                package("d", "4.0.0", Some(OF_STD)),
                package("c", "3.0.0", Some("registry+https://example.com/index")),
                package("b", "2.0.0", Some("git+https://example.com/b")),
                package("a", "1.0.0-rc.1+x", Some(CRATES_IO[0])),
            ],
            ..Inputs::default()
        }
    }

    #[test]
    fn markers_are_written_and_read() {
        let marker = Marker::new("hash", "amd64", &[Level::X86_64, Level::X86_64V3], &[&inputs("sha256:aa"), &inputs("sha256:bb")]);
        assert_eq!(marker.to_string(), LINE);
        let program = [b"\x7fELF\0\n\n".as_slice(), marker.text().as_bytes(), b"\0", marker.text().as_bytes()].concat();
        assert_eq!(find(&program), Ok(vec![marker]));
    }

    #[test]
    fn other_texts_are_no_markers() {
        for text in [
            LINE.to_owned(),
            format!("x{LINE}\n"),
            "\nrustgo-package/".to_owned(),
            "\nrustgo-package/{FORMAT} name=a\n".to_owned(),
            "\nrustgo-package/1 other=a\n".to_owned(),
        ] {
            assert_eq!(find(text.as_bytes()), Ok(Vec::new()), "{text}");
        }
        for line in [
            "rustgo-package/1 name=a".to_owned(),
            LINE.replace("a@1", "a b@1"),
            LINE.replace("(git)", "(svn)"),
            LINE.replace("name=hash", "name="),
        ] {
            assert_eq!(find(format!("\n{LINE}\n\n{line}\n").as_bytes()), Err(Unread::Line(line)));
        }
        assert_eq!(find(format!("\n{}\n", LINE.replace("/1 ", "/2 ")).as_bytes()), Err(Unread::Format(2)));
    }
}
