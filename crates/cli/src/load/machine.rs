//! What differs between the machines in an ELF object: the relocations' numbers and what their addends count from.
//!
//! Sources: System V ABI, AMD64 supplement, table "Relocation Types"; ELF for the Arm 64-bit Architecture (AAELF64),
//! "Relocation". Of both only the kinds for programs of 64-bit pointers are known.

use super::RelocKind;
use crate::target::Arch;
use object::elf::{self, RelocationType};

/// One machine's part of the object format.
#[derive(Debug)]
pub(super) struct Machine {
    pub arch: Arch,
    /// As messages call it.
    pub name: &'static str,
    /// `e_machine`
    pub elf: elf::Machine,
    /// The address itself, in 64 bits.
    pub abs64: u32,
    /// Places that nothing changes.
    none: &'static [RelocationType],
    /// An address or an offset, whole: all that a debug section's relocations are made of.
    absolute: &'static [RelocationType],
    /// Fields at the end of an instruction that counts from its end, so that their addend is four too small.
    from_end: &'static [RelocationType],
    /// Does the assembler mark code and data with symbols of its own ([`Machine::is_mapping`])?
    mapping: bool,
    kind: fn(RelocationType) -> RelocKind,
}

/// Every machine that objects are read for.
pub(super) static MACHINES: [&Machine; 2] = [&X86_64, &AARCH64];

static X86_64: Machine = Machine {
    arch: Arch::Amd64,
    name: "x86-64",
    elf: elf::EM_X86_64,
    abs64: elf::R_X86_64_64.0,
    none: &[elf::R_X86_64_NONE],
    absolute: &[elf::R_X86_64_64, elf::R_X86_64_32],
    from_end: &[elf::R_X86_64_PC32, elf::R_X86_64_PLT32],
    mapping: false,
    kind: x86_64,
};

static AARCH64: Machine = Machine {
    arch: Arch::Arm64,
    name: "aarch64",
    elf: elf::EM_AARCH64,
    abs64: elf::R_AARCH64_ABS64.0,
    // 256 was this format's own number for it once, and linkers still take it.
    none: &[elf::R_AARCH64_NONE, RelocationType(256)],
    absolute: &[elf::R_AARCH64_ABS64, elf::R_AARCH64_ABS32],
    // An instruction counts from its first byte, which is the field's.
    from_end: &[],
    mapping: true,
    kind: aarch64,
};

impl Machine {
    pub fn of(arch: Arch) -> &'static Machine {
        match arch {
            Arch::Amd64 => &X86_64,
            Arch::Arm64 => &AARCH64,
        }
    }

    /// What the number of a relocation means.
    pub fn kind(&self, number: u32) -> RelocKind {
        (self.kind)(RelocationType(number))
    }

    pub fn is_none(&self, number: u32) -> bool {
        self.none.contains(&RelocationType(number))
    }

    pub fn is_absolute(&self, number: u32) -> bool {
        self.absolute.contains(&RelocationType(number))
    }

    /// How far the place that a relocation against a section's symbol is about lies behind what its addend says.
    pub fn behind(&self, number: u32, in_code: bool) -> u64 {
        if in_code && self.from_end.contains(&RelocationType(number)) { 4 } else { 0 }
    }

    /// Does a local symbol without a type only say that instructions (`$x`) or data (`$d`) begin here, alone or
    /// before a dot and anything (AAELF64, "Mapping symbols")? It stands wherever the one follows the other and names
    /// no function.
    pub fn is_mapping(&self, name: &[u8]) -> bool {
        self.mapping && matches!(name, [b'$', b'x' | b'd'] | [b'$', b'x' | b'd', b'.', ..])
    }
}

fn x86_64(number: RelocationType) -> RelocKind {
    match number {
        elf::R_X86_64_64 => RelocKind::Abs64,
        elf::R_X86_64_PC32 | elf::R_X86_64_PLT32 => RelocKind::Pc32,
        elf::R_X86_64_PC64 => RelocKind::Pc64,
        elf::R_X86_64_GOTPCREL | elf::R_X86_64_GOTPCRELX | elf::R_X86_64_REX_GOTPCRELX => RelocKind::GotPc32,
        elf::R_X86_64_DTPMOD64
        | elf::R_X86_64_DTPOFF64
        | elf::R_X86_64_TPOFF64
        | elf::R_X86_64_TLSGD
        | elf::R_X86_64_TLSLD
        | elf::R_X86_64_DTPOFF32
        | elf::R_X86_64_GOTTPOFF
        | elf::R_X86_64_TPOFF32
        | elf::R_X86_64_GOTPC32_TLSDESC
        | elf::R_X86_64_TLSDESC_CALL
        | elf::R_X86_64_TLSDESC => RelocKind::ThreadLocal,
        RelocationType(other) => RelocKind::Other(other),
    }
}

fn aarch64(number: RelocationType) -> RelocKind {
    // The tables of static and of dynamic TLS relocations are closed ranges of numbers.
    const STATIC_TLS: (u32, u32) = (elf::R_AARCH64_TLSGD_ADR_PREL21.0, elf::R_AARCH64_TLSLD_LDST128_DTPREL_LO12_NC.0);
    const DYNAMIC_TLS: (u32, u32) = (elf::R_AARCH64_TLS_DTPMOD.0, elf::R_AARCH64_TLSDESC.0);
    match number {
        elf::R_AARCH64_ABS64 => RelocKind::Abs64,
        elf::R_AARCH64_PREL32 => RelocKind::Pc32,
        elf::R_AARCH64_PREL64 => RelocKind::Pc64,
        elf::R_AARCH64_CALL26 | elf::R_AARCH64_JUMP26 => RelocKind::Branch26,
        elf::R_AARCH64_ADR_PREL_LO21 => RelocKind::Adr,
        elf::R_AARCH64_ADR_PREL_PG_HI21 | elf::R_AARCH64_ADR_PREL_PG_HI21_NC => RelocKind::Page,
        elf::R_AARCH64_ADD_ABS_LO12_NC
        | elf::R_AARCH64_LDST8_ABS_LO12_NC
        | elf::R_AARCH64_LDST16_ABS_LO12_NC
        | elf::R_AARCH64_LDST32_ABS_LO12_NC
        | elf::R_AARCH64_LDST64_ABS_LO12_NC
        | elf::R_AARCH64_LDST128_ABS_LO12_NC => RelocKind::PageOffset,
        elf::R_AARCH64_ADR_GOT_PAGE => RelocKind::GotPage,
        elf::R_AARCH64_LD64_GOT_LO12_NC => RelocKind::GotPageOffset,
        RelocationType(tls) if (STATIC_TLS.0..=STATIC_TLS.1).contains(&tls) || (DYNAMIC_TLS.0..=DYNAMIC_TLS.1).contains(&tls) => {
            RelocKind::ThreadLocal
        }
        RelocationType(other) => RelocKind::Other(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_of_ranges_and_numbers_no_assembler_writes() {
        for (number, kind) in [
            (511, RelocKind::Other(511)),
            (512, RelocKind::ThreadLocal),
            (573, RelocKind::ThreadLocal),
            (574, RelocKind::Other(574)),
            (1027, RelocKind::Other(1027)),
            (1028, RelocKind::ThreadLocal),
            (1031, RelocKind::ThreadLocal),
            (1032, RelocKind::Other(1032)),
            // What is R_X86_64_64 there is nothing here.
            (1, RelocKind::Other(1)),
        ] {
            assert_eq!(AARCH64.kind(number), kind, "{number}");
        }
        assert!([0, 256].into_iter().all(|number| AARCH64.is_none(number)) && !AARCH64.is_none(257));
        assert!(X86_64.is_none(0) && !X86_64.is_none(256));
    }

    #[test]
    fn mapping_symbols_are_the_assemblers_own() {
        for name in ["$x", "$d", "$x.1", "$d.", "$d.a$x"] {
            assert!(AARCH64.is_mapping(name.as_bytes()) && !X86_64.is_mapping(name.as_bytes()), "{name}");
        }
        for name in ["", "$", "x", "$a", "$t", "$xx", "$dx.1", "a$x"] {
            assert!(!AARCH64.is_mapping(name.as_bytes()), "{name}");
        }
    }
}
