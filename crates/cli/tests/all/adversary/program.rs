//! One program: compiled, given names of its own, and taken through the stages up to lowering by itself, which says whether it is
//! accepted. Accepted programs are run many at a time: [`super::batch`].

use super::options::{Options, binutil};
use crate::common::{self, Export, Lowered, archive};
use rustgo_cli::testing::diag::{ErrorCode, Failure};
use rustgo_cli::testing::target::Arch;
use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A C file with a main, and how it is compiled.
#[derive(Clone, Debug)]
pub struct Program {
    /// What a person calls it: a seed, a file's name.
    pub name: String,
    pub source: PathBuf,
    /// Options of its own, behind those of `options`.
    pub arguments: Vec<String>,
    pub options: Options,
}

/// What came of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The compiler refuses it, for this reason.
    NotCompiled(String),
    /// It is no test: natively it takes too long, crashes, or fails.
    NoUse(String),
    /// The tool refuses it; the first reason.
    Refused(ErrorCode, String),
    /// What Go sees is what the native program shows.
    Right,
    Wrong(String),
}

/// The stack that an accepted program may use, and its budget where it recurses, in bytes.
const MAX_STACK: u64 = 1 << 20;
const BUDGET: u64 = 512 << 10;

/// The main of a program by itself.
const ALONE: &str = "program";

/// What all programs of a machine are linked with.
pub struct Runtime {
    pub arch: Arch,
    /// How programs end: in Go and natively.
    pub ends: Vec<u8>,
    /// Functions of a C library, and those of the compiler's own library, which the native program has from elsewhere.
    library: Vec<(String, Vec<u8>)>,
    /// The entries of a program by itself, without and with a budget.
    alone: [Vec<(String, Vec<u8>)>; 2],
}

/// A program that the tool accepts.
pub struct Accepted {
    /// Where its object lies, whose one global symbol is `program_main`.
    pub object: PathBuf,
    /// Does it recurse, so that its export has a budget?
    pub recursive: bool,
}

/// Compiles one of our own files, by gcc with the flags that the tool hands down.
pub fn compile_ours(arch: Arch, source: &Path, object: &Path, more: &[&str]) {
    let options = Options { arch, compiler: super::options::Compiler::Gcc, flags: super::options::Flags::Ours, level: "O2" };
    let mut command = options.command();
    command.args(["-ffreestanding", "-fno-tree-loop-distribute-patterns", "-fno-math-errno", "-Wall", "-Werror"]).args(more);
    super::batch::succeed(&source.display().to_string(), command.arg("-c").arg(source).arg("-o").arg(object));
}

/// The folder of what is compiled with the programs.
pub fn runtime_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/adversary/runtime")
}

/// The entries of some programs as members of an archive: `name_main` is called by `func NAME(x uint64) uint64`.
pub fn entries(arch: Arch, dir: &Path, programs: &[(&str, bool)]) -> Vec<(String, Vec<u8>)> {
    std::fs::create_dir_all(dir).expect("the scratch folder can be made");
    let (list, object) = (dir.join("programs.h"), dir.join("entries.o"));
    let (records, records_object) = (dir.join("records.s"), dir.join("records.o"));
    let mut names = String::new();
    let mut text = String::new();
    for &(name, recursive) in programs {
        writeln!(names, "PROGRAM({name})").expect("a string takes everything");
        let budget = recursive.then_some(BUDGET);
        text.push_str(&common::record(&Export { go_name: name.to_uppercase(), symbol: name.to_owned(), budget, blocking: None }));
    }
    std::fs::write(&list, names).expect("the scratch folder is writable");
    std::fs::write(&records, text).expect("the scratch folder is writable");
    compile_ours(arch, &runtime_dir().join("entries.c"), &object, &["-I", &dir.display().to_string()]);
    let mut assembler = binutil("as", arch);
    super::batch::succeed("the assembler", assembler.arg(&records).arg("-o").arg(&records_object));
    [object, records_object].iter().map(|path| (file_name(path), read(path))).collect()
}

fn file_name(path: &Path) -> String {
    path.file_name().expect("a file has a name").to_string_lossy().into_owned()
}

pub fn read(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

impl Runtime {
    pub fn new(arch: Arch, dir: &Path) -> Runtime {
        std::fs::create_dir_all(dir).expect("the scratch folder can be made");
        let compiled = |name: &str| {
            let object = dir.join(name).with_extension("o");
            compile_ours(arch, &runtime_dir().join(name), &object, &[]);
            read(&object)
        };
        let mut library = vec![("libc.o".to_owned(), compiled("libc.c"))];
        library.extend(compiler_library(arch, &dir.join("libgcc")));
        let alone = [false, true].map(|recursive| entries(arch, &dir.join(format!("alone-{recursive}")), &[(ALONE, recursive)]));
        Runtime { arch, ends: compiled("ends.c"), library, alone }
    }

    /// Every stage up to lowering; the error is how the tool refuses, or that it fails. `entries` go first, for a linker takes what
    /// those need.
    pub fn lower(&self, entries: &[(String, Vec<u8>)], objects: &[(String, Vec<u8>)]) -> Result<Lowered, Outcome> {
        let ends = [("ends.o".to_owned(), self.ends.clone())];
        let members: Vec<(&str, &[u8])> = entries
            .iter()
            .chain(objects)
            .chain(&ends)
            .chain(&self.library)
            .map(|(name, bytes)| (name.as_str(), bytes.as_slice()))
            .collect();
        let lowered = catch_unwind(AssertUnwindSafe(|| common::lower_within(self.arch, &archive(&members), MAX_STACK)));
        match lowered {
            Ok(result) => result.map_err(|failure| refused(&failure)),
            Err(_) => Err(Outcome::Wrong("the tool panics".to_owned())),
        }
    }

    /// Compiles a program and asks the tool; objects are called by `number` in `dir`.
    pub fn accept(&self, program: &Program, dir: &Path, number: usize) -> Result<Accepted, Outcome> {
        let compiled = dir.join(format!("{number}.compiled.o"));
        let mut compiler = program.options.command();
        let more = super::variable("ADVERSARY_CFLAGS").unwrap_or_default();
        compiler.arg("-w").args(&program.arguments).args(more.split_whitespace()).arg("-c").arg(&program.source).arg("-o").arg(&compiled);
        // A compiler that loops shall not stop everything.
        let mut command = Command::new("timeout");
        command.arg("60").arg(compiler.get_program()).args(compiler.get_args());
        let output = command.output().expect("timeout runs");
        if !output.status.success() {
            let text = String::from_utf8_lossy(&output.stderr);
            let said = text.lines().find(|line| line.contains("error")).or(text.lines().next()).unwrap_or("the compiler fails");
            return Err(Outcome::NotCompiled(said.rsplit("error: ").next().unwrap_or(said).to_owned()));
        }
        let object = dir.join(format!("{number}.o"));
        let mut objcopy = binutil("objcopy", self.arch);
        let main = format!("{ALONE}_main");
        objcopy.args(["--redefine-sym", &format!("main={main}"), "--redefine-sym", "exit=adversary_exit"]);
        objcopy.args(["--redefine-sym", "abort=adversary_abort", "--keep-global-symbol", &main]);
        super::batch::succeed("objcopy", objcopy.arg(&compiled).arg(&object));
        let members = [("case.o".to_owned(), read(&object))];
        let accepted = |recursive| Accepted { object: object.clone(), recursive };
        let lowered = self.lower(&self.alone[0], &members)?;
        // What recurses gets a large budget.
        match lowered.facts.exports.values().any(|export| export.assumed.is_some()) {
            true => self.lower(&self.alone[1], &members).map(|_| accepted(true)),
            false => Ok(accepted(false)),
        }
    }
}

/// The members of libgcc, which compilers call for what the machine has no instruction for.
fn compiler_library(arch: Arch, dir: &Path) -> Vec<(String, Vec<u8>)> {
    let gcc = super::options::Compiler::Gcc.command(arch).arg("-print-libgcc-file-name").output().expect("gcc runs");
    let path = String::from_utf8_lossy(&gcc.stdout).trim().to_owned();
    let _ = std::fs::remove_dir_all(dir);
    std::fs::create_dir_all(dir).expect("the scratch folder can be made");
    super::batch::succeed("ar", Command::new("ar").current_dir(dir).args(["x", &path]));
    let entries = std::fs::read_dir(dir).expect("the scratch folder can be read");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a member").path()).collect();
    paths.sort();
    // Numbers, since names in an archive of ours are short.
    paths.iter().enumerate().map(|(number, path)| (format!("g{number}.o"), read(path))).collect()
}

/// How the tool refuses. A failed proof is the tool's own fault.
pub fn refused(failure: &Failure) -> Outcome {
    match failure {
        Failure::Refused(reasons) => match reasons.first() {
            Some(first) if first.code == ErrorCode::Verify => Outcome::Wrong(common::failure_text(failure)),
            Some(first) => Outcome::Refused(first.code, first.message.clone()),
            None => Outcome::Wrong("refused without a reason".to_owned()),
        },
        other => Outcome::Wrong(format!("{other:?}")),
    }
}
