//! A Go assembly file as data: its lines, and the bytes that the assembler must produce from them. [`crate::lower`] builds the file, this module
//! prints it, and [`crate::verify`] compares the assembler's output with the bytes.
//!
//! This module does not depend on a machine's instructions.

mod contract;

pub use contract::{
    Contract, ExpectedAligned, ExpectedBlocking, ExpectedChecked, ExpectedContiguousArgs, ExpectedDispatch, ExpectedEntry, ExpectedExit,
    Operand,
};

use crate::gosrc::visible;
use crate::target::Target;
use std::fmt::Write as _;

/// An assembly file (`.s`) of the package.
#[derive(Clone, Debug)]
pub struct File {
    /// The comment lines at the top, without `//`.
    pub header: Vec<String>,
    /// The target, which determines the build constraint and the end of the file's name.
    pub target: Target,
    /// True if the build tag `purego` excludes the file, because the package has Go code for other processors.
    pub has_fallback: bool,
    /// Lines for the assembler's preprocessor, such as `#define`.
    pub prelude: Vec<String>,
    pub items: Vec<Item>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Item {
    Text(Text),
    Data(Data),
}

impl Item {
    /// Returns the symbols to which the item's bytes refer, as printed. If the assembler chooses the item's bytes, the list is empty, because only
    /// the operations contain the symbols.
    pub fn references(&self) -> Vec<&str> {
        match self {
            Item::Text(text) => text.expected.relocs.iter().map(|reloc| reloc.symbol.as_str()).collect(),
            Item::Data(data) => data.pointers.iter().map(|(_, symbol, _)| symbol.as_str()).collect(),
        }
    }

    /// Returns the item's symbol, as printed.
    pub fn name(&self) -> &str {
        let (Item::Text(Text { name, .. }) | Item::Data(Data { name, .. })) = self;
        name
    }

    /// Returns a copy in which `name(symbol)` replaces each symbol to which the item refers. Calls `name` in the order of the references. The item's
    /// own name stays.
    pub fn renamed(&self, name: &mut dyn FnMut(&str) -> String) -> Item {
        match self {
            Item::Data(data) => {
                let pointers = data.pointers.iter().map(|(offset, symbol, addend)| (*offset, name(symbol), *addend)).collect();
                Item::Data(Data { pointers, ..data.clone() })
            }
            Item::Text(text) => {
                let ops =
                    text.ops.iter().map(|op| if let Op::Inst(line) = op { Op::Inst(rename(line, name)) } else { op.clone() }).collect();
                let relocs =
                    text.expected.relocs.iter().map(|reloc| ExpectedReloc { symbol: name(&reloc.symbol), ..reloc.clone() }).collect();
                let name = std::cell::RefCell::new(name);
                let contract = text.expected.contract.as_ref().map(|contract| contract.named(|symbol| (*name.borrow_mut())(symbol), 0));
                Item::Text(Text { ops, expected: Expected { relocs, contract, ..text.expected.clone() }, ..text.clone() })
            }
        }
    }
}

/// Returns a line of assembly in which `name(symbol)` replaces each symbol. Only symbols contain a `·`.
fn rename(line: &str, name: &mut dyn FnMut(&str) -> String) -> String {
    let of_symbol = |c: char| c == '·' || c == '∕' || crate::gosrc::in_identifier(c);
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(start) = rest.find(of_symbol) {
        let (before, found) = rest.split_at(start);
        let mut length = found.find(|c| !of_symbol(c)).unwrap_or(found.len());
        if found[length..].starts_with("<>") {
            length += 2;
        }
        let (symbol, behind) = found.split_at(length);
        out.push_str(before);
        match symbol.contains('·') {
            true => out.push_str(&name(symbol)),
            false => out.push_str(symbol),
        }
        rest = behind;
    }
    out + rest
}

/// A function, or data in a text symbol (a symbol in the code section).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Text {
    pub comments: Vec<String>,
    /// The symbol as printed, with `<>` if it is local to the file.
    pub name: String,
    /// The names of the text flags, such as `NOSPLIT` and `NOFRAME`.
    pub flags: Vec<&'static str>,
    pub frame: u32,
    pub args: u32,
    pub ops: Vec<Op>,
    pub expected: Expected,
    /// A text that distinguishes this symbol from symbols with equal content, like [`Data::identity`]. It is set for data in a text symbol, and for
    /// code whose address programs may compare.
    pub identity: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// A line of assembly: a mnemonic with operands, or a directive.
    Inst(String),
    /// Machine code that the assembler must not change.
    Bytes(Vec<u8>),
    /// Machine code that the assembler must not change, as words of four bytes, for machines whose instructions all have four bytes.
    Words(Vec<u32>),
    Label(String),
    /// A source file and line, for the code from here on.
    Line(String, u32),
    Comment(String),
}

/// The output that the assembler must produce for a function.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Expected {
    /// Number of bytes that precede `bytes` in the function: the prologue that the assembler adds, and padding.
    pub start: u32,
    /// Required alignment of the function's first byte, in bytes.
    pub align: u32,
    /// The machine code, with zeros in relocated fields. If empty, the assembler chooses the bytes, but `depths` still applies.
    pub bytes: Vec<u8>,
    /// The relocations in `bytes`, by ascending offset.
    pub relocs: Vec<ExpectedReloc>,
    /// The depth of SP before instructions: pairs of an instruction's offset from `start`, and the number of bytes by which SP is lower there
    /// than on entry.
    pub depths: Vec<(u32, u32)>,
    /// The required behaviour of the function, if the assembler chooses the bytes.
    pub contract: Option<Contract>,
}

/// A field in the code that the linker fills in.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ExpectedReloc {
    pub offset: u32,
    pub kind: RefKind,
    /// The symbol as printed, including `·` and `<>`.
    pub symbol: String,
    pub addend: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RefKind {
    /// A direct call or jump.
    Branch,
    /// An address relative to the program counter.
    Address,
}

/// A data symbol.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Data {
    pub comment: String,
    /// A text that distinguishes this data from other data with equal content but another address. `None` if no program may depend on the address, as
    /// for constants without a name in the source.
    pub identity: Option<String>,
    /// The symbol as printed, with `<>`.
    pub name: String,
    pub read_only: bool,
    pub size: u64,
    /// The content. The bytes from the end of the content up to `size` are zero.
    pub bytes: Vec<u8>,
    /// The pointers in the data, by ascending offset: (offset, symbol as printed, addend). The content at their offsets is ignored.
    pub pointers: Vec<(u32, String, i64)>,
}

impl File {
    /// Returns the file's name in the package's folder.
    pub fn name(&self) -> String {
        self.target.file_name()
    }

    /// Returns the number of bytes of all functions, without code that the assembler adds and without data in text symbols.
    pub fn code_size(&self) -> usize {
        let texts = self.items.iter().filter_map(|item| if let Item::Text(text) = item { Some(text) } else { None });
        texts.filter(|text| !text.expected.depths.is_empty()).map(|text| text.expected.bytes.len()).sum()
    }

    /// Returns the whole file as text.
    pub fn print(&self) -> String {
        let mut out = String::new();
        for line in &self.header {
            push(&mut out, format_args!("{}", comment(line).trim_end()));
        }
        let pure = if self.has_fallback { " && !purego" } else { "" };
        push(&mut out, format_args!("\n//go:build {}{pure}\n", self.target.arch));
        push(&mut out, format_args!("#include \"textflag.h\"\n#include \"funcdata.h\""));
        for line in &self.prelude {
            push(&mut out, format_args!("{line}"));
        }
        let name = self.name();
        // `lines` is the number of lines in `out` up to the byte `counted`. Each step of the loop counts only the lines after this byte.
        let (mut lines, mut counted) = (0, 0);
        for item in &self.items {
            out.push('\n');
            lines += out.as_bytes()[counted..].iter().filter(|&&b| b == b'\n').count();
            counted = out.len();
            match item {
                Item::Text(text) => text.print(&mut out, &name, lines),
                Item::Data(data) => data.print(&mut out),
            }
        }
        out
    }
}

fn push(out: &mut String, line: std::fmt::Arguments<'_>) {
    let _ = writeln!(out, "{line}");
}

/// Returns the text as a comment on one line, whatever characters the text contains.
fn comment(text: &str) -> String {
    format!("// {}", visible(text).replace('\n', " "))
}

/// Returns the `#line` directive for a source line. The author of the crate chose the file's name, so the name may contain any character. The
/// assembler reads the name as a Go string, and tracebacks print the name on one line.
fn line_directive(line: impl std::fmt::Display, file: &str) -> String {
    let mut name = String::with_capacity(file.len());
    for c in file.chars() {
        match c {
            '"' | '\\' => name.extend(['\\', c]),
            '\n' | '\t' => name.push('_'),
            c if visible(c.encode_utf8(&mut [0; 4])).is_empty() => name.push('_'),
            c => name.push(c),
        }
    }
    format!("#line {line} \"{name}\"")
}

/// Maximum number of characters in a row of operations.
const WIDTH: usize = 120;

/// Maximum number of characters in a row of code with a source line, or in a row of data. The number is larger than [`WIDTH`], because each further
/// row costs space: the row repeats a `#line` directive or the name of the data.
const LINE_WIDTH: usize = 400;

/// Maximum number of empty lines that the printer emits to skip source lines. If more lines must be skipped, a `#line` directive is shorter and
/// easier to read.
const MOST_EMPTY_LINES: u32 = 16;

/// Collects the operations of one source line in rows of text.
///
/// In Go's assembler (1.24 to 1.27), `#line N` gives the *next* line of text the number N − 1, and each further line the following number. So the
/// number in a directive must be one too high. A row whose number continues the numbers of the preceding rows needs no directive.
struct Rows<'a> {
    out: &'a mut String,
    line: Option<(&'a str, u32)>,
    /// The source file and line that the assembler assigns to the next line of text.
    next: Option<(&'a str, u32)>,
    row: String,
    /// True if an earlier row has named the frame pointer.
    named: bool,
}

/// The name of the frame pointer on each machine. [`Rows`] looks for both names on both machines, because neither machine has a register with the
/// name of the other machine's frame pointer.
const FRAME_POINTERS: [&str; 2] = ["BP", "R29"];

impl Rows<'_> {
    fn add(&mut self, unit: &str) {
        let width = if self.line.is_some() { LINE_WIDTH } else { WIDTH };
        if !self.row.is_empty() && self.row.len() + unit.len() > width {
            self.end();
        }
        if !self.row.is_empty() {
            self.row.push_str("; ");
        }
        self.row.push_str(unit);
    }
    fn end(&mut self) {
        if self.row.is_empty() {
            return;
        }
        if let Some((file, line)) = self.line {
            match self.next {
                Some((last, next)) if last == file && (next..=next + MOST_EMPTY_LINES).contains(&line) => {
                    (next..line).for_each(|_| self.out.push('\n'));
                }
                _ => push(self.out, format_args!("{}", line_directive(u64::from(line) + 1, file))),
            }
            self.next = line.checked_add(1).map(|next| (file, next));
        }
        // In a function without a Go frame, `go vet` reports a write of the frame pointer without an earlier read, because `go vet` cannot see that
        // raw bytes save the register. The report would be wrong: the analysis has proved that the function restores the register. `go vet` looks for
        // the written register at the end of a line, so a semicolon at the end hides this write.
        let writes = FRAME_POINTERS.iter().any(|name| self.row.strip_suffix(name).is_some_and(|rest| rest.ends_with(", ")));
        if writes && !self.named {
            self.row.push(';');
        }
        self.named |= self.row.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| FRAME_POINTERS.contains(&word));
        push(self.out, format_args!("\t{}", self.row));
        self.row.clear();
    }

    /// Prints a line that is not an instruction. The assembler counts such a line too when it numbers source lines.
    fn other(&mut self, line: &str) {
        self.end();
        push(self.out, format_args!("{line}"));
        self.next = self.next.and_then(|(file, next)| Some((file, next.checked_add(1)?)));
    }
}

impl Text {
    /// Prints the function. `lines` is the number of lines before it in the file.
    fn print(&self, out: &mut String, file: &str, lines: usize) {
        let begun = out.len();
        for comment in &self.comments {
            push(out, format_args!("{}", self::comment(comment)));
        }
        // This directive ends the line numbers of the preceding function, which must not continue in this function.
        let here = lines + out.as_bytes()[begun..].iter().filter(|&&b| b == b'\n').count() + 2;
        push(out, format_args!("{}", line_directive(here + 1, file)));
        let flags = if self.flags.is_empty() { "0".to_owned() } else { self.flags.join("|") };
        push(out, format_args!("TEXT {}(SB), {flags}, ${}-{}", self.name, self.frame, self.args));
        let has_lines = self.ops.iter().any(|op| matches!(op, Op::Line(..)));
        let mut rows = Rows { out, line: None, next: None, row: String::new(), named: false };
        for op in &self.ops {
            match op {
                Op::Inst(text) => {
                    rows.add(text);
                    // Code without source lines gets one row for each instruction, which is easier to read.
                    if !has_lines || rows.line.is_none() {
                        rows.end();
                    }
                }
                Op::Bytes(bytes) => units(bytes).iter().for_each(|unit| rows.add(unit)),
                Op::Words(words) => words.iter().for_each(|word| rows.add(&format!("WORD $0x{word:08x}"))),
                Op::Line(file, line) => {
                    rows.end();
                    rows.line = Some((file, *line));
                }
                Op::Label(name) => rows.other(&format!("{name}:")),
                Op::Comment(text) => rows.other(&format!("\t{}", comment(text))),
            }
        }
        rows.end();
    }
}

/// Minimum number of successive zeros that the printer leaves out. Go sets data to zero at the start, so zeros need no directive.
const ZEROS: usize = 8;

/// Returns the first of these bytes as the content of an assembler string, and the number of bytes in the string. The string ends before zeros that
/// the printer leaves out, or when a line is full. The printer uses strings because they are shorter than numbers, and show text in the data.
fn string(bytes: &[u8]) -> (String, usize) {
    let mut text = String::new();
    let mut length = 0;
    while text.len() < LINE_WIDTH && length < bytes.len() && bytes[length..].iter().take(ZEROS).any(|&byte| byte != 0) {
        match bytes[length] {
            byte @ (b'"' | b'\\') => text.extend(['\\', byte.into()]),
            byte @ b' '..=b'~' => text.push(byte.into()),
            byte => {
                let _ = write!(text, "\\x{byte:02x}");
            }
        }
        length += 1;
    }
    (text, length)
}

/// Returns the bytes as assembler directives, each of the largest possible size.
fn units(bytes: &[u8]) -> Vec<String> {
    let mut units = Vec::new();
    let mut rest = bytes;
    while !rest.is_empty() {
        let (size, name) = match rest.len() {
            8.. => (8, "QUAD"),
            4.. => (4, "LONG"),
            2.. => (2, "WORD"),
            _ => (1, "BYTE"),
        };
        let mut value = [0; 8];
        value[..size].copy_from_slice(&rest[..size]);
        units.push(format!("{name} $0x{:0width$x}", u64::from_le_bytes(value), width = size * 2));
        rest = &rest[size..];
    }
    units
}

impl Data {
    fn print(&self, out: &mut String) {
        push(out, format_args!("{}", comment(&self.comment)));
        let mut pointers = self.pointers.iter().peekable();
        let mut at = 0;
        while at < self.bytes.len() {
            if let Some((offset, symbol, addend)) = pointers.next_if(|p| p.0 as usize == at) {
                push(out, format_args!("DATA {}+{offset}(SB)/8, ${}(SB)", self.name, reference(symbol, *addend)));
                at += 8;
                continue;
            }
            let limit = pointers.peek().map_or(self.bytes.len(), |p| p.0 as usize).min(self.bytes.len());
            let rest = &self.bytes[at..limit];
            let zeros = rest.iter().take_while(|&&byte| byte == 0).count();
            if zeros >= ZEROS || zeros == rest.len() {
                at += zeros;
                continue;
            }
            let (text, length) = string(rest);
            push(out, format_args!("DATA {}+{at}(SB)/{length}, $\"{text}\"", self.name));
            at += length;
        }
        let flags = if self.read_only { "RODATA|NOPTR" } else { "NOPTR" };
        push(out, format_args!("GLOBL {}(SB), {flags}, ${}", self.name, self.size));
    }
}

/// Returns a symbol with an offset, in the form of an operand.
pub fn reference(symbol: &str, addend: i64) -> String {
    match addend {
        0 => symbol.to_owned(),
        1.. => format!("{symbol}+{addend}"),
        _ => format!("{symbol}{addend}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_become_go_strings() {
        let cases = [
            ("src/lib.rs", "src/lib.rs"),
            ("quo\"te.rs", "quo\\\"te.rs"),
            ("back\\slash.rs", "back\\\\slash.rs"),
            ("new\nline\r\t\0.rs", "new_line___.rs"),
            ("left\u{202e}right ä.rs", "left_right ä.rs"),
        ];
        for (file, expected) in cases {
            assert_eq!(line_directive(7, file), format!("#line 7 \"{expected}\""));
        }
    }

    #[test]
    fn symbols_of_a_line_are_found() {
        let mut found = Vec::new();
        let mut name = |symbol: &str| {
            found.push(symbol.to_owned());
            "x·y<>".to_owned()
        };
        let lines = [
            ("CALL a·b·2<>+32(SB)", "CALL x·y<>+32(SB)"),
            ("FUNCDATA $FUNCDATA_ArgsPointerMaps, ·F·args_stackmap(SB)", "FUNCDATA $FUNCDATA_ArgsPointerMaps, x·y<>(SB)"),
            ("MOVD $rustgo·dev∕go∕rt·f(SB), R1; JNE sp8", "MOVD $x·y<>(SB), R1; JNE sp8"),
            ("LEAQ dst+0(FP), DI", "LEAQ dst+0(FP), DI"),
            ("RET ·Grüße(SB)", "RET x·y<>(SB)"),
        ];
        for (line, renamed) in lines {
            assert_eq!(rename(line, &mut name), renamed);
        }
        assert_eq!(found, ["a·b·2<>", "·F·args_stackmap", "rustgo·dev∕go∕rt·f", "·Grüße"]);
    }

    #[test]
    fn a_comment_is_one_line() {
        assert_eq!(comment(".text.a\nRET\r"), "// .text.a RET");
    }
}
