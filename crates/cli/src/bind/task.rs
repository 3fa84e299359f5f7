//! Makes the Go function that runs an export as a task: on a stack of its own, which `rt` provides.

use super::convert::RT;
use super::locals::Locals;
use super::race_marks;
use crate::abi::TASK_BODY;
use crate::api::Function;
use crate::gosrc::{Declaration, Func, Value, Values};

/// Returns the variable with the address of the Rust code, which the assembly file defines, and the function that wrappers call. The function has the
/// name and the types of the assembly function that exports without this option have. It passes arguments and results in a struct with the layout of
/// Go's argument area.
pub fn declare(function: &Function) -> Vec<Declaration> {
    let raw = function.declare_raw();
    let body = format!("{}{TASK_BODY}", function.symbol);
    let doc = format!("{body} is the address of the Rust code. The assembly file sets it.");
    let variable = Values { keyword: "var", values: vec![Value { doc, name: body.clone(), ty: "uintptr".into(), ..Value::default() }] };
    let mut locals = Locals::of(function);
    let frame = locals.fresh("frame");
    let argument = |index: usize| format!("a{index}");
    let result = |index: usize| format!("r{index}");
    // An array without elements is aligned as its elements are: arguments and results begin at a multiple of 8.
    let word = || ("_".to_owned(), "[0]uint64".to_owned());
    let mut fields = vec![word()];
    fields.extend(raw.params.iter().enumerate().map(|(index, param)| (argument(index), param.ty.clone())));
    fields.push(word());
    fields.extend(raw.results.iter().enumerate().map(|(index, param)| (result(index), param.ty.clone())));
    let width = fields.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let given: Vec<String> = raw.params.iter().enumerate().map(|(index, param)| format!("{}: {}", argument(index), param.name)).collect();
    let mut lines = vec![format!("{frame} := struct {{")];
    lines.extend(fields.iter().map(|(name, ty)| format!("\t{name:width$} {ty}")));
    lines.push(format!("}}{{{}}}", given.join(", ")));
    let arguments = if raw.params.is_empty() { "nil".to_owned() } else { format!("unsafe.Pointer(&{frame})") };
    let results = if raw.results.is_empty() { "nil".to_owned() } else { format!("unsafe.Pointer(&{frame}.r0)") };
    if race_marks::keeps(function) {
        // Results may refer to memory of the parameters. If the frame is in Go's heap, so is that memory.
        lines.push(format!("{RT}.Escape(unsafe.Pointer(&{frame}))"));
    }
    lines.push(format!("{RT}.RunTask({body}, {}, {arguments}, {results})", function.task.unwrap_or_default()));
    if !raw.results.is_empty() {
        let results: Vec<String> = (0..raw.results.len()).map(|index| format!("{frame}.{}", result(index))).collect();
        lines.push(format!("return {}", results.join(", ")));
    } else if raw.params.is_empty() {
        // The struct has no content.
        lines = vec![format!("{RT}.RunTask({body}, {}, nil, nil)", function.task.unwrap_or_default())];
    }
    vec![variable.into(), Func { body: Some(lines), ..raw }.into()]
}
