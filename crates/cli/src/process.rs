//! Runs other programs. No other module starts programs, so this module can end all running programs when an interrupt (Ctrl-C, SIGTERM) arrives.

mod errors;
#[cfg(target_os = "linux")]
mod tree;

use crate::diag::{Failure, Result};
use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// True once the user has asked to stop. Never becomes false again.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);
/// True while files are being replaced. Meanwhile even a second interrupt does not end the process.
static WRITING: AtomicBool = AtomicBool::new(false);
/// The running child processes by process id.
static CHILDREN: Mutex<BTreeMap<u32, Child>> = Mutex::new(BTreeMap::new());
/// Scratch folders. They are removed if an interrupt ends the process before their owners are dropped.
static SCRATCH: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// The exit code that shells report for a program stopped by SIGINT.
pub const INTERRUPTED_EXIT: u8 = 130;
/// The time after an interrupt in which a running stage can return. After this time rustgo ends even if the stage still runs.
const GRACE: Duration = Duration::from_millis(300);

/// Installs a handler for Ctrl-C and SIGTERM. The handler ends the child processes and makes the next [`check`] return [`Failure::Interrupted`]. If
/// rustgo still runs after [`GRACE`], because a stage is busy, the handler ends rustgo. A second signal ends rustgo at once. No signal ends rustgo
/// while files are being replaced.
///
/// rustgo and all programs that it starts are in one process group, because in a group of its own cargo could not ask for a password. So Ctrl-C in a
/// terminal reaches cargo and cargo's children too. If a signal is sent to rustgo alone, rustgo itself ends cargo's children on Linux. On other
/// systems cargo's children end when their work is done.
pub fn catch_interrupts() {
    // Ignore an error: set_handler fails only if a handler is installed already.
    let _ = ctrlc::set_handler(|| {
        let again = INTERRUPTED.swap(true, Ordering::SeqCst);
        kill_children();
        if !again {
            std::thread::spawn(end_after_grace);
        } else if !WRITING.load(Ordering::SeqCst) {
            end();
        }
    });
}

/// Ends the process after [`GRACE`]. If files are being replaced, waits until that is done.
fn end_after_grace() {
    const STEP: Duration = Duration::from_millis(20);
    let mut waited = Duration::ZERO;
    while waited < GRACE {
        std::thread::sleep(STEP);
        waited = if WRITING.load(Ordering::SeqCst) { Duration::ZERO } else { waited + STEP };
    }
    kill_children();
    end();
}

fn end() -> ! {
    for dir in SCRATCH.lock().unwrap_or_else(PoisonError::into_inner).iter() {
        // Ignore an error: the folder's owner may have removed it.
        let _ = std::fs::remove_dir_all(dir);
    }
    std::process::exit(i32::from(INTERRUPTED_EXIT));
}

/// Registers a scratch folder, so that it is removed even if an interrupt ends the process.
pub fn remove_at_interrupt(dir: &Path) {
    SCRATCH.lock().unwrap_or_else(PoisonError::into_inner).push(dir.to_owned());
}

fn children() -> MutexGuard<'static, BTreeMap<u32, Child>> {
    // Each statement that uses the map under the lock leaves the map consistent. So a panic of another thread does no harm.
    CHILDREN.lock().unwrap_or_else(PoisonError::into_inner)
}

fn kill_children() {
    #[cfg(target_os = "linux")]
    tree::kill_descendants();
    for child in children().values_mut() {
        // The child may have ended already, so an error is ignored.
        let _ = child.kill();
    }
}

/// Fails if the user has asked to stop. Long stages call this function between their steps.
pub fn check() -> Result<()> {
    if INTERRUPTED.load(Ordering::SeqCst) { Err(Failure::Interrupted) } else { Ok(()) }
}

/// Runs `work`. Until `work` returns, no interrupt ends the process. If the user has already asked to stop, `work` does not run, unless this call is
/// nested in other uninterrupted work.
pub fn uninterrupted<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    if WRITING.load(Ordering::SeqCst) {
        return work();
    }
    WRITING.store(true, Ordering::SeqCst);
    let result = check().and_then(|()| work());
    WRITING.store(false, Ordering::SeqCst);
    result
}

/// The result of a program that has ended.
#[derive(Debug)]
pub struct Output {
    pub status: ExitStatus,
    pub stdout: Vec<u8>,
    /// The part of the program's stderr that was collected and not printed.
    pub stderr: String,
}

/// Runs a program and collects its output. The outer error is an interrupt. The inner error means that the program could not be started.
pub fn capture(command: &mut Command) -> Result<io::Result<Output>> {
    run(command.stderr(Stdio::piped()), drain)
}

/// Runs a program whose stderr is rustgo's stderr, and collects its stdout.
pub fn pass_through(command: &mut Command) -> Result<io::Result<Output>> {
    run(command.stderr(Stdio::inherit()), drain)
}

/// Runs cargo. Prints cargo's stderr up to the first line that begins with `error`. Collects this line and all following lines, for [`pass_on`].
pub fn pass_through_until_error(cargo: &mut Command) -> Result<io::Result<Output>> {
    run(errors::as_on_a_terminal(cargo).stderr(Stdio::piped()), errors::show_until_error)
}

/// Prints the collected part of a program's stderr.
pub fn pass_on(output: &Output) {
    errors::show(output.stderr.as_bytes());
}

/// Runs a program that writes to rustgo's own stdout and stderr.
pub fn show(command: &mut Command) -> Result<io::Result<ExitStatus>> {
    check()?;
    let child = match command.stdin(Stdio::null()).spawn() {
        Ok(child) => child,
        Err(error) => return Ok(Err(error)),
    };
    let id = child.id();
    children().insert(id, child);
    // An interrupt may have come after the check at the top of this function and before the child was added to the map.
    if check().is_err() {
        kill_children();
    }
    let status = wait(id);
    children().remove(&id);
    check()?;
    Ok(status)
}

fn run(command: &mut Command, read: fn(Option<ChildStderr>) -> io::Result<Vec<u8>>) -> Result<io::Result<Output>> {
    check()?;
    let mut child = match command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn() {
        Ok(child) => child,
        Err(error) => return Ok(Err(error)),
    };
    let (id, stdout, stderr) = (child.id(), child.stdout.take(), child.stderr.take());
    children().insert(id, child);
    // An interrupt may have come after the check at the top of this function and before the child was added to the map.
    if check().is_err() {
        kill_children();
    }
    // Both pipes are read at the same time, because a full pipe would block the child.
    let reader = std::thread::spawn(move || read(stderr));
    let stdout = drain(stdout);
    let stderr = reader.join().unwrap_or_else(|_| Ok(Vec::new()));
    let status = wait(id);
    children().remove(&id);
    check()?;
    let output = || Ok(Output { status: status?, stdout: stdout?, stderr: String::from_utf8_lossy(&stderr?).into_owned() });
    Ok(output())
}

/// Waits until a child has ended. Releases the lock on the children between two attempts, so that the interrupt handler can acquire the lock.
fn wait(id: u32) -> io::Result<ExitStatus> {
    let mut pause = Duration::from_micros(50);
    loop {
        match children().get_mut(&id).map(Child::try_wait) {
            None => return Err(io::Error::other("the child is not known")),
            Some(Ok(None)) => {}
            Some(Ok(Some(status))) => return Ok(status),
            Some(Err(error)) => return Err(error),
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

fn drain(pipe: Option<impl Read>) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if let Some(mut pipe) = pipe {
        pipe.read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}
