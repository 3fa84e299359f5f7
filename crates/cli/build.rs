//! Tells the tool where the sources of the Go module are that it includes: in the repository, or in a published crate, which has a copy in
//! its folder `runtime` (scripts/release).

use std::path::Path;

fn main() {
    let root = std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR");
    let copy = Path::new(&root).join("runtime");
    let module = if copy.is_dir() { copy } else { Path::new(&root).join("../../go") };
    println!("cargo::rustc-env=RUSTGO_GO_MODULE={}", module.display());
    println!("cargo::rerun-if-changed=build.rs");
}
