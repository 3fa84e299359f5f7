//! The header of generated files: lines that name the tool, the compiler and the sources.
//!
//! The header of a target's assembly file describes the build of that target. The header of the Go file describes all builds: a line that differs
//! between targets ends with the names of its targets.

use crate::abi::SPAWN;
use crate::analyze::Facts;
use crate::compile::{Archive, Reliant};
use crate::gosrc;
use crate::manifest::{OF_BUILD, OF_STD, Package};
use crate::target::{self, Level, Target};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// The beginnings of two lines that name crates. A third such line begins with `linked:`.
pub const WITH_STD: &str = "linked with std";
pub const BUILT_WITH: &str = "native code built with";

/// The sources and tools from which one target's code was made.
#[derive(Clone, Debug)]
pub struct Origin {
    pub target: Target,
    pub inputs: Inputs,
    /// The versions of rustgo and rustc.
    tools: String,
    /// The crate and the digest of its sources.
    source: String,
    linked: String,
    /// Up to three lines: the crates in the standard library whose code is linked; the build dependencies of packages with native code; a remark if
    /// the author allows `rayon::spawn` in a crate without threads.
    others: Vec<String>,
    /// Up to three lines: a remark if panics unwind; the linked packages that rely on destructors and that the author allows; the other linked
    /// packages that rely on destructors.
    panics: Vec<String>,
    /// The functions that the package leaves out because only the text of a panic could need them: one line for each function, with the reason why
    /// the function cannot be included.
    left_out: Vec<String>,
}

/// The inputs of one target's build as data, for [`crate::marker`] and [`crate::provenance`].
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// The first line of `rustc -vV`.
    pub rustc: String,
    pub commit: Option<String>,
    pub digest: String,
    pub packages: Vec<Package>,
    pub unwinds: bool,
}

impl Origin {
    /// Describes the build of an archive. `files` are the names of the source files from which the archive's code was compiled.
    pub fn new<'a>(archive: &Archive, facts: &Facts, files: impl Iterator<Item = &'a str>) -> Origin {
        let names = |packages: &[Package]| packages.iter().map(|p| format!("{} {}", p.name, p.version)).collect::<Vec<_>>().join(", ");
        let of_std = of_std(files);
        let line = |start: &str, packages: &[Package]| (!packages.is_empty()).then(|| format!("{start}: {}", names(packages)));
        let spawn = archive.allows_spawn.then(|| format!("allowed, although no thread does its work later: {SPAWN}"));
        let others = [line(WITH_STD, &of_std), line(BUILT_WITH, &archive.builders), spawn];
        let of_build = archive.builders.iter().map(|p| Package { source: Some(OF_BUILD.to_owned()), ..p.clone() }).collect();
        let left_out = facts
            .unavailable
            .iter()
            .map(|(symbol, why)| format!("left out, needed only for the text of a panic: {symbol}: {why}"))
            .collect();
        Origin {
            target: archive.target,
            inputs: Inputs {
                rustc: archive.rustc_version.clone(),
                commit: archive.rustc_commit.clone(),
                digest: archive.digest.clone(),
                packages: [archive.packages.clone(), of_std, of_build].concat(),
                unwinds: archive.unwinds,
            },
            tools: format!("rustgo {}, {}", env!("CARGO_PKG_VERSION"), archive.rustc_version),
            source: format!("{} {}", archive.crate_name, archive.digest),
            linked: format!("linked: {}", names(&archive.packages)),
            others: others.into_iter().flatten().collect(),
            panics: panics(archive.unwinds, &archive.reliant),
            left_out,
        }
    }
}

/// Returns the packages inside the standard library from which code was compiled. cargo does not list these packages. In debug information the names
/// of their files begin with `/rust/deps/NAME-VERSION/`, in rustc's precompiled library and in libraries that rustgo compiles
/// ([`crate::compile::paths`]).
fn of_std<'a>(files: impl Iterator<Item = &'a str>) -> Vec<Package> {
    let parse = |file: &'a str| {
        let folder = file.strip_prefix("/rust/deps/")?.split('/').next()?;
        // Both the name and the version may contain a hyphen.
        let at = folder.match_indices('-').map(|(at, _)| at).find(|at| semver::Version::parse(&folder[at + 1..]).is_ok())?;
        Some((&folder[..at], &folder[at + 1..]))
    };
    let found: BTreeSet<(&str, &str)> = files.filter_map(parse).collect();
    let package = |(name, version): (&str, &str)| Package {
        name: name.to_owned(),
        version: version.to_owned(),
        license: None,
        dir: PathBuf::new(),
        source: Some(OF_STD.to_owned()),
        checksum: None,
        features: Vec::new(),
        lib_source: None,
    };
    found.into_iter().map(package).collect()
}

fn panics(unwind: bool, packages: &Reliant) -> Vec<String> {
    let line = |words: &str, packages: &[String]| (!packages.is_empty()).then(|| format!("{words}: {}", packages.join(", ")));
    let allowed = line("allowed, although sound only if destructors run during a panic", &packages.allowed);
    let others =
        line("ends the process where a panic or a stack budget would abandon frames, because destructors must run for", &packages.others);
    unwind.then(|| "panics unwind".into()).into_iter().chain(allowed).chain(others).collect()
}

/// Returns the command that makes a package. `watch` is true for a package whose calls rt.Watch measures.
pub fn command(watch: bool) -> &'static str {
    if watch { "rustgo build --watch" } else { "rustgo build" }
}

/// Returns the header lines of a file made from these builds. `watch` states if `rustgo build --watch` made the file.
pub fn header(origins: &[&Origin], watch: bool) -> Vec<String> {
    let mut lines = vec![gosrc::generated_line(command(watch)), String::new()];
    lines.extend(tools(origins));
    lines.extend(merge(origins, |origin| vec![&origin.source]));
    lines.extend(merge(origins, |origin| vec![&origin.linked]));
    lines.extend(merge(origins, |origin| origin.others.iter().collect()));
    lines.extend(merge(origins, |origin| origin.panics.iter().collect()));
    lines.extend(merge(origins, |origin| origin.left_out.iter().collect()));
    lines
}

/// Returns one line for each architecture, with the versions of the tools and the architecture's levels.
fn tools(origins: &[&Origin]) -> Vec<String> {
    let of_one = |group: &[&Origin]| {
        let levels: Vec<Level> = group.iter().map(|origin| origin.target.level).collect();
        let line = format!("{}, {}", group[0].tools, target::names(&levels));
        if group.len() == origins.len() { line } else { format!("{line} ({})", group[0].target) }
    };
    origins.chunk_by(|a, b| a.target.arch == b.target.arch).map(of_one).collect()
}

/// Merges the lines of all builds. Returns each line once, in the order of the targets. If only some targets have a line, the line ends with the
/// names of these targets.
fn merge(origins: &[&Origin], lines: impl Fn(&Origin) -> Vec<&String>) -> Vec<String> {
    let mut merged: Vec<(&str, Vec<Target>)> = Vec::new();
    for origin in origins {
        for line in lines(origin) {
            match merged.iter_mut().find(|(known, _)| known == line) {
                Some((_, targets)) => targets.push(origin.target),
                None => merged.push((line, vec![origin.target])),
            }
        }
    }
    let show = |(line, targets): (&str, Vec<Target>)| match targets.len() == origins.len() {
        true => line.to_owned(),
        false => format!("{line} ({})", shown(&targets, origins).join(", ")),
    };
    merged.into_iter().map(show).collect()
}

/// Returns short names for `targets`: an architecture's name if all of the architecture's targets are in the list, otherwise the names of the listed
/// levels.
fn shown(targets: &[Target], origins: &[&Origin]) -> Vec<String> {
    let of_one = |group: &[Target]| {
        let all = origins.iter().filter(|origin| origin.target.arch == group[0].arch).count();
        if group.len() == all { vec![group[0].to_string()] } else { group.iter().map(|target| target.level.to_string()).collect() }
    };
    targets.chunk_by(|a, b| a.arch == b.arch).flat_map(of_one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::target::Arch;

    fn origin(arch: Arch, rustc: &str, digest: &str, left_out: &[&str]) -> Origin {
        Origin {
            target: Target::baseline(arch),
            inputs: Inputs::default(),
            tools: format!("rustgo 0.1.0, {rustc}"),
            source: format!("c {digest}"),
            linked: "linked: c 0.1.0".into(),
            others: Vec::new(),
            panics: Vec::new(),
            left_out: left_out.iter().map(|&line| line.to_owned()).collect(),
        }
    }

    #[test]
    fn files_name_the_packages_of_std() {
        let files = [
            "/rust/deps/hashbrown-0.16.1/src/raw.rs",
            "/rust/deps/hashbrown-0.16.1/src/map.rs",
            "/rust/deps/rustc-demangle-0.1.26/src/lib.rs",
            "/rust/deps/wasi-0.11.1+wasi-snapshot-preview1/src/lib.rs",
            "/rustc/library/core/src/fmt.rs",
            "/cargo/hashbrown-0.15.0/src/map.rs",
            "/rust/deps/other/src/lib.rs",
            "src/rust/deps/a-1.0.0/lib.rs",
        ];
        let found: Vec<String> = of_std(files.into_iter()).into_iter().map(|p| format!("{} {}", p.name, p.version)).collect();
        assert_eq!(found, ["hashbrown 0.16.1", "rustc-demangle 0.1.26", "wasi 0.11.1+wasi-snapshot-preview1"]);
        let line = "linked with std: hashbrown 0.16.1";
        let amd64 = Origin { others: vec![line.into()], ..origin(Arch::Amd64, "rustc 1.95.0", "sha256:aa", &["f"]) };
        assert_eq!(header(&[&amd64], false)[4..], ["linked: c 0.1.0", line, "f"]);
    }

    #[test]
    fn one_target_is_not_named() {
        let amd64 = origin(Arch::Amd64, "rustc 1.95.0", "sha256:aa", &["f"]);
        let lines = header(&[&amd64], false);
        assert_eq!(lines[2..], ["rustgo 0.1.0, rustc 1.95.0, x86-64", "c sha256:aa", "linked: c 0.1.0", "f"]);
    }

    #[test]
    fn lines_that_differ_name_their_targets() {
        let amd64 = origin(Arch::Amd64, "rustc 1.95.0", "sha256:aa", &["f", "g"]);
        let arm64 = origin(Arch::Arm64, "rustc 1.96.0", "sha256:bb", &["g", "h"]);
        assert_eq!(
            header(&[&amd64, &arm64], false)[2..],
            [
                "rustgo 0.1.0, rustc 1.95.0, x86-64 (amd64)",
                "rustgo 0.1.0, rustc 1.96.0, armv8-a (arm64)",
                "c sha256:aa (amd64)",
                "c sha256:bb (arm64)",
                "linked: c 0.1.0",
                "f (amd64)",
                "g",
                "h (arm64)",
            ]
        );
    }

    #[test]
    fn allowed_packages_follow_the_linked_ones() {
        let amd64 = origin(Arch::Amd64, "rustc 1.95.0", "sha256:aa", &["f"]);
        let allowed = vec!["scoped-tls 1.0.1".into(), "tokio 1.47.0".into()];
        let amd64 = Origin { panics: panics(true, &Reliant { allowed, others: Vec::new() }), ..amd64 };
        let line = "allowed, although sound only if destructors run during a panic: scoped-tls 1.0.1, tokio 1.47.0";
        assert_eq!(header(&[&amd64], false)[4..], ["linked: c 0.1.0", "panics unwind", line, "f"]);
        let others = vec!["tokio 1.47.0".into()];
        let ends = Origin {
            panics: panics(true, &Reliant { allowed: Vec::new(), others }),
            ..origin(Arch::Amd64, "rustc 1.95.0", "sha256:aa", &[])
        };
        let last = "ends the process where a panic or a stack budget would abandon frames, because destructors must run for: tokio 1.47.0";
        assert_eq!(header(&[&ends], false)[4..], ["linked: c 0.1.0", "panics unwind", last]);
        let arm64 = Origin { panics: Vec::new(), ..origin(Arch::Arm64, "rustc 1.95.0", "sha256:aa", &["f"]) };
        assert_eq!(
            header(&[&amd64, &arm64], false)[4..],
            ["c sha256:aa", "linked: c 0.1.0", "panics unwind (amd64)", &format!("{line} (amd64)"), "f"]
        );
    }

    #[test]
    fn levels_are_named_where_they_differ() {
        let base = origin(Arch::Amd64, "rustc 1.95.0", "sha256:aa", &["f"]);
        let v3 = Origin { target: Target { level: Level::X86_64V3, ..base.target }, source: "c sha256:bb".into(), ..base.clone() };
        let lines = header(&[&base, &v3], false);
        let expected =
            ["rustgo 0.1.0, rustc 1.95.0, x86-64 and x86-64-v3", "c sha256:aa (x86-64)", "c sha256:bb (x86-64-v3)", "linked: c 0.1.0", "f"];
        assert_eq!(lines[2..], expected);
        let arm64 = Origin { linked: "linked: d 0.1.0".into(), ..origin(Arch::Arm64, "rustc 1.95.0", "sha256:aa", &[]) };
        let lines = header(&[&base, &v3, &arm64], false);
        let expected = [
            "rustgo 0.1.0, rustc 1.95.0, x86-64 and x86-64-v3 (amd64)",
            "rustgo 0.1.0, rustc 1.95.0, armv8-a (arm64)",
            "c sha256:aa (x86-64, arm64)",
            "c sha256:bb (x86-64-v3)",
            "linked: c 0.1.0 (amd64)",
            "linked: d 0.1.0 (arm64)",
            "f (amd64)",
        ];
        assert_eq!(lines[2..], expected);
    }
}
