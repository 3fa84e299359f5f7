//! The build script of cases: it compiles `rust/case.c` with the C flags that it gets for the target, as the crate `cc` does, and names the
//! archive as a static library. If the crate's environment has `PKG_CONFIG`, it asks that program.

use std::path::PathBuf;
use std::process::Command;

fn main() {
    let var = |name: &str| std::env::var(name).expect("cargo sets it");
    let (out, target) = (PathBuf::from(var("OUT_DIR")), var("TARGET"));
    let flags = var(&format!("CFLAGS_{target}"));
    let compiler = if target.starts_with("aarch64") { "aarch64-linux-gnu-gcc" } else { "gcc" };
    let run = |program: &str, args: &[&str]| {
        let status = Command::new(program).current_dir(var("CARGO_MANIFEST_DIR")).args(args).status();
        assert!(status.expect("the program can be run").success(), "{program} fails");
    };
    let (object, archive) = (out.join("case.o"), out.join("libcase.a"));
    let (object, archive) = (object.to_str().expect("UTF-8"), archive.to_str().expect("UTF-8"));
    let mut args: Vec<&str> = flags.split_whitespace().collect();
    args.extend(["-O2", "-c", "case.c", "-o", object]);
    run(compiler, &args);
    let _ = std::fs::remove_file(archive);
    run("ar", &["crs", archive, object]);
    println!("cargo::rustc-link-search=native={}", out.display());
    println!("cargo::rustc-link-lib=static=case");
}
