//! The numbers that Go's object file format defines, each with its source file in the Go tree.

/// Numbers for the ABI of a symbol (`cmd/internal/goobj/objfile.go` and `cmd/internal/obj/link.go`).
pub mod abi {
    /// The ABI of assembly functions, and of all symbols that are not functions.
    pub const ABI0: u16 = 0;
    /// The number for a symbol that is local to its file (`SymABIstatic`; `name<>` in assembly).
    pub const STATIC: u16 = u16::MAX;
}

/// Numbers for the kind of a symbol (`cmd/internal/objabi/symkind.go`). The numbers up to 11 are equal in Go 1.24 to 1.27. The numbers above 11,
/// for debug information, differ and are not listed here.
pub mod kind {
    pub const STEXT: u8 = 1;
    pub const STEXTFIPS: u8 = 2;
    /// Read-only data.
    pub const SRODATA: u8 = 3;
    /// Data without pointers.
    pub const SNOPTRDATA: u8 = 5;
    /// Data that begins as zeros, and in which no pointers will be stored.
    pub const SNOPTRBSS: u8 = 10;
    /// Thread-local data that begins as zeros.
    pub const STLSBSS: u8 = 11;
}

/// The flags of a symbol (`cmd/internal/goobj/objfile.go`, `Sym.Flag`).
pub mod symbol_flag {
    pub const NOSPLIT: u8 = 1 << 4;
}

/// The flags of a function (`internal/abi/symtab.go`, `FuncFlag`).
pub mod func_flag {
    /// The function changes SP in a way that the pc table cannot express, so the unwinder stops at this function.
    pub const SP_WRITE: u8 = 1 << 1;
    /// The function is written in assembly.
    pub const ASM: u8 = 1 << 2;
}

/// Numbers for the kind of a relocation, which says how the linker fills in a field (`cmd/internal/objabi/reloctype.go`).
///
/// Go 1.24 to 1.27 use equal numbers below 32. From 32 on the numbers differ: Go 1.25 removed `R_DWARFFILEREF`, so the thread-local kinds of arm64
/// moved down by one. No kind from 32 on is used on amd64, and none is listed here.
pub mod reloc {
    /// The address of target + addend, in `size` bytes.
    pub const R_ADDR: u16 = 1;
    /// arm64: the address of the target in a pair of ADRP and ADD.
    pub const R_ADDRARM64: u16 = 3;
    /// The 4 bytes in a CALL or JMP: target + addend − end of field.
    pub const R_CALL: u16 = 7;
    /// arm64: the 26 bits for the target of a BL or B.
    pub const R_CALLARM64: u16 = 9;
    /// A mark for an indirect call, for the linker's stack check. This relocation changes no bytes and names no symbol.
    pub const R_CALLIND: u16 = 10;
    /// 4 bytes: target + addend − end of field.
    pub const R_PCREL: u16 = 14;
    /// 4 bytes: the offset of `runtime.tlsg` from the thread pointer. The relocation names no symbol.
    pub const R_TLS_LE: u16 = 15;
    /// 4 bytes: the address of the target's entry in the GOT − end of field (`-dynlink`).
    pub const R_GOTPCREL: u16 = 29;
}
