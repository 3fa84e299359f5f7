//! The contracts of generated entries, that is, of functions whose bytes the assembler chooses. `lower` states the contracts, and `verify` checks
//! them by executing the assembled code.
//!
//! A symbol "as printed" is spelled as in the assembly file. `verify` converts it to the object file's spelling ([`Contract::named`]).

use crate::exits::Argument;

/// The required behaviour of a generated function.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Contract {
    Entry(ExpectedEntry),
    Checked(ExpectedChecked),
    Aligned(ExpectedAligned),
    ContiguousArgs(ExpectedContiguousArgs),
    Dispatch(ExpectedDispatch),
}

impl Contract {
    /// Returns the offset of the function's first instruction, after the assembler's prologue, in bytes.
    pub fn start(&self) -> u32 {
        match self {
            Contract::Checked(expected) => expected.start,
            Contract::Aligned(expected) => expected.start,
            Contract::Entry(_) | Contract::ContiguousArgs(_) | Contract::Dispatch(_) => 0,
        }
    }
}

/// The contract of a checked entry. The entry compares SP with the stack limit of the running call, and continues in the function or in an exit. The
/// word at the lowest address of the goroutine's stack contains the limit. The entry changes only flags, and registers that calls may change.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ExpectedChecked {
    /// Offset of the entry's first instruction, after the assembler's prologue, in bytes.
    pub start: u32,
    /// The number of bytes that must be free between SP and the limit. If fewer bytes are free, the stack is exhausted.
    pub stack: u32,
    /// The function in which the entry continues: its symbol, and an offset.
    pub body: (String, i64),
    /// The exit that the entry enters if the stack is exhausted. The exit does not return.
    pub exhausted: ExpectedExit,
}

/// The expected way in which generated code enters an exit, a function of `rt`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ExpectedExit {
    /// The symbol of the function in `rt`, as printed.
    pub function: String,
    /// The arguments and their values, in the order of C's argument registers.
    pub arguments: Vec<(Argument, Operand)>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    /// The address of a symbol, named as printed.
    Address(String),
    Number(u32),
}

impl ExpectedExit {
    /// Returns a copy in which `name(symbol)` replaces each symbol.
    fn named(&self, name: impl Fn(&str) -> String) -> ExpectedExit {
        let operand = |operand: &Operand| match operand {
            Operand::Address(symbol) => Operand::Address(name(symbol)),
            Operand::Number(number) => Operand::Number(*number),
        };
        let arguments = self.arguments.iter().map(|(argument, given)| (*argument, operand(given))).collect();
        ExpectedExit { function: name(&self.function), arguments }
    }
}

/// The contract of an entry that aligns SP and calls the body. Before the call of the entry, SP is a multiple of `grain`. Before the call of the
/// body, SP is a multiple of `align`. The `words` words above the return address of the entry are copied above the return address of the body. The
/// entry changes only flags.
///
/// If `jumps` is true, and SP is a multiple of `align` before the call of the entry, the entry jumps to the body instead of calling it. In this case
/// the entry leaves SP unchanged, and may change a scratch register.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ExpectedAligned {
    /// Offset of the entry's first instruction, after the assembler's prologue, in bytes.
    pub start: u32,
    /// SP is a multiple of this number before the call of the entry.
    pub grain: u32,
    pub align: u32,
    /// The number of stack argument words that the entry copies.
    pub words: u32,
    /// True if the entry jumps to the body when SP is already aligned.
    pub jumps: bool,
    /// True if a panic may unwind through the call of the body. A record after the call then describes the frame.
    pub unwinds: bool,
    pub body: (String, i64),
}

/// The contract for the code at the start of a function whose frame must be contiguous with its stack arguments. The code makes the frame, copies the
/// arguments to the top of the frame, and changes only the registers in `free`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ExpectedContiguousArgs {
    /// Size of the frame, in bytes.
    pub frame: u32,
    /// The distance from the start of the copied arguments up to SP on entry, in bytes.
    pub above: u32,
    /// Size of the copied arguments, in bytes.
    pub bytes: u32,
    /// The end of the code at the start, as an offset from the function's first byte.
    pub end: u32,
    /// The registers that the code may change, one bit each.
    pub free: u32,
}

/// The contract for the entry of an export whose code differs between levels (sets of CPU features). This entry jumps to the export's entry for the
/// processor's level. It changes only flags, and registers that calls may change.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ExpectedDispatch {
    /// The symbol of the byte variable with the number of the processor's level, as printed.
    pub level: String,
    /// The entries to jump to, as pairs (minimum level, symbol as printed), by descending level. The last entry also applies to all lower
    /// levels.
    pub entries: Vec<(u8, String)>,
}

impl ExpectedDispatch {
    /// Returns the symbol of the entry for a level, as printed.
    pub fn entry(&self, level: u8) -> Option<&str> {
        let found = self.entries.iter().find(|(from, _)| level >= *from).or(self.entries.last());
        found.map(|(_, entry)| entry.as_str())
    }

    /// Returns the levels with which verify executes the entry: for each entry in `entries`, its minimum level, the level below and the level above.
    pub fn trials(&self) -> std::collections::BTreeSet<u8> {
        self.entries.iter().flat_map(|&(from, _)| [from.saturating_sub(1), from, from.saturating_add(1)]).collect()
    }
}

/// The contract for the entry through which Go calls an export.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ExpectedEntry {
    /// The entry grows the stack unless SP is more than this number of bytes above the lowest address of the goroutine's stack. (On arm64 Go's
    /// prologue makes this check. Go's check lets a small frame extend slightly lower.)
    pub stack: u32,
    /// The stack limit that the entry stores in the word at the lowest address of the goroutine's stack, as a distance in bytes below SP at
    /// the entry (amd64) or below SP at the call of the body (arm64). `None` if the entry stores no limit.
    pub limit: Option<u32>,
    /// The alignment of SP in bytes at the call of the body.
    pub align: u32,
    /// The number of bytes of stack that the entry leaves above the return address of the call of the body, besides the bytes for the alignment.
    pub room: u32,
    /// True if the entry must empty the x87 stack before the call of the body.
    pub empties_x87: bool,
    /// Offset of the arguments in Go's argument area. The entry passes the address of the arguments to the body. `None` if the function has no
    /// arguments.
    pub arguments: Option<u32>,
    /// Offset of the results in Go's argument area. The entry passes the address of the results to the body. `None` if the function has no results.
    pub results: Option<u32>,
    /// The body that the entry calls: its symbol, as printed, and an offset.
    pub body: (String, i64),
    /// The symbol of the code that grows the stack. On amd64 it is a twin of the entry with a larger frame, to which the entry jumps (the symbol as
    /// printed). On arm64 it is a function of Go's runtime, which Go's prologue calls (the symbol as in the object file).
    pub grow: String,
    /// The calls of Go's scheduler around the body; `None` if the export is not blocking.
    pub blocking: Option<Box<ExpectedBlocking>>,
}

/// The contract for the scheduler calls of a blocking export. If the slices and strings of a call have many bytes, the entry calls one function of
/// `rt` before the body and another function of `rt` after the body.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ExpectedBlocking {
    /// The symbol of the function of `rt` that is called before the body, as printed. `leave` is the symbol of the function called after the
    /// body.
    pub enter: String,
    pub leave: String,
    /// The maximum number of bytes that the slices and strings of a call may have without scheduler calls. If this number is 0, every call makes
    /// scheduler calls.
    pub over: u64,
    /// The offsets in Go's argument area of the lengths of slices and strings, each with the size of an element in bytes.
    pub lengths: Vec<(u32, u64)>,
}

impl ExpectedBlocking {
    /// Returns the calls with which verify executes the entry: the lengths of the slices, and true if a call with these lengths must make scheduler
    /// calls. Each slice alone, and all slices together, get the maximum number of bytes without scheduler calls, and then one element more.
    pub fn trials(&self) -> Vec<(Vec<u64>, bool)> {
        let count = self.lengths.len();
        if self.over == 0 {
            return vec![(vec![0; count], true), (vec![1; count], true)];
        }
        let mut trials = vec![(vec![0; count], false)];
        for (index, (_, size)) in self.lengths.iter().enumerate() {
            let only = |length: u64| (0..count).map(|other| if other == index { length } else { 0 }).collect::<Vec<u64>>();
            let most = self.over / size;
            trials.extend([(only(most), false), (only(most + 1), true)]);
        }
        let part = |size: u64| self.over / count.max(1) as u64 / size;
        let each = |more: u64| self.lengths.iter().map(|(_, size)| part(*size) + more).collect::<Vec<u64>>();
        let total = |lengths: &[u64]| lengths.iter().zip(&self.lengths).map(|(length, (_, size))| length * size).sum::<u64>();
        for lengths in [each(0), each(1)] {
            let is_blocking = total(&lengths) > self.over;
            trials.push((lengths, is_blocking));
        }
        trials
    }
}

impl Contract {
    /// Returns a copy in which `name(symbol)` replaces each symbol, and `system` bytes are added to the required stack.
    pub fn named(&self, name: impl Fn(&str) -> String, system: u32) -> Contract {
        let reference = |(symbol, offset): &(String, i64)| (name(symbol), *offset);
        match self {
            Contract::Entry(entry) => Contract::Entry(ExpectedEntry {
                body: reference(&entry.body),
                grow: name(&entry.grow),
                stack: entry.stack + system,
                blocking: entry.blocking.as_ref().map(|blocking| {
                    Box::new(ExpectedBlocking { enter: name(&blocking.enter), leave: name(&blocking.leave), ..(**blocking).clone() })
                }),
                ..entry.clone()
            }),
            Contract::Checked(checked) => Contract::Checked(ExpectedChecked {
                body: reference(&checked.body),
                exhausted: checked.exhausted.named(&name),
                ..checked.clone()
            }),
            Contract::Aligned(aligned) => Contract::Aligned(ExpectedAligned { body: reference(&aligned.body), ..aligned.clone() }),
            Contract::ContiguousArgs(args) => Contract::ContiguousArgs(args.clone()),
            Contract::Dispatch(dispatch) => Contract::Dispatch(ExpectedDispatch {
                level: name(&dispatch.level),
                entries: dispatch.entries.iter().map(|(from, entry)| (*from, name(entry))).collect(),
            }),
        }
    }
}
