//! Resolves symbols to definitions by a linker's rules.

use super::archive::{LE, Member};
use crate::diag::Result;
use object::elf;
use object::read::elf::Sym as _;
use object::{LittleEndian, SectionIndex, SymbolIndex};
use std::collections::{BTreeSet, HashMap};

/// The index of a member among the archive's objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct MemberId(pub usize);

/// The place in a section that a symbol names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub member: MemberId,
    pub section: SectionIndex,
    /// Offset from the section's first byte.
    pub offset: u64,
    /// True if the symbol names the section itself. Then the relocation's addend selects the function.
    pub section_symbol: bool,
}

/// The kind of definition that a symbol resolves to.
#[derive(Clone, Debug)]
pub(super) enum Meaning<'a> {
    Place(Place),
    /// A tentative definition in C. Several objects may have tentative definitions of the same name; `symbol` is the largest of them. The content is
    /// zeros.
    Common {
        member: MemberId,
        symbol: SymbolIndex,
        name: &'a [u8],
        /// The largest alignment of all tentative definitions, as the objects state it. It may not be a power of two.
        align: u64,
    },
    /// No object defines the symbol of this name.
    Undefined(&'a [u8]),
    /// The value of the symbol of this name is a number, not an address.
    Absolute(&'a [u8]),
    /// The symbol of this name is an ifunc: when the program is loaded, a resolver selects the function.
    Indirect(&'a [u8]),
}

/// The definitions that all objects of the archive can use, by name.
pub(super) struct Names<'a> {
    definitions: HashMap<&'a [u8], Definition>,
    /// For names that both Rust code and an object of C or assembly define strongly, the definition in the object of C or assembly. In Rust code,
    /// such a name is a function of rustgo's C library, which is part of the support crate. References from C or assembly use the definitions in this
    /// map, because a linker uses a library's definition only if no object has one.
    not_of_rust: HashMap<&'a [u8], Definition>,
    /// The names that both Rust code and an object of C or assembly define strongly, whether that object is linked or not, without the functions of
    /// [`OF_COMPILERS`].
    twice: BTreeSet<&'a [u8]>,
}

/// Functions that compilers call without a call in the source. C code that defines such a function gives it the same meaning.
const OF_COMPILERS: [&[u8]; 6] = [b"memcpy", b"memmove", b"memset", b"memcmp", b"bcmp", b"strlen"];

#[derive(Clone, Copy)]
struct Definition {
    rank: Rank,
    member: MemberId,
    symbol: SymbolIndex,
    /// Size in bytes of a tentative definition. The largest tentative definition wins.
    size: u64,
    /// The largest alignment of all tentative definitions. The value of a tentative symbol is its alignment (ELF gABI, "Symbol Values").
    align: u64,
}

/// The rank of a definition. A higher rank replaces a lower one. Among equal ranks the first definition stays, except that a larger tentative
/// definition replaces a smaller one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Weak,
    Common,
    Strong,
}

impl<'a> Names<'a> {
    /// Collects the definitions of all linked members and of all Rust members. Compilers add calls of functions such as `memcpy`, which std and the
    /// support crate both define. The support crate's definitions are strong, so they win.
    pub fn new(members: &[Member<'a>], linked: &BTreeSet<MemberId>) -> Result<Self> {
        let mut definitions: HashMap<&'a [u8], Definition> = HashMap::new();
        let mut not_of_rust: HashMap<&'a [u8], Definition> = HashMap::new();
        let mut named: [BTreeSet<&'a [u8]>; 2] = Default::default();
        for (member_index, member) in members.iter().enumerate() {
            let is_linked = linked.contains(&MemberId(member_index));
            for (index, symbol) in member.symbols.enumerate().filter(|(_, symbol)| is_definition(symbol)) {
                let rank = match symbol.st_bind() {
                    _ if symbol.is_common(LE) => Rank::Common,
                    elf::STB_WEAK => Rank::Weak,
                    _ => Rank::Strong,
                };
                let (size, align) = if rank == Rank::Common { (symbol.st_size(LE), symbol.st_value(LE)) } else { (0, 0) };
                let mut new = Definition { rank, member: MemberId(member_index), symbol: index, size, align };
                let name = member.symbol_name(symbol)?;
                if rank == Rank::Strong {
                    named[usize::from(member.is_rust())].insert(name);
                }
                if !is_linked && !member.is_rust() {
                    continue;
                }
                if rank == Rank::Strong && !member.is_rust() {
                    not_of_rust.entry(name).or_insert(new);
                }
                let old = definitions.entry(name).or_insert(new);
                new.align = new.align.max(old.align);
                old.align = new.align;
                if (old.rank, old.size) < (new.rank, new.size) {
                    *old = new;
                }
            }
        }
        let [of_others, of_rust] = named;
        not_of_rust.retain(|name, _| of_rust.contains(name));
        let twice = of_rust.intersection(&of_others).filter(|name| !OF_COMPILERS.contains(name)).copied().collect();
        Ok(Names { definitions, not_of_rust, twice })
    }

    /// The names that both Rust code and an object of C or assembly define. The functions of [`OF_COMPILERS`] are left out.
    pub fn twice(&self) -> impl Iterator<Item = &'a [u8]> {
        self.twice.iter().copied()
    }

    /// The member and symbol that define a name.
    pub fn get(&self, name: &[u8]) -> Option<(MemberId, SymbolIndex)> {
        self.definitions.get(name).map(|definition| (definition.member, definition.symbol))
    }

    /// The definition that a member's symbol resolves to.
    pub fn resolve(&self, members: &[Member<'a>], member: MemberId, symbol: SymbolIndex) -> Result<Meaning<'a>> {
        let object = &members[member.0];
        let raw = object.symbol(symbol)?;
        if raw.st_bind() == elf::STB_LOCAL {
            return meaning(members, member, symbol);
        }
        let name = object.symbol_name(raw)?;
        let of_others = self.not_of_rust.get(name).filter(|_| !object.is_rust());
        let found = of_others.or_else(|| self.definitions.get(name));
        let Some(found) = found else { return Ok(Meaning::Undefined(name)) };
        let mut expected = meaning(members, found.member, found.symbol)?;
        if let Meaning::Common { align, .. } = &mut expected {
            *align = found.align;
        }
        Ok(expected)
    }
}

/// True if the symbol is a definition that other objects can use.
pub(super) fn is_definition(symbol: &elf::Sym64<LittleEndian>) -> bool {
    symbol.st_bind() != elf::STB_LOCAL && !symbol.is_undefined(LE)
}

/// The meaning of one member's symbol, without a search in other members.
fn meaning<'a>(members: &[Member<'a>], member: MemberId, symbol: SymbolIndex) -> Result<Meaning<'a>> {
    let object = &members[member.0];
    let raw = object.symbol(symbol)?;
    let name = object.symbol_name(raw)?;
    if raw.st_type() == elf::STT_GNU_IFUNC {
        return Ok(Meaning::Indirect(name));
    }
    if raw.is_common(LE) {
        return Ok(Meaning::Common { member, symbol, name, align: raw.st_value(LE) });
    }
    if raw.is_absolute(LE) {
        return Ok(Meaning::Absolute(name));
    }
    Ok(match object.symbol_section(symbol)? {
        None => Meaning::Undefined(name),
        Some(section) => {
            let section_symbol = raw.st_type() == elf::STT_SECTION;
            Meaning::Place(Place { member, section, offset: raw.st_value(LE), section_symbol })
        }
    })
}

/// The demangled path without its hash. A name that is not mangled stays unchanged.
pub(super) fn path(symbol: &str) -> String {
    match rustc_demangle::try_demangle(symbol) {
        Ok(name) => format!("{name:#}"),
        Err(_) => symbol.to_owned(),
    }
}

/// The name of a section, with the symbol in the name demangled. rustc names the section of a constant after the function that uses the constant.
pub(super) fn section_path(section: &str) -> String {
    const PREFIXES: [&str; 6] = [".data.rel.ro.", ".rodata.", ".data.", ".bss.", ".tdata.", ".tbss."];
    let prefix = PREFIXES.into_iter().find(|prefix| section.starts_with(prefix)).unwrap_or_default();
    format!("{prefix}{}", path(&section[prefix.len()..]))
}
