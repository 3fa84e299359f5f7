//! The helpers at the end of a generated file: types of raw values, as Rust returns them, and Go functions that convert these values. A file
//! contains only the helpers that it uses.

use super::build::{func, structure};
use super::convert::RT;
use crate::gosrc::{Declaration, names};

/// Returns the helpers that the declarations use, directly or through other helpers.
pub fn used(declarations: &[Declaration]) -> Vec<Declaration> {
    let mut words: Vec<String> = declarations.iter().map(Declaration::code).collect();
    // A helper uses only helpers that come later in the list.
    let mut used = Vec::new();
    for helper in all() {
        let is_used = helper.names().iter().any(|name| words.iter().any(|code| names(code, name)));
        if is_used {
            words.push(helper.code());
            used.push(helper);
        }
    }
    used
}

/// Returns the declarations of `candidates` that `users` use, directly or through other candidates.
pub fn needed(candidates: Vec<Declaration>, users: &[Declaration]) -> Vec<Declaration> {
    let mut words: Vec<String> = users.iter().map(Declaration::code).collect();
    let mut is_needed = vec![false; candidates.len()];
    loop {
        let is_used = |candidate: &Declaration| candidate.names().iter().any(|name| words.iter().any(|code| names(code, name)));
        let Some(next) = candidates.iter().enumerate().position(|(index, candidate)| !is_needed[index] && is_used(candidate)) else {
            break;
        };
        is_needed[next] = true;
        words.push(candidates[next].code());
    }
    candidates.into_iter().zip(is_needed).filter_map(|(candidate, is_needed)| is_needed.then_some(candidate)).collect()
}

/// Returns true if the code uses the package with this import name.
pub fn names_package(code: &str, name: &str) -> bool {
    let before = |c: char| c == '_' || c == '.' || c.is_alphanumeric();
    code.match_indices(name).any(|(at, _)| code[at + name.len()..].starts_with('.') && !code[..at].ends_with(before))
}

/// Returns all helpers, used or not.
fn all() -> Vec<Declaration> {
    let failure = format!(
        "if t.ptr == nil {{\n\treturn nil\n}}\nerr := {RT}.NewError(unsafe.Slice((*byte)(t.ptr), t.len))\nrust_release(t.ptr, t.cap, 1)\nreturn err"
    );
    vec![
        structure(
            "rust_append[T any]",
            &[("dst", "[]T"), ("spill", "rust_owned")],
            "rust_append is a slice to which Rust appends: up to its capacity in place, and what does not fit to a list of its own.",
        ),
        func(
            "rust_appended[T any]",
            &[("a", "*rust_append[T]")],
            "[]T",
            "rust_appended joins the slice and what did not fit.",
            "if a.spill.ptr == nil {\n\treturn a.dst\n}\ndst := append(a.dst, unsafe.Slice((*T)(a.spill.ptr), a.spill.len)...)\nrust_free[T](a.spill)\nreturn dst",
        ),
        func(
            "rust_source",
            &[("t", "rust_owned")],
            "*error",
            "rust_source is rust_failure for a source, which is behind a pointer so that == does not compare it.",
            "if t.ptr == nil {\n\treturn nil\n}\nerr := rust_failure(t)\nreturn &err",
        ),
        func(
            "rust_failure",
            &[("t", "rust_owned")],
            "error",
            "rust_failure makes an error of the texts of a Rust error and its sources, and frees the texts.",
            &failure,
        ),
        func(
            "rust_string",
            &[("t", "rust_owned")],
            "string",
            "rust_string copies an owned text and frees it.",
            "s := string(unsafe.Slice((*byte)(t.ptr), t.len))\nif t.cap != 0 {\n\trust_release(t.ptr, t.cap, 1)\n}\nreturn s",
        ),
        func(
            "rust_borrowed_string",
            &[("t", "rust_borrowed")],
            "string",
            "rust_borrowed_string copies a borrowed text.",
            "return string(unsafe.Slice((*byte)(t.ptr), t.len))",
        ),
        func(
            "rust_slice[T any]",
            &[("l", "rust_owned")],
            "[]T",
            "rust_slice copies an owned list and frees it.",
            "s := append([]T(nil), unsafe.Slice((*T)(l.ptr), l.len)...)\nrust_free[T](l)\nreturn s",
        ),
        func(
            "rust_borrowed_slice[T any]",
            &[("l", "rust_borrowed")],
            "[]T",
            "rust_borrowed_slice copies a borrowed list.",
            "return append([]T(nil), unsafe.Slice((*T)(l.ptr), l.len)...)",
        ),
        func(
            "rust_list[R, T any]",
            &[("l", "rust_owned"), ("value", "func(R) T")],
            "[]T",
            "rust_list makes a slice of an owned list, value by value, and frees the list.",
            "s := rust_borrowed_list(rust_borrowed{l.ptr, l.len}, value)\nrust_free[R](l)\nreturn s",
        ),
        func(
            "rust_borrowed_list[R, T any]",
            &[("l", "rust_borrowed"), ("value", "func(R) T")],
            "[]T",
            "rust_borrowed_list makes a slice of a borrowed list, value by value.",
            "if l.len == 0 {\n\treturn nil\n}\ns := make([]T, l.len)\nfor i, raw := range unsafe.Slice((*R)(l.ptr), l.len) {\n\ts[i] = value(raw)\n}\nreturn s",
        ),
        func(
            "rust_free[T any]",
            &[("l", "rust_owned")],
            "",
            "rust_free frees the memory of a list.",
            "if l.cap != 0 {\n\tvar elem T\n\trust_release(l.ptr, l.cap*uint(unsafe.Sizeof(elem)), uint(unsafe.Alignof(elem)))\n}",
        ),
        structure(
            "rust_owned",
            &[("ptr", "unsafe.Pointer"), ("len", "uint"), ("cap", "uint")],
            "rust_owned is a text or list in the Rust heap, which Go has to free unless cap is 0.",
        ),
        structure("rust_borrowed", &[("ptr", "unsafe.Pointer"), ("len", "uint")], "rust_borrowed is a text or list that Rust keeps."),
    ]
}
