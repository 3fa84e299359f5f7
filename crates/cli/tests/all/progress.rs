//! Messages about the running stage, `--timings`, and interrupts: a signal ends the tool within a second, with nothing written.

use crate::common::script::script;
use crate::common::{read, root, scratch, target, write};
use std::cell::RefCell;
use std::fs::OpenOptions;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

crate::tests!(
    a_stage_that_lasts_is_named_once,
    timings_list_every_stage,
    builds_in_one_target_folder_wait,
    a_signal_ends_a_busy_stage,
    signal_ends_grandchild_processes,
);

/// The flag of open(2) for a file whose operations do not block.
const O_NONBLOCK: i32 = 0o4000;

/// Creates a crate in `rust`.
fn krate(name: &str) -> PathBuf {
    let dir = scratch(&format!("progress_{name}"));
    // Removes files of an interrupted run.
    std::fs::remove_dir_all(&dir).expect("the folder can be removed");
    let support = root().join("crates/support");
    write(&dir.join("go.mod"), "module example.com/p\n\ngo 1.24\n");
    write(
        &dir.join("rust/Cargo.toml"),
        &format!(
            "[package]\nname = \"progress-{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n\
             rustgo-support = {{ path = {support:?} }}\n"
        ),
    );
    write(&dir.join("rust/Cargo.lock"), &read(&root().join("Cargo.lock")));
    write(&dir.join("rust/src/lib.rs"), "#![no_std]\n\n#[rustgo::export]\npub fn next(x: u64) -> u64 {\n    x + 1\n}\n");
    dir
}

fn rustgo(dir: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rustgo"));
    command.args(args).args(["--offline", "--color", "never", "--arch", "amd64", "--crate"]).arg(dir.join("rust"));
    command.arg("--out").arg(dir.join("go")).env("CARGO_TARGET_DIR", target(1)).env_remove("RUSTFLAGS");
    command
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Returns a go command that runs `first` when it is called as `go vet`.
fn slow_go(dir: &Path, first: &str) -> String {
    let go = dir.join("slow-go");
    script(&go, &format!("if [ \"$1\" = vet ]; then {first}; fi\nexec go \"$@\"\n"));
    go.to_str().expect("a path of letters").to_owned()
}

fn a_stage_that_lasts_is_named_once() {
    let dir = krate("slow");
    let go = slow_go(&dir, "sleep 3");
    let output = rustgo(&dir, &["build", "--go", &go]).output().expect("rustgo runs");
    let said = stderr(&output);
    assert!(output.status.success(), "{said}");
    assert_eq!(said.matches("rustgo: still verifying\n").count(), 1, "{said}");
    let quiet = rustgo(&dir, &["build", "--quiet", "--go", &go]).output().expect("rustgo runs");
    assert!(quiet.status.success() && quiet.stderr.is_empty() && quiet.stdout.is_empty(), "{}", stderr(&quiet));
}

fn timings_list_every_stage() {
    let dir = krate("timed");
    let said = stderr(&rustgo(&dir, &["build", "--timings"]).output().expect("rustgo runs"));
    let stages = ["compiling", "loading", "decoding", "analyzing", "lowering", "verifying", "in all"];
    for stage in stages {
        let line = said.lines().find(|line| line.starts_with(&format!("rustgo: {stage} "))).unwrap_or_else(|| panic!("{stage}: {said}"));
        assert!(line.contains(" s  processor ") && line.contains(" s  peak ") && line.ends_with("iB"), "{line}");
    }
    let json = rustgo(&dir, &["check", "--timings", "--message-format", "json"]).output().expect("rustgo runs");
    let lines = String::from_utf8_lossy(&json.stdout).into_owned();
    let events: Vec<serde_json::Value> = lines.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect();
    let timings: Vec<_> = events.iter().filter(|event| event["severity"] == "timing").collect();
    let named: Vec<_> = timings.iter().filter_map(|event| event["stage"].as_str()).collect();
    assert_eq!(named, stages[..6], "{lines}");
    assert!(
        timings
            .iter()
            .all(|event| event["milliseconds"].is_u64() && event["processor_milliseconds"].is_u64() && event["peak_bytes"].is_u64()),
        "{lines}"
    );
}

/// Two crates of the same name write the same archive in a common target folder. So only one process at a time builds in the folder.
fn builds_in_one_target_folder_wait() {
    let (dir, target) = (krate("waits"), scratch("progress_waits_target"));
    // Removes the build of an earlier run.
    std::fs::remove_dir_all(&target).expect("the folder can be removed");
    std::fs::create_dir_all(target.join("rustgo")).expect("the folder can be made");
    let lock = std::fs::File::create(target.join("rustgo/.lock")).expect("the lock's file can be made");
    lock.lock().expect("the file can be locked");
    let mut command = rustgo(&dir, &["build", "--verbose"]);
    command.env("CARGO_TARGET_DIR", &target).stderr(Stdio::piped()).stdout(Stdio::null());
    let mut child = command.spawn().expect("rustgo runs");
    let mut lines = BufReader::new(child.stderr.take().expect("a pipe")).lines().map_while(Result::ok);
    let waits = lines.find(|line| line.starts_with("rustgo: still"));
    assert_eq!(waits.as_deref(), Some("rustgo: still waiting for another build in the target folder"));
    assert!(!target.join("rustgo/release").exists());
    lock.unlock().expect("the file can be unlocked");
    wait_for(&mut child, "cargo builds", || target.join("rustgo/release").exists());
    ends_after_a_signal(child);
    drop(lines);
}

/// Sends SIGTERM to rustgo alone, and asserts that the process ends: within a second on an idle machine, and within ten on a busy one.
fn ends_after_a_signal(mut child: Child) {
    let sent = Instant::now();
    assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().expect("kill runs").success());
    let status = loop {
        if let Some(status) = child.try_wait().expect("rustgo is our child") {
            break status;
        }
        assert!(sent.elapsed() < Duration::from_secs(20), "rustgo does not end");
        std::thread::sleep(Duration::from_millis(5));
    };
    let time = sent.elapsed();
    assert_eq!(status.code(), Some(130));
    assert!(time < Duration::from_secs(10), "rustgo ends after {time:?}");
}

fn start(command: &mut Command) -> Child {
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("rustgo runs")
}

/// Waits until `found` returns true; fails if the child ends first.
fn wait_for(child: &mut Child, what: &str, found: impl Fn() -> bool) {
    while !found() {
        assert!(child.try_wait().expect("rustgo is our child").is_none(), "rustgo ends before {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// rustgo reads the documentation at the top of the crate's source. Here the source is a pipe to which nothing is written, so rustgo waits in its own
/// code.
fn a_signal_ends_a_busy_stage() {
    let dir = krate("busy");
    let source = dir.join("rust/src/lib.rs");
    std::fs::remove_file(&source).expect("the source is there");
    assert!(Command::new("mkfifo").arg(&source).status().expect("mkfifo runs").success());
    let mut child = start(&mut rustgo(&dir, &["build"]));
    // With O_NONBLOCK, opening a pipe for writing succeeds only after another process has opened it for reading.
    let writer = RefCell::new(None);
    let open = || OpenOptions::new().write(true).custom_flags(O_NONBLOCK).open(&source).map(|file| writer.replace(Some(file)));
    wait_for(&mut child, "it opens the pipe", || open().is_ok());
    ends_after_a_signal(child);
    drop(writer);
    assert!(!dir.join("go").exists());
}

fn signal_ends_grandchild_processes() {
    let dir = krate("programs");
    let pid = dir.join("pid");
    let go = slow_go(&dir, &format!("sleep 60 & echo $! >{0}.new; mv {0}.new {0}; wait", pid.display()));
    let target = scratch("progress_programs_target");
    let mut command = rustgo(&dir, &["build", "--go", &go]);
    let temporary = dir.join("tmp");
    std::fs::create_dir(&temporary).expect("the folder can be made");
    let mut child = start(command.env("CARGO_TARGET_DIR", &target).env("TMPDIR", &temporary));
    wait_for(&mut child, "go vet runs", || pid.exists());
    ends_after_a_signal(child);
    let pid = read(&pid);
    let state = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
    assert!(state.is_empty() || state.contains(" Z "), "the program of the go command still runs: {state}");
    assert!(!dir.join("go").exists());
    let left = |folder: &Path| std::fs::read_dir(folder).expect("the folder is there").flatten().map(|entry| entry.path());
    let archives = left(&target.join("rustgo")).filter(|path| path.to_string_lossy().contains("archive-"));
    assert_eq!(archives.chain(left(&temporary)).collect::<Vec<_>>(), Vec::<PathBuf>::new());
}
