//! `rustgo get` and `rustgo update`: modules from crates on this machine, and refusals.

use crate::common::{read, root, target, write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

crate::tests!(
    a_module_is_made_from_a_crate,
    edges_of_an_api_cross_or_are_listed,
    lists_and_fields_cross,
    frequent_shapes_of_apis_cross,
    shapes_without_a_twin_in_go_cross,
    the_right_methods_are_called,
    failures_inside_a_module_leave_nothing,
    existing_folders_stay_with_their_files,
    requests_are_checked_before_anything_is_written,
    crates_without_possible_exports_are_refused,
    updates_show_changes_and_keep_edited_files,
);

/// The folder with the source of each test crate, the expected wrapper, the expected list of omitted items, and a Go test of the module.
fn cases() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/get")
}

fn manifest(name: &str, version: &str) -> String {
    format!("[package]\nname = \"{name}\"\nversion = \"{version}\"\nedition = \"2024\"\nlicense = \"MIT\"\n\n[workspace]\n")
}

fn krate(dir: &Path, name: &str, version: &str, lib: &str) {
    write(&dir.join("Cargo.toml"), &manifest(name, version));
    write(&dir.join("src/lib.rs"), lib);
}

fn rustgo(dir: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rustgo"));
    command.current_dir(dir).args(args).args(["--color", "never"]);
    command.env("CARGO_TARGET_DIR", target(0)).env_remove("RUSTFLAGS").output().expect("rustgo runs")
}

const OFFLINE: [&str; 3] = ["--offline", "--arch", "amd64"];

fn get(dir: &Path, args: &[&str]) -> Output {
    rustgo(dir, &[&["get"], args, &OFFLINE].concat())
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// The messages of rustgo, without cargo's.
fn messages(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let own = text.lines().filter(|line| ["rustgo:", "  hint:", "hint:", "  note:", "note:"].iter().any(|start| line.starts_with(start)));
    own.collect::<Vec<_>>().join("\n")
}

fn go(dir: &Path, args: &[&str]) {
    let output = Command::new("go").args(args).current_dir(dir).env("GOFLAGS", "").env("GOPROXY", "off").output().expect("go runs");
    assert!(output.status.success(), "go {args:?}: {}", text(&output));
}

fn names(dir: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        std::fs::read_dir(dir).expect("a folder").flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// Compares a text with a golden file. `BLESS=1` writes the file.
fn golden(name: &str, made: &str) {
    let path = cases().join(name);
    if std::env::var_os("BLESS").is_some() {
        write(&path, made);
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(expected == made, "{name} differs (BLESS=1 writes it):\n{}", similar::TextDiff::from_lines(&expected, made).unified_diff());
}

fn a_module_is_made_from_a_crate() {
    let dir = TempDir::new().expect("a folder");
    krate(&dir.path().join("crate"), "shapes", "1.2.3", &read(&cases().join("shapes.rs")));
    let output = get(dir.path(), &["--path", "crate", "shapes"]);
    assert!(output.status.success(), "{}", text(&output));
    let module = dir.path().join("shapes");
    golden("shapes.wrapper.rs", &read(&module.join("rust/src/lib.rs")));
    let readme = read(&module.join("README.md"));
    for line in [
        "func ParseRectangle(text string) (*Rectangle, error)",
        "field Point.X float64",
        "| `shapes::huge` | returns u128 |",
        "| `shapes::largest` | takes a slice of T |",
        "| `shapes::odd` | does not compile: the trait bound `&str: Odd` is not satisfied |",
        "| `shapes::old` | deprecated |",
        "| `shapes::Nobody` | no exported function returns one |",
        "| `shapes::Plan (Shl<u128>)` | takes u128 |",
        "| `shapes::Fill::Black` | deprecated |",
        "The crate's licence is MIT; it applies to this package too.",
    ] {
        assert!(readme.lines().any(|found| found == line), "{line} is missing in\n{readme}");
    }
    assert!(readme.contains("| `shapes::elsewhere` | refused (threads"), "{readme}");
    let shown = messages(&output);
    assert!(shown.contains("rustgo: made shapes: the Go package example.com/shapes from shapes 1.2.3: "), "{shown}");
    assert!(shown.contains("rustgo: note: left out: 1: returns u128"), "{shown}");
    assert!(shown.contains(", 1 constant\n") || shown.contains(", 2 constants\n"), "{shown}");
    assert!(!text(&output).contains("warning"), "{}", text(&output));
    assert!(readme.contains("Go has no use for these traits of std, each with the number of its implementations: `Debug` ("), "{readme}");
    let manifest = read(&module.join("rust/Cargo.toml"));
    assert!(manifest.contains("with-tests-skip = [\"Now\"]\n"), "{manifest}");
    write(&module.join("shapes_test.go"), &read(&cases().join("shapes_test.go")));
    go(&module, &["vet", "./..."]);
    go(&module, &["test", "-run", "Shapes$", "."]);
    // A build of the module must make the same files as `rustgo get`.
    let check = rustgo(&module, &["check", "--locked", "--offline", "--crate", "rust"]);
    assert!(check.status.success(), "{}", text(&check));
    assert_eq!(names(dir.path()), ["crate", "shapes"]);
}

/// The crate has names that clash, raw names, `#[non_exhaustive]`, deprecated items, and items that are left out.
fn edges_of_an_api_cross_or_are_listed() {
    let dir = TempDir::new().expect("a folder");
    krate(&dir.path().join("crate"), "edges", "1.2.3", &read(&cases().join("edges.rs")));
    let output = get(dir.path(), &["--path", "crate", "edges"]);
    assert!(output.status.success() && !text(&output).contains("warning"), "{}", text(&output));
    let module = dir.path().join("edges");
    golden("edges.wrapper.rs", &read(&module.join("rust/src/lib.rs")));
    let readme = read(&module.join("README.md"));
    let (_, left_out) = readme.split_once("## Left out\n\n").expect("a list of what is left out");
    golden("edges.left_out.md", left_out.split_once("\n## Changes").map_or(left_out, |(list, _)| list));
    let manifest = read(&module.join("rust/Cargo.toml"));
    let skipped = manifest.lines().find(|line| line.starts_with("with-tests-skip"));
    assert!(skipped.is_some_and(|line| line.contains("\"Now\"") && !line.contains("\"Distinct\"")), "{manifest}");
    let test = read(&module.join("rustgo_native_test.go"));
    assert!(test.lines().any(|line| line.contains("RandomKeys:") && line.contains("\"Distinct\"")), "{test}");
    write(&module.join("edges_test.go"), &read(&cases().join("edges_test.go")));
    go(&module, &["vet", "./..."]);
    go(&module, &["test", "-run", "Edges$|Variants$", "."]);
}

/// The crate has lists of texts, slices and numbers, public fields, and a trait of a dependency that all types implement.
fn lists_and_fields_cross() {
    let dir = TempDir::new().expect("a folder");
    krate(&dir.path().join("counting"), "counting", "1.0.0", &read(&cases().join("lists.counting.rs")));
    krate(&dir.path().join("crate"), "lists", "1.2.3", &read(&cases().join("lists.rs")));
    let dependency = "\n[dependencies]\ncounting = { path = \"../counting\" }\n";
    write(&dir.path().join("crate/Cargo.toml"), &format!("{}{dependency}", manifest("lists", "1.2.3")));
    let output = get(dir.path(), &["--path", "crate", "lists"]);
    assert!(output.status.success() && !text(&output).contains("warning"), "{}", text(&output));
    let module = dir.path().join("lists");
    golden("lists.wrapper.rs", &read(&module.join("rust/src/lib.rs")));
    let readme = read(&module.join("README.md"));
    let (_, left_out) = readme.split_once("## Left out\n\n").expect("a list of what is left out");
    golden("lists.left_out.md", left_out.split_once("\n## Changes").map_or(left_out, |(list, _)| list));
    write(&module.join("lists_test.go"), &read(&cases().join("lists_test.go")));
    go(&module, &["vet", "./..."]);
    go(&module, &["test", "-run", "Ints$|Texts$|Fields$", "."]);
}

/// Makes a module from the crate of this name. Compares the wrapper and the list of left-out items with the expected ones, and runs the module's `tests`.
fn crosses(name: &str, tests: &str) {
    let dir = TempDir::new().expect("a folder");
    krate(&dir.path().join("crate"), name, "1.2.3", &read(&cases().join(format!("{name}.rs"))));
    let output = get(dir.path(), &["--path", "crate", name]);
    assert!(output.status.success() && !text(&output).contains("warning"), "{}", text(&output));
    let module = dir.path().join(name);
    golden(&format!("{name}.wrapper.rs"), &read(&module.join("rust/src/lib.rs")));
    let readme = read(&module.join("README.md"));
    let (_, left_out) = readme.split_once("## Left out\n\n").expect("a list of what is left out");
    golden(&format!("{name}.left_out.md"), left_out.split_once("\n## Changes").map_or(left_out, |(list, _)| list));
    write(&module.join(format!("{name}_test.go")), &read(&cases().join(format!("{name}_test.go"))));
    go(&module, &["vet", "./..."]);
    go(&module, &["test", "-run", tests, "."]);
}

/// The crate has aliases with defaults, buffers, maps by reference, operators on references, boxed errors, and results that may be too large for Go.
fn frequent_shapes_of_apis_cross() {
    crosses("apis", "Apis$");
}

/// The crate has optional texts, ranges, tuples, paths, arrays of structs, iterators over results, and functions of types that nothing returns.
fn shapes_without_a_twin_in_go_cross() {
    crosses("forms", "Forms$");
}

/// The crate has methods with the names of methods of std's traits, an infinite iterator, errors with sources, and a writer that keeps data.
fn the_right_methods_are_called() {
    let dir = TempDir::new().expect("a folder");
    krate(&dir.path().join("crate"), "methods", "1.2.3", &read(&cases().join("methods.rs")));
    let output = get(dir.path(), &["--path", "crate", "methods"]);
    assert!(output.status.success() && !text(&output).contains("warning"), "{}", text(&output));
    let module = dir.path().join("methods");
    golden("methods.wrapper.rs", &read(&module.join("rust/src/lib.rs")));
    let readme = read(&module.join("README.md"));
    assert!(readme.contains("| `methods::Digits::digits for u32` | the function Digits is for another type |"), "{readme}");
    write(&module.join("methods_test.go"), &read(&cases().join("methods_test.go")));
    go(&module, &["vet", "./..."]);
    go(&module, &["test", "-run", "Methods$", "."]);
}

fn failures_inside_a_module_leave_nothing() {
    let dir = TempDir::new().expect("a folder");
    write(&dir.path().join("go.mod"), "module example.com/outer\n\ngo 1.24\n");
    krate(&dir.path().join("crate"), "inner", "1.0.0", "pub fn greeting(name: &str) -> String {\n    format!(\"hello {name}\")\n}\n");
    // A hand-written file has the path of a file in the copy of the run-time package.
    let foreign = dir.path().join("internal/rustgo/rt/doc.go");
    write(&foreign, "package rt\n");
    let before = names(dir.path());
    let output = get(dir.path(), &["--path", "crate", "inner"]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    assert!(text(&output).contains("doc.go was not written by rustgo and will not be replaced"), "{}", text(&output));
    assert_eq!(names(dir.path()), before);
    assert_eq!(
        (names(&dir.path().join("internal")), names(&dir.path().join("internal/rustgo/rt"))),
        (vec!["rustgo".into()], vec!["doc.go".into()])
    );

    std::fs::remove_file(&foreign).expect("a file can be removed");
    let output = get(dir.path(), &["--path", "crate", "inner"]);
    assert!(output.status.success(), "{}", text(&output));
    assert_eq!(names(dir.path()), ["crate", "go.mod", "inner", "internal"]);
    go(dir.path(), &["vet", "./..."]);
}

fn existing_folders_stay_with_their_files() {
    let dir = TempDir::new().expect("a folder");
    krate(&dir.path().join("crate"), "inner", "1.0.0", "pub fn greeting(name: &str) -> String {\n    format!(\"hello {name}\")\n}\n");
    write(&dir.path().join("crate/LICENSE"), "the crate's\n");
    let repository = dir.path().join("repository");
    for (name, text) in
        [("go.mod", "module example.com/mine\n\ngo 1.24\n"), ("README.md", "mine\n"), ("LICENSE", "mine\n"), (".git/HEAD", "x\n")]
    {
        write(&repository.join(name), text);
    }
    // This crate has nothing to export. The failure changes no file of the repository and makes no folder.
    krate(&dir.path().join("nothing"), "nothing", "1.0.0", "");
    let before = names(&repository);
    let failed = get(&repository, &["--path", "../nothing", "."]);
    assert_eq!((failed.status.code(), names(&repository)), (Some(1), before), "{}", text(&failed));
    assert_eq!(names(dir.path()), ["crate", "nothing", "repository"]);

    let refused = get(&repository, &["--path", "../crate", ".", "--module", "example.com/other"]);
    assert!(text(&refused).contains("repository is the Go module example.com/mine already"), "{}", text(&refused));

    let open = std::fs::File::open(&repository).expect("a folder can be opened");
    let output = get(&repository, &["--path", "../crate", "."]);
    assert!(output.status.success(), "{}", text(&output));
    let same =
        |a: std::fs::Metadata, b: std::fs::Metadata| std::os::unix::fs::MetadataExt::ino(&a) == std::os::unix::fs::MetadataExt::ino(&b);
    let (old, new) = (open.metadata().expect("a folder"), std::fs::metadata(&repository).expect("a folder"));
    assert!(same(old, new), "the folder was replaced");
    for (name, start) in [
        ("go.mod", "module example.com/mine\n"),
        ("README.md", "mine\n"),
        ("README.md.new", "<!-- Written"),
        ("LICENSE", "mine\n"),
        ("LICENSE.new", "the crate's\n"),
        (".git/HEAD", "x\n"),
    ] {
        assert!(read(&repository.join(name)).starts_with(start), "{name}: {}", read(&repository.join(name)));
    }
    let shown = messages(&output);
    assert!(shown.contains("made .: the Go package example.com/mine from inner 1.0.0: 1 function"), "{shown}");
    assert!(shown.contains("rustgo: note: your README.md stays: README.md.new is the one of rustgo get"), "{shown}");
    assert_eq!(names(dir.path()), ["crate", "nothing", "repository"]);
    go(&repository, &["vet", "./..."]);

    // The module is made in an empty folder.
    std::fs::create_dir(dir.path().join("empty")).expect("a folder can be made");
    let output = get(&dir.path().join("empty"), &["--path", "../crate", "."]);
    assert!(output.status.success(), "{}", text(&output));
    assert!(read(&dir.path().join("empty/go.mod")).starts_with("module example.com/empty\n"));
}

fn requests_are_checked_before_anything_is_written() {
    let dir = TempDir::new().expect("a folder");
    write(&dir.path().join("full/file"), "text\n");
    krate(&dir.path().join("program"), "program", "1.0.0", "");
    std::fs::rename(dir.path().join("program/src/lib.rs"), dir.path().join("program/src/main.rs")).expect("a file can be renamed");
    for (args, message, hint) in [
        (&["semver", "full"][..], "/full already exists", "hint: name a folder that does not exist, an empty one, or one with only .git"),
        (&["no/such", "a/b"], "no/such is neither a crate's name nor a folder with a Cargo.toml", "hint: name a published crate"),
        (&["--path", "nowhere", "a"], "./nowhere is neither a crate's name nor a folder with a Cargo.toml", "hint: name a published crate"),
        (
            &["no-crate-has-this-name", "a"],
            "the crate no-crate-has-this-name is not among the crates that cargo has downloaded",
            "hint: leave --offline out",
        ),
        (&["--path", "program", "a"], "the crate program has no library", "hint: "),
    ] {
        let output = get(dir.path(), args);
        let text = text(&output);
        assert_eq!(output.status.code(), Some(1), "{args:?}: {text}");
        assert!(text.contains(message) && text.contains(hint), "{args:?}: {text}");
        assert_eq!(names(dir.path()), ["full", "program"], "{args:?}");
    }
    assert_eq!(get(dir.path(), &[]).status.code(), Some(2));
}

fn crates_without_possible_exports_are_refused() {
    let dir = TempDir::new().expect("a folder");
    krate(&dir.path().join("crate"), "nothing", "1.0.0", "pub fn wide(x: u128) -> u128 {\n    x\n}\n");
    let output = get(dir.path(), &["--path", "crate", "new/nothing"]);
    let text = text(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("nothing of nothing 1.0.0 can be exported") && text.contains("nothing::wide: takes u128"), "{text}");
    assert_eq!(names(dir.path()), ["crate"]);
}

fn updates_show_changes_and_keep_edited_files() {
    const OLD: &str = "pub fn same(x: u8) -> u8 {\n    x\n}\npub fn other(x: u8) -> u8 {\n    x\n}\npub fn gone() -> u8 {\n    1\n}\n";
    const NEW: &str = "pub fn same(x: u8) -> u8 {\n    x\n}\npub fn other(x: u16) -> u16 {\n    x\n}\npub fn more() -> u8 {\n    1\n}\n";
    let dir = TempDir::new().expect("a folder");
    let source = dir.path().join("crate");
    krate(&source, "changing", "1.0.0", OLD);
    let made = get(dir.path(), &["--path", "crate", "changing"]);
    assert!(made.status.success(), "{}", text(&made));
    let module = dir.path().join("changing");
    let update = |args: &[&str]| {
        let output = rustgo(dir.path(), &[&["update", "--module", "changing"], args, &OFFLINE].concat());
        assert!(output.status.success(), "{}", text(&output));
        (String::from_utf8_lossy(&output.stdout).into_owned(), messages(&output))
    };
    krate(&source, "changing", "1.1.0", NEW);
    let before = read(&module.join("rust/src/lib.rs"));
    let changes = "- func Gone() uint8\n- func Other(x uint8) uint8\n+ func Other(x uint16) uint16\n+ func More() uint8\n";
    let (lines, shown) = update(&["--dry-run"]);
    assert_eq!(lines, changes);
    assert!(shown.contains("changing 1.0.0 → 1.1.0: 1 added, 1 gone, 1 changed in the Go API, which asks for a major version"), "{shown}");
    assert_eq!(read(&module.join("rust/src/lib.rs")), before);

    // An edited wrapper is not replaced; the new one is written beside it.
    let edited = format!("{before}\n// Edited.\n");
    std::fs::write(module.join("rust/src/lib.rs"), &edited).expect("a file can be written");
    let (_, shown) = update(&[]);
    assert!(
        shown.contains("rustgo: note: rust/src/lib.rs was edited, so nothing is replaced: rust/src/lib.rs.new is the new proposal"),
        "{shown}"
    );
    assert_eq!(read(&module.join("rust/src/lib.rs")), edited);
    assert!(read(&module.join("rust/src/lib.rs.new")).contains("pub fn more() -> u8"));

    std::fs::write(module.join("rust/src/lib.rs"), &before).expect("a file can be written");
    let (lines, _) = update(&[]);
    assert_eq!(lines, changes);
    assert!(read(&module.join("rustgo.go")).contains("func More() uint8"));
    assert!(read(&module.join("README.md")).contains("func Other(x uint16) uint16"));
    go(&module, &["vet", "./..."]);
    let (lines, shown) = update(&[]);
    assert!(lines.is_empty() && shown.contains("which asks for a patch version"), "{lines}{shown}");

    let other = rustgo(dir.path(), &["update", "--module", "changing", "semver@1.0.0"]);
    assert!(text(&other).contains("the module wraps the crate changing, not semver@1.0.0"), "{}", text(&other));
    let nowhere = rustgo(root().as_path(), &["update", "--module", "docs"]);
    assert!(text(&nowhere).contains("docs/rust/Cargo.toml cannot be read"), "{}", text(&nowhere));
}
