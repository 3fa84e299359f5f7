//! Functions of std whose place others take: the entry into its panic machinery, and what would need an operating system.

use super::archive::{LE, Member};
use super::symbols::{MemberId, Place};
use crate::abi;
use crate::diag::Result;
use crate::exits::Exit;
use object::SectionIndex;
use object::elf;
use object::read::elf::Sym as _;

/// Functions of std that need an operating system, and what takes their place: those with which std reports that an allocator has no
/// memory left, which print, and the one that reads the program's debug information for the text of a backtrace.
pub(super) fn replaced(members: &[Member<'_>]) -> Result<Vec<(Place, &'static str)>> {
    // What a symbol contains, in both manglings. Each function of the last kind has this name: it is generic, and returns nothing.
    const OOM: &[u8] = b"3std5alloc8rust_oom";
    const SYMBOLIZE: [&[u8]; 2] = [b"9symbolize5gimli", b"5Cache11with_global"];
    // What the allocation crate calls.
    const ENTRY: &[u8] = b"__rust_alloc_error_handler";
    let mut places = Vec::new();
    for (index, member) in members.iter().enumerate() {
        for (symbol, raw) in member.symbols.enumerate() {
            if raw.st_type() != elf::STT_FUNC {
                continue;
            }
            let name = member.symbol_name(raw)?;
            let contains = |part: &[u8]| name.windows(part.len()).any(|window| window == part);
            let ours = if contains(OOM) || name.ends_with(ENTRY) {
                abi::ALLOC_ERROR
            } else if SYMBOLIZE.into_iter().all(contains) {
                abi::NO_SYMBOLS
            } else {
                continue;
            };
            if let Some(section) = member.symbol_section(symbol)? {
                let place = Place { member: MemberId(index), section, offset: raw.st_value(LE), section_symbol: false };
                places.push((place, ours));
            }
        }
    }
    Ok(places)
}

/// Where std enters its panic machinery: its `rust_begin_unwind`. In a crate without std that is the support crate's
/// panic handler, which goes on to the panic entry itself and is a function like any other.
pub(super) fn std_panic(members: &[Member<'_>]) -> Result<Option<Place>> {
    const ENTRY: &[u8] = b"rust_begin_unwind";
    // The same in both manglings: `_ZN3std9panicking…`, `_RNvNtCs…_3std9panicking…`.
    const STD: &[u8] = b"3std9panicking";
    for (index, member) in members.iter().enumerate() {
        let mut entry = None;
        for (symbol, raw) in member.symbols.enumerate() {
            if raw.st_type() == elf::STT_FUNC && member.symbol_name(raw)?.ends_with(ENTRY) {
                entry = member.symbol_section(symbol)?.map(|section| (section, raw.st_value(LE)));
            }
        }
        let Some((section, offset)) = entry else { continue };
        if !calls_panic(member, section)? && mentions(member, STD)? {
            return Ok(Some(Place { member: MemberId(index), section, offset, section_symbol: false }));
        }
    }
    Ok(None)
}

/// Does the section itself lead to the panic entry?
fn calls_panic(member: &Member<'_>, section: SectionIndex) -> Result<bool> {
    for symbol in member.relocs(section)?.into_iter().filter_map(|reloc| reloc.symbol) {
        if Exit::named(member.symbol_name(member.symbol(symbol)?)?) == Some(Exit::Panic) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Has a symbol of the object `part` in its name?
fn mentions(member: &Member<'_>, part: &[u8]) -> Result<bool> {
    for symbol in member.symbols.iter() {
        if member.symbol_name(symbol)?.windows(part.len()).any(|window| window == part) {
            return Ok(true);
        }
    }
    Ok(false)
}
