//! The program `rustgo`.

use std::process::ExitCode;

fn main() -> ExitCode {
    rustgo_cli::main(std::env::args_os().collect())
}
