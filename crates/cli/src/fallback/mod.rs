//! Makes the Go code for processors for which the package has no assembly (`fallback = "wasm"`): reads the WebAssembly module that was compiled from
//! the author's crate, finds the shims of the exports, and lets wasm2go translate the module to Go.
//!
//! The stage bind makes the Go file with the package's declarations for these processors. The raw functions in this file call the shims.

mod module;
mod refuse;
mod translate;

pub use refuse::refuse;
pub use translate::{MODULE, VERSION, obtainable, require_wasm2go, translate};

use crate::api::{Package, is_same_constant};
use crate::diag::{Diagnostic, ErrorCode, Place, Result};
use crate::target::show_size;
use module::Module;
use rustgo_schema::{Constant, Function, Record};
use std::collections::BTreeMap;

/// The largest WebAssembly module that is translated, in bytes. Go needs minutes and gigabytes of memory to compile the translation of a much larger
/// module.
const LARGEST: usize = 3 << 20;

/// The shims of the package's raw functions, by the raw functions' symbols. A shim is given by its index in the module's table of functions.
pub type Shims = BTreeMap<String, u64>;

/// Finds the shim of each function of the package in a WebAssembly module.
///
/// # Errors
/// Refuses a module that is too large, that cannot be read, that imports functions, or whose exports or constants differ from those in the machine
/// code.
pub fn shims(bytes: &[u8], package: &Package) -> Result<Shims> {
    if bytes.len() > LARGEST {
        let (size, largest) = (show_size(bytes.len() as u64), show_size(LARGEST as u64));
        let message = format!("the crate has {size} of WebAssembly, and fallback = \"wasm\" translates at most {largest}");
        return Err(Diagnostic::new(ErrorCode::Unsupported, message)
            .hint("turn features of its dependencies off, set opt-level = \"s\" in the crate, or remove the setting")
            .into());
    }
    let module = Module::read(bytes).map_err(|what| damaged(&what))?;
    if let Some(import) = module.imports.first() {
        let message = format!("the crate's WebAssembly imports {import}, and fallback = \"wasm\" provides no functions");
        return Err(Diagnostic::new(ErrorCode::Undefined, message)
            .hint("turn off the feature of the dependency that is meant for browsers, or remove the setting")
            .into());
    }
    let mut found: Vec<(Function, u64)> = Vec::new();
    let mut constants: Vec<Constant> = Vec::new();
    for (record, shim) in module.records() {
        match record.decode().map_err(|error| damaged(&error.to_string()))? {
            Record::Function(function) => found.push((function, shim)),
            Record::Constant(constant) => constants.push(constant),
            _ => {}
        }
    }
    for constant in &package.constants {
        if !constants.iter().any(|other| constant.go_name == other.go_name && is_same_constant(constant, other)) {
            return Err(differs(&constant.rust_path, crate::api::place(&constant.rust_path, &constant.file, constant.line))
                .hint("give the constant the same type and value whatever the target is, or remove fallback = \"wasm\"")
                .into());
        }
    }
    let mut shims = Shims::new();
    for function in package.functions.values() {
        let is_it = |found: &&(Function, u64)| function.is_described_by(&found.0);
        match found.iter().find(is_it) {
            Some((_, shim)) => drop(shims.insert(function.symbol.clone(), *shim)),
            None => {
                return Err(differs(&function.rust_path, function.place())
                    .hint("export the same functions, with the same types, whatever the target is, or remove fallback = \"wasm\"")
                    .into());
            }
        }
    }
    Ok(shims)
}

fn differs(rust_path: &str, place: Place) -> Diagnostic {
    Diagnostic::new(ErrorCode::Unsupported, format!("{rust_path} differs between wasm64 and the machine code")).at(place)
}

fn damaged(what: &str) -> Diagnostic {
    Diagnostic::new(ErrorCode::Archive, format!("the crate's WebAssembly cannot be read: {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::Failure;
    use rustgo_schema::{Basic, Type};

    /// Returns the message and the hint of the refusal of a module, for a package with the function `Sum`.
    fn refusal(bytes: &[u8]) -> (String, Option<String>) {
        let sum = crate::api::tests::export("Sum", vec![crate::api::tests::field("x", Type::Basic(Basic::Uint32))], vec![]);
        match shims(bytes, &Package::new([&sum], &[])) {
            Err(Failure::Refused(mut refused)) if refused.len() == 1 => refused.pop().map(|it| (it.message, it.hint)).unwrap(),
            other => panic!("{other:?}"),
        }
    }

    const EMPTY: &[u8] = b"\0asm\x01\0\0\0";

    #[test]
    fn modules_are_refused_with_a_way_out() {
        let importing = [EMPTY, &[2, 12, 1, 3, b'e', b'n', b'v', 3, b'n', b'o', b'w', 0, 0, 0]].concat();
        for (bytes, message, hint) in [
            (
                vec![0; LARGEST + (1 << 20)],
                "the crate has 4 MiB of WebAssembly, and fallback = \"wasm\" translates at most 3 MiB",
                Some("turn features of its dependencies off, set opt-level = \"s\" in the crate, or remove the setting"),
            ),
            (
                importing,
                "the crate's WebAssembly imports env.now, and fallback = \"wasm\" provides no functions",
                Some("turn off the feature of the dependency that is meant for browsers, or remove the setting"),
            ),
            (
                EMPTY.to_vec(),
                "demo::sum differs between wasm64 and the machine code",
                Some("export the same functions, with the same types, whatever the target is, or remove fallback = \"wasm\""),
            ),
            (EMPTY[..7].to_vec(), "the crate's WebAssembly cannot be read: it ends too early", None),
            (vec![0; 8], "the crate's WebAssembly cannot be read: it is not a module of version 1", None),
        ] {
            assert_eq!(refusal(&bytes), (message.to_owned(), hint.map(str::to_owned)));
        }
    }
}
