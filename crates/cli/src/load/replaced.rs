//! Functions of std whose place others take: the entry into its panic machinery, and what would need an operating system.

use super::archive::{LE, Member, RawReloc};
use super::symbols::{MemberId, Place};
use crate::abi;
use crate::diag::Result;
use crate::exits::Exit;
use object::SectionIndex;
use object::elf;
use object::read::elf::Sym as _;

/// A part of the name of every function of std's panic machinery, in both manglings: `_ZN3std9panicking…`, `_RNvNtCs…_3std9panicking…`.
const STD_PANICKING: &[u8] = b"3std9panicking";

/// Functions of std that need an operating system, and what takes their place: those with which std reports that an allocator has no
/// memory left, which print; the one that reads the program's debug information for the text of a backtrace; and the one through which
/// panics with any payload go.
pub(super) fn replaced(members: &[Member<'_>]) -> Result<Vec<(Place, &'static str)>> {
    // What a symbol contains, in both manglings. Each function of the last kind has this name: it is generic, and returns nothing.
    const OOM: &[u8] = b"3std5alloc8rust_oom";
    const SYMBOLIZE: [&[u8]; 2] = [b"9symbolize5gimli", b"5Cache11with_global"];
    // Once `rust_panic_with_hook`.
    const WITH_HOOK: [&[u8]; 2] = [b"3std9panicking15panic_with_hook", b"3std9panicking20rust_panic_with_hook"];
    // What follows a function's own name, but not that of a function in it or of a variant: in one mangling nothing, in the other a hash.
    const HASH: (&[u8], usize) = (b"17h", 20);
    // What the allocation crate calls.
    const ENTRY: &[u8] = b"__rust_alloc_error_handler";
    let mut places = Vec::new();
    for (index, member) in members.iter().enumerate() {
        for (symbol, raw) in member.symbols.enumerate() {
            if raw.st_type() != elf::STT_FUNC {
                continue;
            }
            let name = member.symbol_name(raw)?;
            let position = |part: &[u8]| name.windows(part.len()).position(|window| window == part);
            let contains = |part: &[u8]| position(part).is_some();
            let is = |part: &[u8]| {
                position(part)
                    .map(|at| &name[at + part.len()..])
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with(HASH.0) && rest.len() == HASH.1)
            };
            let ours = if contains(OOM) || name.ends_with(ENTRY) {
                abi::ALLOC_ERROR
            } else if SYMBOLIZE.into_iter().all(contains) {
                abi::NO_SYMBOLS
            } else if WITH_HOOK.into_iter().any(is) && payloads_begin_with_display(member)? {
                abi::PANIC_PAYLOAD
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

/// Is the first function of a payload's vtable its `Display`, and is there more than one such vtable? Then a pointer to a `dyn PanicPayload`
/// serves as one to a `dyn Display`, which the support crate's function takes it for. Nothing promises it, so the vtables of std's own payloads
/// are looked at. And the callers hand on the vtable: of a function that is always called with the same one, LLVM may leave out the parameter.
fn payloads_begin_with_display(member: &Member<'_>) -> Result<bool> {
    // Where vtables lie: data that nobody writes, but whoever puts addresses into it.
    const VTABLES: &[u8] = b".data.rel.ro";
    // A vtable begins with the address of a destructor, a size and an alignment.
    const FIRST: u64 = 24;
    const METHOD: [&[u8]; 2] = [b"12PanicPayload", b"8take_box"];
    const DISPLAY: [&[u8]; 2] = [b"7Display", b"3fmt"];
    let mut found = 0;
    for section in member.sections_with_relocs() {
        if !member.section_name(section)?.starts_with(VTABLES) {
            continue;
        }
        let relocs = member.relocs(section)?;
        for pair in relocs.windows(2) {
            if names(member, &pair[1], METHOD)? {
                if pair[0].offset != FIRST || pair[1].offset != FIRST + 8 || !names(member, &pair[0], DISPLAY)? {
                    return Ok(false);
                }
                found += 1;
            }
        }
    }
    Ok(found > 1)
}

/// Are both parts in the name of the function that a relocation refers to?
fn names(member: &Member<'_>, reloc: &RawReloc, parts: [&[u8]; 2]) -> Result<bool> {
    let Some(index) = reloc.symbol else { return Ok(false) };
    let symbol = member.symbol(index)?;
    // Of a function that no other object sees only the section may be named, which has its name.
    let name = match member.symbol_section(index)? {
        Some(section) if symbol.st_type() == elf::STT_SECTION => member.section_name(section)?,
        _ => member.symbol_name(symbol)?,
    };
    Ok(parts.into_iter().all(|part| name.windows(part.len()).any(|window| window == part)))
}

/// Where std enters its panic machinery: its `rust_begin_unwind`. In a crate without std that is the support crate's
/// panic handler, which goes on to the panic entry itself and is a function like any other.
pub(super) fn std_panic(members: &[Member<'_>]) -> Result<Option<Place>> {
    const ENTRY: &[u8] = b"rust_begin_unwind";
    for (index, member) in members.iter().enumerate() {
        let mut entry = None;
        for (symbol, raw) in member.symbols.enumerate() {
            if raw.st_type() == elf::STT_FUNC && member.symbol_name(raw)?.ends_with(ENTRY) {
                entry = member.symbol_section(symbol)?.map(|section| (section, raw.st_value(LE)));
            }
        }
        let Some((section, offset)) = entry else { continue };
        if !calls_panic(member, section)? && mentions(member, STD_PANICKING)? {
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
