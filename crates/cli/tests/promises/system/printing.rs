//@ manifest: [package.metadata.rustgo]
//@ manifest: panic = "abandon"
//! Functions of std that use the operating system. Output arrives, and no call waits for ever for a lock that a panic left locked.

use std::collections::HashMap;
use std::sync::Mutex;

static LOCK: Mutex<u64> = Mutex::new(0);

/// Errors prints two lines to the standard error stream.
#[rustgo::export(stack = "64k")]
pub fn errors(x: u64) {
    eprintln!("x is {x}");
    eprint!("{:?}", Some(x));
    eprintln!();
}

/// Output prints two lines to the standard output stream.
#[rustgo::export(stack = "64k")]
pub fn output(x: u64) {
    println!("x is {x}");
    print!("{:?}", Some(x));
    println!();
}

/// Count takes a lock and adds one to a number. If `panics`, Count panics before it releases the lock.
#[rustgo::export(stack = "64k")]
pub fn count(panics: bool) -> u64 {
    let mut number = LOCK.lock().unwrap();
    *number += 1;
    assert!(!panics, "told to");
    *number
}

/// First returns the first key of a HashMap, whose order is random.
#[rustgo::export(stack = "64k")]
pub fn first() -> u64 {
    let map: HashMap<u64, ()> = (0..1000).map(|key| (key, ())).collect();
    *map.keys().next().unwrap()
}

/// The crate's author may define a function that std needs and rustgo does not have (docs/std.md).
#[cfg(rustgo)]
#[unsafe(no_mangle)]
extern "C" fn clock_nanosleep(_clock: i32, _flags: i32, _time: *const u8, _left: *mut u8) -> i32 {
    panic!("only Go can sleep")
}

/// Doze sleeps for the given time, or not at all if the time is 0.
#[rustgo::export]
pub fn doze(milliseconds: u64) -> u64 {
    if milliseconds > 0 {
        std::thread::sleep(std::time::Duration::from_millis(milliseconds));
    }
    milliseconds
}

/// Written writes n bytes to the standard error stream by one call of C's write, and returns its result.
#[rustgo::export(stack = "64k")]
pub fn written(n: usize) -> isize {
    unsafe extern "C" {
        fn write(stream: i32, from: *const u8, size: usize) -> isize;
    }
    let bytes = vec![b'x'; n];
    // SAFETY: the bytes are readable.
    unsafe { write(2, bytes.as_ptr(), n) }
}
