//! The cases: one file each in `cases/STAGE/`, with what is expected beside it.
//!
//! | folder | a case is | expected |
//! |---|---|---|
//! | `decode`, `analyze`, `lower` | the case of `run` of the same name | `NAME.txt`: the listing of what the stage makes of it |
//! | `bind` | a crate's `lib.rs` | `NAME.go`: the declarations |
//! | `refuse` | assembly, or a crate's `lib.rs` with its own command line | `NAME.txt`: what the user reads |
//! | `run` | assembly, or a crate's `lib.rs` | the same results from Go as natively |
//!
//! Assembly is amd64's; that of arm64 lies in a folder `aarch64` of each, under the same name where it shows the same. arm64 is run
//! under an emulator.
//!
//! `BLESS=1 cargo test -p cargo-rustgo --test cases` renews the expected files; `CASE=NAME` runs one case alone.

#[path = "common/arm64.rs"]
mod arm64;
mod common;
#[path = "cases/harness/krate.rs"]
mod krate;
#[path = "cases/harness/listing.rs"]
mod listing;
#[path = "cases/harness/run.rs"]
mod run;

use common::{Goldens, case_archive, cases, failure_text, folder, read};
use rustgo_cli::analyze::EntryKind;
use rustgo_cli::backend::machine;
use rustgo_cli::decode;
use rustgo_cli::target::Arch;
use std::path::{Path, PathBuf};

/// A case whose listing at some stage is kept.
struct Listed {
    arch: Arch,
    golden: PathBuf,
    archive: Vec<u8>,
}

/// A case of `run` names the stages whose listing is kept: `goldens decode lower`.
fn listed(stage: &'static str) -> impl Iterator<Item = Listed> {
    let all = Arch::ALL.into_iter().flat_map(|arch| cases(&folder(arch, "run"), "s").into_iter().map(move |path| (arch, path)));
    all.filter_map(move |(arch, path)| {
        let text = read(&path);
        let wanted = text.lines().filter_map(|line| common::said(line, "goldens")).any(|line| line.split(' ').any(|name| name == stage));
        let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(folder(arch, stage));
        let golden = golden.join(common::stem(&path)).with_extension("txt");
        wanted.then(|| Listed { arch, golden, archive: case_archive(arch, &text) })
    })
}

fn must<T>(golden: &Path, result: rustgo_cli::diag::Result<T>) -> T {
    result.unwrap_or_else(|failure| panic!("{}: {}", golden.display(), failure_text(&failure)))
}

#[test]
fn decode_listings() {
    let mut goldens = Goldens::default();
    for Listed { arch, golden, archive } in listed("decode") {
        let object = must(&golden, common::load(arch, &archive));
        goldens.check(&golden, &listing::decoded(machine(arch), &object, &decode::decode(&object, machine(arch))));
    }
    goldens.finish();
}

#[test]
fn analyze_listings() {
    let mut goldens = Goldens::default();
    for Listed { arch, golden, archive } in listed("analyze") {
        let object = must(&golden, common::load(arch, &archive));
        let program = decode::decode(&object, machine(arch));
        let facts = must(&golden, common::analyze(arch, &object, &program));
        goldens.check(&golden, &listing::analyzed(machine(arch), &object, &program, &facts));
    }
    goldens.finish();
}

/// Go's wrapper of an exported function takes stack for what it hands on, so a body with many arguments stands behind a check.
#[test]
fn many_arguments_are_not_fused() {
    for arch in Arch::ALL {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(folder(arch, "run")).join("fused.s");
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

/// A package whose code may fault imports rt, which stands before Go's handler of faults; one that surely does not, and cannot panic, imports nothing.
#[test]
fn what_can_fault_imports_rt() {
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
            let text = format!("# export Run run\n .type run,{mark}function\nrun:\n {code}\n {data}");
            let lowered =
                common::lower(arch, &case_archive(arch, &text)).unwrap_or_else(|failure| panic!("{code}: {}", failure_text(&failure)));
            assert_eq!(!lowered.go.imports.is_empty(), *can_fault, "{arch}: {code}");
        }
    }
}

#[test]
fn lower_listings() {
    let mut goldens = Goldens::default();
    for Listed { arch, golden, archive } in listed("lower") {
        let asm = must(&golden, common::lower(arch, &archive)).asm;
        if arch == Arch::Arm64 {
            goldens.check(&golden, &listing::lowered(machine(arch), &asm));
            continue;
        }
        let printed = asm.print();
        // What is the same in every file is left out: its head, and the marks by which functions are told their own lines.
        let body = printed.find("\n// func ").map_or(printed.as_str(), |at| &printed[at + 1..]);
        let mark = format!("\"{}\"", asm.name());
        let own = |line: &&str| !(line.starts_with("#line") && line.ends_with(&mark));
        let body: String = body.lines().filter(own).map(|line| format!("{line}\n")).collect();
        goldens.check(&golden, &body);
    }
    goldens.finish();
}

#[test]
fn refused_assembly() {
    let mut goldens = Goldens::default();
    for arch in Arch::ALL {
        for path in cases(&folder(arch, "refuse"), "s") {
            match common::lower(arch, &case_archive(arch, &read(&path))) {
                Ok(_) => goldens.fail(&format!("{} is accepted", path.display())),
                Err(failure) => goldens.check(&path.with_extension("txt"), &failure_text(&failure)),
            }
        }
    }
    goldens.finish();
}

#[test]
fn refused_crates() {
    let mut goldens = Goldens::default();
    for path in cases("refuse", "rs") {
        krate::Case::read("refuse", &path).refused(&mut goldens, &path.with_extension("txt"));
    }
    goldens.finish();
}

#[test]
fn refused_crates_on_arm64() {
    let Some(toolchains) = arm64::toolchain("refused_crates_on_arm64") else { return };
    let mut goldens = Goldens::default();
    for path in cases(&folder(Arch::Arm64, "refuse"), "rs") {
        let case = krate::Case::read("refuse/aarch64", &path).on_arm64(arm64::argument(&toolchains));
        case.refused(&mut goldens, &path.with_extension("txt"));
    }
    goldens.finish();
}

#[test]
fn bound_crates() {
    let mut goldens = Goldens::default();
    for path in cases("bind", "rs") {
        krate::Case::read("bind", &path).bound(&mut goldens, &path.with_extension("go.txt"));
    }
    goldens.finish();
}

/// Every case of `run` becomes a package of one Go module, and a part of one native program: one build each for all.
#[test]
fn results_are_those_of_the_native_code() {
    run::all(Arch::Amd64);
}

#[test]
fn results_are_those_of_the_native_code_on_arm64() {
    run::all(Arch::Arm64);
}
