//! Cases that are crates: the case file is the crate's `lib.rs`, with directives that configure the test. docs/testing.md documents the
//! directives.

use super::run::{Expression, Function, Made, Native};
use crate::common::directives::Directives;
use crate::common::{Goldens, read, root, scratch, script::script as write_script, stem, target, write};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// The keys of directives in a crate.
const KEYS: [&str; 8] = ["args", "manifest", "file", "copy", "out", "go", "compare", "interrupt"];

pub struct Case {
    name: String,
    /// The case's folder. The crate is in its subfolder `rust`, the Go package in `go`.
    dir: PathBuf,
    directives: Directives,
    /// `None` for amd64. For arm64: the toolchain's name, or `None` for the default toolchain.
    arm64: Option<Option<String>>,
}

pub fn cargo(dir: &Path) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(dir).env("CARGO_TARGET_DIR", target(0)).env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS");
    command
}

/// Copies the workspace's lock file, so that cargo needs no network. cargo removes entries that the crate does not need.
pub fn lock(dir: &Path) {
    if !dir.join("Cargo.lock").exists() {
        write(&dir.join("Cargo.lock"), &read(&root().join("Cargo.lock")));
    }
}

impl Case {
    /// Creates the crate of a case in a scratch folder.
    pub fn read(stage: &str, path: &Path) -> Case {
        let (name, source) = (stem(path), read(path));
        let dir = scratch(stage).join(&name);
        let directives = Directives::read(path, &KEYS);
        let case = Case { name, dir, directives, arm64: None };
        let mut manifest = format!(
            "[package]\nname = \"case-{}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\nrustgo-support = {{ path = \"{}\" }}\n",
            case.name.replace('_', "-"),
            root().join("crates/support").display()
        );
        case.directives.all("manifest").for_each(|line| writeln!(manifest, "{line}").expect("a string takes everything"));
        let krate = case.dir.join("rust");
        write(&krate.join("Cargo.toml"), &manifest);
        write(&krate.join("src/lib.rs"), &source);
        lock(&krate);
        // A go.mod makes this folder the root of a checkout. The crate and the Go package are its subfolders.
        write(&case.dir.join("go.mod"), "module case\n");
        for directive in case.directives.iter() {
            let path = case.dir.join(&directive.argument);
            match directive.key.as_str() {
                "file" => write(&path, &directive.value.replace("\\n", "\n")),
                "copy" => write(&path, &read(&root().join("crates/cli/tests/cases/harness").join(&directive.value))),
                _ => {}
            }
        }
        case
    }

    /// Returns the case with arm64 as the target, built by this toolchain.
    pub fn on_arm64(self, toolchain: Option<String>) -> Case {
        Case { arm64: Some(toolchain), ..self }
    }

    fn out(&self) -> PathBuf {
        self.dir.join(self.directives.one("out").unwrap_or("go"))
    }

    fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rustgo"));
        let args = self.directives.one("args").unwrap_or("build");
        command.args(args.split_whitespace());
        // Always state the target machine. Otherwise the golden file would depend on whether this computer can build for arm64.
        match &self.arm64 {
            _ if args.contains("--arch") => {}
            None => drop(command.args(["--arch", "amd64"])),
            Some(toolchain) => {
                command.args(["--arch", "arm64"]);
                command.args(toolchain.iter().flat_map(|name| ["--toolchain", name]));
            }
        }
        command.args(["--quiet", "--offline", "--color", "never", "--crate"]).arg(self.dir.join("rust")).arg("--out").arg(self.out());
        if let Some(script) = self.directives.one("go") {
            let path = self.dir.join("fake-go");
            write_script(&path, &format!("{}\n", script.replace("\\n", "\n")));
            command.arg("--go").arg(path);
        }
        // A case uses the same target folder in each run, so that a later run does not compile unchanged crates again.
        command.env("CARGO_TARGET_DIR", target(self.name.len())).env_remove("RUSTFLAGS").current_dir(&self.dir);
        command
    }

    /// All files in the case's folder with their contents, except for those that cargo and the test write.
    fn snapshot(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut files = BTreeMap::new();
        let mut folders = vec![self.dir.clone()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).expect("the case's folder can be read").flatten() {
                let path = entry.path();
                if path.is_dir() {
                    folders.push(path);
                } else if !path.ends_with("Cargo.lock") && !path.ends_with("fake-go") {
                    files.insert(path.clone(), std::fs::read(&path).expect("the case's files can be read"));
                }
            }
        }
        files
    }

    /// Asserts that the tool refuses the crate with the expected message and exit code, and that it changes no file.
    pub fn refused(&self, goldens: &mut Goldens, golden: &Path) {
        let mut command = self.command();
        if let Some(begun) = self.directives.one("interrupt") {
            let _ = std::fs::remove_file(self.dir.join(begun));
        }
        let before = self.snapshot();
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("rustgo runs");
        let mut expected = 1;
        if let Some(begun) = self.directives.one("interrupt") {
            interrupt(&mut child, &self.dir.join(begun));
            expected = 130;
        }
        let output = child.wait_with_output().expect("rustgo ends");
        let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        let text = self.stable(&text);
        if output.status.code() != Some(expected) {
            goldens.fail(&format!("{} ends with {} instead of exit code {expected}:\n{text}", self.name, output.status));
        }
        let expected_text = match self.directives.one("compare") {
            Some("first") => nearest(&text),
            // The compiler's messages are printed once for each attempt, and the number of attempts depends on earlier builds. So
            // compare only the text after these messages.
            Some("refusal") => text.find("rustgo: error").map_or(text.clone(), |at| text[at..].to_owned()),
            _ => text,
        };
        goldens.check(golden, &expected_text);
        let mut after = self.snapshot();
        if let Some(begun) = self.directives.one("interrupt") {
            after.remove(&self.dir.join(begun));
        }
        if before != after {
            let changed: Vec<_> = after.iter().filter(|(path, bytes)| before.get(*path) != Some(*bytes)).map(|(path, _)| path).collect();
            let gone: Vec<_> = before.keys().filter(|path| !after.contains_key(*path)).collect();
            goldens.fail(&format!("{} is refused, but files have changed: {changed:?} {gone:?}", self.name));
        }
        if self.directives.one("out").is_none()
            && self.out().exists()
            && !self.directives.iter().any(|d| d.key == "file" && d.argument.starts_with("go/"))
        {
            goldens.fail(&format!("{} is refused, but {} has been made", self.name, self.out().display()));
        }
    }

    /// Replaces the parts of a text that differ between computers: folders, and the version and line numbers of the standard library.
    fn stable(&self, text: &str) -> String {
        let mut text = text.replace(&self.dir.display().to_string(), "CASE").replace(&root().display().to_string(), "ROOT");
        while let Some(at) = text.find("/rustc/") {
            let end = text[at + 7..].find("/library/").map_or(at + 6, |end| at + 7 + end);
            let named = text[at + 6..end].bytes().skip(1).all(|byte| byte.is_ascii_hexdigit());
            text.replace_range(at..if named { end } else { at + 6 }, "RUSTC");
            let number = text[at..].find(".rs:").map_or(text.len(), |colon| at + colon + 4);
            let digits = text[number..].bytes().take_while(u8::is_ascii_digit).count();
            text.replace_range(number..number + digits, "LINE");
        }
        text
    }

    /// Builds the Go package; panics with the tool's message if the crate is refused.
    fn build(&self) {
        let output = self.command().output().expect("rustgo runs");
        assert!(output.status.success(), "{}:\n{}", self.name, String::from_utf8_lossy(&output.stderr));
    }

    /// Compares the declarations of the generated Go file with the golden file. The header is left out, because it contains versions.
    pub fn bound(&self, goldens: &mut Goldens, golden: &Path) {
        self.build();
        let text = read(&self.out().join("rustgo.go"));
        let body = text.split_once("\n//go:build").map_or(text.as_str(), |(_, body)| body);
        goldens.check(golden, &format!("//go:build{body}"));
    }

    /// Adds the case to the Go module as a package, and to the native program as a dependency of its manifest.
    pub fn runnable(&self, go_dir: &Path) -> Made {
        self.build();
        for file in ["rustgo.go", "rustgo_amd64.s"] {
            write(&go_dir.join(&self.name).join(file), &read(&self.out().join(file)));
        }
        let (mut functions, mut native) = (Vec::new(), Native::default());
        let krate = format!("case-{}", self.name.replace('_', "-"));
        writeln!(native.dependencies, "{krate} = {{ path = \"{}\" }}", self.dir.join("rust").display()).expect("a string takes everything");
        let source = read(&self.dir.join("rust/src/lib.rs"));
        let mut lines = source.lines();
        while let Some(line) = lines.next() {
            if !line.starts_with("#[rustgo::export") {
                continue;
            }
            let name = lines.next().and_then(|line| line.strip_prefix("pub fn ")?.split_once("(x: u64) -> u64"));
            let (name, _) = name.unwrap_or_else(|| panic!("{}: an export is not `pub fn NAME(x: u64) -> u64`", self.name));
            functions.push(Function {
                package: self.name.clone(),
                go_name: name.split('_').map(|word| word[..1].to_uppercase() + &word[1..]).collect(),
                native: Expression::Rust(format!("{}::{name}(x)", krate.replace('-', "_"))),
                bound: None,
            });
        }
        Made { name: self.name.clone(), functions, native }
    }
}

/// Returns the first reason of a refusal, with only the first two calls of its call chain. Deeper calls depend on the version of std.
fn nearest(text: &str) -> String {
    let end = text[1..].find("rustgo: error:").map_or(text.len(), |at| at + 1);
    let mut links = 0;
    let keep = |line: &&str| {
        links += u32::from(line.starts_with("    "));
        !line.starts_with("    ") || links <= 2
    };
    text[..end].lines().filter(keep).map(|line| format!("{line}\n")).collect()
}

/// Interrupts the process as soon as the file `begun` exists. The wait can be long, because cargo waits for the builds of other tests.
fn interrupt(child: &mut Child, begun: &Path) {
    while !begun.exists() {
        assert!(child.try_wait().expect("rustgo is our child").is_none(), "rustgo ends before {} appears", begun.display());
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs").success());
}
