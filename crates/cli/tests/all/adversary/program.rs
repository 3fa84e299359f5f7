//! One program: compiles it, renames its symbols, and passes it alone through the stages up to lowering, to find out whether the tool accepts it.
//! Accepted programs are run in batches: [`super::batch`].

use super::options::{Options, binutil};
use crate::common::{self, Export, Lowered, archive};
use rustgo_cli::testing::diag::{ErrorCode, Failure};
use rustgo_cli::testing::target::Arch;
use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A C file with a `main` function, and the options with which it is compiled.
#[derive(Clone, Debug)]
pub struct Program {
    /// The name in reports: the seed, or the file's name.
    pub name: String,
    pub source: PathBuf,
    /// Compiler arguments after those of `options`.
    pub arguments: Vec<String>,
    pub options: Options,
}

/// The outcome of compiling a program, and of comparing its runs in Go and natively.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The compiler refuses the program, with this message.
    NotCompiled(String),
    /// The program cannot be used as a test, for this reason: natively it takes too long, crashes or fails.
    NoUse(String),
    /// The tool refuses the program, with this message.
    Refused(ErrorCode, String),
    /// The results in Go equal the native results.
    Right,
    Wrong(String),
}

/// The largest stack of a program, and the budget of a recursive program, in bytes.
const MAX_STACK: u64 = 1 << 20;
const BUDGET: u64 = 512 << 10;

/// The program's name in a package that contains only this program.
const ALONE: &str = "program";

/// The code with which the programs for one architecture are linked.
pub struct Runtime {
    pub arch: Arch,
    /// The object code of `exit` and `abort` (runtime/ends.c), for Go and for the native program.
    pub ends: Vec<u8>,
    /// Functions of a C library and of the compiler's library, for programs in Go. A native program uses the functions of the system.
    library: Vec<(String, Vec<u8>)>,
    /// The object code of the export that calls a single program, without and with a budget.
    alone: [Vec<(String, Vec<u8>)>; 2],
}

/// A program that the tool accepts.
pub struct Accepted {
    /// The object file. Its only global symbol is `program_main`.
    pub object: PathBuf,
    /// True if the program is recursive, so that its export has a budget.
    pub recursive: bool,
}

/// Compiles a C file of this repository, by gcc with the flags that the tool passes to build scripts.
pub fn compile_ours(arch: Arch, source: &Path, object: &Path, more: &[&str]) {
    let options = Options { arch, compiler: super::options::Compiler::Gcc, flags: super::options::Flags::Ours, level: "O2" };
    let mut command = options.command();
    command.args(["-ffreestanding", "-fno-tree-loop-distribute-patterns", "-fno-math-errno", "-Wall", "-Werror"]).args(more);
    super::batch::succeed(&source.display().to_string(), command.arg("-c").arg(source).arg("-o").arg(object));
}

/// The folder of the C files that are compiled with the programs.
pub fn runtime_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/adversary/runtime")
}

/// The exports that call the programs, as members of an archive. The export `func NAME(x uint64) uint64` calls `NAME_main`.
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

    /// Runs every stage up to lowering. The error is the tool's refusal or failure. In the archive, `entries` come first, because the linker
    /// adds a member only if an earlier member refers to it.
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

    /// Compiles a program and passes it to the tool. `number` makes the names of its object files in `dir` unique.
    pub fn accept(&self, program: &Program, dir: &Path, number: usize) -> Result<Accepted, Outcome> {
        let compiled = dir.join(format!("{number}.compiled.o"));
        let mut compiler = program.options.command();
        let more = super::variable("ADVERSARY_CFLAGS").unwrap_or_default();
        compiler.arg("-w").args(&program.arguments).args(more.split_whitespace()).arg("-c").arg(&program.source).arg("-o").arg(&compiled);
        // `timeout` ends a compiler that does not terminate.
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
        // If the program is recursive, lower it again with a large stack budget.
        match lowered.facts.exports.values().any(|export| export.assumed.is_some()) {
            true => self.lower(&self.alone[1], &members).map(|_| accepted(true)),
            false => Ok(accepted(false)),
        }
    }
}

/// The members of libgcc. Compilers call its functions for operations that are not instructions.
fn compiler_library(arch: Arch, dir: &Path) -> Vec<(String, Vec<u8>)> {
    let gcc = super::options::Compiler::Gcc.command(arch).arg("-print-libgcc-file-name").output().expect("gcc runs");
    let path = String::from_utf8_lossy(&gcc.stdout).trim().to_owned();
    let _ = std::fs::remove_dir_all(dir);
    std::fs::create_dir_all(dir).expect("the scratch folder can be made");
    super::batch::succeed("ar", Command::new("ar").current_dir(dir).args(["x", &path]));
    let entries = std::fs::read_dir(dir).expect("the scratch folder can be read");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a member").path()).collect();
    paths.sort();
    // Members are numbered, because the archives made here support only short names.
    paths.iter().enumerate().map(|(number, path)| (format!("g{number}.o"), read(path))).collect()
}

/// The outcome if the tool refuses a program. A failed proof is a bug of the tool, so it counts as wrong.
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
