//! Finds functions of std that the tool replaces: the start of std's panic handling, and functions that would need an operating system.
//! [`super::walk`] redirects references to these functions.

use super::archive::{LE, Member, RawReloc, is_only_relocated};
use super::symbols::{MemberId, Place};
use crate::abi;
use crate::diag::Result;
use crate::exits::Exit;
use object::SectionIndex;
use object::elf;
use object::read::elf::Sym as _;

/// A text that the name of every function of std's panic handling contains, in both ways of mangling: `_ZN3std9panicking…`,
/// `_RNvNtCs…_3std9panicking…`.
const STD_PANICKING: &[u8] = b"3std9panicking";

/// Finds functions of std that the support crate must replace. Returns each with the name of its replacement. Most of these functions need an
/// operating system: some report a failed allocation by a message, and one reads the program's debug information for a backtrace. The other functions
/// are the one that every panic with a payload calls, and the functions that end the process because of a foreign exception.
pub(super) fn replaced(members: &[Member<'_>]) -> Result<Vec<(Place, &'static str)>> {
    // These texts occur in both ways of mangling. Every function whose name contains the two texts of `SYMBOLIZE` is replaced; all of these are
    // generic and return nothing.
    const OOM: &[u8] = b"3std5alloc8rust_oom";
    const SYMBOLIZE: [&[u8]; 2] = [b"9symbolize5gimli", b"5Cache11with_global"];
    // Earlier versions of std use the second name.
    const WITH_HOOK: [&[u8]; 2] = [b"3std9panicking15panic_with_hook", b"3std9panicking20rust_panic_with_hook"];
    // The symbol ends with the function's name, or (in the older mangling) with the name and a hash of this form. If anything else follows the name,
    // the symbol belongs to a nested function or a variant.
    const HASH: (&[u8], usize) = (b"17h", 20);
    // The function that the crate `alloc` calls if an allocation fails.
    const ENTRY: &[u8] = b"__rust_alloc_error_handler";
    // The functions of std that end the process if an exception is not Rust's, or if another language drops a Rust exception. Their replacement
    // exists only if panics unwind. Without the replacement, references to these functions stay unchanged.
    const FOREIGN: [&[u8]; 2] = [b"__rust_foreign_exception", b"__rust_drop_panic"];
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
            } else if FOREIGN.into_iter().any(contains) {
                abi::FOREIGN_EXCEPTION
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

/// True if every panic payload's vtable starts with its `Display` method, and the object has more than one such vtable. Then the support crate's
/// function can use a pointer to a `dyn PanicPayload` as a pointer to a `dyn Display`. Nothing guarantees this layout, so the vtables of std's own
/// payloads are checked. If the object had only one such vtable, LLVM could drop the parameter that passes the vtable, and the support crate's
/// function would not get the vtable.
fn payloads_begin_with_display(member: &Member<'_>) -> Result<bool> {
    // The offset of the first method in a vtable. The address of a destructor, a size and an alignment precede it.
    const FIRST: u64 = 24;
    const METHOD: [&[u8]; 2] = [b"12PanicPayload", b"8take_box"];
    const DISPLAY: [&[u8]; 2] = [b"7Display", b"3fmt"];
    let mut found = 0;
    for section in member.sections_with_relocs() {
        // Vtables are data that only relocations change.
        if !is_only_relocated(member.section_name(section)?) {
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

/// True if the name of the function that a relocation refers to contains both parts.
fn names(member: &Member<'_>, reloc: &RawReloc, parts: [&[u8]; 2]) -> Result<bool> {
    let Some(index) = reloc.symbol else { return Ok(false) };
    let symbol = member.symbol(index)?;
    // A reference to a local function may name only the function's section. The section's name contains the function's name.
    let name = match member.symbol_section(index)? {
        Some(section) if symbol.st_type() == elf::STT_SECTION => member.section_name(section)?,
        _ => member.symbol_name(symbol)?,
    };
    Ok(parts.into_iter().all(|part| name.windows(part.len()).any(|window| window == part)))
}

/// Finds the place where std starts to handle a panic: std's `rust_begin_unwind`. In a crate without std, the function of this name is the support
/// crate's panic handler, which calls the panic exit (`rt.enter`) and needs no replacement.
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

/// True if the section refers to the panic exit, the function of the Go package `rt` that Rust's panic handler jumps to.
fn calls_panic(member: &Member<'_>, section: SectionIndex) -> Result<bool> {
    for symbol in member.relocs(section)?.into_iter().filter_map(|reloc| reloc.symbol) {
        if Exit::named(member.symbol_name(member.symbol(symbol)?)?) == Some(Exit::Panic) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// True if the name of any symbol of the object contains `part`.
fn mentions(member: &Member<'_>, part: &[u8]) -> Result<bool> {
    for symbol in member.symbols.iter() {
        if member.symbol_name(symbol)?.windows(part.len()).any(|window| window == part) {
            return Ok(true);
        }
    }
    Ok(false)
}
