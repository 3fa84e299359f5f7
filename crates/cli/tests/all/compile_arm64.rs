//! Compiling for arm64, with the standard library compiled by rustgo: no code uses Go's reserved registers, the archive does not depend on the
//! toolchain's folder, dependencies are resolved as on amd64, and a missing part is reported before any work.

use crate::common::script::script;
use crate::common::{arm64, target};
use object::read::archive::ArchiveFile;
use object::{Object, ObjectSection, ObjectSymbol, SectionKind};
use rustgo_cli::testing::args;
use rustgo_cli::testing::compile::{self, Archive};
use rustgo_cli::testing::config;
use rustgo_cli::testing::diag::Result;
use rustgo_cli::testing::progress::Progress;
use rustgo_cli::testing::request::Request;
use rustgo_cli::testing::target::{Arch, Target};
use rustgo_cli::testing::toolchain::{Cargo, Toolchains, VARIABLE};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

crate::tests!(
    reserved_registers_are_not_used,
    #[ignored] // it compiles the standard library a second time
    archive_does_not_depend_on_the_toolchain_folder,
    crates_that_link_std_are_detected,
    crates_see_a_stable_compiler,
    unusable_toolchains_are_refused_with_a_hint,
    a_missing_c_compiler_is_named,
);

/// Replaces the support crate. The crates of these tests need only its panic handler.
const SUPPORT: &str = "\
#![no_std]
#[cfg(all(rustgo, not(rustgo_std)))]
#[panic_handler]
fn panic(info: &core::panic::PanicInfo<'_>) -> ! {
    unsafe extern \"C\" {
        fn rustgo_panic(info: *const u8) -> !;
    }
    unsafe { rustgo_panic(core::ptr::from_ref(info).cast()) }
}
";

/// Instructions that occur repeatedly. In a package optimised for size, LLVM would move them into a function of their own ("outline" them).
const REPEATED: &str = "\
#[inline(never)]
pub fn repeated(a: &mut [u64; 8], which: u8) {
    macro_rules! step {
        ($($n:literal)*) => { match which { $($n => {
            a[0] = a[0].rotate_left(9) ^ a[5]; a[1] = a[1].wrapping_mul(a[6] | 1); a[2] = a[2].wrapping_sub(a[7]);
            a[3] = a[3].rotate_left(19) ^ a[4]; a[4] = a[4].wrapping_mul(a[1] | 1); a[$n & 7] ^= $n << $n;
        })* _ => {} } };
    }
    step!(1 2 3 4 5 6 7 8 9 10 11 12);
}
";

/// Code with so many live values that it needs every register. It also contains a division by a library function, a panic in the library, atomics,
/// and a switch.
const LIB: &str = "\
#![no_std]
extern crate rustgo;
use core::sync::atomic::{AtomicU64, Ordering};

#[unsafe(no_mangle)]
pub extern \"C\" fn mix(a: &mut [u64; 40], counter: &AtomicU64, div: u128) -> u64 {
    let mut x = *a;
    for round in 0..100 {
        for i in 0..40 {
            x[i] = x[i].rotate_left(7).wrapping_add(x[(i + 11) % 40] ^ x[(i + 23) % 40]).wrapping_mul(x[(i + 31) % 40] | round);
        }
    }
    *a = x;
    counter.fetch_add(x[0], Ordering::SeqCst) ^ (u128::from(x[1]) << 64 | u128::from(x[2])).wrapping_div(div) as u64
}

#[unsafe(no_mangle)]
pub fn choose(a: u64, b: &mut [u8]) -> u64 {
    match a {
        0 => b.len() as u64,
        1 => u64::from(b[3]),
        2 => b.iter().map(|&x| u64::from(x)).sum(),
        3 => b.chunks(3).count() as u64,
        4 => { b.copy_within(2..5, 0); 4 }
        5 => { b.sort_unstable(); 5 }
        6 => core::str::from_utf8(b).unwrap().parse().unwrap_or(9),
        // LLVM makes a jump table only for thirteen or more cases.
        7 => { b[0] += 1; 7 }
        8 => { b[1] ^= b[0]; 8 }
        9 => { b.reverse(); 9 }
        10 => { b.fill(1); 10 }
        11 => u64::from(b[4]) << b[5],
        12 => { b.swap(3, 8); 12 }
        13 => { b.rotate_left(3); 13 }
        14 => u64::from(b.is_sorted()),
        15 => b.iter().rposition(|&x| x == 7).unwrap_or(3) as u64,
        _ => 77,
    }
}
";

fn write(root: &Path, files: &[(&str, &str)]) {
    for (name, text) in files {
        let path = root.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
}

fn manifest(name: &str, rest: &str) -> String {
    format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n{rest}\n")
}

/// Creates a crate in `root/pkg/rust`, its Go package in `root/pkg`, and the support crate in `root`. `more` is added to the crate's manifest.
fn checkout(root: &Path, lib: &str, more: &str) -> PathBuf {
    let depends = format!(
        "[package.metadata.rustgo]\nout = \"..\"\n[workspace]\n[dependencies]\nrustgo-support = {{ path = \"../../support\" }}\n{more}"
    );
    write(
        root,
        &[
            ("go.mod", "module example\n"),
            ("support/Cargo.toml", &manifest("rustgo-support", "[lib]\nname = \"rustgo\"")),
            ("support/src/lib.rs", SUPPORT),
            ("pkg/rust/Cargo.toml", &manifest("demo", &depends)),
            ("pkg/rust/src/lib.rs", lib),
        ],
    );
    root.join("pkg/rust")
}

fn build(krate: &Path, toolchains: &Toolchains, target_dir: &Path) -> Result<Archive> {
    compile::compile(&request(krate, toolchains, target_dir), Target::baseline(Arch::Arm64), &Progress::silent())
}

fn request(krate: &Path, toolchains: &Toolchains, target_dir: &Path) -> Request {
    // The support crate of these tests cannot unwind.
    let line = ["rustgo", "build", "-q", "--arch", "amd64", "--panic", "abandon", "--crate"];
    let line: Vec<OsString> = line.iter().map(Into::into).chain([krate.into()]).collect();
    let cli = args::parse(line).unwrap();
    let output = args::Output::Written;
    let mut request =
        config::resolve(&cli.command.build_args(None).unwrap(), &cli.output, output, env!("CARGO_BIN_EXE_rustgo").into()).unwrap();
    request.cargo.toolchains = toolchains.clone();
    request.manifest.target_dir = target_dir.to_owned();
    request
}

/// The contents of the archive's members by name. The hash that cargo adds to the name of the crate's own member is removed.
fn members(archive: &Archive) -> BTreeMap<String, Vec<u8>> {
    let bytes = std::fs::read(&archive.path).unwrap();
    let file = ArchiveFile::parse(&*bytes).unwrap();
    let entry = |member: object::Result<object::read::archive::ArchiveMember<'_>>| {
        let member = member.unwrap();
        let name = String::from_utf8(member.name().to_vec()).unwrap();
        let name = name.split_once(".demo.").filter(|_| name.starts_with("demo-")).map_or(name.clone(), |(_, rest)| format!("demo.{rest}"));
        (name, member.data(&*bytes).unwrap().to_vec())
    };
    file.members().map(entry).collect()
}

fn contains(archive: &Archive, text: &str) -> bool {
    members(archive).iter().any(|(_, bytes)| bytes.windows(text.len()).any(|window| window == text.as_bytes()))
}

/// The general registers of an instruction, for the two most frequent kinds of instructions: load/store pairs, and arithmetic or logic on
/// registers (Arm ARM C4.1).
fn registers(word: u32) -> Vec<u32> {
    let field = |from: u32| word >> from & 31;
    match word {
        // A load or store of a pair of general registers.
        _ if word >> 27 & 7 == 0b101 && word >> 26 & 1 == 0 => vec![field(0), field(5), field(10)],
        // Logical and add/subtract instructions (shifted and extended register).
        _ if word >> 25 & 15 == 0b0101 && word >> 28 & 1 == 0 => vec![field(0), field(5), field(16)],
        _ => Vec::new(),
    }
}

fn reserved_registers_are_not_used() {
    let Some(toolchains) = arm64::toolchain("reserved_registers_are_not_used") else { return };
    let root = tempfile::tempdir().unwrap();
    let lib = format!("{LIB}\n#[unsafe(no_mangle)]\npub fn repeated(a: &mut [u64; 8], which: u8) {{ rustgo::repeated(a, which) }}\n");
    let krate = checkout(root.path(), &lib, "[profile.release.package.rustgo-support]\nopt-level = \"z\"\n");
    write(root.path(), &[("support/src/lib.rs", &format!("{SUPPORT}{REPEATED}"))]);
    let archive = build(&krate, &toolchains, &target(1)).unwrap();
    assert!(!archive.links_std);
    let (mut defined, mut undefined) = (BTreeSet::new(), BTreeSet::new());
    let mut used = [0; 32];
    for (name, bytes) in members(&archive).iter().filter(|(name, _)| name.ends_with(".o")) {
        let file = object::File::parse(&**bytes).unwrap();
        assert_eq!(file.architecture(), object::Architecture::Aarch64, "{name}");
        for symbol in file.symbols() {
            let symbol_name = symbol.name().unwrap();
            assert!(!symbol_name.contains("OUTLINED_FUNCTION") && !symbol_name.contains("__aarch64_"), "{name}: {symbol_name}");
            if !symbol_name.is_empty() && !symbol.is_local() {
                if symbol.is_undefined() { &mut undefined } else { &mut defined }.insert(symbol_name.to_owned());
            }
        }
        for section in file.sections().filter(|section| section.kind() == SectionKind::Text) {
            for (at, word) in section.data().unwrap().chunks_exact(4).enumerate() {
                let word = u32::from_le_bytes(word.try_into().unwrap());
                for register in registers(word) {
                    used[register as usize] += 1;
                }
                // In this function a `br` would be a jump through a table. Elsewhere it may be a call through a pointer.
                let switch = section.name().unwrap() == ".text.choose";
                assert!(!switch || word & 0xffff_fc1f != 0xd61f_0000, "the switch at {:#x} jumps through a table", at * 4);
            }
        }
    }
    assert_eq!((used[18], used[28]), (0, 0), "x18 and x28 are used: {used:?}");
    // The code uses every other register, so the test would notice x18 and x28.
    assert!((0..=27).filter(|register| *register != 18).all(|register| used[register] > 0), "{used:?}");
    let memory = ["memcpy", "memmove", "memset", "memcmp", "bcmp"];
    let left: Vec<&str> = undefined.difference(&defined).map(String::as_str).filter(|name| !memory.contains(name)).collect();
    assert_eq!(left, ["rustgo_panic"]);
}

/// Creates a toolchain in `dir`. It has the compiler of `cargo`, and these files as the sources of the standard library.
fn toolchain_with(dir: &Path, cargo: &Cargo, sources: &[(&str, &str)]) -> Toolchains {
    use std::os::unix::fs::symlink;
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (sysroot, host) = (cargo.sysroot(here).unwrap(), cargo.rustc(here).unwrap().host);
    // The script adds `--sysroot` only if the caller does not pass it, because rustc accepts the option only once.
    let compiler = format!(
        "case \" $*\" in *' --sysroot'*) ;; *) set -- --sysroot '{}' \"$@\" ;; esac\nexec '{}' \"$@\"\n",
        dir.display(),
        sysroot.join("bin/rustc").display()
    );
    script(&dir.join("bin/rustc"), &compiler);
    symlink(sysroot.join("bin/cargo"), dir.join("bin/cargo")).unwrap();
    std::fs::create_dir_all(dir.join("lib/rustlib")).unwrap();
    symlink(sysroot.join("lib/rustlib").join(&host), dir.join("lib/rustlib").join(&host)).unwrap();
    write(&dir.join("lib/rustlib/src/rust/library"), sources);
    Toolchains::from_iter([arm64::choice(dir)])
}

fn archive_does_not_depend_on_the_toolchain_folder() {
    let Some(toolchains) = arm64::toolchain("archive_does_not_depend_on_the_toolchain_folder") else { return };
    let root = tempfile::tempdir().unwrap();
    let cargo = Cargo { toolchains: toolchains.clone(), ..Cargo::default() }.of(Arch::Arm64);
    let elsewhere = root.path().join("toolchain");
    let moved = toolchain_with(&elsewhere, &cargo, &[]);
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let rustc = cargo.rustc(here).unwrap();
    let library = cargo.library(here, &rustc).unwrap().unwrap();
    let place = elsewhere.join("lib/rustlib/src/rust");
    std::fs::create_dir_all(&place).unwrap();
    let copied = Command::new("cp").arg("-r").arg(library.dir.join("library")).arg(&place).status().unwrap();
    assert!(copied.success());

    let compile = |request: &Request| compile::compile(request, Target::baseline(Arch::Arm64), &Progress::silent()).unwrap();
    let one = request(&checkout(&root.path().join("one"), LIB, ""), &toolchains, &target(1));
    let mut two = request(&checkout(&root.path().join("some where/two"), LIB, ""), &moved, &root.path().join("target"));
    // The second build cannot make its cache folder, because go.mod is a file. So its standard library goes to cargo's target folder.
    two.cache = Some(root.path().join("some where/two/go.mod/cache"));
    let archives = [compile(&one), compile(&two)];
    let libraries = std::fs::read_dir(root.path().join("target/rustgo/std")).unwrap();
    let names = libraries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert_eq!(names.filter(|name| name.starts_with("aarch64-")).count(), 1);
    assert_eq!(archives[0].digest, archives[1].digest);
    assert!(members(&archives[0]) == members(&archives[1]), "the archives differ");
    let home = std::env::home_dir().expect("every user has a home folder");
    for archive in &archives {
        for path in [library.dir.to_str().unwrap(), place.to_str().unwrap(), root.path().to_str().unwrap(), home.to_str().unwrap()] {
            assert!(!contains(archive, path), "the archive names {path}");
        }
        assert!(contains(archive, &format!("{}/library/core/src/", library.name)), "panics in the library do not say where");
        assert!(contains(archive, "rust/src/lib.rs"), "the panic's location is seen from the Go package");
    }
}

fn crates_that_link_std_are_detected() {
    let Some(toolchains) = arm64::toolchain("crates_that_link_std_are_detected") else { return };
    let root = tempfile::tempdir().unwrap();
    // The source of the first crate hides that it links std. The source of the second crate looks as if it linked std, but it does not.
    let hidden = format!(
        "{LIB}\nmod deep {{ extern crate std; pub fn f() -> std::string::String {{ std::string::String::new() }} }}\npub use deep::f;"
    );
    assert!(build(&checkout(&root.path().join("hidden"), &hidden, ""), &toolchains, &target(1)).unwrap().links_std);
    let pretended = LIB.replace("#![no_std]", "#![cfg_attr(target_vendor = \"unknown\", no_std)]");
    assert!(!build(&checkout(&root.path().join("pretended"), &pretended, ""), &toolchains, &target(1)).unwrap().links_std);
}

/// Probes for unstable features of the compiler as build scripts do, with and without cargo's wrapper and flags.
const PROBE: &str = r##"
use std::process::{Command, Stdio};
use std::io::Write;

fn compiles(source: &str, wrapper: bool, target: bool) -> bool {
    let var = |name: &str| std::env::var_os(name).unwrap_or_default();
    let mut command = match wrapper {
        true => { let mut command = Command::new(var("RUSTC_WRAPPER")); command.arg(var("RUSTC")); command }
        false => Command::new(var("RUSTC")),
    };
    command.args(["--crate-name", "probe", "--crate-type", "lib", "--emit", "metadata", "--out-dir"]).arg(var("OUT_DIR"));
    if target {
        command.arg("--target").arg(var("TARGET"));
        command.args(std::env::var("CARGO_ENCODED_RUSTFLAGS").unwrap().split('\u{1f}').filter(|flag| !flag.is_empty()));
    }
    let mut child = command.arg("-").stdin(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(source.as_bytes()).unwrap();
    child.wait().unwrap().success()
}

fn main() {
    assert!(compiles("pub fn f() {}", true, false), "nothing compiles");
    assert!(!compiles("#![feature(core_intrinsics)]", true, false), "unstable features on the host");
    for wrapper in [true, false] {
        // This probe does not need `core`, which may not be built yet for the target.
        assert!(!compiles("#![feature(no_core)] #![no_core]", wrapper, true), "unstable features on the target, wrapper: {wrapper}");
    }
}
"##;

fn crates_see_a_stable_compiler() {
    let Some(toolchains) = arm64::toolchain("crates_see_a_stable_compiler") else { return };
    let root = tempfile::tempdir().unwrap();
    let krate = checkout(root.path(), LIB, "");
    write(&krate, &[("build.rs", PROBE)]);
    build(&krate, &toolchains, &target(1)).unwrap();
    write(
        &krate,
        &[("build.rs", "fn main() {}"), ("src/lib.rs", &LIB.replacen("#![no_std]", "#![no_std]\n#![feature(core_intrinsics)]", 1))],
    );
    assert!(build(&krate, &toolchains, &target(1)).is_err(), "an unstable feature is accepted on arm64 alone");
}

/// Runs rustgo on the crate, asserts that it writes no files, and returns its message.
fn refused(krate: &Path, args: &[&str], set: &[(&str, &Path)]) -> String {
    let output = rustgo(krate, args, set);
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    let left: Vec<_> = std::fs::read_dir(krate.parent().unwrap()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["rust"], "something was written");
    String::from_utf8(output.stderr).unwrap()
}

fn rustgo(krate: &Path, args: &[&str], set: &[(&str, &Path)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rustgo"));
    command.args(["build", "--color", "never", "--crate"]).arg(krate).args(args);
    command.env("CARGO_TARGET_DIR", target(1)).env_remove(VARIABLE).env_remove("RUSTFLAGS").envs(set.iter().copied());
    command.output().unwrap()
}

fn unusable_toolchains_are_refused_with_a_hint() {
    let root = tempfile::tempdir().unwrap();
    let root = root.path().canonicalize().unwrap();
    let krate = checkout(&root, LIB, "");
    let cargo = Cargo::default();
    let rustc = cargo.rustc(&krate).unwrap();
    let minor = rustc.version.minor;
    let at = |name: &str| root.join(name);
    let asked = |name: &str| refused(&krate, &["--arch", "amd64,arm64", "--toolchain", &format!("arm64={}", at(name).display())], &[]);
    let sources = |name: &str| at(name).join("lib/rustlib/src/rust");

    toolchain_with(&at("bare"), &cargo, &[]);
    let by_hand = |name: &str| {
        format!("put the sources of Rust 1.{minor} into {}, or name another toolchain with --toolchain arm64=NAME", sources(name).display())
    };
    let problem = format!("code for arm64 needs the sources of the standard library, and {} does not hold them", sources("bare").display());
    assert_eq!(asked("bare"), format!("rustgo: error: {problem}\n  hint: {}\n", by_hand("bare")));

    let core = "#[stable(feature = \"x\", since = \"1.80.0\")]\npub fn f() {}";
    toolchain_with(&at("old"), &cargo, &[("Cargo.lock", ""), ("core/src/lib.rs", core), ("std/src/lib.rs", "")]);
    assert_eq!(
        asked("old"),
        format!(
            "rustgo: error: the sources of the standard library in {} are those of Rust 1.80, but the compiler is {}\n  hint: {}\n",
            sources("old").display(),
            rustc.line,
            by_hand("old")
        )
    );

    // rustup can install the sources of a toolchain that lies in a folder called `toolchains`. So the hint names rustup's command.
    let by_rustup = |name: &str, hint: &str| {
        let said = asked(name);
        let line = said.lines().last().expect("a hint is the last line");
        assert_eq!(line, format!("  hint: {hint}"), "{said}");
    };
    toolchain_with(&at("toolchains/bare"), &cargo, &[]);
    by_rustup("toolchains/bare", "rustup component add rust-src");
    toolchain_with(&at("toolchains/old"), &cargo, &[("Cargo.lock", ""), ("core/src/lib.rs", core), ("std/src/lib.rs", "")]);
    by_rustup("toolchains/old", "rustup component remove rust-src && rustup component add rust-src");

    script(&at("older/bin/rustc"), "echo 'rustc 1.90.0 (1159e78c4 2025-09-14)'\necho 'host: x86_64-unknown-linux-gnu'\n");
    assert_eq!(
        asked("older"),
        "rustgo: error: rustc 1.90.0 (1159e78c4 2025-09-14) is too old: 1.95 or newer is needed\n  \
         hint: name a newer one with --toolchain arm64=NAME\n"
    );

    let usage = "name a toolchain of rustup's, or a folder that holds bin/rustc; with ARCH= in front for one architecture alone";
    assert_eq!(asked("none"), format!("rustgo: error: the toolchain {} has no bin/rustc\n  hint: {usage}\n", at("none").display()));
    assert_eq!(
        refused(&krate, &[], &[(VARIABLE, Path::new("mips=stable"))]),
        format!("rustgo: error: RUSTGO_TOOLCHAIN: unknown architecture mips: amd64 and arm64 are known\n  hint: {usage}\n")
    );
    let output = rustgo(&krate, &["--toolchain", "mips=stable"], &[]);
    assert_eq!(output.status.code(), Some(2));

    // If the user did not request arm64, rustgo makes the package without it and prints a note.
    let bare = format!("arm64={}", at("bare").display());
    let output = rustgo(&krate, &["--go", "no-such-go"], &[(VARIABLE, Path::new(&bare))]);
    let said = String::from_utf8(output.stderr).unwrap();
    let note = format!(
        "rustgo: note: without code for arm64: {problem}: {}; or say --arch amd64, or arch = \"amd64\" under [package.metadata.rustgo]\n",
        by_hand("bare")
    );
    assert!(said.starts_with(&note), "{said}");
    // A package that already contains code for arm64 is not changed.
    let file = krate.parent().unwrap().join("rustgo_arm64.s");
    std::fs::write(&file, "// Code generated by rustgo build; DO NOT EDIT.\n").unwrap();
    let output = rustgo(&krate, &[], &[(VARIABLE, Path::new(&bare))]);
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        format!(
            "rustgo: error: {problem}\n  note: the package has code for arm64: {}\n  hint: {}; to give arm64 up, say --arch amd64\n",
            file.display(),
            by_hand("bare")
        )
    );
}

fn a_missing_c_compiler_is_named() {
    let Some(toolchains) = arm64::toolchain("a_missing_c_compiler_is_named") else { return };
    let root = tempfile::tempdir().unwrap();
    let krate = checkout(root.path(), LIB, "[build-dependencies]\ncc = { path = \"../../cc\" }\n");
    // Replaces the crate `cc`.
    let cc = "pub fn compile() { std::process::Command::new(\"aarch64-linux-gnu-gcc\").arg(\"--version\").output().expect(\"failed to find tool\"); }";
    write(
        root.path(),
        &[("cc/Cargo.toml", &manifest("cc", "")), ("cc/src/lib.rs", cc), ("pkg/rust/build.rs", "fn main() { cc::compile() }")],
    );
    // A folder for PATH, with all programs of PATH except the C compiler for arm64.
    let bin = root.path().join("bin");
    std::fs::create_dir(&bin).unwrap();
    for dir in std::env::split_paths(&std::env::var_os("PATH").unwrap()) {
        for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
            if !entry.file_name().to_string_lossy().starts_with("aarch64-") {
                // If several folders of PATH have a program with this name, the link to the first one stays: making another link fails.
                let _ = std::os::unix::fs::symlink(entry.path(), bin.join(entry.file_name()));
            }
        }
    }
    let toolchain = arm64::argument(&toolchains).unwrap_or_default();
    let output = rustgo(&krate, &["-q", "--arch", "arm64"], &[("PATH", &bin), (VARIABLE, Path::new(&toolchain))]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(said.contains("failed to find tool"), "{said}");
    assert!(
        said.ends_with(
            "rustgo: error: the crate brings C, and there is no C compiler for arm64: aarch64-linux-gnu-gcc cannot be run\n  \
             hint: apt-get install gcc-aarch64-linux-gnu, or name a compiler: CC_aarch64_unknown_linux_gnu=…\n"
        ),
        "{said}"
    );
}
