//! The targets of rustgo: processor architectures and their levels, with their names in Go and in rustc. The request lists the targets. Most stages
//! run once for each target.

use std::fmt;
use std::str::FromStr;

/// A processor architecture, named as in Go (`GOARCH`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Arch {
    Amd64,
    Arm64,
}

impl Arch {
    /// All architectures, in ascending order.
    pub const ALL: [Arch; 2] = [Arch::Amd64, Arch::Arm64];

    /// Returns the architecture's name in Go: the value of `GOARCH` and the suffix of file names.
    pub fn goarch(self) -> &'static str {
        match self {
            Arch::Amd64 => "amd64",
            Arch::Arm64 => "arm64",
        }
    }

    /// Returns the architecture's lowest level. Go itself requires this level of every processor.
    pub fn baseline(self) -> Level {
        match self {
            Arch::Amd64 => Level::X86_64,
            Arch::Arm64 => Level::Armv8A,
        }
    }

    /// Returns the architecture's target triple in rustc. (Flags set the level.) One triple, with ELF objects, suffices for all systems on which the
    /// Go program may run: the machine code is the same, and Go's tools produce everything that differs between systems (symbols, relocations,
    /// prologues).
    pub fn triple(self) -> &'static str {
        match self {
            Arch::Amd64 => "x86_64-unknown-linux-gnu",
            Arch::Arm64 => "aarch64-unknown-linux-gnu",
        }
    }
}

impl fmt::Display for Arch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.goarch())
    }
}

impl FromStr for Arch {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "amd64" => Ok(Arch::Amd64),
            "arm64" => Ok(Arch::Arm64),
            // Users often know the architecture by its name in other tools.
            "x86_64" | "x86-64" => Err(format!("unknown architecture {text}: Go calls it amd64")),
            "aarch64" => Err(format!("unknown architecture {text}: Go calls it arm64")),
            _ => Err(format!("unknown architecture {text}: amd64 and arm64 are known")),
        }
    }
}

/// A processor level: a set of instructions that a processor may have. A level is a microarchitecture level of the x86-64 psABI, a version of the Arm
/// architecture, or one of these with the cryptography instructions of later processors. A processor that has a level also has all lower levels of
/// its architecture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    X86_64,
    X86_64V2,
    X86_64V3,
    /// x86-64-v3 with AES, carry-less multiplication (PCLMULQDQ) and additions with two carries (ADX): Broadwell and Zen.
    X86_64V3Crypto,
    X86_64V4,
    /// x86-64-v4 with AES and PCLMULQDQ on wide registers, and the AVX-512 extensions that Ice Lake and Zen 4 have.
    X86_64V4Crypto,
    /// Armv8-A with Advanced SIMD.
    Armv8A,
    /// Armv8-A with the atomic instructions of version 8.1 (LSE).
    Armv8ALse,
    /// Armv8-A with LSE, AES, PMULL and SHA-2.
    Armv8ACrypto,
}

impl Level {
    /// All levels, grouped by architecture, in ascending order.
    pub const ALL: [Level; 9] = [
        Level::X86_64,
        Level::X86_64V2,
        Level::X86_64V3,
        Level::X86_64V3Crypto,
        Level::X86_64V4,
        Level::X86_64V4Crypto,
        Level::Armv8A,
        Level::Armv8ALse,
        Level::Armv8ACrypto,
    ];

    /// Returns the level's architecture.
    pub fn arch(self) -> Arch {
        match self {
            Level::X86_64 | Level::X86_64V2 | Level::X86_64V3 | Level::X86_64V3Crypto | Level::X86_64V4 | Level::X86_64V4Crypto => {
                Arch::Amd64
            }
            Level::Armv8A | Level::Armv8ALse | Level::Armv8ACrypto => Arch::Arm64,
        }
    }

    /// Returns the level's usual name. On amd64, a name without an extension is also rustc's name (`-C target-cpu`).
    pub fn name(self) -> &'static str {
        match self {
            Level::X86_64 => "x86-64",
            Level::X86_64V2 => "x86-64-v2",
            Level::X86_64V3 => "x86-64-v3",
            Level::X86_64V3Crypto => "x86-64-v3+crypto",
            Level::X86_64V4 => "x86-64-v4",
            Level::X86_64V4Crypto => "x86-64-v4+crypto",
            Level::Armv8A => "armv8-a",
            Level::Armv8ALse => "armv8-a+lse",
            Level::Armv8ACrypto => "armv8-a+lse+crypto",
        }
    }

    /// Returns the level's number among the levels of its architecture, from 1. `rt` uses the same numbers (go/rt/cpu.go).
    pub fn number(self) -> u8 {
        let below = Level::ALL.iter().filter(|level| level.arch() == self.arch() && **level < self).count();
        below as u8 + 1
    }

    /// Returns the suffix of the names of functions that exist only for this level.
    pub fn suffix(self) -> &'static str {
        match self {
            Level::X86_64 | Level::Armv8A => "v1",
            Level::X86_64V2 => "v2",
            Level::X86_64V3 => "v3",
            Level::X86_64V3Crypto => "v3crypto",
            Level::X86_64V4 => "v4",
            Level::X86_64V4Crypto => "v4crypto",
            Level::Armv8ALse => "lse",
            Level::Armv8ACrypto => "crypto",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Level {
    type Err = String;
    /// Parses the name of a level: on amd64 the name in rustc or in Go (`GOAMD64`), on arm64 the name of the Arm architecture.
    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "x86-64" | "x86-64-v1" | "v1" => Ok(Level::X86_64),
            "x86-64-v2" | "v2" => Ok(Level::X86_64V2),
            "x86-64-v3" | "v3" => Ok(Level::X86_64V3),
            "x86-64-v3+crypto" | "v3+crypto" => Ok(Level::X86_64V3Crypto),
            "x86-64-v4" | "v4" => Ok(Level::X86_64V4),
            "x86-64-v4+crypto" | "v4+crypto" => Ok(Level::X86_64V4Crypto),
            "armv8-a" => Ok(Level::Armv8A),
            "armv8-a+lse" => Ok(Level::Armv8ALse),
            "armv8-a+lse+crypto" => Ok(Level::Armv8ACrypto),
            "native" => Err("name the level: native would generate different code on every machine".into()),
            _ => Err(format!("unknown level {text}: {} are known", names(&Level::ALL))),
        }
    }
}

/// Lists names of levels for messages: `x86-64, x86-64-v3 and x86-64-v4`.
pub fn names(levels: &[Level]) -> String {
    let names: Vec<&str> = levels.iter().map(|level| level.name()).collect();
    match names.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

/// The target of a build: an architecture and a processor level. A package is built once for each of its targets, and has one assembly file for each
/// architecture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Target {
    pub arch: Arch,
    /// One of the levels of `arch`.
    pub level: Level,
}

impl Target {
    /// Returns a target for each of the `levels` that belong to `arch`, in ascending order without duplicates. If none of the `levels` belongs to
    /// `arch`, returns a target for the lowest level of `arch`.
    pub fn each(arch: Arch, levels: &[Level]) -> Vec<Target> {
        let own = |level: &&Level| level.arch() == arch;
        let found: std::collections::BTreeSet<Target> = levels.iter().filter(own).map(|&level| Target { arch, level }).collect();
        if found.is_empty() { vec![Target::baseline(arch)] } else { found.into_iter().collect() }
    }

    /// Returns the target for `arch` at its lowest level.
    pub fn baseline(arch: Arch) -> Target {
        Target { arch, level: arch.baseline() }
    }

    /// Returns the values of rustc's `-C` flags for the level.
    ///
    /// On arm64, x28 is reserved: Go keeps g in x28, and Go's signal handlers read x28. Outlined atomics are off, because their code gets the
    /// processor's features from the C library at startup.
    pub fn level_flags(self) -> Vec<String> {
        let (cpu, features) = match self.level {
            Level::X86_64 | Level::X86_64V2 | Level::X86_64V3 | Level::X86_64V4 => (Some(self.level), ""),
            Level::X86_64V3Crypto => (Some(Level::X86_64V3), "+aes,+pclmulqdq,+adx"),
            Level::X86_64V4Crypto => (
                Some(Level::X86_64V4),
                "+aes,+pclmulqdq,+adx,+sha,+gfni,+vaes,+vpclmulqdq,+avx512ifma,+avx512vbmi,+avx512vbmi2,+avx512vnni,+avx512bitalg,+avx512vpopcntdq",
            ),
            Level::Armv8A => (None, "+reserve-x28,-outline-atomics"),
            Level::Armv8ALse => (None, "+reserve-x28,-outline-atomics,+lse"),
            Level::Armv8ACrypto => (None, "+reserve-x28,-outline-atomics,+lse,+aes,+sha2"),
        };
        let cpu = cpu.map(|cpu| format!("target-cpu={cpu}"));
        let features = (!features.is_empty()).then(|| format!("target-feature={features}"));
        cpu.into_iter().chain(features).collect()
    }

    /// Returns the name of the assembly file.
    pub fn file_name(self) -> String {
        format!("rustgo_{self}.s")
    }
}

/// Prints only the architecture, because most packages have only one level for each architecture.
impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.arch)
    }
}

/// Parses a number of bytes: `4096`, `64k`, `1m`, also `64KiB`.
pub fn parse_size(text: &str) -> Result<u64, String> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let scale = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kib" => 1 << 10,
        "m" | "mib" => 1 << 20,
        _ => return Err(format!("{text} is not a size: write 4096, 64k or 1m")),
    };
    let number: u64 = number.parse().map_err(|_| format!("{text} is not a size: write 4096, 64k or 1m"))?;
    number.checked_mul(scale).ok_or_else(|| format!("{text} is too large"))
}

/// Prints a number of bytes for messages: `96 B`, `2.3 KiB`, `64 KiB`.
pub fn show_size(bytes: u64) -> String {
    let tenths = |unit: u64| (bytes * 10 + unit / 2) / unit;
    let show = |tenths: u64, unit: &str| match tenths % 10 {
        0 => format!("{} {unit}", tenths / 10),
        rest => format!("{}.{rest} {unit}", tenths / 10),
    };
    match bytes {
        0..1024 => format!("{bytes} B"),
        1024..1_048_576 => show(tenths(1 << 10), "KiB"),
        _ => show(tenths(1 << 20), "MiB"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_and_shown() {
        for (text, bytes) in [("0", 0), ("4096", 4096), ("64k", 65536), ("64K", 65536), ("64KiB", 65536), ("1m", 1 << 20)] {
            assert_eq!(parse_size(text), Ok(bytes), "{text}");
        }
        for text in ["", "k", "-1", "1.5k", "64kb", "64 k", "99999999999999999999", "99999999999999999m"] {
            assert!(parse_size(text).is_err(), "{text}");
        }
        for (bytes, text) in [(0, "0 B"), (1023, "1023 B"), (1024, "1 KiB"), (2355, "2.3 KiB"), (65536, "64 KiB"), (1 << 20, "1 MiB")] {
            assert_eq!(show_size(bytes), text);
        }
    }

    #[test]
    fn architectures_have_gos_names() {
        assert_eq!("amd64".parse(), Ok(Arch::Amd64));
        assert_eq!("x86_64".parse::<Arch>().unwrap_err(), "unknown architecture x86_64: Go calls it amd64");
        for level in Level::ALL {
            assert_eq!(level.name().parse(), Ok(level));
        }
        assert_eq!("v3".parse(), Ok(Level::X86_64V3));
        assert!("native".parse::<Level>().unwrap_err().contains("every machine"));
    }

    #[test]
    fn targets_take_levels_of_their_architecture() {
        let levels = [Level::X86_64V3, Level::X86_64, Level::X86_64V3];
        let at = |level| Target { arch: Arch::Amd64, level };
        assert_eq!(Target::each(Arch::Amd64, &levels), [at(Level::X86_64), at(Level::X86_64V3)]);
        assert_eq!(Target::each(Arch::Arm64, &levels), [Target::baseline(Arch::Arm64)]);
        assert_eq!(Level::ALL.map(Level::number), [1, 2, 3, 4, 5, 6, 1, 2, 3]);
        for arch in Arch::ALL {
            assert_eq!(arch.baseline().arch(), arch);
        }
    }
}
