//! The provenance of a package: the file `rustgo.provenance.json` beside the generated files. The provenance states all inputs from which the files
//! were made, so that `rustgo verify` can make the files again, and the proven properties of the code. docs/trust.md describes the format.
//!
//! Equal inputs give equal bytes on every machine, because the file contains no times, host names or absolute paths.

use crate::compile::paths::Paths;
use crate::compile::wasm;
use crate::diag::{Diagnostic, ErrorCode, Result};
use crate::fallback;
use crate::marker::Source;
use crate::origin::Inputs;
use crate::product::{ArchSummary, TargetCode};
use crate::request::{Fallback, Panics, Request};
use crate::runtime::Runtime;
use crate::target::Arch;
use crate::verify::Sizes;
use crate::write::Folder;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// The name of the file.
pub use crate::write::PROVENANCE as FILE;
/// The number of the format.
const FORMAT: u32 = 1;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Provenance {
    /// The line by which tools recognise a generated file.
    pub generated: String,
    pub format: u32,
    /// The version of rustgo.
    pub rustgo: String,
    /// The Go package's name.
    pub package: String,
    #[serde(rename = "crate")]
    pub krate: Origin,
    pub options: Options,
    /// The code of each architecture.
    pub code: Vec<Code>,
    /// The code for other processors, with `fallback = "wasm"`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub translated: Option<Translated>,
    /// The linked crates: the author's first.
    pub crates: Vec<Crate>,
    /// The SHA-256 of each generated file, by its path in the package's folder.
    pub files: BTreeMap<String, String>,
    /// The SHA-256 of the names and digests of all files in the copied run-time packages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runtime_sha256: Option<String>,
}

/// The author's crate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    pub name: String,
    pub version: String,
    /// The crate's folder relative to the package's folder. `None` if the crate is not part of the same checkout.
    pub path: Option<String>,
}

/// The options that change the files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Options {
    pub max_stack: u64,
    /// `unwind` or `abandon`. `None` means that panics unwind if a crate links std.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub panic: Option<String>,
    /// `wasm` or `own`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fallback: Option<String>,
    /// The folder of the copied run-time packages, relative to the Go module.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runtime: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub features: Vec<String>,
    #[serde(skip_serializing_if = "is_false")]
    pub all_features: bool,
    #[serde(skip_serializing_if = "is_false")]
    pub no_default_features: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub allow: Vec<String>,
    #[serde(skip_serializing_if = "is_false")]
    pub watch: bool,
    #[serde(skip_serializing_if = "is_false")]
    pub with_tests: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub with_tests_skip: Vec<String>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
fn is_false(value: &bool) -> bool {
    !value
}

/// The code of one architecture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Code {
    pub arch: String,
    /// The first line of `rustc -vV`.
    pub rustc: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// rustc's name for the target.
    pub target: String,
    pub levels: Vec<LevelCode>,
    pub panics_unwind: bool,
    pub functions: usize,
    pub code_bytes: u64,
    pub data_bytes: u64,
    /// The largest stack need of a call, in bytes, by the name of the export.
    pub stack: BTreeMap<String, u32>,
}

/// The code of one CPU level.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LevelCode {
    pub cpu: String,
    /// The digest of the build's inputs.
    pub source: String,
    /// The number of machine instructions that were analysed.
    pub instructions: usize,
}

/// The code that is translated from WebAssembly.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Translated {
    pub rustc: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    pub target: String,
    pub wasm2go: String,
}

/// A linked crate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Crate {
    pub name: String,
    pub version: String,
    /// The licence expression in the crate's manifest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub license: Option<String>,
    /// The registry or repository, as cargo names it, or `path`.
    pub source: String,
    /// The SHA-256 of the crate's archive, from Cargo.lock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checksum: Option<String>,
    /// The architectures whose code contains the crate. Empty if the code of all architectures contains it.
    #[serde(rename = "for", default, skip_serializing_if = "Vec::is_empty")]
    pub targets: Vec<String>,
}

impl Crate {
    /// Returns the kind of the crate's source.
    pub fn source(&self) -> Source {
        Source::of(Some(self.source.as_str()).filter(|source| *source != Source::Path.name()))
    }
}

impl Provenance {
    /// Collects the facts about the builds of all targets. The methods `add_…` add the files and sizes later.
    pub fn new(request: &Request, parts: &[TargetCode], generated: &str) -> Provenance {
        let manifest = &request.manifest;
        let inputs: Vec<(&str, &Inputs)> = parts.iter().map(|part| (part.asm.target.arch.goarch(), &part.origin.inputs)).collect();
        let path = match Paths::new(manifest, &[], &request.out).crate_name {
            name if name.starts_with('/') => None,
            name if name.is_empty() => Some(".".to_owned()),
            name => Some(name),
        };
        Provenance {
            generated: generated.to_owned(),
            format: FORMAT,
            rustgo: env!("CARGO_PKG_VERSION").to_owned(),
            package: request.go_package.clone(),
            krate: Origin { name: manifest.name.clone(), version: manifest.version.clone(), path },
            options: options(request),
            code: parts.chunk_by(|a, b| a.asm.target.arch == b.asm.target.arch).map(code).collect(),
            translated: None,
            crates: crates(&inputs),
            files: BTreeMap::new(),
            runtime_sha256: None,
        }
    }

    /// Adds the numbers of the finished code, by architecture in the order of `code`.
    pub fn add_sizes(&mut self, sizes: &[Sizes], summaries: &[ArchSummary]) {
        for (code, (sizes, summary)) in self.code.iter_mut().zip(sizes.iter().zip(summaries)) {
            (code.code_bytes, code.data_bytes, code.functions) = (sizes.code, sizes.data, summary.functions);
        }
    }

    /// Adds the exports that the native test leaves out in addition to the list in Cargo.toml. `rustgo get` also writes these exports to Cargo.toml,
    /// so the provenance of later builds has the same list.
    pub fn add_skipped(&mut self, exports: &BTreeSet<String>) {
        let skip = &mut self.options.with_tests_skip;
        skip.extend(exports.iter().cloned());
        skip.sort();
        skip.dedup();
    }

    /// Adds the compiler of the code for other processors.
    pub fn add_translated(&mut self, inputs: &Inputs) {
        self.translated = Some(Translated {
            rustc: inputs.rustc.clone(),
            commit: inputs.commit.clone(),
            target: wasm::TRIPLE.to_owned(),
            wasm2go: fallback::VERSION.to_owned(),
        });
    }

    /// Adds the digests of the generated files. `own` returns true if a folder belongs to the package. The other folders are copies of run-time
    /// packages.
    pub fn add_files(&mut self, folders: &[Folder], own: impl Fn(&Folder) -> bool) {
        let mut copies = Sha256::new();
        for folder in folders {
            for (name, bytes) in &folder.files {
                let (name, digest) = (format!("{}{name}", folder.shown), sha256(bytes));
                if own(folder) {
                    self.files.insert(name, digest);
                } else {
                    copies.update(format!("{digest}  {name}\n"));
                }
            }
        }
        self.runtime_sha256 = folders.iter().any(|folder| !own(folder)).then(|| hex(&copies.finalize()));
    }

    /// Returns the file's text.
    pub fn text(&self) -> String {
        // Serialization cannot fail, because all keys of the maps are strings.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// Reads a file's text. `shown` is the file's name in messages.
    ///
    /// # Errors
    /// [`ErrorCode::Request`] if the text has another format.
    pub fn parse(text: &str, shown: &str) -> Result<Provenance> {
        #[derive(Deserialize)]
        struct Format {
            format: u32,
        }
        let refuse = |problem: String| Diagnostic::new(ErrorCode::Request, format!("{shown}: {problem}"));
        let Format { format } = serde_json::from_str(text).map_err(|error| refuse(error.to_string()))?;
        if format != FORMAT {
            return Err(refuse(format!("the format is {format}, and this rustgo reads {FORMAT}"))
                .hint("use the version of rustgo that wrote the file")
                .into());
        }
        serde_json::from_str(text).map_err(|error| refuse(error.to_string()).into())
    }
}

fn options(request: &Request) -> Options {
    let panic = request.panics.map(|panics| match panics {
        Panics::Unwind => "unwind",
        Panics::Abandon => "abandon",
    });
    let fallback = request.fallback.map(|fallback| match fallback {
        Fallback::Wasm => "wasm",
        Fallback::Own => "own",
    });
    Options {
        max_stack: request.max_stack,
        panic: panic.map(str::to_owned),
        fallback: fallback.map(str::to_owned),
        runtime: match &request.runtime {
            Runtime::Published => None,
            Runtime::Copied(copied) => Some(copied.folder.clone()),
        },
        features: request.features.named.clone(),
        all_features: request.features.all,
        no_default_features: request.features.no_default,
        allow: request.allow.clone(),
        watch: request.watch,
        with_tests: request.with_tests,
        with_tests_skip: request.with_tests_skip.clone(),
    }
}

/// Describes the code of one architecture: its levels, the lowest first.
fn code(parts: &[TargetCode]) -> Code {
    let (target, inputs) = (parts[0].asm.target, &parts[0].origin.inputs);
    let mut stack: BTreeMap<String, u32> = BTreeMap::new();
    for part in parts {
        let called = part.package.functions.iter().filter(|(_, function)| function.role.is_called() && !function.is_added);
        for (id, function) in called {
            let most = stack.entry(function.shown()).or_default();
            *most = (*most).max(part.facts.exports[id].bound);
        }
    }
    let level = |part: &TargetCode| LevelCode {
        cpu: part.asm.target.level.to_string(),
        source: part.origin.inputs.digest.clone(),
        instructions: part.instructions,
    };
    Code {
        arch: target.arch.goarch().to_owned(),
        rustc: inputs.rustc.clone(),
        commit: inputs.commit.clone(),
        target: Arch::triple(target.arch).to_owned(),
        levels: parts.iter().map(level).collect(),
        panics_unwind: inputs.unwinds,
        functions: 0,
        code_bytes: 0,
        data_bytes: 0,
        stack,
    }
}

/// Lists each crate once: the author's first, the others by name, version and source.
fn crates(inputs: &[(&str, &Inputs)]) -> Vec<Crate> {
    let mut arches: Vec<&str> = inputs.iter().map(|(arch, _)| *arch).collect();
    arches.dedup();
    let mut found: BTreeMap<(bool, String, String, String), Crate> = BTreeMap::new();
    for (arch, inputs) in inputs {
        for (index, package) in inputs.packages.iter().enumerate() {
            let source = package.source.clone().unwrap_or_else(|| Source::Path.name().to_owned());
            let key = (index > 0, package.name.clone(), package.version.clone(), source.clone());
            let krate = found.entry(key).or_insert_with(|| Crate {
                name: package.name.clone(),
                version: package.version.clone(),
                license: package.license.clone(),
                source,
                checksum: package.checksum.clone(),
                targets: Vec::new(),
            });
            if krate.targets.last().is_none_or(|last| last != arch) {
                krate.targets.push((*arch).to_owned());
            }
        }
    }
    let all = |mut krate: Crate| {
        if krate.targets.len() == arches.len() {
            krate.targets.clear();
        }
        krate
    };
    found.into_values().map(all).collect()
}

/// Returns the SHA-256 of the bytes in hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_formats_are_refused() {
        let refused = |text: &str| match Provenance::parse(text, "p/rustgo.provenance.json") {
            Err(crate::diag::Failure::Refused(reasons)) => reasons[0].message.clone(),
            other => panic!("{other:?}"),
        };
        assert_eq!(refused("{\"format\": 2, \"crates\": {}}"), "p/rustgo.provenance.json: the format is 2, and this rustgo reads 1");
        assert_eq!(refused("{}"), "p/rustgo.provenance.json: missing field `format` at line 1 column 2");
        assert_eq!(refused("{\"format\": 1}"), "p/rustgo.provenance.json: missing field `generated` at line 1 column 13");
    }
}
