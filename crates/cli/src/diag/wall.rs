//! The kinds of reasons for a refusal ("walls"), which group a long list of reasons.

use super::{Diagnostic, ErrorCode};

macro_rules! walls {
    ($($(#[doc = $doc:literal])+ $name:ident = $slug:literal, $title:literal;)+) => {
        /// A kind of reasons for a refusal. The kinds are in order of importance. After `Build` come the kinds of code that an author can hardly
        /// remove from a crate.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Wall { $($(#[doc = $doc])+ $name,)+ }
        impl Wall {
            /// All kinds, the most important first.
            #[cfg(test)]
            pub const ALL: &'static [Wall] = &[$(Wall::$name,)+];
            /// Returns the stable name of the kind, as JSON output prints it.
            pub fn as_str(self) -> &'static str { match self { $(Wall::$name => $slug,)+ } }
            /// Returns the name of the kind for people.
            pub fn title(self) -> &'static str { match self { $(Wall::$name => $title,)+ } }
        }
    };
}

walls! {
    /// The request, the tools or the crate as a whole cannot be used.
    Build = "build", "the crate and its build";
    /// The code starts threads, or uses their locks.
    Threads = "threads", "threads";
    /// The code starts, awaits or ends processes, or handles signals.
    Processes = "processes", "processes and signals";
    /// The code uses sockets or resolves names.
    Network = "network", "the network";
    /// The code opens files, or reads and writes streams.
    Files = "files", "files, input and output";
    /// The code uses another service of the operating system.
    System = "system", "system calls and data of the system";
    /// The code reads clocks, or waits.
    Time = "time", "clocks and timers";
    /// The code throws or catches exceptions.
    Unwinding = "unwinding", "unwinding";
    /// The code needs C++'s runtime library.
    CPlusPlus = "c++", "C++'s runtime library";
    /// The code needs a Rust allocator that the crate lacks, or allocates memory outside the Rust heap.
    Memory = "memory", "memory outside the heap";
    /// The code needs functions of C's math.h.
    Math = "math", "C's mathematics";
    /// The code needs other functions of the C library, or functions that nothing defines.
    Functions = "functions", "functions that nothing defines";
    /// The crate has code that must run before the program starts.
    Start = "start", "code that runs before the program";
    /// The code reads thread-local variables in a way that Go does not support.
    ThreadLocal = "thread-local", "thread-local variables";
    /// The code has instructions that a Go program must not execute.
    Instructions = "instructions", "instructions";
    /// The stack has no bound, or is too large.
    Stack = "stack", "the stack";
    /// The code has a form that the tool does not understand, and a person may have written the code.
    Form = "form", "forms of code that rustgo does not understand";
    /// A compiler made the code, and the tool does not understand its form.
    Limit = "limit", "limits of rustgo";
}

impl Wall {
    /// Returns the default kind for reasons with this code. A stage that knows more sets another kind ([`Diagnostic::wall`]).
    pub fn of(code: ErrorCode) -> Wall {
        match code {
            ErrorCode::Request
            | ErrorCode::Toolchain
            | ErrorCode::Crate
            | ErrorCode::Compile
            | ErrorCode::NoExports
            | ErrorCode::Schema
            | ErrorCode::Archive
            | ErrorCode::Architecture
            | ErrorCode::GoName
            | ErrorCode::Output
            | ErrorCode::Stale => Wall::Build,
            ErrorCode::ThreadLocal => Wall::ThreadLocal,
            ErrorCode::Syscall => Wall::System,
            ErrorCode::Undefined => Wall::Functions,
            ErrorCode::Instruction => Wall::Instructions,
            ErrorCode::DynamicStack | ErrorCode::StackLimit => Wall::Stack,
            ErrorCode::Decode | ErrorCode::IndirectCall | ErrorCode::Unsupported => Wall::Form,
            ErrorCode::Verify => Wall::Limit,
        }
    }
}

/// Crates that [`needed_by`] skips, because they are never the cause of a refusal: their code runs only for the crates that call it.
const STD: [&str; 5] = ["std", "core", "alloc", "compiler_builtins", "rustgo"];

/// Returns the crate that causes the refusal: the crate of the last function in the chain of calls that is not in [`STD`].
pub fn needed_by(reason: &Diagnostic) -> Option<&str> {
    let places = reason.chain.iter().map(|call| call.place.function.as_str());
    let functions: Vec<&str> = places.chain(reason.place.as_ref().map(|place| place.function.as_str())).collect();
    functions.into_iter().rev().filter_map(krate).find(|krate| !STD.contains(krate))
}

/// Returns the first crate that a function's path names: `a::b`, `<a::B as c::D>::e`, `<&mut a::B>::f`.
fn krate(path: &str) -> Option<&str> {
    let start = path.find(|c: char| c.is_ascii_alphanumeric() || c == '_')?;
    let rest = &path[start..];
    let rest = ["mut ", "dyn ", "const "].iter().find_map(|word| rest.strip_prefix(word)).unwrap_or(rest);
    let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
    rest[end..].starts_with("::").then(|| &rest[..end])
}

#[cfg(test)]
mod tests {
    use super::super::{Call, Place};
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn kinds_have_different_names() {
        let names: BTreeSet<&str> = Wall::ALL.iter().map(|wall| wall.as_str()).collect();
        let titles: BTreeSet<&str> = Wall::ALL.iter().map(|wall| wall.title()).collect();
        assert_eq!((names.len(), titles.len()), (Wall::ALL.len(), Wall::ALL.len()));
        assert!(Wall::ALL.is_sorted());
    }

    #[test]
    fn errors_md_lists_all_kinds_in_order() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/errors.md");
        let text = std::fs::read_to_string(path).expect("docs/errors.md is there");
        let rows: Vec<String> = Wall::ALL.iter().map(|wall| format!("| `{}` | {} | ", wall.as_str(), wall.title())).collect();
        let (_, table) = text.split_once("| `kind` |").expect("docs/errors.md has the table of kinds");
        let lines: Vec<&str> = table.lines().skip(2).take_while(|line| line.starts_with('|')).collect();
        assert_eq!(lines.len(), rows.len());
        for (line, row) in lines.iter().zip(&rows) {
            assert!(line.starts_with(row.as_str()), "{line} should begin with {row}");
        }
    }

    #[test]
    fn paths_name_crates() {
        for (path, expected) in [
            ("a::b::c", Some("a")),
            ("<a::B as c::D>::e", Some("a")),
            ("<&mut a_1::B<T>>::f", Some("a_1")),
            ("<dyn a::B>::f", Some("a")),
            ("memcpy", None),
            ("", None),
        ] {
            assert_eq!(krate(path), expected, "{path}");
        }
    }

    #[test]
    fn the_last_crate_outside_std_is_named() {
        let call = |function: &str| Call { place: Place::of(function), how: None };
        let chain = ["demo::run", "rayon_core::spawn", "std::thread::spawn", "pthread_create"].map(call).to_vec();
        let reason = Diagnostic::of(ErrorCode::Undefined, Place::of("std::thread::spawn"), "needs x").chain(chain);
        assert_eq!(needed_by(&reason), Some("rayon_core"));
        assert_eq!(needed_by(&Diagnostic::of(ErrorCode::Undefined, Place::of("std::f"), "needs x")), None);
    }
}
