//! Generates the functions and data of the assembly file that do not come from the crate: stubs of exits from Rust code, entries, the names that
//! checked entries report, and data that lies in text symbols.

use super::symbols::{address_of, checked_name};
use super::{DataLowering, Glue, Lowering, Signature, Symbols};
use crate::abi::TASK_BODY;
use crate::analyze::{ExportFacts, InstanceId};
use crate::exits::{Argument, Exit};
use crate::goasm::{Contract, Data, Expected, ExpectedDispatch, Op, Text};
use crate::ids::FuncId;

/// Returns a generated function without frame and arguments. Go's assembler chooses the encoding of its instructions.
pub fn text(name: &str, comment: String, flags: &[&'static str], ops: Vec<Op>) -> Text {
    let (comments, flags) = (vec![comment], flags.to_vec());
    Text { comments, name: name.to_owned(), flags, frame: 0, args: 0, ops, expected: Expected::default(), identity: None }
}

/// Returns the entry that jumps to the code for the processor's level (its set of instructions). `load` is an instruction that loads the level into a
/// register. `below` returns the instructions that jump to a label if the level is below a number.
pub fn dispatch(expected: &ExpectedDispatch, load: String, below: impl Fn(u8, &str) -> [String; 2]) -> Text {
    let mut ops = vec![Op::Inst(load)];
    let jump = |entry: &str| Op::Inst(format!("JMP {entry}(SB)"));
    if let Some(((_, lowest), higher)) = expected.entries.split_last() {
        for (from, entry) in higher {
            let label = format!("below{from}");
            ops.extend(below(*from, &label).map(Op::Inst));
            ops.extend([jump(entry), Op::Label(label)]);
        }
        ops.push(jump(lowest));
    }
    let expected = Expected { contract: Some(Contract::Dispatch(expected.clone())), ..Expected::default() };
    Text { expected, ..text("", String::new(), &["NOSPLIT", "NOFRAME"], ops) }
}

/// Returns a function without frame that only executes `steps`.
fn steps(machine: &dyn Lowering, name: &str, comment: String, steps: &[Glue]) -> Text {
    let (mut ops, expected) = machine.glue(steps);
    ops.insert(0, Op::Inst("NO_LOCAL_POINTERS".to_owned()));
    Text { expected, ..text(name, comment, &["NOSPLIT", "NOFRAME"], ops) }
}

/// Returns the stub that Rust code calls for an exit; `None` if the exit has no stub. The stub adds the arguments that Rust code does not pass.
pub fn stub(symbols: &Symbols<'_>, machine: &dyn Lowering, exit: Exit) -> Option<Text> {
    let row = exit.row();
    let stub = row.stub.as_ref()?;
    let handed: Vec<String> = row
        .arguments
        .iter()
        .zip(machine.arguments())
        .filter(|(argument, _)| argument.is_from_rust())
        .map(|(argument, register)| format!("{register} = {argument}"))
        .collect();
    let comment = match handed.as_slice() {
        [] => stub.what.to_owned(),
        handed => format!("{}: {}; {}", stub.what, handed.join(", "), if row.returns { "returns" } else { "does not return" }),
    };
    let mut added = Vec::new();
    for (register, _) in row.arguments.iter().enumerate().filter(|(_, argument)| **argument == Argument::Formatter) {
        match formatter(symbols) {
            Some((symbol, offset)) => added.push(Glue::Argument(register, symbol, offset)),
            // A package without the formatter of panic messages has no code that reaches this stub.
            None => return Some(steps(machine, stub.symbol, comment, &[Glue::Trap])),
        }
    }
    added.push(Glue::Jump(symbols.rt_function(exit)));
    Some(steps(machine, stub.symbol, comment, &added))
}

/// Returns the entry of a routine (a function of `rt` that is written in Rust). Other packages call the routine by the entry's global name.
pub fn routine(symbols: &Symbols<'_>, machine: &dyn Lowering, shim: InstanceId, signature: &Signature) -> Text {
    let (body, start) = symbols.body(shim);
    let what = format!("{}, by C's convention; needs {} bytes of stack", signature.name, symbols.facts.stacks[shim].need);
    steps(machine, &format!("·{}", signature.name), what, &[Glue::Enter(body, start)])
}

/// Returns the variable that describes a task's body: the address of the code, and 1 if the code uses the x87 stack.
pub fn task_body(symbols: &Symbols<'_>, export: &ExportFacts, symbol: &str) -> Data {
    let shim = export.shim;
    let (body, start) = symbols.body(shim);
    let mut bytes = vec![0; 16];
    bytes[8] = export.x87.into();
    Data {
        comment: format!("The address of {}, and whether it uses the x87 stack", symbols.path(shim)),
        identity: Some(symbol.to_owned()),
        name: format!("·{symbol}{TASK_BODY}"),
        read_only: true,
        size: bytes.len() as u64,
        bytes,
        pointers: vec![(0, body, start)],
    }
}

/// Returns a generated function that jumps to an exit. Where code uses the exit's address, lowered code uses the address of this function.
pub fn address(symbols: &Symbols<'_>, machine: &dyn Lowering, exit: Exit) -> Text {
    let what = format!("Stands for the address of {}", exit.row().name);
    steps(machine, &address_of(exit), what, &[Glue::Jump(symbols.rt_function(exit))])
}

/// Returns the function that `rt` calls to format a panic's message: its symbol, and an offset from the symbol.
fn formatter(symbols: &Symbols<'_>) -> Option<(String, i64)> {
    // Return the formatter's checked entry, which checks the stack. All formatting also calls the recursive function core::fmt::write, which checks
    // the stack again.
    symbols.object.format_panic.and_then(|id| symbols.addresses.get(&id)).map(|&me| symbols.checked_entry(me))
}

/// Returns the stub that replaces missing functions in a package that formats no panic messages. In a package that does not need `rt`, the stub
/// traps. The trap may leave memory in an unfinished state. But without `rt`, no code can recover from the trap, so no code can observe this state.
pub fn never_called(symbols: &Symbols<'_>, machine: &dyn Lowering) -> Text {
    let what = "Replaces functions whose addresses are stored but that no analysed code calls";
    let end = if symbols.facts.needs_rt() { Glue::Jump(symbols.rt_function(Exit::Missing)) } else { Glue::Trap };
    steps(machine, &symbols.exit(Exit::Missing), what.to_owned(), &[end])
}

/// Returns the generated function that replaces a C function whose address is used but that no export reaches. Where code uses the address of the C
/// function, lowered code uses the address of the generated function.
pub fn unreached(symbols: &Symbols<'_>, machine: &dyn Lowering, id: FuncId, name: &str) -> Text {
    let what = format!("Stands for the address of {}, which no known code calls", symbols.object.functions[id].path);
    steps(machine, name, what, &[Glue::Jump(symbols.exit(Exit::Missing))])
}

/// Generates the data that holds the names of functions with a checked entry. If the stack is exhausted, the checked entry passes its function's name
/// to `rt`.
pub fn checked_names(symbols: &Symbols<'_>) -> Vec<Data> {
    let name = |me, checked: &str| {
        let text = symbols.path(me);
        Data {
            comment: format!("{text:?}"),
            identity: None,
            name: checked_name(checked),
            read_only: true,
            size: text.len() as u64,
            bytes: text.into_bytes(),
            pointers: Vec::new(),
        }
    };
    symbols.checked.iter().map(|(&me, checked)| name(me, checked)).collect()
}

/// Returns a text symbol for read-only data whose alignment is larger than Go allows for data symbols. The data becomes the body of a function
/// that is never called.
pub fn data_in_text(
    machine: &dyn DataLowering,
    (comment, identity): (String, Option<String>),
    name: &str,
    align: u64,
    bytes: Vec<u8>,
) -> Text {
    let (bytes, op) = machine.bytes_in_text(bytes);
    let mut text = text(name, comment, &["NOSPLIT", "NOFRAME"], vec![Op::Inst(format!("PCALIGN ${align}")), op]);
    text.identity = identity;
    text.expected = Expected { align: align as u32, bytes, ..Expected::default() };
    text
}
