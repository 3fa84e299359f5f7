//! `rustgo dev`: saving a file starts a build and the tests. Errors do not end the program; Ctrl-C ends it.

use crate::common::{read, root, scratch, target, write};
use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

crate::tests!(saved_files_are_built_and_tested, messages_for_programs_are_refused, missing_crate_ends_dev,);

/// A running `rustgo dev`, and the lines that it and its programs print.
struct Running {
    child: Child,
    lines: Receiver<String>,
}

impl Running {
    fn start(command: &mut Command) -> Running {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("rustgo runs");
        let (sender, lines) = mpsc::channel();
        let streams: [Box<dyn Read + Send>; 2] =
            [Box::new(child.stdout.take().expect("it is piped")), Box::new(child.stderr.take().expect("it is piped"))];
        for stream in streams {
            let sender = sender.clone();
            std::thread::spawn(move || BufReader::new(stream).lines().map_while(Result::ok).for_each(|line| drop(sender.send(line))));
        }
        Running { child, lines }
    }

    /// Returns the lines up to the one that says that rustgo waits.
    fn until_it_waits(&self) -> String {
        let mut said = String::new();
        loop {
            let line = self.lines.recv_timeout(Duration::from_mins(5)).unwrap_or_else(|error| panic!("{error} after\n{said}"));
            said += &line;
            said.push('\n');
            if line.contains("waiting for changes") {
                // The two streams are read separately, so a line of the other stream may come a little later.
                while let Ok(line) = self.lines.recv_timeout(Duration::from_millis(200)) {
                    said += &line;
                    said.push('\n');
                }
                return said;
            }
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // If the test has passed, the process has already ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn module() -> PathBuf {
    let dir = scratch("dev_module");
    // Removes files of an interrupted run.
    std::fs::remove_dir_all(&dir).expect("the folder can be removed");
    let support = root().join("crates/support");
    write(&dir.join("go.mod"), "module example.com/p\n\ngo 1.24\n");
    write(
        &dir.join("rust/Cargo.toml"),
        &format!(
            "[package]\nname = \"dev\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[package.metadata.rustgo]\nout = \"..\"\npackage = \"p\"\n\
             runtime = \"internal/rustgo\"\n\n[workspace]\n\n[dependencies]\nrustgo-support = {{ path = {support:?} }}\n"
        ),
    );
    write(&dir.join("rust/Cargo.lock"), &read(&root().join("Cargo.lock")));
    write(&dir.join("rust/src/lib.rs"), &source("x + 1"));
    write(&dir.join("p_test.go"), &test(3));
    dir
}

fn source(result: &str) -> String {
    format!("#![no_std]\n\n#[rustgo::export]\npub fn next(x: u64) -> u64 {{\n    {result}\n}}\n")
}

/// A Go test which requires that `Next(2)` returns `result`.
fn test(result: u64) -> String {
    format!(
        "package p\n\nimport \"testing\"\n\nfunc TestNext(t *testing.T) {{\n\tif n := Next(2); n != {result} {{\n\t\tt.Errorf(\"Next(2) = %d\", n)\n\t}}\n}}\n"
    )
}

fn rustgo(dir: &std::path::Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rustgo"));
    command.args(["dev", "--offline", "--color", "never", "--arch", "amd64", "--crate"]).arg(dir.join("rust"));
    command.env("CARGO_TARGET_DIR", target(1)).env_remove("RUSTFLAGS");
    command
}

fn saved_files_are_built_and_tested() {
    let dir = module();
    let mut running = Running::start(&mut rustgo(&dir));
    let said = running.until_it_waits();
    assert!(said.contains("rustgo: go test: ok\n") && said.contains("example.com/p"), "{said}");

    // A mistake in Rust: the reason is shown, and nothing is tested.
    write(&dir.join("rust/src/lib.rs"), &source("y + 1"));
    let said = running.until_it_waits();
    assert!(said.contains("rust/src/lib.rs has changed\n") && said.contains("cannot find value `y`"), "{said}");
    assert!(!said.contains("go test:"), "{said}");

    // Another result: the test fails.
    write(&dir.join("rust/src/lib.rs"), &source("x + 20"));
    let said = running.until_it_waits();
    assert!(said.contains("Next(2) = 22") && said.contains("rustgo: go test: failed\n"), "{said}");

    // Another test: nothing is built.
    write(&dir.join("p_test.go"), &test(22));
    let said = running.until_it_waits();
    assert!(said.contains("p_test.go has changed\n") && said.contains("rustgo: go test: ok\n"), "{said}");
    assert!(!said.contains("Compiling") && !said.contains("rustgo.go") && !said.contains("up to date"), "{said}");

    // Files that a build or cargo writes do not count as changes.
    std::thread::sleep(Duration::from_secs(1));
    assert_eq!(running.lines.try_iter().collect::<Vec<_>>(), Vec::<String>::new());

    let sent = Instant::now();
    assert!(Command::new("kill").args(["-INT", &running.child.id().to_string()]).status().expect("kill runs").success());
    let status = running.child.wait().expect("rustgo is our child");
    assert_eq!(status.code(), Some(130));
    // The process ends within a second on an idle machine.
    assert!(sent.elapsed() < Duration::from_secs(10), "rustgo ends after {:?}", sent.elapsed());
}

fn messages_for_programs_are_refused() {
    for format in ["json", "github"] {
        let output = rustgo(&root()).args(["--message-format", format]).output().expect("rustgo runs");
        assert_eq!(output.status.code(), Some(1));
        let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("rustgo dev writes for people"), "{said}");
    }
}

fn missing_crate_ends_dev() {
    let output = rustgo(&scratch("dev_missing")).output().expect("rustgo runs");
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.starts_with("rustgo: error: ") && said.contains("\n  hint: ") && !said.contains("waiting"), "{said}");
}
