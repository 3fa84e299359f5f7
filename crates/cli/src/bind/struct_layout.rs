//! Refuses structs whose layout in Go differs from their layout in Rust. This module computes the layout that Go's compiler would choose. A
//! declaration in the generated file makes Go's compiler check the layouts again.

use super::build::func;
use super::declare::{SOURCES, in_order, raw_fields};
use super::locals::unused;
use crate::api::{Declared, Package, raw_type};
use crate::diag::{Diagnostic, ErrorCode};
use crate::gosrc::Declaration;
use rustgo_schema::{Layout, Type, Variant};

/// A struct whose memory both Go and Rust access.
struct Seen {
    /// The struct's Go name.
    name: String,
    /// The struct's size and alignment in Rust.
    layout: Layout,
    /// The fields in Go's order: name, offset in Rust, size and alignment.
    fields: Vec<(String, u64, Layout)>,
}

impl Seen {
    fn of(declared: &Declared) -> Option<Seen> {
        let layout = declared.ty.layout();
        let name = raw_type(&declared.ty);
        match &declared.ty {
            Type::Struct { fields, .. } => {
                let sized = fields.iter().filter(|field| field.ty.layout().size > 0);
                let fields = sized.map(|field| (field.go_name.clone(), field.offset, field.ty.layout())).collect();
                Some(Seen { name, layout, fields })
            }
            Type::Error { size: 5.., single, cases, .. } => {
                let mut fields = vec![("code".into(), 0, Layout { size: 4, align: 4 }), ("text".into(), 8, Layout { size: 24, align: 8 })];
                let sources = cases.iter().find_map(Variant::sources);
                fields.extend(sources.map(|member| (SOURCES.into(), member.offset, member.ty.layout())));
                let raw = raw_fields(*single, cases);
                fields.extend(in_order(&raw).into_iter().map(|raw| (raw.name.clone(), raw.of.offset, raw.of.ty.layout())));
                Some(Seen { name, layout, fields })
            }
            _ => None,
        }
    }

    /// Computes the fields' offsets by Go's rules, and the resulting size and alignment of the struct
    /// (<https://go.dev/ref/spec#Size_and_alignment_guarantees>, and cmd/compile, `CalcStructSize`).
    fn in_go(&self) -> (Vec<u64>, Layout) {
        let mut end = 0;
        let mut align = 1;
        let mut offsets = Vec::new();
        for (_, _, layout) in &self.fields {
            let start = round_up(end, layout.align);
            offsets.push(start);
            end = start.saturating_add(layout.size);
            align = align.max(layout.align);
        }
        (offsets, Layout { size: round_up(end, align), align })
    }

    /// Describes the first difference between the two layouts in words.
    fn difference(&self) -> Option<String> {
        let (offsets, layout) = self.in_go();
        let mut fields = self.fields.iter().zip(offsets);
        if let Some(((name, rust, _), go)) = fields.find(|((_, rust, _), go)| rust != go) {
            return Some(format!("the field {name} is at byte {rust} in Rust and would be at byte {go} in Go"));
        }
        let show = |layout: Layout| format!("{} bytes and the alignment {}", layout.size, layout.align);
        (layout != self.layout).then(|| format!("in Rust it has {}, in Go it would have {}", show(self.layout), show(layout)))
    }
}

fn round_up(number: u64, align: u64) -> u64 {
    number.checked_next_multiple_of(align.max(1)).unwrap_or(u64::MAX)
}

/// Refuses types whose layout in Go differs from their layout in Rust.
pub fn refuse(package: &Package) -> Vec<Diagnostic> {
    let refused = package.types.iter().filter_map(|declared| {
        let difference = Seen::of(declared)?.difference()?;
        let message = format!("{} cannot be a struct in Go: {difference}", declared.decl.rust_path);
        Some(
            Diagnostic::new(ErrorCode::GoName, message)
                .at(declared.place())
                .hint("write #[repr(C)] above it, and give it no alignment of its own"),
        )
    });
    refused.collect()
}

/// Makes a Go function named `_`. It does not compile if a struct's size in Go, or the offset of one of its fields, differs from the one in Rust.
pub fn asserted(package: &Package) -> Option<Declaration> {
    let mut lines = Vec::new();
    let seen: Vec<Seen> = package.types.iter().filter_map(Seen::of).collect();
    let x = unused("x", &seen.iter().map(|seen| seen.name.as_str()).collect::<Vec<&str>>().join(" "));
    for seen in seen {
        let name = &seen.name;
        lines.push(format!("_ = {x}[unsafe.Sizeof({name}{{}})-{}]", seen.layout.size));
        let behind = seen.fields.iter().skip(1);
        lines.extend(behind.map(|(field, offset, _)| format!("_ = {x}[unsafe.Offsetof({name}{{}}.{field})-{offset}]")));
    }
    let body = format!("var {x} [1]struct{{}}\n{}", lines.join("\n"));
    let doc = "Rust expects these sizes and offsets of fields. If those in Go differ, this does not compile.";
    (!lines.is_empty()).then(|| func("_", &[], "", doc, &body))
}
