//@ std
//@ support: libm
//@ gimli = "=0.34.0"
//@ input: main.rs\nfn main\nlet größe\nlet x\nfn other\n
//! Writes debugging information in DWARF, and reads it again, also damaged.
use gimli::write::{Address, AttributeValue, DwarfUnit, EndianVec, LineProgram, LineString, Sections};
use gimli::{DwarfSections, Encoding, EndianSlice, Format, LineEncoding, LittleEndian, SectionId};

fn written(input: &str) -> gimli::write::Result<Vec<(SectionId, Vec<u8>)>> {
    let encoding = Encoding { format: Format::Dwarf32, version: 5 - input.len() as u16 % 3, address_size: 8 };
    let mut dwarf = DwarfUnit::new(encoding);
    let file = LineString::String(b"main.rs".to_vec());
    let mut program = LineProgram::new(encoding, LineEncoding::default(), LineString::String(b"/src".to_vec()), None, file.clone(), None);
    let directory = program.default_directory();
    let file = program.add_file(file, directory, None);
    program.begin_sequence(Some(Address::Constant(0x1000)));
    let root = dwarf.unit.root();
    dwarf.unit.get_mut(root).set(gimli::DW_AT_low_pc, AttributeValue::Address(Address::Constant(0x1000)));
    for (n, line) in input.lines().take(40).enumerate() {
        let (tag, name) = match line.split_once(' ') {
            Some(("fn", name)) => (gimli::DW_TAG_subprogram, name),
            Some(("let", name)) => (gimli::DW_TAG_variable, name),
            _ => (gimli::DW_TAG_namespace, line),
        };
        let entry = dwarf.unit.add(root, tag);
        let name = name.replace('\0', "");
        let name = dwarf.strings.add(name);
        let entry = dwarf.unit.get_mut(entry);
        entry.set(gimli::DW_AT_name, AttributeValue::StringRef(name));
        entry.set(gimli::DW_AT_decl_line, AttributeValue::Udata(n as u64 * 300));
        let row = program.row();
        row.file = file;
        row.line = n as u64 * 2 + 1;
        row.address_offset = n as u64 * 5;
        program.generate_row();
    }
    program.end_sequence(4000);
    dwarf.unit.line_program = program;
    let mut sections = Sections::new(EndianVec::new(LittleEndian));
    dwarf.write(&mut sections)?;
    let mut found = vec![];
    sections.for_each(|id, data| {
        found.push((id, data.slice().to_vec()));
        Ok::<_, gimli::write::Error>(())
    })?;
    Ok(found)
}

fn read(sections: &[(SectionId, Vec<u8>)], text: &mut String) -> gimli::Result<()> {
    let sections = DwarfSections::load(|id| Ok::<_, gimli::Error>(sections.iter().find(|(found, _)| *found == id).map_or(&[][..], |(_, data)| data)))?;
    let dwarf = sections.borrow(|data| EndianSlice::new(data, LittleEndian));
    let mut units = dwarf.units();
    while let Some(header) = units.next()? {
        let unit = dwarf.unit(header)?;
        let unit = unit.unit_ref(&dwarf);
        let mut entries = unit.entries();
        while let Some(entry) = entries.next_dfs()? {
            *text += &format!("{:?} {}\n", entry.depth(), entry.tag());
            for attribute in entry.attrs() {
                *text += &format!("{} {:?}\n", attribute.name(), attribute.value());
                if let Ok(string) = unit.attr_string(attribute.value()) {
                    *text += &string.to_string_lossy();
                }
            }
        }
        if let Some(program) = unit.line_program.clone() {
            let mut rows = program.rows();
            while let Some((_, row)) = rows.next_row()? {
                *text += &format!("{:#x} {:?} {:?}\n", row.address(), row.line(), row.end_sequence());
            }
        }
    }
    Ok(())
}

#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let mut text = String::new();
    match written(&String::from_utf8_lossy(input)) {
        Ok(mut sections) => {
            for _ in 0..3 {
                if let Err(error) = read(&sections, &mut text) {
                    text += &format!("{error}\n");
                }
                for (_, data) in &mut sections {
                    let at = input.len() * 7 % data.len().max(1);
                    if let Some(byte) = data.get_mut(at) {
                        *byte ^= 1 << (input.len() % 8);
                    }
                }
            }
        }
        Err(error) => text = error.to_string(),
    }
    put(out, text.as_bytes())
}
