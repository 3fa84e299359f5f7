//! `rustgo survey`: which functions of a crate rustgo accepts, and why it refuses the others.

use crate::common::{read, root, scratch, target, write};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

crate::tests!(
    every_public_function_is_examined,
    named_functions_decide,
    json_has_a_line_for_each_function,
    requests_are_checked,
    crates_that_need_destructors_are_surveyed,
    refused_functions_are_written_for_a_report,
);

const LIB: &str = r#"//! A crate to survey.

use std::fmt::{self, Display};

/// Goes through.
pub fn doubled(x: u64) -> u64 {
    2 * x
}

/// More arguments than registers: on the stack.
pub fn sum(a: u64, b: u64, c: u64, d: u64, e: u64, f: u64, g: u64, h: u64) -> u64 {
    [a, b, c, d, e, f, g, h].into_iter().fold(0, u64::wrapping_add)
}

/// Starts a thread.
pub fn elsewhere(x: u64) -> u64 {
    std::thread::spawn(move || 2 * x).join().unwrap_or(0)
}

/// Calls through a pointer. No function that it calls is refused.
pub fn through(f: &dyn Fn(u64) -> u64, x: u64) -> u64 {
    f(x)
}

/// A function that starts a thread, behind a pointer.
pub fn starter() -> Box<dyn Fn(u64) -> u64> {
    Box::new(elsewhere)
}

/// C's mathematics.
pub fn angle(x: f64) -> f64 {
    x.atan2(2.0)
}

/// Has no machine code of its own.
pub fn generic<T: Display>(x: T) -> String {
    x.to_string()
}

/// A tree.
pub struct Tree {
    pub children: Vec<Tree>,
}

impl Tree {
    /// Recurses.
    pub fn depth(&self) -> usize {
        1 + self.children.iter().map(Tree::depth).max().unwrap_or(0)
    }

    #[allow(dead_code)]
    fn private(&self) {}
}

impl Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.depth())
    }
}

mod inner {
    pub fn hidden() {}
    pub fn shown() -> u8 {
        7
    }
}

pub use inner::shown;

#[cfg(feature = "extra")]
pub fn extra() -> u8 {
    8
}
"#;

fn krate() -> PathBuf {
    let dir = scratch("surveyed");
    let manifest = "[package]\nname = \"surveyed\"\nversion = \"1.2.3\"\nedition = \"2024\"\n\n[features]\nextra = []\n\n[workspace]\n";
    write(&dir.join("Cargo.toml"), manifest);
    write(&dir.join("src/lib.rs"), LIB);
    dir
}

fn survey(name: &str, krate: &Path, args: &[&str]) -> Output {
    let folder = scratch(&format!("survey_{name}"));
    write(&folder.join("Cargo.lock"), &read(&root().join("Cargo.lock")));
    let mut command = Command::new(env!("CARGO_BIN_EXE_rustgo"));
    command.arg("survey").arg(krate).args(args).args(["--quiet", "--offline", "--color", "never", "--scratch"]).arg(&folder);
    command.env("CARGO_TARGET_DIR", target(0)).env_remove("RUSTFLAGS").output().expect("rustgo runs")
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The lines of a section of the text.
fn section<'t>(text: &'t str, title: &str) -> Vec<&'t str> {
    let lines = text.lines().skip_while(|line| !line.starts_with(title)).skip(1);
    lines.take_while(|line| line.starts_with("  ")).map(str::trim).collect()
}

fn every_public_function_is_examined() {
    let output = survey("all", &krate(), &["--features", "extra"]);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(1), "{text}{}", stderr(&output));
    let through = [
        "surveyed::Tree::depth",
        "surveyed::Tree::fmt",
        "surveyed::angle",
        "surveyed::doubled",
        "surveyed::extra",
        "surveyed::shown",
        "surveyed::starter",
        "surveyed::sum",
        "surveyed::through",
    ];
    assert_eq!(section(&text, "goes through:"), through, "{text}");
    let refused = section(&text, "refused:");
    assert!(refused.len() == 1 && refused[0].starts_with("surveyed::elsewhere: threads"), "{text}");
    assert!(text.contains("needs the function pthread_create, which nothing defines"), "{text}");
    let helps = section(&text, "would help").join("\n");
    assert!(helps.contains("the crate libm, for C's mathematics") && helps.contains("surveyed::Tree::depth recurses"), "{text}");
    assert_eq!(section(&text, "not examined:"), ["1 generic function, which is compiled only for the types that use it"], "{text}");
    assert!(text.contains("surveyed 1.2.3 for amd64 (x86-64): 9 of 10 public functions go through ("), "{text}");
}

fn named_functions_decide() {
    let output = survey("named", &krate(), &["doubled", "Tree::depth"]);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{text}{}", stderr(&output));
    assert!(text.contains("surveyed 1.2.3 for amd64 (x86-64): 2 of 2 public functions go through ("), "{text}");
    assert_eq!(survey("named", &krate(), &["elsewhere"]).status.code(), Some(1));
}

fn json_has_a_line_for_each_function() {
    let output = survey("json", &krate(), &["--message-format", "json", "doubled", "elsewhere", "Tree::depth"]);
    let text = stdout(&output);
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect();
    let functions: Vec<&Value> = lines.iter().filter(|line| line["severity"] == "survey").collect();
    let results: Vec<_> = functions.iter().map(|line| (line["function"].as_str(), line["result"].as_str())).collect();
    let expected = [("Tree::depth", "accepted"), ("doubled", "accepted"), ("elsewhere", "refused")];
    assert_eq!(results.len(), 3, "{text}");
    for ((function, result), (end, expected)) in results.into_iter().zip(expected) {
        assert!(function.is_some_and(|function| function == format!("surveyed::{end}")) && result == Some(expected), "{text}");
    }
    assert!(functions[0]["budget"].is_u64() && functions[1]["budget"].is_null() && functions[1]["stack"].is_u64(), "{text}");
    assert_eq!(functions[2]["kinds"][0], "threads", "{text}");
    assert!(lines.iter().any(|line| line["severity"] == "error" && line["kind"] == "threads"), "{text}");
    let summary = lines.last().expect("a summary");
    assert_eq!(
        (summary["severity"].as_str(), summary["accepted"].as_u64(), summary["functions"].as_u64()),
        (Some("summary"), Some(2), Some(3))
    );
}

fn requests_are_checked() {
    for (args, why) in [
        (&["no_such"][..], "the crate surveyed has no public function no_such"),
        (&["hidden"], "the crate surveyed has no public function hidden"),
        (&["private"], "the crate surveyed has no public function private"),
        (&["generic"], "surveyed::generic is generic"),
    ] {
        let output = survey("wrong", &krate(), args);
        assert_eq!(output.status.code(), Some(1));
        assert!(stderr(&output).contains(why) && stderr(&output).contains("\n  hint: "), "{}", stderr(&output));
    }
    let output = survey("wrong", Path::new("no crate"), &[]);
    assert!(stderr(&output).contains("no crate is neither a crate's name nor a folder"), "{}", stderr(&output));
}

fn crates_that_need_destructors_are_surveyed() {
    let dir = scratch("relies");
    let manifest =
        |name: &str, more: &str| format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n{more}[workspace]\n");
    write(&dir.join("scoped-tls/Cargo.toml"), &manifest("scoped-tls", ""));
    write(&dir.join("scoped-tls/src/lib.rs"), "");
    write(&dir.join("user/Cargo.toml"), &manifest("user", "[dependencies]\nscoped-tls = { path = \"../scoped-tls\" }\n"));
    write(&dir.join("user/src/lib.rs"), "pub use scoped_tls as _;\npub fn doubled(x: u64) -> u64 {\n    2 * x\n}\n");
    for more in [&[][..], &["--allow", "scoped-tls"]] {
        let accepted = survey("relies", &dir.join("user"), more);
        assert!(accepted.status.success() && stdout(&accepted).contains("user::doubled"), "{}{}", stdout(&accepted), stderr(&accepted));
    }
    let wrong = survey("relies", &dir.join("user"), &["--allow", "user"]);
    assert!(stderr(&wrong).contains("allow in [package.metadata.rustgo] names user, which rustgo does not refuse"), "{}", stderr(&wrong));
}

/// `rustgo inspect --refused` writes the machine code of refused functions, and no source text.
fn refused_functions_are_written_for_a_report() {
    let dir = scratch("refused");
    let support = root().join("crates/support");
    let manifest = "[package]\nname = \"refused\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n";
    write(&dir.join("Cargo.toml"), &format!("{manifest}rustgo-support = {{ path = {support:?} }}\n"));
    write(&dir.join("Cargo.lock"), &read(&root().join("Cargo.lock")));
    write(&dir.join("src/lib.rs"), &read(&crate::common::cases_dir().join("refuse/tables/table_in_rust.rs")));
    let mut command = Command::new(env!("CARGO_BIN_EXE_rustgo"));
    command.args(["inspect", "--refused", "--quiet", "--offline", "--arch", "amd64", "--crate"]).arg(&dir);
    let output = command.env("CARGO_TARGET_DIR", target(0)).env_remove("RUSTFLAGS").output().expect("rustgo runs");
    let text = stdout(&output);
    assert!(output.status.success(), "{}", stderr(&output));
    let report: Value = serde_json::from_str(&text).expect("JSON");
    let reason = &report["reasons"][0];
    assert_eq!((reason["code"].as_str(), reason["kind"].as_str()), (Some("unsupported"), Some("limit")), "{text}");
    let function = &reason["functions"][0];
    assert_eq!((function["path"].as_str(), function["rustc"].as_bool()), (Some("refused::run"), Some(true)), "{text}");
    assert!(function["code"].as_str().is_some_and(|code| code.len() > 20) && function["relocations"][0]["offset"].is_u64(), "{text}");
    assert!(!text.contains("lib.rs") && report["rustc"].as_str().is_some_and(|rustc| rustc.starts_with("rustc ")), "{text}");
}
