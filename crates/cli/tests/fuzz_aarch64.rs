//! The fields of AArch64 instructions against Capstone, which knows what each instruction names, reads and writes: random
//! words, with a fixed seed, so that a failure comes back, and real code.
//!
//! `FUZZ_SEED` gives another seed, `FUZZ_ROUNDS` so many times the work, `FUZZ_OBJECTS` a folder of AArch64 archives
//! (`lib*.a` of real crates) whose every word is compared as well.

#[path = "cases/harness/generate.rs"]
#[allow(dead_code)]
mod generate;

/// What `insn.rs` asks of its crate.
mod arch {
    pub type Reg = usize;
}

/// The tests stand in the room, which alone sees its instructions.
#[path = "../src/arch/aarch64"]
mod aarch64 {
    #[allow(dead_code)]
    mod insn;
    #[path = "../../../tests/cases/harness/capstone.rs"]
    mod tests;
}
