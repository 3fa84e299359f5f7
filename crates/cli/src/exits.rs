//! The ways out of Rust code: where control leaves the code that analysis follows and goes on in the Go package `rt`.
//!
//! Each exit is one [`Row`] of a table. The stages read the row, and name an exit only where they make code for it:
//!
//! | stage | what it reads |
//! |---|---|
//! | load | the [name](Row::symbol) that no object defines and that means the exit |
//! | analyze | the [stack](Row::stack) that a call of the exit needs, and whether it [returns](Row::returns) |
//! | lower | the [stub](Row::stub) to which calls lead, and the [arguments](Row::arguments) that generated code hands over |
//! | verify | the arguments again: a checked entry is executed, and its registers are compared |
//! | runtime | the [function](Row::function), which a copy of `rt` defines under a name that assembly can spell |
//!
//! So a new exit needs a row, its function in `rt`, and code that leaves by it. That `rt` agrees with the rows is a test of
//! [`abi`](crate::abi).

use std::fmt;

/// A way out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Exit {
    /// Rust panics.
    Panic,
    /// A checked entry finds too little stack.
    Exhausted,
    /// Rust calls a function that is not carried.
    Missing,
}

/// What every stage needs to know of an exit.
#[derive(Debug)]
pub struct Row {
    /// For people.
    pub name: &'static str,
    /// The function of `rt` that takes over.
    pub function: &'static str,
    /// The name by which Rust code calls it, if it does. No object defines that name.
    pub symbol: Option<&'static str>,
    /// The function of the generated package to which Rust's calls lead. Without one they lead to the function of `rt`.
    pub stub: Option<Stub>,
    /// What the function of `rt` is given, in the argument registers of C, in their order. Those that Rust code hands over come first.
    pub arguments: &'static [Argument],
    /// Bytes of the goroutine's stack that generated code leaves free below SP where it calls the exit or jumps to it, behind Rust's own
    /// return address. A bound that analysis proves includes them.
    pub stack: u32,
    /// Does control come back, as from a function of C?
    pub returns: bool,
}

/// A function of the generated package that completes the arguments and goes on to `rt`.
#[derive(Debug)]
pub struct Stub {
    /// As printed, with `<>`.
    pub symbol: &'static str,
    /// For the comment above it.
    pub what: &'static str,
}

/// What an exit is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// `*const core::panic::PanicInfo`, which Rust code hands over.
    PanicInfo,
    /// The address of the crate's formatter, which the stub adds.
    Formatter,
    /// The name of the function for which there is no stack, and its length in bytes. Its checked entry hands them over.
    Name,
    NameLength,
    /// The stated budget in bytes. The checked entry hands it over.
    Budget,
}

/// More than any exit uses: 72 bytes (`enter` on arm64).
const STACK: u32 = 96;

const PANIC: Row = Row {
    name: "panic",
    function: "enter",
    symbol: Some("rustgo_panic"),
    stub: Some(Stub { symbol: "rustgo·panic<>", what: "Rust's panic entry" }),
    arguments: &[Argument::PanicInfo, Argument::Formatter],
    stack: STACK,
    returns: false,
};

const EXHAUSTED: Row = Row {
    name: "exhausted",
    function: "exhausted",
    symbol: None,
    stub: None,
    arguments: &[Argument::Name, Argument::NameLength, Argument::Budget],
    stack: STACK,
    returns: false,
};

const MISSING: Row = Row {
    name: "missing",
    function: "missing",
    symbol: None,
    stub: Some(Stub {
        symbol: "rustgo·unavailable<>",
        what: "Stands for functions that only the text of a panic could need and that cannot run in Go: ends the formatting",
    }),
    arguments: &[],
    stack: STACK,
    returns: false,
};

impl Exit {
    pub const ALL: [Exit; 3] = [Exit::Panic, Exit::Exhausted, Exit::Missing];

    /// As many arguments Rust code hands to an exit at most. Liveness takes it that each exit reads that many.
    pub const HANDED: usize = most_handed();

    pub const fn row(self) -> &'static Row {
        match self {
            Exit::Panic => &PANIC,
            Exit::Exhausted => &EXHAUSTED,
            Exit::Missing => &MISSING,
        }
    }

    /// The exit that Rust code calls by this name.
    pub fn named(symbol: &[u8]) -> Option<Exit> {
        Exit::ALL.into_iter().find(|exit| exit.row().symbol.is_some_and(|name| name.as_bytes() == symbol))
    }
}

impl Argument {
    /// Does it come from Rust code, and not from the tool's own?
    pub const fn is_rusts(self) -> bool {
        matches!(self, Argument::PanicInfo)
    }
}

const fn most_handed() -> usize {
    let mut most = 0;
    let mut exit = 0;
    while exit < Exit::ALL.len() {
        let arguments = Exit::ALL[exit].row().arguments;
        let mut handed = 0;
        while handed < arguments.len() && arguments[handed].is_rusts() {
            handed += 1;
        }
        if handed > most {
            most = handed;
        }
        exit += 1;
    }
    most
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.row().name)
    }
}

/// For messages and comments.
impl fmt::Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Argument::PanicInfo => "&core::panic::PanicInfo",
            Argument::Formatter => "formatter",
            Argument::Name => "name",
            Argument::NameLength => "length of the name",
            Argument::Budget => "budget",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn rows_can_be_told_apart() {
        let names = |of: fn(&Row) -> Option<&str>| Exit::ALL.into_iter().filter_map(move |exit| of(exit.row()));
        for of in
            [(|row| Some(row.function)) as fn(&Row) -> Option<&str>, |row| row.symbol, |row| row.stub.as_ref().map(|stub| stub.symbol)]
        {
            assert_eq!(names(of).collect::<BTreeSet<_>>().len(), names(of).count());
        }
        assert_eq!(Exit::named(b"rustgo_panic"), Some(Exit::Panic));
        assert_eq!(Exit::named(b"enter"), None);
    }

    #[test]
    fn what_rust_hands_over_comes_first() {
        for row in Exit::ALL.map(Exit::row) {
            let by_rust = row.arguments.iter().take_while(|argument| argument.is_rusts()).count();
            assert!(!row.arguments[by_rust..].iter().any(|argument| argument.is_rusts()), "{}", row.name);
            assert!(by_rust == 0 || row.symbol.is_some(), "{}", row.name);
        }
        assert_eq!(Exit::HANDED, 1);
    }
}
