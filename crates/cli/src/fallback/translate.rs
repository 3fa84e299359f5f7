//! Runs wasm2go, which translates a WebAssembly module to Go.
//!
//! wasm2go is a Go program, and the go command downloads and builds it. A translation depends only on the module and on wasm2go's version, which is
//! pinned here.

use crate::diag::{Diagnostic, ErrorCode, Result};
use crate::gosrc;
use crate::process;
use crate::toolchain::Go;
use std::path::Path;

/// The module of wasm2go, and its version.
pub const MODULE: &str = "github.com/ncruces/wasm2go";
pub const VERSION: &str = "v0.4.22";

/// wasm2go's declaration of the largest memory, in pages of 64 KiB, and the declaration that replaces it: 4 GiB, or 512 MiB on processors with 32
/// bits. The Go runtime ends the process if it cannot allocate memory, so an allocation beyond this size must fail in Rust.
const MAX_MEMORY: &str = "const maxMem = 0x100000000\n";
const LESS_MEMORY: &str = "const maxMem int64 = 1 << (13 + 3*(^uint(0)>>63))\n";

/// Translates a module. Returns the text of a Go file of the package `package`, which Go builds under the constraint `build`.
///
/// # Errors
/// wasm2go cannot be run, or refuses the module.
pub fn translate(bytes: &[u8], package: &str, build: &str, go: &Go, is_offline: bool) -> Result<String> {
    let failed = |what: String| Diagnostic::new(ErrorCode::Toolchain, what);
    let dir = tempfile::tempdir().map_err(|error| failed(format!("a temporary folder cannot be made: {error}")))?;
    process::remove_at_interrupt(dir.path());
    let (input, output) = (dir.path().join("crate.wasm"), dir.path().join("crate.go"));
    std::fs::write(&input, bytes).map_err(|error| failed(format!("{}: {error}", input.display())))?;
    let mut command = go.program(dir.path());
    command.args(["run", &format!("{MODULE}@{VERSION}"), "-pkg", package, "-tags", build, "-o"]).arg(&output).arg(&input);
    if is_offline {
        command.env("GOPROXY", "off");
    }
    let ran = process::capture(&mut command)?.map_err(|error| failed(format!("go cannot be run: {error}")))?;
    if !ran.status.success() {
        let mut refusal = failed(format!("wasm2go {VERSION} cannot translate the crate, or cannot be run"));
        refusal.notes.extend(ran.stderr.lines().take(8).map(str::to_owned));
        return Err(refusal.hint(format!("the go command downloads it: go install {MODULE}@{VERSION} must work")).into());
    }
    let text = std::fs::read_to_string(&output).map_err(|error| failed(format!("{}: {error}", output.display())))?;
    let header = format!("// {}\n//\n// Translated from WebAssembly by {MODULE} {VERSION}.\n\n", gosrc::generated_line("rustgo build"));
    let text = renamed(&text);
    let (before, after) = text.split_once(MAX_MEMORY).ok_or_else(|| failed(format!("wasm2go {VERSION} writes no line {MAX_MEMORY:?}")))?;
    Ok(format!("{header}{before}{LESS_MEMORY}{after}"))
}

/// Fails if the go command cannot get wasm2go. Compiling for WebAssembly takes minutes, so this check comes first.
pub fn require_wasm2go(go: &Go, is_offline: bool) -> Result<()> {
    match obtainable(go, &std::env::temp_dir(), is_offline)? {
        Ok(_) => Ok(()),
        Err(why) => Err(Diagnostic::new(
            ErrorCode::Toolchain,
            format!("fallback = \"wasm\" needs wasm2go {VERSION}, which the go command cannot get"),
        )
        .note(why)
        .hint(format!("go install {MODULE}@{VERSION} must work: it needs a module proxy, or the module in Go's module cache"))
        .into()),
    }
}

/// Checks that the go command has wasm2go's module or can download it. Returns the module's version, or the reason why the go command cannot get it.
pub fn obtainable(go: &Go, dir: &Path, is_offline: bool) -> Result<std::result::Result<String, String>> {
    let query = |proxy: Option<&str>| {
        let mut command = go.program(dir);
        command.args(["list", "-m", "-f", "{{.Version}}", &format!("{MODULE}@{VERSION}")]).envs(proxy.map(|proxy| ("GOPROXY", proxy)));
        process::capture(&mut command)
    };
    let said = |ran: std::io::Result<process::Output>, text: &str| match ran {
        Ok(output) if output.status.success() => Ok(format!("{VERSION}{text}")),
        Ok(output) => Err(output.stderr.lines().last().unwrap_or("the go command fails").to_owned()),
        Err(error) => Err(format!("go cannot be run: {error}")),
    };
    match said(query(Some("off"))?, "") {
        Err(_) if !is_offline => Ok(said(query(None)?, ", which the go command can download")),
        cached => Ok(cached),
    }
}

/// Renames wasm2go's function `p64` in the file, because in functions with many variables wasm2go also declares a local variable `p64`. Only the
/// function's name is followed by a parenthesis, because the code calls no variable. String literals are the crate's data and stay as they are.
fn renamed(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 16);
    for line in text.split_inclusive('\n') {
        let mut rest = line;
        while let Some(start) = rest.find('"') {
            let end = literal_end(rest.as_bytes(), start);
            rename(&rest[..start], &mut out);
            out.push_str(&rest[start..end]);
            rest = &rest[end..];
        }
        rename(rest, &mut out);
    }
    out
}

/// Returns the end of the string literal that begins at `start`. A literal ends in its line.
fn literal_end(line: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < line.len() && line[at] != b'"' {
        at += if line[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(line.len())
}

/// Appends `code`, which contains no string literal, with the function's new name.
fn rename(code: &str, out: &mut String) {
    let mut last = 0;
    for (at, found) in code.match_indices("p64(") {
        if !code[..at].ends_with(gosrc::in_identifier) {
            out.push_str(&code[last..at]);
            out.push_str("address64(");
            last = at + found.len();
        }
    }
    out.push_str(&code[last..]);
}

#[cfg(test)]
mod tests {
    #[test]
    fn only_the_function_is_renamed() {
        assert_eq!(
            super::renamed("func p64(x int64) {}\np64 := mem[p64(p64)+8] + m.p64x(p64) + xp64(1)"),
            "func address64(x int64) {}\np64 := mem[address64(p64)+8] + m.p64x(p64) + xp64(1)"
        );
        let data = "const data0 = \"p64(\\\"p64(\\\\\"\nconst data1 = \"\" + p64(\"p64(\")\n";
        assert_eq!(super::renamed(data), data.replace("+ p64(", "+ address64("));
    }
}
