//! Compares the heap with other allocators and prints a table: `cargo run --release`.
//!
//! Every number is the median of several passes in one run, in which all allocators take turns. A ratio compares two measurements of the same
//! pass. Compare the ratios to glibc; the times hold only for one machine.

mod peers;
mod work;

use peers::{Dlmalloc, Glibc, Mimalloc, Peer, Rlsf, Rustgo, Talc};

const PASSES: usize = 15;

/// Calls a function for each allocator. Returns an array of the results, in the order of the table; glibc is the second.
macro_rules! each {
    ($peer:ident => $call:expr) => {
        [
            {
                type $peer = Rustgo;
                $call
            },
            {
                type $peer = Glibc;
                $call
            },
            {
                type $peer = Mimalloc;
                $call
            },
            {
                type $peer = Rlsf;
                $call
            },
            {
                type $peer = Talc;
                $call
            },
            {
                type $peer = Dlmalloc;
                $call
            },
        ]
    };
}

fn main() {
    Rustgo::start();
    peers::run_on(0);
    let arguments: Vec<_> = std::env::args().collect();
    if let [_, work, name] = &arguments[..] {
        return print_memory(work, name);
    }
    let filter = arguments.get(1).cloned().unwrap_or_default();
    println!("| | {} |", each!(P => P::NAME).join(" | "));
    println!("|---|{}", "---|".repeat(6));
    let row = |name: &str, run: &dyn Fn() -> [f64; 6]| {
        if name.contains(&filter) {
            print_row(name, &(0..PASSES).map(|_| run()).collect::<Vec<_>>(), "ns");
        }
    };
    for size in [16, 64, 256, 1024, 4096] {
        row(&format!("pairs of {size} B"), &|| each!(P => work::pairs::<P>(size, 1)));
    }
    for size in [16, 64, 256, 1024, 4096] {
        row(&format!("batches of {size} B"), &|| each!(P => work::batches::<P>(size, 1)));
    }
    row("mixed sizes", &|| each!(P => work::mixed::<P>(1)));
    for threads in [2, 8] {
        row(&format!("pairs of 64 B, {threads} threads"), &|| each!(P => work::pairs::<P>(64, threads)));
        row(&format!("mixed sizes, {threads} threads"), &|| each!(P => work::mixed::<P>(threads)));
        row(&format!("larson, {threads} threads"), &|| each!(P => work::larson::<P>(threads)));
        row(&format!("cache-scratch, {threads} threads"), &|| each!(P => work::cache_scratch::<P>(threads)));
    }
    for work in ["churn", "generations"].into_iter().filter(|work| work.contains(&filter)) {
        let results = each!(P => memory(work, P::NAME));
        print_row(&format!("{work}: memory per byte of objects"), &[results.map(|result| result[0])], "B");
        print_row(&format!("{work}: left in the end"), &[results.map(|result| result[1])], "MiB");
    }
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<_> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn print_row(name: &str, passes: &[[f64; 6]], unit: &str) {
    let ratio = |column: usize| format!("{:.2}", median(passes.iter().map(|pass| pass[column] / pass[1])));
    let glibc = format!("1 ({:.2} {unit})", median(passes.iter().map(|pass| pass[1])));
    let cells: Vec<_> = (0..6).map(|column| if column == 1 { glibc.clone() } else { ratio(column) }).collect();
    println!("| {name} | {} |", cells.join(" | "));
}

/// Measures memory in a process of its own.
fn memory(work: &str, name: &str) -> [f64; 2] {
    let program = std::env::current_exe().expect("the program has a path");
    let output = std::process::Command::new(program).args([work, name]).output().expect("the program starts").stdout;
    let text = String::from_utf8(output).expect("numbers");
    let mut numbers = text.split_whitespace().map(|number| number.parse().expect("a number"));
    [(); 2].map(|()| numbers.next().expect("two numbers"))
}

/// The code that `memory` runs in the new process.
fn print_memory(work: &str, name: &str) {
    let trim = || {
        if name == Rustgo::NAME {
            Rustgo::trim()
        }
    };
    let run = each!(P => (P::NAME == name).then(|| if work == "churn" { work::churn::<P>(trim) } else { work::generations::<P>(trim) }));
    let [ratio, left] = run.into_iter().flatten().next().expect("an allocator's name");
    println!("{ratio} {left}");
}
