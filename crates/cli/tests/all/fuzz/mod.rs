//! Short runs of two random searches for errors. The first compares the decoder with another disassembler. The second compares generated functions
//! in Go with native runs. The seed is fixed, so that a failure can be repeated.
//!
//! `FUZZ_SEED` replaces the seed, `FUZZ_ROUNDS` multiplies the number of rounds.

pub mod generate;

use crate::cases::run;
use crate::common;
use cranelift_entity::PrimaryMap;
use generate::Random;
use rustgo_cli::testing::backend::machine;
use rustgo_cli::testing::code::Flow;
use rustgo_cli::testing::ids::{FuncId, SectionId};
use rustgo_cli::testing::load::{CodeSection, Function, Object};
use rustgo_cli::testing::target::{Arch, Target};
use yaxpeax_arch::LengthedInstruction;
use yaxpeax_x86::long_mode::InstDecoder;

crate::tests!(
    random_instruction_lengths_match_another_disassembler,
    real_instruction_lengths_match_another_disassembler,
    generated_functions_give_native_results_in_go,
);

fn seed() -> u64 {
    std::env::var("FUZZ_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(20_261_121)
}

fn rounds() -> usize {
    std::env::var("FUZZ_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(1)
}

/// An object that contains one function with this code.
fn object(code: Vec<u8>) -> (Object, FuncId) {
    let (mut functions, mut sections) = (PrimaryMap::new(), PrimaryMap::<SectionId, CodeSection>::new());
    let section = sections.push(CodeSection { functions: Vec::new() });
    let id = functions.push(Function {
        symbol: "f".into(),
        path: "f".into(),
        is_typed: true,
        member: "fuzz.o".into(),
        is_llvm: true,
        section,
        offset: 0,
        code,
        align: 16,
        relocs: Vec::new(),
        is_rust: false,
        is_gcc: false,
        lines: Vec::new(),
        inlined: Vec::new(),
        parts: Vec::new(),
        merged: None,
        unwinding: None,
    });
    sections[section].functions.push(id);
    (
        Object {
            target: Target::baseline(Arch::Amd64),
            unwinds: false,
            no_threads: false,
            twice: Vec::new(),
            ends_process: false,
            functions,
            data: PrimaryMap::new(),
            sections,
            files: PrimaryMap::new(),
            exports: PrimaryMap::new(),
            constants: Vec::new(),
            format_panic: None,
            refused: Vec::new(),
        },
        id,
    )
}

/// Counts of compared instructions.
#[derive(Default)]
struct Tally {
    same: usize,
    /// Instructions that our decoder accepts and the other disassembler does not know.
    unknown: usize,
    wrong: Vec<String>,
}

impl Tally {
    /// Asserts that each instruction that our decoder accepts has the same length in the other disassembler.
    fn compare(&mut self, code: &[u8]) {
        let (object, id) = object(code.to_vec());
        let machine = machine(Arch::Amd64);
        let Ok(decoded) = machine.decode(&object, id) else { return };
        for inst in decoded.insts.iter().filter(|inst| !matches!(inst.flow, Flow::Forbidden(..))) {
            let bytes = &code[inst.offset as usize..];
            match InstDecoder::default().decode_slice(bytes) {
                Ok(other) => {
                    let length = other.len().to_const();
                    if length == u64::from(inst.len) {
                        self.same += 1;
                    } else {
                        let ours = machine.print(&object.functions[id], inst);
                        self.wrong.push(format!(
                            "{:02x?}: {ours} ({} bytes), {other} ({length} bytes)",
                            &bytes[..inst.len.into()],
                            inst.len
                        ));
                    }
                }
                Err(_) => self.unknown += 1,
            }
        }
    }
}

fn random_instruction_lengths_match_another_disassembler() {
    let mut random = Random::new(seed());
    let mut tally = Tally::default();
    for _ in 0..100_000 * rounds() {
        let code: Vec<u8> = (0..4 + random.below(16)).map(|_| random.next() as u8).collect();
        tally.compare(&code);
    }
    assert!(tally.wrong.is_empty(), "{} differences, such as\n{}", tally.wrong.len(), tally.wrong[..tally.wrong.len().min(20)].join("\n"));
    assert!(tally.same > 50_000 && tally.unknown * 20 < tally.same, "{} the same, {} unknown to the other", tally.same, tally.unknown);
}

fn real_instruction_lengths_match_another_disassembler() {
    use object::{Object as _, ObjectSection as _, ObjectSymbol as _, SymbolKind};
    let bytes = std::fs::read(std::env::current_exe().expect("this program has a path")).expect("this program can be read");
    let file = object::File::parse(&*bytes).expect("this program is an object file");
    if file.architecture() != object::Architecture::X86_64 {
        return;
    }
    let mut tally = Tally::default();
    let mut functions = 0;
    for symbol in file.symbols().filter(|symbol| symbol.kind() == SymbolKind::Text && symbol.size() > 0) {
        let Some(section) = symbol.section_index().and_then(|index| file.section_by_index(index).ok()) else { continue };
        let Ok(Some(code)) = section.data_range(symbol.address(), symbol.size()) else { continue };
        tally.compare(code);
        functions += 1;
        if functions == 4000 * rounds() {
            break;
        }
    }
    assert!(tally.wrong.is_empty(), "{} differences, such as\n{}", tally.wrong.len(), tally.wrong[..tally.wrong.len().min(20)].join("\n"));
    assert!(
        functions > 1000 && tally.unknown == 0 && tally.same > 20_000,
        "{functions} functions, {} the same, {} unknown",
        tally.same,
        tally.unknown
    );
}

/// Lowers and verifies random functions (with frames, pushes, early returns, jump tables, statics, alignment and tail jumps), and calls them from Go.
/// The results must equal those of a native run, and the native run must not use more stack than the bounds.
fn generated_functions_give_native_results_in_go() {
    let dir = common::scratch("fuzz");
    let go_dir = dir.join("go");
    common::go_mod(&go_dir);
    let mut cases = Vec::new();
    for round in 0..5 * rounds() {
        let text = generate::program(seed().wrapping_add(round as u64));
        let name = format!("g{round}");
        common::write(&dir.join(format!("{name}.s")), &text);
        cases.push(run::assembly(Arch::Amd64, &name, &text, &go_dir, &dir));
    }
    run::Programs::build(Arch::Amd64, &dir, &go_dir, &cases).check(&cases, run::Bounds::Hold);
}
