//! The one place that starts other programs, so that an interrupt (Ctrl-C, SIGTERM) reaches each of them and none is left behind.

mod errors;

use crate::diag::{Failure, Result};
use std::collections::BTreeMap;
use std::io::{self, Read};
use std::process::{Child, ChildStderr, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Set once the user has asked to stop; never cleared.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);
/// While files are being replaced, even a second request to stop waits.
static WRITING: AtomicBool = AtomicBool::new(false);
/// The children that are running, by process id.
static CHILDREN: Mutex<BTreeMap<u32, Child>> = Mutex::new(BTreeMap::new());

/// The exit code of a program that was stopped by SIGINT, as shells report it.
pub const INTERRUPTED_EXIT: u8 = 130;

/// Makes Ctrl-C and SIGTERM end the running child and turn the next [`check`] into [`Failure::Interrupted`].
/// A second one ends the process at once, unless files are being replaced at that moment.
///
/// A terminal's Ctrl-C reaches cargo's own children too, because all are one process group: a group of its own for cargo
/// would keep it from asking for a password. A signal sent to rustgo alone ends cargo, and its children end by themselves.
pub fn catch_interrupts() {
    // It can only fail if a handler is there already, and then interrupts are handled.
    let _ = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::SeqCst) && !WRITING.load(Ordering::SeqCst) {
            std::process::exit(i32::from(INTERRUPTED_EXIT));
        }
        kill_children();
    });
}

fn children() -> MutexGuard<'static, BTreeMap<u32, Child>> {
    // The map is whole between any two statements that hold the lock, so a panic elsewhere does not spoil it.
    CHILDREN.lock().unwrap_or_else(PoisonError::into_inner)
}

fn kill_children() {
    for child in children().values_mut() {
        // It may have ended by itself.
        let _ = child.kill();
    }
}

/// Has the user asked to stop? Long stages ask this between their steps.
pub fn check() -> Result<()> {
    if INTERRUPTED.load(Ordering::SeqCst) { Err(Failure::Interrupted) } else { Ok(()) }
}

/// Runs `work` so that no interrupt ends the process inside it; an interrupt before it prevents it.
pub fn uninterrupted<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    WRITING.store(true, Ordering::SeqCst);
    let result = check().and_then(|()| work());
    WRITING.store(false, Ordering::SeqCst);
    result
}

/// What a program that ran to its end left behind.
#[derive(Debug)]
pub struct Output {
    pub status: ExitStatus,
    pub stdout: Vec<u8>,
    /// Without what went to our own stderr.
    pub stderr: String,
}

/// Runs a program and collects what it writes. The outer error is the interrupt, the inner one that it could not be started.
pub fn capture(command: &mut Command) -> Result<io::Result<Output>> {
    run(command.stderr(Stdio::piped()), drain)
}

/// Runs a program whose stderr is ours (it reports to the user itself) and collects its stdout.
pub fn pass_through(command: &mut Command) -> Result<io::Result<Output>> {
    run(command.stderr(Stdio::inherit()), drain)
}

/// The same up to the first line that begins with `error`: this line and all that follows is collected. [`pass_on`] shows it.
pub fn pass_through_until_error(cargo: &mut Command) -> Result<io::Result<Output>> {
    run(errors::as_on_a_terminal(cargo).stderr(Stdio::piped()), errors::show_until_error)
}

/// Shows what was collected of a program's stderr.
pub fn pass_on(output: &Output) {
    errors::show(output.stderr.as_bytes());
}

fn run(command: &mut Command, read: fn(Option<ChildStderr>) -> io::Result<Vec<u8>>) -> Result<io::Result<Output>> {
    check()?;
    let mut child = match command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn() {
        Ok(child) => child,
        Err(error) => return Ok(Err(error)),
    };
    let (id, stdout, stderr) = (child.id(), child.stdout.take(), child.stderr.take());
    children().insert(id, child);
    // The request to stop may have come between the check and the line above.
    if check().is_err() {
        kill_children();
    }
    // Both pipes are read at once: a full one would stop the child.
    let reader = std::thread::spawn(move || read(stderr));
    let stdout = drain(stdout);
    let stderr = reader.join().unwrap_or_else(|_| Ok(Vec::new()));
    let status = wait(id);
    children().remove(&id);
    check()?;
    let output = || Ok(Output { status: status?, stdout: stdout?, stderr: String::from_utf8_lossy(&stderr?).into_owned() });
    Ok(output())
}

/// Waits for a child that has closed its pipes and so is about to end; the lock is left free for the interrupt meanwhile.
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
