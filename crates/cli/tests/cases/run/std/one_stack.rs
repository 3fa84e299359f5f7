//@ manifest: psm = { path = "../psm" }
//@ file psm/Cargo.toml: [package]\nname = "psm"\nversion = "0.1.99"\nedition = "2024"\n
//@ file psm/build.rs: fn main() {\n    println!("cargo:rustc-check-cfg=cfg(switchable_stack)");\n    println!("cargo:rustc-cfg=switchable_stack");\n}\n
//@ file psm/src/lib.rs: pub const SWITCHES: bool = cfg!(switchable_stack);\n
//! The crate psm, with which stacker switches stacks, is compiled as for a system whose stacks cannot be switched. Here another crate has its
//! name and its build script's setting.

#[rustgo::export]
pub fn switches(x: u64) -> u64 {
    assert_eq!(psm::SWITCHES, !cfg!(rustgo));
    x
}
