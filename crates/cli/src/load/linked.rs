//! Selects the archive members that belong to the program, as a linker does. A definition in a member of C or assembly counts only if the member is
//! selected.
//!
//! If an included member refers to a name that no included member defines, a linker includes a member that defines the name. The linker includes the
//! whole member. So a member that is not needed defines nothing, even if its definitions are strong. A member is included even if the function that
//! needs it is never called. (System V ABI, gABI chapter 7; lld and GNU ld agree.)

use super::archive::{LE, Member};
use super::exports;
use super::symbols::{MemberId, is_definition};
use crate::abi;
use crate::diag::Result;
use object::elf;
use object::read::elf::Sym as _;
use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};

/// Names of support functions that the tool needs. The archive members that define these functions are always linked.
const ROOTS: [&str; 5] = [abi::FORMAT_PANIC, abi::ALLOC_ERROR, abi::NO_SYMBOLS, abi::PANIC_PAYLOAD, abi::FOREIGN_EXCEPTION];

/// Returns the members that a linker would include. The search starts at members with exports.
pub(super) fn linked(members: &[Member<'_>]) -> Result<BTreeSet<MemberId>> {
    let mut first: HashMap<&[u8], usize> = HashMap::new();
    // For each name, the first member of C or assembly that defines the name strongly. Such a member is included even if Rust code defines the name
    // too: Rust objects contain rustgo's C library, and a linker uses a library's definition only if no object has one.
    let mut first_other: HashMap<&[u8], usize> = HashMap::new();
    let mut queue = VecDeque::new();
    for (index, member) in members.iter().enumerate() {
        for symbol in member.symbols.iter().filter(|symbol| is_definition(symbol)) {
            let name = member.symbol_name(symbol)?;
            first.entry(name).or_insert(index);
            if !member.is_rust() && symbol.st_bind() != elf::STB_WEAK && !symbol.is_common(LE) {
                first_other.entry(name).or_insert(index);
            }
        }
        if !exports::sections(member)?.is_empty() {
            queue.push_back(index);
        }
    }
    queue.extend(ROOTS.iter().filter_map(|name| first.get(name.as_bytes()).copied()));
    let (mut taken, mut defined, mut defined_by_others) = (BTreeSet::new(), HashSet::new(), HashSet::new());
    let mut needed: VecDeque<&[u8]> = VecDeque::new();
    loop {
        let Some(index) = queue.pop_front() else {
            let Some(name) = needed.pop_front() else { break };
            queue.extend(first_other.get(name).filter(|_| !defined_by_others.contains(name)));
            queue.extend(first.get(name).filter(|_| !defined.contains(name)));
            continue;
        };
        if !taken.insert(MemberId(index)) {
            continue;
        }
        let member = &members[index];
        for symbol in member.symbols.iter().filter(|symbol| is_definition(symbol)) {
            defined.insert(member.symbol_name(symbol)?);
            if !member.is_rust() {
                defined_by_others.insert(member.symbol_name(symbol)?);
            }
        }
        for symbol in member.symbols.iter() {
            // For a weak reference, a linker includes no member. The address is null unless an included member defines the name.
            let refers = symbol.is_undefined(LE) && symbol.st_bind() != elf::STB_LOCAL && symbol.st_bind() != elf::STB_WEAK;
            if refers {
                needed.push_back(member.symbol_name(symbol)?);
            }
        }
    }
    Ok(taken)
}
