//! The Rust examples in docs/ are accepted as they stand. (That of the README is made and run by `publish`.)

use crate::common::{read, root, scratch, stem, write};
use std::path::PathBuf;
use std::process::Command;

crate::tests!(rust_examples_are_accepted,);

/// The blocks of a document that have this language.
fn blocks<'t>(text: &'t str, language: &str) -> Vec<&'t str> {
    let begins = format!("```{language}\n");
    text.split(begins.as_str()).skip(1).filter_map(|rest| Some(rest.split_once("\n```")?.0)).collect()
}

fn rust_examples_are_accepted() {
    let dir = std::fs::read_dir(root().join("docs")).expect("there are documents");
    let mut documents: Vec<PathBuf> = dir.map(|entry| entry.expect("a document").path()).filter(|path| path.is_file()).collect();
    documents.sort();
    let mut names = Vec::new();
    for document in documents {
        let text = read(&document);
        for (n, example) in blocks(&text, "rust").into_iter().filter(|block| block.contains("#[rustgo::export")).enumerate() {
            let name = format!("{}_{n}", stem(&document).replace('-', "_"));
            let krate = scratch("documents").join(&name);
            let support = root().join("crates/support");
            let manifest = format!(
                "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\nrustgo-support = {{ path = \"{}\" }}\n",
                support.display()
            );
            write(&krate.join("rust/Cargo.toml"), &manifest);
            write(&krate.join("rust/Cargo.lock"), &read(&root().join("Cargo.lock")));
            write(&krate.join("rust/src/lib.rs"), &format!("{example}\n"));
            write(&krate.join("go.mod"), "module example\n\ngo 1.24\n");
            let mut command = Command::new(env!("CARGO_BIN_EXE_rustgo"));
            command.args(["build", "--quiet", "--offline", "--color", "never", "--arch", "amd64"]);
            command.arg("--crate").arg(krate.join("rust")).arg("--out").arg(&krate).env("CARGO_TARGET_DIR", scratch("target"));
            let output = command.output().expect("the tool runs");
            assert!(output.status.success(), "{}: {}", document.display(), String::from_utf8_lossy(&output.stderr));
            names.push(name);
        }
    }
    assert!(names.contains(&"long_calls_0".to_owned()), "{names:?}");
}
