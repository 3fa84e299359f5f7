//! Statements in wrappers that tell Go's compiler and Go's race detector which memory a call of Rust uses.
//!
//! If a result or an iterator refers to memory of a parameter, that memory must be in Go's heap: see [`escapes`]. All other statements tell the
//! race detector which memory a call reads and writes. `RaceEnabled` is a constant, so Go's compiler removes these statements from programs built
//! without the detector, and still inlines the wrappers.

use super::convert::RT;
use super::locals::Locals;
use crate::api::{Function, refers};
use rustgo_schema::{Basic, Type};

/// Returns the race detector's statements that precede a call. There are none if no parameter refers to Go memory.
pub fn before(function: &Function, locals: &mut Locals) -> Vec<String> {
    let mut lines = Vec::new();
    for param in &function.params {
        mark(&param.field.ty, &param.go.name, locals, &mut lines);
    }
    only_if_enabled(lines)
}

/// Returns the race detector's statements that follow a call that appended to `slice`. `elem` is the type of an element. `appended` is the slice
/// after the call. If the capacity of `slice` sufficed, both slices use the same memory.
pub fn appended(elem: &Type, slice: &str, appended: &str, locals: &mut Locals) -> Vec<String> {
    let written = locals.fresh("written");
    let mut lines = vec![format!("{written} := {appended}[len({slice}):]")];
    lines.extend(elements("RaceWrite", elem, &written));
    if lines.len() == 1 { Vec::new() } else { only_if_enabled(lines) }
}

/// Returns true if the parameters' memory must not move until Go has copied the results. This is so in two cases. In the first, a result or an
/// iterator refers to the memory. In the second, the call may block, and Go copies a borrowed text or list after it: during a blocking call, Go may
/// move the stack (docs/safety.md).
pub fn keeps(function: &Function) -> bool {
    let copies = || function.results.iter().any(|result| is_copied_where_it_lies(&result.field.ty));
    function.borrows || function.makes_iterator() || function.blocking.is_some() && copies()
}

fn is_copied_where_it_lies(ty: &Type) -> bool {
    ty.has(|ty| matches!(ty, Type::Text { freed: false } | Type::List { freed: false, .. }))
}

/// Returns true if the statements of [`escapes`] can put all memory that the parameters refer to in Go's heap.
pub fn can_escape(function: &Function) -> bool {
    function.params.iter().all(|param| !refers(&param.field.ty) || address(&param.field.ty, &param.go.name).is_some())
}

/// Returns statements that make Go's compiler allocate the parameters' memory in the heap. There are none if that memory may move.
pub fn escapes(function: &Function) -> Vec<String> {
    if !keeps(function) || !can_escape(function) {
        return Vec::new();
    }
    let addresses = function.params.iter().filter_map(|param| address(&param.field.ty, &param.go.name));
    addresses.map(|address| format!("{RT}.Escape({address})")).collect()
}

/// Returns a Go expression for the address of the memory that a parameter refers to. None for objects in the Rust heap.
fn address(ty: &Type, name: &str) -> Option<String> {
    match ty {
        Type::Basic(Basic::String) => Some(format!("unsafe.Pointer(unsafe.StringData({name}))")),
        Type::Slice { .. } | Type::Append { .. } => Some(format!("unsafe.Pointer(unsafe.SliceData({name}))")),
        Type::Pointer { elem, .. } if !matches!(**elem, Type::Object { words: 0, .. }) => Some(format!("unsafe.Pointer({name})")),
        _ => None,
    }
}

fn only_if_enabled(lines: Vec<String>) -> Vec<String> {
    if lines.is_empty() {
        return lines;
    }
    let begin = std::iter::once(format!("if {RT}.RaceEnabled {{"));
    begin.chain(indented(lines)).chain(["}".to_owned()]).collect()
}

/// Indents statements by one level.
pub fn indented(lines: Vec<String>) -> impl Iterator<Item = String> {
    lines.into_iter().map(|line| format!("\t{line}"))
}

/// Adds statements that mark, for the race detector, the memory that the expression refers to, directly and through pointers in that memory.
/// Objects in the Rust heap are left out. Handles are numbers and refer to no memory.
fn mark(ty: &Type, expression: &str, locals: &mut Locals, lines: &mut Vec<String>) {
    match ty {
        Type::Basic(Basic::String) => {
            lines.push(format!("{RT}.RaceRead(unsafe.Pointer(unsafe.StringData({expression})), uintptr(len({expression})))"));
        }
        Type::Slice { mutable, elem } => {
            lines.extend(elements(access(*mutable), elem, expression));
            each(elem, expression, locals, lines);
        }
        Type::Array { elem, .. } => each(elem, expression, locals, lines),
        Type::Pointer { elem, .. } if matches!(**elem, Type::Object { words: 0, .. }) => {}
        Type::Pointer { mutable, elem } => {
            let mut inside = Vec::new();
            let size = elem.layout().size;
            if size > 0 {
                inside.push(format!("{RT}.{}(unsafe.Pointer({expression}), {size})", access(*mutable)));
            }
            // Go accesses fields and elements through the pointer itself. Any other value needs a dereference.
            let value = match **elem {
                Type::Struct { .. } | Type::Array { .. } if expression.starts_with('*') => format!("({expression})"),
                Type::Struct { .. } | Type::Array { .. } => expression.to_owned(),
                _ => format!("*{expression}"),
            };
            mark(elem, &value, locals, &mut inside);
            if !inside.is_empty() {
                // A nil pointer is a valid argument, which Rust gets as None.
                lines.push(format!("if {expression} != nil {{"));
                lines.extend(indented(inside));
                lines.push("}".into());
            }
        }
        Type::Struct { fields, .. } => {
            let fields = fields.iter().filter(|field| field.ty.layout().size > 0);
            fields.for_each(|field| mark(&field.ty, &format!("{expression}.{}", field.go_name), locals, lines));
        }
        _ => {}
    }
}

/// Adds a loop that marks, for the race detector, the memory that each element refers to.
fn each(elem: &Type, expression: &str, locals: &mut Locals, lines: &mut Vec<String>) {
    if !refers(elem) {
        return;
    }
    let element = locals.fresh("element");
    let mut inside = Vec::new();
    mark(elem, &element, locals, &mut inside);
    lines.push(format!("for _, {element} := range {expression} {{"));
    lines.extend(indented(inside));
    lines.push("}".into());
}

/// Returns the call that marks the memory of a slice's elements for the race detector. `access` is `RaceRead` or `RaceWrite`.
fn elements(access: &str, elem: &Type, slice: &str) -> Option<String> {
    let times = match elem.layout().size {
        0 => return None,
        1 => String::new(),
        size => format!("*{size}"),
    };
    Some(format!("{RT}.{access}(unsafe.Pointer(unsafe.SliceData({slice})), uintptr(len({slice})){times})"))
}

fn access(mutable: bool) -> &'static str {
    if mutable { "RaceWrite" } else { "RaceRead" }
}
