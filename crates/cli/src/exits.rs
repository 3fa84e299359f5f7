//! The exits: calls of functions in the Go package `rt`, by which control leaves Rust code. The analysis does not follow code beyond an exit.
//!
//! A table has one [`Row`] for each exit. The stages of rustgo read these rows; a stage names a single exit only where it generates code for this
//! exit:
//!
//! | stage | what it reads |
//! |---|---|
//! | load | the [symbol](Row::symbol): code that refers to it uses the exit, and no object defines it |
//! | analyze | the [stack](Row::stack) that a call of the exit needs, and whether the call [returns](Row::returns) |
//! | lower | the [stub](Row::stub) that replaces the symbol in calls, and the [arguments](Row::arguments) that generated code passes |
//! | verify | the [arguments](Row::arguments): verify executes each checked entry and compares the argument registers |
//! | runtime | the [function](Row::function), which a copy of `rt` defines under a name that assembly can spell |
//!
//! A new exit needs a row, a function in `rt`, and code that calls it. A test of [`abi`](crate::abi) compares `rt` with
//! the rows.
//!
//! Functions of `rt` that are written in Rust (`crates/rt`) are called *routines*. rustgo generates their assembly, and refuses a routine that
//! needs more stack than its row states.

use std::fmt;

/// An exit from Rust code: an event or service for which Rust code calls the Go package `rt`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Exit {
    /// Rust panics, and the panic abandons its frames.
    Panic,
    /// Rust panics, and the panic unwinds.
    Throw,
    /// Rust unwinds an exception that it has made.
    Raise,
    /// A landing pad has run its destructors and goes on to unwind.
    Resume,
    /// The shim of an export has caught a panic.
    Unwound,
    /// A checked entry (a function entry that compares SP with the call's limit) finds too little stack.
    Exhausted,
    /// Code that formats a panic message calls a function that the package leaves out.
    Missing,
    /// Rust or C calls the heap function `malloc`.
    Malloc,
    Calloc,
    Realloc,
    AlignedAlloc,
    PosixMemalign,
    UsableSize,
    Free,
    /// Rust or C asks for the address of a thread-local variable.
    ThreadLocal,
    /// Rust or C asks for the address of a thread-local variable on a target where the compiler emulates thread-local storage.
    EmulatedThreadLocal,
    /// The heap asks for the identity of the operating system thread that runs the call, or of the task if a task runs it.
    Thread,
    /// The heap asks for the processor (P) of Go's scheduler that runs the call.
    Processor,
    /// The heap asks for the address of the variables of `crates/rt`.
    State,
    /// The heap commits memory: the operating system must back a range of reserved address space.
    Commit,
    /// The heap returns committed memory to the operating system.
    Release,
    /// The heap waits for another thread that has a lock of the heap.
    Relax,
    /// Rust code waits for another thread that has a lock of std.
    GiveWay,
    /// The heap was given a pointer that it did not allocate, or it found overwritten memory.
    Corrupt,
    /// Rust writes to the standard output or error stream.
    Write,
    /// Rust reads a clock.
    Clock,
    /// Rust or C reads the processor's capabilities.
    Auxiliary,
    /// Rust gets random bytes from the system.
    Random,
    /// Rust code that must not make a system call gets random bytes.
    RandomBytes,
    /// Rust calls a Go function.
    Call,
}

/// A part of the package `rt`. A package's copy of `rt` contains only the parts that the package needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// The files of `rt` for panics and faults.
    Core,
    /// The files of `rt` for the Rust heap, and for the system functions that std and C need. The names of these files begin with `heap` or `system`,
    /// except for the files that rustgo generates from `crates/rt`.
    Heap,
    /// The functions of `rt` for panics that unwind.
    Unwinding,
}

/// The properties of one exit.
#[derive(Debug)]
pub struct Row {
    /// The exit's name in messages.
    pub name: &'static str,
    /// The part of `rt` whose files the exit needs.
    pub part: Part,
    /// The function of `rt` that handles the exit.
    pub function: &'static str,
    /// The symbol that Rust code calls. No object defines this symbol. `None` if only generated code calls the exit, and for [`Exit::Throw`], which
    /// Rust code calls by the symbol of [`Exit::Panic`].
    pub symbol: Option<&'static str>,
    /// The function of the generated package that code calls instead of `symbol`. `None` if calls go directly to the function of `rt`.
    pub stub: Option<Stub>,
    /// The arguments of the function of `rt`, in the order of C's argument registers. Arguments that Rust code passes come first.
    pub arguments: &'static [Argument],
    /// Number of bytes of stack that the exit may use below SP, without the return address that a call pushes. Generated code guarantees these bytes
    /// at each call of the exit and at each jump to it. Proven stack bounds include them.
    pub stack: u32,
    /// True if the function of `rt` relies on SP being a multiple of 16 before the call, as the C convention demands.
    pub aligned: bool,
    /// True if the exit returns to its caller.
    pub returns: bool,
    /// True if the exit unwinds its caller.
    pub unwinds: bool,
}

/// A function of the generated package that sets the arguments that Rust code does not pass, and then jumps to the function of `rt`.
#[derive(Debug)]
pub struct Stub {
    /// The function's name in printed assembly, with `<>`.
    pub symbol: &'static str,
    /// The text of the comment above the function.
    pub what: &'static str,
}

/// An argument that a function of `rt` gets when an exit calls it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Argument {
    /// A `*const core::panic::PanicInfo`, passed by Rust code.
    PanicInfo,
    /// The address of the crate's panic formatter, added by the stub.
    Formatter,
    /// The address of the name of the function whose stack check failed. The checked entry passes this address. The next argument,
    /// [`Argument::NameLength`], is the length of the name in bytes.
    Name,
    NameLength,
    /// A word from the checked entry: the stated stack budget in bytes, and the flag [`abi::ENDS_PROCESS`](crate::abi::ENDS_PROCESS).
    Budget,
    /// A number or an address, passed by Rust or C code. The text describes the argument.
    Word(&'static str),
}

/// The stack in bytes of each exit whose function in `rt` is assembly, except [`CALL`] and [`GIVE_WAY`]. The largest stack need of these functions is
/// 88 bytes (on arm64, for panics that unwind).
const STACK: u32 = 96;

/// The largest accepted stack need of a routine (a function of `crates/rt`), in bytes. rustgo refuses a routine that needs more.
pub const HEAP_STACK: u32 = 1536;

/// Makes the row of a routine, a function of `crates/rt`. Most routines are heap functions with their C names.
const fn heap(name: &'static str, function: &'static str, symbol: &'static str, arguments: &'static [Argument]) -> Row {
    Row {
        name,
        part: Part::Heap,
        function,
        symbol: Some(symbol),
        stub: None,
        arguments,
        stack: HEAP_STACK,
        aligned: true,
        returns: true,
        unwinds: false,
    }
}

/// Makes the row of a function of `rt` that the heap or the support crate's C library functions call.
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
const STATE: Row = system("state", "rustState", "rustgo_heap_state", &[]);
const COMMIT: Row = system("commit", "commit", "rustgo_heap_commit", &[ADDRESS, SIZE]);
const RELEASE: Row = system("release", "release", "rustgo_heap_release", &[ADDRESS, SIZE]);
const RELAX: Row = system("relax", "relax", "rustgo_heap_relax", &[Argument::Word("round")]);
const GIVE_WAY: Row = Row { stack: CALL.stack, ..system("wait for a lock", "giveWay", "rustgo_give_way", &[Argument::Word("round")]) };
const CORRUPT: Row = Row { returns: false, ..system("corrupt", "corrupt", "rustgo_heap_corrupt", &[Argument::Word("kind"), ADDRESS]) };

const WRITE: Row = system("write", "writeOut", "rustgo_write", &[Argument::Word("stream"), ADDRESS, SIZE]);
const CLOCK: Row = system("clock", "clock", "rustgo_clock", &[Argument::Word("clock"), Argument::Word("where to store the time")]);
const AUXILIARY: Row = system("auxiliary", "auxiliary", "getauxval", &[Argument::Word("kind")]);
const RANDOM: Row = system("random", "random", "rustgo_random", &[ADDRESS, SIZE]);
const RANDOM_BYTES: Row = heap("random bytes", "randomBytes", "rustgo_random_bytes", &[ADDRESS, SIZE]);

/// `callGo` needs more stack than [`STACK`], because it saves the callee-saved registers of its caller: 160 bytes on arm64.
const CALL: Row = Row {
    stack: 176,
    ..system(
        "call of a Go function",
        "callGo",
        "rustgo_call",
        &[Argument::Word("number"), ADDRESS, Argument::Word("address of the result"), Argument::Word("whether the thread panics")],
    )
};

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
    unwinds: false,
};

/// The panic exit of a package whose panics unwind. Rust code calls it by the same symbol as [`PANIC`].
const THROW: Row = Row {
    name: "unwinding panic",
    part: Part::Unwinding,
    function: "throw",
    symbol: None,
    stub: Some(Stub { symbol: "rustgo·throw<>", what: "Rust's panic entry, which unwinds" }),
    unwinds: true,
    ..PANIC
};

const EXCEPTION: Argument = Argument::Word("exception");

const RAISE: Row = Row {
    name: "raise",
    part: Part::Unwinding,
    function: "raiseException",
    symbol: Some("rustgo_raise"),
    stub: None,
    arguments: &[EXCEPTION],
    unwinds: true,
    ..PANIC
};

const RESUME: Row = Row { name: "resume", function: "resumeException", symbol: Some("_Unwind_Resume"), ..RAISE };

const UNWOUND: Row = Row {
    name: "unwound",
    part: Part::Unwinding,
    function: "unwound",
    symbol: Some("rustgo_unwound"),
    stub: Some(Stub { symbol: "rustgo·unwound<>", what: "The end of a panic that has unwound all Rust frames" }),
    arguments: &[EXCEPTION, Argument::Formatter],
    ..PANIC
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
    unwinds: false,
};

const MISSING: Row = Row {
    name: "missing",
    part: Part::Core,
    function: "missing",
    symbol: None,
    stub: Some(Stub {
        symbol: "rustgo·unavailable<>",
        what: "Replaces functions that only a panic's message could need and that cannot run in Go: ends the formatting",
    }),
    arguments: &[],
    stack: STACK,
    aligned: false,
    returns: false,
    unwinds: false,
};

impl Row {
    /// Returns the number of arguments that Rust code passes.
    pub const fn rust_arguments(&self) -> usize {
        let mut handed = 0;
        while handed < self.arguments.len() && self.arguments[handed].is_from_rust() {
            handed += 1;
        }
        handed
    }
}

impl Exit {
    pub const ALL: [Exit; 30] = [
        Exit::Panic,
        Exit::Throw,
        Exit::Raise,
        Exit::Resume,
        Exit::Unwound,
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
        Exit::State,
        Exit::Commit,
        Exit::Release,
        Exit::Relax,
        Exit::GiveWay,
        Exit::Corrupt,
        Exit::Write,
        Exit::Clock,
        Exit::Auxiliary,
        Exit::Random,
        Exit::RandomBytes,
        Exit::Call,
    ];

    /// The largest number of arguments that Rust code passes to an exit.
    pub const MAX_RUST_ARGUMENTS: usize = most_rust_arguments();

    pub const fn row(self) -> &'static Row {
        match self {
            Exit::Panic => &PANIC,
            Exit::Throw => &THROW,
            Exit::Raise => &RAISE,
            Exit::Resume => &RESUME,
            Exit::Unwound => &UNWOUND,
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
            Exit::State => &STATE,
            Exit::Commit => &COMMIT,
            Exit::Release => &RELEASE,
            Exit::Relax => &RELAX,
            Exit::GiveWay => &GIVE_WAY,
            Exit::Corrupt => &CORRUPT,
            Exit::Write => &WRITE,
            Exit::Clock => &CLOCK,
            Exit::Auxiliary => &AUXILIARY,
            Exit::Random => &RANDOM,
            Exit::RandomBytes => &RANDOM_BYTES,
            Exit::Call => &CALL,
        }
    }

    /// Returns the rows of the exits that one part of `rt` handles.
    pub fn of(part: Part) -> impl Iterator<Item = &'static Row> {
        Exit::ALL.into_iter().map(Exit::row).filter(move |row| row.part == part)
    }

    /// Returns the exit that Rust code calls by this symbol, in a package whose panics abandon their frames.
    pub fn named(symbol: &[u8]) -> Option<Exit> {
        Exit::by_symbol(symbol).filter(|exit| !exit.unwinding())
    }

    /// Returns the exit that Rust code calls by this symbol, in a package whose panics unwind.
    pub fn named_unwinding(symbol: &[u8]) -> Option<Exit> {
        match Exit::by_symbol(symbol)? {
            Exit::Panic => Some(Exit::Throw),
            other => Some(other),
        }
    }

    fn by_symbol(symbol: &[u8]) -> Option<Exit> {
        Exit::ALL.into_iter().find(|exit| exit.row().symbol.is_some_and(|name| name.as_bytes() == symbol))
    }

    /// True for the exits that occur only in a package whose panics unwind.
    fn unwinding(self) -> bool {
        self.row().part == Part::Unwinding
    }

    /// True for the exits whose function in `rt` formats the message of a panic.
    pub const fn formats(self) -> bool {
        matches!(self, Exit::Panic | Exit::Throw | Exit::Unwound)
    }
}

impl Argument {
    /// True if Rust code passes the argument; false if generated code adds it.
    pub const fn is_from_rust(self) -> bool {
        matches!(self, Argument::PanicInfo | Argument::Word(_))
    }
}

const fn most_rust_arguments() -> usize {
    let mut most = 0;
    let mut exit = 0;
    while exit < Exit::ALL.len() {
        let handed = Exit::ALL[exit].row().rust_arguments();
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

/// Describes the argument in words, for messages and comments.
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
    fn functions_symbols_and_stubs_are_unique() {
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
    fn rust_arguments_come_first() {
        for row in Exit::ALL.map(Exit::row) {
            let by_rust = row.arguments.iter().take_while(|argument| argument.is_from_rust()).count();
            assert!(!row.arguments[by_rust..].iter().any(|argument| argument.is_from_rust()), "{}", row.name);
            assert!(by_rust == 0 || row.symbol.is_some() || row.stub.is_some(), "{}", row.name);
        }
        assert_eq!(Exit::MAX_RUST_ARGUMENTS, 4);
    }
}
