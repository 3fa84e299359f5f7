//! The proof proved: a file that was lowered right is broken on purpose, one way after another, and each time the
//! comparison with what the assembler made must say so and name the function.

mod common;

use common::{Lowered, case_archive, failure_text, folder, read};
use rustgo_cli::backend::{Backend, machine};
use rustgo_cli::goasm::{EntryMeant, RefKind, Text};
use rustgo_cli::target::Arch;
use rustgo_cli::verify::{self, Mode, Prover, Reference};
use std::collections::BTreeMap;
use std::path::Path;

fn lowered(arch: Arch) -> Lowered {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(folder(arch, "verify")).join("broken.s");
    common::lower(arch, &case_archive(arch, &read(&path))).unwrap_or_else(|failure| panic!("{}", failure_text(&failure)))
}

/// What is said of `printed` where `made` was meant.
fn compare(made: &Lowered, printed: &str) -> Result<(), Vec<String>> {
    compare_by(machine(made.asm.arch), made, printed)
}

fn compare_by(prover: &dyn Prover, made: &Lowered, printed: &str) -> Result<(), Vec<String>> {
    let dir = tempfile::tempdir().expect("a scratch folder");
    verify::compare_files(&made.asm, printed, prover, &common::go(), dir.path())
        .unwrap_or_else(|failure| panic!("{}", failure_text(&failure)))
}

/// One way to break it: in the symbol whose text begins with `within`, the first `from` becomes `to`.
struct Break {
    what: &'static str,
    within: &'static str,
    from: &'static str,
    to: &'static str,
    /// What must be said, besides the symbol's name.
    says: &'static str,
}

const FRAMED: &str = "TEXT case·framed<>";
const WALK: &str = "TEXT rust·walk<>";
const LEAF: &str = "TEXT rust·leaf<>";
const FUSED: &str = "TEXT ·Fused";
const ENTRY: &str = "TEXT ·Framed(SB)";

const AMD64: &[Break] = &[
    Break { what: "a dead ADJSP is dropped", within: WALK, from: "; ADJSP $8", to: "", says: "instead of" },
    Break { what: "an ADJSP moves by less", within: WALK, from: "ADJSP $32", to: "ADJSP $24", says: "instead of" },
    Break { what: "an ADJSP becomes bytes", within: WALK, from: "ADJSP $32", to: "LONG $0x20ec8348", says: "SP table" },
    Break { what: "a push becomes a byte", within: WALK, from: "PUSHQ BX", to: "BYTE $0x53", says: "SP table" },
    Break { what: "a pop becomes a byte", within: WALK, from: "POPQ BX", to: "BYTE $0x5b", says: "SP table" },
    Break { what: "another register is pushed", within: WALK, from: "PUSHQ BX", to: "PUSHQ CX", says: "byte" },
    Break {
        what: "a call loses its offset",
        within: WALK,
        from: "CALL rust·leaf<>+32(SB)",
        to: "CALL rust·leaf<>(SB)",
        says: "relocation",
    },
    Break {
        what: "a call goes elsewhere",
        within: WALK,
        from: "CALL rust·leaf<>+32(SB)",
        to: "CALL rust·walk<>+32(SB)",
        says: "relocation",
    },
    Break {
        what: "a tail jump is written as JMP, which drops the offset",
        within: WALK,
        from: "LEAQ rust·leaf<>+32(SB), R11",
        to: "JMP rust·leaf<>+32(SB); WORD $0x9090",
        says: "",
    },
    Break { what: "an address is another's", within: FRAMED, from: "LEAQ rust·data·", to: "LEAQ rust·data·9", says: "relocation" },
    Break {
        what: "a byte changes",
        within: LEAF,
        from: "LONG $0x40048d48",
        to: "LONG $0x50048d48",
        says: "byte 0x3 of the body is 0x50 instead of 0x40",
    },
    Break { what: "an instruction is missing", within: LEAF, from: "; BYTE $0xc3", to: "", says: "" },
    Break { what: "an instruction is added", within: LEAF, from: "; BYTE $0xc3", to: "; BYTE $0x90; BYTE $0xc3", says: "byte" },
    Break { what: "a leaf without the dead call has no prologue", within: LEAF, from: "; CALL rust·leaf<>+32(SB)", to: "", says: "" },
    Break { what: "the body is aligned to less", within: WALK, from: "PCALIGN $32", to: "PCALIGN $16", says: "" },
    Break { what: "a function loses its stack check", within: WALK, from: "NOFRAME", to: "NOSPLIT|NOFRAME", says: "has no stack check" },
    Break { what: "an entry gets a second stack check", within: ENTRY, from: "NOSPLIT|NOFRAME", to: "NOFRAME", says: "" },
    Break { what: "SP is masked", within: FUSED, from: "PUSHQ AX", to: "ANDQ $-16, SP; PUSHQ AX", says: "writes SP" },
    Break { what: "SP is tested", within: FUSED, from: "PUSHQ AX", to: "TESTQ $8, SP; PUSHQ AX", says: "writes SP" },
    Break { what: "the frame of a body has a size", within: WALK, from: "NOFRAME, $0-0", to: "0, $16-0", says: "" },
    Break {
        what: "a fused entry's area has another offset",
        within: FUSED,
        from: "LEAQ ret+8(FP), SI",
        to: "LEAQ ret+16(FP), SI",
        says: "byte",
    },
    Break {
        what: "an entry calls the dead prologue",
        within: ENTRY,
        from: "CALL case·framed<>+32(SB)",
        to: "CALL case·framed<>(SB)",
        says: "",
    },
    Break {
        what: "an entry calls another function",
        within: ENTRY,
        from: "CALL case·framed<>+32(SB)",
        to: "CALL rust·walk<>+32(SB)",
        says: "",
    },
    Break { what: "an entry swaps its areas", within: ENTRY, from: "LEAQ x+0(FP), DI", to: "LEAQ x+0(FP), SI", says: "" },
    Break { what: "an entry's area has another offset", within: ENTRY, from: "LEAQ ret+8(FP), SI", to: "LEAQ ret+16(FP), SI", says: "" },
    Break { what: "an entry checks for too little stack", within: ENTRY, from: "LEAQ ", to: "LEAQ -1024+", says: "" },
    Break { what: "a constant of a data symbol changes", within: "DATA rust·rodata·", from: "$0x4d", to: "$0x4e", says: "content" },
    Break {
        what: "a pointer loses its offset",
        within: "DATA rust·rodata·",
        from: "$rust·leaf<>+32(SB)",
        to: "$rust·leaf<>(SB)",
        says: "pointers",
    },
    Break {
        what: "a pointer is another's",
        within: "DATA rust·rodata·",
        from: "$rust·leaf<>+32(SB)",
        to: "$rust·walk<>+32(SB)",
        says: "pointers",
    },
    Break { what: "a mutable static cannot be written", within: "GLOBL rust·data·", from: "NOPTR", to: "RODATA|NOPTR", says: "" },
    Break { what: "the collector looks for pointers in data", within: "GLOBL rust·data·", from: "NOPTR", to: "0", says: "" },
    Break { what: "a mutable static is larger", within: "GLOBL rust·data·", from: ", $8", to: ", $16", says: "bytes instead of" },
];

const CHECKED: &str = "TEXT sum·checked<>";
const RODATA: &str = "DATA rust·rodata·1";

const ARM64: &[Break] = &[
    Break { what: "a frame is smaller", within: WALK, from: "SUB $4096, RSP, RSP", to: "SUB $2048, RSP, RSP", says: "SP table" },
    Break { what: "a move down becomes a word", within: WALK, from: "SUB $32, RSP, RSP", to: "WORD $0xd10083ff", says: "SP table" },
    Break { what: "a move up becomes a word", within: WALK, from: "ADD $32, RSP, RSP", to: "WORD $0x910083ff", says: "SP table" },
    Break { what: "SP moves up instead of down", within: FRAMED, from: "SUB $2048", to: "ADD $2048", says: "SP table" },
    Break {
        what: "a move is made twice",
        within: FRAMED,
        from: "SUB $2048, RSP, RSP",
        to: "SUB $2048, RSP, RSP; SUB $16, RSP, RSP",
        says: "SP table",
    },
    Break {
        what: "a move is one that the assembler takes apart",
        within: WALK,
        from: "SUB $4096, RSP, RSP\n\tWORD $0xf81e03fe; SUB $32, RSP, RSP",
        to: "WORD $0xf81e03fe; SUB $4128, RSP, RSP",
        says: "byte",
    },
    Break {
        what: "a dead move is dropped",
        within: WALK,
        from: "WORD $0xd65f03c0; SUB $4096, RSP, RSP",
        to: "WORD $0xd65f03c0; WORD $0xd503201f",
        says: "SP table",
    },
    Break {
        what: "a dead move is smaller",
        within: WALK,
        from: "WORD $0xd65f03c0; SUB $4096, RSP, RSP",
        to: "WORD $0xd65f03c0; SUB $2048, RSP, RSP",
        says: "SP table",
    },
    Break {
        what: "the return address is not stored",
        within: FRAMED,
        from: "WORD $0xf900023e",
        to: "WORD $0xd503201f",
        says: "at 0xc: does not have the return address at SP",
    },
    Break {
        what: "the return address is stored elsewhere",
        within: WALK,
        from: "WORD $0xf81e03fe",
        to: "WORD $0xf81d03fe",
        says: "does not have the return address at SP",
    },
    Break {
        what: "it is not stored between the two moves up",
        within: WALK,
        from: "WORD $0xf90803fe",
        to: "WORD $0xd503201f",
        says: "does not have the return address at SP",
    },
    Break { what: "x18 is written", within: LEAF, from: "WORD $0x8b000400", to: "WORD $0x8b000412", says: "at 0x0: uses x18 or x28" },
    Break { what: "x28 is read", within: LEAF, from: "WORD $0x8b000400", to: "WORD $0x8b1c0400", says: "at 0x0: uses x18 or x28" },
    Break { what: "x28 is stored", within: FUSED, from: "WORD $0xf9000be8", to: "WORD $0xf9000bfc", says: "at 0x14: uses x18 or x28" },
    Break {
        what: "x18 is loaded as one of a pair",
        within: WALK,
        from: "WORD $0xa9404e3e",
        to: "WORD $0xa9404a3e",
        says: "uses x18 or x28",
    },
    Break {
        what: "a word changes",
        within: LEAF,
        from: "WORD $0x8b000400",
        to: "WORD $0x8b000500",
        says: "byte 0x1 of the body is 0x05 instead of 0x04",
    },
    Break { what: "a word is missing", within: LEAF, from: "WORD $0x8b000400; ", to: "", says: "byte 0x0" },
    Break { what: "a word is added", within: LEAF, from: "WORD $0x8b000400", to: "WORD $0xd503201f; WORD $0x8b000400", says: "byte 0x0" },
    Break { what: "a call goes elsewhere", within: WALK, from: "CALL rust·leaf<>(SB)", to: "CALL rust·walk<>(SB)", says: "relocation" },
    Break {
        what: "a call goes to another instruction",
        within: WALK,
        from: "CALL rust·leaf<>(SB)",
        to: "CALL rust·leaf<>+4(SB)",
        says: "relocation",
    },
    Break {
        what: "a tail jump goes to another instruction",
        within: WALK,
        from: "JMP rust·leaf<>(SB)",
        to: "JMP rust·leaf<>+4(SB)",
        says: "relocation",
    },
    Break { what: "a tail jump is a call", within: WALK, from: "JMP rust·leaf<>(SB)", to: "CALL rust·leaf<>(SB)", says: "byte" },
    Break {
        what: "an address is another's", within: FRAMED, from: "$rust·data·2<>(SB)", to: "$rust·rodata·1<>(SB)", says: "relocation"
    },
    Break {
        what: "an address loses its offset",
        within: FRAMED,
        from: "$rust·rodata·1<>+8(SB)",
        to: "$rust·rodata·1<>(SB)",
        says: "relocation",
    },
    Break {
        what: "an address goes to another register",
        within: FRAMED,
        from: "$rust·data·2<>(SB), R9",
        to: "$rust·data·2<>(SB), R10",
        says: "byte",
    },
    Break {
        what: "an address is loaded from", within: FRAMED, from: "$rust·data·2<>(SB), R9", to: "rust·data·2<>(SB), R9", says: "byte"
    },
    Break { what: "a function loses its stack check", within: WALK, from: "NOFRAME", to: "NOSPLIT|NOFRAME", says: "has no stack check" },
    Break {
        what: "the frame of a body has a size",
        within: WALK,
        from: "NOFRAME, $0-0",
        to: "0, $16-0",
        says: "has a frame of $24-0 instead of $0-0",
    },
    Break {
        what: "SP is set from a register",
        within: FUSED,
        from: "WORD $0xf9400008",
        to: "MOVD R9, RSP; WORD $0xf9400008",
        says: "writes SP",
    },
    Break { what: "a fused entry checks the stack", within: FUSED, from: "NOSPLIT|NOFRAME", to: "NOFRAME", says: "has a stack check" },
    Break { what: "a fused entry's area has another offset", within: FUSED, from: "$ret+8(FP)", to: "$ret+16(FP)", says: "byte" },
    Break { what: "an entry makes room for less", within: ENTRY, from: "$8208-16", to: "$4112-16", says: "has a frame" },
    Break { what: "an entry does not check the stack", within: ENTRY, from: "0, $8208", to: "NOSPLIT, $8208", says: "has no stack check" },
    Break {
        what: "an entry calls another function",
        within: ENTRY,
        from: "CALL case·framed<>(SB)",
        to: "CALL rust·walk<>(SB)",
        says: "calls rust.walk+0 instead of case.framed+0",
    },
    Break {
        what: "an entry calls another instruction",
        within: ENTRY,
        from: "CALL case·framed<>(SB)",
        to: "CALL case·framed<>+4(SB)",
        says: "calls case.framed+4 instead of case.framed+0",
    },
    Break {
        what: "an entry swaps its areas",
        within: ENTRY,
        from: "$x+0(FP), R0",
        to: "$x+0(FP), R1",
        says: "another address than that of the arguments",
    },
    Break {
        what: "an entry's area has another offset",
        within: ENTRY,
        from: "$ret+8(FP)",
        to: "$ret+16(FP)",
        says: "another address than that of the results",
    },
    Break {
        what: "an entry does not roll SP up as far",
        within: ENTRY,
        from: "ADD $8192, RSP, RSP",
        to: "ADD $4096, RSP, RSP",
        says: "without its return address at SP",
    },
    Break {
        what: "an entry rolls SP up behind the assembler's back",
        within: ENTRY,
        from: "ADD $8192, RSP, RSP",
        to: "WORD $0x91400bff",
        says: "SP table",
    },
    Break {
        what: "an entry does not store its return address",
        within: ENTRY,
        from: "WORD $0xf900021e",
        to: "WORD $0xd503201f",
        says: "without its return address at SP",
    },
    Break {
        what: "an entry does not save the frame pointer",
        within: ENTRY,
        from: "WORD $0xf9000611",
        to: "WORD $0xd503201f",
        says: "without a frame record",
    },
    Break {
        what: "an entry does not complete its record",
        within: ENTRY,
        from: "WORD $0xf9000a1e",
        to: "WORD $0xd503201f",
        says: "without a frame record",
    },
    Break {
        what: "an entry's frame pointer is not its record",
        within: ENTRY,
        from: "WORD $0x910023fd",
        to: "WORD $0xd503201f",
        says: "without a frame record",
    },
    Break {
        what: "an entry's record lies in its caller's frame",
        within: ENTRY,
        from: "WORD $0xf9000a1e",
        to: "WORD $0xf9000a1e; WORD $0xf9000e1e",
        says: "writes to its caller's frame",
    },
    Break {
        what: "an entry restores another word as the frame pointer",
        within: ENTRY,
        from: "WORD $0xf94007f1",
        to: "WORD $0xf94003f1",
        says: "returns with another",
    },
    Break {
        what: "an entry restores another register",
        within: ENTRY,
        from: "WORD $0xf94003fe",
        to: "WORD $0xf94003fd",
        says: "returns with another",
    },
    Break {
        what: "an entry restores the return address from elsewhere",
        within: ENTRY,
        from: "WORD $0xf94003fe",
        to: "WORD $0xf94007fe",
        says: "returns with another",
    },
    Break { what: "an entry does not go back", within: ENTRY, from: "SUB $8192, RSP, RSP", to: "SUB $4096, RSP, RSP", says: "" },
    Break {
        what: "an entry changes g",
        within: ENTRY,
        from: "WORD $0x910023fd",
        to: "WORD $0x910023fd; WORD $0xaa1003fc",
        says: "with another g",
    },
    Break {
        what: "an entry changes g after the call",
        within: ENTRY,
        from: "SUB $8192",
        to: "WORD $0xaa1003fc; SUB $8192",
        says: "with another g",
    },
    Break {
        what: "an entry uses x18",
        within: ENTRY,
        from: "WORD $0x910023fd",
        to: "WORD $0x910023fd; WORD $0xaa1003f2",
        says: "uses x18",
    },
    Break {
        what: "a checked entry compares with another limit",
        within: CHECKED,
        from: "WORD $0xd2827411",
        to: "WORD $0xd2820411",
        says: "byte",
    },
    Break { what: "a checked entry does not look", within: CHECKED, from: "BLS spent", to: "NOOP", says: "byte" },
    Break { what: "a checked entry looks for the opposite", within: CHECKED, from: "BLS spent", to: "BHI spent", says: "byte" },
    Break {
        what: "a checked entry compares another register",
        within: CHECKED,
        from: "WORD $0xeb3063ff",
        to: "WORD $0xeb31601f",
        says: "byte",
    },
    Break {
        what: "a checked entry goes to another function",
        within: CHECKED,
        from: "JMP rust·sum<>(SB)",
        to: "JMP rust·walk<>(SB)",
        says: "relocation",
    },
    Break {
        what: "a checked entry names another function",
        within: CHECKED,
        from: "$sum·checked·name<>(SB)",
        to: "$rust·rodata·0<>(SB)",
        says: "relocation",
    },
    Break { what: "a constant of a data symbol changes", within: RODATA, from: "$0x4d", to: "$0x4e", says: "content" },
    Break { what: "a pointer has an offset", within: RODATA, from: "$rust·leaf<>(SB)", to: "$rust·leaf<>+4(SB)", says: "pointers" },
    Break { what: "a pointer is another's", within: RODATA, from: "$rust·leaf<>(SB)", to: "$rust·walk<>(SB)", says: "pointers" },
    Break { what: "a mutable static cannot be written", within: "GLOBL rust·data·", from: "NOPTR", to: "RODATA|NOPTR", says: "" },
    Break { what: "a mutable static is larger", within: "GLOBL rust·data·", from: ", $8", to: ", $16", says: "bytes instead of" },
];

/// The text with the break made, and the name the object gives to the symbol that is broken.
fn broken(text: &str, how: &Break) -> (String, String) {
    let at = text.find(how.within).unwrap_or_else(|| panic!("{}: no {} in\n{text}", how.what, how.within));
    let end = text[at..].find("\n\n").map_or(text.len(), |end| at + end);
    let place = text[at..end].find(how.from).unwrap_or_else(|| panic!("{}: no {} in\n{}", how.what, how.from, &text[at..end]));
    let name = text[at..].split([' ', '(', '<', '+']).nth(1).expect("a directive names a symbol").replace('·', ".");
    let mut new = text.to_owned();
    new.replace_range(at + place..at + place + how.from.len(), how.to);
    (new, name)
}

#[test]
fn what_was_lowered_is_what_was_meant() {
    for arch in [Arch::Amd64, Arch::Arm64] {
        let made = lowered(arch);
        assert_eq!(compare(&made, &made.asm.print()), Ok(()), "{arch}");
    }
}

#[test]
fn every_break_is_found() {
    breaks_are_found(Arch::Amd64, AMD64);
}

#[test]
fn every_break_is_found_on_arm64() {
    breaks_are_found(Arch::Arm64, ARM64);
}

fn breaks_are_found(arch: Arch, breaks: &[Break]) {
    let made = lowered(arch);
    let text = made.asm.print();
    let mut missed = String::new();
    for how in breaks {
        let (printed, name) = broken(&text, how);
        match compare(&made, &printed) {
            Ok(()) => missed.push_str(&format!("{}: not found\n", how.what)),
            Err(wrong) => {
                if !wrong.iter().any(|line| line.contains(&name) && line.contains(how.says)) {
                    missed.push_str(&format!("{}: {name} and {:?} are not in {wrong:?}\n", how.what, how.says));
                }
            }
        }
    }
    assert!(missed.is_empty(), "{missed}\n{text}");
}

#[test]
fn swapped_lines_are_found() {
    let made = lowered(Arch::Amd64);
    let text = made.asm.print();
    let (a, b) = ("POPQ R12", "POPQ BX");
    let at = text.find("TEXT case·framed<>").expect("the function is there");
    let swapped = text[at..].replace(a, "@").replace(b, a).replace('@', b);
    let wrong = compare(&made, &(text[..at].to_owned() + &swapped)).expect_err("the pops are in another order");
    assert!(wrong.iter().any(|line| line.contains("case.framed")), "{wrong:?}");
}

#[test]
fn what_was_not_meant_is_found() {
    let made = lowered(Arch::Amd64);
    let text = made.asm.print();
    for (more, name) in [
        ("\nTEXT rust·more<>(SB), NOSPLIT|NOFRAME, $0-0\n\tRET\n", "rust.more"),
        ("\nTEXT ·More(SB), NOSPLIT, $0-0\n\tRET\n", "More"),
        ("\nDATA rust·extra<>+0(SB)/8, $5\nGLOBL rust·extra<>(SB), NOPTR, $8\n", "rust.extra"),
    ] {
        let wrong = compare(&made, &format!("{text}{more}")).expect_err(name);
        assert!(wrong.iter().any(|line| line.contains(name) && line.contains("was not meant to exist")), "{wrong:?}");
    }
}

#[test]
fn what_is_missing_is_found() {
    let made = lowered(Arch::Amd64);
    let text = made.asm.print();
    let at = text.find("DATA rust·data·").expect("there is a static");
    let start = text[..at].rfind("\n\n").expect("it is an item of its own");
    let end = text[at..].find("\n\n").map_or(text.len(), |end| at + end);
    let wrong = compare(&made, &format!("{}\n{}", &text[..start], text.get(end..).unwrap_or("\n"))).expect_err("a static is missing");
    assert!(wrong.iter().any(|line| line.contains("rust.data")), "{wrong:?}");
}

/// The answers of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    Size,
    Kind,
    Names,
    Line,
    Locals,
    Depths,
    Entry,
    Forbids,
}

/// A machine with one of its answers changed.
struct Twisted {
    machine: &'static dyn Backend,
    answer: Option<Answer>,
}

impl Twisted {
    fn is(&self, answer: Answer) -> bool {
        self.answer == Some(answer)
    }
}

impl Prover for Twisted {
    fn modes(&self) -> &'static [Mode] {
        self.machine.modes()
    }
    fn reference(&self, kind: u16) -> Option<RefKind> {
        self.machine.reference(kind).filter(|kind| !self.is(Answer::Kind) || *kind != RefKind::Address)
    }
    fn reference_size(&self, kind: RefKind) -> u8 {
        self.machine.reference_size(kind) + u8::from(self.is(Answer::Size))
    }
    fn names_symbol(&self, kind: u16) -> bool {
        !self.is(Answer::Names) && self.machine.names_symbol(kind)
    }
    fn reference_of(&self, line: &str) -> Option<Reference> {
        self.machine.reference_of(line).filter(|_| !self.is(Answer::Line))
    }
    fn locals(&self, text: &Text) -> u32 {
        self.machine.locals(text) + u32::from(self.is(Answer::Locals))
    }
    fn depths(&self, code: &[u8], relocated: &dyn Fn(u32) -> bool, starts: &[(u32, u32)]) -> Result<BTreeMap<u32, u32>, (u32, String)> {
        let off = u32::from(self.is(Answer::Depths));
        Ok(self.machine.depths(code, relocated, starts)?.into_iter().map(|(at, depth)| (at, depth + off)).collect())
    }
    fn try_entry(&self, code: &[u8], relocated: &dyn Fn(u32) -> Option<Reference>, meant: &EntryMeant) -> Result<(), String> {
        // More than the little that Go's prologue lets a small frame reach below the limit.
        let stack = meant.stack + if self.is(Answer::Entry) { 4096 } else { 0 };
        self.machine.try_entry(code, relocated, &EntryMeant { stack, ..meant.clone() })
    }
    fn forbidden(&self, text: &Text, code: &[u8]) -> Option<(u32, String)> {
        assert!(text.meant.bytes.len() <= code.len(), "the whole function is shown");
        if self.is(Answer::Forbids) {
            return Some((0, "touches a register that is not Rust's".to_owned()));
        }
        self.machine.forbidden(text, code)
    }
}

#[test]
fn every_answer_of_the_machine_counts() {
    for arch in [Arch::Amd64, Arch::Arm64] {
        let made = lowered(arch);
        let text = made.asm.print();
        let compare_by = |answer| compare_by(&Twisted { machine: machine(arch), answer }, &made, &text);
        assert_eq!(compare_by(None), Ok(()));
        for (answer, name, says) in [
            (Answer::Size, "rust.walk", "relocation"),
            (Answer::Kind, "case.framed", "relocation"),
            (Answer::Names, ".Framed", "refers to []"),
            (Answer::Line, ".Framed", "where [] were meant"),
            (Answer::Locals, "rust.leaf", "has a frame of"),
            (Answer::Depths, "rust.leaf", "SP table"),
            (Answer::Entry, ".Framed", "grow"),
            (Answer::Forbids, "rust.leaf", "at 0x0: touches a register that is not Rust's"),
        ] {
            let Err(wrong) = compare_by(Some(answer)) else { panic!("{arch}: {answer:?} is not found") };
            assert!(wrong.iter().any(|line| line.contains(name) && line.contains(says)), "{arch}: {answer:?}: {wrong:?}");
        }
    }
}
