//! Prints the results of the crate evmole for the codes in testdata, and for damaged ones, for the test TestGolden:
//!
//!     cargo run --release --example golden > ../testdata/golden.txt
//!
//! It calls the crate evmole directly, not the exports of this package.

use evmole::control_flow_graph::{Block, BlockType, DynamicJump};
use evmole::{CborValue, ContractInfoArgs, DynSolType, Function, Selector, StorageRecord, contract_info};
use std::fmt::Write;

fn main() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata");
    let mut files: Vec<_> = std::fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "hex"));
    files.sort();
    for file in files {
        let name = file.file_stem().expect("a name").to_string_lossy().into_owned();
        let code = bytes(&std::fs::read_to_string(&file).expect("a text"));
        println!("{name} functions\n{}", functions(&code));
        println!("{name} storage\n{}", storage(&code));
        println!("{name} metadata\n{}", metadata(&code));
        println!("{name} instructions\n{}\n", sum(&instructions(&code)));
        println!("{name} blocks\n{}\n", sum(&blocks(&code)));
        println!("{name} graph\n{}\n", sum(&graph(&code)));
        println!("{name} damaged\n{}", damaged(&code));
    }
}

/// A line for each of some damaged codes: the sums of its functions, of its graph and, for short codes, of its storage.
fn damaged(code: &[u8]) -> String {
    let mut random = Random(1);
    let mut lines = String::new();
    for _ in 0..16 {
        let mut code = code.to_vec();
        for _ in 0..=random.below(8) {
            let at = random.below(code.len());
            code[at] = random.below(256) as u8;
        }
        let length = code.len() - random.below(code.len()) / 2;
        code.truncate(length);
        let storage = if code.len() < 1000 { sum(&storage(&code)) } else { "-".to_owned() };
        writeln!(lines, "{} {} {}", sum(&functions(&code)), sum(&graph(&code)), storage).expect("a String takes everything");
    }
    lines
}

/// A linear congruential generator, which the test has too.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) % n as u64) as usize
    }
}

fn bytes(text: &str) -> Vec<u8> {
    let digits: String = text.split_whitespace().collect();
    (0..digits.len()).step_by(2).map(|i| u8::from_str_radix(&digits[i..i + 2], 16).expect("digits")).collect()
}

/// The FNV-1a hash of a text.
fn sum(text: &str) -> String {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    format!("{hash:016x}")
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn lines<T>(items: impl IntoIterator<Item = T>, line: impl Fn(T) -> String) -> String {
    items.into_iter().map(|item| line(item) + "\n").collect()
}

fn list<T>(items: &[T], text: impl Fn(&T) -> String) -> String {
    items.iter().map(text).collect::<Vec<_>>().join(",")
}

fn functions(code: &[u8]) -> String {
    let found = contract_info(ContractInfoArgs::new(code).with_arguments().with_state_mutability()).functions;
    lines(found.expect("the functions"), |f: Function| {
        let arguments = list(&f.arguments.expect("the arguments"), |kind: &DynSolType| kind.sol_type_name().into_owned());
        let mutability = f.state_mutability.expect("the mutability").as_json_str().to_owned();
        format!("0x{} {} {} {} {}", hex(&f.selector), f.bytecode_offset, f.dispatch.as_str(), mutability, arguments)
    })
}

fn storage(code: &[u8]) -> String {
    let found = contract_info(ContractInfoArgs::new(code).with_storage());
    let selectors = |list: &[Selector]| self::list(list, |selector| format!("0x{}", hex(selector)));
    let line = |kind: &str, r: StorageRecord| {
        format!("{} 0x{} {} {} [{}] [{}]", kind, hex(&r.slot), r.offset, r.r#type, selectors(&r.reads), selectors(&r.writes))
    };
    lines(found.storage.expect("the storage"), |r| line("permanent", r))
        + &lines(found.transient_storage.expect("the storage"), |r| line("transient", r))
}

fn metadata(code: &[u8]) -> String {
    let Some(found) = contract_info(ContractInfoArgs::new(code).with_metadata()).metadata else { return String::new() };
    let entries = lines(found.entries, |entry| {
        let value = match entry.value {
            CborValue::String(text) => format!("text {text}"),
            CborValue::Bytes(bytes) => format!("bytes {}", hex(&bytes)),
            CborValue::Integer(number) => format!("number {number}"),
            CborValue::Bool(value) => format!("bool {value}"),
            CborValue::Undecoded(bytes) => format!("cbor {}", hex(&bytes)),
        };
        format!("{} {}", entry.key, value)
    });
    format!("{} {}\n{}", found.bytecode_offset, found.cbor_length, entries)
}

fn instructions(code: &[u8]) -> String {
    let found = contract_info(ContractInfoArgs::new(code).with_disassemble()).disassembled;
    lines(found.expect("the instructions"), |(offset, text)| format!("{offset} {text}"))
}

fn blocks(code: &[u8]) -> String {
    let found = contract_info(ContractInfoArgs::new(code).with_basic_blocks()).basic_blocks;
    lines(found.expect("the blocks"), |(start, end)| format!("{start} {end}"))
}

fn graph(code: &[u8]) -> String {
    let found = contract_info(ContractInfoArgs::new(code).with_control_flow_graph()).control_flow_graph;
    let blocks = found.expect("the graph").blocks;
    assert!(blocks.iter().all(|(&key, block)| key == block.id && key == block.start), "a block whose name is not its start");
    let paths = |jumps: &[DynamicJump]| {
        list(jumps, |jump| format!("{}>{}", list(&jump.path, usize::to_string).replace(',', "<"), jump.to.map_or(-1, |to| to as i64)))
    };
    lines(blocks.into_values(), |Block { start, end, btype, .. }| {
        let exit = match btype {
            BlockType::Terminate { success: true } => "success".to_owned(),
            BlockType::Terminate { success: false } => "failure".to_owned(),
            BlockType::Jump { to } => format!("jump {to}"),
            BlockType::Jumpi { true_to, false_to } => format!("branch {true_to} else {false_to}"),
            BlockType::DynamicJump { to } => format!("dynamic jump {}", paths(&to)),
            BlockType::DynamicJumpi { true_to, false_to } => format!("dynamic branch {} else {false_to}", paths(&true_to)),
        };
        format!("{start} {end} {exit}")
    })
}
