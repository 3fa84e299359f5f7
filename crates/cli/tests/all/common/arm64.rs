//! The toolchain that the tests use to build for arm64: the first toolchain that can do so, among the one that the environment names, rustup's
//! default, and the one that `scripts/setup-arm64` makes.

use rustgo_cli::testing::target::Arch;
use rustgo_cli::testing::toolchain::{Cargo, Choice, Toolchain, Toolchains, VARIABLE};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// The toolchain for arm64; `None` if no toolchain can build for arm64. In that case the function prints a message, or fails in CI.
pub fn toolchain(test: &str) -> Option<Toolchains> {
    static FOUND: LazyLock<Option<Toolchains>> = LazyLock::new(search);
    if FOUND.is_none() {
        let cure = "rustup component add rust-src, or scripts/setup-arm64";
        crate::say!("skipped: {test}: no toolchain can build for arm64: {cure}");
        assert!(std::env::var_os("CI").is_none(), "no toolchain can build for arm64: {cure}");
    }
    FOUND.clone()
}

fn search() -> Option<Toolchains> {
    let named = std::env::var(VARIABLE).ok().map(|value| Toolchains::from_variable(&value).expect("the environment names toolchains"));
    let made = made_from_debian().map(|dir| Toolchains::from_iter([choice(&dir)]));
    [named, Some(Toolchains::default()), made].into_iter().flatten().find(builds)
}

/// The value of `--toolchain` for arm64; `None` if the default toolchain is used for all machines.
pub fn argument(toolchains: &Toolchains) -> Option<String> {
    Some(match toolchains.of(Some(Arch::Arm64))? {
        Toolchain::Dir(dir) => format!("arm64={}", dir.display()),
        Toolchain::Named(name) => format!("arm64={name}"),
    })
}

/// Makes a value for the option `--toolchain` from a toolchain's folder.
pub fn choice(dir: &Path) -> Choice {
    format!("arm64={}", dir.display()).parse().expect("a folder is a toolchain")
}

fn builds(toolchains: &Toolchains) -> bool {
    let cargo = Cargo { toolchains: toolchains.clone(), ..Cargo::default() }.of(Arch::Arm64);
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    cargo.rustc(here).and_then(|rustc| cargo.library(here, &rustc)).is_ok_and(|library| library.is_ok())
}

fn made_from_debian() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let cache = || folder("XDG_CACHE_HOME").or_else(|| Some(folder("HOME")?.join(".cache")));
    let dir = folder("RUSTGO_RUST_DEBIAN").or_else(|| Some(cache()?.join("rustgo/rust-debian")))?;
    dir.join("bin/rustc").is_file().then_some(dir)
}
