//! Where generated files come from: the lines at their top that name the tool, the compiler and what went in.
//!
//! A target's assembly file tells of that target's build. The Go file tells of all of them: what is the same for all is
//! said once, what is not is followed by the targets it holds for.

use crate::analyze::Facts;
use crate::compile::Archive;
use crate::gosrc;
use crate::target::Target;

/// What one target's code was made from.
#[derive(Clone, Debug)]
pub struct Origin {
    target: Target,
    /// rustgo, rustc, and the level.
    tools: String,
    /// The crate and the digest of its sources.
    source: String,
    linked: String,
    /// Functions that only the text of a panic could need, and why they are not there.
    not_carried: Vec<String>,
}

impl Origin {
    pub fn new(archive: &Archive, facts: &Facts) -> Origin {
        let packages: Vec<String> = archive.packages.iter().map(|p| format!("{} {}", p.name, p.version)).collect();
        let not_carried =
            facts.unavailable.iter().map(|(symbol, why)| format!("not carried, for the text of a panic only: {symbol}: {why}")).collect();
        Origin {
            target: archive.target,
            tools: format!("rustgo {}, {}, {}", env!("CARGO_PKG_VERSION"), archive.rustc_version, archive.target.level),
            source: format!("{} {}", archive.crate_name, archive.digest),
            linked: format!("linked: {}", packages.join(", ")),
            not_carried,
        }
    }
}

/// The first lines of a file made from these.
pub fn header(origins: &[&Origin], watch: bool) -> Vec<String> {
    let command = if watch { "rustgo build --watch" } else { "rustgo build" };
    let mut lines = vec![gosrc::generated_line(command), String::new()];
    lines.extend(merge(origins, |origin| vec![&origin.tools]));
    lines.extend(merge(origins, |origin| vec![&origin.source]));
    lines.extend(merge(origins, |origin| vec![&origin.linked]));
    lines.extend(merge(origins, |origin| origin.not_carried.iter().collect()));
    lines
}

/// Each line once, in the order of the targets.
fn merge(origins: &[&Origin], lines: impl Fn(&Origin) -> Vec<&String>) -> Vec<String> {
    let mut merged: Vec<(&str, Vec<String>)> = Vec::new();
    for origin in origins {
        for line in lines(origin) {
            match merged.iter_mut().find(|(known, _)| known == line) {
                Some((_, targets)) => targets.push(origin.target.to_string()),
                None => merged.push((line, vec![origin.target.to_string()])),
            }
        }
    }
    let show = |(line, targets): (&str, Vec<String>)| match targets.len() == origins.len() {
        true => line.to_owned(),
        false => format!("{line} ({})", targets.join(", ")),
    };
    merged.into_iter().map(show).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::target::Arch;

    fn origin(arch: Arch, rustc: &str, digest: &str, not_carried: &[&str]) -> Origin {
        let target = Target::baseline(arch);
        Origin {
            target,
            tools: format!("rustgo 0.1.0, {rustc}, {}", target.level),
            source: format!("c {digest}"),
            linked: "linked: c 0.1.0".into(),
            not_carried: not_carried.iter().map(|&line| line.to_owned()).collect(),
        }
    }

    #[test]
    fn one_target_is_not_named() {
        let amd64 = origin(Arch::Amd64, "rustc 1.95.0", "sha256:aa", &["f"]);
        let lines = header(&[&amd64], false);
        assert_eq!(lines[2..], ["rustgo 0.1.0, rustc 1.95.0, x86-64", "c sha256:aa", "linked: c 0.1.0", "f"]);
    }

    #[test]
    fn what_differs_names_its_targets() {
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
}
