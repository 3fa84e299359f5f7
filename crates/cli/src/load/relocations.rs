//! The part of the ELF format that depends on the processor: the meaning of relocation numbers, and the place from which each addend counts.
//! [`super::walk`] uses this module for every relocation.
//!
//! Sources: System V ABI, AMD64 supplement, table "Relocation Types"; ELF for the Arm 64-bit Architecture (AAELF64),
//! "Relocation". Only the kinds for programs with 64-bit pointers are known.

use super::RelocKind;
use crate::code::Reg;
use crate::target::Arch;
use object::elf::{self, RelocationType};

/// The properties of ELF objects for one processor architecture.
#[derive(Debug)]
pub(super) struct Machine {
    pub arch: Arch,
    /// The machine's name in messages.
    pub name: &'static str,
    /// The machine's number in the ELF header (`e_machine`).
    pub elf: elf::Machine,
    /// The relocation number for a 64-bit address.
    pub abs64: u32,
    /// Relocation numbers without effect.
    none: &'static [RelocationType],
    /// Relocation numbers for whole addresses or offsets, the only ones that matter in debug sections.
    absolute: &'static [RelocationType],
    /// Relocation numbers for fields at the end of an instruction. Their distance counts from the instruction's end, four bytes after the
    /// field's start, so their addend is four too small.
    from_end: &'static [RelocationType],
    /// True if assemblers mark the start of code and of data with symbols that name no function ([`Machine::is_mapping`]).
    mapping: bool,
    kind: fn(RelocationType) -> RelocKind,
    thread_local: fn(RelocationType) -> Option<ThreadLocal>,
    use_of: fn(&[u8], usize) -> Use,
    branches_by_cell: fn(&[u8], usize) -> bool,
    /// The register with this number in unwind tables. `None` for a register that is not a general register.
    pub dwarf_register: fn(u16) -> Option<Reg>,
    /// For gimli: the vendor whose own instructions unwind tables may contain.
    pub vendor: gimli::Vendor,
    /// The machine code of a generated function that reads address 0, so that it faults.
    pub fault: &'static [u8],
    /// Instructions begin at multiples of this number of bytes.
    pub unit: usize,
    branch_at: fn(&[u8], usize) -> Option<Branch>,
}

/// A branch instruction without a relocation: call or jump, and the offset of its target from the first byte of the searched code.
type Branch = (Use, i64);

/// How an instruction uses the place that its relocation names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    Call,
    /// A jump, conditional or not.
    Jump,
    /// The instruction computes the address. The relocated field is the last part of the instruction. On AArch64, every use other than `b` and `bl`
    /// counts as this use.
    Address,
    /// Any other use on x86-64. An immediate may follow the relocated field. Then the addend is smaller by the immediate's size.
    Operand,
}

/// A relocation for a thread-local variable, in the general or local dynamic model (Drepper, "ELF Handling For Thread-Local Storage").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ThreadLocal {
    /// A 32-bit distance from the field to the cell that code passes to `__tls_get_addr` to get the variable's address (R_X86_64_TLSGD).
    Variable,
    /// A 32-bit distance from the field to the cell that code passes to `__tls_get_addr` to get the start of the module's variables (R_X86_64_TLSLD).
    Module,
    /// The variable's distance from the start of the module's variables, in a field of this many bytes (R_X86_64_DTPOFF32, DTPOFF64).
    Distance(usize),
}

/// The supported machines.
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
    thread_local: x86_64_thread_local,
    use_of: x86_64_use,
    branches_by_cell: x86_64_branches_by_cell,
    dwarf_register: x86_64_dwarf_register,
    vendor: gimli::Vendor::Default,
    // The instructions are xor eax, eax; mov eax, [rax]; ud2.
    fault: &[0x31, 0xC0, 0x8B, 0x00, 0x0F, 0x0B],
    unit: 1,
    branch_at: x86_64_branch,
};

static AARCH64: Machine = Machine {
    arch: Arch::Arm64,
    name: "aarch64",
    elf: elf::EM_AARCH64,
    abs64: elf::R_AARCH64_ABS64.0,
    // Linkers still accept 256, which used to be the number of R_AARCH64_NONE.
    none: &[elf::R_AARCH64_NONE, RelocationType(256)],
    absolute: &[elf::R_AARCH64_ABS64, elf::R_AARCH64_ABS32],
    // On AArch64, distances count from the instruction's first byte, at which the relocated field begins.
    from_end: &[],
    mapping: true,
    kind: aarch64,
    // For AArch64, compilers emulate thread-local storage (compile/flags.rs), so no relocation needs it.
    thread_local: |_| None,
    use_of: aarch64_use,
    // On AArch64, no branch reads its target from memory. A separate instruction loads the address.
    branches_by_cell: |_, _| false,
    // AADWARF64, "DWARF register names": the general registers and SP have the numbers of the instruction set.
    dwarf_register: |number| (number < 32).then_some(Reg::from(number)),
    vendor: gimli::Vendor::AArch64,
    // The instructions are mov x0, #0; ldr x0, [x0]; brk #1.
    fault: &[0x00, 0x00, 0x80, 0xD2, 0x00, 0x00, 0x40, 0xF9, 0x20, 0x00, 0x20, 0xD4],
    unit: 4,
    branch_at: aarch64_branch,
};

impl Machine {
    pub fn of(arch: Arch) -> &'static Machine {
        match arch {
            Arch::Amd64 => &X86_64,
            Arch::Arm64 => &AARCH64,
        }
    }

    /// The kind of the relocation with this number.
    pub fn kind(&self, number: u32) -> RelocKind {
        (self.kind)(RelocationType(number))
    }

    /// The kind of the thread-local relocation with this number. `None` if the relocation is of another kind, or if a Go object cannot express it.
    pub fn thread_local(&self, number: u32) -> Option<ThreadLocal> {
        (self.thread_local)(RelocationType(number))
    }

    pub fn is_none(&self, number: u32) -> bool {
        self.none.contains(&RelocationType(number))
    }

    pub fn is_absolute(&self, number: u32) -> bool {
        self.absolute.contains(&RelocationType(number))
    }

    /// The number of bytes by which the addend of a relocation against a section's symbol is too small. The addend plus this number is the offset of
    /// the referenced place in the section.
    pub fn addend_gap(&self, number: u32, in_code: bool) -> u64 {
        if in_code && self.from_end.contains(&RelocationType(number)) { 4 } else { 0 }
    }

    /// How the instruction uses the target of its relocation. `field` is the offset of the relocated field in `code`. The bytes before the
    /// field decide, because instruction boundaries are not known yet.
    pub fn use_of(&self, code: &[u8], field: u64) -> Use {
        usize::try_from(field).map_or(Use::Operand, |field| (self.use_of)(code, field))
    }

    /// True if the instruction branches to an address that it reads from the relocated memory operand.
    pub fn branches_by_cell(&self, code: &[u8], field: u64) -> bool {
        usize::try_from(field).is_ok_and(|field| (self.branches_by_cell)(code, field))
    }

    /// The number of bytes by which the addend of a relocation of this kind is too small, in an instruction without an immediate. The addend plus
    /// this number is the offset of the referenced place from the relocation's target.
    pub fn to_target(&self, kind: RelocKind) -> i64 {
        if !self.from_end.is_empty() && kind == RelocKind::Pc32 { 4 } else { 0 }
    }

    /// Decodes the bytes at `at` as a branch: call or jump, and the offset of the target from the first byte of `code`. `None` if the bytes are no
    /// branch. Relocations are ignored.
    pub fn branch_at(&self, code: &[u8], at: usize) -> Option<Branch> {
        (self.branch_at)(code, at)
    }

    /// The possible sizes of an immediate after the relocated field of an instruction of kind [`Use::Operand`].
    pub fn immediates(&self) -> &'static [u64] {
        if self.from_end.is_empty() { &[0] } else { &[0, 1, 2, 4] }
    }

    /// True for the name of a mapping symbol: a local symbol without a type that marks the start of instructions (`$x`) or data (`$d`) and
    /// names no function. A dot and any text may follow (AAELF64, "Mapping symbols"). Assemblers emit a mapping symbol where instructions
    /// follow data or data follows instructions.
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

fn x86_64_thread_local(number: RelocationType) -> Option<ThreadLocal> {
    match number {
        elf::R_X86_64_TLSGD => Some(ThreadLocal::Variable),
        elf::R_X86_64_TLSLD => Some(ThreadLocal::Module),
        elf::R_X86_64_DTPOFF32 => Some(ThreadLocal::Distance(4)),
        elf::R_X86_64_DTPOFF64 => Some(ThreadLocal::Distance(8)),
        _ => None,
    }
}

/// In unwind tables the first eight registers have other numbers than in the instruction set (psABI, "DWARF Register Number Mapping").
fn x86_64_dwarf_register(number: u16) -> Option<Reg> {
    const FIRST: [Reg; 8] = [0, 2, 1, 3, 6, 7, 5, 4];
    match number {
        0..8 => Some(FIRST[usize::from(number)]),
        8..16 => Some(Reg::from(number)),
        _ => None,
    }
}

/// Determines the use by the bytes before a 32-bit field: the opcode of a branch (E8, E9, 0F 8x), or the ModRM byte of a RIP-relative operand (mode
/// 0, base 5) with the opcode before it. The ModRM byte of such an operand never equals the opcode of a branch.
fn x86_64_use(code: &[u8], field: usize) -> Use {
    const LEA: u8 = 0x8D;
    let before = |back: usize| field.checked_sub(back).and_then(|at| code.get(at)).copied().unwrap_or(0);
    match (before(2), before(1)) {
        (_, 0xE8) => Use::Call,
        (_, 0xE9) | (0x0F, 0x80..=0x8F) => Use::Jump,
        (LEA, modrm) if modrm & 0xC7 == 5 => Use::Address,
        _ => Use::Operand,
    }
}

/// True for FF /2 and FF /4 with a RIP-relative operand: indirect `call` and `jmp` (Intel SDM vol. 2).
fn x86_64_branches_by_cell(code: &[u8], field: usize) -> bool {
    let before = field.checked_sub(2).and_then(|at| code.get(at..field));
    matches!(before, Some([0xFF, 0x15 | 0x25]))
}

/// Decodes direct branches: E8, E9, EB, 7x, 0F 8x (Intel SDM vol. 2).
fn x86_64_branch(code: &[u8], at: usize) -> Option<Branch> {
    let (kind, field, short) = match (*code.get(at)?, code.get(at + 1).copied()?) {
        (0xE8, _) => (Use::Call, at + 1, false),
        (0xE9, _) => (Use::Jump, at + 1, false),
        (0xEB | 0x70..=0x7F, _) => (Use::Jump, at + 1, true),
        (0x0F, 0x80..=0x8F) => (Use::Jump, at + 2, false),
        _ => return None,
    };
    let (by, size) = match short {
        true => (i64::from(code[field].cast_signed()), 1),
        false => (i64::from(i32::from_le_bytes(code.get(field..field + 4)?.try_into().ok()?)), 4),
    };
    Some((kind, (field + size) as i64 + by))
}

/// Decodes B and BL, with a distance of 26 bits in words, and B.cond, with a distance of 19 bits (Arm ARM C4.1).
fn aarch64_branch(code: &[u8], at: usize) -> Option<Branch> {
    let word = i32::from_le_bytes(code.get(at..at + 4)?.try_into().ok()?);
    let (kind, by) = match word >> 24 & 0xFF {
        0x94..=0x97 => (Use::Call, word << 6 >> 6),
        0x14..=0x17 => (Use::Jump, word << 6 >> 6),
        0x54 => (Use::Jump, word << 8 >> 13),
        _ => return None,
    };
    Some((kind, at as i64 + i64::from(by) * 4))
}

/// Determines the use by the top bits of the instruction word that contains the field (Arm ARM C4.1: B, BL).
fn aarch64_use(code: &[u8], field: usize) -> Use {
    match code.get(field + 3).map(|top| top & 0xFC) {
        Some(0x94) => Use::Call,
        Some(0x14) => Use::Jump,
        _ => Use::Address,
    }
}

fn aarch64(number: RelocationType) -> RelocKind {
    // Static and dynamic TLS relocations have contiguous ranges of numbers.
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
        elf::R_AARCH64_GOTPCREL32 => RelocKind::GotPc32,
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
    fn relocation_ranges_end_where_the_abi_says() {
        for (number, kind) in [
            (511, RelocKind::Other(511)),
            (512, RelocKind::ThreadLocal),
            (573, RelocKind::ThreadLocal),
            (574, RelocKind::Other(574)),
            (1027, RelocKind::Other(1027)),
            (1028, RelocKind::ThreadLocal),
            (1031, RelocKind::ThreadLocal),
            (1032, RelocKind::Other(1032)),
            // On x86-64, 1 is the number of R_X86_64_64. On AArch64, 1 has no meaning.
            (1, RelocKind::Other(1)),
        ] {
            assert_eq!(AARCH64.kind(number), kind, "{number}");
        }
        assert!([0, 256].into_iter().all(|number| AARCH64.is_none(number)) && !AARCH64.is_none(257));
        assert!(X86_64.is_none(0) && !X86_64.is_none(256));
    }

    #[test]
    fn mapping_symbols_exist_only_on_aarch64() {
        for name in ["$x", "$d", "$x.1", "$d.", "$d.a$x"] {
            assert!(AARCH64.is_mapping(name.as_bytes()) && !X86_64.is_mapping(name.as_bytes()), "{name}");
        }
        for name in ["", "$", "x", "$a", "$t", "$xx", "$dx.1", "a$x"] {
            assert!(!AARCH64.is_mapping(name.as_bytes()), "{name}");
        }
    }
}
