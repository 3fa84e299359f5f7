//! Compares the values in `abi.rs` with the sources of the support crate and of `rt`, and with docs/abi.md.

use super::*;
use crate::backend::machine;
use crate::exits::{Exit, HEAP_STACK, Part, Row};
use crate::target::Arch;
use std::path::Path;

const SUPPORT: &str = "crates/support/src/panic.rs";
const UNWINDING: &str = "crates/support/src/unwinding.rs";
const UNWIND: &str = "crates/support/src/libc/unwind.rs";
const RT: &str = "go/rt/entry.go";
const DOCS: &str = "docs/abi.md";

/// The alignment of SP in bytes when `rt` calls the formatter of panic messages.
const FORMATTER_ALIGN: u32 = 64;
/// Number of bytes at the lower end of the formatter's memory. They contain the stack limit, and zeros that must stay zero. The next
/// [`WINDOWS_STACK`] bytes above are for Windows.
const FORMATTER_GUARD: u32 = 1024;
/// Maximum length of a panic message in bytes: the `capacity` of the report.
const MESSAGE: u32 = 4096;

/// A field of the report of a panic, a structure that the formatter fills in for `rt`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Field {
    offset: u32,
    /// The field's name in Rust's `Report`. In Go's `report`, the name is in camelCase.
    name: &'static str,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A pointer to memory that the formatter writes: `*mut u8`.
    Buffer,
    /// A pointer that the formatter stores in the report: `*const u8`.
    Text,
    Size,
    Number,
}

/// The fields of the report of a panic. `rt` sets `message` and `capacity`, the formatter sets the other fields.
const REPORT: [Field; 7] = [
    Field { offset: 0, name: "message", kind: Kind::Buffer },
    Field { offset: 8, name: "capacity", kind: Kind::Size },
    Field { offset: 16, name: "length", kind: Kind::Size },
    Field { offset: 24, name: "file", kind: Kind::Text },
    Field { offset: 32, name: "file_len", kind: Kind::Size },
    Field { offset: 40, name: "line", kind: Kind::Number },
    Field { offset: 44, name: "column", kind: Kind::Number },
];

impl Kind {
    /// Returns the field's type in Rust and in Go, and its size in bytes, which is also its alignment.
    fn spelled(self) -> (&'static str, &'static str, u32) {
        match self {
            Kind::Buffer => ("*mut u8", "*byte", 8),
            Kind::Text => ("*const u8", "*byte", 8),
            Kind::Size => ("usize", "uintptr", 8),
            Kind::Number => ("u32", "uint32", 4),
        }
    }
}

fn read(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)).expect("the source is there")
}

fn assembly(arch: Arch) -> String {
    format!("go/rt/panic_{arch}.s")
}

/// Asserts that the source contains the text `words`. A run of white space counts as one space, and the `//` at the start of a line is ignored.
fn says(path: &str, words: &str) {
    let bare = |line: &str| line.trim().trim_start_matches("//").split_whitespace().collect::<Vec<_>>().join(" ");
    let text = read(path).lines().map(bare).collect::<Vec<_>>().join(" ");
    assert!(text.contains(words), "{path} does not say: {words}");
}

/// Returns the text between `from` and the first `to` after it.
fn between<'t>(path: &str, text: &'t str, from: &str, to: &str) -> &'t str {
    let rest = text.split_once(from).unwrap_or_else(|| panic!("{path} has no {from:?}")).1;
    rest.split_once(to).unwrap_or_else(|| panic!("{path} has no {to:?} behind {from:?}")).0
}

fn number(path: &str, text: &str) -> u32 {
    text.trim().parse().unwrap_or_else(|_| panic!("{path}: {text:?} is no number"))
}

/// Returns the number in front of each occurrence of `words`.
fn numbers_before(path: &str, words: &str) -> Vec<u32> {
    let text = read(path);
    let before = text.match_indices(words).map(|(at, _)| text[..at].rsplit(|c: char| !c.is_ascii_digit()).next().unwrap_or_default());
    before.map(|digits| number(path, digits)).collect()
}

#[test]
fn sizes_are_those_of_rt() {
    let constants = read(RT);
    let constants = between(RT, &constants, "const (\n", "\n)");
    let sizes = [
        ("slotSize", MESSAGE),
        ("stackSize", FORMATTER_STACK),
        ("systemSize", WINDOWS_STACK),
        ("aboveSize", FORMATTER_ABOVE),
        ("guardSize", FORMATTER_GUARD),
    ];
    for (name, size) in sizes {
        let line = constants.lines().find(|line| line.split_whitespace().next() == Some(name)).unwrap_or_else(|| panic!("{RT}: {name}"));
        let value = line.split_once('=').map(|(_, value)| value.split("//").next().unwrap_or_default());
        assert_eq!(number(RT, value.unwrap_or_default()), size, "{RT}: {name}");
    }
    // The source must put guard, system and stack in this order, from the lowest address.
    says(RT, "limit = guardSize + systemSize wholeSize = limit + stackSize");
    let kib = FORMATTER_STACK >> 10;
    assert_eq!(numbers_before(RT, " KiB of stack"), [kib, kib], "messages in {RT}");
    says(&assembly(Arch::Amd64), "GLOBL stack<>(SB), NOPTR, $(const_wholeSize+const_aboveSize)");
    says("go/rt/panic.go", &format!("A message of more than {MESSAGE} bytes is cut off"));
    let amd64 = assembly(Arch::Amd64);
    says(&amd64, &format!("the entry ensures {NOSPLIT_STACK} bytes more than the call needs"));
    assert_eq!(numbers_before(&amd64, " KiB for the formatter"), [kib], "{amd64}");
    for (arch, line) in [(Arch::Amd64, "ANDQ $~@, CX"), (Arch::Arm64, "AND $~@, R4, R4")] {
        says(&assembly(arch), &line.replace('@', &(FORMATTER_ALIGN - 1).to_string()));
    }
}

#[test]
fn offsets_agree_with_rt() {
    let at = |offset: u32, register: &str| if offset == 0 { format!("({register})") } else { format!("{offset}({register})") };
    let amd64 = assembly(Arch::Amd64);
    // `rt` must write the new lower bound of the stack to `g.stack.lo`. When it switches to the formatter's stack, it must first store the
    // limit of the formatter's code in this stack.
    says(&amd64, &format!("MOVQ R9, {G_STACK_LO}(R8) \\"));
    says(&amd64, &format!("MOVQ R11, {LIMIT}(R9) MOVQ R9, {G_STACK_LO}(R8)"));
    let arm64 = assembly(Arch::Arm64);
    says(&arm64, &format!("MOVD R4, {G_STACK_LO}(g) \\"));
    says(&arm64, &format!("MOVD R4, {} MOVD R3, {G_STACK_LO}(g)", at(LIMIT, "R3")));
}

#[test]
fn names_agree_with_the_support_crate() {
    says(
        SUPPORT,
        &format!("#[unsafe(no_mangle)] pub unsafe extern \"C\" fn {FORMAT_PANIC}(info: *const PanicInfo<'_>, report: *mut Report) {{"),
    );
    says(
        SUPPORT,
        &format!(
            "#[cfg(all({CFG}, {CFG_STD}, not(target_family = \"wasm\")))] #[unsafe(no_mangle)] extern \"C-unwind\" fn {ALLOC_ERROR}() -> ! {{"
        ),
    );
    says(UNWIND, &format!("#[cfg({CFG_STD})] #[unsafe(no_mangle)] extern \"C\" fn {NO_SYMBOLS}() {{}}"));
    says(
        SUPPORT,
        &format!(
            "#[cfg(all({CFG}, {CFG_STD}, not({CFG_UNWIND}), not(target_family = \"wasm\")))] #[unsafe(no_mangle)] #[track_caller] fn {PANIC_PAYLOAD}(payload: &dyn fmt::Display) -> ! {{"
        ),
    );
    says(UNWINDING, &format!("pub unsafe extern \"C-unwind\" fn {FORMAT_PANIC}(panic: *const u8, unwinding: *mut Unwinding) {{"));
    says(UNWINDING, &format!("#[track_caller] fn {PANIC_PAYLOAD}(payload: &mut dyn PanicPayload) -> ! {{"));
    says(UNWINDING, &format!("extern \"C\" fn {FOREIGN_EXCEPTION}() -> ! {{"));
    for row in Exit::of(Part::Unwinding) {
        if let Some(symbol) = row.symbol {
            says(UNWINDING, &format!("fn {symbol}("));
        }
    }
    for row in Exit::of(Part::Core) {
        if let Some(symbol) = row.symbol {
            says(SUPPORT, &format!("fn {symbol}("));
        }
    }
}

/// Checks the functions of `rt` for panics that unwind, and the struct that the formatter gets.
#[test]
fn unwinding_agrees() {
    let rt = "go/rt/unwind.go";
    for arch in Arch::ALL {
        let path = assembly(arch);
        let text = read(&path);
        // All functions of this part jump to one function at their end. Only this last function has a frame.
        let last = if arch == Arch::Amd64 { "raiseReport" } else { "formatted" };
        let frame = number(&path, between(&path, &text, &format!("\nTEXT {last}<>(SB), NOSPLIT, $"), "-0\n"));
        for Row { name, function, stack, .. } in Exit::of(Part::Unwinding) {
            assert!(read(rt).contains(&format!("\nfunc {function}()\n")), "{rt} does not declare {function}");
            assert!(text.contains(&format!("\nTEXT ·{function}(SB), NOSPLIT|NOFRAME, $0-0\n")), "{path} does not define {function}");
            says(DOCS, &format!("`rt.{function}`"));
            assert!(used(arch, frame) + 8 <= *stack, "{name}");
        }
        says(&path, &format!("The function needs {} bytes of stack below SP at entry.", used(arch, frame)));
    }
    for field in ["report: Report,", "frames: *mut usize,", "count: usize,", "ends: usize,", "ends_process: usize,"] {
        says(UNWINDING, &format!("pub {field}"));
    }
    says(rt, "type unwinding struct { report frames *uintptr");
    says(rt, "fatal uintptr");
    says("go/rt/entry.go", "const endsProcess = 1 << 31");
    assert_eq!(ENDS_PROCESS, 1 << 31);
}

#[test]
fn the_report_is_one_struct() {
    let mut end = 0;
    for Field { offset, name, kind } in REPORT {
        let (_, _, size) = kind.spelled();
        assert_eq!((offset, offset % size), (end, 0), "{name}: fields follow each other without padding");
        end += size;
    }
    let support = read(SUPPORT);
    says(SUPPORT, "#[repr(C)] #[derive(Debug)] pub struct Report {");
    let fields = between(SUPPORT, &support, "pub struct Report {\n", "\n}").lines().filter_map(|line| line.trim().strip_prefix("pub "));
    let fields: Vec<String> = fields.map(|field| field.trim_end_matches(',').to_owned()).collect();
    assert_eq!(fields, REPORT.map(|field| format!("{}: {}", field.name, field.kind.spelled().0)), "{SUPPORT}");

    let rt = read(RT);
    let fields = between(RT, &rt, "type report struct {\n", "\n}").lines().map(|line| line.split("//").next().unwrap_or_default());
    let fields: Vec<String> = fields.map(|field| field.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(fields, REPORT.map(|field| format!("{} {}", camel_case(field.name), field.kind.spelled().1)), "{RT}");

    for Field { offset, name, kind } in REPORT {
        says(DOCS, &format!("| {offset} | `{name}: {}` |", kind.spelled().0));
    }
}

fn camel_case(name: &str) -> String {
    let mut parts = name.split('_');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |name, part| name + &part[..1].to_uppercase() + &part[1..])
}

/// Returns the number of bytes below SP on entry that a function of `rt` uses before it calls Go code. (Go code checks the stack itself.)
fn used(arch: Arch, frame: u32) -> u32 {
    match arch {
        // Sum of the frame pointer, the frame, and the return address of a call.
        Arch::Amd64 => 8 + frame + 8,
        // The return address is part of the frame, and the assembler makes the frame a multiple of 16 bytes
        // (cmd/internal/obj/arm64/obj7.go). The frame pointer is saved below the frame.
        Arch::Arm64 => {
            let frame = frame + 8;
            frame + if frame % 16 == 8 { 8 } else { 16 } + 8
        }
    }
}

#[test]
fn exits_are_functions_of_rt() {
    for arch in Arch::ALL {
        let path = assembly(arch);
        let text = read(&path);
        for row in Exit::of(Part::Core) {
            let Row { name, function, arguments, stack, .. } = row;
            assert!(read(RT).contains(&format!("\nfunc {function}()\n")), "{RT} does not declare {function}");
            let about = between(&path, &text, &format!("// func {function}()\n"), &format!("\nTEXT ·{function}(SB), NOSPLIT, $"));
            let frame = number(&path, between(&path, &text, &format!("\nTEXT ·{function}(SB), NOSPLIT, $"), "-0\n"));
            // A function's comment states the function's stack use. For the first function, the comment at the top of the file states
            // it.
            let by_name = format!("// {function} needs ");
            let from = if text.contains(&by_name) { by_name.as_str() } else { "The function needs " };
            let stated = number(&path, between(&path, if from == by_name { &text } else { about }, from, " bytes of stack"));
            assert_eq!(stated, used(arch, frame), "{path}: {function}");
            // On amd64 a checked entry calls the function. The return address needs 8 bytes more.
            assert!(stated + 8 <= *stack, "{path}: {function} needs {stated} bytes, and {name} has {stack}");
            // A line of the comment consists of register names, two spaces, and a description of the registers' content.
            let registers = about.lines().filter_map(|line| line.strip_prefix("//\t")?.split("  ").next());
            let registers: Vec<&str> = registers.flat_map(|names| names.split(", ")).collect();
            let c = machine(arch).arguments();
            let given: Vec<&str> = registers.into_iter().filter(|register| c.contains(register)).collect();
            assert_eq!(given, c[..arguments.len()], "{path}: {function}");
        }
    }
}

/// Checks the functions of `rt` that generated code calls for the heap. The heap is Rust code; its system calls are assembly.
#[test]
fn exits_of_the_heap_are_functions_of_rt() {
    for arch in Arch::ALL {
        let (made, written) = (format!("go/rt/rustgo_{arch}.s"), format!("go/rt/heap_{arch}.s"));
        let (made_text, written_text) = (read(&made), read(&written) + &read(&format!("go/rt/system_{arch}.s")));
        // The function `corrupt` is in the file about panics, because it uses the formatter's stack. The function `thread` is in the file about
        // tasks, because it looks for a task.
        let all_written = written_text.clone() + &read(&format!("go/rt/panic_{arch}.s")) + &read(&format!("go/rt/tasks_{arch}.s"));
        let declared = read("go/rt/heap.go") + &read("go/rt/system.go") + &read("go/rt/tasks.go") + &read(RT);
        for Row { function, stack, returns, .. } in Exit::of(Part::Heap) {
            if *stack == HEAP_STACK {
                assert!(read("go/rt/rustgo.go").contains(&format!("\nfunc {function}() ")), "rustgo.go does not declare {function}");
                let from = format!("// {function}, by C's convention; needs ");
                let needed = number(&made, between(&made, &made_text, &from, " bytes of stack\n"));
                // The 8 bytes added are for the return address.
                assert!(needed + 8 <= *stack, "{made}: {function} needs {needed} bytes, and has {stack}");
                assert!(made_text.contains(&format!("\nTEXT ·{function}(SB), NOSPLIT|NOFRAME, $0-0\n")), "{made}: {function}");
            } else {
                assert!(declared.contains(&format!("\nfunc {function}()\n")), "{function} is not declared");
                let about = between(&written, &all_written, &format!("// func {function}()"), &format!("\nTEXT ·{function}(SB), NOSPLIT"));
                let frame = between(&written, &all_written, &format!("\nTEXT ·{function}(SB), NOSPLIT"), "-0\n");
                // On arm64 the assembler restores the frame pointer when a function with a frame returns, so such a function must
                // have no frame.
                assert!(!returns || arch == Arch::Amd64 || frame == "|NOFRAME, $0", "{function}");
                // For some functions, heap_amd64.s states the stack use for both architectures.
                if about.contains(" bytes of stack") {
                    let stated = number(&written, between(&written, about, "The function needs ", " bytes of stack below SP at entry"));
                    assert!(stated + 8 <= *stack, "{function} needs {stated} bytes, and has {stack}");
                } else {
                    assert!(frame == "|NOFRAME, $0" || !returns, "{function} has a frame and does not say what it needs");
                }
            }
        }
        // No instruction may load or store a variable by name, because the assembler then uses a register that C code expects unchanged: R27 on
        // arm64, and R15 on amd64 in dynamically linked programs. For an instruction that only computes an address, the assembler uses such a
        // register only in a plugin.
        let makes_address = |line: &str| line.contains("LEAQ") || line.contains("MOVD $");
        let by_name =
            |line: &&str| line.contains("(SB)") && !["TEXT", "CALL", "JMP"].iter().any(|word| line.contains(word)) && !makes_address(line);
        assert_eq!(written_text.lines().find(by_name), None, "{arch}");
    }
}

/// In a plugin for arm64, Go's assembler uses R27 to load the address of a variable. So the functions that Rust code calls, and the macro TASK, must
/// save R27 in another register and restore it after the load.
#[test]
fn addresses_do_not_change_r27() {
    let text =
        read("go/rt/heap_arm64.s") + &read("go/rt/system_arm64.s") + &read("go/rt/tasks_arm64.s").replace("#define TASK", "\nTEXT TASK");
    let mut checked = 0;
    for function in text.split("\nTEXT ") {
        // Windows has no plugins.
        let is_load = |line: &&str| line.trim_start().starts_with("MOVD $·") && !line.contains("·virtual");
        let lines: Vec<&str> = function.lines().collect();
        let Some(first) = lines.iter().position(is_load) else { continue };
        let last = lines.iter().rposition(is_load).unwrap_or(first);
        let saved = lines[..first].iter().find_map(|line| line.trim_start().strip_prefix("MOVD R27, ")?.split_whitespace().next());
        let saved = saved.unwrap_or_else(|| panic!("R27 is not saved: {function}"));
        assert!(lines[last..].iter().any(|line| line.trim_start().starts_with(&format!("MOVD {saved}, R27"))), "{function}");
        let is_changed = |line: &&str| line.split_whitespace().take_while(|word| *word != "//").last().is_some_and(|word| word == saved);
        assert!(!lines[first..last].iter().any(is_changed), "{saved} is changed: {function}");
        checked += 1;
    }
    assert_eq!(checked, 5);
}

/// Checks the functions of `rt` that the entry of a blocking export calls before and after the body.
#[test]
fn blocking_calls_use_functions_of_rt() {
    for function in [ENTER_CALL, LEAVE_CALL] {
        assert!(read("go/rt/blocking.go").contains(&format!("\nfunc {function}()\n")), "{function} is not declared");
        for arch in Arch::ALL {
            let path = format!("go/rt/blocking_{arch}.s");
            assert!(read(&path).contains(&format!("\nTEXT ·{function}(SB), NOSPLIT|NOFRAME, $0-0\n")), "{path}: {function}");
        }
        says(DOCS, &format!("`rt.{function}`"));
    }
}

#[test]
fn documents_agree() {
    let panic = Exit::Panic.row();
    says(DOCS, &format!("`enter` may use {} bytes below SP", panic.stack));
    says("docs/safety.md", &format!("and {} bytes for a panic at the bottom", panic.stack));
    says(DOCS, &format!("`g.stack.lo` + bound + {NOSPLIT_STACK} (+ {WINDOWS_STACK} on Windows"));
    says(DOCS, &format!("a stack of its own: {} KiB, with SP a multiple of {FORMATTER_ALIGN}", FORMATTER_STACK >> 10));
    says(DOCS, &format!("lie {} KiB, which must stay zero, and {} KiB for", FORMATTER_GUARD >> 10, WINDOWS_STACK >> 10));
    says(DOCS, &format!("in: {MESSAGE} |"));
    for row in Exit::of(Part::Heap) {
        let symbol = row.symbol.expect("Rust and C code call it by its name");
        says(DOCS, &format!("| `{symbol}` | `rt.{}` |", row.function));
    }
    for row in Exit::of(Part::Core) {
        says(DOCS, &format!("rt.{}`", row.function));
        for name in row.symbol.into_iter().chain(row.stub.as_ref().map(|stub| stub.symbol)) {
            says(DOCS, &format!("`{name}"));
        }
    }
    says(DOCS, &format!("`{FORMAT_PANIC}`"));
    says(DOCS, &format!("`{ALLOC_ERROR}`"));
    says(DOCS, &format!("`{NO_SYMBOLS}`"));
    says(DOCS, &format!("`{PANIC_PAYLOAD}`"));
    says(DOCS, &format!("`--cfg {CFG}`, and, if the crate links std, `--cfg {CFG_STD}`"));
}

/// After a Go function has panicked, a Rust panic unwinds the Rust frames. `rt` recognises this panic by its text.
#[test]
fn panics_of_go_functions_have_one_text() {
    let text = "\"a Go function that Rust has called panicked\"";
    says("crates/support/src/border/func.rs", &format!("const PANICKED: &str = {text};"));
    says("go/rt/heap_callbacks.go", &format!("const goPanicked = {text}"));
}

/// Rust and Go have the same numbers for the states of kept values, the kinds of errors, and the methods of readers and writers.
#[test]
fn numbers_of_callbacks_agree() {
    const KEPT: &str = "crates/support/src/border/kept.rs";
    const FUNC: &str = "crates/support/src/border/owned/func.rs";
    const STREAMS: &str = "crates/support/src/border/owned/streams.rs";
    for (rust, go) in [
        ("const RELEASED: u32 = 1;", "keptReleased = 1 "),
        ("const TAKEN: u32 = 2;", "keptTaken = 2 "),
        ("const KEPT_DONE: u32 = 4;", "keptDone = 4 "),
    ] {
        says(KEPT, rust);
        says("go/rt/heap_kept.go", go);
    }
    for (rust, go) in [
        ("NotFound = 1,", "case errors.Is(err, fs.ErrNotExist): return 1"),
        ("PermissionDenied = 2,", "case errors.Is(err, fs.ErrPermission): return 2"),
        ("AlreadyExists = 3,", "case errors.Is(err, fs.ErrExist): return 3"),
        ("TimedOut = 4,", "case errors.As(err, &timeout) && timeout.Timeout(): return 4"),
        ("UnexpectedEof = 5,", "errors.Is(err, io.ErrUnexpectedEOF): return 5"),
        ("WriteZero = 6,", "case errors.Is(err, io.ErrShortWrite): return 6"),
        ("BrokenPipe = 7,", "case errors.Is(err, io.ErrClosedPipe): return 7"),
    ] {
        says(FUNC, rust);
        says("go/rt/heap_callbacks.go", go);
    }
    says("go/rt/heap_streams.go", "streamRead = iota streamWrite streamFlush streamSeek streamReadAt");
    for operation in ["READ: u64 = 0", "WRITE: u64 = 1", "FLUSH: u64 = 2", "SEEK: u64 = 3", "READ_AT: u64 = 4"] {
        says(STREAMS, &format!("pub const {operation};"));
    }
    // The index of a method precedes its arguments.
    says("crates/support/src/border/func.rs", "(% $index:ident) => { u64 };");
    says("crates/cli/src/bind/task.rs", "switch *(*uint64)({}) {{");
    says("crates/support/src/border/owned/failure.rs", "const GO_ERROR: u32 = u32::MAX;");
    says("go/rt/errors.go", "goError = 1<<32 - 1");
}
