//! Random programs by csmith: <https://github.com/csmith-project/csmith>.

use super::options::Compiler;
use super::program::runtime_dir;
use rustgo_cli::testing::target::Arch;
use std::path::{Path, PathBuf};
use std::process::Command;

/// csmith options that keep the programs small and fast. A seed gives another program if the options change.
const SIZE: [&str; 12] = [
    "--no-argc",
    "--concise",
    "--max-funcs",
    "6",
    "--max-block-depth",
    "3",
    "--max-array-dim",
    "2",
    "--max-array-len-per-dim",
    "6",
    "--max-expr-complexity",
    "6",
];

/// Writes the C program of a seed; `None` if csmith or the program runs longer than a time limit. (Some programs run for hours.)
pub fn source(dir: &Path, seed: u64) -> Option<PathBuf> {
    let path = dir.join(format!("{seed}.c"));
    let mut csmith = Command::new("timeout");
    csmith.args(["20", "csmith", "--seed", &seed.to_string()]).args(SIZE).arg("--output").arg(&path);
    if !csmith.output().expect("timeout runs").status.success() {
        return None;
    }
    let program = dir.join(seed.to_string());
    let mut compiler = Compiler::Gcc.command(Arch::Amd64);
    super::batch::succeed("gcc", compiler.args(["-O1", "-w", "-I"]).arg(runtime_dir()).arg(&path).arg("-o").arg(&program));
    let ran = Command::new("timeout").args(["-s", "KILL", "0.5"]).arg(&program).output().expect("timeout runs");
    // The exit status is a part of the program's checksum, so it may be any number. Only 137 is excluded: it means that the time limit killed the
    // program.
    let quick = ran.status.code().is_some_and(|code| code != 137);
    let _ = std::fs::remove_file(&program);
    quick.then_some(path)
}
