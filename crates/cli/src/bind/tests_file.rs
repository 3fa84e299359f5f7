//! Makes the Go test of `--with-tests`, which compares calls of the package with calls of the same exports in a native program.

use super::locals::unused;
use crate::api::{Function, Package, Param, Role};
use crate::diag::{Diagnostic, ErrorCode, Result};
use crate::gosrc;
use crate::target::Arch;
use std::collections::BTreeSet;

/// The name of the test file. No part of the name is a build constraint for Go.
pub const TESTS_FILE: &str = "rustgo_native_test.go";

/// The parts of the test file that the exports do not determine.
#[derive(Clone, Debug, Default)]
pub struct TestOptions {
    pub package: String,
    pub arches: Vec<Arch>,
    /// The import path of the package `nativetest`.
    pub nativetest: String,
    /// The crate's folder relative to the package. Empty if it is unknown.
    pub krate: String,
    /// The options of rustgo that choose the crate's features for the native program.
    pub features: Vec<String>,
    /// The names of exports that the test leaves out.
    pub skip: Vec<String>,
    /// The names of exports that may get random keys for HashMaps of Rust's std. Then the order of such a map differs from program to program.
    pub random_keys: Vec<String>,
}

/// Makes the text of the test file.
///
/// # Errors
/// [`ErrorCode::Request`] if an export to leave out does not exist.
pub fn tests_file(package: &Package, options: &TestOptions) -> Result<String> {
    let exports = exports(package);
    let unknown: Vec<&str> =
        options.skip.iter().map(String::as_str).filter(|name| !exports.iter().any(|(known, _)| known == name)).collect();
    if !unknown.is_empty() {
        return Err(Diagnostic::new(
            ErrorCode::Request,
            format!("with-tests-skip names what the crate does not export: {}", unknown.join(", ")),
        )
        .hint("write the names as Go has them: \"Sum\", \"Queue.Push\"")
        .into());
    }
    let arches: BTreeSet<&str> = options.arches.iter().map(|arch| arch.goarch()).collect();
    let arches: Vec<&str> = arches.into_iter().collect();
    let (krate, skip) = (&options.krate, list(&options.skip));
    let command: Vec<String> = ["--crate".to_owned(), krate.clone()].into_iter().chain(options.features.iter().cloned()).collect();
    let constants: Vec<(String, String)> =
        package.constants.iter().map(|constant| (constant.go_name.clone(), constant.go_name.clone())).collect();
    let expressions: Vec<&str> = exports.iter().chain(&constants).map(|(_, expression)| expression.as_str()).collect();
    let [t, testing] = ["t", "testing"].map(|name| unused(name, &expressions.join(" ")));
    let import = if testing == "testing" { String::new() } else { format!("{testing} ") };
    let mut lines = vec![format!("// {}", gosrc::generated_line("rustgo build --with-tests")), String::new()];
    if !arches.is_empty() {
        lines.extend([format!("//go:build {}", arches.join(" || ")), String::new()]);
    }
    lines.extend([
        format!("package {}", options.package),
        String::new(),
        "import (".into(),
        format!("\t{import}\"testing\""),
        String::new(),
        format!("\trustgo_nativetest {:?}", options.nativetest),
        ")".into(),
        String::new(),
        "// TestRustgoNative compares the package with the same Rust code run natively. Package nativetest documents how, and the test's flags.".into(),
        format!("func TestRustgoNative({t} *{testing}.T) {{"),
        format!("\trustgo_nativetest.Run({t}, rustgo_nativetest.Package{{"),
    ]);
    let mut fields: Vec<(&str, String)> = Vec::new();
    if !krate.is_empty() {
        fields.push(("Command", list(&command)));
        fields.push(("Crate", format!("{krate:?}")));
    }
    if !options.skip.is_empty() {
        fields.push(("Skip", skip));
    }
    if !options.random_keys.is_empty() {
        fields.push(("RandomKeys", list(&options.random_keys)));
    }
    // gofmt aligns the values of adjacent fields, except a field whose value has several lines.
    let widest = fields.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    lines.extend(fields.iter().map(|(name, value)| format!("\t\t{name}:{} {value},", " ".repeat(widest - name.len()))));
    lines.extend(table("Exports", &exports));
    lines.extend(table("Constants", &constants));
    lines.extend(["\t})".into(), "}".into()]);
    Ok(lines.join("\n") + "\n")
}

/// Lists the functions that Go code calls: their names, and Go expressions for them. Functions that call Go are left out, because the native program
/// has no Go.
fn exports(package: &Package) -> Vec<(String, String)> {
    let called = package.functions.values().filter(|function| function.role.is_called() && !function.is_routine && !function.calls_go());
    let closed = package.types.iter().filter(|declared| has_close(&declared.ty)).map(|declared| &declared.decl.go_name);
    let mut exports: Vec<(String, String)> = called.map(|function| (function.shown(), expression(function))).collect();
    exports.extend(closed.map(|name| (format!("{name}.Close"), format!("(*{name}).Close"))));
    exports.sort();
    exports.dedup();
    exports
}

fn has_close(ty: &rustgo_schema::Type) -> bool {
    matches!(ty, rustgo_schema::Type::Object { flags, .. } if flags & rustgo_schema::object::CLOSE != 0)
}

/// The largest size in bytes of arguments and results of a function that the test uses as a value. If code uses an assembly function as a value, Go
/// generates a wrapper that copies all arguments. The linker refuses calls of a large wrapper, because the wrapper has no stack check. So the test
/// calls a larger function from a function literal.
const LARGE: u32 = 256;

/// Returns a Go expression of function type for the exported function. For a method, the first parameter is the receiver.
fn expression(function: &Function) -> String {
    let receiver = function.params.first().filter(|_| function.role == Role::Method);
    // A function literal names the types of its parameters. The test does not import the packages of such types.
    let is_imported = |param: &Param| param.go.ty.contains('.');
    if !function.is_wrapped() && function.size > LARGE && !function.params.iter().chain(&function.results).any(is_imported) {
        let names: Vec<String> = (0..function.params.len()).map(|index| format!("arg{index}")).collect();
        let typed = |name: &str, param: &Param| gosrc::Param { name: name.into(), ty: param.go.ty.clone() };
        let literal = gosrc::Func {
            params: names.iter().zip(&function.params).map(|(name, param)| typed(name, param)).collect(),
            results: function.results.iter().map(|result| typed("", result)).collect(),
            ..gosrc::Func::default()
        };
        let (callee, names) = match receiver {
            Some(_) => (format!("{}.{}", names[0], function.name), &names[1..]),
            None => (function.name.clone(), names.as_slice()),
        };
        let returns = if function.results.is_empty() { "" } else { "return " };
        return format!("func{} {{ {returns}{callee}({}) }}", literal.signature(), names.join(", "));
    }
    match receiver {
        Some(receiver) if receiver.go.ty.starts_with('*') => format!("({}).{}", receiver.go.ty, function.name),
        Some(receiver) => format!("{}.{}", receiver.go.ty, function.name),
        None => function.name.clone(),
    }
}

fn table(name: &str, entries: &[(String, String)]) -> Vec<String> {
    if entries.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![format!("\t\t{name}: map[string]any{{")];
    // gofmt aligns the values of consecutive lines unless the lengths of their keys differ much.
    let groups = aligned(entries);
    for group in groups {
        let widest = group.iter().map(|(key, _)| key.len()).max().unwrap_or(0);
        lines.extend(group.iter().map(|(key, value)| format!("\t\t\t{key:?}:{} {value},", " ".repeat(widest - key.len()))));
    }
    lines.push("\t\t},".into());
    lines
}

/// Splits the entries into groups. gofmt aligns the values within a group. A new group begins if the size of a key differs too much from the
/// geometric mean of the sizes before it (go/printer, `exprList`).
fn aligned(entries: &[(String, String)]) -> Vec<&[(String, String)]> {
    const SMALL: usize = 40;
    let (mut groups, mut start) = (Vec::new(), 0);
    let (mut previous, mut logarithms, mut count) = (0, 0.0, 0);
    for (index, (key, value)) in entries.iter().enumerate() {
        // The size of a key includes its quotes. The size counts only if key and value fit on a line.
        let size = key.len() + 2;
        let whole = size + value.len() + 2 <= 100;
        let size = if whole { size } else { 0 };
        if previous > 0 && size > 0 && !(previous <= SMALL && size <= SMALL) {
            let ratio = size as f64 / (logarithms / f64::from(count)).exp();
            if 2.5 * ratio <= 1.0 || 2.5 <= ratio {
                groups.push(&entries[start..index]);
                (start, logarithms, count) = (index, 0.0, 0);
            }
        }
        if size > 0 {
            logarithms += (size as f64).ln();
            count += 1;
        }
        previous = size;
    }
    groups.push(&entries[start..]);
    groups
}

fn list(items: &[String]) -> String {
    let items: Vec<String> = items.iter().map(|item| format!("{item:?}")).collect();
    format!("[]string{{{}}}", items.join(", "))
}
