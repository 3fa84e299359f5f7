//! Measures a column in Rust. It reads commands from standard input, one a line, and answers each command with a line of JSON. cmd/worker is the
//! corresponding program for columns in Go.

mod check;
mod inputs;
mod latency;
mod load;
mod time;

use column::Column;
use crypto_crates::candidates;
use std::io::{BufRead as _, Write as _};

fn main() {
    let name = std::env::args().nth(1).expect("the name of a column");
    crypto_sodium::init();
    let columns = [crypto_crates::COLUMN, crypto_crates::others::COLUMN, candidates::RING, candidates::LIBCRUX, crypto_sodium::COLUMN];
    let column = *columns.iter().find(|column| column.name == name).expect("the name of a column");
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("a line");
        let words: Vec<&str> = line.split_whitespace().collect();
        let mut out = std::io::stdout().lock();
        writeln!(out, "{}", answer(&column, &words)).and_then(|()| out.flush()).expect("somebody who reads");
    }
}

/// Returns the word with index `at` of a command, as a number.
fn number(words: &[&str], at: usize) -> usize {
    words.get(at).and_then(|word| word.parse().ok()).unwrap_or_else(|| panic!("no number at {at} of {words:?}"))
}

fn answer(column: &Column, words: &[&str]) -> String {
    let number = |at| number(words, at);
    match words[0] {
        "info" => format!(
            r#"{{"versions":"{}","can":[{}]}}"#,
            if column.name == "rust-sodium" { format!("libsodium {}", crypto_sodium::version()) } else { String::new() },
            column.operations().iter().map(|operation| format!("\"{operation}\"")).collect::<Vec<_>>().join(",")
        ),
        "check" => check::check(column, words[1]),
        "time" => time::time(column, words[1], number(2), words[3] == "fresh", number(4)),
        "scale" => load::scale(column, number(1), number(3)),
        "closed" => latency::closed(column, number(1), number(2)),
        "open" => latency::open(column, number(1), number(2), number(3)),
        "memory" => load::memory(column, number(1)),
        "chunks" => load::chunks(column, number(1), number(2), number(3), number(4)),
        other => panic!("no command {other}"),
    }
}
