//! What can go wrong, as data. Rendering (terminal, plain, JSON) is in [`render`]; a stage only makes values.
//!
//! The law of messages: lower case, no full stop; the function and the source line it concerns; the chain of calls
//! where one matters; a hint with the way out.

pub mod gather;
pub mod render;

use std::fmt;

/// Whose fault a failure is, and how it is reported.
#[derive(Debug)]
pub enum Failure {
    /// The input is refused: every reason found before the line stopped, in a stable order.
    Refused(Vec<Diagnostic>),
    /// Another program (cargo) failed and has already said why, in its own words: only machines are told this, too.
    Said(Box<Diagnostic>),
    /// The user asked to stop.
    Interrupted,
}

/// The result of a stage.
pub type Result<T> = std::result::Result<T, Failure>;

/// One reason, complete: printed as `rustgo: error: MESSAGE`, the place, the chain, the hint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    pub code: ErrorCode,
    pub message: String,
    /// The function and source line the message is about.
    pub place: Option<Place>,
    /// From an export (first) down to the culprit (last).
    pub chain: Vec<Call>,
    /// What the reason has in common with others, if it may have.
    pub shared: Option<Shared>,
    /// Where else the same holds: the reasons that [`gather::gather`] has made one with this.
    pub others: Vec<Place>,
    /// Facts worth a line of their own.
    pub notes: Vec<String>,
    /// The way out.
    pub hint: Option<String>,
}

/// A place in the author's (or a dependency's) source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    pub function: String,
    pub file: Option<String>,
    pub line: Option<u32>,
    /// Where the code at the place comes from, if the compiler inlined it from another crate: `file` and `line` are the author's call then.
    pub inlined: Option<Source>,
}

impl Place {
    /// A function of which no line is known.
    pub fn of(function: impl Into<String>) -> Place {
        Place { function: function.into(), ..Place::default() }
    }
}

/// A file, by the name that people see, and a line in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    pub file: String,
    pub line: u32,
}

/// A reason that may hold for many functions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shared {
    /// The function that it is said of.
    pub of: Place,
    /// What is said, without that function's name.
    pub what: String,
}

/// One link of a chain of calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// Where the call is, or where the chain ends.
    pub place: Place,
    /// "calls", "may call", "jumps to", "takes the address of": how the next link is reached, absent on the last.
    pub how: Option<&'static str>,
}

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $name:ident = $text:literal,)+) => {
        /// Stable names of the reasons; `docs/errors.md` explains each.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum ErrorCode { $($(#[doc = $doc])+ $name,)+ }
        impl ErrorCode {
            /// Every code, in the order of `docs/errors.md`.
            pub const ALL: &'static [ErrorCode] = &[$(ErrorCode::$name,)+];
            /// The stable text, as printed by `--message-format json`.
            pub fn as_str(self) -> &'static str { match self { $(ErrorCode::$name => $text,)+ } }
        }
    };
}

codes! {
    /// The request itself makes no sense (paths, names, conflicting options).
    Request = "request",
    /// A tool that is needed is missing or too old.
    Toolchain = "toolchain",
    /// The crate could not be read or has no library.
    Crate = "crate",
    /// rustc, or a build script, refuses the crate.
    Compile = "compile",
    /// The crate exports nothing.
    NoExports = "no-exports",
    /// The macro's schema and the tool's are of different versions.
    Schema = "schema",
    /// The archive or an object in it is damaged.
    Archive = "archive",
    /// The object is of another architecture or format.
    Architecture = "architecture",
    /// Two exports have one Go name, or a name is not a Go identifier.
    GoName = "go-name",
    /// Bytes that are not understood as instructions.
    Decode = "decode",
    /// An instruction that must not be executed in a Go program.
    Instruction = "instruction",
    /// Thread-local storage.
    ThreadLocal = "thread-local",
    /// A system call.
    Syscall = "syscall",
    /// A symbol nothing defines.
    Undefined = "undefined",
    /// A call whose target cannot be known.
    IndirectCall = "indirect-call",
    /// A stack pointer that is not known at every instruction.
    DynamicStack = "dynamic-stack",
    /// A frame over the limit.
    StackLimit = "stack-limit",
    /// A relocation, section or alignment that cannot be expressed in a Go object.
    Unsupported = "unsupported",
    /// The Go toolchain made other bytes than were meant: a fault of rustgo's own.
    Verify = "verify",
    /// The output folder cannot be used.
    Output = "output",
    /// The committed output is not what the source gives (`check --locked`).
    Stale = "stale",
}

impl Diagnostic {
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Diagnostic {
            code,
            message: message.into(),
            place: None,
            chain: Vec::new(),
            shared: None,
            others: Vec::new(),
            notes: Vec::new(),
            hint: None,
        }
    }
    /// `what` goes on where the function's name ends.
    pub fn of(code: ErrorCode, place: Place, what: impl Into<String>) -> Self {
        let what = what.into();
        Self::new(code, format!("{} {what}", place.function)).shared(place.clone(), what).at(place)
    }
    /// Reasons of one code that say the same `what` of different functions, and have the same hint, are one.
    pub fn shared(mut self, of: Place, what: impl Into<String>) -> Self {
        self.shared = Some(Shared { of, what: what.into() });
        self
    }
    pub fn at(mut self, place: Place) -> Self {
        self.place = Some(place);
        self
    }
    pub fn chain(mut self, chain: Vec<Call>) -> Self {
        self.chain = chain;
        self
    }
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl From<Diagnostic> for Failure {
    fn from(diagnostic: Diagnostic) -> Self {
        Failure::Refused(vec![diagnostic])
    }
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
