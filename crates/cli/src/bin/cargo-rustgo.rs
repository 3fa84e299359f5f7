//! The program `cargo-rustgo`, which `cargo rustgo …` runs: `rustgo` without the argument `rustgo` that cargo puts first.

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut args: Vec<_> = std::env::args_os().collect();
    if args.get(1).is_some_and(|arg| arg == "rustgo") {
        args.remove(1);
    }
    rustgo_cli::main(args)
}
