//! The compiler, flags and level of a program.

use rustgo_cli::testing::compile::{GCC_FLAGS, c_flags, clang_flags};
use rustgo_cli::testing::target::Arch;
use std::fmt;
use std::process::Command;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Compiler {
    Gcc,
    Clang,
}

/// A set of compiler flags, without the optimisation level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Flags {
    /// The flags that the tool passes to build scripts, and those that the crate `cc` adds.
    Ours,
    /// Only the flags that the tool requires, so that the compiler uses its defaults otherwise.
    Own,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Options {
    pub arch: Arch,
    pub compiler: Compiler,
    pub flags: Flags,
    pub level: &'static str,
}

pub const COMPILERS: [Compiler; 2] = [Compiler::Gcc, Compiler::Clang];
pub const FLAGS: [Flags; 2] = [Flags::Ours, Flags::Own];
pub const LEVELS: [&str; 6] = ["O0", "O1", "O2", "O3", "Os", "Og"];

impl fmt::Display for Compiler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Compiler::Gcc => "gcc",
            Compiler::Clang => "clang",
        })
    }
}

impl fmt::Display for Flags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Flags::Ours => "ours",
            Flags::Own => "own",
        })
    }
}

impl fmt::Display for Options {
    /// Writes the options as arguments of `scripts/adversary`, so that a line of output shows how to repeat the run of its program.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "--arch {} --cc {} --level {} --flags {}", self.arch, self.compiler, self.level, self.flags)
    }
}

impl Options {
    /// The command that runs the compiler with its flags. The caller adds files.
    pub fn command(&self) -> Command {
        let mut command = self.compiler.command(self.arch);
        match (self.flags, self.arch) {
            (Flags::Ours, arch) => {
                command.args(c_flags(arch)).args(["-ffunction-sections", "-fdata-sections", "-g"]);
                command.args(match self.compiler {
                    Compiler::Gcc => GCC_FLAGS,
                    Compiler::Clang => clang_flags(arch),
                });
            }
            (Flags::Own, Arch::Amd64) => drop(command.arg("-fPIC")),
            // Go reserves x18 and x28.
            (Flags::Own, Arch::Arm64) => drop(command.args(["-fPIC", "-ffixed-x18", "-ffixed-x28"])),
        }
        command.arg(format!("-{}", self.level));
        command
    }
}

impl Compiler {
    /// The command of the compiler for `arch`, on an amd64 machine.
    pub fn command(self, arch: Arch) -> Command {
        match (self, arch) {
            (Compiler::Gcc, Arch::Amd64) => Command::new("gcc"),
            (Compiler::Gcc, Arch::Arm64) => Command::new("aarch64-linux-gnu-gcc"),
            (Compiler::Clang, Arch::Amd64) => Command::new("clang"),
            (Compiler::Clang, Arch::Arm64) => {
                let mut clang = Command::new("clang");
                clang.args(["--target=aarch64-linux-gnu", "-isystem", "/usr/aarch64-linux-gnu/include"]);
                clang
            }
        }
    }
}

/// The binary utility with this name for `arch`.
pub fn binutil(name: &str, arch: Arch) -> Command {
    match arch {
        Arch::Amd64 => Command::new(name),
        Arch::Arm64 => Command::new(format!("aarch64-linux-gnu-{name}")),
    }
}

/// The emulator that runs programs of `arch`; `None` if this machine runs them.
pub fn emulator(arch: Arch) -> Option<&'static str> {
    (arch == Arch::Arm64).then_some("qemu-aarch64-static")
}

/// The elements of `all` that the variable lists, separated by commas; all elements if it is not set.
pub fn chosen<T: Copy + fmt::Display>(variable: &str, all: &[T]) -> Vec<T> {
    let Ok(text) = std::env::var(variable) else { return all.to_vec() };
    let find = |name: &str| {
        let found = all.iter().find(|one| one.to_string() == name);
        *found.unwrap_or_else(|| {
            panic!("{variable}={text}: {name} is none of {}", all.iter().map(T::to_string).collect::<Vec<_>>().join(", "))
        })
    };
    text.split(',').map(find).collect()
}

/// True if programs of this machine can be compiled and run here. If not, prints the reason, or fails in CI.
pub fn can_run(arch: Arch, more: &[&str]) -> bool {
    let compilers = COMPILERS.map(|compiler| compiler.command(arch).get_program().to_string_lossy().into_owned());
    let objcopy = binutil("objcopy", arch).get_program().to_string_lossy().into_owned();
    let mut needed: Vec<&str> = compilers.iter().map(String::as_str).collect();
    needed.push(&objcopy);
    needed.extend(emulator(arch));
    needed.extend(more);
    let missing = needed.into_iter().find(|program| Command::new(program).arg("--version").output().is_err());
    if let Some(program) = missing {
        crate::say!("skipped: the adversary on {arch}: no {program}: scripts/setup installs it");
        assert!(std::env::var_os("CI").is_none(), "there is no {program}: scripts/setup installs it");
    }
    missing.is_none()
}
