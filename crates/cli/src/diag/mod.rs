//! Defines errors as values, which all stages use. The module [`render`] prints them.
//!
//! A message is lower case and has no full stop. The printed error also names the function and the source line, the chain of calls if that helps, and
//! a hint how to solve the problem.

pub mod gather;
pub mod render;
pub mod wall;

use std::fmt;
use wall::Wall;

/// A failure of a stage. Its kind decides how rustgo reports the failure.
#[derive(Debug)]
pub enum Failure {
    /// The input is refused for these reasons, in a stable order.
    Refused(Vec<Diagnostic>),
    /// Another program (cargo) failed and has printed the reason itself. rustgo reports the reason again only in the formats for programs (JSON and
    /// GitHub).
    Reported(Box<Diagnostic>),
    /// The user interrupted rustgo.
    Interrupted,
}

/// The result of a stage.
pub type Result<T> = std::result::Result<T, Failure>;

/// One reason for a failure. It is printed as `rustgo: error: MESSAGE`, followed by the place, the chain of calls, the notes and the hint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    pub code: ErrorCode,
    /// The kind of the reason, by which a long list of reasons is grouped.
    pub wall: Wall,
    pub message: String,
    /// The function and source line of the problem.
    pub place: Option<Place>,
    /// The chain of calls from an export (first) to the function with the problem (last).
    pub chain: Vec<Call>,
    /// The part of the reason that other refusals may have in common with this one.
    pub shared: Option<Shared>,
    /// Further places with this problem, from refusals that [`gather::gather`] merged into this one.
    pub others: Vec<Place>,
    /// Additional facts, each printed on a line of its own.
    pub notes: Vec<String>,
    /// Advice how to solve or avoid the problem.
    pub hint: Option<String>,
}

/// A place in a source file of the author or of a dependency.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    pub function: String,
    pub file: Option<String>,
    pub line: Option<u32>,
    /// The place in the source of the inlined function, if the compiler inlined a function of another crate here. `file` and `line` are then the
    /// place in the author's crate where this function is called.
    pub inlined: Option<Source>,
}

impl Place {
    /// Returns a place that names a function without file and line.
    pub fn of(function: impl Into<String>) -> Place {
        Place { function: function.into(), ..Place::default() }
    }
}

/// A line in a file. The file's name is in the form that messages print.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    pub file: String,
    pub line: u32,
}

/// A reason that may apply to many functions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shared {
    /// The function that this refusal is about.
    pub of: Place,
    /// The message without the function's name.
    pub what: String,
}

/// One element of a chain of calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The place of the call. For the last element, the place of the problem.
    pub place: Place,
    /// The way in which the code reaches the next element: "calls", "may call", "jumps to", "takes the address of". `None` for the last
    /// element.
    pub how: Option<&'static str>,
}

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $name:ident = $text:literal,)+) => {
        /// The kinds of errors. Their names are stable, and `docs/errors.md` explains each kind.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum ErrorCode { $($(#[doc = $doc])+ $name,)+ }
        impl ErrorCode {
            /// All error codes, in the order of `docs/errors.md`.
            pub const ALL: &'static [ErrorCode] = &[$(ErrorCode::$name,)+];
            /// Returns the stable name of the code, as JSON output prints it.
            pub fn as_str(self) -> &'static str { match self { $(ErrorCode::$name => $text,)+ } }
        }
    };
}

codes! {
    /// The request is invalid: wrong paths or names, or conflicting options.
    Request = "request",
    /// A required tool is missing or too old.
    Toolchain = "toolchain",
    /// The crate cannot be read or has no library.
    Crate = "crate",
    /// rustc or a build script failed.
    Compile = "compile",
    /// The crate exports nothing.
    NoExports = "no-exports",
    /// The macro and the tool use different versions of the schema (the format of export records).
    Schema = "schema",
    /// The archive (the static library that cargo built) or an object file in it is damaged.
    Archive = "archive",
    /// An object file is for another architecture or has another format, or the exports of two targets differ.
    Architecture = "architecture",
    /// Two exports have the same Go name, or a name is not a Go identifier.
    GoName = "go-name",
    /// Bytes cannot be decoded as instructions.
    Decode = "decode",
    /// The code has an instruction that a Go program must not execute.
    Instruction = "instruction",
    /// The code uses thread-local storage.
    ThreadLocal = "thread-local",
    /// The code makes a system call.
    Syscall = "syscall",
    /// A symbol has no definition.
    Undefined = "undefined",
    /// The target of a call cannot be determined.
    IndirectCall = "indirect-call",
    /// The stack pointer is not known at every instruction.
    DynamicStack = "dynamic-stack",
    /// An export needs more stack than the limit or its stated budget allows.
    StackLimit = "stack-limit",
    /// A Go object cannot express a relocation, section or alignment.
    Unsupported = "unsupported",
    /// The Go toolchain assembled other bytes than expected. The error is in rustgo itself.
    Verify = "verify",
    /// The output folder cannot be used.
    Output = "output",
    /// The committed files differ from the files that the source gives (`check --locked`).
    Stale = "stale",
}

impl Diagnostic {
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Diagnostic {
            code,
            wall: Wall::of(code),
            message: message.into(),
            place: None,
            chain: Vec::new(),
            shared: None,
            others: Vec::new(),
            notes: Vec::new(),
            hint: None,
        }
    }
    /// Returns a diagnostic whose message is the function's name followed by `what`.
    pub fn of(code: ErrorCode, place: Place, what: impl Into<String>) -> Self {
        let what = what.into();
        Self::new(code, format!("{} {what}", place.function)).shared(place.clone(), what).at(place)
    }
    /// Allows [`gather::gather`] to merge this reason with other reasons that have the same code, `what` and hint.
    pub fn shared(mut self, of: Place, what: impl Into<String>) -> Self {
        self.shared = Some(Shared { of, what: what.into() });
        self
    }
    pub fn wall(mut self, wall: Wall) -> Self {
        self.wall = wall;
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
