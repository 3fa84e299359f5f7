//! Makes the file for a report about refused code. The file contains, for each reason, the message and the machine code of the functions, without
//! source text.

use crate::analyze::Facts;
use crate::diag::Diagnostic;
use crate::load::{Function, Object, Target};
use serde::Serialize;
use std::fmt::Write as _;

/// The compiler and the target of the refused code.
pub struct Origin<'a> {
    /// The first line of `rustc --version`.
    pub rustc: &'a str,
    /// The target's name: `amd64 (x86-64)`.
    pub target: &'a str,
}

#[derive(Serialize)]
struct Report<'a> {
    rustgo: &'static str,
    rustc: &'a str,
    target: &'a str,
    reasons: Vec<Reason<'a>>,
}

#[derive(Serialize)]
struct Reason<'a> {
    code: &'static str,
    kind: &'static str,
    message: &'a str,
    functions: Vec<Bytes<'a>>,
}

/// The machine code of a function.
#[derive(Serialize)]
struct Bytes<'a> {
    path: &'a str,
    symbol: &'a str,
    member: &'a str,
    rustc: bool,
    llvm: bool,
    gcc: bool,
    align: u64,
    /// The offsets in the code at which fragments begin. A fragment is code that the compiler moved out of the function into another section.
    parts: Vec<u32>,
    /// The code in hexadecimal digits.
    code: String,
    relocations: Vec<Relocation>,
}

#[derive(Serialize)]
struct Relocation {
    offset: u32,
    kind: String,
    target: String,
    addend: i64,
}

/// Returns the file's text: one JSON object. `reasons` are merged and sorted.
pub fn refused(object: &Object, facts: &Facts, reasons: &[Diagnostic], origin: &Origin<'_>) -> String {
    let of = |reason: &'_ Diagnostic| -> Vec<String> {
        let places = reason.place.iter().chain(&reason.others);
        places.map(|place| place.function.clone()).collect()
    };
    let functions = |reason: &Diagnostic| {
        let paths = of(reason);
        let known = object.functions.iter().filter(|(_, function)| paths.contains(&function.path));
        // Several functions may have the same path, for example an export and its shim. Only analysed functions count.
        let analysed = |id| facts.instances.values().any(|instance| instance.function == id);
        known.filter(|(id, _)| analysed(*id)).map(|(_, function)| bytes(object, function)).collect()
    };
    let reasons = reasons
        .iter()
        .map(|reason| Reason {
            code: reason.code.as_str(),
            kind: reason.wall.as_str(),
            message: &reason.message,
            functions: functions(reason),
        })
        .collect();
    let report = Report { rustgo: env!("CARGO_PKG_VERSION"), rustc: origin.rustc, target: origin.target, reasons };
    // The values consist of strings, numbers and lists, so serialization cannot fail.
    serde_json::to_string_pretty(&report).unwrap_or_default() + "\n"
}

fn bytes<'a>(object: &Object, function: &'a Function) -> Bytes<'a> {
    let mut code = String::with_capacity(2 * function.code.len());
    for byte in &function.code {
        let _ = write!(code, "{byte:02x}");
    }
    let target = |target: &Target| match target {
        Target::Function(id) => object.functions[*id].symbol.clone(),
        Target::Data(id) => object.data[*id].name.clone(),
        Target::Exit(exit) => exit.to_string(),
        Target::Undefined(name) | Target::AmongCode(name) => name.clone(),
    };
    let relocations = function.relocs.iter().map(|reloc| Relocation {
        offset: reloc.offset,
        kind: format!("{:?}", reloc.kind),
        target: target(&reloc.target),
        addend: reloc.addend,
    });
    Bytes {
        path: &function.path,
        symbol: &function.symbol,
        member: &function.member,
        rustc: function.is_rust,
        llvm: function.is_llvm,
        gcc: function.is_gcc,
        align: function.align,
        parts: function.parts.iter().map(|part| part.start).collect(),
        code,
        relocations: relocations.collect(),
    }
}
