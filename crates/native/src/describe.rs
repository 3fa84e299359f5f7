//! Describes the crate's exports as JSON.

use crate::exports::{Exports, is_called};
use crate::protocol::VERSION;
use rustgo_schema::{Field, Member, Type, Variant};
use std::fmt::Write as _;

/// Returns the description of all exports. `text` formats the value of a constant.
pub fn describe(exports: &Exports, text: impl Fn(&rustgo_schema::Constant) -> String) -> String {
    let called = exports.all.iter().enumerate().filter(|(_, export)| is_called(export)).map(|(number, export)| {
        let (params, results) = (list(&export.function.params, field), list(&export.function.results, field));
        format!("{{\"number\":{number},\"name\":{},\"params\":{params},\"results\":{results}}}", string(&export.name))
    });
    let constants = exports.constants.iter().map(|constant| {
        format!("{{\"name\":{},\"type\":{},\"text\":{}}}", string(&constant.go_name), ty(&constant.ty), string(&text(constant)))
    });
    let (called, constants) = (called.collect::<Vec<_>>().join(","), constants.collect::<Vec<_>>().join(","));
    format!("{{\"version\":{VERSION},\"exports\":[{called}],\"constants\":[{constants}]}}")
}

fn field(field: &Field) -> String {
    format!("{{\"name\":{},\"type\":{}}}", string(&field.name), ty(&field.ty))
}

fn member(member: &Member) -> String {
    format!("{{\"name\":{},\"type\":{}}}", string(&member.go_name), ty(&member.ty))
}

fn variant(variant: &Variant) -> String {
    // The macro adds a field with the texts of an error's sources. Go's type has no such field.
    let fields: Vec<Member> = variant.fields.iter().filter(|field| !field.is_sources()).cloned().collect();
    format!("{{\"name\":{},\"fields\":{}}}", string(&variant.go_name), list(&fields, member))
}

fn list<T>(items: &[T], show: impl Fn(&T) -> String) -> String {
    format!("[{}]", items.iter().map(show).collect::<Vec<_>>().join(","))
}

fn ty(of: &Type) -> String {
    let (kind, parts) = match of {
        Type::Basic(basic) => (basic.go_name(), String::new()),
        Type::Array { len, elem } => ("array", format!(",\"len\":{len},\"elem\":{}", ty(elem))),
        Type::Pointer { mutable, elem } => ("pointer", format!(",\"mutable\":{mutable},\"elem\":{}", ty(elem))),
        Type::Slice { mutable, elem } => ("slice", format!(",\"mutable\":{mutable},\"elem\":{}", ty(elem))),
        Type::Handle { .. } => ("handle", String::new()),
        Type::Struct { decl, fields, .. } => {
            // A field of size zero is left out in Go.
            let fields: Vec<Member> = fields.iter().filter(|field| field.ty.layout().size > 0).cloned().collect();
            ("struct", format!(",\"name\":{},\"fields\":{}", string(&decl.go_name), list(&fields, member)))
        }
        Type::Enum { decl, base, variants } => {
            // The numbers are strings in JSON, because many readers of JSON convert numbers to floats.
            let values = list(variants, |variant| format!("\"{}\"", variant.value));
            ("enum", format!(",\"name\":{},\"elem\":{},\"values\":{values}", string(&decl.go_name), ty(base)))
        }
        Type::Object { decl, flags, words, .. } => {
            ("object", format!(",\"name\":{},\"flags\":{flags},\"len\":{words}", string(&decl.go_name)))
        }
        Type::Text { .. } => ("text", String::new()),
        Type::List { elem, .. } => ("list", format!(",\"elem\":{}", ty(elem))),
        Type::Failure {} => ("failure", String::new()),
        Type::Error { decl, single, size, cases } => {
            let (name, plain) = (string(&decl.go_name), *size == 4);
            ("error", format!(",\"name\":{name},\"single\":{single},\"plain\":{plain},\"cases\":{}", list(cases, variant)))
        }
        Type::Append { elem } => ("append", format!(",\"elem\":{}", ty(elem))),
        Type::Iterator { items } => ("iterator", format!(",\"items\":{}", list(items, ty))),
        Type::Address {} => ("address", String::new()),
        Type::Func { .. } => ("func", String::new()),
        Type::Interface { .. } | Type::Trait { .. } => ("interface", String::new()),
    };
    format!("{{\"kind\":\"{kind}\"{parts}}}")
}

fn string(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c < ' ' => drop(write!(quoted, "\\u{:04x}", u32::from(c))),
            c => quoted.push(c),
        }
    }
    quoted + "\""
}
