//! What stands in the file besides the crate's own code: the panic entry, names that checked entries print, data in text.

use super::{DataLowering, Glue, Lowering, PANIC, Symbols, UNAVAILABLE};
use crate::goasm::{Data, Meant, Op, Text};

/// A function of glue: no frame, no arguments, the assembler's own choice of bytes.
pub fn text(name: &str, comment: String, flags: &[&'static str], ops: Vec<Op>) -> Text {
    let (comments, flags) = (vec![comment], flags.to_vec());
    Text { comments, name: name.to_owned(), flags, frame: 0, args: 0, ops, meant: Meant::default() }
}

/// A function that does these steps and has no frame.
fn steps(machine: &dyn Lowering, name: &str, comment: String, steps: &[Glue]) -> Text {
    let (mut ops, meant) = machine.glue(steps);
    ops.insert(0, Op::Inst("NO_LOCAL_POINTERS".to_owned()));
    Text { meant, ..text(name, comment, &["NOSPLIT", "NOFRAME"], ops) }
}

/// The panic entry of the package, which hands the crate's formatter to `rt`, and the stub for what is not carried.
pub fn panic_glue(symbols: &Symbols<'_>, machine: &dyn Lowering) -> Vec<Text> {
    // Its check is the first of two: core::fmt::write, which all of it goes through, recurses, and so has one too.
    let formatter = symbols.object.format_panic.and_then(|id| symbols.addresses.get(&id)).map(|&me| symbols.checked_entry(me));
    let panic = match formatter {
        Some((symbol, offset)) => vec![Glue::Second(symbol, offset), Glue::Jump(format!("{}·enter", symbols.rt))],
        // Without a formatter nothing gets here.
        None => vec![Glue::Trap],
    };
    let what = format!("Rust's panic entry: {} = &core::panic::PanicInfo; does not return", machine.arguments()[0]);
    let missing = "Stands for functions that only the text of a panic could need and that cannot run in Go: ends the formatting";
    vec![
        steps(machine, PANIC, what, &panic),
        steps(machine, UNAVAILABLE, missing.to_owned(), &[Glue::Jump(format!("{}·missing", symbols.rt))]),
    ]
}

/// The stub in a package that formats no message. Where nothing recovers, nothing is left in memory by what did not return.
pub fn never_called(symbols: &Symbols<'_>, machine: &dyn Lowering) -> Text {
    let what = "Stands for functions whose address is kept, and which nothing is known to call";
    let end = if symbols.facts.needs_rt() { Glue::Jump(format!("{}·missing", symbols.rt)) } else { Glue::Trap };
    steps(machine, UNAVAILABLE, what.to_owned(), &[end])
}

/// The symbol of a function's name, for the message of its checked entry.
pub fn checked_name(checked: &str) -> String {
    format!("{}·name<>", checked.trim_end_matches("<>"))
}

/// The names that checked entries refer to.
pub fn checked_names(symbols: &Symbols<'_>) -> Vec<Data> {
    let name = |me, checked: &str| {
        let text = symbols.path(me);
        Data {
            comment: format!("{text:?}"),
            name: checked_name(checked),
            read_only: true,
            size: text.len() as u64,
            bytes: text.into_bytes(),
            pointers: Vec::new(),
        }
    };
    symbols.checked.iter().map(|(&me, checked)| name(me, checked)).collect()
}

/// Read-only data that needs more alignment than Go gives data: in a function that is never called.
pub fn data_in_text(machine: &dyn DataLowering, comment: String, name: &str, align: u64, bytes: Vec<u8>) -> Text {
    let (bytes, op) = machine.bytes_in_text(bytes);
    let mut text = text(name, comment, &["NOSPLIT", "NOFRAME"], vec![Op::Inst(format!("PCALIGN ${align}")), op]);
    text.meant = Meant { align: align as u32, bytes, ..Meant::default() };
    text
}
