//! Tells the tool the folder of the Go module whose sources it includes. In the repository this is the module itself; in a published crate it is
//! the copy in the crate's folder `runtime` (scripts/release).

use std::path::Path;

fn main() {
    let root = std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR");
    let copy = Path::new(&root).join("runtime");
    let module = if copy.is_dir() { copy } else { Path::new(&root).join("../../go") };
    println!("cargo::rustc-env=RUSTGO_GO_MODULE={}", module.display());
    println!("cargo::rerun-if-changed=build.rs");
}
