//! Random programs by seed, and the options with which each program is compiled.

use super::options::{Compiler, Flags, LEVELS, Options};
use super::program::{Program, runtime_dir};
use rayon::prelude::*;
use rustgo_cli::testing::target::Arch;
use std::path::{Path, PathBuf};

/// The options with which a seed's program is compiled.
pub struct Ways {
    pub compilers: Vec<Compiler>,
    pub flags: Vec<Flags>,
    /// The optimisation levels. If `None`, each program is compiled at one level, in rotation.
    pub levels: Option<Vec<&'static str>>,
}

/// A generator: writes the C program of a seed to a folder; `None` if the seed is not usable.
pub type Source = fn(&Path, u64) -> Option<PathBuf>;

/// The programs that a generator makes of these seeds, for one machine.
pub fn programs(arch: Arch, dir: &Path, source: Source, seeds: &[u64], ways: &Ways) -> Vec<Program> {
    let dir = dir.join("sources");
    std::fs::create_dir_all(&dir).expect("the scratch folder can be made");
    let of_seed = |&seed: &u64| {
        let Some(source) = source(&dir, seed) else { return Vec::new() };
        let pairs = ways.compilers.iter().flat_map(|&compiler| ways.flags.iter().map(move |&flags| (compiler, flags)));
        let mut programs = Vec::new();
        for (nth, (compiler, flags)) in pairs.enumerate() {
            // The rotation omits the last level, Og.
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
