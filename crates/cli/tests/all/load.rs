//! Tests of the loader. Most cases are assembly files in `cases/load` (x86-64) and `cases/load/aarch64`. Each file names its members and exports. The
//! golden file beside a case lists the loader's result. rustc's assembler makes the objects.

use crate::common::directives::Directives;
use crate::common::{self, Goldens, NO_CORE, archive, rustc as rustc_for};
use crate::harness::Test;
use rustgo_cli::testing::diag::{Diagnostic, ErrorCode, Failure};
use rustgo_cli::testing::exits::Exit;
use rustgo_cli::testing::load::{self, Object, RelocKind, Target};
use rustgo_cli::testing::target::{self, Arch};
use std::fmt::Write as _;
use std::path::Path;

crate::tests!(
    fn functions:
    lines_come_from_every_form_of_debug_information,
    lines_of_aarch64,
    no_debug_information_is_no_error,
    real_libraries_without_and_with_std,
    loading_is_repeatable,
    other_machines_and_formats_are_named,
    members_that_are_not_objects_are_skipped,
    other_schema_versions_are_refused,
    a_missing_archive_and_other_files_are_refused,
    damage_never_panics,
);

/// Compiles a Rust source for x86-64; returns rustc's output file.
fn rustc(name: &str, source: &str, args: &[&str]) -> Vec<u8> {
    rustc_for(Arch::Amd64, name, source, args)
}

fn assemble(name: &str, assembly: &str) -> Vec<u8> {
    assemble_for(Arch::Amd64, name, assembly)
}

/// Assembles a case. Cases for amd64 use AT&T syntax.
fn assemble_for(arch: Arch, name: &str, assembly: &str) -> Vec<u8> {
    match arch {
        Arch::Amd64 => common::assemble(arch, name, &format!(".att_syntax\n{assembly}")),
        Arch::Arm64 => common::assemble(arch, name, assembly),
    }
}

/// The record of a function without parameters, as assembly. It equals the record that the macro generates.
fn record(go_name: &str, shim: &str) -> String {
    let leak = |text: String| -> &'static str { text.leak() };
    let export = rustgo_schema::describe::Function {
        go_name: leak(go_name.into()),
        rust_path: leak(format!("case::{shim}")),
        file: "src/lib.rs",
        line: 1,
        ..rustgo_schema::describe::Function::EMPTY
    };
    let export = rustgo_schema::Describe::Function(&export);
    let payload = &export.encode::<1024>()[..export.encoded_len()];
    let bytes: Vec<String> = payload.iter().map(u8::to_string).collect();
    format!(
        "\t.pushsection rustgo_exports,\"aw\",@progbits\n\t.balign 8\n\t.quad {shim}\n\t.long {}\n\t.long 0\n\t.byte {}\n\t.balign 8\n\t.popsection\n",
        payload.len(),
        bytes.join(",")
    )
}

/// The archive of a case. `//@ member: NAME` begins a member; `//@ export: GO_NAME SHIM` adds a record to that member.
fn archive_of(arch: Arch, path: &Path) -> Vec<u8> {
    Directives::read(path, &["member", "export"]);
    let mut members: Vec<(String, String)> = Vec::new();
    for line in common::read(path).lines() {
        if let Some(name) = common::directive_value(line, "member") {
            members.push((name, String::new()));
        } else if let Some((_, assembly)) = members.last_mut() {
            match common::directive_value(line, "export").as_deref().and_then(|export| export.split_once(' ')) {
                Some((go_name, shim)) => *assembly += &record(go_name, shim),
                None => *assembly += &format!("{line}\n"),
            }
        }
    }
    let objects: Vec<(String, Vec<u8>)> =
        members.into_iter().map(|(name, assembly)| (format!("{name}.o"), assemble_for(arch, &name.replace('.', "_"), &assembly))).collect();
    let members: Vec<(&str, &[u8])> = objects.iter().map(|(name, object)| (name.as_str(), object.as_slice())).collect();
    archive(&members)
}

fn load(archive: &[u8]) -> Result<Object, Diagnostic> {
    load_for(Arch::Amd64, archive)
}

fn load_for(arch: Arch, archive: &[u8]) -> Result<Object, Diagnostic> {
    match load::load_bytes(archive, "case.a", target::Target::baseline(arch), &|path| format!("shown:{path}")) {
        Ok(mut object) => match object.refused.pop() {
            None => Ok(object),
            Some(reason) => {
                assert!(object.refused.is_empty());
                Err(reason)
            }
        },
        Err(Failure::Refused(mut diagnostics)) => {
            assert_eq!(diagnostics.len(), 1);
            Err(diagnostics.remove(0))
        }
        Err(failure) => panic!("{failure:?}"),
    }
}

fn listing(result: &Result<Object, Diagnostic>) -> String {
    let mut out = String::new();
    match result {
        Ok(object) => list_object(&mut out, object),
        Err(diagnostic) => list_diagnostic(&mut out, diagnostic),
    }
    .expect("a string takes everything");
    out
}

fn list_object(out: &mut String, object: &Object) -> std::fmt::Result {
    for export in object.exports.values() {
        writeln!(out, "export {} {}", export.schema.go_name, export.shim)?;
    }
    if let Some(function) = object.format_panic {
        writeln!(out, "format_panic {function}")?;
    }
    let relocs = |out: &mut String, relocs: &[load::Reloc]| {
        relocs.iter().try_for_each(|reloc| writeln!(out, "\t{:#x} {:?} {:?}{:+}", reloc.offset, reloc.kind, reloc.target, reloc.addend))
    };
    for (id, function) in &object.functions {
        let load::Function { path, symbol, member, section, offset, align, .. } = function;
        let mangled = if path == symbol { String::new() } else { format!(" ({symbol})") };
        writeln!(out, "\n{id} {path}{mangled} {member} {section}+{offset:#x} align {align}")?;
        if let Some(load::Merged { into, start, size }) = &function.merged {
            writeln!(out, "\t{size} bytes in {into}+{start:#x}")?;
            continue;
        }
        for (_, piece) in function.pieces() {
            let hex: Vec<String> = piece.iter().map(|byte| format!("{byte:02x}")).collect();
            writeln!(out, "\tcode {}", hex.join(" "))?;
        }
        function.parts.iter().try_for_each(|part| writeln!(out, "\t{:#x} from {}+{:#x}", part.start, part.section, part.offset))?;
        relocs(out, &function.relocs)?;
    }
    for (id, data) in &object.data {
        let access = if data.writable { "writable" } else { "read-only" };
        writeln!(out, "\n{id} {} {} {} bytes align {} {access}", data.name, data.member, data.bytes.len(), data.align)?;
        relocs(out, &data.relocs)?;
        if data.bounds != load::DataBounds::default() {
            let places = |places: &[u32]| places.iter().map(|place| format!(" {place:#x}")).collect::<String>();
            writeln!(out, "\tstarts{}; used{}", places(&data.bounds.starts), places(&data.bounds.used))?;
        }
    }
    Ok(())
}

fn list_diagnostic(out: &mut String, diagnostic: &Diagnostic) -> std::fmt::Result {
    writeln!(out, "error[{}]: {}", diagnostic.code, diagnostic.message)?;
    for call in &diagnostic.chain {
        writeln!(out, "chain: {} {}", call.place.function, call.how.unwrap_or("."))?;
    }
    diagnostic.notes.iter().try_for_each(|note| writeln!(out, "note: {note}"))?;
    diagnostic.hint.iter().try_for_each(|hint| writeln!(out, "hint: {hint}"))
}

pub fn tests() -> Vec<Test> {
    let mut tests = functions();
    for arch in Arch::ALL {
        let folder = common::folder(arch, "load");
        for path in common::cases(&folder, "s") {
            tests.push(Test::new(common::test_name(&folder, &path), move || case(arch, &path)));
        }
    }
    tests
}

/// Compares the listing of a case with its golden file.
fn case(arch: Arch, path: &Path) {
    let mut goldens = Goldens::default();
    goldens.check(&path.with_extension("txt"), &listing(&load_for(arch, &archive_of(arch, path))));
    goldens.finish();
}

/// Two functions on known lines; the compiler inlines the second into the first. The source has the export record that the macro generates, and the
/// panic handler that the support crate has.
const LINES: &str = r#"#![no_std]
use core::panic::PanicInfo;
#[unsafe(no_mangle)]
pub fn shim(numbers: &mut [u32]) -> u32 {
    numbers[3] = twice(numbers[1]);
    numbers[0]
}
#[inline(always)]
fn twice(number: u32) -> u32 {
    number.rotate_left(7) * 12345
}
unsafe extern "C" {
    fn rustgo_panic(info: *const PanicInfo<'_>) -> !;
}
#[panic_handler]
fn handler(info: &PanicInfo<'_>) -> ! {
    unsafe { rustgo_panic(info) }
}
"#;

fn lines_source() -> String {
    format!("{LINES}core::arch::global_asm!({:?}, options(att_syntax, raw));\n", record("Shim", "shim"))
}

fn lines_come_from_every_form_of_debug_information() {
    for args in [
        &["-Cdwarf-version=4"][..],
        &["-Cdwarf-version=5"],
        &["-Cdwarf-version=4", "-Zdebuginfo-compression=zlib"],
        &["-Cdwarf-version=5", "-Zdebuginfo-compression=zlib"],
        &["-Cdwarf-version=5", "--remap-path-prefix=/=/stable/"],
    ] {
        let args = [&["--crate-type=lib", "--emit=obj", "-Cdebuginfo=line-tables-only"], args].concat();
        let object =
            load(&archive(&[("lines.o", &rustc("lines", &lines_source(), &args))])).unwrap_or_else(|error| panic!("{args:?}: {error:?}"));
        let shim = &object.functions[object.exports.values().next().expect("it has an export").shim];
        let mut seen: Vec<u32> =
            shim.lines.iter().filter(|line| object.files[line.file].ends_with("/lines.rs")).map(|line| line.line).collect();
        assert_eq!((shim.lines[0].offset, seen[0]), (0, 4), "{args:?}");
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen, [4, 5, 6, 7, 10], "{args:?}: the lines of the function and of what is inlined");
        assert!(shim.lines.is_sorted_by(|a, b| a.offset < b.offset && (a.file, a.line) != (b.file, b.line)), "{args:?}");
        let remapped = args.len() > 4 && args[4].starts_with("--remap");
        for file in object.files.values() {
            let name = file.strip_prefix("shown:").expect("every name goes through display_path");
            assert!(name.starts_with('/'), "{args:?}: {name}");
            assert!(!remapped || name.starts_with("/stable/") || name.starts_with("/rustc/"), "{name}");
        }
        assert!(object.files.values().any(|file| file.contains("/library/core/src/")), "{args:?}: rotate_left is core's");
    }
}

fn lines_of_aarch64() {
    const SOURCE: &str = r"unsafe extern {
    fn leaf(number: u32) -> u32;
}
#[unsafe(no_mangle)]
pub unsafe fn shim(number: u32) -> u32 {
    unsafe {
        twice(number);
        leaf(number)
    }
}
#[inline(always)]
unsafe fn twice(number: u32) {
    unsafe { leaf(number) };
}
";
    let before = NO_CORE.lines().count() as u32;
    let source = format!("{NO_CORE}{SOURCE}global_asm!({:?}, options(raw));\n", record("Shim", "shim"));
    for version in ["-Cdwarf-version=4", "-Cdwarf-version=5"] {
        let args = ["--crate-type=lib", "--emit=obj", "-Cdebuginfo=line-tables-only", version];
        let object = rustc_for(Arch::Arm64, "lines", &source, &args);
        let object = load_for(Arch::Arm64, &archive(&[("lines.o", &object)])).unwrap_or_else(|error| panic!("{version}: {error:?}"));
        let shim = &object.functions[object.exports.values().next().expect("it has an export").shim];
        assert!(shim.lines.iter().all(|line| object.files[line.file].ends_with("/lines.rs") && line.offset % 4 == 0), "{version}");
        let lines: Vec<u32> = shim.lines.iter().map(|line| line.line - before).collect();
        assert_eq!(lines.first(), Some(&5), "{version}: {lines:?}");
        // Find the two calls by their relocations, and compare their source lines.
        let calls: Vec<u32> = shim.relocs.iter().filter(|reloc| reloc.kind == RelocKind::Branch26).map(|reloc| reloc.offset).collect();
        let line_at = |offset| shim.lines.iter().rev().find(|line| line.offset <= offset).map(|line| line.line - before);
        assert_eq!(calls.iter().map(|&call| line_at(call)).collect::<Vec<_>>(), [Some(13), Some(8)], "{version}: {lines:?}");
    }
}

fn no_debug_information_is_no_error() {
    let object = load(&archive(&[("lines.o", &rustc("lines", &lines_source(), &["--crate-type=lib", "--emit=obj"]))])).expect("it loads");
    assert!(object.files.is_empty() && object.functions.values().all(|function| function.lines.is_empty()));
}

fn reaches_panic(object: &Object) -> bool {
    let relocs = object.functions.values().flat_map(|function| &function.relocs);
    relocs.chain(object.data.values().flat_map(|data| &data.relocs)).any(|reloc| reloc.target == Target::Exit(Exit::Panic))
}

fn real_libraries_without_and_with_std() {
    let bare = load(&rustc("bare", &lines_source(), &["--crate-type=staticlib"])).expect("it loads");
    assert!(bare.functions.len() > 3 && reaches_panic(&bare));
    assert!(bare.functions.values().any(|function| function.path.ends_with("rust_begin_unwind")), "the crate's own handler is kept");

    let source = lines_source().replace("#![no_std]", "").replace("#[panic_handler]", "#[allow(dead_code)]");
    let std = load(&rustc("withstd", &source, &["--crate-type=staticlib"])).expect("it loads");
    assert!(reaches_panic(&std), "std's handler is the panic entry");
    let std_functions: Vec<&str> =
        std.functions.values().map(|function| function.path.as_str()).filter(|path| path.starts_with("std::")).collect();
    assert_eq!(std_functions, [""; 0], "nothing of std's panic machinery is reached");
}

fn loading_is_repeatable() {
    let archive = rustc("bare", &lines_source(), &["--crate-type=staticlib", "-Cdebuginfo=line-tables-only"]);
    let once = format!("{:?}", load(&archive).expect("it loads"));
    assert_eq!(once, format!("{:?}", load(&archive).expect("it loads")));
}

/// A small object with an export, debug information and data.
fn small() -> Vec<u8> {
    rustc("small", &lines_source(), &["--crate-type=lib", "--emit=obj", "-Cdebuginfo=line-tables-only"])
}

fn other_machines_and_formats_are_named() {
    let elf = small();
    let mut aarch64 = elf.clone();
    aarch64[18..20].copy_from_slice(&183u16.to_le_bytes());
    let mut elf32 = elf.clone();
    elf32[4] = 1;
    let mut mach_o = vec![0; 32];
    mach_o[..8].copy_from_slice(&[0xcf, 0xfa, 0xed, 0xfe, 7, 0, 0, 1]);
    let mut coff = vec![0; 20];
    coff[..2].copy_from_slice(&[0x64, 0x86]);
    for (object, format) in [
        (aarch64, "aarch64 ELF"),
        (elf32, "32-bit ELF"),
        (mach_o, "Mach-O"),
        (coff, "COFF"),
        (b"BC\xc0\xde then bitcode".to_vec(), "LLVM bitcode"),
    ] {
        let error = load(&archive(&[("good.o", &elf), ("other.o", &object)])).expect_err("it cannot be used");
        assert_eq!(error.code, ErrorCode::Architecture);
        assert_eq!(error.message, format!("the archive member other.o is {format}, where 64-bit x86-64 ELF is needed"));
        let hint = match format {
            "LLVM bitcode" => "compile the C in the crate without -flto: rustgo does not run the linker that would finish the compilation",
            _ => "build the crate, and the C or assembly in it, for x86_64-unknown-linux-gnu",
        };
        assert_eq!(error.hint.as_deref(), Some(hint));
    }

    let arm64 = assemble_for(Arch::Arm64, "a", &(record("Shim", "shim") + "shim:\n\tret\n"));
    assert!(load_for(Arch::Arm64, &archive(&[("good.o", &arm64)])).is_ok());
    let mut big_endian = arm64.clone();
    big_endian[5] = 2;
    big_endian[18..20].reverse();
    for (object, format) in [(elf, "x86-64 ELF"), (big_endian, "big-endian ELF")] {
        let error = load_for(Arch::Arm64, &archive(&[("good.o", &arm64), ("other.o", &object)])).expect_err("it cannot be used");
        assert_eq!(error.code, ErrorCode::Architecture);
        assert_eq!(error.message, format!("the archive member other.o is {format}, where 64-bit aarch64 ELF is needed"));
        assert_eq!(error.hint.as_deref(), Some("build the crate, and the C or assembly in it, for aarch64-unknown-linux-gnu"));
    }
}

fn members_that_are_not_objects_are_skipped() {
    let elf = small();
    assert!(load(&archive(&[("lib.rmeta", b"rust metadata"), ("a.txt", b""), ("good.o", &elf)])).is_ok());
    let error = load(&archive(&[("good.o", &elf), ("bad.o", b"nothing that is known")])).expect_err("it is no object");
    assert_eq!(
        (error.code, error.message.as_str()),
        (ErrorCode::Archive, "the archive member bad.o is damaged: it is not an object of a known format")
    );
}

fn other_schema_versions_are_refused() {
    let mut assembly = record("Shim", "shim");
    // In the record, the magic number is followed by the version.
    let magic = "114,115,103,111,1,0,";
    assert!(assembly.contains(magic));
    assembly = assembly.replace(magic, "114,115,103,111,99,0,") + "shim:\n\tret\n";
    let error = load(&archive(&[("a.o", &assemble("a", &assembly))])).expect_err("another version");
    assert_eq!(error.code, ErrorCode::Schema);
    assert!(error.message.contains("version 99") && error.message.contains("version 1") && error.hint.is_some(), "{error:?}");
}

fn a_missing_archive_and_other_files_are_refused() {
    let missing = load::load(Path::new("/nowhere/lib.a"), target::Target::baseline(Arch::Amd64), &str::to_owned, load::Kind::default());
    assert!(
        matches!(missing, Err(Failure::Refused(diagnostics)) if diagnostics[0].code == ErrorCode::Archive && diagnostics[0].message.contains("/nowhere/lib.a"))
    );
    for bytes in [&b""[..], b"\x7fELF", b"!<arch>\nrubbish"] {
        assert_eq!(load(bytes).expect_err("no archive").code, ErrorCode::Archive);
    }
    let thin = load(b"!<thin>\n").expect_err("a thin archive");
    assert!(thin.message.contains("is thin"), "{thin:?}");
}

fn damage_never_panics() {
    let good = archive(&[("small.o", &small())]);
    assert!(load(&good).is_ok());
    for cut in (0..good.len()).step_by(good.len() / 300) {
        let error = load(&good[..cut]).expect_err("it is cut short");
        // The archive may be cut off after any member, or even before the first.
        assert!(matches!(error.code, ErrorCode::Archive | ErrorCode::NoExports), "{cut}: {error:?}");
        assert!(error.code != ErrorCode::Archive || error.message.contains("case.a") || error.message.contains("small.o"), "{error:?}");
    }
    // The places of the damaged bytes come from a generator with a fixed seed (xorshift64), so that a failure can be repeated.
    let mut random = 0x9e37_79b9_7f4a_7c15u64;
    let mut next = || {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random
    };
    let mut damaged = good.clone();
    let (mut refused, mut accepted) = (0, 0);
    for _ in 0..4000 {
        let places: Vec<usize> = (0..1 + next() % 3).map(|_| (next() % good.len() as u64) as usize).collect();
        for &place in &places {
            damaged[place] = match next() % 4 {
                0 => 0xff,
                1 => 0,
                _ => (next() & 0xff) as u8,
            };
        }
        match load(&damaged) {
            Ok(_) => accepted += 1,
            Err(_) => refused += 1,
        }
        for &place in &places {
            damaged[place] = good[place];
        }
    }
    assert!(refused > 100 && accepted > 100, "{refused} refused, {accepted} accepted");
}
