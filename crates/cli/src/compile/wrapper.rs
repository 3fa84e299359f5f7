//! The wrapper around rustc. cargo runs this program in place of rustc (`RUSTC_WRAPPER`), and the program runs rustc with arguments that cargo
//! cannot pass:
//!
//! - The source folders are renamed for each package separately. So the flags that cargo sees, and all names derived from these flags, are equal
//!   on every machine.
//! - rustc derives the hashes in symbol names from `-C metadata`, and cargo's value depends on the absolute path of a local package. The wrapper
//!   replaces this value by a digest of the package's identity. Otherwise the order of functions would depend on the place of the checkout.
//! - If rustgo compiles the standard library for the target, rustc accepts unstable flags. So cargo passes a flag that forbids unstable features
//!   (`-Zallow-features=`). The wrapper removes this flag for the standard library (and for the support crate, see below). Code for the building
//!   machine (build scripts, procedural macros) sees a stable compiler. All crates except the standard library get the folder of the compiled library
//!   (`--sysroot`).
//! - The crate psm is compiled as for a system whose stacks cannot be switched. Then stacker, which uses psm, calls a function on the current
//!   stack instead of a new one, and rustgo checks the stack as for all recursive code.
//! - A dependency that is also a C library (`crate-type = ["cdylib", "lib"]`) is compiled only as a Rust library. Nothing uses the C library, and
//!   linking it would need a linker for the target.
//! - If panics unwind, or for WebAssembly, the support crate is compiled with unstable features, which it needs to start, catch and end panics.
//! - The support crate is compiled for the architecture's lowest level, so that the code that formats panic messages is equal at every level.
//! - If rustgo has guessed wrong whether the crate links std, the panic handler is missing or defined twice. If all errors are about this, the
//!   wrapper records and hides them, and the build runs again with the opposite guess.
//!
//! Compiler calls for build scripts and procedural macros are run unchanged, because their code is not part of the archive.

use super::flags::{ALLOW_NONE, LIBRARY_SETTINGS, OUR_WARNINGS};
use super::paths::Paths;
use crate::abi;
use crate::manifest::SUPPORT;
use sha2::{Digest, Sha256};
use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// The environment variable that names the folder of the [`Plan`]. If the variable is set, this program acts as the wrapper around rustc.
pub const VARIABLE: &str = "RUSTGO_WRAPPER";
const PLAN: &str = "plan.json";
const VERDICT: &str = "verdict";
/// The name of a file that the wrapper writes when a compiler call for a crate of the archive fails. If the file exists, the build did not fail
/// because of a build script.
const COMPLAINED: &str = "complained";
/// The name of the file that exists if the support crate did not compile with the unstable features for panics that unwind.
const NO_UNWINDING: &str = "no-unwinding";
/// A cfg that psm's build script sets if code can move to another stack. The wrapper replaces it by the second cfg, which has no effect.
const SWITCHES_STACKS: &str = "switchable_stack";
const KEEPS_STACK: &str = "rustgo_keeps_stack";
/// An environment variable that is set if the crate or a dependency links std. Its value is "io" if the support crate implements std's traits,
/// otherwise "1". [`Call::note_std`] tells cargo that the support crate and the author's crate depend on this variable.
pub const STD_VARIABLE: &str = "RUSTGO_LINKS_STD";

/// The data of the build that the wrapper needs. They are stored in a file in the folder that [`VARIABLE`] names.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct Plan {
    pub paths: Paths,
    /// The target triple. Compiler calls for other targets are run unchanged.
    pub target: String,
    /// The user's own wrapper (`RUSTC_WRAPPER`). If there is one, this wrapper runs it in place of rustc.
    pub next: Option<PathBuf>,
    /// True if rustc knows `--remap-path-scope` (since 1.95). Then compiler messages show the user's paths.
    pub scoped: bool,
    /// True if rustc accepts unstable flags: while rustgo compiles the standard library, and for crates that use this library.
    pub unstable: bool,
    /// The folder from which rustc takes the standard library, if rustgo has compiled it.
    pub sysroot: Option<PathBuf>,
    /// True if this attempt to build the crate assumes that the crate or a dependency links std.
    pub links_std: bool,
    /// True if panics unwind.
    pub unwinds: bool,
    /// True if the support crate needs unstable features of std: if panics unwind, and for WebAssembly.
    pub extends_std: bool,
    /// True if the support crate implements std's traits.
    pub has_io: bool,
    /// The flags of the target's level, each with the flag that replaces it in code for the lowest level.
    pub level: Vec<(String, String)>,
}

/// The reason why the archive does not have exactly one panic handler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Both std and rustgo-support define a panic handler, so the crate links std.
    Twice,
    /// No linked crate defines a panic handler, so the crate does not link std.
    Missing,
}

impl Plan {
    /// Stores the plan in the folder `dir`, from which [`run`] reads it.
    pub fn save(&self, dir: &Path) -> std::io::Result<()> {
        std::fs::write(dir.join(PLAN), serde_json::to_vec(self)?)
    }
}

/// Returns the user's own wrapper around rustc.
pub fn next() -> Option<PathBuf> {
    std::env::var_os("RUSTC_WRAPPER").filter(|wrapper| !wrapper.is_empty()).map(PathBuf::from)
}

/// Returns the problem with the panic handler that the last build recorded, and removes the record.
pub fn take_verdict(dir: &Path) -> Option<Verdict> {
    let path = dir.join(VERDICT);
    let text = std::fs::read_to_string(&path).ok()?;
    let _ = std::fs::remove_file(path);
    match text.as_str() {
        "twice" => Some(Verdict::Twice),
        "missing" => Some(Verdict::Missing),
        _ => None,
    }
}

/// True if the support crate of the last build did not compile with the unstable features for panics that unwind.
pub fn lacks_unwinding(dir: &Path) -> bool {
    dir.join(NO_UNWINDING).exists()
}

/// True if a compiler call of the last build failed.
pub fn has_complained(dir: &Path) -> bool {
    dir.join(COMPLAINED).exists()
}

/// Runs the compiler call `args` (the first argument is the compiler's path) according to the plan in the folder `dir`.
pub fn run(dir: &OsStr, args: &[OsString]) -> ExitCode {
    let plan = std::fs::read(Path::new(dir).join(PLAN)).ok().and_then(|bytes| serde_json::from_slice::<Plan>(&bytes).ok());
    let Some((rustc, rest)) = args.split_first() else {
        eprintln!("rustgo: error: {VARIABLE} is set, but there is no compiler to run");
        return ExitCode::from(2);
    };
    let next = plan.as_ref().and_then(|plan| plan.next.as_ref());
    let mut command = match next {
        Some(next) => {
            let mut command = Command::new(next);
            command.arg(rustc);
            command
        }
        None => Command::new(rustc),
    };
    let call = plan.as_ref().and_then(|plan| Call::read(plan, rest));
    if plan.as_ref().is_some_and(|plan| plan.unstable && !is_for(&plan.target, rest) && !rest.iter().any(is_unstable)) {
        command.env_remove("RUSTC_BOOTSTRAP");
    }
    match (plan, call) {
        (Some(plan), Some(call)) => {
            if plan.extends_std && call.is_support {
                command.env("RUSTC_BOOTSTRAP", "1");
            }
            command.args(call.rewritten(&plan, rest));
            let status = watch(command, Path::new(dir), plan.links_std);
            if plan.unwinds && call.is_support && status != ExitCode::SUCCESS {
                let _ = std::fs::write(Path::new(dir).join(NO_UNWINDING), "");
            }
            call.note_std();
            call.leave_empty(rest);
            status
        }
        (plan, _) => {
            command.args(rest);
            // A call for the target that gets here is for a package that the plan does not name, or comes from a build script that tests what the
            // compiler can do.
            if let Some(sysroot) = plan.as_ref().and_then(|plan| plan.sysroot.as_ref().filter(|_| is_for(&plan.target, rest))) {
                command.arg("--sysroot").arg(sysroot);
            }
            finish(command.status())
        }
    }
}

/// If the call makes a Rust library and also a library of the kind cdylib or dylib, which would need a linker, returns the arguments without
/// `--crate-type` of these kinds. Otherwise returns all arguments.
fn without_linked_kinds(args: &[OsString]) -> Vec<&OsString> {
    let kind_at =
        |at: usize, kinds: &[&str]| args[at] == "--crate-type" && args.get(at + 1).is_some_and(|kind| kinds.iter().any(|k| kind == k));
    let makes_library = (0..args.len()).any(|at| kind_at(at, &["lib", "rlib"]));
    let is_dropped = |at: usize| makes_library && kind_at(at, &["cdylib", "dylib"]);
    (0..args.len()).filter(|&at| !(is_dropped(at) || at > 0 && is_dropped(at - 1))).map(|at| &args[at]).collect()
}

/// True if the call compiles code for `target`.
fn is_for(target: &str, args: &[OsString]) -> bool {
    args.windows(2).any(|pair| pair[0] == "--target" && pair[1] == target)
}

/// True for an unstable flag. cargo itself passes such flags for the standard library's build scripts.
fn is_unstable(arg: &OsString) -> bool {
    arg.as_encoded_bytes().starts_with(b"-Z")
}

/// A compiler call that compiles a package for the target.
struct Call {
    /// True if the package is part of the standard library.
    of_library: bool,
    package_dir: PathBuf,
    work_dir: PathBuf,
    out_dir: Option<PathBuf>,
    source: PathBuf,
    metadata: String,
    is_support: bool,
    /// True for the crate psm, with which stacker switches stacks.
    is_psm: bool,
    /// True for the crate of the standard library that aborts at a panic.
    is_panic_abort: bool,
    /// True for the support crate and the author's crate, which are compiled with a cfg that says whether the crate links std.
    asks_for_std: bool,
    /// The path of the file in which rustc lists the files that it read. cargo reads this file.
    dep_info: Option<PathBuf>,
}

impl Call {
    fn read(plan: &Plan, args: &[OsString]) -> Option<Call> {
        let texts: Vec<&str> = args.iter().map(|arg| arg.to_str().unwrap_or_default()).collect();
        let after = |name: &str| texts.iter().position(|arg| *arg == name).and_then(|at| texts.get(at + 1)).copied();
        let crate_name = after("--crate-name")?;
        if after("--target")? != plan.target {
            return None;
        }
        let package_dir = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR")?);
        // Only cargo passes this flag to rustc, and only for the standard library.
        let of_library = texts.contains(&"force-unstable-if-unmarked");
        let name = if of_library { plan.paths.library_package(&package_dir)? } else { plan.paths.package_name(&package_dir)? };
        let mut features: Vec<&str> = texts.iter().copied().filter(|arg| arg.starts_with("feature=")).collect();
        features.sort_unstable();
        let variable = |name: &str| std::env::var(name).unwrap_or_default();
        // Name the author's crate `crate`, because its place relative to the Go package is not part of its identity.
        let name = if package_dir == plan.paths.crate_dir { "crate" } else { &name };
        let is_support = variable("CARGO_PKG_NAME") == SUPPORT;
        let is_psm = variable("CARGO_PKG_NAME") == "psm";
        let asks_for_std = package_dir == plan.paths.crate_dir || is_support;
        let extra = texts.iter().find_map(|arg| arg.strip_prefix("extra-filename=").or_else(|| arg.strip_prefix("-Cextra-filename=")));
        let dep_info = after("--out-dir").map(|dir| Path::new(dir).join(format!("{crate_name}{}.d", extra.unwrap_or_default())));
        let identity = [name, &variable("CARGO_PKG_NAME"), &variable("CARGO_PKG_VERSION"), crate_name, &features.join(",")].join("\n");
        Some(Call {
            source: texts.iter().find(|arg| arg.ends_with(".rs") && !arg.starts_with('-'))?.into(),
            work_dir: std::env::current_dir().ok()?,
            out_dir: std::env::var_os("OUT_DIR").map(PathBuf::from),
            metadata: hex(&Sha256::digest(identity.as_bytes()))[..16].to_owned(),
            of_library,
            package_dir,
            is_support,
            is_psm,
            is_panic_abort: crate_name == "panic_abort",
            asks_for_std,
            dep_info,
        })
    }

    fn rewritten(&self, plan: &Plan, args: &[OsString]) -> Vec<OsString> {
        let mut rewritten: Vec<OsString> = without_linked_kinds(args)
            .into_iter()
            .filter(|arg| !((self.of_library || plan.extends_std && self.is_support) && *arg == ALLOW_NONE))
            .map(|arg| match arg.to_str() {
                // A cfg is two arguments (`--cfg NAME`), so only its name is replaced.
                Some(text) if self.is_psm && text == SWITCHES_STACKS => KEEPS_STACK.into(),
                // Panics must abort in the crate panic_abort too. Otherwise rustc does not accept this crate beside crates whose panics abort.
                Some("panic=unwind") if self.of_library && self.is_panic_abort => "panic=abort".into(),
                Some(text) if text.starts_with("metadata=") => format!("metadata={}", self.metadata).into(),
                Some(text) if text.starts_with("-Cmetadata=") => format!("-Cmetadata={}", self.metadata).into(),
                Some(text) if self.is_support => match plan.level.iter().find(|(level, _)| text == level) {
                    Some((_, lowest)) => lowest.into(),
                    None => arg.clone(),
                },
                _ => arg.clone(),
            })
            .collect();
        let out_dir = self.out_dir.as_deref();
        let remappings = match self.of_library {
            true => plan.paths.library_remappings(&self.work_dir, &self.package_dir, out_dir),
            false => plan.paths.remappings(&self.work_dir, &self.package_dir, &self.source, out_dir),
        };
        for (from, to) in remappings {
            let mut mapping = from.into_os_string();
            mapping.push("=");
            mapping.push(to);
            rewritten.push("--remap-path-prefix".into());
            rewritten.push(mapping);
        }
        if let Some(sysroot) = plan.sysroot.as_ref().filter(|_| !self.of_library) {
            rewritten.extend(["--sysroot".into(), sysroot.into()]);
        }
        if self.of_library {
            // The last of several equal options counts. So a user's profile for single packages has no effect.
            rewritten.extend(LIBRARY_SETTINGS.iter().flat_map(|setting| ["-C".into(), (*setting).into()]));
        }
        // In the standard library, messages of the compiler get the new names too: the hash of a crate contains the names of its files, and must not
        // depend on the place of the sources.
        if plan.scoped && !self.of_library {
            rewritten.push("--remap-path-scope=object".into());
        }
        if plan.links_std && self.asks_for_std {
            rewritten.extend(["--cfg".into(), abi::CFG_STD.into()]);
        }
        if plan.has_io && self.is_support {
            rewritten.extend(["--cfg".into(), abi::CFG_IO.into()]);
        }
        if plan.unwinds && self.is_support {
            rewritten.extend(["--cfg".into(), abi::CFG_UNWIND.into()]);
        }
        rewritten
    }

    /// Adds an entry to the file in which rustc lists the files that it read, as if the source read the environment variable [`STD_VARIABLE`]. If the
    /// next build differs in whether std is linked, cargo then compiles only the crates with this entry again.
    fn note_std(&self) {
        let Some(path) = self.dep_info.as_ref().filter(|path| self.asks_for_std && path.exists()) else { return };
        let value = std::env::var(STD_VARIABLE).map(|value| format!("={value}")).unwrap_or_default();
        let note = |mut file: std::fs::File| writeln!(file, "\n# env-dep:{STD_VARIABLE}{value}");
        // If the entry cannot be added, cargo does not compile these crates again. Then the second build attempt ends like the first, and
        // the user sees the errors of the second attempt.
        let _ = std::fs::OpenOptions::new().append(true).open(path).and_then(note);
    }

    /// Makes an empty file in place of the C library that [`without_linked_kinds`] leaves out. Without the file, cargo would compile the package
    /// in each build again.
    fn leave_empty(&self, args: &[OsString]) {
        let Some(dep_info) = self.dep_info.as_ref().filter(|path| path.exists()) else { return };
        let (Some(dir), Some(name)) = (dep_info.parent(), dep_info.file_stem().and_then(OsStr::to_str)) else { return };
        let library = dir.join(format!("lib{name}.so"));
        if without_linked_kinds(args).len() < args.len() && !library.exists() {
            // If the file cannot be written, the next build takes longer, but nothing worse happens.
            let _ = std::fs::write(library, "");
        }
    }
}

/// Runs rustc and prints its messages, except messages about the panic handler and about flags that rustgo sets.
fn watch(mut command: Command, dir: &Path, links_std: bool) -> ExitCode {
    let mut child = match command.stderr(Stdio::piped()).spawn() {
        Ok(child) => child,
        Err(error) => return finish(Err(error)),
    };
    let mut held = Held { as_if_std: links_std, ..Held::default() };
    if let Some(stderr) = child.stderr.take() {
        for line in BufReader::new(stderr).split(b'\n').map_while(Result::ok) {
            if !is_our_warning(&line) && !held.hold(&line) {
                pass(&line);
            }
        }
    }
    let status = child.wait();
    if status.as_ref().is_ok_and(|status| !status.success()) {
        // If the file cannot be written, a hint may be missing or superfluous, but nothing worse happens.
        let _ = std::fs::write(dir.join(COMPLAINED), "");
    }
    let noted = held.verdict().is_some_and(|verdict| {
        let text = if verdict == Verdict::Twice { "twice" } else { "missing" };
        status.as_ref().is_ok_and(|status| !status.success()) && std::fs::write(dir.join(VERDICT), text).is_ok()
    });
    // Pass on one error message, with another text: if rustc fails without an error message, cargo treats the failure as a crash and prints the whole
    // command line.
    match held.verdict().filter(|_| noted) {
        Some(verdict) => held.lines.first().into_iter().for_each(|line| pass(&replacement(verdict, links_std, line))),
        None => held.lines.iter().for_each(|line| pass(line)),
    }
    finish(status)
}

/// True for a warning about flags that only rustgo sets.
fn is_our_warning(line: &[u8]) -> bool {
    #[derive(serde::Deserialize)]
    struct Message {
        message: String,
    }
    serde_json::from_slice::<Message>(line).is_ok_and(|message| OUR_WARNINGS.contains(&message.message.as_str()))
}

/// Returns the error message `line` with a new text, which says what happens next.
fn replacement(verdict: Verdict, links_std: bool, line: &[u8]) -> Vec<u8> {
    let words = match (verdict, links_std) {
        (Verdict::Twice, false) => "std is linked and brings a panic handler, but this attempt assumed no std",
        (Verdict::Twice, true) => "std is linked, and there is a panic handler besides its own",
        (Verdict::Missing, true) => "nothing links std, so there is no panic handler; this attempt assumed std",
        (Verdict::Missing, false) => "nothing in the crate uses rustgo-support, which brings the panic handler",
    };
    let mut message: serde_json::Value = serde_json::from_slice(line).unwrap_or_default();
    message["message"] = words.into();
    // From this line on, the process that started cargo holds back cargo's output: see `process::pass_through_until_error`.
    message["rendered"] = format!("error: {words}\n\n").into();
    message["children"] = serde_json::Value::Array(Vec::new());
    message.to_string().into_bytes()
}

fn pass(line: &[u8]) {
    // cargo reads whole lines. Ignore errors: they mean that cargo has ended, and then no one needs the messages.
    let _ = std::io::stderr().lock().write_all(&[line, b"\n"].concat());
}

/// Compiler messages that the wrapper holds back until it knows if they are the only errors.
#[derive(Default)]
struct Held {
    lines: Vec<Vec<u8>>,
    verdict: Option<Verdict>,
    other_errors: bool,
    /// True if this attempt to build the crate assumes that the crate links std. Then `rustgo-support` uses `alloc` and expects the allocator
    /// from std.
    as_if_std: bool,
}

impl Held {
    /// Stores the line if it is an error about the panic handler, or a final message of rustc after such an error. Returns true if it stored
    /// the line.
    fn hold(&mut self, line: &[u8]) -> bool {
        #[derive(serde::Deserialize)]
        struct Message {
            message: String,
            level: String,
            code: Option<Code>,
        }
        #[derive(serde::Deserialize)]
        struct Code {
            code: String,
        }
        let Ok(message) = serde_json::from_slice::<Message>(line) else { return false };
        if !message.level.starts_with("error") && message.level != "failure-note" {
            return false;
        }
        let code = message.code.map(|code| code.code).unwrap_or_default();
        if code == "E0152" && message.message.contains("panic_impl") {
            self.verdict = Some(Verdict::Twice);
        } else if message.message.contains("`#[panic_handler]` function required") {
            self.verdict = Some(Verdict::Missing);
        } else if self.as_if_std && message.message.starts_with("no global memory allocator found") {
            self.verdict.get_or_insert(Verdict::Missing);
        } else if message.level == "error" && !message.message.starts_with("aborting due to") {
            self.other_errors = true;
            return false;
        } else if self.verdict.is_none() {
            return false;
        }
        self.lines.push(line.to_vec());
        true
    }

    fn verdict(&self) -> Option<Verdict> {
        self.verdict.filter(|_| !self.other_errors)
    }
}

fn finish(status: std::io::Result<std::process::ExitStatus>) -> ExitCode {
    match status {
        Ok(status) => status.code().and_then(|code| u8::try_from(code).ok()).map_or(ExitCode::FAILURE, ExitCode::from),
        Err(error) => {
            eprintln!("rustgo: error: the compiler cannot be run: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Returns the bytes as lower-case hexadecimal digits.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWICE: &str = r#"{"$message_type":"diagnostic","message":"found duplicate lang item `panic_impl`","code":{"code":"E0152","explanation":"x"},"level":"error","spans":[]}"#;
    const MISSING: &str = r#"{"message":"`#[panic_handler]` function required, but not found","code":null,"level":"error","spans":[]}"#;
    const OTHER: &str = r#"{"message":"mismatched types","code":{"code":"E0308"},"level":"error"}"#;
    const ABORTING: &str = r#"{"message":"aborting due to 1 previous error","code":null,"level":"error"}"#;
    const WARNING: &str = r#"{"message":"unused variable: `panic_impl`","code":{"code":"unused"},"level":"warning"}"#;

    fn verdict(lines: &[&str]) -> (Option<Verdict>, Vec<bool>) {
        let mut held = Held::default();
        let held_back = lines.iter().map(|line| held.hold(line.as_bytes())).collect();
        (held.verdict(), held_back)
    }

    #[test]
    fn no_c_library_is_linked_beside_a_rust_library() {
        let without = |args: &str| {
            let args: Vec<OsString> = args.split(' ').map(OsString::from).collect();
            without_linked_kinds(&args).into_iter().map(|arg| arg.to_str().unwrap()).collect::<Vec<_>>().join(" ")
        };
        for (args, left) in [
            ("--crate-type cdylib --crate-type lib -O", "--crate-type lib -O"),
            ("src/lib.rs --crate-type rlib --crate-type dylib", "src/lib.rs --crate-type rlib"),
            ("--crate-type lib --crate-type staticlib", "--crate-type lib --crate-type staticlib"),
            ("--crate-type cdylib -O", "--crate-type cdylib -O"),
            ("--crate-type staticlib", "--crate-type staticlib"),
            ("--crate-type lib --cfg cdylib", "--crate-type lib --cfg cdylib"),
        ] {
            assert_eq!(without(args), left);
        }
    }

    #[test]
    fn only_warnings_about_our_flags_are_dropped() {
        let ours = format!(r#"{{"message":"{}","code":null,"level":"warning"}}"#, OUR_WARNINGS[0]);
        assert!(is_our_warning(ours.as_bytes()));
        for line in [WARNING, OTHER, "not JSON"] {
            assert!(!is_our_warning(line.as_bytes()));
        }
    }

    #[test]
    fn only_the_panic_handlers_errors_are_held_back() {
        assert_eq!(verdict(&[WARNING, TWICE, ABORTING]), (Some(Verdict::Twice), vec![false, true, true]));
        assert_eq!(verdict(&[MISSING, ABORTING]), (Some(Verdict::Missing), vec![true, true]));
        assert_eq!(verdict(&[TWICE, OTHER, ABORTING]).0, None);
        assert_eq!(verdict(&[OTHER, ABORTING]), (None, vec![false, false]));
        assert_eq!(verdict(&["warning: not JSON", "{}"]), (None, vec![false, false]));
    }
}
