//! rustgo in rustc's place. cargo runs this program instead of rustc (`RUSTC_WRAPPER`), and it runs rustc with what cargo
//! itself cannot say:
//!
//! - The sources' folders are renamed for each package by itself, so that the flags cargo sees, and all the names it derives
//!   from them, are the same on every machine.
//! - `-C metadata`, from which rustc makes the hashes in symbol names, contains the absolute path of packages that are folders;
//!   it is replaced by a digest of what the package is. Otherwise the order of functions would depend on where a checkout lies.
//! - Where the standard library is built too, unstable flags are in force: the crates are kept from unstable features, the
//!   library from that ban, and what runs on this machine (build scripts, procedural macros) sees a stable compiler.
//! - The support crate is compiled for the architecture's lowest level whatever the crate is compiled for: what formats the messages of panics
//!   is the same at every level then, and with it what panics.
//! - If the only thing wrong is that the panic handler is there twice or not at all, that is noted and kept from the user:
//!   the build is run again the other way.
//!
//! Compiler calls for build scripts and procedural macros are passed on as they are: nothing of them gets into the archive.

use super::flags::{ALLOW_NONE, OUR_WARNINGS};
use super::paths::Paths;
use crate::abi;
use sha2::{Digest, Sha256};
use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// Names the folder that [`Plan`] lies in; where it is set, the program is the wrapper.
pub const VARIABLE: &str = "RUSTGO_WRAPPER";
/// The support crate's package name: what the author's crate depends on.
pub const SUPPORT: &str = "rustgo-support";
const PLAN: &str = "plan.json";
const VERDICT: &str = "verdict";
/// Left by a compiler call that failed: then it is not a build script that did.
const COMPLAINED: &str = "complained";
/// Set for cargo where the crate links std. cargo takes the support crate's code for dependent on it (see [`Call::note_std`]).
pub const STD_VARIABLE: &str = "RUSTGO_LINKS_STD";

/// What the wrapper has to know.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct Plan {
    pub paths: Paths,
    /// The target triple of the calls that are changed.
    pub target: String,
    /// The wrapper the user has set (`RUSTC_WRAPPER`), run in turn.
    pub next: Option<PathBuf>,
    /// `--remap-path-scope` is understood (rustc 1.95): messages keep the names the user knows.
    pub scoped: bool,
    /// Unstable flags are in force, and the standard library is built too.
    pub unstable: bool,
    /// This attempt is made as if the crate linked std.
    pub links_std: bool,
    /// The flags that name the level, each with what stands in its place for the architecture's lowest.
    pub level: Vec<(String, String)>,
}

/// What is wrong with the panic handler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// std's and ours: the crate links std. Also where std was not built because nothing seemed to link it.
    Twice,
    /// Neither: the crate does not link std.
    Missing,
}

impl Plan {
    /// Writes the plan where [`run`] will find it.
    pub fn save(&self, dir: &Path) -> std::io::Result<()> {
        std::fs::write(dir.join(PLAN), serde_json::to_vec(self)?)
    }
}

/// What the last build noted, if anything; the note is taken away.
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

/// Has a compiler call of the last build failed?
pub fn has_complained(dir: &Path) -> bool {
    dir.join(COMPLAINED).exists()
}

/// Runs the compiler call `args` (the compiler's path first) as the plan in `dir` has it.
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
            command.args(call.rewritten(&plan, rest));
            let status = watch(command, Path::new(dir), plan.links_std);
            call.note_std();
            status
        }
        _ => {
            command.args(rest);
            finish(command.status())
        }
    }
}

/// Does the call make code for `target`?
fn is_for(target: &str, args: &[OsString]) -> bool {
    args.windows(2).any(|pair| pair[0] == "--target" && pair[1] == target)
}

/// cargo itself asks for the unstable where it builds for the standard library's sake: its build scripts.
fn is_unstable(arg: &OsString) -> bool {
    arg.as_encoded_bytes().starts_with(b"-Z")
}

/// A call that compiles a package for the target.
struct Call {
    /// It belongs to the standard library.
    of_library: bool,
    package_dir: PathBuf,
    work_dir: PathBuf,
    out_dir: Option<PathBuf>,
    source: PathBuf,
    metadata: String,
    is_support: bool,
    /// The support crate or the author's: they are compiled otherwise where std is linked.
    asks_for_std: bool,
    /// rustc's list of what it read, for cargo.
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
        // cargo says so to rustc, and to nobody else.
        let of_library = texts.contains(&"force-unstable-if-unmarked");
        let name = if of_library { plan.paths.library_package(&package_dir)? } else { plan.paths.package_name(&package_dir)? };
        let mut features: Vec<&str> = texts.iter().copied().filter(|arg| arg.starts_with("feature=")).collect();
        features.sort_unstable();
        let variable = |name: &str| std::env::var(name).unwrap_or_default();
        // The author's crate is known by its name: where it lies seen from the Go package is no part of what it is.
        let name = if package_dir == plan.paths.crate_dir { "crate" } else { &name };
        let is_support = variable("CARGO_PKG_NAME") == SUPPORT;
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
            asks_for_std,
            dep_info,
        })
    }

    fn rewritten(&self, plan: &Plan, args: &[OsString]) -> Vec<OsString> {
        let mut rewritten: Vec<OsString> = args
            .iter()
            .filter(|arg| !(self.of_library && *arg == ALLOW_NONE))
            .map(|arg| match arg.to_str() {
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
        if plan.scoped {
            rewritten.push("--remap-path-scope=object".into());
        }
        if plan.links_std && self.asks_for_std {
            rewritten.extend(["--cfg".into(), abi::CFG_STD.into()]);
        }
        rewritten
    }

    /// Has cargo compile again what depends on whether std is linked, and nothing else, when that changes: in rustc's list it stands
    /// like a variable that the source reads.
    fn note_std(&self) {
        let Some(path) = self.dep_info.as_ref().filter(|path| self.asks_for_std && path.exists()) else { return };
        let value = std::env::var(STD_VARIABLE).map(|value| format!("={value}")).unwrap_or_default();
        let note = |mut file: std::fs::File| writeln!(file, "\n# env-dep:{STD_VARIABLE}{value}");
        // Without the note the second attempt ends as the first one, and the user is told.
        let _ = std::fs::OpenOptions::new().append(true).open(path).and_then(note);
    }
}

/// Runs rustc and passes its messages on as they come, but for those on the panic handler and on our own flags.
fn watch(mut command: Command, dir: &Path, links_std: bool) -> ExitCode {
    let mut child = match command.stderr(Stdio::piped()).spawn() {
        Ok(child) => child,
        Err(error) => return finish(Err(error)),
    };
    let mut held = Held { as_if_std: links_std, ..Held::default() };
    if let Some(stderr) = child.stderr.take() {
        for line in BufReader::new(stderr).split(b'\n').map_while(Result::ok) {
            if !is_our_warning(&line) && !held.holds(&line) {
                pass(&line);
            }
        }
    }
    let status = child.wait();
    if status.as_ref().is_ok_and(|status| !status.success()) {
        // Without the note at worst a hint is missing, or is one too many.
        let _ = std::fs::write(dir.join(COMPLAINED), "");
    }
    let noted = held.verdict().is_some_and(|verdict| {
        let text = if verdict == Verdict::Twice { "twice" } else { "missing" };
        status.as_ref().is_ok_and(|status| !status.success()) && std::fs::write(dir.join(VERDICT), text).is_ok()
    });
    // cargo wants one error at least, or it takes the failure for a crash and shows the whole command line.
    match held.verdict().filter(|_| noted) {
        Some(verdict) => held.lines.first().into_iter().for_each(|line| pass(&replacement(verdict, links_std, line))),
        None => held.lines.iter().for_each(|line| pass(line)),
    }
    finish(status)
}

/// Is it about flags that only we have set?
fn is_our_warning(line: &[u8]) -> bool {
    #[derive(serde::Deserialize)]
    struct Message {
        message: String,
    }
    serde_json::from_slice::<Message>(line).is_ok_and(|message| OUR_WARNINGS.contains(&message.message.as_str()))
}

/// The error `line`, with words that say what happens next.
fn replacement(verdict: Verdict, links_std: bool, line: &[u8]) -> Vec<u8> {
    let words = match (verdict, links_std) {
        (Verdict::Twice, false) => "std is linked, and its panic handler with it: this attempt was made without",
        (Verdict::Twice, true) => "std is linked, and there is a panic handler besides its own",
        (Verdict::Missing, true) => "std is not linked, nor its panic handler: this attempt was made as if it were",
        (Verdict::Missing, false) => "nothing in the crate uses rustgo-support, which brings the panic handler",
    };
    let mut message: serde_json::Value = serde_json::from_slice(line).unwrap_or_default();
    message["message"] = words.into();
    // cargo's output is kept back from here on: see `process::pass_through_until_error`.
    message["rendered"] = format!("error: {words}\n\n").into();
    message["children"] = serde_json::Value::Array(Vec::new());
    message.to_string().into_bytes()
}

fn pass(line: &[u8]) {
    // cargo reads whole lines; one that has gone needs no messages any more.
    let _ = std::io::stderr().lock().write_all(&[line, b"\n"].concat());
}

/// Messages kept back until it is known whether they are the only errors.
#[derive(Default)]
struct Held {
    lines: Vec<Vec<u8>>,
    verdict: Option<Verdict>,
    other_errors: bool,
    /// There is no std to link; whatever else is wrong may come of that.
    no_std: bool,
    /// The attempt is made as if std were linked: then `rustgo-support` has `alloc`, and std would bring the allocator.
    as_if_std: bool,
}

impl Held {
    /// Keeps the line if it is an error on the panic handler, or rustc's last words after it.
    fn holds(&mut self, line: &[u8]) -> bool {
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
        if code == "E0463" && message.message.contains("can't find crate for `std`") {
            (self.verdict, self.no_std) = (Some(Verdict::Twice), true);
        } else if self.no_std {
            // The next attempt shows what is still wrong then.
        } else if code == "E0152" && message.message.contains("panic_impl") {
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

/// Lower-case hexadecimal digits.
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
    const NO_STD: &str = r#"{"message":"can't find crate for `std`","code":{"code":"E0463"},"level":"error"}"#;
    const ABORTING: &str = r#"{"message":"aborting due to 1 previous error","code":null,"level":"error"}"#;
    const WARNING: &str = r#"{"message":"unused variable: `panic_impl`","code":{"code":"unused"},"level":"warning"}"#;

    fn verdict(lines: &[&str]) -> (Option<Verdict>, Vec<bool>) {
        let mut held = Held::default();
        let holds = lines.iter().map(|line| held.holds(line.as_bytes())).collect();
        (held.verdict(), holds)
    }

    #[test]
    fn of_warnings_only_those_on_our_flags_are_dropped() {
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
        assert_eq!(verdict(&[NO_STD, OTHER, ABORTING]), (Some(Verdict::Twice), vec![true; 3]));
        assert_eq!(verdict(&[OTHER, NO_STD]).0, None);
        assert_eq!(verdict(&["warning: not JSON", "{}"]), (None, vec![false, false]));
    }
}
