//! Code that the tests share: passing assembly cases through the stages in memory, comparing with golden files, and making scratch Go modules.
//!
//! rustc's assembler makes the objects, so a case needs no other program and takes a tenth of a second.

pub mod arm64;
pub mod directives;
pub mod rooms;
pub mod script;

use directives::{Directive, Directives};

use rustgo_cli::testing::analyze::{self, Facts, Limits};
use rustgo_cli::testing::api::Package;
use rustgo_cli::testing::backend;
use rustgo_cli::testing::bind;
use rustgo_cli::testing::decode::{self, Program};
use rustgo_cli::testing::diag::{Failure, Result, Style, refusal};
use rustgo_cli::testing::goasm;
use rustgo_cli::testing::gosrc;
use rustgo_cli::testing::load::{self, Object};
use rustgo_cli::testing::lower;
use rustgo_cli::testing::runtime::{Library, Runtime};
use rustgo_cli::testing::target::{Arch, Target};
use rustgo_cli::testing::toolchain::Go;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The root folder of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("crates/cli lies two folders deep").to_owned()
}

/// A folder that is kept between runs, so that unchanged code is not compiled again.
pub fn scratch(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&dir).expect("the scratch folder can be made");
    dir
}

/// The number of target folders that the tests share.
pub const TARGETS: usize = 2;

/// cargo's target folder for the crates of a test. Tests share it, so that common dependencies are compiled once. `which` selects one of [`TARGETS`]
/// folders: two builds in one folder would run one after the other, and rustc uses one processor for most of a build.
pub fn target(which: usize) -> PathBuf {
    scratch(&format!("target-{}", which % TARGETS))
}

/// Writes a file, but only if its content changes, because cargo and go rebuild everything that depends on a file with a new modification time.
pub fn write(path: &Path, text: &str) {
    if std::fs::read(path).is_ok_and(|old| old == text.as_bytes()) {
        return;
    }
    std::fs::create_dir_all(path.parent().expect("a file lies in a folder")).expect("the folder can be made");
    std::fs::write(path, text).expect("the scratch folder is writable");
}

/// A minimal core library, because core may not be installed for the target. rustc itself can compile for every machine.
pub const NO_CORE: &str = r#"#![feature(no_core, lang_items, rustc_attrs)]
#![allow(internal_features)]
#![no_core]
#[lang = "pointee_sized"]
pub trait PointeeSized {}
#[lang = "meta_sized"]
pub trait MetaSized: PointeeSized {}
#[lang = "sized"]
pub trait Sized: MetaSized {}
#[lang = "copy"]
pub trait Copy {}
impl Copy for u32 {}
#[rustc_builtin_macro]
macro_rules! global_asm { ($($tokens:tt)*) => {} }
"#;

/// Compiles a Rust source; returns the file that rustc writes.
pub fn rustc(arch: Arch, name: &str, source: &str, args: &[&str]) -> Vec<u8> {
    let dir = tempfile::tempdir().expect("a scratch folder");
    let (input, output) = (dir.path().join(format!("{name}.rs")), dir.path().join("output"));
    std::fs::write(&input, source).expect("the scratch folder is writable");
    let result = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
        .args(["--edition=2024", "--target", arch.triple(), "--crate-name", name])
        .args(["-Cpanic=abort", "-Copt-level=3", "-Ccodegen-units=1", "-Crelocation-model=pic"])
        .args(args)
        .arg("-o")
        .args([&output, &input])
        // RUSTC_BOOTSTRAP allows the unstable features of NO_CORE and the options `-Z`.
        .env("RUSTC_BOOTSTRAP", "1")
        .output()
        .expect("rustc runs");
    assert!(result.status.success(), "{name}: {}", String::from_utf8_lossy(&result.stderr));
    std::fs::read(output).expect("rustc wrote its output")
}

/// Makes an ELF object from assembly. For amd64 the syntax is Intel's.
pub fn assemble(arch: Arch, name: &str, assembly: &str) -> Vec<u8> {
    let source = match arch {
        Arch::Amd64 => format!("#![no_std]\ncore::arch::global_asm!({assembly:?}, options(raw));\n"),
        Arch::Arm64 => format!("{NO_CORE}global_asm!({assembly:?}, options(raw));\n"),
    };
    rustc(arch, name, &source, &["--crate-type=lib", "--emit=obj"])
}

/// An archive in the format of `ar`, with short member names.
pub fn archive(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = b"!<arch>\n".to_vec();
    for (name, data) in members {
        archive.extend(format!("{:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", format!("{name}/"), 0, 0, 0, 644, data.len()).bytes());
        archive.extend(*data);
        archive.resize(archive.len().next_multiple_of(2), b'\n');
    }
    archive
}

/// The keys of directives in assembly cases. `//@ bounds: hold` allows bounds that are much larger than the stack used.
pub const ASSEMBLY: [&str; 4] = ["export", "member", "goldens", "bounds"];

/// Returns the value of the directive in this line, if the directive has the key `key`.
pub fn directive_value(line: &str, key: &str) -> Option<String> {
    let Directive { key: found, value, .. } = directives::of_line(line)?.ok()?;
    (found == key).then_some(value)
}

/// An export of a case, declared by `//@ export: GO_NAME SYMBOL [BUDGET] [blocking | over=BYTES]`. Its Go declaration is `func GO_NAME(x uint64)
/// uint64`; with `over`, x has the type `[]uint64`. The first argument register (DI, R0) points to x, the second (SI, R1) to the result.
pub struct Export {
    pub go_name: String,
    pub symbol: String,
    pub budget: Option<u64>,
    pub blocking: Option<u64>,
}

/// The exports that a case declares.
pub fn exports(text: &str) -> Vec<Export> {
    let read = |line: &str| {
        let value = directive_value(line, "export")?;
        let mut words = value.split_whitespace();
        let (go_name, symbol) = (words.next()?.to_owned(), words.next()?.to_owned());
        let mut export = Export { go_name, symbol, budget: None, blocking: None };
        for word in words {
            match word.split_once('=') {
                Some(("over", bytes)) => export.blocking = Some(bytes.parse().expect("a number of bytes")),
                _ if word == "blocking" => export.blocking = Some(0),
                _ => export.budget = Some(word.parse().expect("a budget is a number of bytes")),
            }
        }
        Some(export)
    };
    text.lines().filter_map(read).collect()
}

/// The record of an export, as assembly. It equals the record that the macro generates.
pub fn record(export: &Export) -> String {
    use rustgo_schema::Basic;
    use rustgo_schema::describe::{Field, Function, Type};
    // The encoder takes `&'static str`, so the names are leaked. They are few.
    let leak = |text: &str| -> &'static str { text.to_owned().leak() };
    let takes_slice = export.blocking.is_some_and(|over| over > 0);
    let described = Function {
        go_name: leak(&export.go_name),
        rust_path: leak(&format!("case::{}", export.symbol)),
        file: "src/lib.rs",
        line: 1,
        stack: export.budget,
        blocking: export.blocking,
        params: if takes_slice {
            &[Field { name: "x", ty: Type::Slice { mutable: false, elem: &Type::Basic(Basic::Uint64) }, offset: 0 }]
        } else {
            &[Field { name: "x", ty: Type::Basic(Basic::Uint64), offset: 0 }]
        },
        results: &[Field { name: "", ty: Type::Basic(Basic::Uint64), offset: 0 }],
        results_offset: if takes_slice { 24 } else { 8 },
        frame_size: if takes_slice { 32 } else { 16 },
        ..Function::EMPTY
    };
    let described = rustgo_schema::Describe::Function(&described);
    let payload = &described.encode::<1024>()[..described.encoded_len()];
    let bytes: Vec<String> = payload.iter().map(u8::to_string).collect();
    format!(
        ".pushsection rustgo_exports,\"aw\",@progbits\n.balign 8\n.quad {}\n.long {}\n.long 0\n.byte {}\n.balign 8\n.popsection\n",
        export.symbol,
        payload.len(),
        bytes.join(",")
    )
}

/// The object files of a case: a single file, or one for each `//@ member: NAME`. If `records` is true, the files contain the records of the exports.
/// A native build does not need the records.
pub fn objects(arch: Arch, text: &str, records: bool) -> Vec<(String, Vec<u8>)> {
    Directives::parse(Path::new("case.s"), text, &ASSEMBLY).unwrap_or_else(|problem| panic!("{problem}"));
    let mut members = vec![("case".to_owned(), String::new())];
    for line in text.lines() {
        if let Some(name) = directive_value(line, "member") {
            members.push((name, String::new()));
        }
        let (_, assembly) = members.last_mut().expect("there is always one");
        assembly.push_str(line);
        assembly.push('\n');
        if records {
            exports(line).iter().for_each(|export| assembly.push_str(&record(export)));
        }
    }
    let is_code = |line: &str| !line.trim().is_empty() && !line.starts_with("# ") && !line.starts_with("//");
    members.retain(|(_, assembly)| assembly.lines().any(is_code));
    let assembled = |(name, assembly): (String, String)| (format!("{name}.o"), assemble(arch, &name, &format!(".text\n{assembly}")));
    members.into_iter().map(assembled).collect()
}

/// The archive of a case's objects.
pub fn case_archive(arch: Arch, text: &str) -> Vec<u8> {
    let objects = objects(arch, text, true);
    archive(&objects.iter().map(|(name, object)| (name.as_str(), object.as_slice())).collect::<Vec<_>>())
}

/// The folder of a stage's cases for an architecture, relative to the folder of all cases: `run`, `run/aarch64`.
pub fn folder(arch: Arch, stage: &str) -> String {
    match arch {
        Arch::Amd64 => stage.to_owned(),
        Arch::Arm64 => format!("{stage}/aarch64"),
    }
}

/// The results of the stages for a case.
pub struct Lowered {
    pub object: Object,
    pub program: Program,
    pub facts: Facts,
    pub asm: goasm::File,
    pub go: gosrc::File,
}

/// The stack limit for a case's exports, in bytes: the tool's default.
pub const MAX_STACK: u64 = 1 << 20;

pub fn load(arch: Arch, archive: &[u8]) -> Result<Object> {
    load::load_bytes(archive, "case.a", Target::baseline(arch), &str::to_owned)
}

pub fn analyze(arch: Arch, object: &Object, program: &Program) -> Result<Facts> {
    analyze_within(arch, object, program, MAX_STACK)?.accepted()
}

fn analyze_within(arch: Arch, object: &Object, program: &Program, max_stack: u64) -> Result<Facts> {
    analyze::analyze(object, program, backend::machine(arch), Limits { max_stack, above_roots: None })
}

/// Runs every stage from load to bind.
pub fn lower(arch: Arch, archive: &[u8]) -> Result<Lowered> {
    lower_within(arch, archive, MAX_STACK)
}

/// Runs every stage from load to bind, with this stack limit in bytes.
pub fn lower_within(arch: Arch, archive: &[u8], max_stack: u64) -> Result<Lowered> {
    lower_object(arch, load(arch, archive)?, max_stack)
}

/// Runs every stage from load to bind, for a package whose panics unwind.
pub fn lower_unwinding(arch: Arch, archive: &[u8]) -> Result<Lowered> {
    lower_object(arch, load::load_with_unwinding(archive, "case.a", Target::baseline(arch), &str::to_owned)?, MAX_STACK)
}

fn lower_object(arch: Arch, object: Object, max_stack: u64) -> Result<Lowered> {
    let machine = backend::machine(arch);
    let program = decode::decode(&object, machine);
    let facts = analyze_within(arch, &object, &program, max_stack)?;
    let header = vec![gosrc::generated_line("rustgo build")];
    let package = Package::new(object.exports.values(), &object.constants);
    let asm = lower::lower(&object, &program, &facts, machine, &package, &Runtime::Published.symbols(), header.clone())?;
    let needed = [(Library::Rt, facts.needs_rt() || facts.needs_heap), (Library::Heap, facts.needs_heap)];
    let import = |library| gosrc::Import { path: Runtime::Published.import_path(library), name: Some("_".into()) };
    let options = bind::Options {
        header,
        package: "p".into(),
        arches: vec![arch],
        imports: needed.into_iter().filter(|(_, needed)| *needed).map(|(library, _)| import(library)).collect(),
        ..bind::Options::default()
    };
    let go = bind::bind(&package, options)?;
    Ok(Lowered { object, program, facts, asm, go })
}

/// The error message that a user sees, without colours.
pub fn failure_text(failure: &Failure) -> String {
    match failure {
        Failure::Refused(diagnostics) => refusal(diagnostics, Style::Plain),
        other => format!("{other:?}\n"),
    }
}

pub fn go() -> Go {
    Go::find(OsStr::new("go")).unwrap_or_else(|failure| panic!("{}", failure_text(&failure)))
}

/// The cases in a folder whose names have this extension, sorted.
pub fn cases(folder: &str, extension: &str) -> Vec<PathBuf> {
    let paths = cases_of(folder, &[extension]);
    assert!(!paths.is_empty(), "{folder} has no cases");
    paths
}

pub fn cases_dir() -> PathBuf {
    root().join("crates/cli/tests/cases")
}

/// The cases in a folder whose names have one of these extensions, sorted.
pub fn cases_of(folder: &str, extensions: &[&str]) -> Vec<PathBuf> {
    let mut paths = entries(&cases_dir().join(folder));
    paths.retain(|path| path.extension().is_some_and(|found| extensions.iter().any(|extension| found == *extension)));
    paths
}

fn entries(dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir).unwrap_or_else(|error| panic!("{}: {error}", dir.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a case").path()).collect();
    paths.sort();
    paths
}

/// The name of the test for a case. `folder` is the folder without the room, if the room is not part of the name: the case
/// `run/aarch64/jumps/loops.s` has the test `run::aarch64::loops`.
pub fn test_name(folder: &str, path: &Path) -> String {
    format!("{}::{}", folder.replace('/', "::"), stem(path))
}

pub fn stem(path: &Path) -> String {
    path.file_stem().expect("a case has a name").to_string_lossy().into_owned()
}

pub fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Compares results with golden files. All differences are reported at the end.
#[derive(Default)]
pub struct Goldens {
    wrong: String,
}

impl Goldens {
    /// Asserts that `got` equals the content of the golden file. With `BLESS=1` this writes the file instead.
    pub fn check(&mut self, golden: &Path, got: &str) {
        if std::env::var_os("BLESS").is_some() {
            write(golden, got);
            return;
        }
        let old = std::fs::read_to_string(golden).unwrap_or_default();
        if old != got {
            let name = golden.display().to_string();
            let diff = similar::TextDiff::from_lines(old.as_str(), got);
            self.wrong.push_str(&diff.unified_diff().context_radius(3).header(&name, "now").to_string());
        }
    }

    /// Reports an error other than a difference from a golden file.
    pub fn fail(&mut self, what: &str) {
        self.wrong.push_str(what);
        self.wrong.push('\n');
    }

    pub fn finish(self) {
        assert!(
            self.wrong.is_empty(),
            "{}\nif this is what should be: run the test again with BLESS=1, and look at the difference",
            self.wrong
        );
    }
}

/// The go command in a scratch module, without the user's settings and network access.
pub fn go_command(arch: Arch, dir: &Path) -> Command {
    let mut command = Command::new("go");
    command.current_dir(dir).env("GOFLAGS", "-mod=mod").env("GOWORK", "off").env("GOPROXY", "off").env("GOARCH", arch.goarch());
    command
}

/// Makes a scratch Go module that uses `rt` of this checkout.
pub fn go_mod(dir: &Path) {
    let rt = root().join("go");
    let text = format!("module scratch\n\ngo 1.24\n\nrequire rustgo.dev/go v0.0.0\n\nreplace rustgo.dev/go => {}\n", rt.display());
    write(&dir.join("go.mod"), &text);
}
