//! Measures the crate regex for the Go program. Each line of standard input has an operation, a number of milliseconds, and the lengths of a
//! pattern and of a text. The pattern and the text follow the line. The answer has the processor time of one operation in nanoseconds, and the
//! number of matches.

use regex::bytes::Regex;
use std::hint::black_box;
use std::io::{BufRead, Read, Write};

fn main() {
    let mut input = std::io::stdin().lock();
    let mut line = String::new();
    while {
        line.clear();
        input.read_line(&mut line).expect("input") > 0
    } {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let number = |i: usize| fields[i].parse::<usize>().expect("a number");
        let mut read = |length: usize| {
            let mut bytes = vec![0; length];
            input.read_exact(&mut bytes).expect("input");
            bytes
        };
        let pattern = String::from_utf8(read(number(2))).expect("a pattern");
        let text = read(number(3));
        let (ns, count) = run(fields[0], number(1), &pattern, &text);
        println!("{ns} {count}");
        std::io::stdout().flush().expect("output");
    }
}

fn run(operation: &str, milliseconds: usize, pattern: &str, text: &[u8]) -> (f64, usize) {
    let regex = Regex::new(pattern).expect("a pattern");
    let mut slots = regex.capture_locations();
    let groups = slots.len();
    let mut call = || match operation {
        "match" => usize::from(regex.is_match(black_box(text))),
        "find" => usize::from(black_box(regex.find(black_box(text))).is_some()),
        "groups" => usize::from(black_box(regex.captures_read(&mut slots, black_box(text))).is_some()),
        "all" => {
            let all: Vec<(usize, usize)> = regex.find_iter(black_box(text)).map(|found| (found.start(), found.end())).collect();
            black_box(all).len()
        }
        "allgroups" => {
            let mut all: Vec<isize> = Vec::new();
            for captures in regex.captures_iter(black_box(text)) {
                for group in captures.iter() {
                    all.extend(group.map_or([-1, -1], |group| [group.start() as isize, group.end() as isize]));
                }
            }
            black_box(all).len() / groups / 2
        }
        "compile" => usize::from(Regex::new(black_box(pattern)).is_ok()),
        "once" => usize::from(Regex::new(black_box(pattern)).expect("a pattern").find(black_box(text)).is_some()),
        _ => panic!("an unknown operation: {operation}"),
    };
    let count = call();
    let (start, mut times, mut each) = (used(), 0, 1);
    while used() - start < milliseconds as f64 * 1e6 {
        for _ in 0..each {
            call();
        }
        times += each;
        each = (each * 2).min(1 << 12);
    }
    ((used() - start) / times as f64, count)
}

/// Returns the processor time of this thread, in nanoseconds.
fn used() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: clock_gettime only writes to `time`.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    time.tv_sec as f64 * 1e9 + time.tv_nsec as f64
}
