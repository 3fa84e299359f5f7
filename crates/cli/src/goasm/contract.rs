//! What the functions must do whose bytes are the assembler's choice: entries, and what stands between functions.

use crate::exits::Argument;

/// What a function that stands between others must do.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Contract {
    Entry(ExpectedEntry),
    Checked(ExpectedChecked),
    Aligned(ExpectedAligned),
    Joined(ExpectedContiguousArgs),
    Dispatch(ExpectedDispatch),
}

/// What a checked entry must do, and leave every register but those that are nobody's across a call, and the flags, alone
/// meanwhile: compare SP with the limit of the call that is running, which is the word at the goroutine's lowest address.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ExpectedChecked {
    /// Where it is entered: behind the assembler's prologue.
    pub start: u32,
    /// Bytes below SP that must be at or above the limit, or the stack is spent.
    pub stack: u32,
    /// The body, to which it goes on.
    pub body: (String, i64),
    /// How it ends the call where the stack is spent.
    pub exhausted: ExpectedExit,
}

/// How the tool's own code leaves for `rt`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ExpectedExit {
    /// The function of `rt`, as printed.
    pub function: String,
    /// What it is told, in the argument registers of C, in their order.
    pub arguments: Vec<(Argument, Operand)>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    /// The address of a symbol, as printed.
    Address(String),
    Number(u32),
}

impl ExpectedExit {
    /// The same with symbols named by `name`.
    fn named(&self, name: impl Fn(&str) -> String) -> ExpectedExit {
        let operand = |operand: &Operand| match operand {
            Operand::Address(symbol) => Operand::Address(name(symbol)),
            Operand::Number(number) => Operand::Number(*number),
        };
        let arguments = self.arguments.iter().map(|(argument, given)| (*argument, operand(given))).collect();
        ExpectedExit { function: name(&self.function), arguments }
    }
}

/// What an entry that aligns SP must do, and leave every register but the flags alone meanwhile: call the body with an SP that is
/// a multiple of `align`, whatever multiple of `grain` its caller's was, and with the same words above the return address.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ExpectedAligned {
    /// Where it is entered: behind the assembler's prologue.
    pub start: u32,
    /// SP is a multiple of this before the entry is called.
    pub grain: u32,
    pub align: u32,
    /// Words of arguments on the stack.
    pub words: u32,
    pub body: (String, i64),
}

/// What a function does first whose frame is in one piece with its arguments on the stack: make the frame, copy the arguments to its
/// top, and leave every other register alone.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ExpectedContiguousArgs {
    /// Bytes of the frame.
    pub frame: u32,
    /// How far below SP on entry the copy begins, in bytes.
    pub above: u32,
    /// Bytes of arguments.
    pub bytes: u32,
    /// Where it has done so, from the function's first byte.
    pub end: u32,
    /// Registers that it may change, a bit each.
    pub free: u32,
}

/// What the entry of an export must do whose code differs between levels: go on to that of the processor's level, and leave every register
/// alone meanwhile but the flags and those that are nobody's across a call.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ExpectedDispatch {
    /// The byte with the number of the processor's level, as printed.
    pub level: String,
    /// From which level on which function is the right one, as printed; by descending level, the last for all others.
    pub entries: Vec<(u8, String)>,
}

impl ExpectedDispatch {
    /// The function for a level.
    pub fn entry(&self, level: u8) -> Option<&str> {
        let found = self.entries.iter().find(|(from, _)| level >= *from).or(self.entries.last());
        found.map(|(_, entry)| entry.as_str())
    }

    /// Levels to try: each that makes a difference, and those beside it.
    pub fn trials(&self) -> std::collections::BTreeSet<u8> {
        self.entries.iter().flat_map(|&(from, _)| [from.saturating_sub(1), from, from.saturating_add(1)]).collect()
    }
}

/// What the entry of an export must do.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ExpectedEntry {
    /// Bytes that SP must be above the goroutine's lowest address, or the stack grows.
    pub stack: u32,
    /// The limit that it sets for the call, in the word at the goroutine's lowest address, where it sets one: that many bytes below
    /// SP at the entry (amd64), or below SP at the call of the body (arm64).
    pub limit: Option<u32>,
    /// SP is a multiple of this when the body is called.
    pub align: u32,
    /// Whether the x87 stack is empty then, whatever it held.
    pub empties_x87: bool,
    /// Offset of the argument area whose address the body gets, if it gets one.
    pub arguments: Option<u32>,
    /// The same of the results.
    pub results: Option<u32>,
    /// The body: its symbol as printed, and the offset in it.
    pub body: (String, i64),
    /// The function that grows the stack, as printed.
    pub grow: String,
    /// Which calls it tells the scheduler of.
    pub blocking: Option<Box<ExpectedBlocking>>,
}

/// What an entry does that tells the scheduler of calls: it calls one function of `rt` before the body and another behind it, if the call
/// passes many bytes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ExpectedBlocking {
    /// The functions of `rt`, as printed.
    pub enter: String,
    pub leave: String,
    /// Calls that pass no more than so many bytes are ordinary ones; 0: none are.
    pub over: u64,
    /// Where lengths lie in the argument area, and the size of an element of each, in bytes.
    pub lengths: Vec<(u32, u64)>,
}

impl ExpectedBlocking {
    /// Lengths to pass in a trial of the entry, and whether the scheduler must be told of that call: each slice alone, and all together, with
    /// just as many bytes as make an ordinary call, and with one element more.
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
            let tells = total(&lengths) > self.over;
            trials.push((lengths, tells));
        }
        trials
    }
}

impl Contract {
    /// The same with symbols named by `name`, and `system` more bytes of stack asked for.
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
            Contract::Joined(joined) => Contract::Joined(joined.clone()),
            Contract::Dispatch(dispatch) => Contract::Dispatch(ExpectedDispatch {
                level: name(&dispatch.level),
                entries: dispatch.entries.iter().map(|(from, entry)| (*from, name(entry))).collect(),
            }),
        }
    }
}
