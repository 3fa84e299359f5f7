//! The build script of cases: it adds a library whose only object is for another architecture than the crate.

use std::path::PathBuf;
use std::process::Command;

/// The source of a minimal library for the other architecture. It does without core, which may not be installed for that architecture.
const OTHER: &str = r#"#![feature(no_core, lang_items)]
#![allow(internal_features)]
#![no_core]
#[lang = "pointee_sized"]
pub trait PointeeSized {}
#[lang = "meta_sized"]
pub trait MetaSized: PointeeSized {}
#[lang = "sized"]
pub trait Sized: MetaSized {}
#[unsafe(no_mangle)]
pub extern "C" fn other() {}
"#;

fn main() {
    let var = |name: &str| std::env::var(name).expect("cargo sets it");
    let out = PathBuf::from(var("OUT_DIR"));
    let target = if var("TARGET").starts_with("aarch64") { "x86_64-unknown-linux-gnu" } else { "aarch64-unknown-linux-gnu" };
    std::fs::write(out.join("other.rs"), OTHER).expect("cargo's folder is writable");
    let mut rustc = Command::new(var("RUSTC"));
    rustc.current_dir(&out).env("RUSTC_BOOTSTRAP", "1").args(["--crate-type=lib", "--emit=obj", "-Cpanic=abort", "--target", target]);
    assert!(rustc.args(["-o", "other.o", "other.rs"]).status().expect("rustc runs").success());
    let mut object = std::fs::read(out.join("other.o")).expect("rustc wrote it");
    object.resize(object.len().next_multiple_of(2), 0);
    let header = format!("!<arch>\n{:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", "other.o/", 0, 0, 0, 644, object.len());
    std::fs::write(out.join("libother.a"), [header.as_bytes(), &object].concat()).expect("cargo's folder is writable");
    println!("cargo::rustc-link-search=native={}", out.display());
    println!("cargo::rustc-link-lib=static=other");
}
