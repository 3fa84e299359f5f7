//@ std
//@ support: libm
//@ object = { version = "=0.40.0", features = ["write"] }
//@ input: first\nsecond\ngröße\n_start\n
//! Writes object files in several formats with symbols and relocations, and reads them again, also damaged.
use object::write::{Object, Relocation, Symbol, SymbolSection};
use object::{Architecture, BinaryFormat, Endianness, RelocationEncoding, RelocationFlags, RelocationKind, SymbolFlags, SymbolKind, SymbolScope};
use object::{Object as _, ObjectSection, ObjectSymbol};

fn written(format: BinaryFormat, input: &[u8]) -> object::write::Result<Vec<u8>> {
    let mut file = Object::new(format, Architecture::X86_64, Endianness::Little);
    let code = file.section_id(object::write::StandardSection::Text);
    for line in input.split(|b| *b == b'\n').take(30) {
        let name = line.iter().copied().filter(|b| *b != 0).collect();
        let offset = file.append_section_data(code, line, 16);
        let symbol = file.add_symbol(Symbol {
            name,
            value: offset,
            size: line.len() as u64,
            kind: SymbolKind::Text,
            scope: SymbolScope::Linkage,
            weak: false,
            section: SymbolSection::Section(code),
            flags: SymbolFlags::None,
        });
        if line.len() >= 8 {
            let flags = RelocationFlags::Generic { kind: RelocationKind::Relative, encoding: RelocationEncoding::Generic, size: 32 };
            file.add_relocation(code, Relocation { offset, symbol, addend: -4, flags })?;
        }
    }
    file.write()
}

fn read(data: &[u8]) -> object::Result<String> {
    let file = object::File::parse(data)?;
    let mut text = format!("{:?} {:?} {:?} {:#x}\n", file.format(), file.architecture(), file.kind(), file.entry());
    for section in file.sections() {
        text += &format!("{:?} {:?} {} {:?}\n", section.name(), section.kind(), section.size(), section.data().map(<[u8]>::len));
        for (offset, relocation) in section.relocations() {
            text += &format!("{offset:#x} {relocation:?}\n");
        }
    }
    for symbol in file.symbols() {
        text += &format!("{:?} {:#x} {:?} {:?}\n", symbol.name(), symbol.address(), symbol.kind(), symbol.scope());
    }
    Ok(text)
}

#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let mut found = format!("{:?}\n", read(input)).into_bytes();
    for format in [BinaryFormat::Elf, BinaryFormat::Coff, BinaryFormat::MachO] {
        match written(format, input) {
            Ok(mut file) => {
                found.extend_from_slice(&file);
                found.extend_from_slice(format!("{:?}\n", read(&file)).as_bytes());
                let at = input.len() * 7 % file.len();
                file[at] ^= 1 << (input.len() % 8);
                found.extend_from_slice(format!("{:?}\n", read(&file)).as_bytes());
            }
            Err(error) => found.extend_from_slice(error.to_string().as_bytes()),
        }
    }
    put(out, &found)
}
