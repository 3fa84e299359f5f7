//! The format's documented numbers, each with its source in the Go tree.

/// `cmd/internal/goobj/objfile.go` and `cmd/internal/obj/link.go`: the ABI of a symbol.
pub mod abi {
    /// Assembly functions, and everything that is not a function.
    pub const ABI0: u16 = 0;
    /// `SymABIstatic`: a file-local symbol (`name<>` in assembly).
    pub const STATIC: u16 = u16::MAX;
}

/// `cmd/internal/objabi/symkind.go`: what a symbol is. The numbers up to 11 agree in Go 1.24 to 1.27; those of debug
/// information behind them do not, and are not named here.
pub mod kind {
    pub const STEXT: u8 = 1;
    pub const STEXTFIPS: u8 = 2;
    /// Read-only data.
    pub const SRODATA: u8 = 3;
    /// Data without pointers.
    pub const SNOPTRDATA: u8 = 5;
    /// Zeros that will hold no pointers.
    pub const SNOPTRBSS: u8 = 10;
    /// Thread-local zeros.
    pub const STLSBSS: u8 = 11;
}

/// `cmd/internal/goobj/objfile.go`, `Sym.Flag`.
pub mod symbol_flag {
    pub const NOSPLIT: u8 = 1 << 4;
}

/// `internal/abi/symtab.go`, `FuncFlag`.
pub mod func_flag {
    /// The function writes SP in a way the table cannot say: the unwinder refuses to walk through it.
    pub const SP_WRITE: u8 = 1 << 1;
    /// Written in assembly.
    pub const ASM: u8 = 1 << 2;
}

/// `cmd/internal/objabi/reloctype.go`: how a field is filled in.
///
/// Go 1.24 to 1.27 number these alike. The list first differs at 32 (Go 1.24 has `R_DWARFFILEREF` there, which Go 1.25
/// removed, so that the thread-local kinds of arm64 moved down by one); no kind from 32 on is used on amd64, and none
/// is named here.
pub mod reloc {
    /// The address of the target (+ addend), `size` bytes.
    pub const R_ADDR: u16 = 1;
    /// arm64: the address for an ADRP and ADD pair.
    pub const R_ADDRARM64: u16 = 3;
    /// 4 bytes: target + addend − end of field, in a CALL or JMP.
    pub const R_CALL: u16 = 7;
    /// arm64: the 26 bits of a BL or B.
    pub const R_CALLARM64: u16 = 9;
    /// Marks an indirect call for the linker's stack check; changes nothing, names no symbol.
    pub const R_CALLIND: u16 = 10;
    /// 4 bytes: target + addend − end of field.
    pub const R_PCREL: u16 = 14;
    /// 4 bytes: offset of `runtime.tlsg` from the thread pointer; the symbol is absent.
    pub const R_TLS_LE: u16 = 15;
    /// 4 bytes: the target's cell in the GOT − end of field (`-dynlink`).
    pub const R_GOTPCREL: u16 = 29;
}
