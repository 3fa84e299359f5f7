//! What the test programs share: cases written in assembly taken through the stages in memory, golden files, and scratch
//! Go modules.
//!
//! Rust's own assembler makes the objects, so a case costs a tenth of a second and needs no other tool.

// Each test program uses its own part of this.
#![allow(dead_code)]

use rustgo_cli::analyze::{self, Facts, Limits};
use rustgo_cli::arch::{self, Backend};
use rustgo_cli::bind;
use rustgo_cli::decode::{self, Program};
use rustgo_cli::diag::render::{Style, human};
use rustgo_cli::diag::{Failure, Result};
use rustgo_cli::goasm;
use rustgo_cli::gosrc;
use rustgo_cli::load::{self, Object};
use rustgo_cli::lower::{self, Signature};
use rustgo_cli::target::Arch;
use rustgo_cli::toolchain::Go;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The checkout.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("crates/cli lies two folders deep").to_owned()
}

/// A folder that stays between runs, so that nothing unchanged is compiled again.
pub fn scratch(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&dir).expect("the scratch folder can be made");
    dir
}

/// Writes a file unless it holds this text already: cargo and go look at the time of the last change.
pub fn write(path: &Path, text: &str) {
    if std::fs::read(path).is_ok_and(|old| old == text.as_bytes()) {
        return;
    }
    std::fs::create_dir_all(path.parent().expect("a file lies in a folder")).expect("the folder can be made");
    std::fs::write(path, text).expect("the scratch folder is writable");
}

/// Assembles Intel syntax into an ELF object.
pub fn assemble(name: &str, assembly: &str) -> Vec<u8> {
    let dir = tempfile::tempdir().expect("a scratch folder");
    let (source, object) = (dir.path().join("case.rs"), dir.path().join("case.o"));
    std::fs::write(&source, format!("#![no_std]\ncore::arch::global_asm!({assembly:?}, options(raw));\n"))
        .expect("the scratch folder is writable");
    let output = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
        .args(["--edition=2024", "--target", ARCH.triple(), "--crate-type=lib", "--emit=obj", "--crate-name", name])
        .args(["-Cpanic=abort", "-Copt-level=3", "-Ccodegen-units=1", "-Crelocation-model=pic", "-o"])
        .args([&object, &source])
        .output()
        .expect("rustc runs");
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    std::fs::read(object).expect("rustc wrote its output")
}

/// An archive in the common format, with short names.
pub fn archive(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = b"!<arch>\n".to_vec();
    for (name, data) in members {
        archive.extend(format!("{:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", format!("{name}/"), 0, 0, 0, 644, data.len()).bytes());
        archive.extend(*data);
        archive.resize(archive.len().next_multiple_of(2), b'\n');
    }
    archive
}

/// An export of a case: `# export GO_NAME SYMBOL [BUDGET]`, always `func GO_NAME(x uint64) uint64`: DI points to x, SI to
/// the result.
pub struct Export {
    pub go_name: String,
    pub symbol: String,
    pub budget: Option<u64>,
}

/// The exports that a case's text declares.
pub fn exports(text: &str) -> Vec<Export> {
    let read = |line: &str| {
        let mut words = line.strip_prefix("# export ")?.split_whitespace();
        let (go_name, symbol) = (words.next()?.to_owned(), words.next()?.to_owned());
        Some(Export { go_name, symbol, budget: words.next().map(|n| n.parse().expect("a budget is a number of bytes")) })
    };
    text.lines().filter_map(read).collect()
}

/// The macro's record for an export, as assembly.
fn record(export: &Export) -> String {
    use rustgo_schema::describe::{Export as Described, Field, Type};
    // The encoder is made for constants; a test may leak a few names.
    let leak = |text: &str| -> &'static str { text.to_owned().leak() };
    let described = Described {
        go_name: leak(&export.go_name),
        rust_path: leak(&format!("case::{}", export.symbol)),
        file: "src/lib.rs",
        line: 1,
        doc: "",
        stack: export.budget,
        params: &[Field { name: "x", ty: Type::Uint64, offset: 0 }],
        results: &[Field { name: "", ty: Type::Uint64, offset: 0 }],
        results_offset: 8,
        frame_size: 16,
    };
    let payload = &rustgo_schema::encode::<1024>(&described)[..rustgo_schema::encoded_len(&described)];
    let bytes: Vec<String> = payload.iter().map(u8::to_string).collect();
    format!(
        ".pushsection rustgo_exports,\"aw\",@progbits\n.balign 8\n.quad {}\n.long {}\n.long 0\n.byte {}\n.balign 8\n.popsection\n",
        export.symbol,
        payload.len(),
        bytes.join(",")
    )
}

/// The objects of a case: one, or one for each `# member NAME`. Records are added where `records` says so (a native
/// build has no use for them).
pub fn objects(text: &str, records: bool) -> Vec<(String, Vec<u8>)> {
    let mut members = vec![("case".to_owned(), String::new())];
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("# member ") {
            members.push((name.to_owned(), String::new()));
        }
        let (_, assembly) = members.last_mut().expect("there is always one");
        assembly.push_str(line);
        assembly.push('\n');
        if records {
            exports(line).iter().for_each(|export| assembly.push_str(&record(export)));
        }
    }
    members.retain(|(_, assembly)| assembly.lines().any(|line| !line.trim_start().starts_with('#') && !line.trim().is_empty()));
    members.into_iter().map(|(name, assembly)| (format!("{name}.o"), assemble(&name, &format!(".text\n{assembly}")))).collect()
}

/// The archive of a case.
pub fn case_archive(text: &str) -> Vec<u8> {
    let objects = objects(text, true);
    archive(&objects.iter().map(|(name, object)| (name.as_str(), object.as_slice())).collect::<Vec<_>>())
}

/// The machine whose assembly the cases are.
pub const ARCH: Arch = Arch::Amd64;

pub fn machine() -> &'static dyn Backend {
    arch::machine(ARCH)
}

/// What the stages made of a case.
pub struct Lowered {
    pub object: Object,
    pub program: Program,
    pub facts: Facts,
    pub asm: goasm::File,
    pub go: gosrc::File,
}

/// The largest stack a case's exports may need, in bytes; the tool's own default.
pub const MAX_STACK: u64 = 64 << 10;

pub fn load(archive: &[u8]) -> Result<Object> {
    load::load_bytes(archive, "case.a", Arch::Amd64, &str::to_owned)
}

pub fn analyze(object: &Object, program: &Program) -> Result<Facts> {
    analyze::analyze(object, program, machine(), Limits { max_stack: MAX_STACK })
}

/// Every stage from load to bind.
pub fn lower(archive: &[u8]) -> Result<Lowered> {
    let object = load(archive)?;
    let program = decode::decode(&object, machine());
    let facts = analyze(&object, &program)?;
    let header = vec![gosrc::generated_line("rustgo build")];
    let signatures: Vec<Signature> = object
        .exports
        .iter()
        .map(|export| Signature {
            name: export.schema.go_name.clone(),
            declaration: bind::declaration(&export.schema),
            first_argument: Some("x".into()),
            first_result: Some(("ret".into(), 8)),
            size: 16,
        })
        .collect();
    let asm = lower::lower(&object, &program, &facts, machine(), &signatures, header.clone())?;
    let rt = gosrc::Import { path: "rustgo.dev/go/rt".into(), name: Some("_".into()) };
    let options = bind::Options {
        header,
        package: "p".into(),
        arches: vec![ARCH],
        imports: if facts.needs_rt() { vec![rt] } else { Vec::new() },
        ..bind::Options::default()
    };
    let go = bind::bind(object.exports.iter().map(|export| &export.schema), options)?;
    Ok(Lowered { object, program, facts, asm, go })
}

/// What the user would read, without colours.
pub fn failure_text(failure: &Failure) -> String {
    match failure {
        Failure::Refused(diagnostics) => diagnostics.iter().map(|diagnostic| human(diagnostic, Style::Plain)).collect(),
        other => format!("{other:?}\n"),
    }
}

pub fn go() -> Go {
    Go::find(OsStr::new("go")).unwrap_or_else(|failure| panic!("{}", failure_text(&failure)))
}

/// The cases of a folder with one of the extensions, sorted.
pub fn cases(folder: &str, extension: &str) -> Vec<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(folder);
    let entries = std::fs::read_dir(&dir).unwrap_or_else(|error| panic!("{}: {error}", dir.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a case").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|found| found == extension));
    // One case alone: `CASE=early_return cargo test`.
    if let Ok(only) = std::env::var("CASE") {
        paths.retain(|path| stem(path) == only);
    } else {
        assert!(!paths.is_empty(), "{} has no cases", dir.display());
    }
    paths.sort();
    paths
}

pub fn stem(path: &Path) -> String {
    path.file_stem().expect("a case has a name").to_string_lossy().into_owned()
}

pub fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Compares with golden files, and tells all differences at the end.
#[derive(Default)]
pub struct Goldens {
    wrong: String,
}

impl Goldens {
    /// `got` must be what `golden` holds; with `BLESS=1` it becomes so.
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

    /// Something that has no golden file is wrong.
    pub fn fail(&mut self, what: &str) {
        self.wrong.push_str(what);
        self.wrong.push('\n');
    }

    pub fn finish(self) {
        assert!(
            self.wrong.is_empty(),
            "{}\nif this is what should be: BLESS=1 cargo test -p cargo-rustgo, and look at the difference",
            self.wrong
        );
    }
}

/// The go command in a scratch module, with nothing of the user's settings; nothing is downloaded.
pub fn go_command(dir: &Path) -> Command {
    let mut command = Command::new("go");
    command.current_dir(dir).env("GOFLAGS", "-mod=mod").env("GOWORK", "off").env("GOPROXY", "off").env("GOARCH", ARCH.goarch());
    command
}

/// A scratch Go module that sees this checkout's `rt`.
pub fn go_mod(dir: &Path) {
    let rt = root().join("go");
    let text = format!("module scratch\n\ngo 1.24\n\nrequire rustgo.dev/go v0.0.0\n\nreplace rustgo.dev/go => {}\n", rt.display());
    write(&dir.join("go.mod"), &text);
}

/// rustc has the code generator of every machine, whose core need not be installed: this much of one is enough.
const NO_CORE: &str = "#![feature(no_core, lang_items, rustc_attrs)]
#![allow(internal_features)]
#![no_core]
#[lang = \"pointee_sized\"]
pub trait PointeeSized {}
#[lang = \"meta_sized\"]
pub trait MetaSized: PointeeSized {}
#[lang = \"sized\"]
pub trait Sized: MetaSized {}
#[rustc_builtin_macro]
macro_rules! global_asm { ($($tokens:tt)*) => {} }
";

/// A case of AArch64 assembly, whose comments begin with `//`, taken through every stage to lower.
pub fn lower_aarch64(text: &str) -> Result<goasm::File> {
    let dir = tempfile::tempdir().expect("a scratch folder");
    let (source, object) = (dir.path().join("case.rs"), dir.path().join("case.o"));
    let records: String = exports(&text.replace("// export", "# export")).iter().map(record).collect();
    let assembly = format!(".text\n{text}\n{records}");
    std::fs::write(&source, format!("{NO_CORE}global_asm!({assembly:?}, options(raw));\n")).expect("the scratch folder is writable");
    let output = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
        .args(["--edition=2024", "--target", Arch::Arm64.triple(), "--crate-type=lib", "--emit=obj", "--crate-name", "case"])
        .args(["-Cpanic=abort", "-Crelocation-model=pic", "-o"])
        .args([&object, &source])
        .env("RUSTC_BOOTSTRAP", "1")
        .output()
        .expect("rustc runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let machine = arch::machine(Arch::Arm64);
    let bytes = archive(&[("case.o", &std::fs::read(object).expect("rustc wrote its output"))]);
    let object = load::load_bytes(&bytes, "case.a", Arch::Arm64, &str::to_owned)?;
    let program = decode::decode(&object, machine);
    let facts = analyze::analyze(&object, &program, machine, Limits { max_stack: MAX_STACK })?;
    let signatures: Vec<Signature> = object
        .exports
        .iter()
        .map(|export| Signature {
            name: export.schema.go_name.clone(),
            declaration: bind::declaration(&export.schema),
            first_argument: Some("x".into()),
            first_result: Some(("ret".into(), 8)),
            size: 16,
        })
        .collect();
    lower::lower(&object, &program, &facts, machine, &signatures, Vec::new())
}
