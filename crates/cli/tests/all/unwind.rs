//! Tests of the unwind tables that the loader reads. The cases in `cases/unwind` are assembly files with tables; the golden file beside a case is
//! the listing of the tables. Other tests compare the tables of real code with the results of the analysis. The analysis itself does not use the
//! tables.

use crate::common::{self, Goldens};
use crate::harness::Test;
use rustgo_cli::testing::analyze::{self, Facts, Limits, Way};
use rustgo_cli::testing::api::Package;
use rustgo_cli::testing::backend;
use rustgo_cli::testing::code::Flow;
use rustgo_cli::testing::decode::{self, Program};
use rustgo_cli::testing::diag::Result;
use rustgo_cli::testing::goasm::{File, Item};
use rustgo_cli::testing::load::{self, Action, CallSite, Object, Unwinding};
use rustgo_cli::testing::lower;
use rustgo_cli::testing::target::{Arch, Target};
use rustgo_cli::testing::verify;
use std::fmt::Write as _;
use std::path::Path;

crate::tests!(
    fn functions:
    frames_are_those_of_the_analysis,
    saved_registers_are_those_of_the_analysis,
    landing_pads_of_real_code_are_instructions,
    damage_never_panics,
    vector_registers_are_saved_or_refused,
    functions_that_copy_their_arguments_have_records,
);

pub fn tests() -> Vec<Test> {
    let mut tests = functions();
    for arch in Arch::ALL {
        let folder = common::folder(arch, "unwind");
        for path in common::cases(&folder, "s") {
            tests.push(Test::new(common::test_name(&folder, &path), move || case(arch, &path)));
        }
    }
    tests
}

fn load(arch: Arch, archive: &[u8]) -> Result<Object> {
    load::load_with_unwinding(archive, "case.a", Target::baseline(arch), &str::to_owned)
}

/// Compares the listing of a case with its golden file. For a case whose code unwinds, the listing includes the results of the analysis.
fn case(arch: Arch, path: &Path) {
    let listing = match load(arch, &common::case_archive(arch, &common::read(path))) {
        Ok(object) => listing(&object) + &list_ways(arch, &object),
        Err(failure) => common::failure_text(&failure),
    };
    let mut goldens = Goldens::default();
    goldens.check(&path.with_extension("txt"), &listing);
    goldens.finish();
}

/// For each call that may unwind, lists where control goes and where the callee-saved registers are. Then lists the errors of functions.
fn list_ways(arch: Arch, object: &Object) -> String {
    let mut out = String::new();
    let (program, facts) = analyzed(arch, object);
    for instance in facts.instances.values() {
        let function = &object.functions[instance.function];
        let Ok(code) = &program.codes[instance.function] else { continue };
        for edge in &instance.summary.edges {
            let Some(unwound) = &edge.unwound else { continue };
            let way = match unwound.way {
                Way::Lands { pad, action, .. } => {
                    let depth = instance.summary.depths[pad].map_or("nowhere".to_owned(), |depth| depth.to_string());
                    format!("{action:?} at {:#x}, {depth} bytes deep", code.insts[pad].offset)
                }
                Way::Leaves => "leaves the function".to_owned(),
                Way::Ends => "ends".to_owned(),
            };
            let saved: String = unwound.saved.iter().map(|(register, at)| format!(" r{register} at {at}")).collect();
            let kept: String =
                (0..32).filter(|register| unwound.kept >> register & 1 != 0).map(|register| format!(" r{register}")).collect();
            let place = code.insts[edge.inst].offset;
            let _ = writeln!(out, "\n{} {place:#x}: {way}\n\tsaved{saved}\n\tkept{kept}", function.path);
        }
        for error in &instance.summary.errors {
            let _ = writeln!(out, "\nerror[{}]: {}", error.code, error.message);
        }
        if instance.summary.lost != 0 {
            let lost: String = (0..32).filter(|register| instance.summary.lost >> register & 1 != 0).map(|at| format!(" r{at}")).collect();
            let _ = writeln!(out, "\n{} loses{lost} when it unwinds", function.path);
        }
    }
    out
}

/// Lists the unwind tables of each function.
fn listing(object: &Object) -> String {
    let mut out = String::new();
    for function in object.functions.values().filter(|function| function.merged.is_none()) {
        let end = if out.is_empty() { "" } else { "\n" };
        let _ = writeln!(out, "{end}{}", function.path);
        match &function.unwinding {
            None => out.push_str("\tno tables\n"),
            Some(Err(reason)) => {
                let _ = writeln!(out, "\terror[{}]: {}", reason.code, reason.message);
                let lines = reason.notes.iter().map(|note| ("note", note)).chain(reason.hint.iter().map(|hint| ("hint", hint)));
                for (kind, text) in lines {
                    let _ = writeln!(out, "\t{kind}: {text}");
                }
            }
            Some(Ok(tables)) => list(&mut out, tables),
        }
    }
    out
}

fn list(out: &mut String, tables: &Unwinding) {
    for frame in &tables.frames {
        let (register, distance) = frame.caller_sp;
        let saved: String = frame.saved.iter().map(|(register, at)| format!(" r{register} at {at}")).collect();
        let arguments = if frame.arguments == 0 { String::new() } else { format!(", {} bytes of arguments", frame.arguments) };
        let _ = writeln!(out, "\t{:#x}..{:#x} frame r{register}{distance:+}{saved}{arguments}", frame.start, frame.end);
    }
    match &tables.sites {
        None => out.push_str("\tno call sites\n"),
        Some(sites) => sites.iter().for_each(|site| {
            let pad = site.pad.map_or("leaves the function".to_owned(), |pad| format!("{:?} at {:#x}", pad.action, pad.offset));
            let _ = writeln!(out, "\t{:#x}..{:#x} {pad}", site.start, site.end);
        }),
    }
}

/// A library with std that unwinds: destructors at several depths, a catch, calls with arguments on the stack, a function that must not unwind, and
/// vectors whose elements have destructors. The library does not use the panic handler of the Go package `rt`, so it raises its exceptions itself.
const SOURCE: &str = r#"
use std::panic::{AssertUnwindSafe, catch_unwind};
unsafe extern "C-unwind" {
    fn _Unwind_RaiseException(exception: *mut u8) -> u32;
}
pub struct Noted<'a>(&'a std::cell::Cell<u64>, u64);
impl Drop for Noted<'_> {
    fn drop(&mut self) {
        self.0.set(self.0.get().wrapping_mul(31).wrapping_add(self.1));
    }
}
#[inline(never)]
fn many(a: u64, b: u64, c: u64, d: u64, e: u64, f: u64, g: u64, h: &[u64]) -> u64 {
    match h.get((a ^ b ^ c ^ d ^ e ^ f ^ g) as usize) {
        Some(found) => *found,
        None => unsafe { _Unwind_RaiseException(std::ptr::null_mut()).into() },
    }
}
#[inline(never)]
fn deep(n: u64, words: &[u64], note: &std::cell::Cell<u64>) -> u64 {
    let first = Noted(note, n);
    let all: Vec<Noted<'_>> = words.iter().map(|&word| Noted(note, word)).collect();
    let below = if n == 0 { many(1, 2, 3, 4, 5, 6, words.len() as u64, words) } else { deep(n - 1, words, note) };
    let boxed = Box::new(below);
    drop(first);
    *boxed + all.len() as u64 + many(n, n, n, n, n, below, n, words)
}
#[inline(never)]
extern "C" fn must_not_unwind(words: &[u64]) -> u64 {
    many(1, 1, 1, 1, 1, 1, 1, words)
}
#[inline(never)]
fn catches(words: &[u64], note: &std::cell::Cell<u64>) -> u64 {
    match catch_unwind(AssertUnwindSafe(|| deep(words.len() as u64, words, note))) {
        Ok(sum) => sum + must_not_unwind(words),
        Err(payload) => payload.downcast_ref::<String>().map_or(7, |text| text.len() as u64),
    }
}
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn run(x: *const u64, result: *mut u64) {
    let words = unsafe { std::slice::from_raw_parts(x, 3) };
    let note = std::cell::Cell::new(1);
    unsafe { *result = catches(words, &note) + deep(1, words, &note) }
}
"#;

/// The object of [`SOURCE`], its instructions and the results of the analysis.
fn real() -> (Object, Program, Facts) {
    let record = common::record(&common::exports("//@ export: Run run 65536")[0]);
    let source = format!("{SOURCE}core::arch::global_asm!({record:?}, options(raw));\n");
    let args = ["--crate-type=staticlib", "-Cpanic=unwind", "-Clto=fat", "-Cno-redzone", "-Cdebuginfo=line-tables-only"];
    let archive = common::rustc(Arch::Amd64, "real", &source, &args);
    let object = load(Arch::Amd64, &archive).unwrap_or_else(|failure| panic!("{}", common::failure_text(&failure)));
    let (program, facts) = analyzed(Arch::Amd64, &object);
    (object, program, facts)
}

/// The object's instructions, and the results of the analysis. The object does not define the functions of the unwinder, so the analysis refuses the
/// code. But its facts about single functions are complete.
fn analyzed(arch: Arch, object: &Object) -> (Program, Facts) {
    let machine = backend::machine(arch);
    let program = decode::decode(object, machine);
    let limits = Limits { max_stack: 1 << 30, above_roots: None };
    let facts = analyze::analyze(object, &program, machine, limits).expect("the analysis has facts for refused code too");
    (program, facts)
}

/// For each reached instruction, compares the analysed distance from SP to the caller's SP with the distance in the compiler's tables.
fn frames_are_those_of_the_analysis() {
    let (object, program, facts) = real();
    let machine = backend::machine(Arch::Amd64);
    let (mut compared, mut framed) = (0, 0);
    for instance in facts.instances.values() {
        let function = &object.functions[instance.function];
        let (Some(tables), Ok(code)) = (&function.unwinding, &program.codes[instance.function]) else { continue };
        let tables = tables.as_ref().unwrap_or_else(|reason| panic!("{}", reason.message));
        for (inst, depth) in code.insts.iter().zip(&instance.summary.depths) {
            let Some(depth) = *depth else { continue };
            let mut rows = tables.frames.iter().filter(|frame| (frame.start..frame.end).contains(&inst.offset));
            let Some(frame) = rows.next() else { panic!("{} has no frame at {:#x}", function.path, inst.offset) };
            assert!(rows.next().is_none(), "{} has two frames at {:#x}", function.path, inst.offset);
            let (register, distance) = frame.caller_sp;
            if register != machine.sp() {
                framed += 1;
                continue;
            }
            assert_eq!(i64::from(depth) + machine.call_size(), distance, "{} at {:#x}", function.path, inst.offset);
            compared += 1;
        }
    }
    assert!(compared > 300 && framed > 900, "{compared} instructions with a frame from SP, {framed} with another");
}

/// For each call that may unwind, compares the analysed places of saved registers with the places in the compiler's tables.
fn saved_registers_are_those_of_the_analysis() {
    let (object, program, facts) = real();
    let machine = backend::machine(Arch::Amd64);
    let (mut lands, mut leaves, mut pushed, mut saved) = (0, 0, 0, 0);
    for instance in facts.instances.values() {
        let function = &object.functions[instance.function];
        let Ok(code) = &program.codes[instance.function] else { continue };
        for edge in &instance.summary.edges {
            let (Some(unwound), Some(Ok(tables))) = (&edge.unwound, &function.unwinding) else { continue };
            let inst = &code.insts[edge.inst];
            let frame = tables.frame_at(inst.end() - 1).unwrap_or_else(|| panic!("{} has no frame at {:#x}", function.path, inst.offset));
            for register in machine.callee_saved() {
                let place = format!("{} at {:#x}, register {register}", function.path, inst.offset);
                match frame.saved.get(register) {
                    // Places in the tables are relative to the caller's SP. Places in the analysis are relative to SP on entry.
                    Some(at) => assert_eq!(unwound.saved.get(register), Some(&(at + machine.call_size())), "{place}"),
                    None => assert!(unwound.kept >> register & 1 != 0, "{place} is not kept"),
                }
                saved += usize::from(unwound.saved.contains_key(register));
            }
            match unwound.way {
                Way::Lands { arguments, .. } => (lands, pushed) = (lands + 1, pushed + usize::from(arguments > 0)),
                Way::Leaves => leaves += 1,
                Way::Ends => {}
            }
        }
        assert_eq!(instance.summary.lost, 0, "{}", function.path);
    }
    let counts = [lands, leaves, pushed, saved];
    assert!(counts.iter().all(|&count| count > 0) && saved > 100, "{counts:?}");
}

fn landing_pads_of_real_code_are_instructions() {
    let (object, program, _) = real();
    let mut pads = Vec::new();
    for (id, function) in &object.functions {
        let Some(Ok(Unwinding { sites: Some(sites), .. })) = &function.unwinding else { continue };
        let code = program.codes[id].as_ref().unwrap_or_else(|reason| panic!("{}", reason.message));
        for &CallSite { start, end, pad } in sites {
            let Some(pad) = pad else { continue };
            let calls = code.insts.iter().filter(|inst| (start..end).contains(&inst.offset));
            let calls = calls.filter(|inst| matches!(inst.flow, Flow::Call(_) | Flow::IndirectCall));
            assert!(calls.count() > 0, "{} has no call at {start:#x}", function.path);
            assert!(code.at(pad.offset).is_some(), "{} has no instruction at {:#x}", function.path, pad.offset);
            pads.push(pad.action);
        }
    }
    let count = |action| pads.iter().filter(|&&other| other == action).count();
    let counts = [Action::Cleanup, Action::Catch, Action::Filter].map(count);
    assert!(counts.iter().all(|&count| count > 0), "{counts:?}");
}

/// Changes single bytes of the tables of a case.
fn damage_never_panics() {
    let path = common::cases_dir().join("unwind/landing_pads.s");
    let archive = common::case_archive(Arch::Amd64, &common::read(&path));
    let whole = listing(&load(Arch::Amd64, &archive).expect("it loads"));
    let positions = |part: &[u8]| archive.windows(part.len()).enumerate().filter(|(_, window)| *window == part).map(|(at, _)| at).collect();
    let (frames, table): (Vec<usize>, Vec<usize>) = (positions(b"zPLR\0"), positions(&[255, 155]));
    let (mut changed, mut refused) = (0, 0);
    for at in frames.iter().flat_map(|&at| at.saturating_sub(16)..at + 160).chain(table.iter().flat_map(|&at| at..at + 36)) {
        for byte in [0, 1, 0x7F, 0x80, 0xFF] {
            let mut damaged = archive.clone();
            damaged[at] = byte;
            match load(Arch::Amd64, &damaged) {
                Ok(object) => changed += usize::from(listing(&object) != whole),
                Err(_) => refused += 1,
            }
        }
    }
    assert!(changed > 100 && refused > 10, "{changed} changed, {refused} refused");
}

/// The code of an archive for arm64 whose panics unwind.
fn lowered(source: &str) -> Result<File> {
    let object = load(Arch::Arm64, &common::case_archive(Arch::Arm64, source))?;
    let machine = backend::machine(Arch::Arm64);
    let program = decode::decode(&object, machine);
    let facts = common::analyze(Arch::Arm64, &object, &program)?;
    let package = Package::new(object.exports.values(), &object.constants);
    lower::lower(&object, &program, &facts, machine, &package, "rt", Vec::new())
}

/// On arm64 callees preserve the lower halves of v8 to v15. If a function changes such a register, either the records of its calls contain the place
/// of the saved value, or the tool refuses the function.
fn vector_registers_are_saved_or_refused() {
    // The function `middle` has a frame of 48 bytes, and saves and changes registers by these instructions before a call that unwinds.
    let source = |changes: &str, after: &str| {
        format!(
            "//@ export: Run run
	.type run,@function
run:
	stp x29, x30, [sp, #-16]!
	bl middle
	ldp x29, x30, [sp], #16
	ret
	.type middle,@function
middle:
	stp x29, x30, [sp, #-48]!
	{changes}
	bl raise
	{after}
	.type raise,@function
raise:
	b rustgo_raise
"
        )
    };
    let leave = "ldp x29, x30, [sp], #48\n\tret";
    let go = common::go();
    for (what, changes) in [
        ("nothing is changed", "nop"),
        ("saved", "str d8, [sp, #16]; fmov d8, #1.0"),
        ("a pair is saved", "stp d9, d8, [sp, #16]; fmov d8, #1.0; movi v9.2d, #0"),
        ("restored", "str d8, [sp, #16]; fmov d8, #1.0; ldr d8, [sp, #16]"),
        ("loaded with others", "stp d9, d8, [sp, #16]; ld1 {v7.16b, v8.16b}, [x0]; ld1r {v9.16b}, [x0]"),
        ("saved on both paths", "cbz x0, 1f; str d8, [sp, #16]; b 2f; 1: str d8, [sp, #16]; 2: fmov d8, #1.0"),
        ("another register is changed", "fmov d7, #1.0; fmov d16, #1.0"),
        ("compared, and moved to a general register", "fcmp d8, d9; fmov x8, d8; fcvtzs x9, d8"),
        ("with a general register", "str x19, [sp, #16]; str d8, [sp, #24]; mov x19, #1; ldr q8, [sp]"),
        // The frame becomes so large that lowering needs a register for the address of the saved word.
        ("in a large frame", "stp d9, d8, [sp, #16]; fmov d8, #1.0; sub sp, sp, #2048"),
    ] {
        let made = lowered(&source(changes, leave)).unwrap_or_else(|failure| panic!("{what}: {}", common::failure_text(&failure)));
        let dir = tempfile::tempdir().expect("a scratch folder");
        let prover = backend::machine(Arch::Arm64);
        let compared = verify::compare_files(&made, &made.print(), prover, &go, dir.path());
        assert_eq!(compared.unwrap_or_else(|failure| panic!("{}", common::failure_text(&failure))), Ok(()), "{what}");
    }
    let keeps = "does not keep the registers of its caller at a call that may unwind";
    for (what, changes, after, says) in [
        ("not saved", "fmov d8, #1.0", leave, keeps),
        ("half of it is saved", "str s8, [sp, #16]; fmov d8, #1.0", leave, keeps),
        ("overwritten", "str d8, [sp, #16]; fmov d8, #1.0; str w0, [sp, #20]", leave, keeps),
        ("saved below SP", "sub sp, sp, #16; str d8, [sp]; fmov d8, #1.0; add sp, sp, #16", leave, keeps),
        ("saved after it was changed", "fmov d8, #1.0; str d8, [sp, #16]", leave, keeps),
        ("loaded from a word that does not hold it", "ldr d8, [sp, #16]", leave, keeps),
        ("changed on one path", "cbz x0, 1f; fmov d8, #1.0; 1:", leave, keeps),
        ("saved on one path", "cbz x0, 1f; str d8, [sp, #16]; 1: fmov d8, #1.0", leave, keeps),
        ("loaded with others", "ld1 {v7.16b, v8.16b}, [x0]", leave, keeps),
        ("a general register", "mov x19, #1", leave, keeps),
        ("at an odd place", "str d8, [sp, #20]; fmov d8, #1.0", leave, "at a place that is not a multiple of 8"),
        (
            "not restored before a jump",
            "cbz x0, 1f; str d8, [sp, #16]; fmov d8, #1.0; ldp x29, x30, [sp], #48; b raise; 1:",
            leave,
            "d8 to d15",
        ),
        (
            "not restored before a return",
            "cbz x0, 1f; str d8, [sp, #16]; fmov d8, #1.0; ldp x29, x30, [sp], #48; ret; 1:",
            leave,
            "d8 to d15",
        ),
        ("far from its record", "cbz x0, 1f", "1: .rept 262200; nop; .endr; ldp x29, x30, [sp], #48; ret", "is larger than 1 MiB"),
    ] {
        match lowered(&source(changes, after)) {
            Ok(_) => panic!("{what}: accepted"),
            Err(failure) => assert!(common::failure_text(&failure).contains(says), "{what}: {}", common::failure_text(&failure)),
        }
    }
}

/// On arm64, lowering enlarges the frame of a function that copies its stack arguments. The new part is at the top, above the saved registers. Jumps
/// of the function to other functions become calls. The records contain the places in the larger frame, and each new call has a record.
fn functions_that_copy_their_arguments_have_records() {
    let source = "//@ export: Run run
	.type run,@function
run:
	sub sp, sp, #48
	str x30, [sp, #32]
	ldr x8, [x0]
	stp x8, x8, [sp]
	str x8, [sp, #16]
	bl middle
	ldr x30, [sp, #32]
	add sp, sp, #48
	ret
	.type middle,@function
middle:
	sub sp, sp, #32
	str x30, [sp]
	str x19, [sp, #16]
	str d8, [sp, #24]
	cbz x0, 1f
	mov x19, x0
	fmov d8, #1.0
	add x0, sp, #32
	bl third
	ldr d8, [sp, #24]
	ldr x19, [sp, #16]
1:	ldr x30, [sp]
	add sp, sp, #32
	b raise
	.type third,@function
third:
	ldr x0, [x0, #16]
	cbnz x0, raise
	ret
	.type raise,@function
raise:
	b rustgo_raise
";
    let made = lowered(source).unwrap_or_else(|failure| panic!("{}", common::failure_text(&failure)));
    let dir = tempfile::tempdir().expect("a scratch folder");
    let compared = verify::compare_files(&made, &made.print(), backend::machine(Arch::Arm64), &common::go(), dir.path());
    assert_eq!(compared.unwrap_or_else(|failure| panic!("{}", common::failure_text(&failure))), Ok(()));
    let middle = made.items.iter().find_map(|item| match item {
        Item::Text(text) if text.name.contains("middle") => Some(text),
        _ => None,
    });
    let middle = middle.expect("the function has a symbol");
    assert!(middle.expected.contract.is_some(), "middle copies its arguments");
    let words = middle.expected.bytes.chunks(4).map(|word| u32::from_le_bytes(word.try_into().expect("four bytes")));
    // The mark of a call: `adr xzr` with any distance.
    assert_eq!(words.filter(|word| word & 0x9f00_001f == 0x1000_001f).count(), 2, "{}", made.print());
}
