//! Tests architecture rules on the source text: which modules may import which, print, write files and start programs; how long files may be; and
//! that every panic of the tool states why it cannot happen.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

crate::tests!(
    each_library_is_used_in_its_own_modules,
    modules_of_one_machine_do_not_name_the_other,
    only_lib_calls_stages,
    stages_import_only_earlier_stages,
    imports_have_no_cycles,
    imports_of_other_crates_have_no_cycles,
    go_packages_import_only_lower_layers,
    stages_do_not_name_the_machines,
    few_modules_print_write_or_start_programs,
    files_stay_short,
    panics_state_why_they_cannot_happen,
    library_exports_only_used_items,
    every_error_code_is_documented,
    paths_in_documents_exist,
    no_merge_conflict_marks_remain,
);

/// A source file of the tool, with unit tests and comments removed.
struct Source {
    /// The path relative to `src`, for example `arch/x86_64/lower.rs`.
    name: String,
    /// The first folder of the path, or the file's own name: `arch`, `write`.
    module: String,
    /// The lines without comments and string contents.
    lines: Vec<String>,
    /// The lines of the file, unchanged.
    written: Vec<String>,
    /// The number of lines, unit tests included.
    length: usize,
}

/// The source files of the tool.
fn sources() -> Vec<Source> {
    let sources = sources_in(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    assert!(sources.len() > 40, "the sources are gone");
    sources
}

/// The source files of the crate in this folder.
fn sources_in(root: &Path) -> Vec<Source> {
    let mut folders = vec![root.to_owned()];
    let mut sources = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("the sources can be read").flatten() {
            let path = entry.path();
            if path.is_dir() {
                // Skip folders called `tests`.
                folders.extend((!path.ends_with("tests")).then_some(path));
            } else if path.extension().is_some_and(|extension| extension == "rs") && !path.ends_with("tests.rs") {
                sources.push(source(root, &path));
            }
        }
    }
    sources.sort_by(|a, b| a.name.cmp(&b.name));
    sources
}

fn source(root: &Path, path: &Path) -> Source {
    let text = std::fs::read_to_string(path).expect("a source is text");
    let relative: PathBuf = path.strip_prefix(root).expect("it lies in src").to_owned();
    let name = relative.to_string_lossy().replace('\\', "/");
    let module = name.split('/').next().unwrap_or_default().trim_end_matches(".rs").to_owned();
    // Unit tests are at the end of a file.
    let end = text.find("#[cfg(test)]\nmod tests {").unwrap_or(text.len());
    let written: Vec<String> = text[..end].lines().map(str::to_owned).collect();
    Source { name, module, lines: written.iter().map(|line| code(line)).collect(), written, length: text.lines().count() }
}

/// The line without its comment and string contents. (Strings that span several lines do not matter for these rules.)
fn code(line: &str) -> String {
    let mut out = String::new();
    let mut in_string = false;
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' if in_string => drop(chars.next()),
            '"' => {
                in_string = !in_string;
                out.push(c);
            }
            '/' if !in_string && chars.peek() == Some(&'/') => break,
            c if !in_string => out.push(c),
            _ => {}
        }
    }
    out
}

/// Lists every line that contains one of `patterns` in a file whose module or name is not in `allowed`. Also lists each pattern that matches nothing
/// in the allowed places, and each allowed place without a match: such an entry tests nothing.
fn found(patterns: &[&str], allowed: &[&str]) -> String {
    let mut wrong = String::new();
    let (mut used, mut needed) = (BTreeSet::new(), BTreeSet::new());
    for source in sources() {
        let place = allowed.iter().find(|place| source.module == **place || source.name.starts_with(**place));
        for (number, line) in source.lines.iter().enumerate() {
            for pattern in patterns.iter().filter(|pattern| line.contains(**pattern)) {
                match place {
                    Some(place) => {
                        used.insert(*pattern);
                        needed.insert(*place);
                    }
                    None => writeln!(wrong, "src/{}:{}: {}", source.name, number + 1, line.trim()).expect("a string takes everything"),
                }
            }
        }
    }
    for pattern in patterns.iter().filter(|pattern| !used.contains(*pattern)) {
        writeln!(wrong, "{pattern} is nowhere in {allowed:?}: does it still match?").expect("a string takes everything");
    }
    for place in allowed.iter().filter(|place| !needed.contains(*place)) {
        writeln!(wrong, "{place} has none of {patterns:?}: it needs no exception").expect("a string takes everything");
    }
    wrong
}

/// Lists every line that contains one of the patterns, because no file may contain them. Each pattern comes with an example that it must match.
fn found_anywhere(patterns: &[(&str, &str)]) -> String {
    let mut wrong = String::new();
    for (pattern, example) in patterns {
        assert!(code(example).contains(pattern), "{pattern} does not match {example}");
        for source in sources() {
            for (number, line) in source.lines.iter().enumerate().filter(|(_, line)| line.contains(pattern)) {
                writeln!(wrong, "src/{}:{}: {}", source.name, number + 1, line.trim()).expect("a string takes everything");
            }
        }
    }
    wrong
}

fn none(rule: &str, wrong: &str) {
    assert!(wrong.is_empty(), "{rule}:\n{wrong}");
}

fn each_library_is_used_in_its_own_modules() {
    // Lines that do not begin with a source file say that the pattern or the exception matches nothing.
    let found_objects = found(&["object::"], &["load"]);
    let object: String = found_objects.lines().filter(|line| is_library(line) || !line.starts_with("src/")).collect();
    none("object files are understood in load alone", &object);
    none("machine code is understood in arch alone", &found(&["iced_x86"], &["arch/x86_64"]));
    none("machine code is understood in arch alone", &found(&["yaxpeax_"], &["arch/aarch64"]));
    none("debug information is read in load alone", &found(&["gimli::"], &["load"]));
    none("clap's types end in args", &found(&["clap::"], &["args"]));
    none("cargo is understood in manifest and compile alone", &found(&["cargo_metadata"], &["manifest", "compile"]));
    none("symbols are demangled in load alone", &found(&["rustc_demangle"], &["load"]));
    none("interrupts are caught in process alone", &found(&["ctrlc::"], &["process"]));
}

/// True if the line refers to the library `object`, and not to a module `crate::object` of the tool.
fn is_library(line: &str) -> bool {
    [" object::", "(object::", "<object::", "&object::"].iter().any(|start| line.contains(start))
}

fn modules_of_one_machine_do_not_name_the_other() {
    none(
        "machines are named in arch, in backend, which lists them, and where their names are rustc's",
        &found(&["aarch64", "Aarch64"], &["arch/aarch64", "arch/mod", "backend", "load"]),
    );
    for source in sources().iter().filter(|source| source.name.starts_with("arch/x86_64")) {
        assert!(!source.lines.iter().any(|line| line.contains("aarch64")), "src/{} looks into the other room", source.name);
    }
    for source in sources().iter().filter(|source| source.name.starts_with("arch/aarch64")) {
        assert!(!source.lines.iter().any(|line| line.contains("x86_64")), "src/{} looks into the other room", source.name);
    }
}

fn only_lib_calls_stages() {
    const STAGES: [&str; 9] = [
        "compile::compile(",
        "load::load(",
        "decode::decode(&object",
        "analyze::analyze(",
        "api::agree(",
        "lower::lower(",
        "bind::bind(",
        "verify::verify(",
        "write::write(",
    ];
    none(
        "stages are called by lib.rs and commands.rs, and by wrapping.rs for rustgo get",
        &found(&STAGES, &["lib", "commands", "wrapping"]),
    );
}

fn stages_import_only_earlier_stages() {
    const ORDER: [&str; 9] = ["compile", "load", "decode", "analyze", "api", "lower", "bind", "verify", "write"];
    let mut wrong = String::new();
    let mut earlier: BTreeSet<&str> = BTreeSet::new();
    for source in sources() {
        let Some(own) = ORDER.iter().position(|stage| *stage == source.module) else { continue };
        earlier.extend(
            ORDER[..own].iter().copied().filter(|stage| source.lines.iter().any(|line| line.contains(&format!("crate::{stage}::")))),
        );
        for later in &ORDER[own + 1..] {
            // `verify` makes the argument of the later stage `write`, so `verify` may name a type of `write`.
            if (source.module.as_str(), *later) == ("verify", "write") {
                continue;
            }
            for (number, line) in source.lines.iter().enumerate().filter(|(_, line)| line.contains(&format!("crate::{later}::"))) {
                writeln!(wrong, "src/{}:{}: {}", source.name, number + 1, line.trim()).expect("a string takes everything");
            }
        }
    }
    // The pattern must match the imports of earlier stages.
    for stage in ["load", "decode", "analyze", "api"] {
        assert!(earlier.contains(stage), "no later stage imports {stage}");
    }
    none("a stage sees the results of earlier stages only", &wrong);
}

/// The modules that each module imports by `use`. A module is a file, or a folder with its `mod.rs`, and is named by its path (`analyze/world`).
/// Imports between a module and its submodules are omitted.
fn imports(sources: &[Source]) -> BTreeMap<String, BTreeSet<String>> {
    let module = |name: &str| name.trim_end_matches(".rs").trim_end_matches("/mod").to_owned();
    let modules: BTreeSet<String> = sources.iter().map(|source| module(&source.name)).collect();
    let mut imports: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for source in sources {
        let me = module(&source.name);
        let text = source.lines.join(" ");
        let found = uses(&text).into_iter().filter_map(|path| resolve(&modules, &me, &path)).filter(|to| {
            let inside = |a: &str, b: &str| a.strip_prefix(b).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
            !inside(to, &me) && !inside(&me, to)
        });
        imports.entry(me.clone()).or_default().extend(found);
    }
    // lib.rs imports all stages, and no module imports it.
    imports.remove("lib");
    imports
}

/// The paths in the `use` declarations of a source text.
fn uses(text: &str) -> Vec<String> {
    text.split("use ").skip(1).filter_map(|rest| rest.split_once(';')).flat_map(|(path, _)| paths(path)).collect()
}

/// `a::{b, c::d}` → `a::b`, `a::c::d`.
fn paths(path: &str) -> Vec<String> {
    match path.split_once('{') {
        None => vec![path.trim().to_owned()],
        Some((before, inside)) => {
            let inside = inside.trim().trim_end_matches('}');
            inside.split(',').map(|part| format!("{}{}", before.trim(), part.trim())).collect()
        }
    }
}

/// The module to which `path` refers, if the path occurs in the module `me`; `None` if the path refers to no module of the crate.
fn resolve(modules: &BTreeSet<String>, me: &str, path: &str) -> Option<String> {
    let mut at = match path.split("::").next()? {
        "crate" => String::new(),
        "super" | "self" => me.to_owned(),
        _ => return None,
    };
    let mut found = None;
    for part in path.split("::") {
        match part {
            "crate" | "self" => {}
            "super" => at = at.rsplit_once('/').map_or(String::new(), |(parent, _)| parent.to_owned()),
            part => {
                at = if at.is_empty() { part.to_owned() } else { format!("{at}/{part}") };
                if !modules.contains(&at) {
                    break;
                }
                found = Some(at.clone());
            }
        }
    }
    found
}

/// The modules that `from` imports, directly or through other modules.
fn reached<'a>(imports: &'a BTreeMap<String, BTreeSet<String>>, from: &str) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut queue = vec![from];
    while let Some(module) = queue.pop() {
        let next = imports.get(module).into_iter().flatten().map(String::as_str);
        queue.extend(next.filter(|next| reached.insert(*next)).collect::<Vec<_>>());
    }
    reached
}

/// The modules that import themselves through other modules.
fn circular(imports: &BTreeMap<String, BTreeSet<String>>) -> Vec<String> {
    imports.keys().filter(|module| reached(imports, module).contains(module.as_str())).cloned().collect()
}

fn imports_have_no_cycles() {
    let imports = imports(&sources());
    for (from, to) in
        [("backend", "arch/x86_64"), ("analyze/bounds", "analyze/world"), ("lower/function_context", "analyze"), ("compile", "request")]
    {
        assert!(reached(&imports, from).contains(to), "the way from {from} to {to} is not found: {:?}", imports.get(from));
    }
    let circular = circular(&imports);
    assert!(circular.is_empty(), "imports go round in a circle: {circular:?}");
}

fn imports_of_other_crates_have_no_cycles() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crates are in one folder");
    let mut wrong = String::new();
    let mut count = 0;
    for entry in std::fs::read_dir(crates).expect("the crates can be listed").flatten() {
        let imports = imports(&sources_in(&entry.path().join("src")));
        count += imports.values().map(BTreeSet::len).sum::<usize>();
        let circular = circular(&imports);
        if !circular.is_empty() {
            writeln!(wrong, "{}: {circular:?}", entry.path().display()).expect("a string takes everything");
        }
    }
    assert!(count > 150, "only {count} imports were found");
    none("imports go round in a circle", &wrong);
}

/// The import paths of a Go file.
fn go_imports(text: &str) -> BTreeSet<String> {
    let mut imports = BTreeSet::new();
    let mut in_block = false;
    for line in text.lines() {
        if line.starts_with("import (") {
            in_block = true;
        } else if in_block && line.starts_with(')') {
            in_block = false;
        } else if in_block || line.starts_with("import ") {
            imports.extend(line.split('"').nth(1).map(str::to_owned));
        } else if line.starts_with("func ") {
            break;
        }
    }
    imports
}

/// The Go files in a folder and its subfolders, without tests and test data.
fn go_files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files = Vec::new();
    for path in entries.flatten().map(|entry| entry.path()) {
        let name = path.file_name().expect("it has a name").to_string_lossy().into_owned();
        if path.is_dir() && name != "testdata" && !path.join("go.mod").exists() {
            files.extend(go_files(&path));
        } else if name.ends_with(".go") && !name.ends_with("_test.go") {
            files.push(path);
        }
    }
    files
}

/// Imports lead from user code to the generated package, from there to rt, and from rt to the standard library; never in the other direction. A Go
/// module that other modules import has no dependencies.
fn go_packages_import_only_lower_layers() {
    /// Each folder, and the only import paths outside of the standard library that its packages may use.
    const ARROWS: [(&str, &[&str]); 14] = [
        ("go/rt", &["rustgo.dev/go/rt"]),
        ("go/rt/internal/hwcap", &[]),
        ("go/rt/internal/system", &[]),
        ("go/handle", &[]),
        ("go/nativetest", &[]),
        ("check", &["rustgo.dev/check"]),
        ("fastcgo", &["C", "rustgo.dev/fastcgo"]),
        ("packages", &["rustgo.dev/go/rt", "rustgo.dev/packages"]),
        ("packages/evm", &["rustgo.dev/go/rt", "rustgo.dev/packages/evm/internal"]),
        ("packages/jpeg", &["rustgo.dev/go/rt"]),
        ("packages/svg", &["rustgo.dev/go/rt"]),
        ("packages/tokenizers", &["rustgo.dev/go/rt"]),
        ("packages/xlsx", &["rustgo.dev/go/rt"]),
        ("fixtures", &["C", "rustgo.dev/go", "rustgo.dev/packages", "rustgo.dev/fixtures"]),
    ];
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut wrong = String::new();
    for (folder, below) in ARROWS {
        let mut used = BTreeSet::new();
        for file in go_files(&root.join(folder)) {
            let text = std::fs::read_to_string(&file).expect("a source is text");
            // A program that generates sources does not belong to the package.
            if text.contains("//go:build ignore") {
                continue;
            }
            for import in go_imports(&text) {
                let is_std = import != "C" && !import.split('/').next().is_some_and(|first| first.contains('.'));
                match below.iter().find(|path| import == **path || import.starts_with(&format!("{path}/"))) {
                    Some(path) => drop(used.insert(*path)),
                    None if is_std => {}
                    None => writeln!(wrong, "{}: {import}", file.display()).expect("a string takes everything"),
                }
            }
        }
        for path in below.iter().filter(|path| !used.contains(*path)) {
            writeln!(wrong, "{folder}: nothing imports {path}: the arrow is not needed").expect("a string takes everything");
        }
    }
    none("a Go package imports only what is below it", &wrong);
}

fn stages_do_not_name_the_machines() {
    none("the machines are named by backend alone", &found(&["crate::arch"], &["arch", "backend"]));
}

fn few_modules_print_write_or_start_programs() {
    none(
        "messages go through progress; a command's own output is written by start and inspect",
        &found(&["println!", "io::stdout()", "io::stderr()"], &["progress", "start", "inspect", "compile/wrapper", "process/errors"]),
    );
    none(
        "nothing prints without a line break, writes files in other ways, or waits for programs without process",
        &found_anywhere(&[
            ("print!(", "eprint!(\"text\");"),
            ("File::create", "let file = File::create(path)?;"),
            ("fs::set_permissions", "std::fs::set_permissions(path, permissions)?;"),
            (".output()", "let output = command.output()?;"),
            (".status()?", "let status = command.status()?;"),
        ]),
    );
    const WRITES: [&str; 7] = ["fs::write", "fs::rename", "fs::remove", "fs::create_dir", "fs::copy", "fs::hard_link", "OpenOptions"];
    none(
        "files are written in write, and scratch files in compile, fallback, verify, inspect and doctor; process removes scratch files; usage writes to the kernel",
        &found(&WRITES, &["write", "compile", "fallback", "verify", "inspect", "doctor", "process", "usage"]),
    );
    none(
        "programs are started by toolchain, manifest, compile and doctor",
        &found(&["Command::new"], &["toolchain", "manifest", "compile", "doctor"]),
    );
    none("programs are waited for in process, where an interrupt reaches them", &found(&[".spawn()"], &["process", "compile/wrapper"]));
    none("the process is ended by its return from main, or by an interrupt", &found(&["process::exit"], &["process"]));
}

fn files_stay_short() {
    let long: Vec<String> = sources()
        .iter()
        .filter(|source| source.length > 620)
        .map(|source| format!("src/{}: {} lines", source.name, source.length))
        .collect();
    assert!(long.is_empty(), "a file that outgrows some 600 lines becomes a folder of the same name: {long:?}");
}

fn panics_state_why_they_cannot_happen() {
    let may_panic = |line: &str| {
        [".unwrap()", "panic!(", "todo!(", "unimplemented!("].iter().any(|pattern| line.contains(pattern))
            || line.contains("unreachable!()")
    };
    for example in ["x.unwrap();", "panic!(\"x\")", "todo!()", "unimplemented!()", "unreachable!()"] {
        assert!(may_panic(&code(example)), "{example} is not found");
    }
    let mut wrong = String::new();
    for source in sources() {
        for (number, line) in source.lines.iter().enumerate() {
            let explained = number > 0 && source.written[number - 1].trim_start().starts_with("//");
            if may_panic(line) && !explained {
                writeln!(wrong, "src/{}:{}: {}", source.name, number + 1, line.trim()).expect("a string takes everything");
            }
        }
    }
    none("what cannot happen says why", &wrong);
}

/// Looks for exported items of the library that nothing uses. (rustc reports only unused items that are not exported.)
fn library_exports_only_used_items() {
    let sources = sources();
    let lines = |name: &str| &sources.iter().find(|source| source.name == name).unwrap_or_else(|| panic!("src/{name} is gone")).lines;
    let exported: Vec<&String> = lines("lib.rs").iter().filter(|line| line.starts_with("pub ")).collect();
    assert_eq!(exported, ["pub mod testing;", "pub use start::main;"], "lib.rs exports something else");

    let tests: String = texts(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/all")).concat();
    let imported: BTreeSet<String> = uses(&tests).into_iter().filter(|path| path.starts_with("rustgo_cli::testing::")).collect();
    let exported = uses(&lines("testing.rs").join(" "));
    assert!(exported.len() > 50, "only {exported:?} were found");
    let unused = exported.into_iter().filter(|path| {
        let parts: Vec<&str> = path.split("::").collect();
        let [_, first, .., name] = parts[..] else { return true };
        let (start, end) = (format!("rustgo_cli::testing::{first}::"), format!("::{name}"));
        let parent = parts[parts.len() - 2];
        !imported.iter().any(|path| path.starts_with(&start) && path.ends_with(&end))
            && ![first, parent].iter().any(|module| tests.contains(&format!("{module}::{name}")))
    });
    none("testing.rs exports what the tests use, and nothing else", &unused.collect::<Vec<_>>().join("\n"));
}

/// The contents of all files in a folder and its subfolders.
fn texts(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("the folder can be read").flatten().map(|entry| entry.path());
    entries
        .flat_map(|path| if path.is_dir() { texts(&path) } else { vec![std::fs::read_to_string(&path).expect("a source is text")] })
        .collect()
}

fn every_error_code_is_documented() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/errors.md");
    let text = std::fs::read_to_string(path).expect("docs/errors.md is there");
    let missing: Vec<&str> = rustgo_cli::testing::diag::ErrorCode::ALL
        .iter()
        .map(|code| code.as_str())
        .filter(|code| !text.contains(&format!("`{code}`")) && !text.contains(&format!("## {code}")))
        .collect();
    assert!(missing.is_empty(), "docs/errors.md does not explain {missing:?}");
}

/// True if a file with this path exists below `folder`. `*` matches any part of a name; the extension may be missing.
fn exists(folder: &Path, path: &str) -> bool {
    let (first, rest) = path.split_once('/').unwrap_or((path, ""));
    let matches = |name: &str| match first.split_once('*') {
        Some((before, behind)) => name.starts_with(before) && name.ends_with(behind),
        None => name == first || rest.is_empty() && name.strip_prefix(first).is_some_and(|ending| ending.starts_with('.')),
    };
    let Ok(entries) = std::fs::read_dir(folder) else { return false };
    let mut found = entries.flatten().filter(|entry| matches(&entry.file_name().to_string_lossy()));
    if rest.is_empty() { found.next().is_some() } else { found.any(|entry| exists(&entry.path(), rest)) }
}

fn paths_in_documents_exist() {
    /// The folders that a path in a document may be relative to.
    const FROM: [&str; 6] = ["", "crates/cli", "crates/cli/src", "crates/cli/tests", "crates/cli/tests/cases", "go"];
    /// Paths that do not exist here: paths in a user's package, and import paths of Go packages.
    const OTHERS: [&str; 5] = ["rust/src/lib.rs", "hello/", "crypto/", "os/exec", "testing/cryptotest"];
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut wrong = String::new();
    let mut count = 0;
    for document in [
        "docs/architecture.md",
        "docs/safety.md",
        "docs/assumptions.md",
        "docs/abi.md",
        "docs/testing.md",
        "docs/std.md",
        "docs/performance.md",
        "docs/go-packages.md",
        "CONTRIBUTING.md",
    ] {
        let text = std::fs::read_to_string(root.join(document)).expect("the document is there");
        for path in text.split('`').skip(1).step_by(2) {
            let is_path = path.contains('/') && path.chars().all(|c| c.is_ascii_alphanumeric() || "/._-*".contains(c));
            let named = path.split('/').any(|part| part.chars().any(|c| c.is_ascii_lowercase()));
            let (first, _) = path.split_once('/').unwrap_or_default();
            let is_ours =
                !first.contains('.') && first != "target" && !path.contains("NAME") && !OTHERS.iter().any(|o| path.starts_with(o));
            if !is_path || !named || !is_ours || first.is_empty() {
                continue;
            }
            count += 1;
            if !FROM.iter().any(|from| exists(&root.join(from), path.trim_end_matches('/'))) {
                writeln!(wrong, "{document}: {path}").expect("a string takes everything");
            }
        }
    }
    assert!(count > 50, "{count} paths were found");
    none("a path that a document names exists", &wrong);
}

fn no_merge_conflict_marks_remain() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let listed = std::process::Command::new("git").args(["ls-files", "-z"]).current_dir(&root).output();
    // Without a git history the list of files is not available. Then this test passes.
    let Some(listed) = listed.ok().filter(|output| output.status.success()) else { return };
    let marks = ["<".repeat(7) + " ", ">".repeat(7) + " "];
    let mut wrong = String::new();
    for name in String::from_utf8_lossy(&listed.stdout).split_terminator('\0') {
        let Ok(text) = std::fs::read_to_string(root.join(name)) else { continue };
        if text.lines().any(|line| marks.iter().any(|mark| line.starts_with(mark.as_str()))) {
            let _ = writeln!(wrong, "{name}");
        }
    }
    assert!(wrong.is_empty(), "these files have the marks of a merge:\n{wrong}");
}
