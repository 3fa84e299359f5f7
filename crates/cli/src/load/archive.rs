//! Reads a static library (archive) and its ELF objects, as far as linking needs. The module [`super::walk`] follows the relocations in the
//! objects.

use super::relocations::{MACHINES, Machine};
use crate::diag::{Diagnostic, ErrorCode, Failure, Result};
use object::elf::{self, FileHeader64, Rela64, SectionHeader64, Sym64};
use object::read::archive::ArchiveFile;
use object::read::elf::{FileHeader as _, Rela as _, SectionHeader as _, SectionTable, Sym as _, SymbolTable};
use object::{FileKind, LittleEndian, SectionIndex, SymbolIndex};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;

/// The byte order of every supported machine. (Big-endian AArch64 is refused.)
pub(super) const LE: LittleEndian = LittleEndian;
type Header = FileHeader64<LittleEndian>;

/// The largest accepted size of a section of zeros (.bss), in bytes. Go's linker accepts 2 GB; a crate for a Go package needs far less.
const MAX_ZEROS: u64 = 256 << 20;
/// The largest accepted debug section after decompression, in bytes.
const MAX_DEBUG: u64 = 1 << 30;

/// An ELF object of the archive.
pub(super) struct Member<'a> {
    pub name: String,
    pub machine: &'static Machine,
    data: &'a [u8],
    pub sections: SectionTable<'a, Header>,
    pub symbols: SymbolTable<'a, Header>,
    /// Sorted pairs: the index of a section with relocations, and the index of a section that contains relocations of it.
    relocations: Vec<(usize, SectionIndex)>,
    /// Indices of sections that are marked as executable but contain only variables.
    variables: BTreeSet<usize>,
    /// True if the object names only LLVM-based compilers as its producers. False if the object names no compiler.
    pub is_llvm: bool,
}

/// A relocation as it stands in the object file.
#[derive(Clone, Copy, Debug)]
pub(super) struct RawReloc {
    pub offset: u64,
    /// The relocation type, as a number of the processor's ABI: `R_X86_64_…`, `R_AARCH64_…`.
    pub kind: u32,
    /// The symbol that the relocation refers to. `None` means that 0 takes the place of a symbol's value.
    pub symbol: Option<SymbolIndex>,
    pub addend: i64,
}

/// Reads the archive's objects, in archive order. All must be for `machine`.
///
/// # Errors
/// A damaged archive or object ([`ErrorCode::Archive`]); an object of another machine or format
/// ([`ErrorCode::Architecture`]).
pub(super) fn members<'a>(bytes: &'a [u8], machine: &'static Machine, archive: &dyn Display) -> Result<Vec<Member<'a>>> {
    let damaged = |error: &dyn Display| damaged(format!("the archive {archive} is damaged: {}", lower_case(error)));
    let file = ArchiveFile::parse(bytes).map_err(|error| damaged(&error))?;
    if file.is_thin() {
        let message = format!("the archive {archive} is thin: it lists its members without containing them");
        return Err(Diagnostic::new(ErrorCode::Archive, message)
            .hint("make an archive that contains its members (ar without the modifier T)")
            .into());
    }
    let mut members = Vec::new();
    for member in file.members() {
        let member = member.map_err(|error| damaged(&error))?;
        let name = String::from_utf8_lossy(member.name()).into_owned();
        let data = member.data(bytes).map_err(|error| damaged(&format!("{name}: {error}")))?;
        if is_object(&name, data, machine)? {
            members.push(Member::parse(name, data, machine)?);
        }
    }
    Ok(members)
}

/// The first bytes of a file of LLVM bitcode (LLVM Bitcode File Format, Magic Numbers).
const BITCODE: &[u8] = b"BC\xc0\xde";
/// A symbol that gcc's `-flto` puts into objects without machine code (gcc/toplev.cc).
const GCC_SLIM: &[u8] = b"__gnu_lto_slim";
const NO_LTO: &str = "compile the C in the crate without -flto: rustgo does not run the linker that would finish the compilation";

/// True if the archive member is an ELF object for the machine. False for files that linkers ignore (`lib.rmeta`). Any other object is an error.
fn is_object(name: &str, data: &[u8], machine: &Machine) -> Result<bool> {
    let named_so = name.ends_with(".o") || name.ends_with(".obj");
    let format = match FileKind::parse(data) {
        Ok(FileKind::Elf64) => match Header::parse(data) {
            Ok(header) if !header.is_little_endian() => "big-endian ELF".to_owned(),
            Ok(header) if header.e_machine(LE) == machine.elf => return Ok(true),
            Ok(header) => format!("{} ELF", machine_name(header.e_machine(LE))),
            Err(error) => return Err(in_member(name, error)),
        },
        Ok(FileKind::Elf32) => "32-bit ELF".into(),
        Ok(FileKind::MachO32 | FileKind::MachO64 | FileKind::MachOFat32 | FileKind::MachOFat64) => "Mach-O".into(),
        Ok(FileKind::Coff | FileKind::CoffBig | FileKind::CoffImport) => "COFF".into(),
        _ if data.starts_with(BITCODE) => "LLVM bitcode".into(),
        _ if data.starts_with(b"\0asm") => "WebAssembly".into(),
        _ if data.starts_with(&elf::ELFMAG) => {
            return Err(damaged(format!("the archive member {name} is damaged: its ELF header is cut short")));
        }
        _ if named_so => return Err(damaged(format!("the archive member {name} is damaged: it is not an object of a known format"))),
        _ => return Ok(false),
    };
    // COFF files begin with only two fixed bytes, so other files may look like COFF. Only a file with the name of an object file counts as
    // COFF.
    if format == "COFF" && !named_so {
        return Ok(false);
    }
    let message = format!("the archive member {name} is {format}, where 64-bit {} ELF is needed", machine.name);
    let hint = match data.starts_with(BITCODE) {
        true => NO_LTO.to_owned(),
        false => format!("build the crate, and the C or assembly in it, for {}", machine.arch.triple()),
    };
    Err(Diagnostic::new(ErrorCode::Architecture, message).hint(hint).into())
}

fn machine_name(number: elf::Machine) -> String {
    if let Some(known) = MACHINES.iter().find(|machine| machine.elf == number) {
        return known.name.into();
    }
    match number {
        elf::EM_RISCV => "RISC-V".into(),
        elf::EM_PPC64 => "PowerPC".into(),
        elf::EM_S390 => "s390x".into(),
        elf::EM_LOONGARCH => "LoongArch".into(),
        other => format!("machine {}", other.0),
    }
}

impl<'a> Member<'a> {
    fn parse(name: String, data: &'a [u8], machine: &'static Machine) -> Result<Self> {
        let fail = |error: object::Error| in_member(&name, error);
        let header = Header::parse(data).map_err(fail)?;
        if header.e_type(LE) != elf::ET_REL {
            return Err(in_member(&name, "it is linked already"));
        }
        let sections = header.sections(LE, data).map_err(fail)?;
        let symbols = sections.symbols(LE, data, elf::SHT_SYMTAB).map_err(fail)?;
        let mut relocations = Vec::new();
        for (index, section) in sections.enumerate() {
            if matches!(section.sh_type(LE), elf::SHT_RELA | elf::SHT_REL | elf::SHT_CREL) {
                relocations.push((section.sh_info(LE) as usize, index));
            }
        }
        relocations.sort_by_key(|&(target, table)| (target, table.0));
        let mut member = Member { name, machine, data, sections, symbols, relocations, variables: BTreeSet::new(), is_llvm: false };
        for symbol in member.symbols.iter() {
            if symbol.st_shndx(LE) == elf::SHN_COMMON && member.symbol_name(symbol)? == GCC_SLIM {
                let message = format!("the archive member {} is GCC's intermediate code, where machine code is needed", member.name);
                return Err(Diagnostic::new(ErrorCode::Architecture, message).hint(NO_LTO).into());
            }
        }
        member.variables = member.executable_variables()?;
        member.is_llvm = member.has_llvm_comments()?;
        Ok(member)
    }

    /// True if rustc compiled the object.
    pub fn is_rust(&self) -> bool {
        self.name.ends_with(".rcgu.o")
    }

    /// An error of kind [`ErrorCode::Archive`] that names the member.
    pub fn damaged(&self, what: impl Display) -> Failure {
        in_member(&self.name, what)
    }

    pub fn section(&self, index: SectionIndex) -> Result<&'a SectionHeader64<LittleEndian>> {
        self.sections.section(index).map_err(|error| self.damaged(error))
    }

    /// True if the section `.comment` names at least one compiler, and only compilers that use LLVM.
    fn has_llvm_comments(&self) -> Result<bool> {
        let mut texts = Vec::new();
        for section in self.sections_named(b".comment")? {
            texts.extend(self.bytes(section)?);
        }
        let mut names = texts.split(|&byte| byte == 0).filter(|name| !name.is_empty()).peekable();
        let has = |name: &[u8], word: &[u8]| name.windows(word.len()).any(|part| part == word);
        Ok(names.peek().is_some() && names.all(|name| has(name, b"rustc version ") || has(name, b"clang version ")))
    }

    pub fn section_name(&self, index: SectionIndex) -> Result<&'a [u8]> {
        self.sections.section_name(LE, self.section(index)?).map_err(|error| self.damaged(error))
    }

    /// The sections with the name `wanted`.
    pub fn sections_named(&self, wanted: &[u8]) -> Result<Vec<SectionIndex>> {
        let mut found = Vec::new();
        // The first section is a placeholder (ELF gABI).
        for (index, _) in self.sections.enumerate().skip(1) {
            if self.section_name(index)? == wanted {
                found.push(index);
            }
        }
        Ok(found)
    }

    pub fn flags(&self, index: SectionIndex) -> Result<elf::SectionFlags> {
        Ok(self.section(index)?.sh_flags(LE))
    }

    /// True if the section contains code. An executable section that contains only variables is data.
    pub fn is_code(&self, index: SectionIndex) -> Result<bool> {
        Ok(self.is_executable(index)? && !self.variables.contains(&index.0))
    }

    fn is_executable(&self, index: SectionIndex) -> Result<bool> {
        Ok(self.flags(index)?.contains(elf::SHF_ALLOC | elf::SHF_EXECINSTR))
    }

    /// The indices of executable sections that contain only variables: variables and padding fill the section, and the section has no other symbols.
    fn executable_variables(&self) -> Result<BTreeSet<usize>> {
        let mut variables: BTreeMap<usize, Vec<(u64, u64)>> = BTreeMap::new();
        let mut others = BTreeSet::new();
        for (index, symbol) in self.symbols.enumerate().filter(|(index, _)| index.0 != 0) {
            let Some(section) = self.symbol_section(index)? else { continue };
            let name = self.symbol_name(symbol)?;
            match symbol.st_type() {
                elf::STT_OBJECT => variables.entry(section.0).or_default().push((symbol.st_value(LE), symbol.st_size(LE))),
                elf::STT_SECTION => {}
                elf::STT_NOTYPE if name.is_empty() || self.machine.is_mapping(name) => {}
                _ => drop(others.insert(section.0)),
            }
        }
        variables.retain(|section, _| !others.contains(section));
        let mut filled = BTreeSet::new();
        for (section, mut places) in variables {
            let index = SectionIndex(section);
            if !self.is_executable(index)? {
                continue;
            }
            places.sort_unstable();
            let (align, mut end) = (self.align(index)?, 0);
            places.push((self.size(index)?, 0));
            let is_filled = places.first().is_some_and(|first| first.0 == 0)
                && places.iter().all(|&(start, size)| {
                    let touches = start < end + align;
                    end = end.max(start.saturating_add(size));
                    touches
                });
            if is_filled {
                filled.insert(section);
            }
        }
        Ok(filled)
    }

    /// The section's alignment in bytes: a power of two.
    pub fn align(&self, index: SectionIndex) -> Result<u64> {
        match self.section(index)?.sh_addralign(LE) {
            0 => Ok(1),
            align if align.is_power_of_two() => Ok(align),
            align => Err(self.damaged(format!("section {} has the impossible alignment {align}", index.0))),
        }
    }

    /// The section's size in bytes.
    pub fn size(&self, index: SectionIndex) -> Result<u64> {
        Ok(self.section(index)?.sh_size(LE))
    }

    /// The section's content; zeros for .bss.
    pub fn bytes(&self, index: SectionIndex) -> Result<Vec<u8>> {
        let section = self.section(index)?;
        if section.sh_type(LE) == elf::SHT_NOBITS {
            return self.zeros(section.sh_size(LE));
        }
        if section.sh_flags(LE).contains(elf::SHF_COMPRESSED) {
            return Err(self.damaged(format!("section {} is compressed, but only debug sections may be", index.0)));
        }
        section.data(LE, self.data).map(<[u8]>::to_vec).map_err(|error| self.damaged(error))
    }

    /// A vector of `size` zeros, for sections without content in the file.
    pub fn zeros(&self, size: u64) -> Result<Vec<u8>> {
        match usize::try_from(size) {
            Ok(length) if size <= MAX_ZEROS => Ok(vec![0; length]),
            _ => {
                let message = format!("the archive member {} has a static of {size} bytes, more than {} MiB", self.name, MAX_ZEROS >> 20);
                Err(Diagnostic::new(ErrorCode::Unsupported, message).hint("allocate large memory in Go and pass it as a slice").into())
            }
        }
    }

    /// The content of a debug section, decompressed; `None` if it cannot be decompressed or read.
    pub fn debug_bytes(&self, index: SectionIndex) -> Option<std::borrow::Cow<'a, [u8]>> {
        let section = self.section(index).ok()?;
        match section.compression(LE, self.data).ok()? {
            None => section.data(LE, self.data).ok().map(Into::into),
            Some((header, offset, size)) => {
                use object::read::elf::CompressionHeader as _;
                let format = match header.ch_type(LE) {
                    elf::ELFCOMPRESS_ZLIB => object::CompressionFormat::Zlib,
                    elf::ELFCOMPRESS_ZSTD => object::CompressionFormat::Zstandard,
                    _ => return None,
                };
                let (start, end) = (usize::try_from(offset).ok()?, usize::try_from(offset.checked_add(size)?).ok()?);
                let uncompressed_size = header.ch_size(LE);
                if uncompressed_size > MAX_DEBUG {
                    return None;
                }
                object::CompressedData { format, data: self.data.get(start..end)?, uncompressed_size }.decompress().ok()
            }
        }
    }

    /// The sections that relocations apply to, in ascending order.
    pub fn sections_with_relocs(&self) -> impl Iterator<Item = SectionIndex> {
        self.relocations.chunk_by(|a, b| a.0 == b.0).map(|tables| SectionIndex(tables[0].0))
    }

    /// The relocations of a section by ascending offset, without relocations that have no effect.
    pub fn relocs(&self, index: SectionIndex) -> Result<Vec<RawReloc>> {
        let start = self.relocations.partition_point(|&(target, _)| target < index.0);
        let mut relocs = Vec::new();
        for &(_, table) in self.relocations[start..].iter().take_while(|&&(target, _)| target == index.0) {
            let section = self.section(table)?;
            let records = section.rela(LE, self.data).map_err(|error| self.damaged(error))?;
            let Some((records, _)) = records else {
                return Err(self.damaged(format!("section {} has relocations without addends", index.0)));
            };
            relocs.extend(records.iter().map(RawReloc::new));
        }
        relocs.retain(|reloc| !self.machine.is_none(reloc.kind));
        relocs.sort_by_key(|reloc| reloc.offset);
        Ok(relocs)
    }

    pub fn symbol(&self, index: SymbolIndex) -> Result<&'a Sym64<LittleEndian>> {
        self.symbols.symbol(index).map_err(|error| self.damaged(error))
    }

    pub fn symbol_name(&self, symbol: &Sym64<LittleEndian>) -> Result<&'a [u8]> {
        self.symbols.symbol_name(LE, symbol).map_err(|error| self.damaged(error))
    }

    /// The section that contains the symbol's definition, if any.
    pub fn symbol_section(&self, index: SymbolIndex) -> Result<Option<SectionIndex>> {
        self.symbols.symbol_section(LE, self.symbol(index)?, index).map_err(|error| self.damaged(error))
    }
}

impl RawReloc {
    fn new(record: &Rela64<LittleEndian>) -> Self {
        RawReloc {
            offset: record.r_offset.get(LE),
            kind: record.r_type(LE, false).0,
            symbol: record.symbol(LE, false),
            addend: record.r_addend.get(LE),
        }
    }
}

fn in_member(name: &str, what: impl Display) -> Failure {
    damaged(format!("the archive member {name} is damaged: {}", lower_case(&what)))
}

fn damaged(message: String) -> Failure {
    Diagnostic::new(ErrorCode::Archive, message).hint("remove the crate's folder target/rustgo and build again").into()
}

/// The error's text with its first letter in lower case. Messages of the crate `object` begin with a capital letter.
fn lower_case(error: &dyn Display) -> String {
    let text = error.to_string();
    let mut letters = text.chars();
    match letters.next() {
        // A word that begins with two capital letters is an acronym and stays unchanged.
        Some(first) if !letters.clone().next().is_some_and(char::is_uppercase) => first.to_lowercase().chain(letters).collect(),
        _ => text,
    }
}

/// True for a section that only a dynamic linker writes to: its name is `.data.rel.ro`, or begins with `.data.rel.ro.`. ld's scripts use the same
/// rule. (gcc puts a writable variable `root` into a section `.data.rel.root`.) A Go program has no dynamic linker, so nothing writes to the section.
pub fn is_only_relocated(section: &[u8]) -> bool {
    section == b".data.rel.ro" || section.starts_with(b".data.rel.ro.")
}
