//! The Rust examples in docs/ are accepted, the Go code beside them compiles and runs, links have targets, and the tests that documents name
//! exist. (The module `publish` builds and runs the example of the README.)
//!
//! The code blocks of a document are read in order. A Rust block with `#[rustgo::` is a crate. A Go block after it shows declarations of the
//! generated package: each line must occur in the generated file. A Go block that begins with `func Example` or `func Test` is run as a test that
//! imports the package as `pkg`.

use crate::common::{read, root, scratch, stem, target, write};
use crate::harness::NAMES;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

crate::tests!(rust_examples_are_accepted, links_have_targets, named_tests_exist,);

/// The code blocks of a document, with their languages.
fn blocks(text: &str) -> Vec<(&str, &str)> {
    let mut blocks = Vec::new();
    let mut rest = text;
    while let Some((_, begin)) = rest.split_once("\n```") {
        let Some((language, code)) = begin.split_once('\n') else { break };
        let Some((block, end)) = code.split_once("\n```") else { break };
        blocks.push((language, block));
        rest = end;
    }
    blocks
}

/// Removes the indentation, repeated spaces and the comment from a line of Go code.
fn plain(line: &str) -> String {
    let code = line.split(" // ").next().unwrap_or_default();
    code.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Asserts that the generated file contains the declarations, in this order.
fn declared(package: &Path, declarations: &str) {
    let file = read(&package.join("rustgo.go"));
    let generated: Vec<String> = file.lines().map(plain).collect();
    let mut at = 0;
    for line in declarations.lines().map(plain).filter(|line| !line.is_empty()) {
        let found = generated
            .iter()
            .position(|other| other == &line || other.strip_suffix(" {") == Some(&line) || other.starts_with(&format!("{line} ")));
        assert!(found.is_some(), "{}: no {line:?} in\n{file}", package.display());
        at = at.max(found.unwrap_or_default());
    }
    assert!(at > 0);
}

/// A Go test file that contains the example of package `name`.
fn test_file(name: &str, example: &str) -> String {
    let mut file = format!("package {name}_test\n\nimport (\n");
    for import in [
        "bytes",
        "context",
        "errors",
        "fmt",
        "hash",
        "io",
        "io/fs",
        "os",
        "runtime",
        "slices",
        "strings",
        "sync",
        "testing",
        "testing/fstest",
        "time",
    ] {
        let name = import.rsplit('/').next().unwrap_or_default();
        let is_used = |(at, _): (usize, &str)| !example[..at].ends_with(|c: char| c.is_alphanumeric() || c == '.');
        if example.match_indices(&format!("{name}.")).any(is_used) {
            let _ = writeln!(file, "\t\"{import}\"");
        }
    }
    if example.contains("rt.") {
        file.push_str("\n\t\"rustgo.dev/go/rt\"\n");
    }
    let _ = writeln!(file, "\tpkg \"example/{name}\"\n)\n\n{example}");
    file
}

fn rust_examples_are_accepted() {
    let dir = std::fs::read_dir(root().join("docs")).expect("there are documents");
    let mut documents: Vec<PathBuf> = dir.map(|entry| entry.expect("a document").path()).filter(|path| path.is_file()).collect();
    documents.sort();
    let module = scratch("documents");
    // Remove the files of earlier runs. Otherwise tests of examples that no longer exist would run too.
    std::fs::remove_dir_all(&module).expect("the folder can be removed");
    let go = root().join("go");
    write(
        &module.join("go.mod"),
        &format!("module example\n\ngo 1.24\n\nrequire rustgo.dev/go v0.0.0\n\nreplace rustgo.dev/go => {}\n", go.display()),
    );
    let mut names: Vec<String> = Vec::new();
    let (mut shown, mut run) = (0, 0);
    for document in documents {
        let text = read(&document);
        let mut package: Option<(String, PathBuf)> = None;
        let (mut crates, mut tests) = (0, 0);
        for (language, block) in blocks(&text) {
            match language {
                "rust" if block.contains("#[rustgo::") || block.contains("rustgo::Error") => {
                    let name = format!("{}{crates}", stem(&document).replace('-', ""));
                    crates += 1;
                    let folder = module.join(&name);
                    build(&document, &name, &folder, block);
                    names.push(name.clone());
                    package = Some((name, folder));
                }
                "go" => {
                    let Some((name, folder)) = &package else { continue };
                    if block.starts_with("func Example") || block.starts_with("func Test") {
                        write(&folder.join(format!("example_{tests}_test.go")), &test_file(name, block));
                        (tests, run) = (tests + 1, run + 1);
                    } else if !block.contains("import ") {
                        declared(folder, block);
                        shown += 1;
                    }
                }
                _ => package = None,
            }
        }
    }
    assert!(names.contains(&"guide0".to_owned()), "{names:?}");
    assert!(shown > 10 && run > 10, "{shown} {run}");
    let output = Command::new("go").current_dir(&module).args(["test", "./..."]).output().expect("go runs");
    let (printed, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{printed}{errors}");
}

/// Builds the Go package of an example.
fn build(document: &Path, name: &str, folder: &Path, example: &str) {
    let support = root().join("crates/support");
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\nrustgo-support = {{ path = \"{}\" }}\n",
        support.display()
    );
    write(&folder.join("rust/Cargo.toml"), &manifest);
    write(&folder.join("rust/Cargo.lock"), &read(&root().join("Cargo.lock")));
    write(&folder.join("rust/src/lib.rs"), &format!("{example}\n"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_rustgo"));
    command.args(["build", "--quiet", "--offline", "--color", "never", "--arch", "amd64"]);
    command.arg("--crate").arg(folder.join("rust")).arg("--out").arg(folder).env("CARGO_TARGET_DIR", target(0));
    let output = command.output().expect("the tool runs");
    assert!(output.status.success(), "{}: {}", document.display(), String::from_utf8_lossy(&output.stderr));
}

/// The documents: those written by hand, and those that scripts generate.
fn documents() -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = [
        "README.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "SECURITY.md",
        "bench/METHOD.md",
        "examples/rules/README.md",
        "examples/signer/README.md",
        "examples/templates/README.md",
    ]
    .iter()
    .map(|name| root().join(name))
    .collect();
    let docs = std::fs::read_dir(root().join("docs")).expect("there are documents");
    found.extend(docs.map(|entry| entry.expect("a document").path()).filter(|path| path.is_file()));
    found.sort();
    found
}

/// A document without its code blocks.
fn prose(text: &str) -> String {
    let mut code = false;
    let lines = text.lines().filter(|line| {
        code ^= line.starts_with("```");
        !code && !line.starts_with("```")
    });
    lines.map(|line| format!("{line}\n")).collect()
}

/// The anchors of a document's headings, as GitHub names them.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = text.lines().filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim().to_lowercase());
    headings
        .map(|heading| {
            let kept = heading.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
            kept.map(|c| if c == ' ' { '-' } else { c }).collect()
        })
        .collect()
}

fn links_have_targets() {
    let (mut wrong, mut count) = (String::new(), 0);
    for document in documents() {
        let text = prose(&read(&document));
        // Skip inline code, because it may look like a link.
        let text: String = text.split('`').step_by(2).collect();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(link, _)| link) {
            if link.contains("://") {
                continue;
            }
            count += 1;
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if path.is_empty() { document.clone() } else { document.with_file_name("").join(path) };
            let leads = target.exists() && (anchor.is_empty() || anchors(&prose(&read(&target))).contains(anchor));
            if !leads {
                writeln!(wrong, "{}: {link}", document.display()).expect("a string takes everything");
            }
        }
    }
    assert!(count > 100, "{count} links were found");
    assert!(wrong.is_empty(), "these links lead nowhere:\n{wrong}");
}

/// Finds the functions in all files below `folder` with this ending of the file name. Adds to `found` the module path of each file, and the names
/// of its functions.
fn functions(folder: &Path, ending: &str, keyword: &str, found: &mut Vec<(String, BTreeSet<String>)>) {
    for entry in std::fs::read_dir(folder).expect("the folder can be read").map(|entry| entry.expect("an entry").path()) {
        let name = entry.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if entry.is_dir() {
            if name != "target" && name != "testdata" {
                functions(&entry, ending, keyword, found);
            }
        } else if name.ends_with(ending) {
            let text = read(&entry);
            let after = text.split(keyword).skip(1);
            let names = after.map(|rest| rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect());
            found.push((entry.to_string_lossy().into_owned(), names.collect()));
        }
    }
}

/// True if a test has this name, as `cargo test` prints it, or if it is the name of a promise without the way. The test may be in this program or a
/// function in another one.
fn is_rust_test(name: &str, functions: &[(String, BTreeSet<String>)]) -> bool {
    let (modules, last) = name.rsplit_once("::").expect("a name in a module");
    let names = NAMES.get().expect("a test is run after all are named");
    names.iter().any(|test| test.strip_prefix(name).is_some_and(|way| way.is_empty() || way.starts_with("::")))
        || functions.iter().any(|(file, names)| names.contains(last) && modules.split("::").all(|module| file.contains(module)))
}

fn named_tests_exist() {
    let (mut rust, mut go) = (Vec::new(), Vec::new());
    functions(&root().join("crates"), ".rs", "fn ", &mut rust);
    for folder in ["go", "fastcgo", "check", "fixtures", "packages", "crates/cli/tests/promises", "bench"] {
        let folder = root().join(folder);
        if folder.exists() {
            functions(&folder, "_test.go", "func ", &mut go);
        }
    }
    let (mut wrong, mut count) = (String::new(), 0);
    for document in documents() {
        let text = prose(&read(&document));
        for name in text.split('`').skip(1).step_by(2) {
            let words = name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == ':');
            let is_go = ["Test", "Fuzz"]
                .iter()
                .any(|start| name.strip_prefix(start).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase())));
            let in_safety = document.ends_with("docs/safety.md") || document.ends_with("docs/assumptions.md");
            let foreign = ["std::", "core::", "mem::", "rustgo::"].iter().any(|krate| name.starts_with(krate));
            let is_rust = in_safety && name.contains("::") && !foreign && !name.chars().any(|c| c.is_ascii_uppercase());
            if !words || !is_go && !is_rust {
                continue;
            }
            count += 1;
            let exists = if is_go { go.iter().any(|(_, names)| names.contains(name)) } else { is_rust_test(name, &rust) };
            if !exists {
                writeln!(wrong, "{}: {name}", document.display()).expect("a string takes everything");
            }
        }
    }
    assert!(count > 100, "{count} tests were found");
    assert!(wrong.is_empty(), "documents name these tests, which do not exist:\n{wrong}");
}
