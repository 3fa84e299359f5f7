//! Tests that are files. Each file in `cases/STAGE/` is a case, with the expected output in a file beside it. Its test is called `STAGE::NAME`.
//! The cases of `refuse` are in a folder for each topic; their tests are called `refuse::TOPIC::NAME`. The cases of `run` are in rooms, folders by
//! subject that are not part of the test's name. Their listings are in the same rooms of `decode`, `analyze` and `lower`.
//!
//! | folder | a case is | expected |
//! |---|---|---|
//! | `decode`, `analyze`, `lower` | the case of `run` with the same name | `ROOM/NAME.txt`: the listing of the stage's result |
//! | `bind` | a crate's `lib.rs` | `NAME.go.txt`: the declarations |
//! | `refuse` | assembly, or a crate's `lib.rs` with its own command line | `NAME.txt`: the message for the user |
//! | `run` | assembly, or a crate's `lib.rs` | the same results in Go as natively |
//!
//! Assembly for amd64 and crates are directly in a stage's folder or its rooms, assembly for arm64 in its subfolder `aarch64`, which has rooms of its
//! own. Cases of the same name test the same thing. Programs for arm64 run under an emulator.

pub mod krate;
mod listing;
pub mod run;

use crate::common::directives::Directives;
use crate::common::{self, Goldens, case_archive, cases, failure_text, folder, read, rooms, stem, test_name};
use crate::harness::Test;
use rustgo_cli::testing::analyze::EntryKind;
use rustgo_cli::testing::backend::machine;
use rustgo_cli::testing::decode;
use rustgo_cli::testing::target::Arch;
use std::path::Path;

crate::tests!(fn functions: bodies_with_many_arguments_are_not_fused, packages_that_can_fault_import_rt);

/// The stages whose listings are compared if a case of `run` names them: `//@ goldens: decode lower`.
const STAGES: [(&str, Listing); 3] = [("decode", decoded), ("analyze", analyzed), ("lower", lowered)];

/// Returns a stage's listing for the archive of a case.
type Listing = fn(Arch, &Path, &[u8]) -> String;

pub fn tests() -> Vec<Test> {
    let mut tests = functions();
    for arch in Arch::ALL {
        let dir = common::cases_dir().join(folder(arch, "run"));
        let extensions: &[&str] = if arch == Arch::Amd64 { &["s", "rs"] } else { &["s"] };
        let runs = rooms::cases(&dir, extensions);
        for (stage, listing) in STAGES {
            for path in runs.iter().filter(|path| keeps(path, stage)) {
                let in_room = path.strip_prefix(&dir).expect("a case of run is in its folder");
                let golden = common::cases_dir().join(folder(arch, stage)).join(in_room).with_extension("txt");
                let path = path.clone();
                tests.push(Test::new(test_name(&folder(arch, stage), &path), move || listed(arch, &path, &golden, listing)));
            }
        }
        for topic in rooms::of(&common::cases_dir().join(folder(arch, "refuse"))) {
            let topic = format!("{}/{}", folder(arch, "refuse"), stem(&topic));
            for path in common::cases_of(&topic, &["s", "rs"]) {
                let refused = if path.extension().is_some_and(|extension| extension == "s") { refused_assembly } else { refused_crate };
                tests.push(Test::new(test_name(&topic, &path), move || refused(arch, &path)));
            }
        }
        tests.extend(run::tests(arch, runs));
    }
    for path in cases("bind", "rs") {
        tests.push(Test::new(test_name("bind", &path), move || bound_crate(&path)));
    }
    tests
}

/// True if the case has a golden file for this stage. A wrong directive fails the test of the case itself, not this function.
fn keeps(path: &Path, stage: &str) -> bool {
    Directives::parse(path, &read(path), &common::ASSEMBLY).is_ok_and(|directives| directives.words("goldens").any(|word| word == stage))
}

fn listed(arch: Arch, path: &Path, golden: &Path, listing: Listing) {
    let mut goldens = Goldens::default();
    goldens.check(golden, &listing(arch, path, &case_archive(arch, &read(path))));
    goldens.finish();
}

fn must<T>(path: &Path, result: rustgo_cli::testing::diag::Result<T>) -> T {
    result.unwrap_or_else(|failure| panic!("{}: {}", path.display(), failure_text(&failure)))
}

fn decoded(arch: Arch, path: &Path, archive: &[u8]) -> String {
    let object = must(path, common::load(arch, archive));
    listing::decoded(machine(arch), &object, &decode::decode(&object, machine(arch)))
}

fn analyzed(arch: Arch, path: &Path, archive: &[u8]) -> String {
    let object = must(path, common::load(arch, archive));
    let program = decode::decode(&object, machine(arch));
    let facts = must(path, common::analyze(arch, &object, &program));
    listing::analyzed(machine(arch), &object, &program, &facts)
}

fn lowered(arch: Arch, path: &Path, archive: &[u8]) -> String {
    let asm = must(path, common::lower(arch, archive)).asm;
    if arch == Arch::Arm64 {
        return listing::lowered(machine(arch), &asm);
    }
    let printed = asm.print();
    // Omit what is the same in every file: the header, and the `#line` directives that refer to the file itself.
    let body = printed.find("\n// func ").map_or(printed.as_str(), |at| &printed[at + 1..]);
    let mark = format!("\"{}\"", asm.name());
    let own = |line: &&str| !(line.starts_with("#line") && line.ends_with(&mark));
    body.lines().filter(own).map(|line| format!("{line}\n")).collect()
}

fn refused_assembly(arch: Arch, path: &Path) {
    Directives::read(path, &["export", "member"]);
    let mut goldens = Goldens::default();
    match common::lower(arch, &case_archive(arch, &read(path))) {
        Ok(_) => goldens.fail(&format!("{} is accepted", path.display())),
        Err(failure) => goldens.check(&path.with_extension("txt"), &failure_text(&failure)),
    }
    goldens.finish();
}

fn refused_crate(arch: Arch, path: &Path) {
    let case = krate::Case::read(&folder(arch, "refuse"), path);
    let case = match arch {
        Arch::Amd64 => case,
        Arch::Arm64 => {
            let Some(toolchains) = common::arm64::toolchain("crates that are refused on arm64") else { return };
            case.on_arm64(common::arm64::argument(&toolchains))
        }
    };
    let mut goldens = Goldens::default();
    case.refused(&mut goldens, &path.with_extension("txt"));
    goldens.finish();
}

fn bound_crate(path: &Path) {
    let mut goldens = Goldens::default();
    krate::Case::read("bind", path).bound(&mut goldens, &path.with_extension("go.txt"));
    goldens.finish();
}

/// A fused entry is a NOSPLIT function that contains the body. Go calls an assembly function through a wrapper, which needs stack for the arguments
/// that it passes on. Go's linker adds this stack to the NOSPLIT chain of a fused entry. So a function with many arguments has no fused entry: its
/// entry checks the stack and calls the body.
fn bodies_with_many_arguments_are_not_fused() {
    for arch in Arch::ALL {
        let path = common::cases_dir().join(folder(arch, "run")).join("stack/fused.s");
        let mut object = must(&path, common::load(arch, &case_archive(arch, &read(&path))));
        let program = decode::decode(&object, machine(arch));
        let mut fused = |arguments| {
            object.exports.values_mut().for_each(|export| export.schema.frame_size = arguments);
            let facts = must(&path, common::analyze(arch, &object, &program));
            facts.exports.values().any(|export| export.entry == EntryKind::Fused)
        };
        assert!(fused(16) && !fused(392), "{arch}");
    }
}

/// A package whose code may fault imports rt, because rt handles the fault before Go does. A package whose code can neither fault nor panic
/// imports nothing.
fn packages_that_can_fault_import_rt() {
    let x86_64: [(&str, bool); 12] = [
        ("mov rax, [rdi]\n add rax, [rdi + 8]\n mov [rsi], rax\n ret", false),
        ("mov rdx, rsi\n mov rax, [rdi]\n push rax\n mov rax, [rsp]\n mov [rdx], rax\n pop rax\n ret", false),
        ("mov rax, [rip + cell]\n mov [rip + cell], rax\n mov rax, [rip + fixed]\n ret", false),
        ("mov rax, [rdi]\n mov rax, [rax]\n ret", true),
        ("mov rax, [rdi + rax]\n ret", true),
        ("mov [rip + fixed], rax\n ret", true),
        ("lea rax, [rip + cell]\n mov rax, [rax + rcx]\n ret", true),
        ("mov rax, [rip + cell + 0x40000000]\n ret", true),
        ("call other\n ret\n .type other,@function\nother: mov rax, [rsp + 0x40000000]\n ret", true),
        ("div ecx\n ret", true),
        ("rep movsb\n ret", true),
        ("jmp other\n .type other,@function\nother: mov rax, [rdi]\n ret", true),
    ];
    let aarch64: [(&str, bool); 8] = [
        ("ldr x2, [x0, #8]\n str x2, [x1]\n ret", false),
        ("sub sp, sp, #16\n mov x3, x1\n ldr x2, [x0]\n str x2, [sp, #8]\n str x2, [x3]\n add sp, sp, #16\n ret", false),
        ("adrp x2, cell\n ldr x3, [x2, :lo12:cell]\n str x3, [x2, :lo12:cell]\n adrp x2, fixed\n ldr x3, [x2, :lo12:fixed]\n ret", false),
        ("ldr x2, [x0]\n ldr x2, [x2]\n ret", true),
        ("ldr x2, [x0, x1]\n ret", true),
        ("adrp x2, fixed\n str x3, [x2, :lo12:fixed]\n ret", true),
        ("b other\n .type other,%function\nother: ldr x2, [x0]\n ret", true),
        ("str x30, [sp, #-16]!\n bl other\n ldr x30, [sp], #16\n ret\n .type other,%function\nother: ldr x2, [sp, #32760]\n ret", true),
    ];
    for (arch, programs, mark) in [(Arch::Amd64, &x86_64[..], '@'), (Arch::Arm64, &aarch64[..], '%')] {
        for (code, can_fault) in programs {
            let data = ".section .data.cell,\"aw\"\n .balign 8\ncell: .quad 7\n .section .rodata.fixed,\"a\"\n .balign 8\nfixed: .quad 7\n";
            let text = format!("//@ export: Run run\n .type run,{mark}function\nrun:\n {code}\n {data}");
            let lowered =
                common::lower(arch, &case_archive(arch, &text)).unwrap_or_else(|failure| panic!("{code}: {}", failure_text(&failure)));
            assert_eq!(!lowered.go.imports.is_empty(), *can_fault, "{arch}: {code}");
        }
    }
}
