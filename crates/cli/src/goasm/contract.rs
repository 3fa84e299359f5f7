//! Contracts of functions whose bytes the assembler chooses: entries of all kinds. `lower` states them, `verify`
//! executes the assembled code and checks them.

use crate::exits::Argument;

/// The required effect of a generated function.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Contract {
    Entry(ExpectedEntry),
    Checked(ExpectedChecked),
    Aligned(ExpectedAligned),
    ContiguousArgs(ExpectedContiguousArgs),
    Dispatch(ExpectedDispatch),
}

/// A checked entry: compares SP with the stack limit of the running call, which is the word at the goroutine's lowest
/// address. It changes only flags and registers that calls may change.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ExpectedChecked {
    /// Offset of its first instruction, after the assembler's prologue.
    pub start: u32,
    /// Bytes below SP that must be at or above the limit; otherwise the stack is exhausted.
    pub stack: u32,
    /// The body, where it continues.
    pub body: (String, i64),
    /// How it ends the call if the stack is exhausted.
    pub exhausted: ExpectedExit,
}

/// How generated code enters an exit of `rt`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ExpectedExit {
    /// The function of `rt`, as printed.
    pub function: String,
    /// The arguments, in the order of C's argument registers.
    pub arguments: Vec<(Argument, Operand)>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    /// The address of a symbol, as printed.
    Address(String),
    Number(u32),
}

impl ExpectedExit {
    /// A copy in which `name` replaces the symbols.
    fn named(&self, name: impl Fn(&str) -> String) -> ExpectedExit {
        let operand = |operand: &Operand| match operand {
            Operand::Address(symbol) => Operand::Address(name(symbol)),
            Operand::Number(number) => Operand::Number(*number),
        };
        let arguments = self.arguments.iter().map(|(argument, given)| (*argument, operand(given))).collect();
        ExpectedExit { function: name(&self.function), arguments }
    }
}

/// An entry that aligns SP: calls the body with SP a multiple of `align`, whatever multiple of `grain` its caller's SP
/// was, and with the same words above the return address. It changes only flags.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ExpectedAligned {
    /// Offset of its first instruction, after the assembler's prologue.
    pub start: u32,
    /// SP is a multiple of this before the entry is called.
    pub grain: u32,
    pub align: u32,
    /// Words of stack arguments.
    pub words: u32,
    pub body: (String, i64),
}

/// The start of a function whose frame is contiguous with its stack arguments: makes the frame, copies the arguments to
/// its top, and changes no other register.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ExpectedContiguousArgs {
    /// Size of the frame, in bytes.
    pub frame: u32,
    /// How far below SP on entry the copy begins, in bytes.
    pub above: u32,
    /// Size of the copied arguments, in bytes.
    pub bytes: u32,
    /// End of this code, as an offset from the function's first byte.
    pub end: u32,
    /// Registers that it may change, one bit each.
    pub free: u32,
}

/// The entry of an export whose code differs between levels: continues at the entry of the processor's level. It
/// changes only flags and registers that calls may change.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ExpectedDispatch {
    /// The byte variable with the number of the processor's level, as printed.
    pub level: String,
    /// Pairs (least level, function as printed), by descending level; the last applies to all lower levels.
    pub entries: Vec<(u8, String)>,
}

impl ExpectedDispatch {
    /// The function for a level.
    pub fn entry(&self, level: u8) -> Option<&str> {
        let found = self.entries.iter().find(|(from, _)| level >= *from).or(self.entries.last());
        found.map(|(_, entry)| entry.as_str())
    }

    /// Levels to test: each boundary, and the levels next to it.
    pub fn trials(&self) -> std::collections::BTreeSet<u8> {
        self.entries.iter().flat_map(|&(from, _)| [from.saturating_sub(1), from, from.saturating_add(1)]).collect()
    }
}

/// The entry of an export.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ExpectedEntry {
    /// Bytes that SP must be above the goroutine's lowest address; otherwise the entry grows the stack.
    pub stack: u32,
    /// The stack limit that it stores in the word at the goroutine's lowest address, if any: this many bytes below SP
    /// at the entry (amd64), or below SP at the call of the body (arm64).
    pub limit: Option<u32>,
    /// SP is a multiple of this when the body is called.
    pub align: u32,
    /// Must the x87 stack be empty then?
    pub empties_x87: bool,
    /// Offset of the argument area whose address is passed to the body, if any.
    pub arguments: Option<u32>,
    /// The same for the result area.
    pub results: Option<u32>,
    /// The body: its symbol as printed, and an offset.
    pub body: (String, i64),
    /// The function that grows the stack, as printed.
    pub grow: String,
    /// Which calls go through the scheduler, if any.
    pub blocking: Option<Box<ExpectedBlocking>>,
}

/// A blocking entry: calls one function of `rt` before the body and another after it, if the call passes many bytes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ExpectedBlocking {
    /// The functions of `rt`, as printed.
    pub enter: String,
    pub leave: String,
    /// Calls that pass at most this many bytes are ordinary calls. 0: every call is blocking.
    pub over: u64,
    /// Offsets of lengths in the argument area, with the size of an element of each, in bytes.
    pub lengths: Vec<(u32, u64)>,
}

impl ExpectedBlocking {
    /// Lengths for test runs of the entry, and whether that call must be blocking: each slice alone and all together,
    /// with the most bytes of an ordinary call, and with one element more.
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
    /// A copy in which `name` replaces the symbols, with `system` bytes added to the required stack.
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
