//! Random programs by csmith: <https://github.com/csmith-project/csmith>.

use super::options::{Compiler, Flags, LEVELS, Options};
use super::program::{Program, runtime_dir};
use rayon::prelude::*;
use rustgo_cli::target::Arch;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What keeps programs small and quick. A seed's program depends on them: other options, other programs.
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

/// Which of the ways to compile a seed's programs are taken.
pub struct Ways {
    pub compilers: Vec<Compiler>,
    pub flags: Vec<Flags>,
    /// Those named; or one for each program, in turn.
    pub levels: Option<Vec<&'static str>>,
}

/// The C text of a seed; none where csmith takes too long, or the program does: some run for hours.
fn source(dir: &Path, seed: u64) -> Option<PathBuf> {
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
    // Its status is a part of the checksum; of a program that is killed there is none.
    let quick = ran.status.code().is_some_and(|code| code != 137);
    let _ = std::fs::remove_file(&program);
    quick.then_some(path)
}

/// The programs of some seeds for a machine.
pub fn programs(arch: Arch, dir: &Path, seeds: &[u64], ways: &Ways) -> Vec<Program> {
    let dir = dir.join("csmith");
    std::fs::create_dir_all(&dir).expect("the scratch folder can be made");
    let of_seed = |&seed: &u64| {
        let Some(source) = source(&dir, seed) else { return Vec::new() };
        let pairs = ways.compilers.iter().flat_map(|&compiler| ways.flags.iter().map(move |&flags| (compiler, flags)));
        let mut programs = Vec::new();
        for (nth, (compiler, flags)) in pairs.enumerate() {
            // csmith's levels are the first five.
            let turn = [LEVELS[(seed as usize + 2 * nth) % 5]];
            for &level in ways.levels.as_deref().unwrap_or(&turn) {
                programs.push(Program {
                    name: seed.to_string(),
                    source: source.clone(),
                    arguments: vec!["-I".to_owned(), runtime_dir().display().to_string()],
                    options: Options { arch, compiler, flags, level },
                });
            }
        }
        programs
    };
    seeds.par_iter().map(of_seed).collect::<Vec<_>>().into_iter().flatten().collect()
}
