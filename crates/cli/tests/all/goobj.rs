//! Tests the object reader with the output of every supported Go version's assembler.

use rustgo_cli::testing::goobj::{self, GoObject, Reloc, Symbol, abi, func_flag, kind, reloc};
use std::path::Path;
use std::process::Command;

crate::tests!(objects_of_every_go_version_are_read, other_files_are_refused_by_name, damage_never_panics,);

/// The assembly that each version assembles. The tests know its symbols, bytes, relocations and SP tables.
const SOURCE: &str = r#"#include "textflag.h"
#include "funcdata.h"

TEXT ·Entry(SB), 0, $64-16
	NO_LOCAL_POINTERS
	MOVQ x+0(FP), DI
	LEAQ table<>+8(SB), SI
	CALL helper<>+32(SB)
	MOVQ AX, ret+8(FP)
	RET

TEXT helper<>(SB), NOFRAME, $0-0
	NO_LOCAL_POINTERS
	PCALIGN $32
#line 700 "src/lib.rs"
	PUSHQ BX
	ADJSP $24
	MOVQ other·Sym+4(SB), AX
#line 701 "src/lib.rs"
	CALL AX
	ADJSP $-24
	POPQ BX
	BYTE $0xc3
	CALL helper<>+32(SB)
	RET

TEXT ·fused(SB), NOSPLIT|NOFRAME, $0-0
	MOVQ SP, AX
	TESTQ $8, SP
	RET

DATA table<>+0(SB)/8, $0x1122334455667788
DATA table<>+8(SB)/8, $helper<>+32(SB)
GLOBL table<>(SB), RODATA, $32
GLOBL zero<>(SB), NOPTR, $100
"#;

/// The tested Go versions: the installed version, the oldest supported version, and each minor version after it. A version that cannot be
/// downloaded is skipped, but at least one version must be tested.
const VERSIONS: [&str; 5] = ["local", "go1.24.0", "go1.25.0", "go1.26.0", "go1.27.0"];

fn go(version: &str) -> Command {
    let mut command = Command::new("go");
    command.env("GOTOOLCHAIN", version).env("GOOS", "linux").env("GOARCH", "amd64").env_remove("GOFLAGS");
    command
}

fn assemble(version: &str, dir: &Path) -> Option<Vec<u8>> {
    let root = go(version).args(["env", "GOROOT"]).output().expect("go runs");
    if !root.status.success() {
        return None;
    }
    let include = Path::new(String::from_utf8_lossy(&root.stdout).trim()).join("pkg/include");
    let (source, object) = (dir.join("a.s"), dir.join("a.o"));
    std::fs::write(&source, SOURCE).expect("the scratch folder is writable");
    let output =
        go(version).args(["tool", "asm", "-p", "example.org/x", "-I"]).args([&include, Path::new("-o"), &object, &source]).output();
    let output = output.expect("go runs");
    assert!(output.status.success(), "{version}: {}", String::from_utf8_lossy(&output.stderr));
    Some(std::fs::read(&object).expect("the assembler wrote its object"))
}

fn for_each_version(check: impl Fn(&str, &[u8])) {
    let mut seen = 0;
    for version in VERSIONS {
        let dir = tempfile::tempdir().expect("a scratch folder");
        match assemble(version, dir.path()) {
            Some(bytes) => {
                check(version, &bytes);
                seen += 1;
            }
            None => crate::say!("{version}: not available, left out"),
        }
    }
    assert!(seen > 0, "no Go toolchain at all");
}

fn symbol<'a>(object: &'a GoObject, name: &str) -> &'a Symbol {
    object.symbols.iter().find(|symbol| symbol.name == name).unwrap_or_else(|| panic!("no symbol {name}"))
}

fn reloc_of(offset: u32, size: u8, kind: u16, addend: i64, target: &str, target_abi: u16, object: &GoObject) -> Reloc {
    let target_index = object.symbols.iter().position(|symbol| !target.is_empty() && symbol.name == target);
    Reloc { offset, size, kind, addend, target: target.into(), target_abi, target_index }
}

fn objects_of_every_go_version_are_read() {
    for_each_version(|version, bytes| {
        let object = goobj::read(bytes).unwrap_or_else(|error| panic!("{version}: {error}"));
        assert_eq!((object.goos.as_str(), object.goarch.as_str()), ("linux", "amd64"));
        assert!(version == "local" || object.version == version, "{} is not {version}", object.version);

        let entry = symbol(&object, "example.org/x.Entry");
        assert!(entry.is_text() && !entry.nosplit() && entry.abi == abi::ABI0);
        let func = entry.func.as_ref().expect("a function");
        assert_eq!((func.args, func.flags), (16, func_flag::ASM));
        // The stack check does not move SP. Then SP moves by the saved BP (8) and by the frame (64), and back before the return. The call of
        // morestack comes last.
        assert_eq!(func.pcsp, [(0, 0), (0x10, 8), (0x17, 72), (0x31, 8), (0x32, 0)]);
        let expected = [
            reloc_of(5, 4, reloc::R_TLS_LE, 0, "", abi::ABI0, &object),
            reloc_of(0x1f, 4, reloc::R_PCREL, 8, "table", abi::STATIC, &object),
            reloc_of(0x24, 4, reloc::R_CALL, 32, "helper", abi::STATIC, &object),
            reloc_of(0x34, 4, reloc::R_CALL, 0, "runtime.morestack_noctxt", abi::ABI0, &object),
        ];
        assert_eq!(entry.relocs, expected, "{version}");

        let helper = symbol(&object, "helper");
        assert_eq!((helper.kind, helper.abi, helper.nosplit()), (kind::STEXT, abi::STATIC, false));
        let func = helper.func.as_ref().expect("a function");
        assert_eq!(func.pcsp, [(0, 0), (33, 8), (37, 32), (50, 8), (51, 0)]);
        assert_eq!(&helper.data[32..52], b"\x53\x48\x83\xec\x18\x48\x8b\x05\0\0\0\0\xff\xd0\x48\x83\xc4\x18\x5b\xc3");
        let expected = [
            reloc_of(5, 4, reloc::R_TLS_LE, 0, "", abi::ABI0, &object),
            reloc_of(40, 4, reloc::R_PCREL, 4, "other.Sym", abi::ABI0, &object),
            reloc_of(44, 0, reloc::R_CALLIND, 0, "", abi::ABI0, &object),
            reloc_of(53, 4, reloc::R_CALL, 32, "helper", abi::STATIC, &object),
            reloc_of(59, 4, reloc::R_CALL, 0, "runtime.morestack_noctxt", abi::ABI0, &object),
        ];
        assert_eq!(helper.relocs, expected, "{version}");
        assert_eq!((func.sp_delta(32), func.sp_delta(33), func.sp_delta(44), func.sp_delta(52)), (Some(0), Some(8), Some(32), Some(0)));
        // In Go's assembler the line after `#line N` has the number N − 1.
        assert_eq!(
            (func.line(31), func.line(32), func.line(33), func.line(43), func.line(44)),
            (Some(14), Some(699), Some(700), Some(701), Some(700))
        );
        let file = func.file(44).expect("a file") as usize;
        assert!(object.files[file].ends_with("src/lib.rs"), "{}", object.files[file]);

        let fused = symbol(&object, "example.org/x.fused");
        assert_eq!(fused.data, b"\x48\x89\xe0\x48\xf7\xc4\x08\0\0\0\xc3");
        assert!(fused.nosplit() && fused.relocs.is_empty());
        let func = fused.func.as_ref().expect("a function");
        assert_eq!(func.flags, func_flag::ASM | func_flag::SP_WRITE, "TESTQ counts as a write of SP");
        assert_eq!((func.args, func.pcsp.as_slice()), (0, [(0, 0)].as_slice()));

        let table = symbol(&object, "table");
        assert_eq!((table.kind, table.size, table.func.is_none()), (kind::SRODATA, 32, true));
        assert_eq!(table.data[..8], 0x1122_3344_5566_7788u64.to_le_bytes());
        assert_eq!(table.relocs, [reloc_of(8, 8, reloc::R_ADDR, 32, "helper", abi::STATIC, &object)]);
        let zero = symbol(&object, "zero");
        assert_eq!((zero.kind, zero.size, zero.data.len()), (kind::SNOPTRBSS, 100, 0));
    });
}

fn other_files_are_refused_by_name() {
    for_each_version(|_, bytes| {
        let magic = bytes.windows(8).position(|window| window == b"\0go120ld").expect("a Go object");
        let mut newer = bytes.to_vec();
        newer[magic..magic + 8].copy_from_slice(b"\0go199ld");
        let error = goobj::read(&newer).expect_err("another format version");
        assert_eq!(error, "unknown version of the Go object format: \"go199ld\", where go120ld (Go 1.20 to 1.27) was expected");
    });
    assert!(goobj::read(b"\x7fELF").expect_err("not Go").contains("not a Go object file"));
}

fn damage_never_panics() {
    let dir = tempfile::tempdir().expect("a scratch folder");
    let bytes = assemble("local", dir.path()).expect("the installed Go assembles");
    for length in 0..bytes.len() {
        assert!(goobj::read(&bytes[..length]).is_err(), "cut to {length} bytes");
    }
    // Sets each byte in turn to values that are extreme for counts, offsets and varints. The reader may return anything but must not panic.
    let mut damaged = bytes.clone();
    let mut refused = 0;
    for position in 0..bytes.len() {
        for value in [0, 1, 0x7f, 0x80, 0xff, bytes[position] ^ 0x04] {
            damaged[position] = value;
            refused += usize::from(goobj::read(&damaged).is_err());
        }
        damaged[position] = bytes[position];
    }
    assert!(refused > 1000, "only {refused} damaged objects were refused");
}
