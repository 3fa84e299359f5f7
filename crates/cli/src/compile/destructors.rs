//! Finds crates that are sound only if destructors run before other code continues. In a package whose panics abandon their frames, destructors do
//! not run, so such a crate is refused. If panics unwind, destructors run. Even then a call may have to abandon its frames, for example when a stack
//! budget is exhausted. In that case the package ends the process, as native Rust does.
//!
//! The check looks at the linked packages alone. It cannot tell whether an export reaches such code: the compiler may have inlined the code, and a
//! safe function of one crate may use another crate in a way that is safe only with destructors. So an author who knows better can allow a crate.

use crate::abi::SPAWN;
use crate::diag::{Diagnostic, ErrorCode, Failure, Result};
use crate::manifest::Package;
use crate::request::Request;

/// Crates that pass the address of a local variable to other code and rely on a destructor in the same frame to take the address back
/// (docs/safety.md, "Relying on a destructor"). Some of them register a variable for the time of a call, others pin the nodes of a list on the
/// stack. Each entry has the crate's name and some of its features. The crate is refused if one of these features is on, or always if no feature
/// is listed.
const CRATES: [(&str, &[&str]); 14] = [
    ("async-unsync", &[]),
    ("environmental", &[]),
    ("event-listener", &[]),
    ("fluid-let", &[]),
    ("futures-intrusive", &[]),
    ("kanal", &[]),
    ("local-sync", &[]),
    ("maitake-sync", &[]),
    ("pin-list", &[]),
    ("salsa", &[]),
    ("scoped-tls", &[]),
    ("scoped-tls-hkt", &[]),
    ("thingbuf", &[]),
    ("tokio", &["sync", "time"]),
];

/// If the author states `threads = "none"`, this crate relies on destructors too: `join` and `scope` of rayon put addresses of local variables into
/// the queue of the calling thread. In other packages these functions are refused, because they may start threads.
const WITHOUT_THREADS: &str = "rayon-core";

fn relies_on_destructors(package: &Package, no_threads: bool) -> bool {
    let has = |feature: &&str| package.features.iter().any(|other| other == feature);
    no_threads && package.name == WITHOUT_THREADS
        || CRATES.iter().any(|(name, features)| package.name == *name && (features.is_empty() || features.iter().any(has)))
}

/// The packages that rely on destructors and are not refused, each with its version.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Reliant {
    /// The packages that the author has allowed.
    pub allowed: Vec<String>,
    /// The packages that the author has not allowed. If there are any, a call that has to abandon its frames ends the process.
    pub others: Vec<String>,
}

impl Reliant {
    /// Refuses exports whose panics abandon their frames, unless the author has allowed all packages that rely on destructors. `abandoning` lists the
    /// Rust paths of these exports.
    pub fn refuse_abandoning<'a>(&self, abandoning: impl Iterator<Item = &'a str>) -> Result<()> {
        let Some(package) = self.others.first() else { return Ok(()) };
        let name = package.split(' ').next().unwrap_or(package);
        let refusal = |export: &str| {
            let message =
                format!("{export} states panic = \"abandon\", and the crate {name} is sound only if destructors run during a panic");
            Diagnostic::new(ErrorCode::Crate, message).hint(format!("leave out panic = \"abandon\"; or {}", allowing(name)))
        };
        let refused: Vec<Diagnostic> = abandoning.map(refusal).collect();
        if refused.is_empty() { Ok(()) } else { Err(Failure::Refused(refused)) }
    }
}

/// The kind of code whose packages are checked. The kinds differ in whether panics abandon their frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Code {
    /// Machine code whose panics unwind.
    Unwinding,
    /// Machine code whose panics abandon their frames.
    Abandoning,
    /// The code for other processors, which is translated from WebAssembly. Its panics always abandon their frames.
    Translated,
}

/// Finds the packages that rely on destructors. If panics abandon their frames, refuses each of these packages, unless the request's list `allow`
/// names it.
pub(super) fn check(packages: &[Package], request: &Request, code: Code) -> Result<Reliant> {
    let (allow, no_threads) = (&request.allow, request.no_threads);
    let of_threads: &[&str] = if no_threads { &[WITHOUT_THREADS, SPAWN] } else { &[] };
    let known: Vec<&str> = CRATES.iter().map(|(known, _)| *known).chain(of_threads.iter().copied()).collect();
    if let Some(name) = allow.iter().find(|name| !known.contains(&name.as_str())) {
        let message = format!("allow in [package.metadata.rustgo] names {name}, which rustgo does not refuse");
        return Err(Diagnostic::new(ErrorCode::Request, message).hint(format!("it can name {}", known.join(", "))).into());
    }
    let (allowed, refused): (Vec<&Package>, Vec<&Package>) =
        packages.iter().filter(|package| relies_on_destructors(package, no_threads)).partition(|package| allow.contains(&package.name));
    if !refused.is_empty() && code != Code::Unwinding {
        return Err(Failure::Refused(refused.into_iter().map(|package| refusal(package, code)).collect()));
    }
    let named = |packages: Vec<&Package>| packages.into_iter().map(|package| format!("{} {}", package.name, package.version)).collect();
    Ok(Reliant { allowed: named(allowed), others: named(refused) })
}

fn refusal(package: &Package, code: Code) -> Diagnostic {
    let name = &package.name;
    let message = match code {
        Code::Translated => {
            format!("the crate {name} is sound only if destructors run during a panic, and in code for fallback = \"wasm\" they do not")
        }
        _ => format!("the crate {name} is sound only if destructors run during a panic, and in this package they do not"),
    };
    let first = match code {
        Code::Translated => "leave out fallback = \"wasm\"",
        _ => "let panics unwind: leave out panic = \"abandon\"",
    };
    Diagnostic::new(ErrorCode::Crate, message)
        .note("after a panic, other code would keep references to stack memory that no longer exists")
        .note("rustgo has looked at the dependencies only: the exports may not reach the crate's code")
        .hint(format!(
            "{first}; or do without the crate: pass values as arguments; `cargo tree --invert {name}` shows the crate that needs it, which may have a feature for it; {}",
            allowing(name)
        ))
}

/// The hint that names the setting by which an author allows a crate.
fn allowing(name: &str) -> String {
    format!(
        "if no code of {name} runs, or no call panics while it runs, put allow = [\"{name}\"] into [package.metadata.rustgo]: the package is built, and its header names the crate"
    )
}
