//! Compares the decoded fields of AArch64 instructions with Capstone's description. Capstone reports the registers that each instruction names, reads
//! and writes. The instruction words are random, or come from real code. The random seed is fixed, so that a failure can be repeated. Other tests
//! check the encodings that lowering makes.
//!
//! `FUZZ_SEED` replaces the seed, and `FUZZ_ROUNDS` multiplies the number of rounds. `FUZZ_OBJECTS` names a folder of AArch64 archives (`lib*.a`
//! of real crates), whose words are compared too.

use crate::common;
use crate::harness::Test;
use rustgo_cli::testing::analyze::EntryKind;
use rustgo_cli::testing::api::Package;
use rustgo_cli::testing::goasm::{Item, Text};
use rustgo_cli::testing::lower::lower;
use rustgo_cli::testing::target::Arch;

crate::tests!(
    fn own:
    exclusive_stores_do_not_use_their_status_as_base,
    recursive_functions_compare_with_the_limit_of_the_call,
    bounds_too_large_for_an_entry_are_refused,
);

pub fn tests() -> Vec<Test> {
    own().into_iter().chain(aarch64::tests::tests()).collect()
}

/// The tool's AArch64 code, compiled into this program with the tests of `capstone.rs`, because the tests need its private items.
#[path = "../../../src/arch/aarch64"]
mod aarch64 {
    #[allow(dead_code)]
    mod insn;
    #[path = "../../../tests/all/fuzz_aarch64/capstone.rs"]
    pub mod tests;

    /// True if the word is an instruction with a defined effect.
    pub fn defined(word: u32) -> bool {
        insn::encoding::part(word).is_some()
    }
}

fn lowered(assembly: &str) -> common::Lowered {
    let archive = common::case_archive(Arch::Arm64, assembly);
    common::lower(Arch::Arm64, &archive).unwrap_or_else(|failure| panic!("{}", common::failure_text(&failure)))
}

fn texts(made: &common::Lowered) -> impl Iterator<Item = &Text> {
    made.asm.items.iter().filter_map(|item| if let Item::Text(text) = item { Some(text) } else { None })
}

fn words(text: &Text) -> impl Iterator<Item = u32> {
    text.expected.bytes.as_chunks().0.iter().map(|&word| u32::from_le_bytes(word))
}

/// Lowering uses a register as the base of an access to the frame only if the instruction allows it: an exclusive store must not have the same
/// register as status and base.
fn exclusive_stores_do_not_use_their_status_as_base() {
    let made = lowered(
        "//@ export: Run run
	.type run,@function
run:
	sub sp, sp, #32
	str x30, [sp, #16]
	str x0, [sp]
1:	ldxr x8, [sp]
	stxr w17, x8, [sp]
	cbnz w17, 1b
	ldr x30, [sp, #16]
	add sp, sp, #32
	ret
",
    );
    let stores: Vec<u32> = texts(&made).flat_map(words).filter(|word| word & 0xffe0_fc00 == 0xc800_7c00).collect();
    // stxr w17, x8, [x16]: another base register than w17
    assert_eq!(stores, [0xc811_7e08]);
    for word in texts(&made).flat_map(words) {
        assert!(aarch64::defined(word), "{word:#010x}");
    }
}

/// The stack check of a recursive function compares SP with the limit of the running call. The entry sets this limit. The entry's frame includes the
/// whole budget. So Go's own prologue keeps the bytes free that the system needs below a frame (`stackSystem` in runtime/stack.go).
fn recursive_functions_compare_with_the_limit_of_the_call() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/run/aarch64/stack/recursion.s");
    let made = lowered(&common::read(&path));
    let mut needs: Vec<u32> = made.facts.stacks.values().filter(|stack| stack.recursive).map(|stack| stack.need).collect();
    needs.sort_unstable();
    // The instruction `movz x17, #limit`.
    let limits = texts(&made).filter(|text| text.name.ends_with("·checked<>")).map(|text| {
        let limit = words(text).find(|word| word & 0xffe0_001f == 0xd280_0011).expect("a limit of 16 bits");
        limit >> 5 & 0xffff
    });
    let mut limits: Vec<u32> = limits.collect();
    limits.sort_unstable();
    assert!(needs.len() >= 3);
    assert_eq!(limits, needs);
    for facts in made.facts.exports.values() {
        let budget = facts.budget.expect("a recursion has a budget");
        assert!(texts(&made).any(|text| text.frame >= budget), "{budget}");
    }
}

/// A bound larger than an entry's constants can hold is refused.
fn bounds_too_large_for_an_entry_are_refused() {
    let mut made = lowered("//@ export: Run run\n\t.type run,@function\nrun:\n\tret\n");
    let package = Package::new(made.object.exports.values().map(|export| &export.schema), &[]);
    let machine = rustgo_cli::testing::backend::machine(Arch::Arm64);
    for (bound, accepted) in [(15 << 20, true), (16 << 20, false), (u32::MAX, false)] {
        made.facts.exports.values_mut().for_each(|export| (export.bound, export.entry) = (bound, EntryKind::Framed));
        let result = lower(&made.object, &made.program, &made.facts, machine, &package, "rt", Vec::new());
        match result {
            Ok(_) => assert!(accepted, "{bound}"),
            Err(failure) => {
                let text = common::failure_text(&failure);
                assert!(
                    !accepted && text.contains("Run needs at least 16 MiB of stack, more than an arm64 entry provides"),
                    "{bound}: {text}"
                );
            }
        }
    }
}
