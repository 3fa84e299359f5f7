//! The compiler flags of each target, for Rust, C and assembly.

use crate::target::{Arch, Target};

/// Returns the flags for rustc.
pub fn rustflags(target: Target) -> Vec<String> {
    let mut flags: Vec<String> = target.level_flags().into_iter().flat_map(|flag| ["-C".to_owned(), flag]).collect();
    let others: &[&str] = match target.arch {
        Arch::Amd64 => &[],
        Arch::Arm64 => &[
            // Reserves x18, a register that darwin and windows do not let programs use.
            "-Z",
            "fixed-x18",
            // Makes each access to a thread-local variable a call of __emutls_get_address. All other models read the thread register,
            // which Go does not set up for Rust.
            "-Z",
            "tls-model=emulated",
            // Turns off jump tables: Go assembly cannot express tables of code addresses.
            "-C",
            "jump-tables=no",
            // Turns off outlining: an outlined piece of code is not a function, because it returns with another SP than it had on
            // entry.
            "-C",
            "llvm-args=-enable-machine-outliner=never",
            // The unstable flags in this list need a setting that unlocks all features of a nightly compiler. With ALLOW_NONE, crates
            // that probe for such features find none, as on amd64.
            ALLOW_NONE,
        ],
    };
    flags.extend(others.iter().map(|&flag| flag.to_owned()));
    flags
}

/// Returns each flag of the target's level together with the flag that replaces it for the architecture's lowest level.
pub fn to_the_lowest(target: Target) -> Vec<(String, String)> {
    let lowest = Target::baseline(target.arch).level_flags();
    let instead = |flag: String| {
        let name = flag.split_inclusive('=').next().unwrap_or_default();
        let other = lowest.iter().find(|other| other.starts_with(name)).cloned().unwrap_or_else(|| name.to_owned());
        (flag, other)
    };
    target.level_flags().into_iter().map(instead).collect()
}

/// Forbids unstable features in crates. The standard library uses such features and is built without this flag.
pub const ALLOW_NONE: &str = "-Zallow-features=";

/// rustc's warnings about the flags that [`rustflags`] returns, repeated for each crate. A user cannot avoid them.
pub const OUR_WARNINGS: [&str; 2] = [
    "unknown and unstable feature specified for `-Ctarget-feature`: `reserve-x28`",
    "unstable feature specified for `-Ctarget-feature`: `outline-atomics`",
];

/// Returns the flags for C and assembly in build scripts (crate `cc`). gcc and clang both understand them; which of the two a build script uses is
/// unknown here.
pub fn c_flags(arch: Arch) -> &'static [&'static str] {
    match arch {
        // A stack protector reads thread-local storage. Signal handlers may overwrite the red zone. endbr64 has no use in Go. On some
        // systems gcc probes the stack in a loop that the analysis does not understand, and Go's function entries check the stack anyway.
        // Some systems add checks of the C library (_FORTIFY_SOURCE). Code compiled with -flto would need a linker.
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
        // For the same reasons as the flags for rustc.
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

/// Flags that only gcc understands. Without them the code is correct, but more of it is refused: gcc may keep values in scratch registers across
/// calls, and the code at the entry of functions changes these registers.
pub const GCC_FLAGS: &[&str] = &["-fno-ipa-ra"];

/// Returns the flags that only clang understands.
pub fn clang_flags(arch: Arch) -> &'static [&'static str] {
    match arch {
        Arch::Amd64 => &[],
        // For the same reasons as the flags for rustc; clang outlines pieces of code at `-Oz`.
        Arch::Arm64 => &["-femulated-tls", "-mno-outline"],
    }
}

/// Returns the default compilers of the crate `cc` for `arch`: for C, then for C++.
pub fn default_compilers(arch: Arch, is_host: bool) -> [String; 2] {
    match is_host {
        true => ["cc".to_owned(), "c++".to_owned()],
        false => [cross_compiler(arch).to_owned(), cross_compiler(arch).replace("gcc", "g++")],
    }
}

/// Returns the default C compiler of the crate `cc` for `arch` on a machine of another architecture.
pub fn cross_compiler(arch: Arch) -> &'static str {
    match arch {
        Arch::Amd64 => "x86_64-linux-gnu-gcc",
        Arch::Arm64 => "aarch64-linux-gnu-gcc",
    }
}
