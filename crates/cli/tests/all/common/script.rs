//! Shell scripts that replace other programs.

use std::path::Path;
use std::process::Command;

/// Writes an executable shell script. `text` is the script without its first line.
///
/// Another process writes the file. If this process wrote it, a program that another test starts at the same moment could inherit the open file
/// descriptor. The kernel refuses to execute a file that is open for writing ("Text file busy").
pub fn script(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().expect("a file lies in a folder")).expect("the folder can be made");
    let mut shell = Command::new("sh");
    shell.args(["-c", "printf '#!/bin/sh\\n%s' \"$2\" >\"$1\" && chmod +x \"$1\"", "sh"]).arg(path).arg(text);
    assert!(shell.status().expect("a shell").success(), "{} cannot be written", path.display());
}
