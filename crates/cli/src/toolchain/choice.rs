//! Reads the option `--toolchain [ARCH=]NAME|DIR`, which names the Rust toolchain for one architecture or for all.
//!
//! One run may need two toolchains, because code for arm64 needs the sources of the standard library, and some toolchains lack these sources.

use crate::diag::{Diagnostic, ErrorCode, Failure};
use crate::process;
use crate::target::Arch;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::str::FromStr;

/// The environment variable that has the effect of the option. Commas separate several choices.
pub const VARIABLE: &str = "RUSTGO_TOOLCHAIN";

/// A toolchain.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Toolchain {
    /// A toolchain named as in rustup: `stable`, `1.96.0`.
    Named(String),
    /// A folder with `bin/rustc`, as an absolute path.
    Dir(PathBuf),
}

/// The value of one `--toolchain` option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The architecture for which the toolchain is used. `None` means every architecture without a `--toolchain` option of its own.
    pub arch: Option<Arch>,
    pub toolchain: Toolchain,
}

/// The values of all `--toolchain` options. If several options are for one architecture, the last one applies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Toolchains(BTreeMap<Option<Arch>, Toolchain>);

impl Toolchains {
    /// Returns the toolchain for `arch`. If no option names one, returns the toolchain for all architectures.
    pub fn of(&self, arch: Option<Arch>) -> Option<&Toolchain> {
        self.0.get(&arch).or_else(|| self.0.get(&None))
    }

    /// Reads the toolchains from the environment variable's `value`.
    pub fn from_variable(value: &str) -> Result<Toolchains, Diagnostic> {
        let choices: Result<Vec<Choice>, String> = value.split(',').filter(|part| !part.is_empty()).map(str::parse).collect();
        let refuse = |problem| Diagnostic::new(ErrorCode::Request, format!("{VARIABLE}: {problem}")).hint(USAGE);
        choices.map(Toolchains::from_iter).map_err(refuse)
    }

    /// Refuses folders without a toolchain, and names that rustup does not know.
    pub fn check(&self) -> Result<(), Failure> {
        let mut refused = Vec::new();
        for toolchain in self.0.values().collect::<BTreeSet<_>>() {
            refused.extend(match toolchain {
                Toolchain::Dir(root) => (!program(root, "rustc").is_file()).then(|| {
                    Diagnostic::new(ErrorCode::Toolchain, format!("the toolchain {} has no bin/rustc", root.display())).hint(USAGE)
                }),
                Toolchain::Named(name) => unusable(name)?,
            });
        }
        if refused.is_empty() { Ok(()) } else { Err(Failure::Refused(refused)) }
    }
}

/// Returns the reason why rustup cannot run the toolchain `name`, if there is one.
fn unusable(name: &str) -> Result<Option<Diagnostic>, Failure> {
    let output = match process::capture(Command::new("rustup").args(["run", name, "rustc", "--version"]))? {
        Ok(output) if output.status.success() => return Ok(None),
        Ok(output) => output,
        Err(error) => return Ok(Some(Diagnostic::new(ErrorCode::Toolchain, format!("rustup cannot be run: {error}")).hint(USAGE))),
    };
    let mut refusal = Diagnostic::new(ErrorCode::Toolchain, format!("rustup cannot run the toolchain {name}"));
    refusal.notes.extend(output.stderr.lines().find(|line| !line.is_empty()).map(|line| line.trim_start_matches("error: ").to_owned()));
    Ok(Some(refusal.hint(format!("rustup toolchain install {name}, or {USAGE}"))))
}

const USAGE: &str = "name a toolchain of rustup's, or a folder that holds bin/rustc; with ARCH= in front for one architecture alone";

impl FromIterator<Choice> for Toolchains {
    fn from_iter<I: IntoIterator<Item = Choice>>(choices: I) -> Self {
        Toolchains(choices.into_iter().map(|choice| (choice.arch, choice.toolchain)).collect())
    }
}

impl FromStr for Choice {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let (arch, toolchain) = match text.split_once('=') {
            // A folder's name may contain `=`. Names of architectures and toolchains contain no `=`.
            Some((arch, rest)) if !is_path(arch) => (Some(arch.parse()?), rest),
            _ => (None, text),
        };
        if toolchain.is_empty() {
            return Err("a toolchain's name is missing".into());
        }
        let toolchain = if is_path(toolchain) {
            Toolchain::Dir(std::path::absolute(toolchain).map_err(|error| error.to_string())?)
        } else {
            Toolchain::Named(toolchain.to_owned())
        };
        Ok(Choice { arch, toolchain })
    }
}

/// Returns true if the text is a path: rustup allows no path separator in a toolchain's name.
fn is_path(text: &str) -> bool {
    text.contains(std::path::is_separator) || text == "." || text == ".."
}

/// Returns the path of a program in the toolchain at `root`.
pub fn program(root: &Path, name: &str) -> PathBuf {
    root.join("bin").join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str) -> Option<Toolchain> {
        Some(Toolchain::Named(name.into()))
    }

    #[test]
    fn each_architecture_may_have_its_own() {
        let both = Toolchains::from_variable("stable,arm64=/opt/rust").unwrap();
        assert_eq!(both.of(Some(Arch::Amd64)).cloned(), named("stable"));
        assert_eq!(both.of(Some(Arch::Arm64)).cloned(), Some(Toolchain::Dir("/opt/rust".into())));
        assert_eq!(both.of(None).cloned(), named("stable"));
        let later: Toolchains = ["1.95", "arm64=1.96", "1.97"].map(|text| text.parse::<Choice>().unwrap()).into_iter().collect();
        assert_eq!((later.of(None).cloned(), later.of(Some(Arch::Arm64)).cloned()), (named("1.97"), named("1.96")));
        assert_eq!(Toolchains::from_variable("").unwrap(), Toolchains::default());
    }

    #[test]
    fn folders_and_names_are_distinguished() {
        let here = std::env::current_dir().unwrap();
        for (text, expected) in [("./x", here.join("x")), ("/a=b/c", "/a=b/c".into()), ("arm64=/a=b", "/a=b".into())] {
            assert_eq!(text.parse::<Choice>().unwrap().toolchain, Toolchain::Dir(expected), "{text}");
        }
        for (text, problem) in
            [("aarch64=stable", "Go calls it arm64"), ("mips=x", "unknown architecture mips"), ("arm64=", "missing"), ("", "missing")]
        {
            assert!(text.parse::<Choice>().unwrap_err().contains(problem), "{text}");
        }
        assert_eq!(Toolchains::from_variable("mips=x").unwrap_err().message.split(": ").next(), Some(VARIABLE));
    }
}
