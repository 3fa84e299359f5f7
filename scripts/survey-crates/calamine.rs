//@ std
//@ support: libm
//@ calamine = "=0.38.0"
//@ zip = { version = "9", default-features = false, features = ["deflate"] }
//@ input: <worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><dimension ref="A1:C3"/><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1"><v>1.5</v></c></row><row r="2"><c r="A2" t="b"><v>1</v></c><c r="B2" s="1"><v>45322.5</v></c><c r="C2" t="e"><v>#DIV/0!</v></c></row><row r="3"><c r="A3" t="inlineStr"><is><t>größe &amp; x</t></is></c><c r="C3"><f>SUM(C1:C2)</f><v>3</v></c></row></sheetData><mergeCells count="1"><mergeCell ref="A1:B1"/></mergeCells></worksheet>
//@ input: <worksheet><sheetData><row><c><v>-12</v></c><c t="str"><f t="shared" ref="B1:B3" si="0">A1*2</f><v>text</v></c></row><row r="9"><c r="ZZ9" t="n"><v>1e300</v></c></row></sheetData></worksheet>
//! Reads the cells of a spreadsheet. The input is the XML of a sheet. The code first packs this sheet into a workbook.
use calamine::{Data, Reader, Xlsx};
use std::io::{Cursor, Write};
use zip::write::SimpleFileOptions;

const FILES: [(&str, &str); 5] = [
    ("[Content_Types].xml", r#"<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>"#),
    (
        "xl/_rels/workbook.xml.rels",
        r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>"#,
    ),
    (
        "xl/workbook.xml",
        r#"<workbook xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="One" sheetId="1" r:id="rId1"/></sheets><definedNames><definedName name="all">One!A1:C3</definedName></definedNames></workbook>"#,
    ),
    ("xl/sharedStrings.xml", "<sst><si><t>first</t></si><si><r><t>sec</t></r><r><t>ond</t></r></si></sst>"),
    (
        "xl/styles.xml",
        r#"<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy-mm-dd"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>"#,
    ),
];

fn workbook(sheet: &[u8]) -> Vec<u8> {
    let mut file = zip::ZipWriter::new(Cursor::new(vec![]));
    let options = SimpleFileOptions::default();
    for (name, text) in FILES {
        file.start_file(name, options).unwrap();
        file.write_all(text.as_bytes()).unwrap();
    }
    file.start_file("xl/worksheets/sheet1.xml", options).unwrap();
    file.write_all(sheet).unwrap();
    file.finish().unwrap().into_inner()
}

fn read(file: &[u8]) -> Result<String, calamine::XlsxError> {
    let mut workbook: Xlsx<_> = Xlsx::new(Cursor::new(file))?;
    let mut text = format!("{:?} {:?}\n", workbook.sheet_names(), workbook.defined_names());
    let range = workbook.worksheet_range("One")?;
    text += &format!("{:?} {:?}\n", range.start(), range.end());
    for (row, column, value) in range.used_cells().take(100) {
        match value {
            Data::DateTime(at) => text += &format!("{row} {column} {at}\n"),
            value => text += &format!("{row} {column} {value:?}\n"),
        }
    }
    let formulas = workbook.worksheet_formula("One")?;
    for (row, column, formula) in formulas.used_cells().take(100) {
        text += &format!("{row} {column} {formula}\n");
    }
    Ok(text)
}

#[rustgo::export(stack = "256k")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let mut file = workbook(input);
    let mut text = String::new();
    for _ in 0..2 {
        match read(&file) {
            Ok(found) => text += &found,
            Err(error) => text += &error.to_string(),
        }
        let at = input.len() * 13 % file.len();
        file[at] ^= 1 << (input.len() % 8);
    }
    put(out, text.as_bytes())
}
