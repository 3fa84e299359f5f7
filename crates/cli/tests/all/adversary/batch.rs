//! Runs many programs at once: one Go program and one native program call them all, and their outputs are compared.

use super::options::{Compiler, binutil, emulator};
use super::program::{Accepted, Outcome, Program, Runtime, entries, read, runtime_dir};
use crate::common::{self, Lowered, go_command, go_mod, write};
use rayon::prelude::*;
use rustgo_cli::testing::backend::machine;
use rustgo_cli::testing::diag::ErrorCode;
use rustgo_cli::testing::runtime;
use rustgo_cli::testing::verify;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The number of programs in a batch.
const SIZE: usize = 64;

/// The time limit for a program called from Go, in seconds. Natively no accepted program has taken more than two.
const LIMIT: u64 = 60;

/// Passes programs for one machine through the tool, runs them, and returns their outcomes. `dir` is a scratch folder.
pub fn run(runtime: &Runtime, dir: &Path, programs: &[Program]) -> Vec<Outcome> {
    let mut outcomes = Vec::new();
    for batch in programs.chunks(SIZE) {
        outcomes.extend(run_batch(runtime, dir, batch));
    }
    outcomes
}

fn run_batch(runtime: &Runtime, dir: &Path, programs: &[Program]) -> Vec<Outcome> {
    let objects = dir.join("objects");
    std::fs::create_dir_all(&objects).expect("the scratch folder can be made");
    let asked: Vec<Result<Accepted, Outcome>> =
        programs.par_iter().enumerate().map(|(number, program)| runtime.accept(program, &objects, number)).collect();
    let mut outcomes: BTreeMap<usize, Outcome> = BTreeMap::new();
    let mut members = Vec::new();
    for (number, asked) in asked.into_iter().enumerate() {
        match asked {
            Ok(accepted) => members.push(Member::new(runtime, &objects, number, &accepted)),
            Err(outcome) => drop(outcomes.insert(number, outcome)),
        }
    }
    let native = native(runtime, dir, &members);
    members.retain(|member| match native.get(&member.name).map(String::as_str) {
        Some(said) if said.starts_with("returned ") || said.starts_with("panicked ") => true,
        said => {
            let why = format!("natively it {}", said.unwrap_or("prints nothing"));
            outcomes.insert(member.number, Outcome::NoUse(why));
            false
        }
    });
    for (member, outcome) in from_go(runtime, dir, &members, &native) {
        // If a program gives a wrong result, run it again alone, because another program of the batch may have corrupted its memory. Report
        // both outcomes.
        let outcome = match outcome {
            Outcome::Wrong(what) if members.len() > 1 => {
                let alone = from_go(runtime, dir, std::slice::from_ref(&members[member]), &native).pop().map(|(_, outcome)| outcome);
                Outcome::Wrong(match alone {
                    Some(Outcome::Wrong(again)) if again == what => what,
                    Some(Outcome::Wrong(again)) => format!("{what}; by itself: {again}"),
                    alone => format!("{what}; by itself: {alone:?}"),
                })
            }
            outcome => outcome,
        };
        outcomes.insert(members[member].number, outcome);
    }
    outcomes.into_values().collect()
}

/// A program of a batch that the tool accepts, under a unique name.
struct Member {
    /// The program's index in the batch.
    number: usize,
    name: String,
    object: PathBuf,
    recursive: bool,
}

impl Member {
    fn new(runtime: &Runtime, dir: &Path, number: usize, accepted: &Accepted) -> Member {
        let name = format!("p{number}");
        let object = dir.join(format!("{name}.o"));
        let mut objcopy = binutil("objcopy", runtime.arch);
        objcopy.args(["--redefine-sym", &format!("program_main={name}_main")]).arg(&accepted.object).arg(&object);
        succeed("objcopy", &mut objcopy);
        Member { number, name, object, recursive: accepted.recursive }
    }
}

/// Splits the output into lines; returns each line by the name of its program.
fn lines(text: &str) -> BTreeMap<String, String> {
    text.lines().filter_map(|line| line.split_once(' ')).map(|(name, said)| (name.to_owned(), said.to_owned())).collect()
}

/// Runs the programs natively; returns each program's line of output, by the program's name.
fn native(runtime: &Runtime, dir: &Path, members: &[Member]) -> BTreeMap<String, String> {
    if members.is_empty() {
        return BTreeMap::new();
    }
    let dir = dir.join("native");
    let names: Vec<(&str, bool)> = members.iter().map(|member| (member.name.as_str(), member.recursive)).collect();
    entries(runtime.arch, &dir, &names);
    std::fs::write(dir.join("ends.o"), &runtime.ends).expect("the scratch folder is writable");
    let mut compiler = Compiler::Gcc.command(runtime.arch);
    compiler.args(["-O1", "-static", "-w", "-z", "noexecstack", "-I"]).arg(&dir).arg("-o").arg(dir.join("native"));
    compiler.arg(runtime_dir().join("native.c")).args([dir.join("entries.o"), dir.join("ends.o")]);
    compiler.args(members.iter().map(|member| &member.object)).arg("-lm");
    if let Some(emulator) = emulator(runtime.arch) {
        compiler.arg("-DLIMIT=10");
        succeed("the compiler of the native program", &mut compiler);
        return lines(&stdout(&succeed("the native program", Command::new(emulator).arg(dir.join("native")))));
    }
    succeed("the compiler of the native program", &mut compiler);
    lines(&stdout(&succeed("the native program", &mut Command::new(dir.join("native")))))
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// A Go package of the module, with the code that the tool made for some of the programs.
struct Package {
    lowered: Lowered,
    members: Vec<usize>,
}

/// Runs the programs from Go and compares their output with `want`; returns each program's outcome, by the program's index.
fn from_go(runtime: &Runtime, dir: &Path, members: &[Member], want: &BTreeMap<String, String>) -> Vec<(usize, Outcome)> {
    let mut outcomes = Vec::new();
    let mut packages = Vec::new();
    let all: Vec<usize> = (0..members.len()).collect();
    lower(runtime, dir, members, &all, &mut packages, &mut outcomes);
    if packages.is_empty() {
        return outcomes;
    }
    let go_dir = dir.join("go");
    let _ = std::fs::remove_dir_all(&go_dir);
    go_mod(&go_dir);
    let mut table = String::from("package main\n\nimport (\n");
    (0..packages.len()).for_each(|n| writeln!(table, "\tg{n} \"scratch/g{n}\"").expect("a string takes everything"));
    table.push_str(")\n\nvar programs = map[string]func(uint64) uint64{\n");
    let mut names = Vec::new();
    for (n, package) in packages.iter().enumerate() {
        let folder = go_dir.join(format!("g{n}"));
        write(&folder.join(verify::GO_FILE), &package.lowered.go.print());
        write(&folder.join(package.lowered.asm.name()), &package.lowered.asm.print());
        for &member in &package.members {
            let name = &members[member].name;
            writeln!(table, "\t\"{name}\": g{n}.{},", name.to_uppercase()).expect("a string takes everything");
            names.push(name.as_str());
        }
    }
    write(&go_dir.join("programs.go"), &format!("{table}}}\n"));
    std::fs::copy(runtime_dir().join("main.go"), go_dir.join("main.go")).expect("the scratch folder is writable");
    let mut build = go_command(runtime.arch, &go_dir);
    succeed("go build", build.env("CGO_ENABLED", "0").args(["build", "-o", "programs", "."]));
    // At a call, Go's stack pointer modulo 16 is 0 or 8. Test both.
    let [even, odd] = ["even", "odd"].map(|place| called(runtime, &go_dir, place, names.clone()));
    for &member in packages.iter().flat_map(|package| &package.members) {
        let name = &members[member].name;
        let said = |said: &BTreeMap<String, String>| compared(said.get(name).map_or("nothing", String::as_str), &want[name]);
        outcomes.push((member, Some(said(&even)).filter(|outcome| *outcome != Outcome::Right).unwrap_or_else(|| said(&odd))));
    }
    outcomes.sort_by_key(|(member, _)| *member);
    outcomes
}

fn compared(got: &str, want: &str) -> Outcome {
    match got {
        got if got == want => Outcome::Right,
        // The program exhausts its stack budget in Go. Natively it does not, because the native stack is larger.
        got if got.contains("stack budget") => Outcome::Refused(ErrorCode::StackLimit, got.to_owned()),
        // The program needs a function of the C library that runtime/libc.c does not provide.
        got if got.ends_with("panicked no format") => Outcome::NoUse("formats what runtime/libc.c does not know".to_owned()),
        got => Outcome::Wrong(format!("natively {want}, from Go {got}")),
    }
}

/// Makes one package of the programs, or several packages if the tool refuses them together. (In one package, a call through a pointer can reach
/// the functions of other programs.)
fn lower(
    runtime: &Runtime,
    dir: &Path,
    members: &[Member],
    some: &[usize],
    packages: &mut Vec<Package>,
    outcomes: &mut Vec<(usize, Outcome)>,
) {
    let Some(&first) = some.first() else { return };
    let names: Vec<(&str, bool)> = some.iter().map(|&one| (members[one].name.as_str(), members[one].recursive)).collect();
    let objects: Vec<(String, Vec<u8>)> =
        some.iter().map(|&one| (format!("{}.o", members[one].name), read(&members[one].object))).collect();
    let lowered = runtime.lower(&entries(runtime.arch, &dir.join("entries"), &names), &objects).and_then(|lowered| {
        match verify::verify(&[(&lowered.asm, machine(runtime.arch))], &lowered.go, &runtime::Runtime::Published, &common::go()) {
            Ok(_) => Ok(lowered),
            Err(failure) => Err(super::program::refused(&failure)),
        }
    });
    match lowered {
        Ok(lowered) => packages.push(Package { lowered, members: some.to_vec() }),
        Err(outcome) if some.len() == 1 => outcomes.push((first, outcome)),
        Err(_) => {
            let (front, back) = some.split_at(some.len() / 2);
            lower(runtime, dir, members, front, packages, outcomes);
            lower(runtime, dir, members, back, packages, outcomes);
        }
    }
}

/// Calls the programs from Go. If a program ends the process or hangs, another process calls the remaining programs.
fn called(runtime: &Runtime, go_dir: &Path, place: &str, mut names: Vec<&str>) -> BTreeMap<String, String> {
    let mut said = BTreeMap::new();
    while !names.is_empty() {
        let mut command = Command::new("timeout");
        command.args(["-s", "KILL", &(LIMIT + names.len() as u64).to_string()]).args(emulator(runtime.arch));
        let output = command.arg(go_dir.join("programs")).arg(place).args(&names).output().expect("timeout runs");
        let out = stdout(&output);
        said.extend(lines(&out).into_iter().filter(|(name, _)| name != "begin"));
        if !output.status.success()
            && let Some(last) = out.lines().rev().find_map(|line| line.strip_prefix("begin "))
        {
            let text = String::from_utf8_lossy(&output.stderr).into_owned();
            let words = text.lines().find(|line| !line.trim().is_empty()).unwrap_or("no words").to_owned();
            said.insert(last.to_owned(), format!("ends the process ({}): {words}", output.status));
        }
        let before = names.len();
        names.retain(|name| !said.contains_key(*name));
        if names.len() == before {
            names.remove(0);
        }
    }
    said
}

pub fn succeed(what: &str, command: &mut Command) -> Output {
    let output = command.output().unwrap_or_else(|error| panic!("{what} cannot be run: {error}"));
    let texts = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned());
    assert!(output.status.success(), "{what} failed: {command:?}:\n{}", texts.concat());
    output
}
