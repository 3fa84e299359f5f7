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
//!
//! Functions of `rt` that are written in Rust (`crates/rt`) are *routines*: rustgo itself makes their assembly, and refuses one that
//! needs more stack than its row says.

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
    /// Rust or C asks for memory or gives it back.
    Malloc,
    Calloc,
    Realloc,
    AlignedAlloc,
    PosixMemalign,
    UsableSize,
    Free,
    /// Rust or C asks for the address of a thread-local variable.
    ThreadLocal,
    /// The same where compilers emulate thread-local storage.
    EmulatedThreadLocal,
    /// The heap asks which thread runs the call.
    Thread,
    /// The heap asks which processor of Go's scheduler runs the call.
    Processor,
    /// The heap asks the operating system to back a part of its address space with memory.
    Commit,
    /// The heap gives such memory back.
    Release,
    /// Rust code waits for another thread to do something: the heap for a lock, std for one of its own.
    Relax,
    /// The heap has found a pointer that is none of its own, or overwritten memory.
    Corrupt,
    /// Rust writes to the standard output or error stream.
    Write,
    /// Rust asks for the time.
    Clock,
    /// Rust or C asks what the processor can do.
    Auxiliary,
    /// Rust asks the system for random bytes.
    Random,
    /// Rust asks for random bytes where it cannot ask the system.
    RandomBytes,
}

/// A part of the package `rt`. A copy has only the parts that are needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// Panics and faults.
    Core,
    /// The Rust heap, and what std and C need of the system: the files whose names begin with `heap` or `system`, and those that rustgo has
    /// made of `crates/rt`.
    Heap,
}

/// What every stage needs to know of an exit.
#[derive(Debug)]
pub struct Row {
    /// For people.
    pub name: &'static str,
    /// The files of `rt` that the exit needs.
    pub part: Part,
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
    /// Does it rely on SP being a multiple of 16 before the call, as C's convention says?
    pub aligned: bool,
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
    /// A number or an address, which Rust or C code hands over.
    Word(&'static str),
}

/// More than any exit uses: 72 bytes (`enter` on arm64).
const STACK: u32 = 96;

/// More than any routine uses. What is made of `crates/rt` is refused if that is wrong.
pub const HEAP_STACK: u32 = 1536;

/// A routine of `crates/rt`: mostly a function of the heap that C's name means.
const fn heap(name: &'static str, function: &'static str, symbol: &'static str, arguments: &'static [Argument]) -> Row {
    Row { name, part: Part::Heap, function, symbol: Some(symbol), stub: None, arguments, stack: HEAP_STACK, aligned: true, returns: true }
}

/// A function that the heap itself calls, or the support crate's functions of the C library.
const fn system(name: &'static str, function: &'static str, symbol: &'static str, arguments: &'static [Argument]) -> Row {
    Row { stack: STACK, aligned: false, ..heap(name, function, symbol, arguments) }
}

const SIZE: Argument = Argument::Word("size");
const ALIGNMENT: Argument = Argument::Word("alignment");
const ADDRESS: Argument = Argument::Word("address");

const MALLOC: Row = heap("malloc", "malloc", "malloc", &[SIZE]);
const CALLOC: Row = heap("calloc", "calloc", "calloc", &[Argument::Word("count"), SIZE]);
const REALLOC: Row = heap("realloc", "realloc", "realloc", &[ADDRESS, SIZE]);
const ALIGNED_ALLOC: Row = heap("aligned_alloc", "alignedAlloc", "aligned_alloc", &[ALIGNMENT, SIZE]);
const POSIX_MEMALIGN: Row =
    heap("posix_memalign", "posixMemalign", "posix_memalign", &[Argument::Word("where to store the address"), ALIGNMENT, SIZE]);
const USABLE_SIZE: Row = heap("malloc_usable_size", "usableSize", "malloc_usable_size", &[ADDRESS]);
const FREE: Row = heap("free", "free", "free", &[ADDRESS]);

const THREAD_LOCAL: Row = heap("thread-local variable", "threadLocal", "__tls_get_addr", &[Argument::Word("cell")]);
const EMULATED_THREAD_LOCAL: Row =
    heap("emulated thread-local variable", "emulatedThreadLocal", "__emutls_get_address", &[Argument::Word("control")]);

const THREAD: Row = system("thread", "thread", "rustgo_heap_thread", &[]);
const PROCESSOR: Row = system("processor", "processor", "rustgo_heap_processor", &[]);
const COMMIT: Row = system("commit", "commit", "rustgo_heap_commit", &[ADDRESS, SIZE]);
const RELEASE: Row = system("release", "release", "rustgo_heap_release", &[ADDRESS, SIZE]);
const RELAX: Row = system("relax", "relax", "rustgo_heap_relax", &[Argument::Word("round")]);
const CORRUPT: Row = Row { returns: false, ..system("corrupt", "corrupt", "rustgo_heap_corrupt", &[Argument::Word("kind"), ADDRESS]) };

const WRITE: Row = system("write", "writeOut", "rustgo_write", &[Argument::Word("stream"), ADDRESS, SIZE]);
const CLOCK: Row = system("clock", "clock", "rustgo_clock", &[Argument::Word("clock"), Argument::Word("where to store the time")]);
const AUXILIARY: Row = system("auxiliary", "auxiliary", "getauxval", &[Argument::Word("kind")]);
const RANDOM: Row = system("random", "random", "rustgo_random", &[ADDRESS, SIZE]);
const RANDOM_BYTES: Row = heap("random bytes", "randomBytes", "rustgo_random_bytes", &[ADDRESS, SIZE]);

const PANIC: Row = Row {
    name: "panic",
    part: Part::Core,
    function: "enter",
    symbol: Some("rustgo_panic"),
    stub: Some(Stub { symbol: "rustgo·panic<>", what: "Rust's panic entry" }),
    arguments: &[Argument::PanicInfo, Argument::Formatter],
    stack: STACK,
    aligned: false,
    returns: false,
};

const EXHAUSTED: Row = Row {
    name: "exhausted",
    part: Part::Core,
    function: "exhausted",
    symbol: None,
    stub: None,
    arguments: &[Argument::Name, Argument::NameLength, Argument::Budget],
    stack: STACK,
    aligned: false,
    returns: false,
};

const MISSING: Row = Row {
    name: "missing",
    part: Part::Core,
    function: "missing",
    symbol: None,
    stub: Some(Stub {
        symbol: "rustgo·unavailable<>",
        what: "Stands for functions that only the text of a panic could need and that cannot run in Go: ends the formatting",
    }),
    arguments: &[],
    stack: STACK,
    aligned: false,
    returns: false,
};

impl Row {
    /// How many arguments Rust code hands over.
    pub const fn handed(&self) -> usize {
        let mut handed = 0;
        while handed < self.arguments.len() && self.arguments[handed].is_rusts() {
            handed += 1;
        }
        handed
    }
}

impl Exit {
    pub const ALL: [Exit; 23] = [
        Exit::Panic,
        Exit::Exhausted,
        Exit::Missing,
        Exit::Malloc,
        Exit::Calloc,
        Exit::Realloc,
        Exit::AlignedAlloc,
        Exit::PosixMemalign,
        Exit::UsableSize,
        Exit::Free,
        Exit::ThreadLocal,
        Exit::EmulatedThreadLocal,
        Exit::Thread,
        Exit::Processor,
        Exit::Commit,
        Exit::Release,
        Exit::Relax,
        Exit::Corrupt,
        Exit::Write,
        Exit::Clock,
        Exit::Auxiliary,
        Exit::Random,
        Exit::RandomBytes,
    ];

    /// As many arguments Rust code hands to an exit at most.
    pub const HANDED: usize = most_handed();

    pub const fn row(self) -> &'static Row {
        match self {
            Exit::Panic => &PANIC,
            Exit::Exhausted => &EXHAUSTED,
            Exit::Missing => &MISSING,
            Exit::Malloc => &MALLOC,
            Exit::Calloc => &CALLOC,
            Exit::Realloc => &REALLOC,
            Exit::AlignedAlloc => &ALIGNED_ALLOC,
            Exit::PosixMemalign => &POSIX_MEMALIGN,
            Exit::UsableSize => &USABLE_SIZE,
            Exit::Free => &FREE,
            Exit::ThreadLocal => &THREAD_LOCAL,
            Exit::EmulatedThreadLocal => &EMULATED_THREAD_LOCAL,
            Exit::Thread => &THREAD,
            Exit::Processor => &PROCESSOR,
            Exit::Commit => &COMMIT,
            Exit::Release => &RELEASE,
            Exit::Relax => &RELAX,
            Exit::Corrupt => &CORRUPT,
            Exit::Write => &WRITE,
            Exit::Clock => &CLOCK,
            Exit::Auxiliary => &AUXILIARY,
            Exit::Random => &RANDOM,
            Exit::RandomBytes => &RANDOM_BYTES,
        }
    }

    /// The rows of the exits that need a part of `rt`.
    pub fn of(part: Part) -> impl Iterator<Item = &'static Row> {
        Exit::ALL.into_iter().map(Exit::row).filter(move |row| row.part == part)
    }

    /// The exit that Rust code calls by this name.
    pub fn named(symbol: &[u8]) -> Option<Exit> {
        Exit::ALL.into_iter().find(|exit| exit.row().symbol.is_some_and(|name| name.as_bytes() == symbol))
    }
}

impl Argument {
    /// Does it come from Rust code, and not from the tool's own?
    pub const fn is_rusts(self) -> bool {
        matches!(self, Argument::PanicInfo | Argument::Word(_))
    }
}

const fn most_handed() -> usize {
    let mut most = 0;
    let mut exit = 0;
    while exit < Exit::ALL.len() {
        let handed = Exit::ALL[exit].row().handed();
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
            Argument::Word(what) => what,
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
        assert_eq!(Exit::HANDED, 3);
    }
}
