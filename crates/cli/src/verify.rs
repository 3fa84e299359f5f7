//! goasm::File → Verified: what Go's assembler made of it, read back and compared.
//!
//! Checked, for every symbol of the file:
//! - every byte is the byte that was meant, at the offset that calls assume, with the alignment that constants need;
//! - every relocation is the one that was meant: place, kind, symbol and addend (a jump that loses its offset is caught
//!   here), and there are no others;
//! - Go's SP table says at every instruction what the analysis says; and for code that the assembler adds itself
//!   (prologues, epilogues, entries) the table agrees with an independent reading of the bytes;
//! - an entry, whose instructions the assembler chooses, is run step by step for every remainder of SP: it calls the body
//!   with the right addresses and alignment where there is stack enough, and makes the stack grow where 8 bytes are missing;
//! - no function carries the SPWRITE flag, which stops the unwinder, and none lost its stack check;
//! - the file defines nothing else.
//!
//! This is done for linux, for position-independent code and plugins, for darwin and for windows, where the assembler's own part
//! differs. Then `go vet`.
//!
//! What this does not prove: that the analysis is right about what the code does to SP (the packages' own tests paint
//! stacks and profile for that), nor that Go's linker applies a relocation correctly.

use crate::arch::x86_64;
use crate::diag::{Code, Diagnostic, Failure, Result};
use crate::goasm::{Data, EntryMeant, File, Item, Op, RefKind, Text};
use crate::goobj::{self, GoObject, Symbol, func_flag};
use crate::target::Arch;
use crate::toolchain::Go;
use std::collections::BTreeMap;
use std::path::Path;

/// A set of files that has been proved to be what was meant. Only `verify` makes one; only `write` takes one.
#[derive(Debug)]
pub struct Verified {
    pub(crate) files: crate::write::Files,
    /// Bytes of code and of data in the assembled object.
    pub code_size: u64,
    pub data_size: u64,
}

/// Names of the generated files.
pub const GO_FILE: &str = "rustgo.go";
pub const ASM_FILE: &str = "rustgo_amd64.s";

/// The import path the proof is made under; it is not part of the bytes.
const PACKAGE: &str = "rustgo.verify/p";

/// How Go builds: the assembler does its own part (prologues, thread-local storage) differently for each.
struct Mode {
    name: &'static str,
    goos: &'static str,
    flags: &'static [&'static str],
    /// What the entries leave free for the operating system, in bytes (see `arch::x86_64::entry`).
    system: u32,
}

const MODES: [Mode; 5] = [
    Mode { name: "linux", goos: "linux", flags: &[], system: 0 },
    Mode { name: "position-independent code", goos: "linux", flags: &["-shared"], system: 0 },
    Mode { name: "a plugin", goos: "linux", flags: &["-shared", "-dynlink"], system: 0 },
    Mode { name: "darwin", goos: "darwin", flags: &["-shared"], system: 0 },
    Mode { name: "windows", goos: "windows", flags: &["-shared"], system: 4096 },
];

/// Assemble, compare, vet.
pub fn verify(asm: &File, go_source: &str, go: &Go) -> Result<Verified> {
    let text = asm.print();
    let dir = tempfile::tempdir().map_err(|error| Diagnostic::new(Code::Output, format!("cannot make a temporary folder: {error}")))?;
    let write = |name: &str, content: &str| {
        let path = dir.path().join(name);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).and_then(|()| std::fs::write(&path, content))
        } else {
            std::fs::write(&path, content)
        }
        .map_err(|error| Failure::from(Diagnostic::new(Code::Output, format!("cannot write {}: {error}", path.display()))))
    };
    write(ASM_FILE, &text)?;
    write(GO_FILE, go_source)?;
    let mut sizes = (0, 0);
    for Mode { name: mode, goos, flags, system } in MODES {
        let object = dir.path().join("rustgo.o");
        let output = go.assemble(goos, Arch::Amd64, PACKAGE, &dir.path().join(ASM_FILE), &object, flags)?;
        if !output.status.success() {
            return Err(fault(format!("{} does not assemble for {mode}", ASM_FILE), &output.stderr));
        }
        let bytes = std::fs::read(&object)
            .map_err(|error| Diagnostic::new(Code::Verify, format!("cannot read what go tool asm wrote: {error}")))?;
        let object = goobj::read(&bytes).map_err(|error| {
            Diagnostic::new(Code::Verify, format!("cannot read what {} assembled: {error}", go.text))
                .hint("this version of rustgo may be older than your Go; name another one with --go")
        })?;
        let wrong = compare(asm, &object, system);
        if !wrong.is_empty() {
            return Err(fault(format!("{} made other code than was meant ({mode})", go.text), &wrong.join("\n")));
        }
        // Named symbols only: the others are the runtime's tables.
        sizes =
            object.symbols.iter().filter(|s| !s.name.is_empty()).fold((0, 0), |(code, data), s| {
                if s.is_text() { (code + u64::from(s.size), data) } else { (code, data + u64::from(s.size)) }
            });
    }
    write("go.mod", &format!("module {PACKAGE}\n\ngo 1.24\n\nrequire rustgo.dev/go v0.0.0\n\nreplace rustgo.dev/go => ./rustgo.dev/go\n"))?;
    write("rustgo.dev/go/go.mod", "module rustgo.dev/go\n\ngo 1.24\n")?;
    write("rustgo.dev/go/rt/rt.go", "package rt\n")?;
    let output = go.vet(Arch::Amd64, dir.path())?;
    if !output.status.success() {
        return Err(fault(format!("go vet ({}) finds fault with the generated package", go.text), &output.stderr));
    }
    let files = BTreeMap::from([(GO_FILE.to_owned(), go_source.as_bytes().to_vec()), (ASM_FILE.to_owned(), text.into_bytes())]);
    Ok(Verified { files, code_size: sizes.0, data_size: sizes.1 })
}

/// A failure of ours: the input was accepted and the output is wrong.
fn fault(message: String, detail: &str) -> Failure {
    let mut diagnostic = Diagnostic::new(Code::Verify, message)
        .hint("this is a fault of rustgo's; nothing was written. Please report it with the crate and the versions of rustgo, rustc and Go");
    for line in detail.lines().filter(|l| !l.trim().is_empty()).take(20) {
        diagnostic = diagnostic.note(line.to_owned());
    }
    diagnostic.into()
}

/// The name an object file has for a printed symbol.
fn object_name(printed: &str) -> String {
    let name = printed.trim_end_matches("<>").replace('·', ".").replace('∕', "/");
    if name.starts_with('.') { format!("{PACKAGE}{name}") } else { name }
}

/// Everything in which the object differs from what was meant.
///
/// `system`: what entries leave free for the operating system it was assembled for.
pub fn compare(file: &File, object: &GoObject, system: u32) -> Vec<String> {
    let symbols: BTreeMap<&str, &Symbol> = object.symbols.iter().map(|s| (s.name.as_str(), s)).collect();
    let mut wrong = Vec::new();
    let mut known = Vec::new();
    for item in &file.items {
        let (Item::Text(Text { name, .. }) | Item::Data(Data { name, .. })) = item;
        let name = object_name(name);
        match symbols.get(name.as_str()) {
            None => wrong.push(format!("{name}: is not in the object")),
            Some(symbol) => match item {
                Item::Text(text) => compare_text(text, symbol, system, &mut |what| wrong.push(format!("{name}: {what}"))),
                Item::Data(data) => compare_data(data, symbol, &mut |what| wrong.push(format!("{name}: {what}"))),
            },
        }
        known.push(name);
    }
    // What the assembler adds of its own: nameless tables, debug information of other kinds, maps of pointers.
    let programs =
        |s: &&Symbol| !s.name.is_empty() && !s.name.starts_with("gclocals·") && matches!(s.kind, goobj::kind::STEXT..=goobj::kind::STLSBSS);
    for symbol in object.symbols.iter().filter(programs) {
        if !known.contains(&symbol.name) {
            wrong.push(format!("{}: was not meant to exist", symbol.name));
        }
    }
    wrong
}

fn compare_text(text: &Text, symbol: &Symbol, system: u32, report: &mut dyn FnMut(String)) {
    let Some(func) = &symbol.func else { return report("is not a function".into()) };
    if func.flags & func_flag::SP_WRITE != 0 {
        report("writes SP in a way that stops the unwinder".into());
    }
    if symbol.nosplit() != text.flags.contains(&"NOSPLIT") {
        report(format!("has {} stack check", if symbol.nosplit() { "no" } else { "a" }));
    }
    // The assembler adds the saved frame pointer to a frame it makes.
    let frame = if text.frame > 0 { text.frame + 8 } else { 0 };
    if (func.locals, func.args) != (frame, text.args) {
        report(format!("has a frame of ${}-{} instead of ${frame}-{}", func.locals, func.args, text.args));
    }
    let meant = &text.meant;
    if meant.align > 1 && symbol.align < meant.align {
        report(format!("is aligned to {} bytes instead of {}", symbol.align, meant.align));
    }
    if !meant.bytes.is_empty() {
        let start = meant.start as usize;
        let end = start + meant.bytes.len();
        match symbol.data.get(start..end) {
            None => report(format!("has {} bytes; {end} were meant", symbol.data.len())),
            Some(made) => {
                if let Some(at) = (0..made.len()).find(|&at| made[at] != meant.bytes[at]) {
                    report(format!("byte {at:#x} of the body is {:#04x} instead of {:#04x}", made[at], meant.bytes[at]));
                }
            }
        }
        let mut found = symbol.relocs.iter().filter(|r| (start..end).contains(&(r.offset as usize))).map(|r| {
            let kind = match r.kind {
                goobj::reloc::R_CALL => Some(RefKind::Branch),
                goobj::reloc::R_PCREL => Some(RefKind::Address),
                _ => None,
            };
            (r.offset as usize - start, r.size, kind, r.target.clone(), r.addend)
        });
        let mut wanted = meant.relocs.iter().map(|r| (r.offset as usize, 4, Some(r.kind), object_name(&r.symbol), r.addend));
        loop {
            match (found.next(), wanted.next()) {
                (None, None) => break,
                (a, b) if a == b => {}
                (a, b) => {
                    report(format!("has the relocation {a:?} where {b:?} was meant"));
                    break;
                }
            }
        }
    }
    if meant.bytes.is_empty() {
        compare_references(text, symbol, report);
    }
    if let Some(entry) = &meant.entry {
        let relocated = |at: u32| symbol.relocs.iter().find(|r| r.offset == at && r.size == 4).map(|r| (r.target.clone(), r.addend));
        let named = EntryMeant {
            body: (object_name(&entry.body.0), entry.body.1),
            grow: object_name(&entry.grow),
            stack: entry.stack + system,
            ..entry.clone()
        };
        if let Err(what) = x86_64::try_entry(&symbol.data, &relocated, &named) {
            report(what);
        }
    }
    for &(offset, depth) in &meant.depths {
        let pc = meant.start + offset;
        let table = func.sp_delta(pc);
        if table != i32::try_from(depth).ok() {
            report(format!("the SP table says {table:?} at {pc:#x}, where SP lies {depth} bytes below its value on entry"));
            return;
        }
    }
    // Data held in a text symbol is no code.
    if meant.depths.is_empty() && !meant.bytes.is_empty() {
        return;
    }
    let mut starts = vec![(0, 0)];
    if meant.start > 0 {
        starts.push((meant.start, 0));
    }
    let relocated = |at: u32| symbol.relocs.iter().any(|r| r.offset == at && r.size == 4);
    match x86_64::depths(&symbol.data, &relocated, &starts) {
        Err((at, what)) => report(format!("at {at:#x}: {what}")),
        Ok(depths) => {
            for (pc, depth) in depths {
                let table = func.sp_delta(pc);
                if table != i32::try_from(depth).ok() {
                    report(format!("the SP table says {table:?} at {pc:#x}, where the code has SP {depth} bytes below its value on entry"));
                    return;
                }
            }
        }
    }
}

/// Where the assembler chose the bytes: what they refer to is what the operations name, in their order and with their
/// offsets.
fn compare_references(text: &Text, symbol: &Symbol, report: &mut dyn FnMut(String)) {
    let named = text.ops.iter().filter_map(|op| {
        let Op::Inst(line) = op else { return None };
        let (mnemonic, operands) = line.split_once(' ')?;
        let operand = operands.split_once("(SB)").filter(|_| ["CALL", "JMP", "RET", "LEAQ"].contains(&mnemonic))?.0;
        let (symbol, offset) = operand.rsplit_once('+').map_or((operand, Some(0)), |(symbol, offset)| (symbol, offset.parse().ok()));
        Some((object_name(symbol), offset?))
    });
    let wanted: Vec<(String, i64)> = named.collect();
    let found: Vec<(String, i64)> = symbol
        .relocs
        .iter()
        .filter(|r| matches!(r.kind, goobj::reloc::R_CALL | goobj::reloc::R_PCREL | goobj::reloc::R_GOTPCREL))
        // The assembler's own: what its prologue calls, and where Windows keeps the place of thread-local storage.
        .filter(|r| !r.target.starts_with("runtime.morestack") && r.target != "runtime.tls_g")
        .map(|r| (r.target.clone(), r.addend))
        .collect();
    if found != wanted {
        report(format!("refers to {found:?} where {wanted:?} were meant"));
    }
}

fn compare_data(data: &Data, symbol: &Symbol, report: &mut dyn FnMut(String)) {
    if u64::from(symbol.size) != data.size {
        report(format!("has {} bytes instead of {}", symbol.size, data.size));
    }
    let read_only = symbol.kind == goobj::kind::SRODATA;
    let without_pointers = read_only || matches!(symbol.kind, goobj::kind::SNOPTRDATA | goobj::kind::SNOPTRBSS);
    if read_only != data.read_only || !without_pointers {
        report(format!("is data of another kind than was meant ({})", symbol.kind));
    }
    let mut meant = data.bytes.clone();
    for &(offset, ..) in &data.pointers {
        meant[offset as usize..offset as usize + 8].fill(0);
    }
    let made = &symbol.data;
    let same = meant.iter().enumerate().all(|(at, &byte)| made.get(at).copied().unwrap_or(0) == byte);
    if !same || made.iter().skip(meant.len()).any(|&b| b != 0) {
        report("has other content than was meant".into());
    }
    let found: Vec<_> = symbol.relocs.iter().map(|r| (r.offset, r.size, r.kind, r.target.clone(), r.addend)).collect();
    let wanted: Vec<_> =
        data.pointers.iter().map(|(at, symbol, addend)| (*at, 8, goobj::reloc::R_ADDR, object_name(symbol), *addend)).collect();
    if found != wanted {
        report(format!("has the pointers {found:?} where {wanted:?} were meant"));
    }
}

/// Tests of the comparison break the lowering on purpose: see `tests/verify.rs`.
#[doc(hidden)]
pub fn compare_files(asm: &File, printed: &str, go: &Go, dir: &Path) -> Result<std::result::Result<(), Vec<String>>> {
    let source = dir.join(ASM_FILE);
    let object = dir.join("rustgo.o");
    std::fs::write(&source, printed).map_err(|e| Diagnostic::new(Code::Output, e.to_string()))?;
    let output = go.assemble("linux", Arch::Amd64, PACKAGE, &source, &object, &[])?;
    if !output.status.success() {
        return Ok(Err(vec![output.stderr]));
    }
    let bytes = std::fs::read(&object).map_err(|e| Diagnostic::new(Code::Verify, e.to_string()))?;
    let object = goobj::read(&bytes).map_err(|e| Diagnostic::new(Code::Verify, e))?;
    let wrong = compare(asm, &object, 0);
    Ok(if wrong.is_empty() { Ok(()) } else { Err(wrong) })
}
