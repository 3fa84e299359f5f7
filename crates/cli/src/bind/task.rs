//! Makes the Go function that runs an export as a task: on a stack of its own, which `rt` provides.

use super::convert::{RT, value};
use super::locals::Locals;
use super::race_marks;
use crate::abi::TASK_BODY;
use crate::api::{Function, go_type, raw_type};
use crate::gosrc::{self, Declaration, Func, Value, Values};
use rustgo_schema::Type;

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
    let functions: Vec<(usize, String)> =
        function.params.iter().enumerate().filter(|(_, param)| param.is_func()).map(|(index, _)| (index, locals.fresh("number"))).collect();
    let passed = |index: usize| functions.iter().find(|(of, _)| *of == index).map(|(_, number)| number.clone());
    // An array without elements is aligned as its elements are: arguments and results begin at a multiple of 8.
    let word = || ("_".to_owned(), "[0]uint64".to_owned());
    let mut fields = vec![word()];
    fields.extend(
        raw.params
            .iter()
            .enumerate()
            .map(|(index, param)| (argument(index), if passed(index).is_some() { "uintptr".to_owned() } else { param.ty.clone() })),
    );
    fields.push(word());
    fields.extend(raw.results.iter().enumerate().map(|(index, param)| (result(index), param.ty.clone())));
    let given =
        |(index, param): (usize, &gosrc::Param)| format!("{}: {}", argument(index), passed(index).unwrap_or_else(|| param.name.clone()));
    let given: Vec<String> = raw.params.iter().enumerate().map(given).collect();
    let mut lines = Vec::new();
    for (count, (index, number)) in (1..).zip(&functions) {
        lines.extend([format!("var {number} uintptr"), format!("if {} != nil {{", raw.params[*index].name)]);
        lines.extend([format!("\t{number} = {count}"), "}".to_owned()]);
    }
    lines.push(format!("{frame} := struct {{"));
    lines.extend(columns(&fields, "\t"));
    lines.push(format!("}}{{{}}}", given.join(", ")));
    let arguments = if raw.params.is_empty() { "nil".to_owned() } else { format!("unsafe.Pointer(&{frame})") };
    let results = if raw.results.is_empty() { "nil".to_owned() } else { format!("unsafe.Pointer(&{frame}.r0)") };
    if race_marks::keeps(function) || !functions.is_empty() {
        // Results may refer to memory of the parameters, or a Go function may make the stack move during the call. If the frame is in Go's heap, so is
        // the memory that the parameters refer to.
        lines.push(format!("{RT}.Escape(unsafe.Pointer(&{frame}))"));
    }
    let call = format!("{body}, {}, {arguments}, {results}", function.task.unwrap_or_default());
    if functions.is_empty() {
        lines.push(format!("{RT}.RunTask({call})"));
    } else {
        lines.extend(calls(function, &call, &mut locals));
    }
    if !raw.results.is_empty() {
        let results: Vec<String> = (0..raw.results.len()).map(|index| format!("{frame}.{}", result(index))).collect();
        lines.push(format!("return {}", results.join(", ")));
    } else if raw.params.is_empty() {
        // The struct has no content.
        lines = vec![format!("{RT}.RunTask({body}, {}, nil, nil)", function.task.unwrap_or_default())];
    }
    vec![variable.into(), Func { body: Some(lines), ..raw }.into()]
}

/// Returns the call of `rt` with a function literal that calls the Go functions of the parameters, by their numbers. Their arguments are in a struct in
/// Rust's memory, with the raw types of results.
fn calls(function: &Function, call: &str, locals: &mut Locals) -> Vec<String> {
    let [number, arguments, result, given] = ["n", "arguments", "result", "given"].map(|name| locals.fresh(name));
    let mut lines = vec![
        format!("{RT}.RunTaskWith({call}, func({number} uintptr, {arguments}, {result} unsafe.Pointer) {{"),
        format!("\tswitch {number} {{"),
    ];
    for (count, param) in (1..).zip(function.params.iter().filter(|param| param.is_func())) {
        let Type::Func { params, results } = &param.field.ty else { continue };
        lines.push(format!("\tcase {count}:"));
        let fields: Vec<(String, String)> = params.iter().enumerate().map(|(index, ty)| (format!("a{index}"), raw_type(ty))).collect();
        if !fields.is_empty() {
            lines.push(format!("\t\t{given} := (*struct {{"));
            lines.extend(columns(&fields, "\t\t\t"));
            lines.push(format!("\t\t}})({arguments})"));
        }
        let values: Vec<String> = params.iter().enumerate().map(|(index, ty)| value(ty, &format!("{given}.a{index}"))).collect();
        let called = format!("{}({})", param.go.name, values.join(", "));
        lines.push(match results.first() {
            None => format!("\t\t{called}"),
            Some(ty) => format!("\t\t*(*{})({result}) = {called}", go_type(ty)),
        });
    }
    lines.extend(["\t}".to_owned(), "})".to_owned()]);
    lines
}

/// Returns the lines of a struct's fields, in columns as gofmt prints them.
fn columns(fields: &[(String, String)], indent: &str) -> Vec<String> {
    let width = fields.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    fields.iter().map(|(name, ty)| format!("{indent}{name:width$} {ty}")).collect()
}
