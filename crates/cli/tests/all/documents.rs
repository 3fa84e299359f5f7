//! Tests that the Rust examples in docs/ are accepted unchanged, and that the Go code beside them is true. (The test module `publish` runs the
//! example of the README.)
//!
//! A document's code blocks are read in order. A Rust block with `#[rustgo::` is a crate. A Go block after it shows the package's declarations,
//! and each line must be in the generated file; a Go block that begins with `func Example` or `func Test` is run. There the package is called
//! `pkg`.

use crate::common::{read, root, scratch, stem, write};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

crate::tests!(rust_examples_are_accepted,);

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

/// A line without its indentation, doubled spaces and comment.
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

/// A test file with the examples of a package.
fn test_file(name: &str, example: &str) -> String {
    let mut file = format!("package {name}_test\n\nimport (\n");
    for import in ["bytes", "errors", "fmt", "hash", "io", "os", "runtime", "slices", "strings", "sync", "testing"] {
        if example.contains(&format!("{import}.")) {
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
    // Files of an earlier version of the documents would be tested too.
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
    assert!(names.contains(&"longcalls0".to_owned()), "{names:?}");
    assert!(shown > 10 && run > 10, "{shown} {run}");
    let output = Command::new("go").current_dir(&module).args(["test", "./..."]).output().expect("go runs");
    let (printed, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{printed}{errors}");
}

/// Makes the package of an example.
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
    command.arg("--crate").arg(folder.join("rust")).arg("--out").arg(folder).env("CARGO_TARGET_DIR", scratch("target"));
    let output = command.output().expect("the tool runs");
    assert!(output.status.success(), "{}: {}", document.display(), String::from_utf8_lossy(&output.stderr));
}
