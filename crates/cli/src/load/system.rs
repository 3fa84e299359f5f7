//! Refuses objects with demands that a Go program cannot fulfil: code that must run before the program, and an executable stack. Without the refusal,
//! constructors would silently never run.

use super::archive::{LE, Member};
use super::symbols::MemberId;
use crate::diag::wall::Wall;
use crate::diag::{Diagnostic, ErrorCode, Result};
use object::elf;
use object::read::SectionIndex;
use object::read::elf::{SectionHeader as _, Sym as _};
use std::collections::BTreeSet;

/// Names of sections with code that runs before the program, or with the addresses of such code: the names of the ELF gABI, and older names of
/// compilers.
const SECTIONS: [&[u8]; 4] = [b".init_array", b".preinit_array", b".ctors", b".init"];
/// The path prefix of a function in std that stores the program's arguments before the program runs. Crates with this function are accepted. The
/// function does not run in a Go program, but code that reads the arguments needs an operating system anyway.
const STD: &str = "std::sys::args::";

/// Returns a reason for each member that needs code to run before the program, or an executable stack. rustc links an object with a `#[used]` static
/// even if nothing refers to the static. So the check covers every Rust object in addition to the linked members.
pub(super) fn reasons(members: &[Member<'_>], linked: &BTreeSet<MemberId>) -> Result<Vec<Diagnostic>> {
    let mut refused = Vec::new();
    let counts = |(index, member): &(usize, &Member<'_>)| linked.contains(&MemberId(*index)) || member.is_rust();
    for (_, member) in members.iter().enumerate().filter(counts) {
        // The first section is a placeholder (ELF gABI).
        for (index, section) in member.sections.enumerate().skip(1) {
            let name = member.section_name(index)?;
            // The flags of this section state that an object needs an executable stack. An object without the section is accepted,
            // because assembly often lacks the section.
            if name == b".note.GNU-stack" && member.flags(index)?.contains(elf::SHF_EXECINSTR) {
                refused.push(executable_stack(member));
            }
            let by_type = matches!(section.sh_type(LE), elf::SHT_INIT_ARRAY | elf::SHT_PREINIT_ARRAY);
            let by_name =
                SECTIONS.iter().any(|known| name.strip_prefix(*known).is_some_and(|rest| matches!(rest.first(), None | Some(b'.'))));
            if !(by_type || by_name) || section.sh_size(LE) == 0 {
                continue;
            }
            let named = names(member, index)?;
            if named.is_empty() || named.iter().any(|name| !name.starts_with(STD)) {
                refused.push(refusal(member, &String::from_utf8_lossy(name), &named));
            }
        }
    }
    Ok(refused)
}

/// The displayed names of the functions that a section refers to. A function without a symbol gets the name of its section.
fn names(member: &Member<'_>, section: SectionIndex) -> Result<Vec<String>> {
    let mut named = Vec::new();
    for reloc in member.relocs(section)? {
        let Some(symbol) = reloc.symbol else { continue };
        let mut name = member.symbol_name(member.symbol(symbol)?)?;
        if let (b"", Some(section)) = (name, member.symbol_section(symbol)?) {
            // Assemblers refer to a local function by the section's symbol and the function's offset.
            name = function_at(member, section, reloc.addend)?.map_or_else(|| member.section_name(section), Ok)?;
        }
        named.push(format!("{:#}", rustc_demangle::demangle(&String::from_utf8_lossy(name))));
    }
    Ok(named)
}

/// The name of the function that begins at this offset of the section.
fn function_at<'a>(member: &Member<'a>, section: SectionIndex, offset: i64) -> Result<Option<&'a [u8]>> {
    for (index, symbol) in member.symbols.enumerate() {
        let is_it = symbol.st_type() == elf::STT_FUNC && i64::try_from(symbol.st_value(LE)) == Ok(offset);
        if is_it && member.symbol_section(index)? == Some(section) {
            return member.symbol_name(symbol).map(Some);
        }
    }
    Ok(None)
}

fn refusal(member: &Member<'_>, section: &str, named: &[String]) -> Diagnostic {
    let what = match named.first().filter(|name| !name.starts_with('.')) {
        Some(name) => format!("{name} is"),
        None => "code is".to_owned(),
    };
    // The file name of a Rust object begins with the crate's name. The rest of the file name does not help users.
    let home = match member.name.split_once('-').filter(|_| member.is_rust()) {
        Some((krate, _)) => format!("the crate {krate}"),
        None => format!("the archive member {}", member.name),
    };
    Diagnostic::new(ErrorCode::Unsupported, format!("{what} a constructor, which a Go program never runs"))
        .note(format!("it is listed in the section {section} of {home}"))
        .wall(Wall::Start)
        .hint("compute the value on first use, or export a function that initialises it and call that from Go's init")
}

fn executable_stack(member: &Member<'_>) -> Diagnostic {
    Diagnostic::new(
        ErrorCode::Unsupported,
        format!("the archive member {} needs an executable stack, which goroutines do not have", member.name),
    )
    .hint("C's nested functions need one if their address is taken; pass their variables as arguments")
}
