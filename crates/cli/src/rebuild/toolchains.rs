//! Chooses the toolchains with which a package is built again. Their compilers must have the versions and commits that the package's provenance
//! states.

use super::Obstacle;
use super::result::Need;
use crate::config;
use crate::provenance::Provenance;
use crate::target::Arch;
use crate::toolchain::choice::{Choice, Toolchain, Toolchains};
use crate::toolchain::{Cargo, Rustc};
use std::path::Path;

/// The compiler of one architecture's code.
struct Wanted<'a> {
    arch: Arch,
    line: &'a str,
    commit: Option<&'a str>,
}

/// Finds the compilers that the provenance names. Returns the needed compilers and the toolchains to use. `choices` are the toolchains that the user
/// names. For an architecture without a choice, the compiler that the folder `krate` selects is tried first, then rustup's toolchain of the same
/// version.
pub fn choose(provenance: &Provenance, arches: &[Arch], choices: &[Choice], krate: &Path) -> Result<(Vec<Need>, Vec<Choice>), Obstacle> {
    let named = config::toolchains(choices)?;
    let mut wanted: Vec<Wanted<'_>> = Vec::new();
    for code in &provenance.code {
        let arch = arches.iter().copied().find(|arch| arch.goarch() == code.arch);
        wanted.extend(arch.map(|arch| Wanted { arch, line: &code.rustc, commit: code.commit.as_deref() }));
    }
    // The code for other processors is made with the toolchain for arm64.
    if let Some(code) = provenance.translated.as_ref().filter(|_| !wanted.iter().any(|wanted| wanted.arch == Arch::Arm64)) {
        wanted.push(Wanted { arch: Arch::Arm64, line: &code.rustc, commit: code.commit.as_deref() });
    }
    let (mut needs, mut chosen) = (Vec::new(), Vec::new());
    for wanted in wanted {
        let (here, choice) = find(&wanted, &named, krate)?;
        chosen.extend(choice);
        needs.push(Need {
            arch: wanted.arch.goarch().to_owned(),
            rustc: wanted.line.to_owned(),
            is_here: here.as_ref().is_some_and(|rustc| wanted.is(rustc)),
            here: here.map(|rustc| rustc.line),
        });
    }
    Ok((needs, chosen))
}

impl Wanted<'_> {
    fn is(&self, rustc: &Rustc) -> bool {
        rustc.line == self.line && self.commit.is_none_or(|commit| rustc.commit.as_deref().is_none_or(|here| here == commit))
    }

    /// Returns rustup's name of the compiler, if it is a release.
    fn release(&self) -> Option<&str> {
        let version = self.line.split(' ').nth(1)?;
        version.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.').then_some(version)
    }
}

/// Tries the compilers for one architecture. Returns the compiler that was tried last, and the choice that selects it.
fn find(wanted: &Wanted<'_>, named: &Toolchains, krate: &Path) -> Result<(Option<Rustc>, Option<Choice>), Obstacle> {
    let of = |toolchains: Toolchains| Cargo { toolchains, arch: Some(wanted.arch), ..Cargo::default() };
    let choice = |toolchain: &Toolchain| Choice { arch: Some(wanted.arch), toolchain: toolchain.clone() };
    if let Some(toolchain) = named.of(Some(wanted.arch)) {
        return Ok((Some(of(named.clone()).rustc(krate)?), Some(choice(toolchain))));
    }
    let selected = of(Toolchains::default()).rustc(krate).ok();
    if selected.as_ref().is_some_and(|rustc| wanted.is(rustc)) {
        return Ok((selected, None));
    }
    let Some(version) = wanted.release() else { return Ok((selected, None)) };
    let toolchain = Toolchain::Named(version.to_owned());
    let toolchains: Toolchains = [choice(&toolchain)].into_iter().collect();
    if toolchains.check().is_err() {
        return Ok((selected, None));
    }
    Ok((Some(of(toolchains).rustc(krate)?), Some(choice(&toolchain))))
}
