//! The compiler flags for each target: for rustc, and for C and assembly.

use crate::target::{Arch, Target};

/// Returns the flags for rustc.
pub fn rustflags(target: Target) -> Vec<String> {
    let mut flags: Vec<String> = target.level_flags().into_iter().flat_map(|flag| ["-C".to_owned(), flag]).collect();
    let others: &[&str] = match target.arch {
        Arch::Amd64 => &[],
        Arch::Arm64 => &[
            // Reserve x18, a register that darwin and windows do not let programs use.
            "-Z",
            "fixed-x18",
            // Make each access to a thread-local variable a call of __emutls_get_address. All other models read the thread register,
            // which Go does not set up for Rust.
            "-Z",
            "tls-model=emulated",
            // Turn off jump tables, because rustgo does not understand the jump tables of arm64.
            "-C",
            "jump-tables=no",
            // Turn off outlining. An outlined piece of code is not a function, because its SP at the return differs from its SP on
            // entry.
            "-C",
            "llvm-args=-enable-machine-outliner=never",
            // The unstable flags in this list need `RUSTC_BOOTSTRAP`, which unlocks all unstable features. With ALLOW_NONE a crate that probes for
            // such features finds none, as on amd64.
            ALLOW_NONE,
        ],
    };
    flags.extend(others.iter().map(|&flag| flag.to_owned()));
    flags
}

/// Returns each flag of the target's level, with the flag that replaces it in code for the architecture's lowest level.
pub fn to_the_lowest(target: Target) -> Vec<(String, String)> {
    let lowest = Target::baseline(target.arch).level_flags();
    let instead = |flag: String| {
        let name = flag.split_inclusive('=').next().unwrap_or_default();
        let other = lowest.iter().find(|other| other.starts_with(name)).cloned().unwrap_or_else(|| name.to_owned());
        (flag, other)
    };
    target.level_flags().into_iter().map(instead).collect()
}

/// Values of rustc's flag `-C` for the standard library. The wrapper puts them after the flags that cargo takes from profiles.
pub const LIBRARY_SETTINGS: [&str; 4] = ["opt-level=3", "codegen-units=1", "overflow-checks=off", "debug-assertions=off"];

/// Forbids unstable features in crates. The standard library uses such features, so it is compiled without this flag.
pub const ALLOW_NONE: &str = "-Zallow-features=";

/// Warnings of rustc about the flags that [`rustflags`] returns. rustc repeats them for each crate, and a user cannot avoid them.
pub const OUR_WARNINGS: [&str; 2] = [
    "unknown and unstable feature specified for `-Ctarget-feature`: `reserve-x28`",
    "unstable feature specified for `-Ctarget-feature`: `outline-atomics`",
];

/// Returns the flags for C and assembly in build scripts (crate `cc`) that both gcc and clang understand. It is unknown here which of the two
/// compilers a build script uses.
pub fn c_flags(arch: Arch) -> &'static [&'static str] {
    match arch {
        // Reasons: a stack protector reads thread-local storage; signal handlers may overwrite the red zone; endbr64 has no use in Go. On
        // some systems gcc probes the stack in a loop that the analysis does not understand, and Go's function entries check the stack
        // anyway. Some systems add checks of the C library (_FORTIFY_SOURCE). Code compiled with -flto would need a linker.
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
        // The reasons are given at the flags for rustc and at the C flags for amd64.
        Arch::Arm64 => &[
            "-fPIC",
            "-ffixed-x18",
            "-ffixed-x28",
            "-mno-outline-atomics",
            // On some distributions, gcc signs return addresses by default. Go's frames replace gcc's frames, and their return addresses are not
            // signed.
            "-mbranch-protection=none",
            "-fno-jump-tables",
            "-fno-stack-protector",
            "-fno-stack-clash-protection",
            "-U_FORTIFY_SOURCE",
            "-fno-lto",
            "-fno-asynchronous-unwind-tables",
        ],
    }
}

/// Flags that only gcc understands. Without these flags the code is correct, but rustgo refuses more of it: gcc may keep values in scratch registers
/// across calls, and the stack checks at the entries of generated functions change these registers.
pub const GCC_FLAGS: &[&str] = &["-fno-ipa-ra"];

/// Returns the flags that only clang understands.
pub fn clang_flags(arch: Arch) -> &'static [&'static str] {
    match arch {
        Arch::Amd64 => &[],
        // The reasons are given at the flags for rustc. clang outlines pieces of code at `-Oz`.
        Arch::Arm64 => &["-femulated-tls", "-mno-outline"],
    }
}

/// Returns the default compilers of the crate `cc` for `arch`: first for C, then for C++.
pub fn default_compilers(arch: Arch, is_host: bool) -> [String; 2] {
    match is_host {
        true => ["cc".to_owned(), "c++".to_owned()],
        false => [cross_compiler(arch).to_owned(), cross_compiler(arch).replace("gcc", "g++")],
    }
}

/// Returns the default C compiler of the crate `cc` for code for `arch` on a machine of another architecture.
pub fn cross_compiler(arch: Arch) -> &'static str {
    match arch {
        Arch::Amd64 => "x86_64-linux-gnu-gcc",
        Arch::Arm64 => "aarch64-linux-gnu-gcc",
    }
}
