//! Finds out which rustc compiled the existing files, because another rustc makes other code. The header of a file, which the module `origin` makes,
//! names the rustc.

use super::Files;
use crate::diag::{Diagnostic, ErrorCode};
use std::collections::BTreeMap;
use std::path::Path;

/// Number of lines of a file that are searched for the header.
const HEADER: usize = 8;

/// Finds files in `out` that another rustc compiled. Returns, for each such rustc, a refusal with a hint what to do.
pub fn differences(out: &Path, old: &Files, new: &Files) -> Vec<Diagnostic> {
    // Compare only assembly files. An assembly file belongs to one architecture, and so to one compiler, but the Go file belongs to all
    // architectures.
    let both = |name: &str| Some((rustc(old.get(name)?)?, rustc(new.get(name)?)?));
    let machines: Vec<(&str, (&str, &str))> =
        new.keys().filter_map(|name| Some((name.strip_suffix(".s")?.strip_prefix("rustgo_")?, both(name)?))).collect();
    let mut changed: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
    for (arch, (made_by, present)) in machines.iter().filter(|(_, (made_by, present))| made_by != present) {
        changed.entry((made_by, present)).or_default().push(arch);
    }
    let refuse = |((made_by, present), arches): ((&str, &str), Vec<&str>)| {
        let all = arches.len() == machines.len();
        let files = if all { "files".to_owned() } else { format!("files for {}", arches.join(" and ")) };
        Diagnostic::new(ErrorCode::Stale, format!("the {files} in {} were made by {made_by}, and this is {present}", out.display()))
            .note("another rustc makes other code; only the same one shows whether the source gives these files")
            .hint(way_out(made_by, if all { &[] } else { &arches }))
    };
    changed.into_iter().map(refuse).collect()
}

/// Returns a hint that names two ways: to use the rustc that compiled the files, or to generate the files again with the current rustc.
fn way_out(made_by: &str, arches: &[&str]) -> String {
    let present = "run rustgo build with the present one and commit what it writes";
    let version = made_by.split(' ').nth(1).filter(|version| version.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.'));
    // rustup does not know a nightly or beta toolchain by its version.
    let Some(version) = version else { return format!("name with --toolchain a toolchain that has it; or {present}") };
    let options: Vec<String> = match arches {
        [] => vec![format!("--toolchain {version}")],
        arches => arches.iter().map(|arch| format!("--toolchain {arch}={version}")).collect(),
    };
    format!("rustup toolchain install {version}, and add {}; or {present}", options.join(" "))
}

/// Returns the compiler's version from the header: `rustc 1.95.0 (59807616e 2026-04-14)` in the line `// rustgo 0.1.0, rustc 1.95.0 (59807616e
/// 2026-04-14), x86-64`.
fn rustc(file: &[u8]) -> Option<&str> {
    let line = |line| std::str::from_utf8(line).ok()?.strip_prefix("// rustgo ")?.split_once(", ")?.1.rsplit_once(", ");
    let (rustc, _) = file.split(|byte| *byte == b'\n').take(HEADER).find_map(line)?;
    rustc.starts_with("rustc ").then_some(rustc)
}
