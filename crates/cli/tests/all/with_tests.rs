//! `rustgo build --with-tests`: the generated test passes for an unchanged package, fails for a broken one, and omits the functions that it cannot
//! test.

use crate::common::{read, root, scratch, target, write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

crate::tests!(
    every_kind_of_export_agrees,
    mathematics_is_the_same,
    a_broken_package_is_caught,
    every_changed_result_is_reported,
    races_are_reported,
    programs_without_the_detector_have_no_marks,
    exports_with_varying_results_are_left_out,
    calls_that_do_not_return_are_left_out,
    test_file_is_one_of_the_generated_files,
    test_is_skipped_without_the_tool,
);

/// Creates a module with a crate in `rust`. The package has its own copy of the run-time packages.
fn module(name: &str, lib: &str, settings: &str) -> PathBuf {
    let dir = scratch(&format!("with_tests_{name}"));
    // Removes files of an interrupted run.
    std::fs::remove_dir_all(&dir).expect("the folder can be removed");
    write(&dir.join("go.mod"), &format!("module example.com/{name}\n\ngo 1.24\n"));
    write(
        &dir.join("rust/Cargo.toml"),
        &format!(
            "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n\
             rustgo-support = {{ path = {:?} }}\n\n[package.metadata.rustgo]\nout = \"..\"\nruntime = \"internal/rustgo\"\narch = \"amd64\"\n{settings}\n",
            root().join("crates/support")
        ),
    );
    write(&dir.join("rust/Cargo.lock"), &read(&root().join("Cargo.lock")));
    write(&dir.join("rust/src/lib.rs"), lib);
    dir
}

fn rustgo(dir: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rustgo"));
    command.args(args).args(["--quiet", "--offline", "--color", "never", "--crate"]).arg(dir.join("rust"));
    command.env("CARGO_TARGET_DIR", target(1)).output().expect("the tool runs")
}

fn built(dir: &Path, args: &[&str]) {
    let output = rustgo(dir, &[&["build"], args].concat());
    assert!(output.status.success(), "{}", stderr(&output));
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Runs `go test` for the package; returns its success and output.
fn go_test(dir: &Path, args: &[&str], set: &[(&str, &str)]) -> (bool, String) {
    let mut command = Command::new("go");
    command.current_dir(dir).args(["test", "-count=1", "."]).args(args);
    command.env("RUSTGO", env!("CARGO_BIN_EXE_rustgo")).env("CARGO_NET_OFFLINE", "true").env("CARGO_TARGET_DIR", target(1));
    let output = command.envs(set.iter().copied()).output().expect("go runs");
    (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned() + &stderr(&output))
}

fn rows(name: &str) -> PathBuf {
    let lib = read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/with_tests/rows.rs"));
    let dir = module(name, &lib, "with-tests = true");
    built(&dir, &[]);
    dir
}

fn every_kind_of_export_agrees() {
    let dir = rows("rows");
    let (passed, said) = go_test(&dir, &["-v", "-rustgo.n=100"], &[]);
    assert!(passed, "{said}");
    let file = read(&dir.join("rustgo_native_test.go"));
    for row in
        ["\"Numbers\":", "\"Queue.Append\":", "\"Queue.Close\":", "(*Queue).IntoVec,", "Point.Moved,", "\"Hasher.Finish\":", "\"Origin\":"]
    {
        assert!(file.contains(row), "{row} is not in\n{file}");
    }
    for part in ["--- PASS: TestRustgoNative/Numbers ", "--- PASS: TestRustgoNative/Objects ", "--- PASS: TestRustgoNative/Constants "] {
        assert!(said.contains(part), "{part} is not in\n{said}");
    }
    // The zero value of Fnv is its default, so it is a valid object and the test calls Fnv.Write. The zero value of Nobody is no object.
    assert!(said.contains(", Fnv.Write ") && !said.contains(", Fnv.Write 0,"), "{said}");
    for left_out in ["Nobody.Clone", "Nobody.Name"] {
        assert!(said.contains(&format!("{left_out} is left out: no export makes a Nobody, and its zero value is no object")), "{said}");
    }
    for (program, args) in [("gofmt", &["-l", "."][..]), ("go", &["vet", "./..."])] {
        let output = Command::new(program).args(args).current_dir(&dir).output().expect("Go's tools run");
        let said = String::from_utf8_lossy(&output.stdout).into_owned() + &stderr(&output);
        assert!(output.status.success() && said.is_empty(), "{program}: {said}");
    }
}

/// The Go package gets its mathematical functions from the crate libm. In a native program, std calls the C library, whose results differ in the last
/// bits. So the native program must use libm too, even if the author's crate does not name the feature `libm`.
fn mathematics_is_the_same() {
    let double = ["sin", "cos", "tan", "exp", "ln", "cbrt", "sinh", "atan", "ln_1p"];
    let single = ["sin", "tan", "exp", "log2", "cbrt", "cosh", "asin"];
    let function =
        |of: &str, name: &&str| format!("#[rustgo::export]\npub fn {name}_{of}(x: {of}) -> {of} {{\n    (x % 64.0).{name}()\n}}\n");
    let functions: String =
        double.iter().map(|name| function("f64", name)).chain(single.iter().map(|name| function("f32", name))).collect();
    let power = "#[rustgo::export]\npub fn power(x: f32, y: f32) -> f32 {\n    (x % 8.0).abs().powf(y % 8.0)\n}\n";
    for (name, is_named) in [("mathematics", false), ("mathematics_named", true)] {
        let dir = module(name, &(functions.clone() + power), "with-tests = true");
        let manifest = read(&dir.join("rust/Cargo.toml"));
        if is_named {
            write(&dir.join("rust/Cargo.toml"), &manifest.replace(" }\n\n[package", ", features = [\"libm\"] }\n\n[package"));
            assert!(read(&dir.join("rust/Cargo.toml")).contains("libm"));
        }
        built(&dir, &[]);
        let (passed, said) = go_test(&dir, &["-rustgo.n=3000"], &[]);
        assert!(passed, "{name}: {said}");
    }
}

/// Changes an operand of one instruction in the assembly of one function, so that the generated test must fail.
fn a_broken_package_is_caught() {
    let dir = rows("broken");
    let assembly = dir.join("rustgo_amd64.s");
    let text = read(&assembly);
    // Returns the places of the functions whose first line contains `name`, and whose code contains the constant 5a5a.
    let of = |name: &str| {
        let whole: Vec<usize> = text.match_indices("\nTEXT ").map(|(at, _)| at + 1).chain([text.len()]).collect();
        let ends = whole.windows(2).map(|ends| (ends[0], ends[1]));
        ends.filter(|&(start, end)| {
            text[start..end].lines().next().is_some_and(|line| line.contains(name)) && text[start..end].contains("5a5a")
        })
        .collect::<Vec<_>>()
    };
    for (name, symbols, natively) in
        [("Fill", ["Fill(", "·fill"], "natively: result 0 = "), ("Paint", ["Paint(", "·paint"], "natively: dst = ")]
    {
        let places: Vec<(usize, usize)> = symbols.iter().flat_map(|symbol| of(symbol)).collect();
        assert!(!places.is_empty(), "{name} is not there as expected");
        let mut broken = text.clone();
        for (start, end) in places {
            broken.replace_range(start..end, &text[start..end].replace("5a5a", "5b5b"));
        }
        write(&assembly, &broken);
        let (passed, said) = go_test(&dir, &["-rustgo.n=60", "-rustgo.seed=7"], &[]);
        assert!(!passed, "{name}: nobody has seen it");
        for part in [&format!("--- FAIL: TestRustgoNative/{name} "), natively, &format!("-run 'TestRustgoNative/{name}$' -rustgo.seed=7")] {
            assert!(said.contains(part), "{part} is not in\n{said}");
        }
        assert_eq!(said.matches("--- FAIL: TestRustgoNative/").count(), 1, "{said}");
    }
}

/// Changes of the Rust code after the package was made: old code, new code, and the place that the generated test must report.
const CHANGES: &[(&str, &str, &str)] = &[
    ("a ^ 0x5a)", "a ^ 0x5b)", "Numbers"),
    ("f.swap_bytes()", "f.reverse_bits()", "Narrow"),
    ("a.checked_rem(b)?)", "a.checked_rem(b)? + u64::from(a == 7))", "Checked"),
    ("d[1] = !d[1];", "d[2] = !d[2];", "Pointers"),
    // Not reported: the results differ only in the bits of NaNs.
    ("*x /= 2.0", "*x = -*x / -2.0", ""),
    ("keys[1] = *key;", "keys[0] = *key;", "Mix"),
    ("found {s} and", "found {s} or", "Count"),
    ("s.to_uppercase()\n", "s.to_ascii_uppercase()\n", "Upper"),
    ("s.trim()", "s.trim_start()", "Trim"),
    ("{owned} {list:?}", "{list:?} {owned}", "Join"),
    ("write!(dst, \"{x:x}\")", "write!(dst, \"{x:X}\")", "AppendHex"),
    ("Level::High)", "Level::Low)", "Judge"),
    ("*to = by;", "to.x = by.x;", "SumPoints"),
    ("\"nothing to parse\"", "\"nothing to pass\"", "Parse"),
    ("color: Color::Red }", "color: Color::Green }", "CheckSyntax"),
    ("at: 7, what", "at: 8, what", "Load"),
    ("(self.line != 2)", "(self.line != 3)", "Open"),
    ("\"no number\"", "\"no digits\"", "Boxed"),
    ("    0..n\n", "    (0..n).map(|x| x + u64::from(x == 70))\n", "CountUp"),
    ("panic!(\"item {x}\")", "panic!(\"part {x}\")", "Panicking"),
    ("self.0.push(x);", "self.0.push(x | 1);", "Objects"),
    ("MAX_LEN: u32 = 5", "MAX_LEN: u32 = 6", "Constants"),
];

fn every_changed_result_is_reported() {
    let dir = rows("changed");
    let lib = dir.join("rust/src/lib.rs");
    let mut text = read(&lib);
    for (old, new, _) in CHANGES {
        assert_eq!(text.matches(old).count(), 1, "{old}");
        text = text.replace(old, new);
    }
    write(&lib, &text);
    let (passed, said) = go_test(&dir, &["-v", "-rustgo.n=300", "-rustgo.seed=1"], &[]);
    assert!(!passed, "{said}");
    let mut expected: Vec<&str> = CHANGES.iter().map(|(.., name)| *name).filter(|name| !name.is_empty()).collect();
    let failed = said.lines().filter_map(|line| line.trim().strip_prefix("--- FAIL: TestRustgoNative/")?.split(' ').next());
    let mut failed: Vec<&str> = failed.collect();
    expected.sort_unstable();
    failed.sort_unstable();
    assert_eq!(failed, expected, "{said}");
}

fn exports_with_varying_results_are_left_out() {
    let lib = "//! Package unstable gives something else each time.\n\
        use std::collections::{HashMap, HashSet};\n\
        use std::sync::atomic::{AtomicU64, Ordering};\n\
        static LAST: AtomicU64 = AtomicU64::new(0);\n\
        #[rustgo::export]\npub fn serial() -> u64 { LAST.fetch_add(1, Ordering::Relaxed) }\n\
        #[rustgo::export]\npub fn now() -> u64 { std::time::UNIX_EPOCH.elapsed().unwrap().as_nanos() as u64 }\n\
        #[rustgo::export]\npub fn keys(n: u8) -> Vec<u8> { (0..n).map(|x| (x, ())).collect::<HashMap<u8, ()>>().into_keys().collect() }\n\
        #[rustgo::export]\npub fn distinct(all: &[u8]) -> usize { all.iter().collect::<HashSet<_>>().len() }\n\
        #[rustgo::object]\n#[derive(Default)]\npub struct Bag(HashSet<String>);\n\
        #[rustgo::export]\nimpl Bag {\n\
            pub fn new() -> Bag { Bag::default() }\n\
            pub fn add(&mut self, text: &str) { self.0.insert(text.to_owned()); }\n\
            #[rustgo::export(int = \"usize\")]\npub fn len(&self) -> usize { self.0.len() }\n\
            pub fn first(&self) -> Option<&str> { self.0.iter().next().map(String::as_str) }\n\
        }\n\
        #[rustgo::export]\npub fn stable(x: u64) -> u64 { !x }\n";
    let lib = &lib.replace("#[rustgo::export]\npub fn distinct", "#[rustgo::export(int = \"usize\")]\npub fn distinct");
    let dir = module("unstable", lib, "with-tests = true");
    built(&dir, &[]);
    let test = read(&dir.join("rustgo_native_test.go"));
    assert!(test.contains("RandomKeys: []string{\"Distinct\", \"Keys\", \"NewBag\"},"), "{test}");
    // The test needs a bag whose first text differs between two native programs. With only 40 inputs, one in four runs makes no such bag.
    let (passed, said) = go_test(&dir, &["-v", "-rustgo.n=400"], &[]);
    assert!(!passed && !said.contains("FAIL: TestRustgoNative/Stable"), "{said}");
    for part in [
        "FAIL: TestRustgoNative/Now",
        "the native program does not give the same answer twice",
        "-rustgo.skip=Now",
        "with-tests-skip = [\"Now\"]",
        "PASS: TestRustgoNative/Keys",
        "PASS: TestRustgoNative/Distinct",
        "PASS: TestRustgoNative/Objects",
        "results differ natively too, with the random keys of a HashMap",
        "results of Bag.First differ natively too, with the random keys of a HashMap",
    ] {
        assert!(said.contains(part), "{part} is not in\n{said}");
    }
    // A difference that does not come from random keys is a failure, even for an export that uses random keys.
    let source = dir.join("rust/src/lib.rs");
    write(&source, &lib.replace("collect::<HashSet<_>>().len()", "collect::<HashSet<_>>().len() + 1"));
    let (passed, said) = go_test(&dir, &["-rustgo.n=40"], &[]);
    assert!(!passed && said.contains("FAIL: TestRustgoNative/Distinct"), "{said}");
    write(&source, lib);
    let (passed, said) = go_test(&dir, &["-rustgo.n=40", "-rustgo.skip=Now,Serial"], &[]);
    assert!(passed, "{said}");
    let manifest = dir.join("rust/Cargo.toml");
    let text = read(&manifest);
    write(&manifest, &format!("{text}with-tests-skip = [\"Keys\", \"Now\", \"Serial\"]\n"));
    built(&dir, &[]);
    let (passed, said) = go_test(&dir, &["-v", "-rustgo.n=40"], &[]);
    assert!(passed && said.contains("Keys is left out"), "{said}");
    write(&manifest, &format!("{text}with-tests-skip = [\"Kays\"]\n"));
    let output = rustgo(&dir, &["build"]);
    assert!(
        !output.status.success() && stderr(&output).contains("with-tests-skip names what the crate does not export: Kays"),
        "{}",
        stderr(&output)
    );
}

/// `race_test.go` has pairs of calls. The race detector reports each pair that shares memory in a forbidden way, and names the generated function. It
/// reports no allowed pair.
fn races_are_reported() {
    let dir = rows("races");
    let test = read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/with_tests/race_test.go"));
    write(&dir.join("race_test.go"), &test.replace("package rows\n", "package withtestsraces\n"));
    let (passed, said) = go_test(&dir, &["-race", "-v", "-run", "^TestRight$"], &[]);
    assert!(passed && said.matches("--- PASS: TestRight/").count() == 14, "{said}");
    let (passed, said) = go_test(&dir, &["-race", "-v", "-run", "^TestRacy$"], &[("GORACE", "halt_on_error=0")]);
    assert!(!passed, "{said}");
    // In the output of a test, the detector's reports come first, and then the result of the test.
    let mut found = 0;
    for part in said.split("=== RUN   TestRacy/").skip(1) {
        let name = part.lines().next().unwrap_or_default();
        let Some((_, function)) = name.split_once('/') else { continue };
        assert!(part.contains("WARNING: DATA RACE") && part.contains(&format!("example.com/races.{function}")), "{name}:\n{said}");
        found += 1;
    }
    assert_eq!(found, 14, "{said}");
}

/// Without the race detector, the program is byte for byte the same as one that is built from a source without race marks.
fn programs_without_the_detector_have_no_marks() {
    let dir = rows("unmarked");
    let file = dir.join("rustgo.go");
    let marked = read(&file) + "\nvar _ = rustgo_rt.RaceEnabled\n\nvar _ unsafe.Pointer\n";
    // Keep the number of lines, so that positions in the programs are the same.
    let mut plain = String::new();
    let (mut end, mut marks) = (None, 0);
    for line in marked.lines() {
        let indentation = &line[..line.len() - line.trim_start().len()];
        if line.trim_start() == "if rustgo_rt.RaceEnabled {" {
            end = Some(format!("{indentation}}}"));
            marks += 1;
        }
        plain.push_str(if end.is_some() { "" } else { line });
        plain.push('\n');
        if end.as_deref() == Some(line) {
            end = None;
        }
    }
    assert!(marks > 20 && !plain.contains("rustgo_rt.RaceRead") && !plain.contains("rustgo_rt.RaceWrite"), "{marks} {plain}");
    let compiled = |text: &str| {
        write(&file, text);
        let output = Command::new("go").current_dir(&dir).args(["build", "-gcflags=-S", "."]).output().expect("go runs");
        assert!(output.status.success(), "{}", stderr(&output));
        stderr(&output)
    };
    let (with, without) = (compiled(&marked), compiled(&plain));
    assert!(with.contains("STEXT") && with.contains("SumPoints"), "{with}");
    assert!(with == without, "the marks leave something behind:\n{}", difference(&with, &without));
    // Check the comparison itself: it must notice a single different instruction.
    let other = plain.replace("return rust_SumPoints(points, by, to)", "return -rust_SumPoints(points, by, to)");
    assert!(other != plain && compiled(&other) != with);
}

/// The first lines in which two listings differ.
fn difference(one: &str, other: &str) -> String {
    let at = one.lines().zip(other.lines()).position(|(a, b)| a != b).unwrap_or_default();
    format!("{}\n{}", one.lines().nth(at).unwrap_or_default(), other.lines().nth(at).unwrap_or_default())
}

fn calls_that_do_not_return_are_left_out() {
    let lib = "//! Package greedy wants more than there is.\nuse std::hint::black_box;\n\
        #[rustgo::export]\npub fn spin(n: u64) -> u64 { (0..n).fold(1, |a, x| black_box(a ^ x)) }\n\
        #[rustgo::export]\npub fn deep(n: u32) -> u64 { if n == 0 { 0 } else { 1 + black_box(deep(n - 1)) } }\n\
        #[rustgo::export]\npub fn hoard(n: u32) -> u64 { black_box(vec![1_u8; n as usize]).iter().map(|&x| u64::from(x)).sum() }\n";
    let dir = module("greedy", lib, "with-tests = true");
    built(&dir, &[]);
    let (passed, said) = go_test(&dir, &["-v", "-rustgo.n=40", "-rustgo.seed=1"], &[]);
    assert!(passed, "{said}");
    for part in [
        "left out: natively the call takes longer than 1s",
        "left out: limit of the Go side: rust stack budget",
        "left out: the native program ended: signal: aborted",
    ] {
        assert!(said.contains(part), "{part} is not in\n{said}");
    }
}

fn test_file_is_one_of_the_generated_files() {
    // The second export has the name of a package that the generated test imports.
    let lib = "//! Package plain is small.\n#[rustgo::export]\npub fn increment(x: u64) -> u64 { x + 1 }\n\
        #[rustgo::export(name = \"testing\")]\npub fn decrement(t: u64) -> u64 { t.wrapping_sub(1) }\n";
    let dir = module("plain", lib, "");
    let file = dir.join("rustgo_native_test.go");
    built(&dir, &[]);
    assert!(!file.exists() && !dir.join("internal/rustgo/nativetest").exists());
    built(&dir, &["--with-tests"]);
    let text = read(&file);
    assert!(text.starts_with("// Code generated by rustgo build --with-tests; DO NOT EDIT.\n"), "{text}");
    assert!(dir.join("internal/rustgo/nativetest/doc.go").is_file());
    let with = rustgo(&dir, &["check", "--locked", "--with-tests"]);
    assert!(with.status.success(), "{}", stderr(&with));
    let without = rustgo(&dir, &["check", "--locked"]);
    assert!(stderr(&without).contains("rustgo_native_test.go is no longer made from the source"), "{}", stderr(&without));
    write(&file, &text.replace("\"Increment\"", "\"Decrement\""));
    let changed = rustgo(&dir, &["check", "--locked", "--with-tests"]);
    assert!(stderr(&changed).contains("rustgo_native_test.go is not what the source gives"), "{}", stderr(&changed));
    write(&file, &text);
    // Overflow panics both natively and in Go, because the author's profile enables the checks.
    let manifest = dir.join("rust/Cargo.toml");
    write(&manifest, &format!("{}\n[profile.release]\noverflow-checks = true\n", read(&manifest)));
    built(&dir, &["--with-tests"]);
    let (passed, said) = go_test(&dir, &["-rustgo.n=40"], &[]);
    assert!(passed, "{said}");
}

fn test_is_skipped_without_the_tool() {
    let lib = "//! Package alone is tested where nothing is.\n#[rustgo::export]\npub fn increment(x: u64) -> u64 { x.wrapping_add(1) }\n";
    let dir = module("alone", lib, "with-tests = true");
    built(&dir, &[]);
    let (passed, said) = go_test(&dir, &["-v"], &[("RUSTGO", "/nowhere/rustgo")]);
    assert!(passed && said.contains("--- SKIP: TestRustgoNative") && said.contains("install rustgo, or name it in RUSTGO"), "{said}");
}
