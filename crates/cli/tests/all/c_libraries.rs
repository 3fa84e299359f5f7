//! C code from build scripts: the flags passed for C, static libraries, and messages about missing functions.

use crate::cases::krate;
use crate::common::{go_command, go_mod, read, root, scratch, target, write};
use rustgo_cli::testing::target::Arch;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

crate::tests!(
    static_libraries_are_linked_like_crate_members,
    c_code_overrides_the_c_library,
    user_flags_precede_rustgo_flags,
    build_script_output_is_passed_on,
);

/// Creates a crate with a build script; returns the folders of the crate and of its Go package.
fn checkout(name: &str, build: &str, lib: &str) -> (PathBuf, PathBuf) {
    let dir = scratch("c_libraries").join(name);
    let _ = std::fs::remove_dir_all(&dir);
    let manifest = format!(
        "[package]\nname = \"c-{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\nlinks = \"{name}\"\n\n[dependencies]\nrustgo-support = {{ path = {:?} }}\n\n[workspace]\n",
        root().join("crates/support")
    );
    write(&dir.join("rust/Cargo.toml"), &manifest);
    write(&dir.join("rust/build.rs"), build);
    write(&dir.join("rust/src/lib.rs"), lib);
    krate::lock(&dir.join("rust"));
    go_mod(&dir);
    (dir.join("rust"), dir.join("pkg"))
}

fn rustgo(krate: &Path, out: &Path, set: &[(&str, &str)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rustgo"));
    command.args(["build", "--offline", "--arch", "amd64", "--crate"]).arg(krate).arg("--out").arg(out);
    command.env("CARGO_TARGET_DIR", target(1)).envs(set.iter().copied()).output().unwrap()
}

/// Compiles C files without rustgo's flags, like the files of a system library, and puts the objects into static libraries. `files` holds names and
/// texts. `archives` holds the file name of each library, with the names of its objects.
fn static_libraries(dir: &Path, files: &[(&str, &str)], archives: &[(&str, &[&str])]) {
    for (name, text) in files {
        write(&dir.join(format!("{name}.c")), text);
        let mut gcc = Command::new("gcc");
        assert!(gcc.current_dir(dir).args(["-O2", "-fPIC", "-g", "-c", &format!("{name}.c")]).status().unwrap().success());
    }
    for (archive, members) in archives {
        assert!(Command::new("ar").current_dir(dir).args(["crs", archive]).args(*members).status().unwrap().success());
    }
}

const NOTHING: &str = "#![no_std]\n#[rustgo::export]\npub fn same(x: u64) -> u64 {\n    x\n}\n";

/// A build script links two static libraries with `cargo::rustc-link-lib=static=NAME`. They were compiled without rustgo's flags, like a system
/// library. The first library refers to the second. The first library also has a member that the crate does not need. The tool would refuse this
/// member's code.
fn static_libraries_are_linked_like_crate_members() {
    let lib = "#![no_std]\nunsafe extern \"C\" {\n    fn mix(x: u64) -> u64;\n}\n#[rustgo::export]\npub fn mixed(x: u64) -> u64 {\n    // SAFETY: it takes any number.\n    unsafe { mix(x) }\n}\n";
    let build = "fn main() {\n    let dir = concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/lib\");\n    println!(\"cargo::rustc-link-search=native={dir}\");\n    println!(\"cargo::rustc-link-lib=static=first\");\n    println!(\"cargo::rustc-link-lib=static=second\");\n}\n";
    let (krate, out) = checkout("static", build, lib);
    let dir = krate.join("lib");
    let files = [
        (
            "first",
            "#include <stdint.h>\nuint64_t turn(uint64_t); extern const uint64_t keys[4];\nuint64_t mix(uint64_t x) { return turn(x ^ keys[x & 3]) + 1; }\n",
        ),
        ("unneeded", "long unneeded(long x) { __asm__ volatile(\"syscall\" : \"+a\"(x) : : \"rcx\", \"r11\"); return x; }\n"),
        (
            "second",
            "#include <stdint.h>\nconst uint64_t keys[4] = {9, 99, 999, 9999};\nuint64_t turn(uint64_t x) { return x << 7 | x >> 57; }\n",
        ),
    ];
    static_libraries(&dir, &files, &[("libfirst.a", &["first.o", "unneeded.o"]), ("libsecond.a", &["second.o"])]);
    let output = rustgo(&krate, &out, &[]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let test = "package pkg\n\nimport \"testing\"\n\nfunc TestMixed(t *testing.T) {\n\tkeys := [4]uint64{9, 99, 999, 9999}\n\tfor x := uint64(0); x < 1<<60; x = x*3 + 1 {\n\t\ty := x ^ keys[x&3]\n\t\tif got, want := Mixed(x), (y<<7|y>>57)+1; got != want {\n\t\t\tt.Fatal(x, got, want)\n\t\t}\n\t}\n}\n";
    write(&out.join("pkg_test.go"), test);
    let output = go_command(Arch::Amd64, &out).args(["test", "."]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

/// C code defines functions with names of POSIX functions, but with other types. One of them is in a separate object. Calls in the C code reach these
/// functions. Calls in Rust code would reach the functions of rustgo's C library. So a note names these functions.
fn c_code_overrides_the_c_library() {
    let lib = "unsafe extern \"C\" {\n    fn walk(x: u64) -> u64;\n}\n#[rustgo::export]\npub fn walked(x: u64) -> String {\n    // SAFETY: it takes any number.\n    unsafe { walk(x) }.to_string()\n}\n";
    let build = "fn main() {\n    let dir = concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/lib\");\n    println!(\"cargo::rustc-link-search=native={dir}\");\n    println!(\"cargo::rustc-link-lib=static=list\");\n}\n";
    let (krate, out) = checkout("names", build, lib);
    let list = "#include <stdint.h>\nstruct node { struct node *next; uint64_t x; };\nuint64_t poll(uint64_t);\nvoid link(struct node *a, struct node *b) { a->next = b; }\nuint64_t walk(uint64_t x) { struct node b = {0, x}, a = {0, 1}; link(&a, &b); return a.next->x * 10 + poll(x); }\n";
    let poll = "#include <stdint.h>\nuint64_t poll(uint64_t x) { return x * 7; }\n";
    static_libraries(&krate.join("lib"), &[("list", list), ("poll", poll)], &[("liblist.a", &["list.o", "poll.o"])]);
    let output = rustgo(&krate, &out, &[]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("note: both C code and rustgo's C library define link, poll: "), "{said}");
    write(
        &out.join("pkg_test.go"),
        "package pkg\n\nimport \"testing\"\n\nfunc TestWalked(t *testing.T) {\n\tif got := Walked(3); got != \"51\" {\n\t\tt.Fatal(got)\n\t}\n}\n",
    );
    let output = go_command(Arch::Amd64, &out).args(["test", "."]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

/// The user's C flags come before rustgo's on the command line, so that rustgo's win.
fn user_flags_precede_rustgo_flags() {
    let build = "fn main() {\n    let flags = std::env::var(\"CFLAGS_x86_64-unknown-linux-gnu\").unwrap();\n    std::fs::write(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/flags\"), flags).unwrap();\n}\n";
    let (krate, out) = checkout("flags", build, NOTHING);
    let output = rustgo(&krate, &out, &[("CFLAGS", "-DOURS=1 -flto -fstack-protector-all")]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let flags = read(&krate.join("flags"));
    assert!(flags.starts_with("-DOURS=1 -flto -fstack-protector-all -fPIC "), "{flags}");
    for ours in [" -fno-lto", " -fno-stack-protector", " -U_FORTIFY_SOURCE"] {
        assert!(flags.contains(ours), "{flags}");
    }
    assert!(!flags.contains("emulated-tls"), "{flags}");
}

fn build_script_output_is_passed_on() {
    let build = "fn main() {\n    if std::process::Command::new(\"no-such-tool\").status().is_err() {\n        eprintln!(\"no-such-tool makes the tables: install it from its home page\");\n        std::process::exit(1);\n    }\n}\n";
    let (krate, out) = checkout("tool", build, NOTHING);
    let output = rustgo(&krate, &out, &[]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("\n  no-such-tool makes the tables: install it from its home page\n"), "{said}");
    assert!(!out.exists(), "something was written");
}
