//! Each case of this program calls a function of one of the cryptography packages with secrets that valgrind takes for undefined memory. Valgrind's
//! memcheck then reports each branch and each address that depends on a secret.
//!
//! ```text
//! constant-time              lists the cases
//! constant-time CASE         runs one, under valgrind
//! ```
//!
//! A case runs first with defined memory, then with secrets. Both runs must give the same result.

mod cases;
mod memcheck;

use std::process::ExitCode;

/// The last line of the output if the results are right. The script that runs the cases looks for it.
const DONE: &str = "done";

fn main() -> ExitCode {
    let Some(name) = std::env::args().nth(1) else {
        for (name, _) in cases::CASES {
            println!("{name}");
        }
        return ExitCode::SUCCESS;
    };
    let Some((_, case)) = cases::CASES.iter().find(|(known, _)| *known == name) else {
        eprintln!("constant-time: there is no case {name}");
        return ExitCode::FAILURE;
    };
    if !memcheck::is_running() {
        eprintln!("constant-time: without valgrind nothing is reported: valgrind --tool=memcheck --error-exitcode=9 constant-time {name}");
        return ExitCode::FAILURE;
    }
    case();
    // If valgrind has reported anything, it replaces the exit code.
    println!("{DONE}");
    ExitCode::SUCCESS
}
