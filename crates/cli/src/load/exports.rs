//! What the macro says of the exported functions: the records in their section.

use super::Export;
use super::Target;
use super::archive::Member;
use super::symbols::MemberId;
use super::walk::Walk;
use crate::diag::{Code, Diagnostic, Failure, Result};
use crate::ids::ExportId;
use cranelift_entity::PrimaryMap;
use object::SectionIndex;
use rustgo_schema::Record;

/// Reads every record and takes the shims as roots. In the order of the Go names.
///
/// # Errors
/// No record at all ([`Code::NoExports`]), one of another version or of an unknown kind ([`Code::Schema`]), a damaged one
/// ([`Code::Archive`]).
pub(super) fn read(members: &[Member<'_>], walk: &mut Walk<'_, '_>) -> Result<PrimaryMap<ExportId, Export>> {
    let mut found = Vec::new();
    for (index, member) in members.iter().enumerate() {
        for section in sections(member)? {
            let bytes = member.bytes(section)?;
            let relocs = member.relocs(section)?;
            for record in rustgo_schema::records(&bytes) {
                let record = record.map_err(|error| schema(&error, member))?;
                let (schema, is_routine) = match record.decode().map_err(|error| schema(&error, member))? {
                    Record::Function(function) => (function, false),
                    Record::Routine(function) => (function, true),
                };
                let shim = relocs.iter().find(|reloc| reloc.offset == record.address_offset as u64 && reloc.kind == member.machine.abs64);
                let shim = *shim.ok_or_else(|| no_shim(member, &schema))?;
                found.push((schema, is_routine, MemberId(index), shim));
            }
        }
    }
    if found.is_empty() {
        let message = "the crate exports no function";
        return Err(Diagnostic::new(Code::NoExports, message)
            .hint("write #[rustgo::export] above the functions that Go shall call")
            .into());
    }
    // Roots in this order, so that the numbering of what they reach does not depend on the order in the archive.
    found.sort_by(|(a, ..), (b, ..)| (&a.go_name, &a.rust_path).cmp(&(&b.go_name, &b.rust_path)));
    found
        .into_iter()
        .map(|(schema, is_routine, member, reloc)| {
            let shim = walk.root(member, reloc)?;
            match (shim.target, shim.addend) {
                (Target::Function(shim), 0) => Ok(Export { schema, shim, is_routine }),
                _ => Err(no_shim(&members[member.0], &schema)),
            }
        })
        .collect()
}

/// The sections of a member that have records.
pub(super) fn sections(member: &Member<'_>) -> Result<Vec<SectionIndex>> {
    member.sections_named(rustgo_schema::SECTION.as_bytes())
}

fn no_shim(member: &Member<'_>, schema: &rustgo_schema::Function) -> Failure {
    member.damaged(format!("the description of {} names no function", schema.rust_path))
}

fn schema(error: &rustgo_schema::Error, member: &Member<'_>) -> Failure {
    match error {
        // The message about a version names both and, after a semicolon, the cure.
        rustgo_schema::Error::Version { .. } | rustgo_schema::Error::Kind { .. } => {
            let text = error.to_string();
            let (message, hint) = text.split_once("; ").unwrap_or((&text, "build with a rustgo and a rustgo-support of the same release"));
            Diagnostic::new(Code::Schema, message).hint(hint).into()
        }
        error => member.damaged(error),
    }
}
