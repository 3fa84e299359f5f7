//! Calls the exports of the promises in a native program, to compare their results with the results in Go.

use super::krate::{Promise, lock};
use crate::common::target;
use crate::common::write;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

/// The native program. It prints the result of every function for every input, or the panic.
const NATIVE: &str = r#"
use std::cell::RefCell;
use std::io::Write;

thread_local! { static PANIC: RefCell<String> = Default::default(); }

fn catch_panics() {
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().unwrap();
        let message = info.payload_as_str().unwrap_or("?").replace('\n', "\\n");
        PANIC.set(format!("panic {}:{} {message}", place.line(), place.column()));
    }));
}

fn inputs() -> Vec<u64> {
    let mut inputs: Vec<u64> = (0..100).chain([u64::MAX, u64::MAX - 1, 1 << 63, 1 << 32]).collect();
    let mut random = 0x9e37_79b9_7f4a_7c15u64;
    for _ in 0..100 {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        inputs.push(random >> (random & 31));
    }
    inputs
}

fn show(out: &mut impl Write, name: &str, function: fn(u64) -> u64) {
    for x in inputs() {
        match std::panic::catch_unwind(|| function(x)) {
            Ok(result) => writeln!(out, "{name} {x} {result}").unwrap(),
            Err(_) => writeln!(out, "{name} {x} {}", PANIC.take()).unwrap(),
        }
    }
}
"#;

/// Runs the functions natively and writes their results to `want.txt`; writes the Go table of the functions that the tests call.
pub fn tests<'a>(dir: &Path, go: &Path, promises: impl Iterator<Item = &'a Promise>) {
    let (mut dependencies, mut calls) = (String::new(), String::new());
    let (mut imports, mut table) = (String::new(), String::new());
    for promise in promises {
        let (name, functions) = (&promise.name, promise.functions());
        if functions.is_empty() {
            continue;
        }
        writeln!(dependencies, "promise-{name} = {{ path = \"{}\" }}", promise.krate.display()).unwrap();
        writeln!(imports, "\t\"scratch/{name}\"").unwrap();
        for function in functions {
            writeln!(calls, "    show(&mut out, \"{name}.{function}\", promise_{name}::{function});").unwrap();
            writeln!(table, "\t\"{name}.{function}\": {name}.{},", go_name(function)).unwrap();
        }
    }
    let krate = dir.join("native");
    // The programs of the two machines are built in one target folder, perhaps at the same time.
    let program = format!("native-{}", dir.file_name().expect("the folder has a name").display());
    let main =
        format!("{NATIVE}\nfn main() {{\n    catch_panics();\n    let mut out = std::io::BufWriter::new(std::io::stdout());\n{calls}}}\n");
    write(&krate.join("src/main.rs"), &main);
    write(
        &krate.join("Cargo.toml"),
        &format!(
            "[package]\nname = \"{program}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n{dependencies}"
        ),
    );
    lock(&krate);
    let mut build = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    build.current_dir(&krate).env("CARGO_TARGET_DIR", target(0)).env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS");
    let must = |said: Result<String, String>| said.unwrap_or_else(|problem| panic!("{problem}"));
    must(said(build.args(["build", "--release", "--quiet", "--offline"])));
    let want = must(said(&mut Command::new(target(0).join("release").join(&program))));
    std::fs::write(dir.join("want.txt"), want).expect("the scratch folder is writable");
    let text = format!("package promises\n\nimport (\n{imports})\n\nvar functions = map[string]func(uint64) uint64{{\n{table}}}\n");
    write(&go.join("functions_test.go"), &text.replace("import (\n)\n", ""));
}

fn go_name(function: &str) -> String {
    function.split('_').map(|word| word[..1].to_uppercase() + &word[1..]).collect()
}

/// Runs the command to its end, and returns its standard output. If the command fails, the error contains its whole output.
pub fn said(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| format!("{command:?} cannot be run: {error}"))?;
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    if output.status.success() { Ok(out.into_owned()) } else { Err(format!("{command:?}: {}\n{out}{err}", output.status)) }
}
