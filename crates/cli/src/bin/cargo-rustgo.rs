//! The program `cargo-rustgo`: what `cargo rustgo …` runs. It is `rustgo`, but for the word `rustgo` that cargo puts in front.

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut args: Vec<_> = std::env::args_os().collect();
    if args.get(1).is_some_and(|arg| arg == "rustgo") {
        args.remove(1);
    }
    rustgo_cli::main(args)
}
