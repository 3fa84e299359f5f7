//! What each target asks of its compilers.

use crate::target::{Arch, Target};

/// Flags for rustc.
pub fn rustflags(target: Target) -> Vec<String> {
    let mut flags: Vec<String> = target.level_flags().into_iter().flat_map(|flag| ["-C".to_owned(), flag]).collect();
    let others: &[&str] = match target.arch {
        Arch::Amd64 => &[],
        Arch::Arm64 => &[
            // darwin's and windows' own.
            "-Z",
            "fixed-x18",
            // Each access to a thread-local variable becomes a call of __emutls_get_address. The other models read the thread's register, in
            // which Go keeps nothing of ours.
            "-Z",
            "tls-model=emulated",
            // Tables of code addresses cannot be carried into Go's assembly.
            "-C",
            "jump-tables=no",
            // Outlined pieces are no functions: they return with a stack that is not theirs.
            "-C",
            "llvm-args=-enable-machine-outliner=never",
            // The flags above are unstable and so unlock every feature of a nightly compiler. Crates that look whether they
            // are there shall find what they find on amd64.
            ALLOW_NONE,
        ],
    };
    flags.extend(others.iter().map(|&flag| flag.to_owned()));
    flags
}

/// Each flag of the level, and what stands in its place for the lowest level of the architecture.
pub fn to_the_lowest(target: Target) -> Vec<(String, String)> {
    let lowest = Target::baseline(target.arch).level_flags();
    let instead = |flag: String| {
        let name = flag.split_inclusive('=').next().unwrap_or_default();
        let other = lowest.iter().find(|other| other.starts_with(name)).cloned().unwrap_or_else(|| name.to_owned());
        (flag, other)
    };
    target.level_flags().into_iter().map(instead).collect()
}

/// Keeps unstable features from crates; the standard library, which is made of them, is built without it.
pub const ALLOW_NONE: &str = "-Zallow-features=";

/// What rustc says of [`rustflags`], for each crate again: a user can do nothing about it.
pub const OUR_WARNINGS: [&str; 2] = [
    "unknown and unstable feature specified for `-Ctarget-feature`: `reserve-x28`",
    "unstable feature specified for `-Ctarget-feature`: `outline-atomics`",
];

/// Flags for C and assembly that build scripts compile (with the crate `cc`), understood by gcc and clang: which of them a build
/// script takes is not known here.
pub fn c_flags(arch: Arch) -> &'static [&'static str] {
    match arch {
        // A stack protector reads thread-local storage, the red zone is as in Rust, endbr64 is dead weight. Some systems' gcc probes the
        // stack of its own accord, in a loop that is not understood; Go's stacks are checked at the entry. Some add checks of the C library's
        // (_FORTIFY_SOURCE). No linker finishes what -flto leaves.
        Arch::Amd64 => &[
            "-fPIC",
            "-mno-red-zone",
            "-fno-stack-protector",
            "-fno-stack-clash-protection",
            "-U_FORTIFY_SOURCE",
            "-fno-lto",
            "-fcf-protection=none",
            "-fno-asynchronous-unwind-tables",
        ],
        // As for Rust.
        Arch::Arm64 => &[
            "-fPIC",
            "-ffixed-x18",
            "-ffixed-x28",
            "-mno-outline-atomics",
            "-fno-jump-tables",
            "-fno-stack-protector",
            "-fno-stack-clash-protection",
            "-U_FORTIFY_SOURCE",
            "-fno-lto",
            "-fno-asynchronous-unwind-tables",
        ],
    }
}

/// More of them, which gcc alone understands. Code comes out right without them, but more of it is refused: values that are kept in scratch
/// registers over calls are in the way where a function is entered.
pub const GCC_FLAGS: &[&str] = &["-fno-ipa-ra"];

/// More of them, which clang alone understands.
pub fn clang_flags(arch: Arch) -> &'static [&'static str] {
    match arch {
        Arch::Amd64 => &[],
        // As for Rust, and `-Oz` makes outlined pieces.
        Arch::Arm64 => &["-femulated-tls", "-mno-outline"],
    }
}

/// The compilers that the crate `cc` takes for `arch` where none is named: for C and C++.
pub fn default_compilers(arch: Arch, is_host: bool) -> [String; 2] {
    match is_host {
        true => ["cc".to_owned(), "c++".to_owned()],
        false => [cross_compiler(arch).to_owned(), cross_compiler(arch).replace("gcc", "g++")],
    }
}

/// The C compiler that the crate `cc` takes for `arch` on another machine where none is named.
pub fn cross_compiler(arch: Arch) -> &'static str {
    match arch {
        Arch::Amd64 => "x86_64-linux-gnu-gcc",
        Arch::Arm64 => "aarch64-linux-gnu-gcc",
    }
}
