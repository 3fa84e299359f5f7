//! Tests `rustgo audit` and `rustgo verify`, the marker (the text in a program that names its crates), and the provenance (the file that states how a
//! package was made).

use crate::common::{read, root, scratch, target, write};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, MutexGuard, PoisonError};

crate::tests!(
    programs_name_their_crates,
    advisories_are_matched,
    exports_that_call_affected_functions_are_named,
    audits_refuse_what_is_not_understood,
    bills_name_all_crates,
    published_modules_are_rebuilt,
    files_beside_generated_ones_are_found,
    modules_choose_no_tools_and_hide_no_packages,
    crates_that_cargo_does_not_link_are_listed,
);

fn rustgo(args: &[&str], dir: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rustgo"));
    command.args(args).args(["--color", "never"]).current_dir(dir).env("CARGO_TARGET_DIR", target(1));
    command.env("RUSTUP_TOOLCHAIN", std::env::var("RUSTUP_TOOLCHAIN").unwrap_or_else(|_| "stable".into()));
    command.output().expect("the tool runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs rustgo; returns the exit code, stdout and stderr.
fn said(args: &[&str], dir: &Path) -> (i32, String, String) {
    let output = rustgo(args, dir);
    (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
}

fn go(dir: &Path, args: &[&str], set: &[(&str, &str)]) -> String {
    let mut command = Command::new("go");
    command.args(args).current_dir(dir).env("GOFLAGS", "").env("GOWORK", "off").env("CGO_ENABLED", "0");
    let output = command.envs(set.iter().copied()).output().expect("go runs");
    assert!(output.status.success(), "{args:?} {set:?}: {}{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}

fn empty(name: &str) -> PathBuf {
    let dir = scratch(name);
    std::fs::remove_dir_all(&dir).expect("the folder can be removed");
    std::fs::create_dir_all(&dir).expect("the folder can be made");
    dir
}

/// Makes a Go module with a program that uses `packages/xxh3`.
fn program(name: &str, main: &str) -> PathBuf {
    let dir = empty(name);
    let root = root();
    let replace = |module: &str, folder: &str| format!("replace rustgo.dev/{module} => {}\n", root.join(folder).display());
    write(
        &dir.join("go.mod"),
        &format!(
            "module program\n\ngo 1.24\n\nrequire (\n\trustgo.dev/go v0.1.0\n\trustgo.dev/packages v0.1.0\n)\n\n{}{}",
            replace("go", "go"),
            replace("packages", "packages")
        ),
    );
    write(&dir.join("main.go"), main);
    dir
}

const ONE_EXPORT: &str = "package main\n\nimport \"rustgo.dev/packages/xxh3\"\n\nfunc main() { println(xxh3.New().BlockSize()) }\n";

/// A program contains the marker of a package if and only if it can reach an export of the package. The linker options do not matter.
fn programs_name_their_crates() {
    let dir = program("trust_program", ONE_EXPORT);
    let linked = "// linked: ";
    let header = read(&root().join("packages/xxh3/rustgo.go"));
    let linked: BTreeSet<String> = header
        .lines()
        .find_map(|line| line.strip_prefix(linked))
        .expect("the header names the crates")
        .split(", ")
        .map(|krate| krate.split(" (").next().unwrap_or_default().to_owned())
        .collect();
    for (goos, goarch, flags, expected) in [
        ("linux", "amd64", &["-ldflags=-s -w"][..], "amd64"),
        ("linux", "amd64", &["-ldflags=-s -w", "-buildmode=pie", "-trimpath"], "amd64"),
        ("linux", "arm64", &["-ldflags=-s -w", "-buildmode=pie"], "arm64"),
        ("windows", "amd64", &["-ldflags=-s -w"], "amd64"),
        ("darwin", "arm64", &["-ldflags=-s -w"], "arm64"),
        ("linux", "386", &["-ldflags=-s -w"], "other"),
        ("wasip1", "wasm", &["-ldflags=-s -w"], "other"),
    ] {
        let args = [&["build", "-o", "program"], flags, &["."]].concat();
        go(&dir, &args, &[("GOOS", goos), ("GOARCH", goarch)]);
        let (code, stdout, stderr) = said(&["audit", "program", "--message-format", "json"], &dir);
        assert_eq!(code, 0, "{goos}/{goarch}: {stderr}");
        let lines: Vec<serde_json::Value> = stdout.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect();
        let own = lines.iter().find(|line| line["package"] == "xxh3").unwrap_or_else(|| panic!("{goos}/{goarch}: {stdout}"));
        assert_eq!(own["rustc"][0]["arch"], expected, "{goos}/{goarch}");
        let found: BTreeSet<String> = own["crates"]
            .as_array()
            .expect("crates are a list")
            .iter()
            .map(|krate| format!("{} {}", krate["name"].as_str().unwrap_or_default(), krate["version"].as_str().unwrap_or_default()))
            .collect();
        if expected == "other" {
            assert!(found.contains("twox-hash 2.1.5"), "{found:?}");
        } else {
            assert_eq!(found, linked, "{goos}/{goarch}");
        }
        let sources: Vec<&str> = own["crates"].as_array().into_iter().flatten().filter_map(|krate| krate["source"].as_str()).collect();
        assert!(sources.contains(&"path") && sources.contains(&"crates.io"), "{sources:?}");
    }
    let unused = "package main\n\nimport _ \"rustgo.dev/packages/xxh3\"\n\nfunc main() {}\n";
    write(&dir.join("main.go"), unused);
    go(&dir, &["build", "-o", "program", "."], &[("GOOS", "linux"), ("GOARCH", "amd64")]);
    let bytes = std::fs::read(dir.join("program")).expect("the program is there");
    let marker = b"\nrustgo-package/1 name=xxh3 ";
    assert!(!bytes.windows(marker.len()).any(|window| window == marker), "the linker keeps a marker that nothing reaches");
}

/// A package without code, for audits.
fn package(dir: &Path, crates: &str) {
    write(
        &dir.join("rustgo.go"),
        &format!(
            "// Code generated by rustgo build; DO NOT EDIT.\n//\n// rustgo 0.1.0, rustc 1.95.0 (598 2026-04-14), x86-64\n\
             // mine sha256:aa\n// linked: {crates}\n\npackage mine\n"
        ),
    );
}

fn advisory(id: &str, krate: &str, more: &str, versions: &str, title: &str) -> String {
    format!(
        "```toml\n[advisory]\nid = \"{id}\"\npackage = \"{krate}\"\ndate = \"2024-05-06\"\nurl = \"https://example.com/{id}\"\n{more}\n\
         [versions]\n{versions}\n```\n\n# {title}\n\nText.\n"
    )
}

fn database(dir: &Path) {
    let file = |krate: &str, id: &str| dir.join(format!("crates/{krate}/{id}.md"));
    let functions = "[affected]\nfunctions = { \"victim::parse\" = [\"< 1.2.0\"] }";
    write(
        &file("victim", "RUSTSEC-2024-0001"),
        &advisory("RUSTSEC-2024-0001", "victim", functions, "patched = [\">= 1.2.0\"]", "parse reads too far"),
    );
    let old = "informational = \"unmaintained\"";
    write(&file("old", "RUSTSEC-2024-0002"), &advisory("RUSTSEC-2024-0002", "old", old, "patched = []", "old is unmaintained"));
    let gone = "withdrawn = \"2024-06-07\"";
    write(&file("victim", "RUSTSEC-2024-0003"), &advisory("RUSTSEC-2024-0003", "victim", gone, "patched = []", "not so"));
    write(&dir.join("rust/std/CVE-2024-1.md"), &advisory("CVE-2024-1", "std", "", "patched = [\">= 1.95.1\"]", "std forgets"));
    write(&dir.join("README.md"), "# Advisories\n");
}

/// The lines of an audit about the advisories, up to the database's age.
fn findings(stdout: &str) -> &str {
    let start = ["vulnerability:", "warning "].iter().filter_map(|head| stdout.find(head)).min().unwrap_or(stdout.len());
    stdout[start..].split("database:").next().unwrap_or_default().trim_end()
}

fn advisories_are_matched() {
    let dir = empty("trust_advisories");
    database(&dir.join("db"));
    package(&dir.join("one"), "mine 0.1.0, old 3.0.0, victim 1.1.9");
    package(&dir.join("two"), "mine 0.1.0, victim 1.2.0");

    let (code, stdout, stderr) = said(&["audit", "one", "--db", "db"], &dir);
    assert_eq!((code, stderr.as_str()), (1, ""), "{stdout}");
    let head = "one: rustgo 0.1.0\n  rustc 1.95.0 (598 2026-04-14)\n  mine 0.1.0    unknown  unknown\n";
    assert!(stdout.starts_with(head), "{stdout}");
    assert_eq!(
        findings(&stdout),
        "vulnerability: CVE-2024-1: std forgets\n  crate: std of rustc 1.95.0\n  in: one\n  patched: >=1.95.1\n  date: 2024-05-06\n  \
         url: https://example.com/CVE-2024-1\n\n\
         vulnerability: RUSTSEC-2024-0001: parse reads too far\n  crate: victim 1.1.9\n  in: one\n  patched: >=1.2.0\n  \
         affected functions: victim::parse\n  reached by the package's exports: not known\n  date: 2024-05-06\n  \
         url: https://example.com/RUSTSEC-2024-0001\n\n\
         warning (unmaintained): RUSTSEC-2024-0002: old is unmaintained\n  crate: old 3.0.0\n  in: one\n  patched: no version\n  \
         date: 2024-05-06\n  url: https://example.com/RUSTSEC-2024-0002"
    );
    let end = stdout.split("database: ").nth(1).unwrap_or_default();
    let age = "3 advisories in force in db, the newest of 2024-05-06; its newest file was written on 20";
    assert!(end.starts_with(age), "{end}");
    assert!(end.ends_with("\n3 crates in 1 package: 2 vulnerabilities, 1 warning\n"), "{end}");

    std::fs::remove_dir_all(dir.join("db/rust")).expect("the folder can be removed");
    let (code, stdout, _) = said(&["audit", "two", "--db", "db"], &dir);
    assert!(code == 0 && stdout.ends_with("2 crates in 1 package: 0 vulnerabilities, 0 warnings\n"), "{stdout}");
    package(&dir.join("three"), "mine 0.1.0, old 3.0.0");
    let (code, stdout, _) = said(&["audit", "three", "--db", "db", "--message-format", "json"], &dir);
    assert!(code == 0 && stdout.contains(r#""severity":"warning","id":"RUSTSEC-2024-0002""#), "{stdout}");
    assert!(stdout.contains(r#""severity":"summary","packages":1,"vulnerabilities":0,"warnings":1,"#), "{stdout}");
    let (code, stdout, _) = said(&["audit", "one"], &dir);
    assert!(code == 0 && stdout.ends_with("git clone --depth 1 https://github.com/RustSec/advisory-db\n"), "{stdout}");

    // The audit covers all packages below the folder, and reads the second format of databases: OSV.
    let osv = r#"{"id":"RUSTSEC-2024-0009","summary":"victim spins","published":"2024-07-08T00:00:00Z","affected":[{"package":
        {"ecosystem":"crates.io","name":"victim"},"ranges":[{"type":"SEMVER","events":[{"introduced":"1.2.0"},{"fixed":"1.3.0"}]}]}]}"#;
    write(&dir.join("osv/RUSTSEC-2024-0009.json"), osv);
    let (code, stdout, _) = said(&["audit", "--db", "osv"], &dir);
    assert_eq!(code, 1, "{stdout}");
    assert!(findings(&stdout).contains("crate: victim 1.2.0\n  in: two\n  patched: >=1.3.0\n"), "{stdout}");
}

/// A crate with a dependency in a folder: an advisory names two functions of the dependency, and one export calls one of them.
fn exports_that_call_affected_functions_are_named() {
    let dir = empty("trust_reached");
    database(&dir.join("db"));
    std::fs::remove_dir_all(dir.join("db/rust")).expect("the folder can be removed");
    let functions = "[affected]\nfunctions = { \"victim::Text::parse\" = [\"< 1.2.0\"], \"victim::spare\" = [\"< 1.2.0\"] }";
    let text = advisory("RUSTSEC-2024-0001", "victim", functions, "patched = [\">= 1.2.0\"]", "parse reads too far");
    write(&dir.join("db/crates/victim/RUSTSEC-2024-0001.md"), &text);
    let manifest = |name: &str, version: &str, more: &str| {
        format!("[package]\nname = \"{name}\"\nversion = \"{version}\"\nedition = \"2024\"\n\n[workspace]\n\n{more}")
    };
    write(&dir.join("victim/Cargo.toml"), &manifest("victim", "1.1.9", ""));
    write(
        &dir.join("victim/src/lib.rs"),
        "#![no_std]\npub use text::Text;\nmod text {\npub struct Text<T>(pub T);\nimpl<T: AsRef<[u8]>> Text<T> {\n    #[inline(never)]\n    pub fn parse(&self) -> u64 {\n        \
         self.0.as_ref().iter().fold(7, |sum, &byte| sum * 31 + u64::from(byte))\n    }\n}\n}\n#[inline(never)]\npub fn spare(x: u64) -> u64 {\n    x.rotate_left(9) * 3\n}\n",
    );
    let support = root().join("crates/support");
    let dependencies = format!("[dependencies]\nvictim = {{ path = \"../victim\" }}\nrustgo-support = {{ path = {support:?} }}\n");
    write(&dir.join("rust/Cargo.toml"), &manifest("mine", "0.1.0", &dependencies));
    write(&dir.join("rust/Cargo.lock"), &read(&root().join("Cargo.lock")));
    write(
        &dir.join("rust/src/lib.rs"),
        "//! Package mine parses.\n#![no_std]\n/// Parse parses.\n#[rustgo::export]\npub fn parse(text: &[u8]) -> u64 {\n    victim::Text(text).parse()\n}\n\
         /// Twice doubles.\n#[rustgo::export]\npub fn twice(x: u64) -> u64 {\n    x.wrapping_mul(2)\n}\n",
    );
    write(&dir.join("go.mod"), "module example.com/mine\n\ngo 1.24\n");
    let built = said(
        &["build", "--crate", "rust", "--out", "one", "--runtime", "internal/rustgo", "--arch", "amd64", "--offline", "--quiet"],
        &dir,
    );
    assert_eq!(built.0, 0, "{}", built.2);
    // This package is not built from the sources of the crate, so the audit cannot know which functions its exports reach.
    package(&dir.join("two"), "mine 0.1.0, victim 1.1.9");
    let (code, stdout, stderr) = said(&["audit", "two", "--crate", "rust", "--db", "db", "--offline", "--quiet"], &dir);
    assert_eq!(code, 1, "{stdout}{stderr}");
    assert!(stdout.contains("  reached by the package's exports: not known\n"), "{stdout}");
    let (code, stdout, stderr) = said(&["audit", "one", "--crate", "rust", "--db", "db", "--offline", "--quiet"], &dir);
    assert_eq!(code, 1, "{stdout}{stderr}");
    let part = "  affected functions: victim::Text::parse, victim::spare\n  reached: victim::Text::parse by Parse\n  date: ";
    assert!(stdout.contains(part), "{stdout}");
    let only = text.replace("\"victim::Text::parse\" = [\"< 1.2.0\"], ", "");
    write(&dir.join("db/crates/victim/RUSTSEC-2024-0001.md"), &only);
    let (code, stdout, stderr) = said(&["audit", "one", "--crate", "rust", "--db", "db", "--offline", "--quiet"], &dir);
    assert_eq!(code, 1, "{stdout}{stderr}");
    let part = "  reached by the package's exports: no call was found on amd64; the compiler may have inlined one, or the crate names it otherwise\n";
    assert!(stdout.contains(part), "{stdout}");
}

fn audits_refuse_what_is_not_understood() {
    let dir = empty("trust_refused");
    let refused = |args: &[&str]| {
        let (code, stdout, stderr) = said(&[&["audit"], args].concat(), &dir);
        assert_eq!((code, stdout.as_str()), (1, ""), "{args:?}: {stderr}");
        let shown = dir.canonicalize().unwrap_or_else(|_| dir.clone());
        stderr.replace(&shown.display().to_string(), "DIR")
    };
    assert_eq!(
        refused(&["nothing"]),
        "rustgo: error: nothing is neither a folder nor a program nor MODULE@VERSION\n  \
         hint: name a Go module's folder, a package's folder, a Go program, or a module such as rustgo.dev/packages@v0.1.0\n"
    );
    assert_eq!(
        refused(&["."]),
        "rustgo: error: DIR contains and imports no package made by rustgo\n  hint: a package made by rustgo has a file rustgo.go\n"
    );
    write(&dir.join("text"), "text\n");
    assert_eq!(
        refused(&["text"]),
        "rustgo: error: text is not a program\n  hint: name a Go program (ELF, PE, Mach-O or WebAssembly) or a folder\n"
    );
    write(&dir.join("elf"), "\x7fELF\n");
    assert_eq!(
        refused(&["elf"]),
        "rustgo: error: elf contains no package made by rustgo\n  \
         hint: packages made before rustgo wrote markers are not found in programs: audit the Go module instead\n"
    );
    write(&dir.join("newer"), "\x7fELF\nrustgo-package/7 name=a for=amd64\n");
    assert_eq!(
        refused(&["newer"]),
        "rustgo: error: newer has a package marker of format 7, and this rustgo reads 1\n  hint: use a newer version of rustgo\n"
    );
    package(&dir.join("p"), "mine 0.1.0");
    assert_eq!(
        refused(&["p", "--db", "p"]),
        "rustgo: error: p holds no advisories\n  hint: name a checkout of RustSec's advisory-db \
         (git clone --depth 1 https://github.com/RustSec/advisory-db), or a folder with OSV's RUSTSEC-*.json\n"
    );
    write(&dir.join("db/crates/a/RUSTSEC-2024-0001.md"), "# Without a front matter\n");
    assert_eq!(
        refused(&["p", "--db", "db"]),
        "rustgo: error: db/crates/a/RUSTSEC-2024-0001.md: the front matter is missing: the file does not begin with ```toml\n"
    );
    write(&dir.join("p/rustgo.provenance.json"), "{\"format\": 9}\n");
    assert_eq!(
        refused(&["p"]),
        "rustgo: error: DIR/p/rustgo.provenance.json: the format is 9, and this rustgo reads 1\n  \
         hint: use the version of rustgo that wrote the file\n"
    );
    let provenance = read(&root().join("packages/xxh3/rustgo.provenance.json"));
    write(&dir.join("p/rustgo.provenance.json"), &provenance);
    let said = refused(&["p"]);
    assert!(said.starts_with("rustgo: error: rustgo.provenance.json and rustgo.go in DIR/p do not name the same crates: "), "{said}");
}

fn bills_name_all_crates() {
    let dir = empty("trust_bill");
    let package = root().join("packages/xxh3");
    let (code, _, stderr) = said(&["audit", &package.display().to_string(), "--cyclonedx", "bill.json"], &dir);
    assert_eq!(code, 0, "{stderr}");
    let bill: serde_json::Value = serde_json::from_str(&read(&dir.join("bill.json"))).expect("the bill is JSON");
    assert_eq!((&bill["bomFormat"], &bill["specVersion"]), (&"CycloneDX".into(), &"1.5".into()));
    let components = bill["components"].as_array().expect("components are a list");
    let of =
        |name: &str| components.iter().find(|component| component["name"] == name).unwrap_or_else(|| panic!("{name} is not in {bill}"));
    assert_eq!(of("rustgo.dev/packages/xxh3")["type"], "library");
    let hash = of("twox-hash");
    assert_eq!(hash["purl"], "pkg:cargo/twox-hash@2.1.5");
    assert_eq!(hash["licenses"][0]["expression"], "MIT");
    assert_eq!(hash["hashes"][0]["content"].as_str().map(str::len), Some(64));
    let (code, _, stderr) = said(&["audit", &package.display().to_string(), "--cyclonedx", "no/bill.json"], &dir);
    assert!(code == 1 && stderr.starts_with("rustgo: error: no/bill.json: "), "{stderr}");
}

/// A module proxy in a folder. `rustgo verify` downloads the published module from the proxy into a separate module cache.
struct Proxy {
    dir: PathBuf,
}

impl Proxy {
    const MODULE: &str = "example.com/hash";

    /// Publishes the module in `from` as v0.1.0.
    fn publish(&self, from: &Path) {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/publish/proxy.go");
        for name in ["proxy", "cache"] {
            let _ = std::fs::remove_dir_all(self.dir.join(name));
        }
        let [source, proxy] = [source, self.dir.join("proxy")].map(|path| path.display().to_string());
        go(&self.dir, &["run", &source, &proxy, &format!("{}={}", Proxy::MODULE, from.display())], &[]);
    }

    /// Runs `rustgo verify` for the published module; returns the exit code, stdout and stderr.
    fn verify(&self, args: &[&str]) -> (i32, String, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rustgo"));
        let module = format!("{}@v0.1.0", Proxy::MODULE);
        command.args(["verify", &module, "--offline", "--color", "never"]).args(args).current_dir(&self.dir);
        command.env("GOPROXY", format!("file://{}", self.dir.join("proxy").display())).env("GONOSUMDB", "*").env("GOSUMDB", "off");
        command.env("GOMODCACHE", self.dir.join("cache")).env("GOTOOLCHAIN", "local").env("CARGO_TARGET_DIR", target(1));
        command.env("RUSTUP_TOOLCHAIN", std::env::var("RUSTUP_TOOLCHAIN").unwrap_or_else(|_| "stable".into()));
        let output = command.output().expect("the tool runs");
        (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
    }
}

fn published_modules_are_rebuilt() {
    let _alone = alone();
    let dir = empty("trust_published");
    let made = said(&["new", "hash", "--module", Proxy::MODULE, "--quiet"], &dir);
    assert_eq!(made.0, 0, "{}", made.2);
    let module = dir.join("hash");
    std::fs::copy(root().join("Cargo.lock"), module.join("rust/Cargo.lock")).expect("the lock file can be copied");
    let built = said(&["build", "--crate", "hash/rust", "--arch", "amd64", "--offline", "--quiet"], &dir);
    assert_eq!(built.0, 0, "{}", built.2);
    let provenance = read(&module.join("rustgo.provenance.json"));
    assert!(!provenance.contains(&dir.display().to_string()), "the provenance names a folder of this machine:\n{provenance}");
    let checked = said(&["check", "--locked", "--crate", "hash/rust", "--offline", "--quiet"], &dir);
    assert_eq!(checked.0, 0, "{}", checked.2);
    write(&module.join("rustgo.provenance.json"), &provenance.replace("\"functions\": ", "\"functions\": 1"));
    let (code, _, stderr) = said(&["check", "--locked", "--crate", "hash/rust", "--offline", "--quiet"], &dir);
    assert!(code == 1 && stderr.starts_with("rustgo: error: rustgo.provenance.json is not what the source gives: line "), "{stderr}");
    write(&module.join("rustgo.provenance.json"), &provenance);

    let proxy = Proxy { dir: dir.clone() };
    proxy.publish(&module);
    // The current folder contains a folder with the name of the module. rustgo must not verify this folder instead of the published module.
    write(&dir.join(format!("{}@v0.1.0/rustgo.go", Proxy::MODULE)), "package hash\n");
    let (code, stdout, stderr) = proxy.verify(&[]);
    assert_eq!(code, 0, "{stdout}{stderr}");
    let here = format!("{}: rustc ", Proxy::MODULE);
    assert!(stdout.starts_with(&here) && stdout.contains(" for amd64 is here\n"), "{stdout}");
    assert!(stdout.contains("\nexample.com/hash: made from hash 0.1.0 in rust\n"), "{stdout}");
    assert!(stdout.contains("example.com/hash: identical (") && stdout.ends_with("1 package is identical\n"), "{stdout}");
    assert!(stdout.contains("\n  not made by rustgo: generate.go\n"), "{stdout}");

    // Change one byte of the assembly, then one of the source.
    let assembly = module.join("rustgo_amd64.s");
    let original = read(&assembly);
    let at = original.find("QUAD $0x").expect("there is machine code") + "QUAD $0x".len();
    let digit = if original[at..].starts_with('0') { "1" } else { "0" };
    write(&assembly, &format!("{}{digit}{}", &original[..at], &original[at + 1..]));
    proxy.publish(&module);
    let line = original[..at].lines().count();
    let (code, stdout, _) = proxy.verify(&[]);
    assert_eq!(code, 1, "{stdout}");
    assert!(stdout.contains(&format!("example.com/hash: differs\n  rustgo_amd64.s: line {line} is `")), "{stdout}");
    assert!(stdout.ends_with("0 of 1 package is identical\n"), "{stdout}");
    write(&assembly, &original);
    let source = module.join("rust/src/lib.rs");
    let rust = read(&source);
    write(&source, &rust.replace("**byte == b", "**byte != b"));
    proxy.publish(&module);
    let (code, stdout, _) = proxy.verify(&["--message-format", "json"]);
    assert_eq!(code, 1, "{stdout}");
    assert!(stdout.contains(r#""severity":"verify","package":"example.com/hash","result":"differs""#), "{stdout}");
    write(&source, &rust);

    // The reasons why a package cannot be rebuilt.
    let impossible = |args: &[&str]| {
        proxy.publish(&module);
        let (code, stdout, stderr) = proxy.verify(args);
        assert_eq!(code, 1, "{stdout}{stderr}");
        let reason = stdout.split("cannot be rebuilt: ").nth(1).unwrap_or_else(|| panic!("{stdout}{stderr}"));
        reason.lines().next().unwrap_or_default().to_owned()
    };
    assert_eq!(impossible(&["--arch", "arm64"]), "it has no code for the architectures of --arch");
    let of = |old: &str, new: &str| {
        assert!(provenance.contains(old), "{old}");
        write(&module.join("rustgo.provenance.json"), &provenance.replacen(old, new, 1));
    };
    of("\"rustgo\": \"0.1.0\"", "\"rustgo\": \"0.0.9\"");
    assert_eq!(impossible(&[]), "rustgo 0.0.9 made it, and this is rustgo 0.1.0: cargo install cargo-rustgo --version 0.0.9 --locked");
    of("\"path\": \"rust\"", "\"path\": \"../rust\"");
    assert_eq!(impossible(&[]), "its crate hash (../rust) is not part of the module");
    let rustc = provenance.split("\"rustc\": \"").nth(1).and_then(|rest| rest.split('"').next()).expect("rustc is named").to_owned();
    of(&rustc, "rustc 1.2.3 (abc 2020-01-01)");
    assert_eq!(
        impossible(&[]),
        format!(
            "its code for amd64 needs rustc 1.2.3 (abc 2020-01-01), and this is {rustc}: rustup toolchain install 1.2.3, \
             or name a toolchain with --toolchain amd64=DIR"
        )
    );
    std::fs::remove_file(module.join("rustgo.provenance.json")).expect("the file can be removed");
    assert_eq!(impossible(&[]), "it has no rustgo.provenance.json");
    write(&module.join("rustgo.provenance.json"), &provenance);
    let manifest = read(&module.join("rust/Cargo.toml"));
    write(&module.join("rust/Cargo.toml"), &manifest.replace("[dependencies]\n", "[dependencies]\nother = { path = \"../../other\" }\n"));
    assert_eq!(impossible(&[]), "it depends on the folder ../../other of the crate other, which is not part of the module");
    write(&module.join("rust/Cargo.toml"), &manifest);
    std::fs::remove_file(module.join("rust/Cargo.lock")).expect("the file can be removed");
    assert_eq!(impossible(&[]), "its crate hash has no Cargo.lock");
}

/// Returns a lock. Tests that build the crate `hash` hold it, because their results would overwrite each other in the shared target folder.
fn alone() -> MutexGuard<'static, ()> {
    static CRATE: Mutex<()> = Mutex::new(());
    CRATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes the module `example.com/hash` with a package for amd64 in the folder `hash`. `more` are further arguments of the build.
fn hash_module(dir: &Path, more: &[&str]) -> PathBuf {
    let made = said(&["new", "hash", "--module", Proxy::MODULE, "--quiet"], dir);
    assert_eq!(made.0, 0, "{}", made.2);
    let module = dir.join("hash");
    std::fs::copy(root().join("Cargo.lock"), module.join("rust/Cargo.lock")).expect("the lock file can be copied");
    let built = said(&[&["build", "--crate", "hash/rust", "--arch", "amd64", "--offline", "--quiet"], more].concat(), dir);
    assert_eq!(built.0, 0, "{}", built.2);
    module
}

/// `rustgo verify` fails if it finds files that would change the program, or files that only look as if rustgo had made them. It only lists the
/// author's own files.
fn files_beside_generated_ones_are_found() {
    let _alone = alone();
    let dir = empty("trust_beside");
    let module = hash_module(&dir, &["--runtime", "internal/rustgo"]);
    let verify = |args: &[&str]| said(&[&["verify", "hash", "--offline"], args].concat(), &dir);
    // Without CARGO_TARGET_DIR, cargo's target folder would lie in the copy that rustgo verify makes of the module. So rustgo uses a folder beside
    // the copy.
    let mut command = Command::new(env!("CARGO_BIN_EXE_rustgo"));
    command.args(["verify", "hash", "--offline", "--color", "never"]).current_dir(&dir).env_remove("CARGO_TARGET_DIR");
    command.env("RUSTUP_TOOLCHAIN", std::env::var("RUSTUP_TOOLCHAIN").unwrap_or_else(|_| "stable".into()));
    let output = command.output().expect("the tool runs");
    let (code, stdout, stderr) = (output.status.code(), text(&output.stdout), text(&output.stderr));
    assert!(code == Some(0) && stdout.ends_with("1 of 1 package is identical\n"), "{stdout}{stderr}");

    let generated = "// Code generated by rustgo build; DO NOT EDIT.\n\n";
    let wrong = [
        ("textflag.h", "hides Go's own header from the assembler"),
        ("internal/rustgo/rt/funcdata.h", "hides Go's own header from the assembler"),
        ("internal/rustgo/rt/evil.go", "is not made from the source"),
        ("internal/rustgo/rt/evil.syso", "is not made from the source"),
        ("rustgo_evil.go", "is not made from the source"),
        ("rustgo_evil_amd64.s", "is not made from the source"),
        ("rustgo_x.syso", "is not made from the source"),
    ];
    for (name, _) in wrong {
        write(&module.join(name), &format!("{generated}package hash\n"));
    }
    write(&module.join("own.h"), "#define OWN 1\n");
    for args in [&[][..], &["--arch", "amd64"]] {
        let (code, stdout, _) = verify(args);
        assert_eq!(code, 1, "{stdout}");
        for (name, problem) in wrong {
            assert!(stdout.contains(&format!("\n  {name}: {problem}\n")), "{name}: {stdout}");
        }
        assert!(stdout.contains("\n  not made by rustgo: generate.go, own.h\n"), "{stdout}");
    }
    let (code, _, stderr) = said(&["check", "--locked", "--crate", "hash/rust", "--offline", "--quiet"], &dir);
    assert_eq!(code, 1, "{stderr}");
    for name in ["textflag.h hides Go's own header", "internal/rustgo/rt/evil.go is no longer made", "internal/rustgo/rt/funcdata.h hides"]
    {
        assert!(stderr.contains(name), "{name}: {stderr}");
    }
    wrong.iter().for_each(|(name, _)| std::fs::remove_file(module.join(name)).expect("the file can be removed"));

    // The package has code for two architectures, and verify builds it for one of them. If a build constraint excludes the Go file from all builds,
    // verify must still report a difference.
    let provenance = read(&module.join("rustgo.provenance.json"));
    let mut facts: serde_json::Value = serde_json::from_str(&provenance).expect("the provenance is JSON");
    let mut other = facts["code"][0].clone();
    other["arch"] = "arm64".into();
    facts["code"].as_array_mut().expect("code is a list").push(other);
    write(&module.join("rustgo.provenance.json"), &facts.to_string());
    let file = module.join("rustgo.go");
    let both = read(&file).replacen("//go:build amd64", "//go:build amd64 || arm64", 1);
    assert!(both.contains("\n//go:build amd64 || arm64\n"), "{both}");
    write(&file, &both);
    write(&module.join("rustgo_arm64.s"), generated);
    let (code, stdout, stderr) = verify(&["--arch", "amd64"]);
    assert_eq!(code, 0, "{stdout}{stderr}");
    let skipped = "\n  not checked: the code for arm64, rustgo.provenance.json, ";
    assert!(stdout.contains(skipped) && stdout.contains("and the comments above package clauses\n"), "{stdout}");
    write(&file, &both.replacen("//go:build amd64 || arm64", "//go:build (amd64 || arm64) && never", 1));
    let (code, stdout, _) = verify(&["--arch", "amd64"]);
    assert!(
        code == 1 && stdout.contains("\n  rustgo.go: line 1 is `//go:build ARCHITECTURES && never`, and the source gives "),
        "{stdout}"
    );
}

/// A module cannot choose the tools that `rustgo verify` uses, replace its files during the build, or hide packages from `rustgo verify`.
fn modules_choose_no_tools_and_hide_no_packages() {
    let _alone = alone();
    let dir = empty("trust_tools");
    let module = hash_module(&dir, &[]);
    let verify = || said(&["verify", "hash", "--offline"], &dir);
    let reason = || {
        let (code, stdout, stderr) = verify();
        assert_eq!(code, 1, "{stdout}{stderr}");
        let reason = stdout.split("example.com/hash: cannot be rebuilt: ").nth(1).unwrap_or_else(|| panic!("{stdout}{stderr}"));
        reason.lines().next().unwrap_or_default().to_owned()
    };
    for name in [".cargo/config.toml", "rust/.cargo/config"] {
        write(&module.join(name), "[build]\nrustc = \"other\"\n");
        assert_eq!(reason(), format!("{name} could change how cargo builds it, and verify accepts no settings of cargo from the module"));
        std::fs::remove_file(module.join(name)).expect("the file can be removed");
    }
    write(&module.join("rust-toolchain.toml"), "[toolchain]\npath = \"tools\"\n");
    assert_eq!(reason(), "rust-toolchain.toml names the folder of a toolchain, and verify runs no toolchain from the module");
    std::fs::remove_file(module.join("rust-toolchain.toml")).expect("the file can be removed");

    // The assembly of the module is changed, and the build script restores it during the build.
    let assembly = module.join("rustgo_amd64.s");
    let original = read(&assembly);
    write(&dir.join("original"), &original);
    let script = format!("fn main() {{\n    std::fs::copy({:?}, {assembly:?}).unwrap();\n}}\n", dir.join("original"));
    write(&module.join("rust/build.rs"), &script);
    let built = said(&["build", "--crate", "hash/rust", "--arch", "amd64", "--offline", "--quiet"], &dir);
    assert_eq!(built.0, 0, "{}", built.2);
    write(&dir.join("original"), &read(&assembly));
    write(&assembly, &format!("{}\n// evil\n", read(&assembly)));
    let (code, stdout, stderr) = verify();
    assert_eq!(code, 1, "{stdout}{stderr}");
    assert!(stdout.contains("\n  rustgo_amd64.s: changed while the source was built\n"), "{stdout}");
    // A build script that changes a source in the copy of the module.
    write(&module.join("rust/build.rs"), "fn main() {\n    std::fs::write(\"src/more.rs\", \"\").unwrap();\n}\n");
    assert_eq!(reason(), "a build script may have changed rust/src/more.rs in the copy of the module");
    std::fs::remove_file(module.join("rust/build.rs")).expect("the file can be removed");

    // Go builds packages in these folders, although other tools ignore the folders. rustgo recognizes each package by a different file.
    let header = "// Code generated by rustgo build; DO NOT EDIT.\n\npackage p\n";
    write(&module.join("target/p/rustgo.go"), header);
    write(&module.join("node_modules/p/rustgo_amd64.s"), "");
    write(&module.join("q/rustgo.provenance.json"), "{}\n");
    let others = ["testdata/p", "_p", "q/vendor/p"];
    others.iter().for_each(|name| write(&module.join(name).join("rustgo.go"), header));
    // Go code of the module cannot import the packages in these folders.
    for name in [".p/rustgo.go", "vendor/p/rustgo.go", "nested/rustgo.go"] {
        write(&module.join(name), header);
    }
    write(&module.join("nested/go.mod"), "module example.com/nested\n");
    for name in ["own/own.go", "own/own.s", "own/own_windows.syso", "own/own.c", "no_package/own.c", "nested/own.s"] {
        write(&module.join(name), "");
    }
    let (code, stdout, stderr) = verify();
    assert_eq!(code, 1, "{stdout}{stderr}");
    let listed = "\nmachine code and headers in other packages of the module, not made by rustgo: own/own.c, own/own.s, own/own_windows.syso\n0 of 7 packages";
    assert!(stdout.contains(listed), "{stdout}");
    for name in ["target/p", "node_modules/p", "q"].into_iter().chain(others) {
        assert!(stdout.contains(&format!("\nexample.com/hash/{name}: cannot be rebuilt: ")), "{name}: {stdout}");
    }
    for name in ["target/p", "node_modules/p", "q"] {
        let (code, _, stderr) = said(&["audit", &format!("hash/{name}")], &dir);
        assert!(code == 1 && stderr.starts_with("rustgo: error: ") && stderr.contains(name), "{name}: {stderr}");
    }
}

/// The standard library contains crates that cargo does not know, such as hashbrown; a build dependency can contain the sources of native code.
fn crates_that_cargo_does_not_link_are_listed() {
    let dir = empty("trust_std");
    // A crate with native code, and the crate that could contain the sources of that code.
    let package = |name: &str, more: &str| format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n{more}");
    write(&dir.join("rust/native-src/Cargo.toml"), &package("native-src", ""));
    write(&dir.join("rust/native-src/src/lib.rs"), "");
    let links = "links = \"native\"\n\n[build-dependencies]\nnative-src = { path = \"../native-src\" }\n";
    write(&dir.join("rust/native/Cargo.toml"), &package("native", links));
    write(&dir.join("rust/native/build.rs"), "fn main() {}\n");
    write(&dir.join("rust/native/src/lib.rs"), "#![no_std]\n");
    let manifest = format!(
        "{}\n[workspace]\n\n[dependencies]\nnative = {{ path = \"native\" }}\nrustgo-support = {{ path = {:?} }}\n",
        package("withstd", ""),
        root().join("crates/support")
    );
    write(&dir.join("rust/Cargo.toml"), &manifest);
    write(&dir.join("rust/Cargo.lock"), &read(&root().join("Cargo.lock")));
    write(
        &dir.join("rust/src/lib.rs"),
        "//! Package withstd counts.\n/// Distinct returns the number of different bytes.\n#[rustgo::export]\npub fn distinct(text: &[u8]) -> usize {\n    \
         text.iter().map(|byte| (byte, ())).collect::<std::collections::HashMap<_, _>>().len()\n}\n",
    );
    write(&dir.join("go.mod"), "module example.com/withstd\n\ngo 1.24\n");
    let built =
        said(&["build", "--crate", "rust", "--out", ".", "--runtime", "internal/rustgo", "--arch", "amd64", "--offline", "--quiet"], &dir);
    assert_eq!(built.0, 0, "{}", built.2);
    let header = read(&dir.join("rustgo.go"));
    assert!(header.contains("\n// native code built with: native-src 0.1.0\n"), "{header}");
    let version = header.split("\n// linked with std: hashbrown ").nth(1).and_then(|rest| rest.split([',', '\n']).next());
    let version = version.unwrap_or_else(|| panic!("{header}"));
    let assembly = read(&dir.join("rustgo_amd64.s"));
    assert!(assembly.contains(&format!("/rust/deps/hashbrown-{version}/src/")), "the line tables name the crate");
    let (code, stdout, stderr) = said(&["audit", "."], &dir);
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.lines().any(|line| line.contains(&format!("  hashbrown {version} ")) && line.ends_with("  std")), "{stdout}");
    let provenance: serde_json::Value = serde_json::from_str(&read(&dir.join("rustgo.provenance.json"))).expect("the provenance is JSON");
    let crates = provenance["crates"].as_array().expect("crates are a list");
    assert!(
        crates.iter().any(|krate| krate["name"] == "hashbrown" && krate["version"] == version && krate["source"] == "std"),
        "{crates:?}"
    );

    // Without the provenance, rustgo reads the crate's name from the header of rustgo.go. The advisory matches this name.
    std::fs::remove_file(dir.join("rustgo.provenance.json")).expect("the file can be removed");
    let id = "RUSTSEC-2024-0001";
    write(&dir.join(format!("db/crates/hashbrown/{id}.md")), &advisory(id, "hashbrown", "", "patched = []", "hashbrown forgets"));
    let (code, stdout, stderr) = said(&["audit", ".", "--db", "db"], &dir);
    assert!(code == 1 && stdout.contains(&format!("\n  crate: hashbrown {version}\n")), "{stdout}{stderr}");

    write(
        &dir.join("main/main.go"),
        "package main\n\nimport withstd \"example.com/withstd\"\n\nfunc main() { println(withstd.Distinct(nil)) }\n",
    );
    go(&dir, &["build", "-o", "program", "./main"], &[("GOOS", "linux"), ("GOARCH", "amd64")]);
    let (code, stdout, stderr) = said(&["audit", "program"], &dir);
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.lines().any(|line| line.contains(&format!("  hashbrown {version} ")) && line.ends_with("  std")), "{stdout}");
}
