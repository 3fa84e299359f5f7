//! Programs that stand in for others.

use std::path::Path;
use std::process::Command;

/// Writes a shell script that can be run, without its first line.
///
/// Another process does it: a program that another test starts at this moment has our open files until it is loaded, and what is open
/// for writing cannot be run ("Text file busy").
pub fn script(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().expect("a file lies in a folder")).expect("the folder can be made");
    let mut shell = Command::new("sh");
    shell.args(["-c", "printf '#!/bin/sh\\n%s' \"$2\" >\"$1\" && chmod +x \"$1\"", "sh"]).arg(path).arg(text);
    assert!(shell.status().expect("a shell").success(), "{} cannot be written", path.display());
}
