//! Tests each comparison of `verify::compare` separately: one place in the object of Go's assembler is changed, and the comparison must report the
//! change. The tests are named after the comparisons: `verify::objects::sp_write::amd64`.

use super::lowered;
use crate::common;
use crate::harness::{Shared, Test};
use rustgo_cli::testing::backend::machine;
use rustgo_cli::testing::goasm::File;
use rustgo_cli::testing::goobj::{self, GoObject, Symbol, func_flag, kind, reloc, symbol_flag};
use rustgo_cli::testing::target::Arch;
use rustgo_cli::testing::verify::compare;
use std::sync::Arc;

/// The import path that `verify` uses for the package.
const PACKAGE: &str = "rustgo.verify/p";

/// Names of the tested symbols: a body, whose bytes the file contains; an entry, whose instructions the assembler encodes; and an entry without a
/// stack check. `STATIC` and `CONSTANTS` name two kinds of data.
const BODY: &str = "case.framed";
const ENTRY: &str = "rustgo.verify/p.Framed";
const FUSED: &str = "rustgo.verify/p.Fused";
/// A function that the body calls.
const CALLED: &str = "rust.walk";
const STATIC: &str = "rust.data.";
const CONSTANTS: &str = "rust.rodata.1";

/// A change of an object, and the expected report.
struct Change {
    comparison: &'static str,
    /// The name of the changed symbol. A name that ends with a dot means the first symbol that begins with it.
    symbol: &'static str,
    change: fn(&mut Symbol),
    report: &'static str,
}

const CHANGES: [Change; 21] = [
    Change { comparison: "missing_symbol", symbol: BODY, change: |symbol| symbol.name.push('X'), report: "is not in the object" },
    Change { comparison: "other_symbol", symbol: BODY, change: |symbol| symbol.name.push('X'), report: "was not expected to exist" },
    Change { comparison: "function", symbol: BODY, change: |symbol| symbol.func = None, report: "is not a function" },
    Change {
        comparison: "sp_write",
        symbol: BODY,
        change: |symbol| function(symbol).flags |= func_flag::SP_WRITE,
        report: "writes SP in a way that stops the unwinder",
    },
    Change {
        comparison: "no_stack_check",
        symbol: BODY,
        change: |symbol| symbol.flags |= symbol_flag::NOSPLIT,
        report: "has no stack check",
    },
    Change {
        comparison: "stack_check",
        symbol: FUSED,
        change: |symbol| symbol.flags &= !symbol_flag::NOSPLIT,
        report: "has a stack check",
    },
    Change { comparison: "frame", symbol: BODY, change: |symbol| function(symbol).locals += 8, report: "has a frame of $" },
    Change { comparison: "arguments", symbol: ENTRY, change: |symbol| function(symbol).args += 8, report: "has a frame of $" },
    Change { comparison: "alignment", symbol: BODY, change: |symbol| symbol.align = 1, report: "is aligned to 1 bytes instead of" },
    Change { comparison: "length", symbol: BODY, change: |symbol| symbol.data.truncate(40), report: "has 40 bytes; " },
    Change {
        comparison: "body",
        symbol: BODY,
        change: |symbol| *symbol.data.get_mut(60).expect("the body is longer") ^= 1,
        report: " of the body is ",
    },
    Change {
        comparison: "relocation_gone",
        symbol: BODY,
        change: |symbol| symbol.relocs.retain(|reloc| reloc.target != CALLED),
        report: "has the relocation",
    },
    Change { comparison: "relocation_offset", symbol: BODY, change: |symbol| call(symbol).addend += 4, report: "has the relocation Some" },
    Change {
        comparison: "relocation_target",
        symbol: BODY,
        change: |symbol| call(symbol).target.push('X'),
        report: "has the relocation Some",
    },
    Change {
        comparison: "reference",
        symbol: ENTRY,
        change: |symbol| symbol.relocs.iter_mut().filter(|r| r.target == BODY).for_each(|r| r.addend += 4),
        report: "refers to [",
    },
    Change {
        comparison: "sp_table",
        symbol: BODY,
        change: |symbol| function(symbol).pcsp.iter_mut().for_each(|(_, depth)| *depth += i32::from(*depth != 0) * 8),
        report: "the SP table says",
    },
    Change {
        comparison: "sp_table_of_an_entry",
        symbol: ENTRY,
        change: |symbol| function(symbol).pcsp.iter_mut().for_each(|(_, depth)| *depth += 8),
        report: "where the code has SP",
    },
    Change { comparison: "size", symbol: STATIC, change: |symbol| symbol.size += 8, report: "bytes instead of" },
    Change { comparison: "kind", symbol: STATIC, change: |symbol| symbol.kind = kind::SRODATA, report: "is data of another kind" },
    Change { comparison: "content", symbol: CONSTANTS, change: changed_content, report: "has other content than was expected" },
    Change {
        comparison: "pointers",
        symbol: CONSTANTS,
        change: |symbol| {
            let added = goobj::Reloc {
                offset: 0,
                size: 8,
                kind: reloc::R_ADDR,
                addend: 0,
                target: BODY.to_owned(),
                target_abi: 0,
                target_index: None,
            };
            symbol.relocs.push(added);
        },
        report: "has the pointers [",
    },
];

fn function(symbol: &mut Symbol) -> &mut goobj::FuncInfo {
    symbol.func.as_mut().expect("it is a function")
}

/// The relocation of the body's call.
fn call(symbol: &mut Symbol) -> &mut goobj::Reloc {
    symbol.relocs.iter_mut().find(|reloc| reloc.target == CALLED).expect("the body calls it")
}

fn changed_content(symbol: &mut Symbol) {
    let size = symbol.size as usize;
    symbol.data.resize(size, 0);
    symbol.data[size - 1] ^= 1;
}

/// The file that lowering made, and its object.
fn assembled(arch: Arch) -> (File, GoObject) {
    let asm = lowered(arch).asm;
    let dir = tempfile::tempdir().expect("a scratch folder");
    let (source, object) = (dir.path().join(asm.name()), dir.path().join("object"));
    common::write(&source, &asm.print());
    let mode = &machine(arch).modes()[0];
    let output = common::go().assemble(mode.goos, arch, PACKAGE, &source, &object, mode.flags);
    let output = output.unwrap_or_else(|failure| panic!("{}", common::failure_text(&failure)));
    assert!(output.status.success(), "{}", output.stderr);
    let object = goobj::read(&std::fs::read(&object).expect("the object can be read")).expect("the object is understood");
    (asm, object)
}

pub fn tests() -> Vec<Test> {
    let mut tests = Vec::new();
    for arch in Arch::ALL {
        let made = Arc::new(Shared::new(move || assembled(arch)));
        // No body for arm64 requires an alignment.
        for change in CHANGES.iter().filter(|change| arch == Arch::Amd64 || change.comparison != "alignment") {
            let made = made.clone();
            tests.push(Test::new(format!("verify::objects::{}::{}", change.comparison, arch.goarch()), move || {
                let (file, object) = made.get();
                is_reported(arch, file, object, change);
            }));
        }
    }
    tests
}

fn is_reported(arch: Arch, file: &File, object: &GoObject, change: &Change) {
    let system = machine(arch).modes()[0].system;
    assert_eq!(compare(file, object, machine(arch), system), Vec::<String>::new(), "before the change");
    let mut changed = object.clone();
    let symbol = changed
        .symbols
        .iter_mut()
        .find(|symbol| symbol.name == change.symbol || change.symbol.ends_with('.') && symbol.name.starts_with(change.symbol));
    let symbol = symbol.unwrap_or_else(|| panic!("there is no {}", change.symbol));
    let name = symbol.name.clone();
    (change.change)(symbol);
    assert!(&changed != object, "the change changes nothing");
    let reports = compare(file, &changed, machine(arch), system);
    assert!(
        reports.iter().any(|report| report.starts_with(&name) && report.contains(change.report)),
        "{name} and {:?} are not in {reports:#?}",
        change.report
    );
}
